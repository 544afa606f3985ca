//! Contacts that jam: the friction of a slip draws a contact nearer as much as its force pushes it apart, and the force grows without bound
//! in finite time (Painlevé 1895; Génot & Brogliato 1999).

use carom_math::Twist;

use super::RigidPoint;
use super::project::holds_any;
use crate::contact::Evaluator;

/// What a contact's own force would accelerate its bodies apart, over what there is to be balanced, from which it is told.
const WITHOUT_BOUND: f64 = 1e6;

/// The contact, of those that are held, whose force is largest against what it has to balance, and the force (N), if that is without bound
/// where the evaluator was last.
pub(crate) fn find_jammed(evaluator: &Evaluator<'_>) -> Option<(usize, f64)> {
    if !holds_any(evaluator) {
        return None;
    }
    let (mechanics, points) = (&evaluator.system.mechanics, &evaluator.rigid.points);
    let mut links = vec![Twist::ZERO; mechanics.links.len()];
    let mut freedoms = vec![0.0; mechanics.freedoms()];
    let force_of = |contact: usize| {
        let slot = evaluator.contacts.active.partition_point(|&active| active < contact);
        evaluator.forces.get(slot)
    };
    let multipliers = |point: &RigidPoint| {
        let force = force_of(point.contact)?;
        Some([
            force.normal / point.arm,
            force.friction.dot(&point.axes[1]),
            force.friction.dot(&point.axes[2]),
        ])
    };
    for point in points.iter() {
        for (response, multiplier) in point.responses.iter().zip(multipliers(point)?) {
            response.links.iter().for_each(|(link, twist)| links[*link] = links[*link] + *twist * multiplier);
            response.freedoms.iter().for_each(|(freedom, rate)| freedoms[*freedom] += rate * multiplier);
        }
    }
    // Held contacts keep their speeds: what all contact forces do along the normal balances all else.
    let excess = |point: &RigidPoint| {
        let [normal, first, second] = multipliers(point)?;
        let (mut own, mut rates) = (vec![Twist::ZERO; links.len()], vec![0.0; freedoms.len()]);
        point.responses[0].links.iter().for_each(|(link, twist)| own[*link] = *twist);
        point.responses[0].freedoms.iter().for_each(|(freedom, rate)| rates[*freedom] = *rate);
        let balanced = point.directions[0].along(&links, &freedoms);
        let ratio = normal * point.directions[0].along(&own, &rates) / balanced;
        ([first, second] != [0.0; 2]).then_some((point.contact, normal.abs(), ratio.abs()))
    };
    let worst = points.iter().filter_map(excess).max_by(|a, b| a.2.total_cmp(&b.2))?;
    (worst.2 > WITHOUT_BOUND).then_some((worst.0, worst.1))
}
