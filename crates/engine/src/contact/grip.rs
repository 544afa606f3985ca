//! What bristles do to a contact of several parts, each of which they hold for itself.
//!
//! Parts merge, split, begin and end in trial steps. What has no bristle yet is held by its damping alone, and a bristle whose part is
//! gone straightens without pressing. At the end of the step the state takes the bristles of the parts that there are (`hands.rs`).

use carom_math::Vec3;

use super::bristle::{Bending, bristle_at, bristle_of_state};
use super::hands::{Hand, mean, of_part, share_of_load, sum_of_shares};
use super::{ContactForce, Evaluator};
use crate::law::{Bristle, Friction, Grip};

/// A region or a patch, in world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Normal force (N), and the unit normal from A to B.
    pub(super) pressing: f64,
    pub(super) normal: Vec3,
    /// Where its force acts (m), and how B slides against A there (m/s).
    pub(super) position: Vec3,
    pub(super) sliding: Vec3,
    /// Mean distance from there at which friction acts (m).
    pub(super) radius: f64,
    /// What its bristles do to B: force (N) and couple (N m).
    pub(super) friction: Vec3,
    pub(super) torque: Vec3,
}

/// Adds what bristles do to the parts of an active contact to them and to its force. The first state of its bristles is `first`;
/// hands and the shares of the bristles are in the order of parts and bristles.
pub(super) fn grip_parts(
    evaluator: &mut Evaluator<'_>,
    (slot, first): (usize, usize),
    parts: &mut [Part],
    (all_hands, shares): (&[Hand], &[f64]),
    force: &mut ContactForce,
) {
    let contact = evaluator.contacts.active[slot];
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let (friction, bodies) = (pair.friction, pair.bodies);
    let damping = evaluator.contacts.memory[contact].grip_damping;
    let [a, b] = bodies.map(|body| evaluator.workspace.bodies[body].angular_velocity);
    // The normal of a part belongs to neither body: it is taken to turn with both.
    let (turning, spin) = (0.5 * (a + b), b - a);
    let pressing: f64 = parts.iter().map(|part| part.pressing.max(0.0)).sum();
    let own = friction.states();
    let states = |bristle: u32| {
        let first = first + own * bristle as usize;
        first..first + own
    };
    for (index, part) in parts.iter_mut().enumerate() {
        let hands = of_part(all_hands, index);
        let share =
            if hands.is_empty() { share_of_load(part.pressing, pressing) } else { sum_of_shares(hands) };
        let law = friction.of_share(share);
        let normal = part.normal;
        let velocity = part.sliding + normal * (part.radius * spin.dot(&normal));
        let pressing = part.pressing.max(0.0);
        let fade = fade(pressing, &law);
        let grip = Grip { pressing, velocity: velocity * fade, damping: share * damping };
        let straightens = if part.radius == 0.0 { stiffness(&friction) / damping } else { 0.0 };
        let bending = Bending { friction: &law, grip, turning, normal, straightens };
        let bristle = match hands {
            [] => Bristle::default(),
            [hand] => bristle_at(evaluator, states(hand.bristle).start, &bending),
            several => mean(several, |b| bristle_of_state(evaluator, states(b).start, &law)),
        };
        let held = law.hold(&grip, &bristle).force * fade;
        let twist = normal.dot(&held);
        let (along, couple) = (held - normal * twist, normal * (part.radius * twist));
        (part.friction, part.torque) = (along, couple);
        force.friction += along;
        force.torque += (part.position - force.point.position).cross(&along) + couple;
        force.dissipation[1] -= held.dot(&velocity);
        let rate = bending.rate(&bristle);
        for hand in hands {
            let kept = match hands {
                [_] => bristle,
                _ => bristle_of_state(evaluator, states(hand.bristle).start, &law),
            };
            let of_bristle = all_hands.iter().filter(|other| other.bristle == hand.bristle);
            let part = hand.share / of_bristle.map(|other| other.share).sum::<f64>();
            let rate = Bristle { deflection: rate.deflection * part, dwell: rate.dwell * part };
            evaluator.bristled.put(states(hand.bristle), &kept, &rate);
        }
    }
    for bristle in 0..evaluator.contacts.bristles[slot] as u32 {
        let states = states(bristle);
        let share = shares.get(bristle as usize).copied().unwrap_or(1.0);
        let law = friction.of_share(share);
        let kept = if all_hands.iter().any(|hand| hand.bristle == bristle) {
            evaluator.bristled.found(states.clone())
        } else {
            let grip = Grip { pressing: 0.0, velocity: Vec3::zeros(), damping: share * damping };
            let normal = force.point.normal;
            let bending = Bending { friction: &law, grip, turning, normal, straightens: 0.0 };
            let kept = bristle_at(evaluator, states.start, &bending);
            evaluator.bristled.put(states.clone(), &kept, &bending.rate(&kept));
            kept
        };
        let rate = evaluator.bristled.rate(states);
        force.gripped += law.stored(&kept);
        force.dissipation[1] -= stiffness(&law) * kept.deflection.dot(&rate.deflection);
    }
}

/// Share of the load to be expected below which a bristle has less and less hold.
const LIGHTEST: f64 = 1e-3;

/// How much of the sliding bends a bristle, and how much of its force acts, 0 to 1: the power is that of the bristle. Where hardly
/// anything presses all deflections are beyond the limit, and their direction would turn at any rate.
fn fade(pressing: f64, law: &Friction) -> f64 {
    let expected = law.bristle().map_or(0.0, |law| law.scale * law.stiffness / law.mu_static);
    let least = LIGHTEST * expected;
    // Without a coefficient nothing is to be expected.
    if pressing >= least || least.is_nan() {
        return 1.0;
    }
    let x = pressing / least;
    x * x * (3.0 - 2.0 * x)
}

fn stiffness(friction: &Friction) -> f64 {
    friction.bristle().map_or(0.0, |law| law.stiffness)
}
