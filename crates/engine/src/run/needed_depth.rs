use super::Simulation;
use crate::system::PairSource;

/// Exponent of the depth in what contacts store: 2 of flat faces, 3 of spheres, 4 of corners.
const EXPONENTS: [f64; 2] = [2.0, 5.0];

/// What would have done is meant to do.
const RESERVE: f64 = 1.1;

/// Steps of Newton's method, far more than it takes.
const STEPS: u32 = 60;

/// The u_max that an areal contact which is too deep would have needed (m), with a tenth of reserve: where it
/// stores what it has stored at the last accepted state, what still moves its bodies, and what loads put in on
/// the way. What it stores goes on as it has come, W ∝ uᵖ with p = F u/W; damping that would have helped is left
/// out. With the energy (J). None if nothing was stored yet.
pub(super) fn find_needed_depth(run: &Simulation<'_>, contact: usize) -> Option<(f64, f64)> {
    let evaluator = &run.evaluator;
    let memory = &evaluator.contacts.memory[contact];
    let (load, stored) = (memory.load, memory.stored);
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let PairSource::Areal(areal) = &pair.source else { return None };
    if !(load.depth > 0.0 && load.force > 0.0 && stored > 0.0) {
        return None;
    }
    let exponent = (load.force * load.depth / stored).clamp(EXPONENTS[0], EXPONENTS[1]);
    let (moving, mass) = calc_moving(run, contact, load.rate);
    let weight = mass * evaluator.system.mechanics.gravity.norm();
    let energy = stored + moving;
    // stored rᵖ = energy + weight u₀ (r − 1), from above, where it is convex.
    let scaled = weight * load.depth;
    let mut r = (2.0 * energy.max(scaled) / stored).max(1.0);
    for _ in 0..STEPS {
        let power = libm::pow(r, exponent - 1.0);
        let slope = exponent * stored * power - scaled;
        if slope.is_nan() || slope <= 0.0 {
            break;
        }
        r -= (stored * power * r - energy - scaled * (r - 1.0)) / slope;
    }
    let depth = RESERVE * r.max(1.0) * load.depth;
    (depth.is_finite() && depth > areal.u_max).then_some((depth, energy))
}

/// Energy (J) of what moves towards a contact at a rate (m/s), and its mass (kg): of two bodies that nothing holds by that rate, else of all
/// that moves.
pub(super) fn calc_moving(run: &Simulation<'_>, contact: usize, rate: f64) -> (f64, f64) {
    let evaluator = &run.evaluator;
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let mechanics = &evaluator.system.mechanics;
    let is_lone = |body: &usize| mechanics.bodies[*body].link.is_none_or(|l| mechanics.links[l].lone);
    if pair.bodies.iter().all(is_lone) && !evaluator.workspace.mechanism.is_constrained() {
        let mass = evaluator.table.contacts[contact].nominal_mass;
        return (0.5 * mass * rate * rate, mass);
    }
    let masses = mechanics.bodies.iter().filter(|body| body.link.is_some()).map(|body| body.mass);
    (run.ledger.last.kinetic, masses.sum())
}
