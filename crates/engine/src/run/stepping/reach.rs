//! How far around each body contacts are looked for in a step. What it does not reach is not looked at, so it must not go farther.

use super::{Stepping, positions, velocities};
use crate::contact::stepping::{NearPoint, find_near};
use crate::record::Recorder;
use crate::run::{Leave, Simulation, neighbours};

/// What surfaces go in the whole step with the velocities before it and without impulses, and what the loads of a step add.
pub(super) fn set(run: &mut Simulation<'_>, work: &mut Stepping, h: f64) {
    for (change, (old, free)) in work.change.iter_mut().zip(work.old.iter().zip(&work.unloaded)) {
        *change = free - old;
    }
    velocities::put(&mut run.evaluator, &work.change, &mut work.state);
    velocities::surface_speeds(&run.evaluator, &mut work.by_loads);
    velocities::put(&mut run.evaluator, &work.unloaded, &mut work.state);
    velocities::surface_speeds(&run.evaluator, &mut work.reach);
    velocities::put(&mut run.evaluator, &work.old, &mut work.state);
    velocities::surface_speeds(&run.evaluator, &mut work.speed);
    let tolerance = positions::TOLERANCE * run.system.scales.length;
    for (reach, (speed, by_loads)) in work.reach.iter_mut().zip(work.speed.iter().zip(&work.by_loads)) {
        *reach = h * (reach.max(*speed) + by_loads) + tolerance;
    }
}

/// Points near each other where the evaluator is.
pub(super) fn gather(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    recorder: &mut dyn Recorder,
) -> Result<(), Leave> {
    work.near.clear();
    work.beyond.clear();
    find(run, work, recorder)?;
    std::mem::swap(&mut work.near, &mut work.found);
    Ok(())
}

/// Bodies that impulses have made faster may come to what was out of reach: are there more points near them now? The evaluator is in the
/// middle of the step, and `speed` those of surfaces after it.
pub(super) fn widen(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    recorder: &mut dyn Recorder,
    h: f64,
) -> Result<bool, Leave> {
    work.goes.clear();
    work.goes.extend(work.speed.iter().map(|speed| 0.5 * h * speed));
    if !raise(work) {
        return Ok(false);
    }
    velocities::put(&mut run.evaluator, &work.old, &mut work.state);
    find(run, work, recorder)?;
    let is_more = !work.found.is_empty();
    work.near.append(&mut work.found);
    work.near.sort_by_key(|point| point.contact);
    Ok(is_more)
}

/// The same where corrections have moved bodies, by `goes` since the middle of the step: points within the tolerance, where the evaluator
/// is, that had been out of reach. They are `beyond` the near ones.
pub(super) fn look_beyond(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    recorder: &mut dyn Recorder,
) -> Result<bool, Leave> {
    if !raise(work) {
        return Ok(false);
    }
    let reached = std::mem::take(&mut work.reach);
    work.reach.resize(reached.len(), positions::TOLERANCE * run.system.scales.length);
    find(run, work, recorder)?;
    work.reach = reached;
    let is_more = !work.found.is_empty();
    work.beyond.append(&mut work.found);
    work.beyond.sort_by_key(|point| point.contact);
    Ok(is_more)
}

/// Has any body gone farther than its reach? That is its reach then.
fn raise(work: &mut Stepping) -> bool {
    let mut is_farther = false;
    for (reach, goes) in work.reach.iter_mut().zip(&work.goes) {
        if *goes > *reach {
            (*reach, is_farther) = (*goes, true);
        }
    }
    is_farther
}

/// Points within reach of contacts that are not known yet, into `found`.
fn find(run: &mut Simulation<'_>, work: &mut Stepping, recorder: &mut dyn Recorder) -> Result<(), Leave> {
    neighbours::meet_within(run, recorder, &work.reach)?;
    let Stepping { near, beyond, reach, found, .. } = work;
    let is_among =
        |list: &[NearPoint], contact: usize| list.binary_search_by_key(&contact, |p| p.contact).is_ok();
    let is_known = |contact: usize| is_among(near, contact) || is_among(beyond, contact);
    found.clear();
    find_near(&mut run.evaluator, &run.observer.path, |[a, b]| reach[a] + reach[b], is_known, found);
    Ok(())
}
