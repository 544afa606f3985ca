//! What of an evaluation is recorded.

use super::areal::ArealRows;
use super::placed::Placed;
use super::{ContactForce, Evaluator};
use crate::mechanics::JointRole;
use crate::mechanics::force::closing_wrench;
use crate::record::{ContactMode, ContactSample, ForceSample, JointSample, Sliding};
use crate::system::{CableSource, PairSource};

/// Patches and elements of the areal contacts, from the last evaluation.
pub(crate) fn sample_areal(evaluator: &mut Evaluator<'_>, rows: &mut ArealRows) {
    rows.clear();
    for &contact in &evaluator.contacts.active {
        let index = evaluator.table.contacts[contact].pair;
        let pair = &evaluator.table.pairs[index];
        if let PairSource::Areal(areal) = &pair.source
            && let Some(workspace) = &mut evaluator.areal[index]
        {
            let placed = Placed::of(
                areal.meshes.surfaces,
                pair.bodies,
                (&evaluator.surfaces, &evaluator.workspace.bodies),
            );
            let book = &evaluator.contacts.books[index];
            workspace.sample(areal, &pair.friction, &placed, Some(book), contact, rows);
        }
    }
}

/// Adds what stops push, each contact with its force or torque, to the efforts and reactions of their joints, and writes what
/// cables pull.
pub(crate) fn add_efforts(
    evaluator: &Evaluator<'_>,
    pushes: impl Iterator<Item = (usize, f64)>,
    joints: &mut [JointSample],
    forces: &mut [ForceSample],
) {
    for (contact, push) in pushes {
        match &evaluator.table.pairs[evaluator.table.contacts[contact].pair].source {
            PairSource::Cable(CableSource { group: Some(group), .. }) => {
                evaluator.workspace.mechanism.write_tension(
                    &evaluator.workspace.here(),
                    *group,
                    push,
                    forces,
                );
            }
            _ => add_stop(evaluator, contact, push, joints),
        }
    }
}

/// Adds what a contact pushes (N, N m) to the effort of its joint if it is a stop. To the reaction, too, where the joint closes a
/// loop: that of a joint that carries a body follows from how the body moves, with all that acts on it.
pub(crate) fn add_stop(evaluator: &Evaluator<'_>, contact: usize, push: f64, joints: &mut [JointSample]) {
    let data = &evaluator.table.contacts[contact];
    let PairSource::Stop(stop) = &evaluator.table.pairs[data.pair].source else { return };
    let mut along = [0.0; 3];
    along[stop.axis] = stop.direction(data.feature) * push;
    let sample = &mut joints[stop.joint];
    sample.effort[stop.axis] += along[stop.axis];
    let here = evaluator.workspace.here();
    if here.mechanics.joints[stop.joint].role == JointRole::Closes && push != 0.0 {
        let on_b = closing_wrench(&here, stop.joint, &along);
        sample.force += on_b.force;
        sample.torque += on_b.torque;
    }
}

/// Normal forces of the contacts of the last evaluation.
pub(crate) fn normal_forces(evaluator: &Evaluator<'_>) -> impl Iterator<Item = (usize, f64)> {
    evaluator.contacts.active.iter().copied().zip(evaluator.forces.iter().map(|force| force.normal))
}

/// Contacts that touch in the last evaluation, with their forces: those that are near are evaluated, too.
fn touching_forces<'e>(evaluator: &'e Evaluator<'_>) -> impl Iterator<Item = (usize, &'e ContactForce)> {
    let active = evaluator.contacts.active.iter().copied().zip(&evaluator.forces);
    active.filter(|(contact, force)| mode_of(evaluator, *contact, force) != ContactMode::Open)
}

/// The mode of a contact in the last evaluation: inside a step that of a clipped one is what it is there.
fn mode_of(evaluator: &Evaluator<'_>, contact: usize, force: &ContactForce) -> ContactMode {
    let memory = &evaluator.contacts.memory[contact];
    match memory.mode {
        mode if !memory.clipped || mode == ContactMode::Latched => mode,
        _ if force.point.gap > 0.0 => ContactMode::Open,
        _ if force.normal > 0.0 => ContactMode::Closed,
        ContactMode::Open => ContactMode::Closed,
        mode => mode,
    }
}

/// How many they are.
pub(crate) fn touching(evaluator: &Evaluator<'_>) -> usize {
    touching_forces(evaluator).count()
}

/// The active contacts of the last evaluation, for recording.
pub(crate) fn samples(evaluator: &Evaluator<'_>) -> impl Iterator<Item = ContactSample> {
    touching_forces(evaluator).map(|(contact, force)| {
        let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
        let slips = force.point.sliding.norm() > pair.friction.slip_speed();
        ContactSample {
            contact,
            position: force.point.position,
            normal: force.point.normal,
            gap: force.point.gap,
            approach_speed: force.point.approach,
            normal_force: force.normal,
            pressure: force.pressure,
            friction_force: force.friction,
            torque: force.torque,
            sliding_velocity: force.point.sliding,
            dissipated_power: force.dissipation.iter().sum(),
            mode: mode_of(evaluator, contact, force),
            sliding: if slips { Sliding::Slip } else { Sliding::Stick },
        }
    })
}
