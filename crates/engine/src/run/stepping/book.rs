//! Enters a step that was made: ledger, contacts, events, rows.

use carom_math::Vec3;

use super::{Stepping, attempt, followed, velocities};
use crate::contact::rigid::{cable_of, single_motion};
use crate::contact::stepping::{Touch, commit_touches};
use crate::contact::{LEDGER_QUADRATURES, write_quadratures};
use crate::outcome::RunError;
use crate::record::{ContactMode, ContactSample, Recorder, Sliding};
use crate::run::peak::lower;
use crate::run::{Leave, Simulation, failure, frames, storm};

/// Share of the largest slip that friction can stop in a step below which a contact sticks, for its row.
const STICKS: f64 = 1e-9;

/// Energy, impulses, events and frames of the step from `start` to `end`, before it is accepted.
pub(super) fn record(
    run: &mut Simulation<'_>,
    recorder: &mut dyn Recorder,
    start: f64,
    end: f64,
) -> Result<(), Leave> {
    let mut work = run.stepping.take().unwrap_or_default();
    let result = enter(run, &mut work, start, end);
    run.stepping = Some(work);
    result?;
    // Frames inside the step leave their own share of what has grown in it.
    let integrals = run.ledger.integrals.with(&run.evaluator, &run.growth[..LEDGER_QUADRATURES]);
    frames::emit_frames(run, recorder, start, end)?;
    run.ledger.commit(&run.evaluator, integrals);
    Ok(())
}

fn enter(run: &mut Simulation<'_>, work: &mut Stepping, start: f64, end: f64) -> Result<(), RunError> {
    let h = end - start;
    grow(run, work, start + 0.5 * h, h, end)?;
    gather_touches(run, work);
    let mut lost = [0.0; 2];
    for touch in &work.touches {
        lost[0] += touch.lost[0];
        lost[1] += touch.lost[1];
        let totals = &mut run.totals[run.evaluator.table.contacts[touch.contact].pair];
        totals.impulse_normal += touch.normal;
        totals.dissipated += touch.lost[0] + touch.lost[1];
    }
    // Frames inside the step have its losses already: no rule says when in it they are.
    run.ledger.integrals.impact += lost[0];
    run.ledger.integrals.friction += lost[1];
    run.ledger.integrals.motors += work.motors;
    run.ledger.integrals.projection += run.projected;
    let known = run.log.len();
    commit_touches(&mut run.evaluator, &work.touches, &mut work.closed, h, end, &mut run.log);
    note_peaks(run, work, h, end);
    run.statistics.events += (run.log.len() - known) as u64;
    run.noted_events = run.log.len();
    if run.statistics.events > run.system.settings.max_events {
        return Err(storm::failure_of_count(run, None));
    }
    work.samples.clear();
    if frames::is_due(run, end) {
        let is_cable = |touch: &Touch| cable_of(&run.evaluator, touch.contact).is_some();
        let pressing = || work.touches.iter().filter(|touch| touch.normal > 0.0);
        work.samples.extend(pressing().filter(|touch| !is_cable(touch)).map(|touch| sample(touch, h)));
        work.efforts.clear();
        let table = &run.evaluator.table;
        let single = pressing().filter(|t| table.pairs[table.contacts[t.contact].pair].source.is_single());
        work.efforts.extend(single.map(|touch| (touch.contact, touch.normal / h)));
    }
    attempt::remember(work, h);
    followed::keep(work, h);
    Ok(())
}

/// Powers of force elements, motors and loads in the middle of the step, at the mean of the velocities before and after.
fn grow(
    run: &mut Simulation<'_>,
    work: &mut Stepping,
    middle: f64,
    h: f64,
    end: f64,
) -> Result<(), RunError> {
    let growth = &mut run.growth[..LEDGER_QUADRATURES];
    growth.fill(0.0);
    if work.depends_on_velocity {
        let system = run.system.clone();
        let mechanics = &*system.mechanics;
        work.state.copy_from_slice(run.stepper.state());
        velocities::displace(mechanics, &work.old, 0.5 * h, &mut work.state);
        velocities::displace_others(&run.evaluator, middle, 0.5 * h, &mut work.state);
        for (mean, (old, new)) in work.change.iter_mut().zip(work.old.iter().zip(&work.new)) {
            *mean = 0.5 * (old + new);
        }
        velocities::write(mechanics, &work.change, &mut work.state);
        if run.evaluator.accelerate(middle, &work.state, &mut run.rates).is_err() {
            return Err(failure::of_right_hand_side(run));
        }
        write_quadratures(&run.evaluator, growth);
        growth.iter_mut().for_each(|growth| *growth *= h);
        let trial = run.stepper.trial().to_vec();
        run.evaluator.update(end, &trial);
    }
    let growth = run.growth[..LEDGER_QUADRATURES].to_vec();
    run.stepper.take_growth(&growth);
    Ok(())
}

/// What each contact has done in the step, its points summed.
fn gather_touches(run: &Simulation<'_>, work: &mut Stepping) {
    work.touches.clear();
    let impulses = work.points.iter().zip(&work.impulses);
    let mut each = work.taking_part.iter().zip(impulses).peekable();
    for (k, point) in work.near.iter().enumerate() {
        if work.touches.last().is_none_or(|touch: &Touch| touch.contact != point.contact) {
            work.touches.push(Touch::of(point.contact));
        }
        let Some(touch) = work.touches.last_mut() else { continue };
        if let Some((_, (_, r))) = each.next_if(|(index, _)| **index == k) {
            touch.add(point, r, &work.before[k], &work.after[k], &work.ahead[k]);
        }
    }
    let mut measured = work.touches.iter_mut();
    for touch in &mut measured {
        touch.motion = single_motion(&run.evaluator, touch.contact);
    }
}

/// Greatest and least forces of pairs and lines. What is near and overlaps by a rounding, but has never pressed, is no contact.
fn note_peaks(run: &mut Simulation<'_>, work: &Stepping, h: f64, end: f64) {
    let of = |touch: &Touch| run.evaluator.table.contacts[touch.contact].pair;
    let mut lines = vec![0.0; run.peaks.lines.len()];
    let mut pairs = vec![0.0; run.totals.len()];
    for touches in work.touches.chunk_by(|a, b| of(a) == of(b)) {
        let pair = of(&touches[0]);
        let force = touches.iter().map(|touch| touch.normal).sum::<f64>() / h;
        let is_closed =
            |touch: &&Touch| run.evaluator.contacts.memory[touch.contact].mode == ContactMode::Closed;
        let depth = touches.iter().filter(is_closed).fold(0.0_f64, |m, touch| m.max(-touch.motion.gap));
        let peaks = &mut run.totals[pair].peaks;
        peaks.force.raise(force, end);
        peaks.penetration.raise(depth, end);
        lines[run.peaks.line_index(pair)] += force;
        pairs[pair] += force;
    }
    for (totals, force) in run.totals.iter_mut().zip(pairs) {
        lower(&mut totals.least_force, force, end);
    }
    for (line, force) in run.peaks.lines.iter_mut().zip(lines) {
        line.force.raise(force, end);
        lower(&mut line.least_force, force, end);
    }
}

/// Forces are mean values over the step.
fn sample(touch: &Touch, h: f64) -> ContactSample {
    let slip = touch.sliding.norm();
    ContactSample {
        contact: touch.contact,
        position: touch.position,
        normal: touch.pressed_along(),
        gap: touch.motion.gap,
        approach_speed: touch.motion.approach,
        normal_force: touch.normal / h,
        pressure: 0.0,
        friction_force: touch.tangential / h,
        torque: Vec3::zeros(),
        sliding_velocity: touch.sliding,
        dissipated_power: (touch.lost[0] + touch.lost[1]) / h,
        mode: ContactMode::Closed,
        sliding: if slip > STICKS * (slip + touch.before) { Sliding::Slip } else { Sliding::Stick },
    }
}
