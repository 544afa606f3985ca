//! Contacts that jam: the friction of a slip draws a contact nearer as much as its force pushes it apart, and the force grows without bound
//! in finite time (Painlevé 1895; Génot & Brogliato 1999).

use carom_math::Twist;

use super::project::holds_any;
use super::rows::RigidPoint;
use crate::contact::Evaluator;

/// What a contact's own normal force does, over what there is to be balanced, from which its force is said to be without bound.
const WITHOUT_BOUND: f64 = 1e6;

/// The contact with friction, of those that are held, whose normal force is largest against what it has to balance, and that force (N), if it
/// is without bound where the evaluator was last.
///
/// Forces λ of all contacts keep the speed of each: γ̇_k = Σ G_kj λ_j + b_k = 0. They are of the size of b, and where they nearly cancel
/// G_kk λ_k is many times Σ G_kj λ_j, and what the model accelerates by: a preload that balances nothing is no jam.
pub(crate) fn find_jammed(evaluator: &Evaluator<'_>) -> Option<(usize, f64)> {
    if !holds_any(evaluator) {
        return None;
    }
    let forces: Vec<_> =
        evaluator.rigid.points.iter().map(|point| (point, multipliers(evaluator, point))).collect();
    let by_all = accelerations(evaluator, &forces);
    let scales = &evaluator.system.scales;
    let usual = scales.velocity * scales.velocity / scales.length;
    let excess = |&(point, [normal, first, second]): &(&RigidPoint, [f64; 3])| {
        let by_own = accelerations(evaluator, &[(point, [normal, 0.0, 0.0])]);
        let along = |(links, freedoms): &(Vec<Twist>, Vec<f64>)| point.directions[0].along(links, freedoms);
        let ratio = along(&by_own).abs() / along(&by_all).abs().max(usual);
        ([first, second] != [0.0; 2]).then_some((point.contact, normal.abs(), ratio))
    };
    let worst = forces.iter().filter_map(excess).max_by(|a, b| a.2.total_cmp(&b.2))?;
    (worst.2 > WITHOUT_BOUND).then_some((worst.0, worst.1))
}

/// λ_N, λ_T1, λ_T2 of a contact that is held.
fn multipliers(evaluator: &Evaluator<'_>, point: &RigidPoint) -> [f64; 3] {
    let slot = evaluator.contacts.active.partition_point(|&active| active < point.contact);
    let force = &evaluator.forces[slot];
    [force.normal / point.arm, force.friction.dot(&point.axes[1]), force.friction.dot(&point.axes[2])]
}

/// M⁻¹ Wᵀ λ, by link and by freedom.
fn accelerations(evaluator: &Evaluator<'_>, forces: &[(&RigidPoint, [f64; 3])]) -> (Vec<Twist>, Vec<f64>) {
    let mechanics = &evaluator.system.mechanics;
    let mut links = vec![Twist::ZERO; mechanics.links.len()];
    let mut freedoms = vec![0.0; mechanics.freedoms()];
    for (response, force) in forces.iter().flat_map(|(point, own)| point.responses.iter().zip(own)) {
        response.links.iter().for_each(|(link, twist)| links[*link] += *twist * *force);
        response.freedoms.iter().for_each(|(freedom, rate)| freedoms[*freedom] += rate * force);
    }
    (links, freedoms)
}
