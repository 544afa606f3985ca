//! What comes down in a step and does not bounce is struck when it touches, with all of its impulse: a part of it in this step and the
//! rest in the next one would rub apart, and where friction turns the slip around in an impact, what is left of it depended on where in a
//! step that fell. Impulses of a step stand in its middle; until it touches, the time τ later, what lands goes on as if nothing had struck it:
//! q⁺ = q + τ v + (h/2 − τ) v⁺ with the velocities v without impulses.

use super::attempt::REST;
use super::{Stepping, gain, positions, velocities};
use crate::contact::state_accounts;
use crate::record::sum_of_states;
use crate::run::Simulation;

/// Does a near point come so fast as the step begins that it is struck when it touches, and stays?
pub(super) fn lands(work: &Stepping, k: usize) -> bool {
    let point = &work.near[k];
    let comes = work.before[k][0] - work.ahead[k][0] < -REST * work.loaded[k];
    point.law.normal == 0.0 && !point.is_single && comes
}

/// When a point touches, after the middle of the step (s): at once where it has, and no later than the step ends.
fn time_of(work: &Stepping, k: usize, h: f64) -> f64 {
    let left = work.near[k].gap() - 0.25 * h * work.ahead[k][0];
    let speed = -work.free[k][0];
    if left > 0.0 && speed > 0.0 { (left / speed).min(0.5 * h) } else { 0.0 }
}

/// Moves what has landed, in `work.state` at the end of the step, to where it is when it was struck as it touched. Returns what that adds to the
/// energy (J): a blow that comes later takes what loads have added until then.
pub(super) fn delay(run: &mut Simulation<'_>, work: &mut Stepping, h: f64, end: f64) -> f64 {
    if !find_delays(run, work, h) {
        return 0.0;
    }
    let energy = |run: &Simulation<'_>| sum_of_states(&state_accounts(&run.evaluator).0);
    run.evaluator.update(end, &work.state);
    let before = energy(run);
    work.poses.clear();
    work.poses.extend(run.evaluator.workspace.bodies.iter().map(|body| body.pose));
    velocities::displace(&run.system.mechanics, &work.change, 1.0, &mut work.state);
    run.evaluator.update(end, &work.state);
    positions::add_paths(run, work);
    energy(run) - before
}

/// Writes τ (v − v⁺) into `work.change`; false if nothing has landed. What has landed goes by its own time. What it strikes goes by the latest
/// of all that hang together there, so that nothing is let go, and so do all bodies with joints.
fn find_delays(run: &Simulation<'_>, work: &mut Stepping, h: f64) -> bool {
    let mechanics = &run.system.mechanics;
    let is_landing = |(place, k): (usize, &usize)| work.impulses[place][0] > 0.0 && lands(work, *k);
    if !work.taking_part.iter().enumerate().any(is_landing) {
        return false;
    }
    let islands = gain::islands(run, work);
    let mut own = vec![None; mechanics.bodies.len()];
    let mut latest = vec![0.0_f64; mechanics.bodies.len()];
    for (place, &k) in work.taking_part.iter().enumerate().filter(|each| is_landing(*each)) {
        let time = time_of(work, k, h);
        for body in work.near[k].bodies {
            own[body] = Some(time.max(own[body].unwrap_or(0.0)));
        }
        latest[islands[place]] = latest[islands[place]].max(time);
    }
    let mut delays = vec![0.0; mechanics.bodies.len()];
    for (place, &k) in work.taking_part.iter().enumerate() {
        for body in work.near[k].bodies {
            delays[body] = own[body].unwrap_or(latest[islands[place]]);
        }
    }
    let is_constrained = run.evaluator.workspace.mechanism.is_constrained();
    let jointed = |link: &&crate::mechanics::tree::Link| !link.lone || is_constrained;
    let together = mechanics.links.iter().filter(jointed).fold(0.0_f64, |m, link| m.max(delays[link.body]));
    for link in &mechanics.links {
        let delay = if jointed(&link) { together } else { delays[link.body] };
        for freedom in link.freedoms() {
            work.change[freedom] = delay * (work.unloaded[freedom] - work.new[freedom]);
        }
    }
    true
}
