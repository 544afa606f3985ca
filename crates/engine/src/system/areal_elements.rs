//! Which surface of an areal pair is the base, and how fine its elements are.

use std::f64::consts::TAU;
use std::sync::Arc;

use carom_geometry::TriangleMesh;
use carom_geometry::mesh::{Sharpness, SurfaceForm};
use carom_geometry::polygonal::GRAIN;
use carom_geometry::polygonal::accuracy::{Patches, Refinement};

use super::System;
use super::areal_surface::ArealSurface;
use super::pairing::PairRequest;
use super::pairs::unfelt_share;
use crate::Problem;
use crate::law::ArealPairLaw;
use crate::model::BaseSide;

/// Depth over the usual u_max that elements are made for.
pub(super) const DEPTH_SHARE: f64 = 0.1;

/// A surface is round if no more than this share of its turning is at sharp edges, and has edges if more than that share is.
const ROUND: f64 = 0.75;
const EDGED: f64 = 0.1;

/// A round surface takes the place of one with edges where so many times as many contacts are right with it.
const RIGHT_WITH: f64 = 2.0;

/// Most elements that a base is cut into to feel edges of its target: what has more is slow where faces lie on each other.
const MOST_FOR_EDGES: f64 = 1.5e6;

/// A surface as the base.
pub(super) struct BasePlan {
    /// 0 for A.
    pub(super) side: usize,
    pub(super) law: ArealPairLaw,
    pub(super) plan: Arc<ElementPlan>,
    /// Was it chosen for meeting edges, and made fine enough for them as far as there is room?
    pub(super) meets_edges: bool,
}

/// How fine the elements of a base are.
pub(super) struct ElementPlan {
    pub(super) refinement: Refinement,
    /// Estimated error with the triangles as they are.
    coarse_error: f64,
    /// Does it feel all edges and corners of the target?
    feels_all: bool,
}

/// What a surface's elements are planned for.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct PlannedFor {
    /// The surface of the target, by its address.
    target: usize,
    u_max: f64,
    usual: f64,
    accuracy: Option<f64>,
    feels_edges: bool,
}

/// What elements are made for.
#[derive(Clone, Copy)]
pub(super) struct Ask {
    /// Relative error of the force; `None` for triangles as they are.
    pub(super) accuracy: Option<f64>,
    /// In place of that of the law (m).
    pub(super) u_max: Option<f64>,
    /// As fine as edges of the target need it, as far as there is room.
    pub(super) feels_edges: bool,
}

/// Number of elements of a pair's bases for what is asked for; `None` of what has no bases.
pub(super) fn count_elements(
    system: &System,
    request: &PairRequest,
    meshes: [&TriangleMesh; 2],
    ask: Ask,
) -> Option<usize> {
    let (bases, _) = plan_bases(system, request, meshes, ask, ("", "")).ok()?;
    Some(bases.iter().map(|base| base.plan.refinement.elements).sum())
}

/// The bases of a pair, and words for the choice. Where none is stated it is the surface whose triangles are finer beside
/// the patches that the other one makes on them: its largest ones count, as a load may come on them. Where its elements do not feel the
/// other one's edges and corners it is that one, and where neither feels the other's it is both, each of which feels its own. Where a
/// body with edges meets a round one it is the round one, however coarse ([`round_side`]).
pub(super) fn plan_bases(
    system: &System,
    request: &PairRequest,
    meshes: [&TriangleMesh; 2],
    ask: Ask,
    (path, name): (&str, &str),
) -> Result<(Vec<BasePlan>, String), Vec<Problem>> {
    let plan_with = |side: usize, ask: Ask| plan_base(system, request, side, meshes, ask, (path, name));
    let plan = |side: usize| plan_with(side, ask);
    Ok(match system.partners.lines[request.line].base {
        BaseSide::A => (vec![plan(0)?], "A".to_owned()),
        BaseSide::B => (vec![plan(1)?], "B".to_owned()),
        BaseSide::Both => (vec![plan(0)?, plan(1)?], "A and B in turn".to_owned()),
        BaseSide::Finer => {
            let round = ask.accuracy.and_then(|_| round_side(system, request, meshes));
            if let Some(side) = round {
                let why = format!("{} (it is round, and the other one has edges)", ["A", "B"][side]);
                return Ok((vec![plan_with(side, Ask { feels_edges: true, ..ask })?], why));
            }
            let (a, b) = (plan(0)?, plan(1)?);
            let [of_a, of_b] = [&a, &b].map(|base| percent(base.plan.coarse_error));
            let is_first = a.plan.coarse_error <= b.plan.coarse_error;
            match (a.plan.feels_all, b.plan.feels_all) {
                (false, false) => {
                    (vec![a, b], "A and B in turn (each feels its own edges and corners)".to_owned())
                }
                (true, false) => (vec![a], "A (it feels the edges and corners of both)".to_owned()),
                (false, true) => (vec![b], "B (it feels the edges and corners of both)".to_owned()),
                (true, true) => {
                    let (plan, word) = if is_first { (a, "A") } else { (b, "B") };
                    let why =
                        format!("{word} (the finer: its triangles are good for {of_a} on A, {of_b} on B)");
                    (vec![plan], why)
                }
            }
        }
    })
}

/// The side that is round, as generated shapes are known to be, where the other one has edges, and mostly meets those: lines of a face that
/// meets a round surface beside its edge are slanted to it, and what they give is no slope of what they store, by half as much again at a
/// right angle; lines of the round surface are nearly those along which the two are pressed. What meets what is counted over all places and
/// ways that two convex bodies may touch in, which is the surface of their sum, S₁ + S₂ + M₁ M₂/(2 π) in the mean (Schneider, "Convex bodies:
/// the Brunn–Minkowski theory", 2nd ed. 2014, 4.4), with the parts of the integral M of the mean curvature that are of edges and of what is
/// curved.
fn round_side(system: &System, request: &PairRequest, meshes: [&TriangleMesh; 2]) -> Option<usize> {
    let surfaces = [request.a, request.b].map(|surface| &system.areal_surfaces[surface]);
    let forms = [surfaces[0].form(meshes[0])?, surfaces[1].form(meshes[1])?];
    let area = |form: &SurfaceForm, keep: &dyn Fn(u32) -> bool| -> f64 {
        form.triangles.iter().filter(|t| keep(t.face)).map(|t| t.area).sum()
    };
    let all = forms.each_ref().map(|form| area(form, &|_| true));
    let right_with = |k: usize| all[k] + forms[k].turning.curved * forms[1 - k].turning.sharp / TAU;
    (0..2).find(|&k| {
        let [own, other] = [k, 1 - k].map(|k| forms[k].turning);
        let curved = area(&forms[k], &|face| !forms[k].faces[face as usize].is_cornered);
        surfaces[k].is_round()
            && curved > 0.5 * all[k]
            && own.sharp <= ROUND * (own.sharp + own.curved)
            && other.sharp > EDGED * (other.sharp + other.curved)
            && right_with(k) > RIGHT_WITH * right_with(1 - k)
    })
}

fn plan_base(
    system: &System,
    request: &PairRequest,
    side: usize,
    meshes: [&TriangleMesh; 2],
    ask: Ask,
    (path, name): (&str, &str),
) -> Result<BasePlan, Vec<Problem>> {
    let mut law = system.resolve_areal_law(request, side, path, name)?;
    if let Some(u_max) = ask.u_max {
        [law.u_max, law.usual] = [u_max; 2];
    }
    let surfaces = [request.a, request.b];
    let [own, target] = [side, 1 - side].map(|k| (&*system.areal_surfaces[surfaces[k]], meshes[k]));
    let Ask { accuracy, feels_edges, .. } = ask;
    let planned_for = PlannedFor {
        target: std::ptr::from_ref(target.0).addr(),
        u_max: law.u_max,
        usual: law.usual,
        accuracy,
        feels_edges,
    };
    let plan = own.0.plan(planned_for, || plan_elements(own, target, planned_for));
    Ok(BasePlan { side, law, plan, meets_edges: feels_edges })
}

fn plan_elements(
    (own, mesh): (&ArealSurface, &TriangleMesh),
    (target, target_mesh): (&ArealSurface, &TriangleMesh),
    PlannedFor { u_max, usual, accuracy, feels_edges, .. }: PlannedFor,
) -> ElementPlan {
    let (Some(base), Some(form)) = (own.form(mesh), target.form(target_mesh)) else {
        // What is wrong is told where the surfaces are made.
        let triangles = mesh.triangles.len();
        let refinement = Refinement {
            depths: vec![0; triangles],
            cells: Vec::new(),
            elements: triangles,
            longest: f64::INFINITY,
            error: f64::INFINITY,
        };
        return ElementPlan { refinement, coarse_error: f64::INFINITY, feels_all: true };
    };
    let patches = Patches::new(target.target_form(&form), DEPTH_SHARE * usual);
    let coarse = Refinement::none(&base, &patches);
    let coarse_error = coarse.error;
    let Some(accuracy) = accuracy else {
        return ElementPlan { refinement: coarse, coarse_error, feels_all: true };
    };
    let mut refinement = Refinement::to(&base, &patches, accuracy);
    let steepest = target.sharpness(target_mesh).iter().map(Sharpness::steepest).fold(0.0, f64::max);
    let felt = unfelt_share(Some(accuracy)) * u_max;
    if feels_edges {
        let finer = refinement.longest * steepest / (GRAIN * felt);
        let room = (MOST_FOR_EDGES / refinement.elements as f64).sqrt();
        if finer.min(room) > 1.0 {
            // The error of curved patches falls with the 5/2th power of the elements' length.
            let accuracy = accuracy * libm::pow(finer.min(room), -2.5);
            refinement = Refinement::to(&base, &patches, accuracy);
        }
    }
    let feels_all = refinement.longest * steepest <= GRAIN * felt;
    let refinement = refinement.graded(mesh, &own.sharpness(mesh), felt);
    ElementPlan { refinement, coarse_error, feels_all }
}

/// Elements of a base and what they are good for, in words, with what the triangles of both surfaces add to the error of the force.
pub(super) fn describe(refinement: &Refinement, of_facets: f64, law: &ArealPairLaw) -> String {
    let Refinement { depths, elements, error, .. } = refinement;
    let of = if *elements > depths.len() { format!(" of {} triangles", depths.len()) } else { String::new() };
    format!(
        "{elements} elements{of}, error of the force about {} at {}",
        percent(*error + of_facets),
        depth_in_words(law)
    )
}

/// The depth that elements and triangles are made for.
pub(super) fn depth_in_words(law: &ArealPairLaw) -> String {
    if law.usual < law.u_max { format!("{:.1e} m", DEPTH_SHARE * law.usual) } else { "u_max/10".to_owned() }
}

/// A share with two digits.
pub(super) fn percent(share: f64) -> String {
    match 100.0 * share {
        x if x > 100.0 => "more than 100 %".to_owned(),
        x if x >= 10.0 => format!("{x:.0} %"),
        x if x >= 1.0 => format!("{x:.1} %"),
        x => format!("{x:.2} %"),
    }
}
