//! A surface as triangles, and what is known of it: pairs of many bodies of one form share it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use carom_geometry::clearance::{Borders, ClearanceTree};
use carom_geometry::intersection::{ManifoldFault, MeshSurface};
use carom_geometry::mesh::{Sharpness, SurfaceDiagnosis, SurfaceForm};
use carom_geometry::polygonal::accuracy::TargetForm;
use carom_geometry::polygonal::{BaseSurface, EdgeZones, MarkedEdges, SurfaceFault, TargetSurface};
use carom_geometry::shape::ShapeFault;
use carom_geometry::{Shape, TriangleMesh};

use super::areal_elements::{ElementPlan, PlannedFor};
use super::fineness::Facets;
use crate::model::{BodyShape, Method, Model};

/// Plans that a surface remembers: more than one pair asks for.
const PLANS: usize = 8;

/// A surface as triangles, what is wrong with them, and what pairs ask of it, made when one does.
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
    /// The last plans of elements with it as a base, and the last base that was made, until all pairs are made.
    plans: Mutex<Vec<(PlannedFor, Arc<ElementPlan>)>>,
    base: Mutex<Option<MadeBase>>,
}

/// A base, of which plan, and with penetration lines of which length (m).
struct MadeBase {
    plan: Arc<ElementPlan>,
    reach: f64,
    base: Arc<BaseSurface>,
}

/// Kind of edges of a surface that something is beside.
#[derive(Clone, Copy)]
pub(super) enum EdgeKind {
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
    /// Of all shapes of a model, in order.
    pub(super) fn of_model(model: &Model) -> Vec<Arc<Self>> {
        let has_triangles = |method| matches!(method, Method::Pcm | Method::Region);
        let shares = model.contact_lines.iter().any(|line| has_triangles(line.method));
        let mut distinct: Vec<Arc<Self>> = Vec::new();
        let shapes = model.bodies.iter().flat_map(|body| &body.shapes);
        shapes
            .map(|shape| {
                let known = distinct.iter().find(|known| shares && known.shape.has_triangles_of(shape));
                known.cloned().unwrap_or_else(|| {
                    let made = Arc::new(Self::of_shape(shape));
                    distinct.push(Arc::clone(&made));
                    made
                })
            })
            .collect()
    }

    fn of_shape(shape: &BodyShape) -> Self {
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
            plans: Mutex::default(),
            base: Mutex::new(None),
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
    pub(super) fn facets(&self, mesh: &TriangleMesh, depth: f64) -> Facets {
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
    pub(super) fn borders(
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
    pub(super) fn zones(&self, mesh: &TriangleMesh, kind: EdgeKind, depth: f64) -> Arc<EdgeZones> {
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

    /// The plan of its elements as a base, known or made.
    pub(super) fn plan(
        &self,
        planned_for: PlannedFor,
        make: impl FnOnce() -> ElementPlan,
    ) -> Arc<ElementPlan> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, plan)) = plans.iter().find(|(known, _)| *known == planned_for) {
            return Arc::clone(plan);
        }
        let plan = Arc::new(make());
        plans.truncate(PLANS - 1);
        plans.insert(0, (planned_for, Arc::clone(&plan)));
        plan
    }

    /// The base that a plan is of, with penetration lines of the length `reach` (m).
    pub(super) fn base(
        &self,
        mesh: &TriangleMesh,
        plan: &Arc<ElementPlan>,
        reach: f64,
    ) -> Result<Arc<BaseSurface>, SurfaceFault> {
        let mut known = self.base.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some(made) if Arc::ptr_eq(&made.plan, plan) && made.reach == reach => Ok(Arc::clone(&made.base)),
            _ => {
                let base = Arc::new(plan.refinement.base(mesh, reach)?);
                *known = Some(MadeBase { plan: Arc::clone(plan), reach, base: Arc::clone(&base) });
                Ok(base)
            }
        }
    }

    /// All pairs are made: what only makes more of them goes.
    pub(super) fn forget_plans(&self) {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner).clear();
        *self.base.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) fn target(&self, mesh: &TriangleMesh) -> Result<Arc<TargetSurface>, SurfaceFault> {
        self.target.get_or_init(|| TargetSurface::new(mesh).map(Arc::new)).clone()
    }
}
