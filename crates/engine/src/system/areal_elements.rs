//! Which surface of an areal pair is the base, and how fine its elements are.

use carom_geometry::TriangleMesh;
use carom_geometry::mesh::Sharpness;
use carom_geometry::polygonal::GRAIN;
use carom_geometry::polygonal::accuracy::{Patches, Refinement};

use super::System;
use super::pairing::PairRequest;
use super::pairs::unfelt_share;
use crate::Problem;
use crate::law::ArealPairLaw;
use crate::model::BaseSide;

/// Depth over u_max that elements are made for.
pub(super) const DEPTH_SHARE: f64 = 0.1;

/// A surface as the base.
pub(super) struct BasePlan {
    /// 0 for A.
    pub(super) side: usize,
    pub(super) law: ArealPairLaw,
    pub(super) refinement: Refinement,
    /// Estimated error with the triangles as they are.
    coarse_error: f64,
    /// Does it feel all edges and corners of the target?
    feels_all: bool,
}

/// What elements are made for.
#[derive(Clone, Copy)]
pub(super) struct Ask {
    /// Relative error of the force; `None` for triangles as they are.
    pub(super) accuracy: Option<f64>,
    /// In place of that of the law (m).
    pub(super) u_max: Option<f64>,
}

/// Number of elements of a pair's bases for what is asked for; `None` of what has no bases.
pub(super) fn count_elements(
    system: &System,
    request: &PairRequest,
    meshes: [&TriangleMesh; 2],
    ask: Ask,
) -> Option<usize> {
    let (bases, _) = plan_bases(system, request, meshes, ask, ("", "")).ok()?;
    Some(bases.iter().map(|plan| plan.refinement.elements).sum())
}

/// The bases of a pair, and words for the choice. Where none is stated it is the surface whose triangles are finer beside
/// the patches that the other one makes on them: its largest ones count, as a load may come on them. Where its elements do not feel the
/// other one's edges and corners it is that one, and where neither feels the other's it is both, each of which feels its own.
pub(super) fn plan_bases(
    system: &System,
    request: &PairRequest,
    meshes: [&TriangleMesh; 2],
    ask: Ask,
    (path, name): (&str, &str),
) -> Result<(Vec<BasePlan>, String), Vec<Problem>> {
    let plan = |side: usize| plan_base(system, request, side, meshes, ask, (path, name));
    Ok(match system.partners.lines[request.line].base {
        BaseSide::A => (vec![plan(0)?], "A".to_owned()),
        BaseSide::B => (vec![plan(1)?], "B".to_owned()),
        BaseSide::Both => (vec![plan(0)?, plan(1)?], "A and B in turn".to_owned()),
        BaseSide::Finer => {
            let (a, b) = (plan(0)?, plan(1)?);
            let [of_a, of_b] = [&a, &b].map(|plan| percent(plan.coarse_error));
            let is_first = a.coarse_error <= b.coarse_error;
            match (a.feels_all, b.feels_all) {
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

fn plan_base(
    system: &System,
    request: &PairRequest,
    side: usize,
    meshes: [&TriangleMesh; 2],
    ask: Ask,
    (path, name): (&str, &str),
) -> Result<BasePlan, Vec<Problem>> {
    let mut law = system.resolve_areal_law(request, side, path, name)?;
    law.u_max = ask.u_max.unwrap_or(law.u_max);
    let surfaces = [request.a, request.b].map(|surface| &system.areal_surfaces[surface]);
    let forms = [0, 1].map(|k| surfaces[k].form(meshes[k]));
    let [Some(a), Some(b)] = forms else {
        // What is wrong is told where the surfaces are made.
        let triangles = meshes[side].triangles.len();
        let refinement = Refinement {
            depths: vec![0; triangles],
            cells: Vec::new(),
            elements: triangles,
            longest: f64::INFINITY,
            error: f64::INFINITY,
        };
        return Ok(BasePlan { side, law, refinement, coarse_error: f64::INFINITY, feels_all: true });
    };
    let (base, target) = if side == 0 { (a, b) } else { (b, a) };
    let target = surfaces[1 - side].target_form(&target);
    let depth = DEPTH_SHARE * law.u_max;
    let patches = Patches::new(target, depth);
    let coarse = Refinement::none(&base, &patches);
    let coarse_error = coarse.error;
    let Some(accuracy) = ask.accuracy else {
        return Ok(BasePlan { side, law, refinement: coarse, coarse_error, feels_all: true });
    };
    let [own, of_target] = [side, 1 - side].map(|k| surfaces[k].sharpness(meshes[k]));
    let refinement = Refinement::to(&base, &patches, accuracy);
    let steepest = of_target.iter().map(Sharpness::steepest).fold(0.0, f64::max);
    let felt = unfelt_share(Some(accuracy)) * law.u_max;
    let feels_all = refinement.longest * steepest <= GRAIN * felt;
    let refinement = refinement.graded(meshes[side], &own, felt);
    Ok(BasePlan { side, law, refinement, coarse_error, feels_all })
}

/// Elements of a base and what they are good for, in words.
pub(super) fn describe(refinement: &Refinement) -> String {
    let Refinement { depths, elements, error, .. } = refinement;
    let of = if *elements > depths.len() { format!(" of {} triangles", depths.len()) } else { String::new() };
    format!("{elements} elements{of}, error of the force about {} at u_max/10", percent(*error))
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
