//! What bodies, springs and contacts store, and the rates of what is summed beside the motion.

use super::{Evaluator, LEDGER_QUADRATURES, QUADRATURES};
use crate::mechanics::force::Account;
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

/// Rates of the quadratures, of the last evaluation.
pub(crate) fn write_quadratures(evaluator: &Evaluator<'_>, dqdt: &mut [f64]) {
    let (ledger, contacts) = dqdt.split_at_mut(LEDGER_QUADRATURES);
    let Account { motors, external, friction, viscous, drift, .. } = evaluator.workspace.mechanism.account;
    let lost = friction + viscous - motors - external - drift;
    ledger.copy_from_slice(&[lost, motors, external, friction, viscous, drift]);
    let own = evaluator.contacts.active.iter().zip(&evaluator.forces);
    for ((&contact, force), q) in own.zip(contacts.chunks_exact_mut(QUADRATURES)) {
        let [x, y, z] = force.friction.into();
        let [normal, friction, viscous] = force.dissipation;
        q.copy_from_slice(&[force.normal, x, y, z, normal, friction, viscous, force.elastic_power]);
        ledger[0] += normal + friction + viscous;
        if evaluator.shares_stiffness(contact) {
            ledger[0] -= force.elastic_power;
        }
    }
}
