//! Makes areal pairs: which surface is the base, the law with its numbers, what detection needs.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use carom_geometry::clearance::{Borders, ClearanceTree};
use carom_geometry::intersection::{ClosedSurface, ManifoldFault, MeshSurface};
use carom_geometry::mesh::{Sharpness, SurfaceDiagnosis, SurfaceForm};
use carom_geometry::polygonal::accuracy::{Refinement, TargetForm};
use carom_geometry::polygonal::{EdgeZones, MarkedEdges, SurfaceFault, TargetSurface};
use carom_geometry::shape::ShapeFault;
use carom_geometry::{Shape, TriangleMesh};

use super::areal_elements;
use super::areal_elements::{Ask, BasePlan, DEPTH_SHARE, count_elements, describe};
use super::areal_notes::{Elements, note_on_cost, notes_on_meshes};
use super::fineness::Facets;
use super::pairing::{MadePair, PairRequest};
use super::pairs::{PassEdges, Thin, WALL_REACH, depth_and_reach};
use super::{ArealPair, ArealPass, MeshPair, PairData, PairSource, PatchGrid, System};
use crate::Problem;
use crate::law::{ArealPairLaw, Damping, Exponent, NormalLaw, RollingResistance};
use crate::model::{ArealDetection, BodyShape};
use crate::record::AREAL_KERNEL;

/// Share of the smaller surface's radius that a larger u_max is proposed up to.
const WIDEST: f64 = 0.1;

/// A surface as triangles, what is wrong with them, and the surface as a target, made when a pair asks for it: many pairs
/// share one terrain.
pub(crate) struct ArealSurface {
    shape: BodyShape,
    mesh: OnceLock<Option<Result<Arc<TriangleMesh>, ShapeFault>>>,
    sag: OnceLock<f64>,
    diagnosis: OnceLock<Option<SurfaceDiagnosis>>,
    form: OnceLock<Option<Arc<SurfaceForm>>>,
    sharpness: OnceLock<Arc<[Sharpness]>>,
    sharp_edges: KnownEdges,
    bends: KnownEdges,
    target_form: OnceLock<TargetForm>,
    target: OnceLock<Result<Arc<TargetSurface>, SurfaceFault>>,
    tree: OnceLock<Result<Arc<ClearanceTree>, SurfaceFault>>,
    for_regions: OnceLock<Result<Arc<MeshSurface>, ManifoldFault>>,
    /// How thin a wall was looked for, and the thinnest that was found (m).
    wall: Mutex<Option<(f64, Option<f64>)>>,
    /// The same for the sheets that its triangles are sides of.
    sheets: Mutex<Option<(f64, Arc<[f64]>)>>,
    /// Where what is behind it ends, with the length of lines that it was last asked for (m).
    borders: Mutex<Option<(f64, Option<Arc<Borders>>)>>,
}

/// Kind of edges of a surface that something is beside.
#[derive(Clone, Copy)]
enum EdgeKind {
    /// Those that may meet a face at a slant.
    Sharp,
    /// All at which flat faces end.
    Bends,
}

/// All edges of a kind that a surface has.
#[derive(Default)]
struct KnownEdges {
    marked: OnceLock<MarkedEdges>,
    /// What is beside them, with the depth that it was last asked for (m).
    zones: Mutex<Option<(f64, Arc<EdgeZones>)>>,
}

impl ArealSurface {
    pub(super) fn of_shape(shape: &BodyShape) -> Self {
        Self {
            shape: shape.clone(),
            mesh: OnceLock::new(),
            sag: OnceLock::new(),
            diagnosis: OnceLock::new(),
            form: OnceLock::new(),
            sharpness: OnceLock::new(),
            sharp_edges: KnownEdges::default(),
            bends: KnownEdges::default(),
            target_form: OnceLock::new(),
            target: OnceLock::new(),
            tree: OnceLock::new(),
            for_regions: OnceLock::new(),
            wall: Mutex::new(None),
            sheets: Mutex::new(None),
            borders: Mutex::new(None),
        }
    }

    /// Its triangles; `None` if it has none.
    pub(super) fn mesh(&self) -> Option<Result<Arc<TriangleMesh>, ShapeFault>> {
        let mesh = self.mesh.get_or_init(|| match &self.shape.shape {
            Shape::Mesh(mesh) => Some(Ok(mesh.clone())),
            _ => self.shape.triangles().map(|mesh| mesh.map(Arc::new)),
        });
        mesh.clone()
    }

    /// Do its triangles stand for a round surface that is known?
    pub(super) fn is_round(&self) -> bool {
        self.shape.round().is_some()
    }

    /// What its triangles make of the force at a depth (m).
    fn facets(&self, mesh: &TriangleMesh, depth: f64) -> Facets {
        let sag = *self.sag.get_or_init(|| self.shape.round().map_or(0.0, |round| round.sag(mesh)));
        Facets { sag: sag / depth, count: mesh.triangles.len(), are_balanced: self.shape.balanced }
    }

    /// What is unsuitable about its triangles; `None` if they are no mesh.
    pub(super) fn diagnosis(&self, mesh: &TriangleMesh) -> Option<SurfaceDiagnosis> {
        *self.diagnosis.get_or_init(|| mesh.diagnose().ok())
    }

    pub(super) fn tree(&self, mesh: &TriangleMesh) -> Result<Arc<ClearanceTree>, SurfaceFault> {
        self.tree.get_or_init(|| ClearanceTree::new(mesh).map(Arc::new)).clone()
    }

    /// Thickness of its thinnest wall below `reach` (m), looked for where no pair before has looked as far.
    pub(super) fn wall(&self, tree: &ClearanceTree, reach: f64) -> Option<f64> {
        let mut known = self.wall.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none_or(|(searched, _)| searched < reach) {
            *known = Some((reach, tree.thinnest_sheet(reach).map(|wall| wall.thickness)));
        }
        known.and_then(|(_, thinnest)| thinnest).filter(|thinnest| *thinnest < reach)
    }

    /// Thickness of the sheet that each of its triangles is a side of (m), right below `reach`; `None` if there are none.
    pub(super) fn sheets(&self, tree: &ClearanceTree, reach: f64) -> Option<Arc<[f64]>> {
        // Few surfaces have any, and whether they do is known for a tenth of what it costs to find them all.
        self.wall(tree, reach)?;
        let mut known = self.sheets.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref().is_none_or(|(searched, _)| *searched < reach) {
            *known = Some((reach, tree.sheets(reach).into()));
        }
        known.as_ref().map(|(_, sheets)| Arc::clone(sheets))
    }

    /// Where what is behind it ends, for lines no longer than `reach` (m); `None` if it has no border.
    fn borders(
        &self,
        mesh: &TriangleMesh,
        tree: &ClearanceTree,
        reach: f64,
    ) -> Result<Option<Arc<Borders>>, SurfaceFault> {
        if tree.is_closed() {
            return Ok(None);
        }
        let mut known = self.borders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, borders)) = known.as_ref().filter(|(asked, _)| *asked == reach) {
            return Ok(borders.clone());
        }
        let borders = Borders::of(mesh, tree, reach)?.map(Arc::new);
        *known = Some((reach, borders.clone()));
        Ok(borders)
    }

    /// Its curved parts and flat faces; `None` if its triangles are no mesh.
    pub(super) fn form(&self, mesh: &TriangleMesh) -> Option<Arc<SurfaceForm>> {
        let form = || mesh.validate().is_ok().then(|| Arc::new(SurfaceForm::of(mesh)));
        self.form.get_or_init(form).clone()
    }

    /// How its edges and corners stick out, by triangle; of a mesh that is valid.
    pub(super) fn sharpness(&self, mesh: &TriangleMesh) -> Arc<[Sharpness]> {
        self.sharpness.get_or_init(|| Sharpness::of(mesh).into()).clone()
    }

    /// What of it is beside such edges, where what is so deep must be felt (m). Of many edges it is as much work as all else about a
    /// surface: it is made where it counts.
    fn zones(&self, mesh: &TriangleMesh, kind: EdgeKind, depth: f64) -> Arc<EdgeZones> {
        let KnownEdges { marked, zones } = match kind {
            EdgeKind::Sharp => &self.sharp_edges,
            EdgeKind::Bends => &self.bends,
        };
        let mark = || match kind {
            EdgeKind::Sharp => MarkedEdges::sharp(mesh, &self.sharpness(mesh)),
            EdgeKind::Bends => MarkedEdges::bends(mesh, &self.sharpness(mesh)),
        };
        let marked = marked.get_or_init(mark);
        let mut known = zones.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some((asked, zones)) if *asked == depth => zones.clone(),
            _ => {
                let zones = Arc::new(marked.zones(mesh, depth));
                *known = Some((depth, zones.clone()));
                zones
            }
        }
    }

    /// What of its form counts where it is the target.
    pub(super) fn target_form(&self, form: &SurfaceForm) -> TargetForm {
        *self.target_form.get_or_init(|| TargetForm::of(form))
    }

    /// For the search of contact regions.
    pub(super) fn for_regions(&self, mesh: &TriangleMesh) -> Result<Arc<MeshSurface>, ManifoldFault> {
        self.for_regions.get_or_init(|| MeshSurface::new(mesh).map(Arc::new)).clone()
    }

    fn target(&self, mesh: &TriangleMesh) -> Result<Arc<TargetSurface>, SurfaceFault> {
        self.target.get_or_init(|| TargetSurface::new(mesh).map(Arc::new)).clone()
    }
}

impl System {
    /// A surface as triangles, by its number in the order of the bodies and their shapes; none if it has no triangles.
    pub(crate) fn triangle_tree(&self, surface: usize) -> Option<Arc<ClearanceTree>> {
        let surface = &self.areal_surfaces[surface];
        surface.tree(&*surface.mesh()?.ok()?).ok()
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
        let mut resolved: Option<ArealPairLaw> = None;
        let mut notes = Vec::new();
        let mut elements = Vec::new();
        let mut depths = Vec::new();
        let mut made_of = 0;
        let named = |side: usize| {
            let diagnosis = self.areal_surfaces[surfaces[side]].diagnosis(meshes[side]);
            (diagnosis, self.partners.surface_name(surfaces[side]))
        };
        let is_shared = line.accuracy.is_some() && bases.len() > 1;
        for BasePlan { side: base, law, refinement, meets_edges, .. } in bases {
            let target = 1 - base;
            let [_, reach] = depth_and_reach(law.u_max, law.may_exceed);
            passes.push(ArealPass {
                base_is_a: base == 0,
                mesh: shared[base].clone(),
                base: refinement.base(meshes[base], reach).map_err(|f| refuse(base, &f))?,
                target: self.areal_surfaces[surfaces[target]]
                    .target(meshes[target])
                    .map_err(|f| refuse(target, &f))?,
                law: law.law,
                closed: self.closed_surfaces(request, (base, &refinement), meshes, &path, name)?,
                edges: None,
                error: refinement.error,
                walls: None,
                borders: None,
            });
            notes.extend(law.notes.iter().cloned());
            let made = Elements {
                error: refinement.error,
                accuracy: line.accuracy,
                is_shared: is_shared || meets_edges,
            };
            notes.extend(notes_on_meshes(name, named(base), named(target), made));
            let facets = [0, 1].map(|side| {
                self.areal_surfaces[surfaces[side]].facets(meshes[side], DEPTH_SHARE * law.u_max)
            });
            if let Some(accuracy) = line.accuracy {
                let named = |side: usize| self.partners.surface_name(surfaces[side]);
                notes.extend((0..2).filter_map(|side| facets[side].note(name, named(side), accuracy)));
            }
            elements.push(describe(&refinement, facets[0].error() + facets[1].error()));
            made_of += refinement.elements;
            depths.push((meshes[base], refinement.depths));
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
