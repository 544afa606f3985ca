use carom_math::Pose;

use super::brute_force::hit_of;
use super::ray::meet;
use super::{BaseSurface, ElementHit, TargetSurface};
use crate::intersection::{ClosedSurface, ContourCosts, ContourWorkspace, Contours, IntersectionFault, Side};
use crate::near::{Placement, visit_count};

/// What classic searches have cost, and what the last of them found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntersectionCounters {
    /// Searches.
    pub searches: u64,
    /// Tests of a box against a box.
    pub box_tests: u64,
    /// Tests of an edge against a triangle by distances.
    pub edge_tests: u64,
    /// Tests of an edge against a triangle by exact signs.
    pub exact_tests: u64,
    /// Tests of a penetration line against a triangle.
    pub ray_tests: u64,
    /// Closed contours of the last search.
    pub contours: u64,
    /// Active triangles of the base in the last search.
    pub active_base: u64,
    /// Active triangles of the target in the last search.
    pub active_target: u64,
}

/// The classic construction of contact elements (Hippmann 2004, section 3): contours, active areas bounded by them,
/// penetration lines of the active triangles of the base against the active ones of the target.
///
/// Its elements are the active ones of [`super::PenetrationSearch`], in every bit, if what lies within reach of
/// the elements is inside the base: if the base is thicker than the reach.
#[derive(Clone, Debug)]
pub struct IntersectionSearch {
    workspace: ContourWorkspace,
    counters: IntersectionCounters,
}

impl IntersectionSearch {
    /// Workspace for these two surfaces; it must not be used with others.
    pub fn new(base: &ClosedSurface, target: &ClosedSurface) -> Self {
        Self { workspace: ContourWorkspace::new(base, target), counters: IntersectionCounters::default() }
    }

    /// Replaces `hits` by the active ones at `x_tb`, the pose of the base's frame in the target's, in the order of elements.
    /// The surfaces come in both forms, made of the same meshes.
    pub fn search(
        &mut self,
        (base, elements): (&ClosedSurface, &BaseSurface),
        (target, triangles): (&ClosedSurface, &TargetSurface),
        x_tb: &Pose,
        hits: &mut Vec<ElementHit>,
    ) -> Result<(), IntersectionFault> {
        let placement = Placement::checked(x_tb).map_err(IntersectionFault::Pose)?;
        hits.clear();
        self.workspace.find(base, target, x_tb, &placement)?;
        self.count();
        for &element in self.workspace.triangles(Side::A) {
            let line = elements.element(element);
            let (o, d) = (line.barycentre.into(), (-line.normal).into());
            let mut first: Option<ElementHit> = None;
            for &triangle in self.workspace.triangles(Side::B) {
                let plane = &triangles.triangles[triangle as usize].plane;
                let meeting = meet(&placement, o, d, plane, elements.reach());
                if meeting.is_hit && first.is_none_or(|hit| meeting.depth < hit.depth) {
                    first = Some(hit_of(element, triangle, &meeting));
                }
            }
            hits.extend(first.filter(ElementHit::is_active));
        }
        Ok(())
    }

    /// Contours of the last search.
    pub fn contours(&self) -> &Contours {
        self.workspace.contours()
    }

    /// What all searches so far have cost.
    pub fn counters(&self) -> IntersectionCounters {
        self.counters
    }

    /// Visits the counters.
    pub fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        let IntersectionCounters {
            searches,
            box_tests,
            edge_tests,
            exact_tests,
            ray_tests,
            contours,
            active_base,
            active_target,
        } = &mut self.counters;
        let of_all = [searches, box_tests, edge_tests, exact_tests, ray_tests];
        for count in of_all.into_iter().chain([contours, active_base, active_target]) {
            visit_count(count, visit);
        }
    }

    fn count(&mut self) {
        let ContourCosts { box_tests, edge_tests, exact_tests } = self.workspace.take_costs();
        let [base, target] = [Side::A, Side::B].map(|side| self.workspace.triangles(side).len() as u64);
        self.counters.searches += 1;
        self.counters.box_tests += box_tests;
        self.counters.edge_tests += edge_tests;
        self.counters.exact_tests += exact_tests;
        self.counters.ray_tests += base * target;
        self.counters.contours = self.workspace.contours().loops().count() as u64;
        self.counters.active_base = base;
        self.counters.active_target = target;
    }
}
