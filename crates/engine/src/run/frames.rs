//! Books an accepted step and records the frames that fall into it.

use carom_solvers::Ode;

use super::{Leave, Simulation};
use crate::contact::{LEDGER_QUADRATURES, QUADRATURES};
use crate::energy::Integrals;
use crate::kinematics;
use crate::outcome::RunError;
use crate::record::{Event, EventKind, Frame, Recorder};

impl Simulation<'_> {
    /// Penetrations, frames, quadratures and ledger of the attempted step from `start` to `end`, before the
    /// modes change. `awaited` is the contact of which another patch begins at the end.
    pub(super) fn record_step(
        &mut self,
        recorder: &mut dyn Recorder,
        start: f64,
        end: f64,
        awaited: Option<usize>,
    ) -> Result<(), Leave> {
        self.update_growth();
        self.note_defects(end);
        self.note_peaks(start, end);
        self.note_tensions(start, end)?;
        self.note_impulses();
        let known = self.log.len();
        let noted =
            self.observer.note_areal_changes(&mut self.evaluator, &*self.stepper, start, &mut self.log);
        noted.map_err(|unseen| self.failure_of_unseen(unseen))?;
        self.emit_frames(recorder, start, end)?;
        let (evaluator, stepper) = (&mut self.evaluator, &*self.stepper);
        self.observer.note_patches(evaluator, stepper, [start, end], awaited, &mut self.log);
        self.log[known..].sort_by(|one, two| one.time.total_cmp(&two.time));
        self.statistics.events += (self.log.len() - known) as u64;
        self.noted_events = self.log.len();
        self.update_growth();
        let growth = &self.growth[..self.evaluator.quadratures()];
        let mut integrals = self.ledger.integrals.with(&self.evaluator, growth);
        integrals.projection += self.projected;
        let energy = self.ledger.accounts(&self.evaluator, integrals);
        self.ledger.commit(&self.evaluator, energy, integrals);
        Ok(())
    }

    /// Growth of the quadratures over the attempted step.
    pub(super) fn update_growth(&mut self) {
        let quadratures = self.evaluator.quadratures();
        self.stepper.quadrature(1.0, &mut self.growth[..quadratures]);
    }

    /// Adds what the step has pressed and lost to contacts and pairs.
    fn note_impulses(&mut self) {
        let growth = &self.growth[..self.evaluator.quadratures()];
        for (slot, q) in growth[LEDGER_QUADRATURES..].chunks_exact(QUADRATURES).enumerate() {
            let contact = self.evaluator.contacts.active[slot];
            let memory = &mut self.evaluator.contacts.memory[contact];
            memory.impulse_normal += q[0];
            memory.impulse_tangential += carom_math::Vec3::new(q[1], q[2], q[3]);
            let totals = &mut self.totals[self.evaluator.table.contacts[contact].pair];
            totals.impulse_normal += q[0];
            totals.dissipated += q[4] + q[5] + q[6];
        }
    }

    /// Records the frames and probes with start < t ≤ end (at the start of the run: t = 0), from the dense
    /// output, and brings the evaluator back to the end of the step.
    pub(super) fn emit_frames(
        &mut self,
        recorder: &mut dyn Recorder,
        start: f64,
        end: f64,
    ) -> Result<(), Leave> {
        let mut moved = false;
        self.end_state.copy_from_slice(&self.evaluator.state);
        while let Some(time) = self.due_frame(end) {
            self.emit_frame(recorder, time, start, end, false)?;
            self.next_frame += 1;
            moved = true;
        }
        while self.next_probe < self.system.probes.len() && self.system.probes[self.next_probe] <= end {
            let time = self.system.probes[self.next_probe];
            self.emit_frame(recorder, time, start, end, true)?;
            self.next_probe += 1;
            moved = true;
        }
        if moved {
            self.evaluator.update(end, &self.end_state);
        }
        Ok(())
    }

    /// Frames and probes up to `time` have been recorded: every accepted step records its own.
    pub(super) fn skip_frames(&mut self, time: f64) {
        while self.next_frame as f64 * self.system.output_every <= time {
            self.next_frame += 1;
        }
        self.next_probe = self.system.probes.partition_point(|&probe| probe <= time);
    }

    /// Next frame's time if it has been reached. The end of the run is always a frame.
    fn due_frame(&self, end: f64) -> Option<f64> {
        let t_end = self.system.settings.t_end;
        let every = self.system.output_every;
        // A last frame that rounding puts a hair before the end is the end.
        let snap = |time: f64| if (time - t_end).abs() < 1e-9 * every { t_end } else { time };
        let time = snap(self.next_frame as f64 * every);
        let previous = if self.next_frame == 0 { -1.0 } else { snap((self.next_frame - 1) as f64 * every) };
        if time <= end {
            Some(time)
        } else if end == t_end && previous < t_end {
            Some(t_end)
        } else {
            None
        }
    }

    pub(super) fn emit_frame(
        &mut self,
        recorder: &mut dyn Recorder,
        time: f64,
        start: f64,
        end: f64,
        probe: bool,
    ) -> Result<(), Leave> {
        let theta = if end > start { ((time - start) / (end - start)).clamp(0.0, 1.0) } else { 1.0 };
        let quadratures = self.evaluator.quadratures();
        let growth = &mut self.growth[..quadratures];
        if end > start {
            if theta < 1.0 {
                let states = self.interpolated.len();
                self.stepper.interpolate(theta, 0..states, &mut self.interpolated);
                self.evaluator.update(time, &self.interpolated);
            } else {
                self.evaluator.update(time, self.stepper.trial());
            }
            self.stepper.quadrature(theta, growth);
        } else {
            growth.fill(0.0);
        }
        let integrals: Integrals = self.ledger.integrals.with(&self.evaluator, growth);
        let energy = self.ledger.accounts(&self.evaluator, integrals);
        self.body_states.clear();
        self.note_loads(time);
        let evaluator = &self.evaluator;
        kinematics::write_body_states(
            &self.system,
            &evaluator.state,
            &evaluator.bodies,
            &mut self.body_states,
        );
        self.contact_samples.clear();
        self.contact_samples.extend(self.evaluator.samples());
        self.areal_rows.clear();
        if !probe && self.patches_are_due(time) {
            self.evaluator.sample_areal(&mut self.areal_rows);
        }
        self.search_samples.clear();
        if !probe && self.system.records_searches {
            self.evaluator.sample_searches(&mut self.search_samples);
        }
        self.sample_mechanism(time)?;
        self.timed(|s| {
            let frame = Frame {
                time,
                bodies: &s.body_states,
                contacts: &s.contact_samples,
                patches: &s.areal_rows.patches,
                elements: &s.areal_rows.elements,
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
    fn patches_are_due(&self, time: f64) -> bool {
        let every = self.system.patches_every;
        every.is_some_and(|n| self.next_frame.is_multiple_of(n) || time == self.system.settings.t_end)
    }

    /// Joints, forces and constraints at the evaluator's present state. Reactions need accelerations: this costs one
    /// right-hand side, which is not counted among those of the steps.
    fn sample_mechanism(&mut self, time: f64) -> Result<(), RunError> {
        let info = &self.system.info;
        if info.joints.is_empty() && info.forces.is_empty() && info.constraints.is_empty() {
            return Ok(());
        }
        self.interpolated.copy_from_slice(&self.evaluator.state);
        let state = std::mem::take(&mut self.interpolated);
        let result = self.evaluator.accelerate(time, &state, &mut self.rates);
        self.interpolated = state;
        if result.is_err() {
            return Err(self.failure_of_right_hand_side());
        }
        self.evaluator.with_scene(|mechanism, scene, wrenches| {
            mechanism.sample_joints(scene, wrenches, &mut self.joint_samples);
            mechanism.sample_forces(scene, &mut self.force_samples);
            mechanism.sample_constraints(scene, &mut self.constraint_samples);
        });
        self.evaluator.add_stop_efforts(&mut self.joint_samples);
        self.note_recorded_tensions(time);
        Ok(())
    }

    /// Hands the new rows of the event log to the recorder.
    pub(super) fn emit_events(&mut self, recorder: &mut dyn Recorder) -> Result<(), Leave> {
        if self.log.is_empty() {
            return Ok(());
        }
        let log = std::mem::take(&mut self.log);
        let result = log.iter().try_for_each(|event| {
            self.count_begin(event);
            self.timed(|_| recorder.event(event))?;
            let ends = event.kind == EventKind::ContactEnd;
            if ends { self.emit_ended(recorder, event) } else { Ok(()) }
        });
        self.log = log;
        self.log.clear();
        self.noted_events = 0;
        result
    }

    fn count_begin(&mut self, event: &Event) {
        if event.kind == EventKind::ContactBegin {
            self.totals[self.evaluator.table.contact_info[event.contact].pair].begins += 1;
        }
    }
}
