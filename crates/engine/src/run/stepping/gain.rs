//! Restitution that gains no energy: Newton's law with friction, or with several contacts, can (Kane & Levinson 1985; nonsmooth.md).

use super::Stepping;
use super::attempt::{bounces, solve};
use crate::outcome::RunError;
use crate::run::Simulation;

/// Energy over what impulses exchange that rounding and residuals may add.
const ROUNDING: f64 = 1e-9;
/// Share of its restitution from which an impact has kept it, but for what residuals make.
const NEARLY_ALL: f64 = 0.9995;
/// Problems that are solved to find how much of the restitution gains none, that of none included.
const ROUNDS: usize = 6;

/// Points that bounce in an island whose impulses add energy, with shares of their restitution: one that adds none and one that does,
/// each with what it adds (J).
struct Gaining {
    points: Vec<usize>,
    low: (f64, f64),
    high: (f64, f64),
}

/// Impulses of a step. Islands in which they would add energy keep the share of their restitution that adds none; without any,
/// Coulomb's friction and Signorini's condition add none.
pub(super) fn solve_without_gain(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    h: f64,
) -> Result<(), RunError> {
    work.lessening = (0, 1.0);
    work.restored.clear();
    work.restored.resize(work.near.len(), 1.0);
    solve_with_answer(run, work, h)?;
    let mut gaining = find_gaining(run, work);
    if gaining.is_empty() {
        return Ok(());
    }
    for round in 0..=ROUNDS {
        for island in &gaining {
            let share = match round {
                0 => 0.0,
                ROUNDS => island.low.0,
                _ => island.between(),
            };
            island.points.iter().for_each(|&k| work.restored[k] = share);
        }
        solve_with_answer(run, work, h)?;
        let islands = islands(run, work);
        for island in &mut gaining {
            let (share, added) =
                (work.restored[island.points[0]], added_by(work, &islands, island.points[0]));
            *(if added > 0.0 { &mut island.high } else { &mut island.low }) = (share, added);
        }
    }
    for (share, _) in gaining.iter().map(|island| island.low).filter(|(share, _)| *share < NEARLY_ALL) {
        work.lessening = (work.lessening.0 + 1, work.lessening.1.min(share));
    }
    Ok(())
}

/// Impulses of a step. Where shorter steps have not had any either, an island for which they are not found keeps nothing of its restitution: in a wedge that locks itself, its half
/// angle below the angle of friction, no impulses in the friction cones let anything out, so that Newton's u_N⁺ ≥ −e u_N⁻ has no answer;
/// u⁺ = 0 has.
fn solve_with_answer(run: &mut Simulation<'_>, work: &mut Stepping, h: f64) -> Result<(), RunError> {
    loop {
        work.unanswered = None;
        let Err(error) = solve(run, work, h) else { return Ok(()) };
        let Some(point) = work.unanswered.filter(|_| work.yields) else { return Err(error) };
        let islands = islands(run, work);
        let island_of = |k: &usize| work.taking_part.binary_search(k).ok().map(|place| islands[place]);
        let own = island_of(&point);
        let bounced = |k: &usize| bounces(work, *k) && work.restored[*k] > 0.0 && island_of(k) == own;
        let bouncing: Vec<usize> = work.taking_part.iter().copied().filter(bounced).collect();
        if bouncing.is_empty() {
            return Err(error);
        }
        bouncing.iter().for_each(|&k| work.restored[k] = 0.0);
        work.lessening = (work.lessening.0 + 1, 0.0);
    }
}

impl Gaining {
    /// A share between the two, where a straight line says that none is added, and well off both.
    fn between(&self) -> f64 {
        let ((low, none), (high, some)) = (self.low, self.high);
        let place = if some > none { (-none / (some - none)).clamp(0.1, 0.9) } else { 0.5 };
        low + place * (high - low)
    }
}

/// The islands whose impulses add energy.
fn find_gaining(run: &Simulation<'_>, work: &Stepping) -> Vec<Gaining> {
    if !work.taking_part.iter().any(|&k| bounces(work, k)) {
        return Vec::new();
    }
    let islands = islands(run, work);
    let mut gaining: Vec<(usize, Gaining)> = Vec::new();
    for (place, &k) in work.taking_part.iter().enumerate().filter(|(_, k)| bounces(work, **k)) {
        if let Some((_, known)) = gaining.iter_mut().find(|(island, _)| *island == islands[place]) {
            known.points.push(k);
            continue;
        }
        let added = added_by(work, &islands, k);
        if added > 0.0 {
            gaining.push((islands[place], Gaining { points: vec![k], low: (0.0, 0.0), high: (1.0, added) }));
        }
    }
    gaining.into_iter().map(|(_, island)| island).collect()
}

/// Island of each point that takes part, by the number of a body in it: bodies that move and touch hang together.
pub(super) fn islands(run: &Simulation<'_>, work: &Stepping) -> Vec<usize> {
    let bodies = &run.system.mechanics.bodies;
    let mut parent: Vec<usize> = (0..bodies.len()).collect();
    let root = |parent: &[usize], mut body: usize| {
        while parent[body] != body {
            body = parent[body];
        }
        body
    };
    for &k in &work.taking_part {
        if let [a, b] = work.near[k].bodies
            && bodies[a].link.is_some()
            && bodies[b].link.is_some()
        {
            let (a, b) = (root(&parent, a), root(&parent, b));
            parent[a.max(b)] = a.min(b);
        }
    }
    let island = |&k: &usize| {
        let [a, b] = work.near[k].bodies;
        root(&parent, if bodies[a].link.is_some() { a } else { b })
    };
    work.taking_part.iter().map(island).collect()
}

/// Energy that the impulses of a point's island add, Σ r·(u⁻ + u⁺)/2 (J): 0 where it is what rounding may add. Contacts that last have velocities
/// at the end of the step, as in the problem: that surfaces turn and curve adds nothing to a restitution. Impulses that jam, in a wedge that locks itself, are so large that the difference is more
/// than all that moves; then it is the plain sum, which is the work of the impulses.
fn added_by(work: &Stepping, islands: &[usize], point: usize) -> f64 {
    let Ok(place) = work.taking_part.binary_search(&point) else { return 0.0 };
    let (mut added, mut exchanged, mut work_done) = (0.0, 0.0, 0.0);
    let each = work.taking_part.iter().zip(&work.impulses).zip(islands);
    for ((&k, r), _) in each.filter(|(_, island)| **island == islands[place]) {
        for axis in 0..3 {
            // Inertia does no work at the mean of both velocities, so that what bounces adds r·(u⁻ + u⁺)/2; what lasts takes the loads of the step.
            let start = if bounces(work, k) {
                work.before[k][axis]
            } else {
                work.free[k][axis] + 2.0 * work.ahead[k][axis]
            };
            let part = 0.5 * r[axis] * (start + work.after[k][axis]);
            added += part;
            work_done += 0.5 * r[axis] * (work.before[k][axis] + work.after[k][axis]);
            exchanged += part.abs();
        }
    }
    if work_done > work.kinetic {
        return work_done;
    }
    if added > ROUNDING * exchanged { added } else { 0.0_f64.min(added) }
}
