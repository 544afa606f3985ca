//! Makes areal pairs: which surface is the base, the law with its numbers, what detection needs.

use std::sync::Arc;

use carom_geometry::TriangleMesh;
use carom_geometry::clearance::ClearanceTree;
use carom_geometry::intersection::ClosedSurface;
use carom_geometry::mesh::Findings;
use carom_geometry::polygonal::SurfaceFault;
use carom_geometry::polygonal::accuracy::Refinement;
use carom_geometry::shape::ShapeFault;

use super::areal_elements;
use super::areal_elements::{Ask, BasePlan, DEPTH_SHARE, count_elements, depth_in_words, describe};
use super::areal_notes::{Elements, note_on_cost, notes_on_meshes};
use super::areal_surface::EdgeKind;
use super::pairing::{MadePair, PairRequest};
use super::pairs::{PassEdges, Thin, WALL_REACH, depth_and_reach};
use super::{ArealPair, ArealPass, MeshPair, PairData, PairSource, PatchGrid, System};
use crate::Problem;
use crate::law::{ArealPairLaw, Damping, Exponent, NormalLaw, RollingResistance};
use crate::model::ArealDetection;
use crate::record::AREAL_KERNEL;

/// Share of the smaller surface's radius that a larger u_max is proposed up to.
const WIDEST: f64 = 0.1;

impl System {
    /// A surface as triangles, by its number in the order of the bodies and their shapes; none if it has no triangles.
    pub(crate) fn triangle_tree(&self, surface: usize) -> Option<Arc<ClearanceTree>> {
        let surface = &self.areal_surfaces[surface];
        surface.tree(&*surface.mesh()?.ok()?).ok()
    }

    /// Triangles of a surface that are turned against their neighbours, with its name in messages; none if it has no triangles.
    pub(crate) fn turned_triangles(&self, surface: usize) -> Option<(&str, Findings<usize>)> {
        let own = &self.areal_surfaces[surface];
        let turned = own.diagnosis(&*own.mesh()?.ok()?)?.flipped;
        Some((self.partners.surface_name(surface), turned))
    }

    pub(super) fn triangles_of(
        &self,
        surface: usize,
        path: &str,
        name: &str,
    ) -> Result<Arc<TriangleMesh>, Vec<Problem>> {
        let word = self.surfaces[surface].shape.name();
        let own = self.partners.surface_name(surface);
        match self.areal_surfaces[surface].mesh() {
            Some(Ok(mesh)) => Ok(mesh),
            Some(Err(fault)) => {
                let ShapeFault { field, value, expected } = fault;
                let message = format!("pair \"{name}\": {field} = {value} of \"{own}\" is not {expected}");
                let help = format!("give \"{own}\" another size, or another number of facets");
                Err(vec![Problem::new("E0418", path, message).expected(expected).help(help)])
            }
            None => {
                let message =
                    format!("pair \"{name}\": {word} \"{own}\" has no triangles, which its method needs");
                let help = "use a plate or a box in place of a half-space, a closed cylinder in place of an open one";
                Err(vec![Problem::new("E0421", path, message).help(help)])
            }
        }
    }

    /// Base and target as closed surfaces, if the line asks for the classic construction.
    fn closed_surfaces(
        &self,
        request: &PairRequest,
        (base, refinement): (usize, &Refinement),
        meshes: [&TriangleMesh; 2],
        path: &str,
        name: &str,
    ) -> Result<Option<[ClosedSurface; 2]>, Vec<Problem>> {
        if self.partners.lines[request.line].areal_detection == ArealDetection::Penetration {
            return Ok(None);
        }
        let closed = |side: usize| {
            ClosedSurface::new(meshes[side]).map_err(|fault| {
                let own = self.partners.surface_name([request.a, request.b][side]);
                let message = format!("pair \"{name}\": detect = \"intersection\" needs closed surfaces, and \"{own}\" is none: {fault}");
                vec![Problem::new("E0419", format!("{path}.detect"), message)
                    .help("use detect = \"penetration\", which takes any triangles")]
            })
        };
        let both = [closed(base)?, closed(1 - base)?];
        if refinement.elements > meshes[base].triangles.len() {
            let own = self.partners.surface_name([request.a, request.b][base]);
            let message = format!(
                "pair \"{name}\": the base \"{own}\" is to be cut into {} elements for its accuracy, and detect = \"intersection\" takes triangles only as they are",
                refinement.elements
            );
            return Err(vec![Problem::new("E0419", format!("{path}.detect"), message).help(
                "set accuracy = \"off\" and give the base finer triangles (facets, subdivide), or use detect = \"penetration\"",
            )]);
        }
        Ok(Some(both))
    }

    /// The areal pair of two surfaces, or why they cannot be one.
    pub(super) fn make_areal_pair(
        &self,
        request: &PairRequest,
        name: &str,
    ) -> Result<MadePair, Vec<Problem>> {
        let line = &self.partners.lines[request.line];
        let path = format!("contact.{}", line.name);
        let surfaces = [request.a, request.b];
        let triangles_of = |surface| self.triangles_of(surface, &path, name);
        let shared = [triangles_of(surfaces[0])?, triangles_of(surfaces[1])?];
        let meshes = shared.each_ref().map(|mesh| &**mesh);
        let (bases, why) = areal_elements::plan_bases(
            self,
            request,
            meshes,
            Ask { accuracy: line.accuracy, u_max: None, feels_edges: false },
            (&path, name),
        )?;
        let refuse = |side: usize, fault: &SurfaceFault| {
            let surface = &self.partners.surface_name(surfaces[side]);
            let message = format!("pair \"{name}\": \"{surface}\" cannot be in areal contact: {fault}");
            vec![
                Problem::new("E0418", path.clone(), message).help("repair the mesh, or choose another u_max"),
            ]
        };
        let mut passes = Vec::new();
        let mut resolved: Option<&ArealPairLaw> = None;
        let mut notes = Vec::new();
        let mut elements = Vec::new();
        let mut depths = Vec::new();
        let mut made_of = 0;
        let named = |side: usize| {
            let diagnosis = self.areal_surfaces[surfaces[side]].diagnosis(meshes[side]);
            (diagnosis, self.partners.surface_name(surfaces[side]))
        };
        let is_shared = line.accuracy.is_some() && bases.len() > 1;
        for BasePlan { side: base, law, plan, meets_edges } in &bases {
            let (base, meets_edges, refinement) = (*base, *meets_edges, &plan.refinement);
            let target = 1 - base;
            let [_, reach] = depth_and_reach(law.u_max, law.may_exceed);
            passes.push(ArealPass {
                base_is_a: base == 0,
                mesh: shared[base].clone(),
                base: self.areal_surfaces[surfaces[base]]
                    .base(meshes[base], plan, reach)
                    .map_err(|f| refuse(base, &f))?,
                target: self.areal_surfaces[surfaces[target]]
                    .target(meshes[target])
                    .map_err(|f| refuse(target, &f))?,
                law: law.law,
                closed: self.closed_surfaces(request, (base, refinement), meshes, &path, name)?,
                edges: None,
                error: refinement.error,
                walls: None,
                borders: None,
            });
            notes.extend(law.notes.iter().cloned());
            let at = depth_in_words(law);
            let made = Elements {
                error: refinement.error,
                at: &at,
                accuracy: line.accuracy,
                is_shared: is_shared || meets_edges,
            };
            notes.extend(notes_on_meshes(name, named(base), named(target), made));
            let facets = [0, 1].map(|side| {
                self.areal_surfaces[surfaces[side]].facets(meshes[side], DEPTH_SHARE * law.usual)
            });
            if let Some(accuracy) = line.accuracy {
                let named = |side: usize| self.partners.surface_name(surfaces[side]);
                notes.extend((0..2).filter_map(|side| facets[side].note(name, named(side), accuracy, &at)));
            }
            elements.push(describe(refinement, facets[0].error() + facets[1].error(), law));
            made_of += refinement.elements;
            depths.push((meshes[base], &refinement.depths[..]));
            resolved = Some(law);
        }
        let law = resolved.expect("a pair has a base");
        notes.dedup();
        if let Some(accuracy) = line.accuracy {
            let size = surfaces.map(|s| self.surfaces[s].shape.bounding_radius());
            let widest = WIDEST * size[0].min(size[1]);
            let count = |accuracy, u_max| {
                let ask = Ask { accuracy: Some(accuracy), u_max: Some(u_max), feels_edges: false };
                count_elements(self, request, meshes, ask)
            };
            notes.extend(note_on_cost(name, made_of, (law.u_max, widest), accuracy, &count));
        }
        let stiffness = law.law.stiffness;
        let tree_of = |side: usize| {
            self.areal_surfaces[surfaces[side]].tree(meshes[side]).map_err(|fault| refuse(side, &fault))
        };
        let trees = [tree_of(0)?, tree_of(1)?];
        for pass in &mut passes {
            let target = usize::from(pass.base_is_a);
            let surface = &self.areal_surfaces[surfaces[target]];
            pass.walls = surface.sheets(&trees[target], WALL_REACH * law.u_max);
            let of_border = surface.borders(meshes[target], &trees[target], pass.base.reach());
            pass.borders = of_border.map_err(|fault| refuse(target, &fault))?;
        }
        if line.accuracy.is_some() {
            let depth = DEPTH_SHARE * law.u_max;
            let zones =
                |side: usize, kind| self.areal_surfaces[surfaces[side]].zones(meshes[side], kind, depth);
            for pass in &mut passes {
                let [base, target] = if pass.base_is_a { [0, 1] } else { [1, 0] };
                let of_base = zones(base, EdgeKind::Sharp);
                let of_target = is_shared.then(|| zones(target, EdgeKind::Sharp));
                let counts = !of_base.is_empty() || of_target.as_ref().is_some_and(|zones| !zones.is_empty());
                pass.edges = counts.then(|| PassEdges {
                    base: of_base,
                    target: of_target,
                    bends: zones(target, EdgeKind::Bends),
                    tree: trees[target].clone(),
                });
            }
        }
        let thin = Thin::of(&passes, meshes, law.u_max);
        let meshes = MeshPair::of_areal((surfaces, trees), (law.u_max, thin), line.accuracy, &passes);
        let pair = ArealPair {
            meshes: Arc::new(meshes),
            passes,
            grid: PatchGrid::new(&depths),
            u_max: law.u_max,
            depth_limit: depth_and_reach(law.u_max, law.may_exceed)[0],
            is_refined: line.accuracy.is_some(),
        };
        let data = PairData {
            source: PairSource::Areal(Arc::new(pair)),
            bodies: surfaces.map(|s| self.surfaces[s].body),
            friction: law.friction,
            mu_visc: 0.0,
            rolling: RollingResistance::None,
            rigid: None,
        };
        let info = self.pair_info(
            request,
            name,
            AREAL_KERNEL,
            format!("{}, base {why}, {}", law.description, elements.join(" and ")),
        );
        // What stands in for a point law where one is asked for: events name its stiffness.
        let normal = NormalLaw {
            stiffness,
            exponent: Exponent::Linear,
            damping: Damping::Factor { chi: 0.0 },
            v_small: if law.law.keeps_approach() { law.law.v_small } else { 0.0 },
        };
        let nominal_mass = self.nominal_mass(data.bodies);
        Ok(MadePair { data, info, laws: vec![normal], nominal_mass, feature_names: Vec::new(), notes })
    }
}
