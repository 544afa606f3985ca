//! Forces of closed rigid contacts while their sets are frozen: one linear system for an evaluation.

use std::ops::{Deref, DerefMut};

use carom_math::{Twist, Wrench};

use super::decide::calc_rounding;
use super::delassus::Delassus;
use super::ending::EndingBuffers;
use super::flush::FlushBuffers;
use super::frozen::{FrozenSystem, solve};
use super::islands::Islands;
use super::project::{ProjectionBuffers, holds_any, take_held};
use super::rows::{RigidPoint, RigidPoints};
use super::settle::SettleBuffers;
use crate::contact::{Evaluator, Transition};

/// Slip, over the model's speed, below which its direction is the last one that is known.
pub(crate) const STILL: f64 = 1e-10;
/// Slip that has begun from rest, over the model's speed, up to which friction is along its acceleration.
pub(super) const INCIPIENT: f64 = 1e-6;

/// Accelerations that rounding makes contradict each other are so many times as large at least: a tenth of what counts (`watch`).
const MOST_ROUNDING: f64 = 1e9;

/// Buffers of the rigid contacts of an evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct RigidWorkspace {
    pub(crate) points: RigidPoints,
    /// Contacts that are held, by problem, and of each its place among the active contacts.
    held: Vec<usize>,
    islands: Islands,
    slots: Vec<usize>,
    pub(crate) delassus: Delassus,
    rates: Vec<f64>,
    pub(super) links: Vec<Twist>,
    pub(super) freedoms: Vec<f64>,
    wrenches: Vec<Wrench>,
    efforts: Vec<f64>,
    /// W v̇ + w̄ without contact forces.
    pub(super) free: Vec<f64>,
    system: FrozenSystem,
    /// By place among the active contacts: acceleration that is left along what is held, of the largest.
    pub(super) contradictions: Vec<f64>,
    /// Changes that are watched for in a step: place among the active contacts, contact, and change.
    pub(crate) watched: Vec<(usize, usize, Transition)>,
    pub(super) projection: ProjectionBuffers,
    pub(super) ending: EndingBuffers,
    pub(super) settling: SettleBuffers,
    pub(super) flush: FlushBuffers,
    /// Energy lost in the impacts of the event that was settled last, by contact (J).
    pub(crate) lost: Vec<(usize, f64)>,
    /// Contacts of the decision that was made last, if they had another answer.
    pub(crate) several: Vec<usize>,
}

/// The buffers, but while they are used: an event that is being settled, or a projection, has them then, and contacts that are held wait
/// without forces.
#[derive(Clone, Debug)]
pub(crate) struct RigidBuffers(Option<Box<RigidWorkspace>>);

impl Default for RigidBuffers {
    fn default() -> Self {
        Self(Some(Box::default()))
    }
}

impl Deref for RigidBuffers {
    type Target = RigidWorkspace;
    fn deref(&self) -> &RigidWorkspace {
        self.0.as_ref().expect("nothing else uses the buffers")
    }
}

impl DerefMut for RigidBuffers {
    fn deref_mut(&mut self) -> &mut RigidWorkspace {
        self.0.as_mut().expect("nothing else uses the buffers")
    }
}

/// Uses the buffers; what is evaluated meanwhile has no forces of contacts that are held.
pub(super) fn with_buffers<'a, R>(
    evaluator: &mut Evaluator<'a>,
    act: impl FnOnce(&mut Evaluator<'a>, &mut RigidWorkspace) -> R,
) -> R {
    let mut work = evaluator.rigid.0.take().expect("nothing else uses the buffers");
    let result = act(evaluator, &mut work);
    evaluator.rigid.0 = Some(work);
    result
}

/// Accelerations without the forces of rigid contacts at the evaluator's place, with forces of all others: `links` and `freedoms`
/// of the workspace. What acts on the bodies is as before afterwards.
pub(super) fn free_accelerations(evaluator: &mut Evaluator<'_>, work: &mut RigidWorkspace) -> bool {
    let mechanics = &evaluator.system.mechanics;
    work.links.resize(mechanics.links.len(), Twist::ZERO);
    work.freedoms.resize(mechanics.freedoms(), 0.0);
    work.rates.resize(evaluator.workspace.state.len(), 0.0);
    work.wrenches.clone_from(&evaluator.workspace.wrenches);
    work.efforts.clone_from(&evaluator.workspace.mechanism.efforts);
    let account = evaluator.workspace.mechanism.account;
    let is_sound =
        evaluator.add_contacts().is_ok() && evaluator.workspace.accelerate(&mut work.rates).is_ok();
    if is_sound {
        evaluator.workspace.accelerations_in(&work.rates, &mut work.links, &mut work.freedoms);
    }
    evaluator.workspace.wrenches.clone_from(&work.wrenches);
    evaluator.workspace.mechanism.efforts.clone_from(&work.efforts);
    evaluator.workspace.mechanism.account = account;
    is_sound
}

/// Writes the forces of all rigid contacts that are held at the evaluator's place. A system without a solution has none that is
/// a number, which fails the evaluation.
pub(crate) fn update_multipliers(evaluator: &mut Evaluator<'_>) {
    if !holds_any(evaluator) {
        return;
    }
    let Some(mut work) = evaluator.rigid.0.take() else { return };
    gather(evaluator, &mut work);
    let is_sound = free_accelerations(evaluator, &mut work) && work.delassus.prepare(evaluator);
    let gravity = evaluator.system.mechanics.gravity.norm();
    let least = gravity.max(MOST_ROUNDING * calc_rounding(evaluator));
    work.contradictions.clear();
    work.contradictions.resize(evaluator.contacts.active.len(), 0.0);
    for island in 0..work.islands.len() {
        let RigidWorkspace {
            points,
            delassus,
            free,
            system,
            contradictions,
            slots,
            islands,
            links,
            freedoms,
            ..
        } = &mut *work;
        let range = islands.range(island);
        let (points, slots) = (&mut points[range.clone()], &slots[range]);
        if is_sound {
            delassus.update(evaluator, points);
            Delassus::accelerations(points, links, freedoms, free);
            solve(evaluator, (points, delassus, free), system);
            system.find_contradictions(delassus, (free, least), |k, left| {
                contradictions[slots[k]] = contradictions[slots[k]].max(left);
            });
        } else {
            system.multipliers.clear();
            system.multipliers.resize(3 * points.len(), f64::NAN);
        }
        write_forces(evaluator, points, slots, &system.multipliers);
    }
    evaluator.rigid.0 = Some(work);
}

/// Takes the points that are held.
fn gather(evaluator: &Evaluator<'_>, work: &mut RigidWorkspace) {
    let RigidWorkspace { points, held, islands, slots, .. } = work;
    take_held(evaluator, held);
    islands.sort(evaluator, held);
    slots.clear();
    points.resize(held.len());
    for (point, &contact) in points.iter_mut().zip(&*held) {
        let slot = evaluator.contacts.active.partition_point(|&active| active < contact);
        let hold = evaluator.contacts.memory[contact].hold;
        point.take(evaluator, contact, &evaluator.forces[slot].point, &hold);
        point.update_bias(evaluator);
        slots.push(slot);
    }
}

fn write_forces(evaluator: &mut Evaluator<'_>, points: &[RigidPoint], slots: &[usize], multipliers: &[f64]) {
    for ((point, &slot), multipliers) in points.iter().zip(slots).zip(multipliers.chunks_exact(3)) {
        let force = &mut evaluator.forces[slot];
        force.normal = multipliers[0] * point.arm;
        force.friction = point.axes[1] * multipliers[1] + point.axes[2] * multipliers[2];
        force.dissipation = [0.0, -force.friction.dot(&point.motion.sliding), 0.0];
    }
}
