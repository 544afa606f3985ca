//! What a contact carries inside an attempted step. Only the bodies of its pair are moved there, on the dense output.

use std::ops::Range;

use super::branch::Branch;
use super::convex::{ManifoldMotion, of_model};
use super::evaluate::MANIFOLD_POINTS;
use super::placed::Placed;
use super::point_force::{force_at, share_by_depth};
use super::{ArealRows, ContactForce, Evaluator, PointMotion, StepView, regions};
use crate::mechanics::kinematics::BodyKinematics;
use crate::system::{PairSource, System};

/// What presses a contact, and how deep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Load {
    /// Normal force (N).
    pub(crate) force: f64,
    /// Penetration (m).
    pub(crate) depth: f64,
    /// Its rate (m/s); of areal contact a mean, which is no rate of the depth.
    pub(crate) rate: f64,
    /// Largest pressure (Pa).
    pub(crate) pressure: f64,
    /// Which branches of these it is on.
    pub(crate) branch: Branch,
}

impl Load {
    /// That of the last evaluation.
    pub(crate) fn of(force: &ContactForce) -> Self {
        Self {
            force: force.normal,
            depth: -force.point.gap,
            rate: force.point.approach,
            pressure: force.pressure,
            branch: force.branch,
        }
    }

    /// Has an areal contact any element in contact?
    pub(crate) fn is_felt(&self) -> bool {
        self.depth > 0.0 || self.force > 0.0
    }
}

/// Buffers of looks.
#[derive(Default)]
pub(crate) struct LoadBuffers {
    motions: Vec<PointMotion>,
    points: Vec<ManifoldMotion>,
}

impl LoadBuffers {
    /// Makes room for pairs of so many contacts at most.
    pub(crate) fn reserve(&mut self, contacts: usize) {
        self.motions.reserve(contacts.saturating_sub(self.motions.len()));
        self.points.reserve(MANIFOLD_POINTS.saturating_sub(self.points.len()));
    }
}

/// Appends the loads of the active contacts of one pair, which have these slots, `after` seconds into the step. Of an
/// areal pair its elements are left behind at that time.
pub(crate) fn loads_inside(
    evaluator: &mut Evaluator<'_>,
    view: &StepView<'_>,
    slots: Range<usize>,
    after: f64,
    buffers: &mut LoadBuffers,
    out: &mut Vec<Load>,
) {
    let system = &*evaluator.system;
    let first = evaluator.contacts.active[slots.start];
    let index = evaluator.table.contacts[first].pair;
    let bodies = evaluator.table.pairs[index].bodies;
    if let PairSource::Areal(areal) = &evaluator.table.pairs[index].source {
        let bodies = bodies_inside(evaluator, view, bodies, after);
        let poses = surface_poses(system, areal.meshes.surfaces, [&bodies[0], &bodies[1]]);
        let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
        let workspace = evaluator.areal[index].as_mut().expect("an areal pair has a workspace");
        let friction = &evaluator.table.pairs[index].friction;
        let book = &evaluator.contacts.books[index];
        out.push(Load::of(&workspace.evaluate(areal, friction, &placed, Some(book))));
        return;
    }
    if evaluator.regions.get(index).is_some_and(Option::is_some) {
        let bodies = bodies_inside(evaluator, view, bodies, after);
        let surfaces = evaluator.table.pairs[index].source.meshes().expect("regions have surfaces").surfaces;
        let poses = surface_poses(&evaluator.system, surfaces, [&bodies[0], &bodies[1]]);
        let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
        out.extend(regions::force_at(evaluator, first, &placed).as_ref().map(Load::of));
        return;
    }
    let pair = &evaluator.table.pairs[index];
    let force = |contact: usize, motion: &PointMotion, share: f64| {
        force_at(&evaluator.table.contacts[contact], pair, &evaluator.contacts.memory[contact], motion, share)
    };
    if let Some(convex) = evaluator.table.searched(first) {
        let bodies = bodies_inside(evaluator, view, bodies, after);
        let owners = if convex.swapped { [1, 0] } else { [0, 1] };
        let poses = surface_poses(system, convex.surfaces, owners.map(|k| &bodies[k]));
        let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
        let cache = &evaluator.contacts.caches[index];
        // A look that fails is no failure of the step: its load is no number, and is not counted.
        let has_failed = evaluator.search.fault().is_some();
        let (point, _) = evaluator.search.find(system, convex, first, &placed, cache);
        buffers.points.clear();
        evaluator.search.collect_points(system, convex, &placed, &point, &mut buffers.points);
        let mut sum = ContactForce::at(of_model(convex, &point, &placed));
        if buffers.points.is_empty() {
            sum.take(&force(first, &sum.point, 1.0));
        } else {
            sum.sum(&buffers.points, |motion, share| force(first, motion, share));
        }
        if !has_failed {
            evaluator.search.forget_fault();
        }
        out.push(Load::of(&sum));
        return;
    }
    buffers.motions.clear();
    for slot in slots.clone() {
        buffers.motions.push(view.at(evaluator, evaluator.contacts.active[slot], after));
    }
    let contacts = || evaluator.contacts.active[slots.clone()].iter().copied().zip(&buffers.motions);
    let weight = pair.source.manifold_weight();
    let weight = |contact: usize| weight.map(|of| of(evaluator.table.contacts[contact].feature));
    let all: f64 = contacts().filter_map(|(c, _)| weight(c)).sum();
    let depth: f64 = contacts().filter_map(|(c, m)| Some(weight(c)? * m.gap.abs())).sum();
    out.extend(contacts().map(|(contact, motion)| {
        let share = weight(contact).map_or(1.0, |w| share_by_depth(w, motion.gap, depth, all));
        Load {
            force: force(contact, motion, share).normal,
            depth: -motion.gap,
            rate: motion.approach,
            pressure: 0.0,
            branch: Branch::default(),
        }
    }));
}

/// Two bodies `after` seconds into the step.
pub(crate) fn bodies_inside(
    evaluator: &Evaluator<'_>,
    view: &StepView<'_>,
    bodies: [usize; 2],
    after: f64,
) -> [BodyKinematics; 2] {
    let theta = if view.h > 0.0 { after / view.h } else { 1.0 };
    bodies.map(|body| view.body_at(evaluator, body, theta))
}

/// Patches and elements of an areal contact with its two bodies elsewhere.
pub(crate) fn sample_areal_at(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    bodies: &[BodyKinematics; 2],
    rows: &mut ArealRows,
) {
    rows.clear();
    let index = evaluator.table.contacts[contact].pair;
    let pair = &evaluator.table.pairs[index];
    if let PairSource::Areal(areal) = &pair.source
        && let Some(workspace) = &mut evaluator.areal[index]
    {
        let poses = surface_poses(&evaluator.system, areal.meshes.surfaces, [&bodies[0], &bodies[1]]);
        let placed = Placed { poses: [&poses[0], &poses[1]], bodies: [&bodies[0], &bodies[1]] };
        let book = Some(&evaluator.contacts.books[index]);
        workspace.evaluate(areal, &pair.friction, &placed, book);
        // What bristles hold belongs to the states of steps: here nothing does.
        workspace.sample(areal, &pair.friction, &placed, book, contact, rows);
    }
    return_areal(evaluator, index);
}

/// Force of an areal contact with its surfaces anywhere, as if none of its patches had begun; its elements are left behind there.
pub(crate) fn areal_force_at(
    evaluator: &mut Evaluator<'_>,
    pair: usize,
    placed: &Placed<'_>,
) -> Option<ContactForce> {
    let data = &evaluator.table.pairs[pair];
    let PairSource::Areal(areal) = &data.source else { return None };
    Some(evaluator.areal[pair].as_mut()?.evaluate(areal, &data.friction, placed, None))
}

/// Brings the elements of an areal pair back to where the evaluator is: Jacobians are made from them.
pub(crate) fn return_areal(evaluator: &mut Evaluator<'_>, pair: usize) -> Option<ContactForce> {
    let data = &evaluator.table.pairs[pair];
    let PairSource::Areal(areal) = &data.source else { return None };
    let placed =
        Placed::of(areal.meshes.surfaces, data.bodies, (&evaluator.surfaces, &evaluator.workspace.bodies));
    // Which elements touch does not ask how they began to.
    Some(evaluator.areal[pair].as_mut()?.evaluate(areal, &data.friction, &placed, None))
}

/// Poses of two surfaces on the bodies that carry them.
fn surface_poses(
    system: &System,
    surfaces: [usize; 2],
    bodies: [&BodyKinematics; 2],
) -> [carom_math::Pose; 2] {
    [0, 1].map(|k| bodies[k].pose.compose(&system.surfaces[surfaces[k]].pose))
}
