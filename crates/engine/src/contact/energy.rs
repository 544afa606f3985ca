//! What bodies, springs and contacts store.

use super::Evaluator;
use crate::record::{Energy, sum_of_states};

/// What bodies, springs and contacts store at the evaluator's present state (J).
pub(crate) fn stored(evaluator: &Evaluator<'_>) -> f64 {
    sum_of_states(&state_accounts(evaluator).0)
}

/// Energy at the evaluator's present state, that of gravity by its size body by body: rounding does not know where its zero is.
pub(crate) fn present_energy(evaluator: &Evaluator<'_>, energy: &Energy) -> f64 {
    let system = &*evaluator.system;
    let moving = system
        .mechanics
        .bodies
        .iter()
        .zip(&evaluator.workspace.bodies)
        .filter(|(data, _)| data.link.is_some());
    let gravity: f64 = moving
        .map(|(data, body)| (data.mass * system.mechanics.gravity.dot(&body.pose.translation)).abs())
        .sum();
    energy.kinetic + gravity + energy.springs.abs() + energy.contact_elastic.abs()
}

/// State accounts, and the part of the contact energy that manifolds store.
pub(crate) fn state_accounts(evaluator: &Evaluator<'_>) -> (Energy, f64) {
    let system = &*evaluator.system;
    let mut energy = Energy::default();
    for (data, body) in system.mechanics.bodies.iter().zip(&evaluator.workspace.bodies) {
        if data.link.is_none() {
            continue;
        }
        let omega = body.pose.rotation.tr_mul(&body.angular_velocity);
        energy.kinetic +=
            0.5 * (data.mass * body.velocity.norm_squared() + omega.dot(&(data.inertia * omega)));
        energy.gravity -= data.mass * system.mechanics.gravity.dot(&body.pose.translation);
    }
    for link in &system.mechanics.links {
        energy.kinetic += link.energy_of_armature(&evaluator.workspace.state);
    }
    energy.springs = evaluator.workspace.mechanism.account.potential;
    let mut shared = 0.0;
    for (&contact, force) in evaluator.contacts.active.iter().zip(&evaluator.forces) {
        energy.contact_elastic += force.potential + force.gripped;
        if evaluator.shares_stiffness(contact) {
            shared += force.potential;
        }
    }
    (energy, shared)
}
