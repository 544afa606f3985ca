//! Books an accepted step and records the frames that fall into it.

use carom_solvers::Ode;

use super::ledger::Integrals;
use super::{Leave, Simulation, peak};
use super::{cable_peak, defect, episode, failure};
use crate::contact::regions::sample::sample_regions;
use crate::contact::{LEDGER_QUADRATURES, QUADRATURES, Upcoming, areal, samples};
use crate::mechanics::states;
use crate::model::IntegratorKind;
use crate::outcome::RunError;
use crate::record::{Event, EventKind, Frame, Recorder};

/// Share of an interval by which rounding may put a time that is meant to be its end before or after it.
const ROUNDED: f64 = 1e-9;

/// Penetrations, frames, quadratures and ledger of the attempted step from `start` to `end`, before the
/// modes change. `change` is what it ends with.
pub(super) fn record_step(
    run: &mut Simulation<'_>,
    recorder: &mut dyn Recorder,
    start: f64,
    end: f64,
    change: Option<&Upcoming>,
) -> Result<(), Leave> {
    update_growth(run);
    defect::note_defects(run, end);
    peak::note_peaks(run, start, end);
    cable_peak::note_loads(run, start, end)?;
    note_impulses(run);
    let known = run.log.len();
    let (evaluator, stepper) = (&mut run.evaluator, &*run.stepper);
    let noted = run.observer.note_mesh_changes(evaluator, stepper, (start, change), &mut run.log);
    noted.map_err(|unseen| failure::of_unseen(run, unseen))?;
    let (evaluator, stepper) = (&mut run.evaluator, &*run.stepper);
    run.observer.note_passing(evaluator, stepper, [start, end], run.step_number, &mut run.log);
    emit_frames(run, recorder, start, end)?;
    let (evaluator, stepper) = (&mut run.evaluator, &*run.stepper);
    run.observer.note_patches(evaluator, stepper, [start, end], change, &mut run.log);
    run.observer.note_regions(evaluator, stepper, [start, end], &mut run.log);
    run.log[known..].sort_by(|one, two| one.time.total_cmp(&two.time));
    run.statistics.events += (run.log.len() - known) as u64;
    run.noted_events = run.log.len();
    update_growth(run);
    let growth = &run.growth[..run.evaluator.quadratures()];
    let mut integrals = run.ledger.integrals.with(&run.evaluator, growth);
    integrals.projection += run.projected;
    if change.is_some_and(|change| hands_over(run, change.contact)) {
        run.ledger.integrals = integrals;
    } else {
        run.ledger.commit(&run.evaluator, integrals);
    }
    // The last frame, which there always is, has brought the evaluator to the end.
    if end >= run.system.settings.t_end {
        defect::note_last(run);
    }
    Ok(())
}

/// Does what a contact stores pass to another one where it begins or ends? Where a disc goes from one edge to the next, neither counts until both
/// have changed: accounts are taken after that.
pub(super) fn hands_over(run: &Simulation<'_>, contact: usize) -> bool {
    !run.evaluator.table.is_rigid(contact)
}

/// Growth of the quadratures over the attempted step.
pub(super) fn update_growth(run: &mut Simulation<'_>) {
    let quadratures = run.evaluator.quadratures();
    run.stepper.quadrature(1.0, &mut run.growth[..quadratures]);
}

/// Adds what the step has pressed and lost to contacts and pairs.
fn note_impulses(run: &mut Simulation<'_>) {
    let growth = &run.growth[..run.evaluator.quadratures()];
    for (slot, q) in growth[LEDGER_QUADRATURES..].chunks_exact(QUADRATURES).enumerate() {
        let contact = run.evaluator.contacts.active[slot];
        let memory = &mut run.evaluator.contacts.memory[contact];
        memory.impulse_normal += q[0];
        memory.impulse_tangential += carom_math::Vec3::new(q[1], q[2], q[3]);
        let totals = &mut run.totals[run.evaluator.table.contacts[contact].pair];
        totals.impulse_normal += q[0];
        totals.dissipated += q[4] + q[5] + q[6];
    }
}

/// Records the frames and probes with start < t ≤ end (at the start of the run: t = 0), from the dense
/// output, and brings the evaluator back to the end of the step.
pub(super) fn emit_frames(
    run: &mut Simulation<'_>,
    recorder: &mut dyn Recorder,
    start: f64,
    end: f64,
) -> Result<(), Leave> {
    let mut moved = false;
    run.end_state.copy_from_slice(&run.evaluator.workspace.state);
    while let Some(time) = due_frame(run, end) {
        emit_frame(run, recorder, time, start, end, false)?;
        run.next_frame += 1;
        moved = true;
    }
    while run.next_probe < run.system.probes.len() && is_reached(run, run.system.probes[run.next_probe], end)
    {
        let time = run.system.probes[run.next_probe];
        emit_frame(run, recorder, time, start, end, true)?;
        run.next_probe += 1;
        moved = true;
    }
    if moved {
        run.evaluator.update(end, &run.end_state);
    }
    Ok(())
}

/// Frames and probes up to `time` have been recorded: every accepted step records its own.
pub(super) fn skip_frames(run: &mut Simulation<'_>, time: f64) {
    while is_reached(run, run.next_frame as f64 * run.system.output_every, time) {
        run.next_frame += 1;
    }
    run.next_probe = run.system.probes.partition_point(|&probe| is_reached(run, probe, time));
}

/// Has a step that ends there reached this time? One of time stepping has if rounding alone puts its end before it: what the next one does at once,
/// as an impact, comes after.
fn is_reached(run: &Simulation<'_>, time: f64, end: f64) -> bool {
    let settings = &run.system.settings;
    let step = settings.fixed_step().filter(|_| settings.method == IntegratorKind::Moreau);
    time <= end + ROUNDED * step.unwrap_or(0.0)
}

/// Is a frame or a probe reached?
pub(super) fn is_due(run: &Simulation<'_>, end: f64) -> bool {
    let probes = &run.system.probes;
    due_frame(run, end).is_some()
        || probes.get(run.next_probe).is_some_and(|&time| is_reached(run, time, end))
}

/// Next frame's time if it has been reached. The end of the run is always a frame.
fn due_frame(run: &Simulation<'_>, end: f64) -> Option<f64> {
    let t_end = run.system.settings.t_end;
    let every = run.system.output_every;
    // A last frame that rounding puts a hair before the end is the end.
    let snap = |time: f64| if (time - t_end).abs() < ROUNDED * every { t_end } else { time };
    let time = snap(run.next_frame as f64 * every);
    let previous = if run.next_frame == 0 { -1.0 } else { snap((run.next_frame - 1) as f64 * every) };
    if is_reached(run, time, end) {
        Some(time)
    } else if end >= t_end && previous < t_end {
        Some(t_end)
    } else {
        None
    }
}

pub(super) fn emit_frame(
    run: &mut Simulation<'_>,
    recorder: &mut dyn Recorder,
    time: f64,
    start: f64,
    end: f64,
    probe: bool,
) -> Result<(), Leave> {
    let theta = if end > start { ((time - start) / (end - start)).clamp(0.0, 1.0) } else { 1.0 };
    let quadratures = run.evaluator.quadratures();
    let growth = &mut run.growth[..quadratures];
    if end > start {
        if theta < 1.0 {
            let states = run.interpolated.len();
            run.stepper.interpolate(theta, 0..states, &mut run.interpolated);
            run.evaluator.update(time, &run.interpolated);
        } else {
            run.evaluator.update(time, run.stepper.trial());
        }
        run.stepper.quadrature(theta, growth);
    } else {
        growth.fill(0.0);
    }
    let integrals: Integrals = run.ledger.integrals.with(&run.evaluator, growth);
    let energy = run.ledger.accounts(&run.evaluator, integrals);
    run.body_states.clear();
    peak::note_loads(run, time);
    let evaluator = &run.evaluator;
    states::write_body_states(
        &run.system.mechanics,
        &evaluator.workspace.state,
        &evaluator.workspace.bodies,
        &mut run.body_states,
    );
    run.contact_samples.clear();
    match &run.stepping {
        Some(stepping) => run.contact_samples.extend_from_slice(&stepping.samples),
        None => run.contact_samples.extend(samples::samples(&run.evaluator)),
    }
    run.areal_rows.clear();
    let patches_are_due = !probe && patches_are_due(run, time);
    if patches_are_due {
        samples::sample_areal(&mut run.evaluator, &mut run.areal_rows);
    }
    sample_regions(&run.evaluator, patches_are_due, &mut run.region_rows);
    run.search_samples.clear();
    if !probe && run.system.records_searches {
        areal::work::sample_searches(&run.evaluator, &mut run.search_samples);
    }
    sample_mechanism(run, time)?;
    run.timed(|s| {
        let frame = Frame {
            time,
            bodies: &s.body_states,
            contacts: &s.contact_samples,
            patches: &s.areal_rows.patches,
            elements: &s.areal_rows.elements,
            regions: &s.region_rows.regions,
            contours: &s.region_rows.contours,
            searches: &s.search_samples,
            joints: &s.joint_samples,
            forces: &s.force_samples,
            constraints: &s.constraint_samples,
            energy: &energy,
        };
        if probe { recorder.probe(&frame) } else { recorder.frame(&frame) }
    })
}

/// Patches are recorded at every so many frames, and at the last one.
fn patches_are_due(run: &Simulation<'_>, time: f64) -> bool {
    let every = run.system.patches_every;
    every.is_some_and(|n| run.next_frame.is_multiple_of(n) || time == run.system.settings.t_end)
}

/// Joints, forces and constraints at the evaluator's present state. Reactions need accelerations: this costs one
/// right-hand side, which is not counted among those of the steps.
fn sample_mechanism(run: &mut Simulation<'_>, time: f64) -> Result<(), RunError> {
    let info = &run.system.info;
    if info.joints.is_empty() && info.forces.is_empty() && info.constraints.is_empty() {
        return Ok(());
    }
    run.interpolated.copy_from_slice(&run.evaluator.workspace.state);
    let state = std::mem::take(&mut run.interpolated);
    // Contacts of time stepping press by impulses, which do not follow from a state.
    let loads = run.stepping.as_ref().map(|stepping| &stepping.loads);
    let result = run.evaluator.accelerate_under(time, &state, loads, &mut run.rates);
    run.interpolated = state;
    if result.is_err() {
        return Err(failure::of_right_hand_side(run));
    }
    let (mechanism, here, wrenches) = run.evaluator.workspace.parts();
    mechanism.sample_joints(&here, wrenches, &mut run.joint_samples);
    mechanism.sample_forces(&here, &mut run.force_samples);
    mechanism.sample_constraints(&here, &mut run.constraint_samples);
    let (joints, forces) = (&mut run.joint_samples, &mut run.force_samples);
    match &run.stepping {
        Some(stepping) => {
            samples::add_efforts(&run.evaluator, stepping.efforts.iter().copied(), joints, forces);
        }
        None => samples::add_efforts(&run.evaluator, samples::normal_forces(&run.evaluator), joints, forces),
    }
    cable_peak::note_recorded_loads(run, time);
    Ok(())
}

/// Hands the new rows of the event log to the recorder.
pub(super) fn emit_events(run: &mut Simulation<'_>, recorder: &mut dyn Recorder) -> Result<(), Leave> {
    if run.log.is_empty() {
        return Ok(());
    }
    let log = std::mem::take(&mut run.log);
    let result = log.iter().try_for_each(|event| {
        count_begin(run, event);
        run.timed(|_| recorder.event(event))?;
        let ends = event.kind == EventKind::ContactEnd;
        if ends { episode::emit_ended(run, recorder, event) } else { Ok(()) }
    });
    run.log = log;
    run.log.clear();
    run.noted_events = 0;
    result
}

fn count_begin(run: &mut Simulation<'_>, event: &Event) {
    if event.kind == EventKind::ContactBegin {
        run.totals[run.evaluator.table.contact_info[event.contact].pair].begins += 1;
    }
}
