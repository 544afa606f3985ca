//! A run: steps, events, ledger and records, from a compiled system to an outcome.
//!
//! [`Simulation`] is the data of a run and its lifecycle. What a step goes through is a file of functions over it each:
//! `advance` makes one accepted step, `inside`, `locate`, `cable_search` look into it, `frames`, `peak`, `defect`, `episode` book
//! and record it, `regime`, `pieces`, `storm`, `neighbours` say what comes next, `failure` why nothing does.

mod advance;
mod archive;
mod balance;
mod beyond;
mod bristles;
mod by_parts;
mod cable;
mod cable_peak;
mod cable_search;
mod checkpoint;
mod control;
mod cost;
mod defect;
mod episode;
mod failure;
mod foresight;
mod frames;
mod inside;
mod integrator;
mod ledger;
mod locate;
mod look;
mod mesh_failure;
mod needed_depth;
mod neighbours;
mod peak;
mod peak_search;
mod pieces;
mod rated;
mod regime;
mod rigid;
mod rigid_search;
mod several;
mod shrunk;
mod state;
mod stepping;
mod storm;
mod through;
mod turned;
mod unfelt;

use std::sync::Arc;
use std::time::{Duration, Instant};

use carom_solvers::{Ode, Stepper, Tolerances, Work};

use crate::Note;
use crate::contact::commit;
use crate::contact::patches::{hit, regroup};
use crate::contact::regions;
use crate::contact::regions::sample::RegionRows;
use crate::contact::{
    ArealRows, Evaluator, HeldBristle, LEDGER_QUADRATURES, Neighbours, Observer, QUADRATURES,
};
use crate::contact::{add_bristle_tolerances, set_bristles};
use crate::mechanics::Held;
use crate::mechanics::states;
use crate::model::{IntegratorKind, Method};
use crate::outcome::{EndReason, Outcome, RunError};
use crate::record::{
    BodyState, ConstraintSample, ContactSample, Event, ForceSample, JointSample, PairTotals, RecordError,
    Recorder, SearchSample, Statistics, Switch,
};
use crate::system::System;
use ledger::Ledger;

pub use by_parts::Halt;
pub use checkpoint::CheckpointError;
pub use control::ControlError;
pub use state::StateError;

/// Accepted steps between looks at the clock.
const STEPS_PER_LOOK: u64 = 32;

/// Closed contacts for which buffers are made at the start; more of them make the buffers grow at an event.
const CONTACTS_RESERVED: usize = 256;

/// Why a run leaves its loop.
pub(crate) enum Stop {
    Finished,
    Interrupted,
    Failed(RunError),
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Self {
        Self::Failed(error)
    }
}

/// A run in progress. Everything that changes during it is here.
pub struct Simulation<'a> {
    system: Held<'a, System>,
    evaluator: Evaluator<'a>,
    observer: Observer,
    neighbours: Neighbours,
    stepper: Box<dyn Stepper>,
    regime: regime::Regime,
    /// Work of the integrators before this one.
    work_before: Work,
    ledger: Ledger,
    totals: Vec<PairTotals>,
    peaks: peak::PeakBook,
    cables: Vec<cable::Cable>,
    statistics: Statistics,
    /// Length of the next attempt (s).
    next_step: f64,
    /// Length that the fastest mode seen lately allows an explicit method (s).
    stable_step: f64,
    /// Energy that the projection of the attempted step has added (J).
    projected: f64,
    /// Number of accepted steps; contact memory is stamped with it.
    step_number: u64,
    next_frame: u64,
    next_probe: usize,
    /// Of runs by time stepping.
    stepping: Option<stepping::Stepping>,
    storm: storm::Storm,
    pieces: pieces::Pieces,
    /// Attempts of this step that were made for contacts which were not foreseen.
    attempts: u32,
    /// The break at which the attempted step must end at the latest (s).
    stop: f64,
    several: several::Several,
    shrunk: shrunk::Shrunk,
    balance: balance::Balance,
    beyond: beyond::Beyond,
    rated: Vec<rated::Rated>,
    started: bool,
    /// Time that steps lead to (s): the end of the model, or of a part of the run.
    end: f64,
    /// What is there where a run goes on has yet to be looked at: surfaces inside each other, and the pairs that have come up,
    /// of which whoever records what follows does not know.
    is_going_on: bool,
    /// Why no part of the run can follow.
    failure: Option<RunError>,
    /// A step is being entered in the books: what fails then leaves the run between two states.
    is_booking: bool,
    /// Rows of the event log that have been counted.
    noted_events: usize,
    /// Tolerances of the system, and of the bristles that are there.
    tolerances: Tolerances,
    /// Bristles while modes change; where a state has been set, those that it keeps.
    held: Vec<HeldBristle>,
    /// Buffers.
    log: Vec<Event>,
    switches: Vec<Switch>,
    growth: Vec<f64>,
    old_quadratures: Vec<Option<usize>>,
    interpolated: Vec<f64>,
    /// The state that an event leaves.
    taken_up: Vec<f64>,
    end_state: Vec<f64>,
    body_states: Vec<BodyState>,
    contact_samples: Vec<ContactSample>,
    areal_rows: ArealRows,
    region_rows: RegionRows,
    search_samples: Vec<SearchSample>,
    joint_samples: Vec<JointSample>,
    force_samples: Vec<ForceSample>,
    constraint_samples: Vec<ConstraintSample>,
    /// Rates of an evaluation that no step needs.
    rates: Vec<f64>,
    /// Time spent in the recorder, which is not the run's.
    recording: Duration,
    /// Wall time of the parts of the run before a restart (s).
    wall_before: f64,
}

impl Simulation<'static> {
    /// [`Simulation::new`] of a run that keeps its system alive.
    pub fn shared(system: Arc<System>) -> Self {
        Self::of(Held::Shared(system))
    }
}

impl<'a> Simulation<'a> {
    /// A run from the model's start.
    pub fn new(system: &'a System) -> Self {
        Self::of(Held::Lent(system))
    }

    fn of(held: Held<'a, System>) -> Self {
        let system = &*held;
        let has_rigid = system.partners.lines.iter().any(|line| line.method == Method::Nonsmooth)
            || system.table.has_rigid();
        let regime = regime::Regime::new(&system.settings, has_rigid);
        let mut stepper = integrator::make_stepper(&system.settings, regime.current);
        let contacts = system.table.contacts.len();
        let closed = contacts.min(CONTACTS_RESERVED);
        stepper.reserve(LEDGER_QUADRATURES + QUADRATURES * closed);
        Self {
            system: held.clone(),
            evaluator: Evaluator::of(held.clone()),
            observer: Observer::new(system),
            neighbours: Neighbours::new(system),
            stepper,
            regime,
            work_before: Work::default(),
            ledger: Ledger::default(),
            totals: vec![peak::UNTOUCHED; system.table.pairs.len()],
            peaks: peak::PeakBook::new(&system.table),
            cables: cable::cables_of(system),
            statistics: Statistics::default(),
            next_step: f64::INFINITY,
            stable_step: f64::INFINITY,
            projected: 0.0,
            step_number: 0,
            next_frame: 0,
            next_probe: 0,
            stepping: (system.settings.method == IntegratorKind::Moreau)
                .then(|| stepping::Stepping::new(system)),
            storm: storm::Storm::default(),
            pieces: pieces::Pieces::default(),
            attempts: 0,
            stop: f64::INFINITY,
            several: several::Several::default(),
            shrunk: shrunk::Shrunk::default(),
            balance: balance::Balance::default(),
            beyond: beyond::Beyond::default(),
            rated: rated::Rated::all(system),
            started: false,
            end: system.settings.t_end,
            is_going_on: false,
            failure: None,
            is_booking: false,
            noted_events: 0,
            tolerances: system.tolerances.clone(),
            held: Vec::new(),
            log: Vec::with_capacity(contacts + 1),
            switches: Vec::with_capacity(1),
            growth: vec![0.0; LEDGER_QUADRATURES + QUADRATURES * contacts],
            old_quadratures: Vec::with_capacity(LEDGER_QUADRATURES + QUADRATURES * closed),
            interpolated: vec![0.0; system.states()],
            taken_up: Vec::with_capacity(system.states()),
            end_state: vec![0.0; system.states()],
            body_states: Vec::with_capacity(system.mechanics.bodies.len()),
            contact_samples: Vec::with_capacity(contacts),
            areal_rows: ArealRows::default(),
            region_rows: RegionRows::default(),
            search_samples: Vec::new(),
            joint_samples: Vec::with_capacity(system.mechanics.joints.len()),
            force_samples: Vec::with_capacity(system.mechanics.forces.len()),
            constraint_samples: Vec::with_capacity(system.info.constraints.len()),
            rates: vec![0.0; system.states()],
            recording: Duration::ZERO,
            wall_before: 0.0,
        }
    }

    /// Runs to the end, to a failure, or until the recorder breaks off. An error is the recorder's.
    pub fn run(&mut self, recorder: &mut dyn Recorder) -> Result<Outcome, RecordError> {
        let clock = Instant::now();
        self.recording = Duration::ZERO;
        let stop = match self.run_steps(recorder, clock) {
            Ok(stop) => stop,
            Err(Leave::Stop(stop)) => stop,
            Err(Leave::Record(error)) => return Err(error),
        };
        // What holds where a run is interrupted goes on.
        if !matches!(stop, Stop::Interrupted)
            && let Err(Leave::Record(error)) = episode::emit_open_episodes(self, recorder)
        {
            return Err(error);
        }
        self.read_clock(clock);
        let end = match stop {
            Stop::Finished => EndReason::Finished,
            Stop::Interrupted => EndReason::Interrupted,
            Stop::Failed(error) => EndReason::Failed(error),
        };
        Ok(self.outcome(end))
    }

    fn run_steps(&mut self, recorder: &mut dyn Recorder, clock: Instant) -> Result<Stop, Leave> {
        self.end = self.system.settings.t_end;
        // Every call may have a recorder of its own.
        self.is_going_on = self.started;
        self.begin(recorder)?;
        let mut looked = look::Look::at(self);
        while self.stepper.time() < self.end {
            advance::make_step(self, recorder)?;
            if self.statistics.steps.is_multiple_of(STEPS_PER_LOOK) {
                self.evaluator.forget_rates();
                self.read_clock(clock);
                let now = looked.progress(self);
                if recorder.wants_checkpoint() {
                    self.timed(|s| recorder.checkpoint(&s.checkpoint()))?;
                }
                if recorder.progress(&now).is_break() {
                    self.timed(|s| recorder.checkpoint(&s.checkpoint()))?;
                    return Ok(Stop::Interrupted);
                }
            }
        }
        Ok(Stop::Finished)
    }

    /// Starts the run if it has not, and goes on from what was set since its last step.
    fn begin(&mut self, recorder: &mut dyn Recorder) -> Result<(), Leave> {
        if !self.started {
            let mut y = self.system.mechanics.initial.clone();
            // What was set before is there from the start.
            self.take_set_speeds(0.0, &mut y)?;
            return self.start(&y, recorder);
        }
        if std::mem::take(&mut self.is_going_on) {
            mesh_failure::check_containment(self)?;
            neighbours::announce_late_pairs(self, recorder)?;
        }
        Ok(self.take_controls()?)
    }

    /// Takes up the state at which the run starts; opens the ledger; first frame.
    fn start(&mut self, y: &[f64], recorder: &mut dyn Recorder) -> Result<(), Leave> {
        self.take_up(y, 0.0, recorder)?;
        self.ledger = Ledger::open(&self.evaluator);
        self.started = true;
        frames::emit_events(self, recorder)?;
        frames::emit_frames(self, recorder, 0.0, 0.0)
    }

    /// Contacts and cables at a state of which nothing is remembered, first derivatives, first step.
    fn take_up(&mut self, y: &[f64], t: f64, recorder: &mut dyn Recorder) -> Result<(), Leave> {
        cable::start_cables(self, t, y)?;
        self.evaluator.update(t, y);
        neighbours::meet_neighbours(self, recorder)?;
        if self.stepping.is_some() {
            return self.take_up_stepping(y, t);
        }
        commit::commit_start(&mut self.evaluator, t, &mut self.log);
        self.observer.commit_mesh_start(&mut self.evaluator, t, &mut self.log);
        self.observer.commit_watch(&mut self.evaluator, 0);
        self.evaluator.rebuild_active();
        regions::group_at_start(&mut self.evaluator);
        regroup::group_at_start(&mut self.evaluator);
        self.evaluator.rebuild_active();
        let mut y = y.to_vec();
        rigid::settle_contacts(self, t, &mut y, (None, false))?;
        set_bristles(&self.evaluator, &mut y, &std::mem::take(&mut self.held));
        self.restart(&y, t)?;
        defect::note_stored(self);
        self.next_step = self.first_step();
        Ok(())
    }

    /// A state from which time stepping goes on: contacts begin in the step in which they press.
    fn take_up_stepping(&mut self, y: &[f64], t: f64) -> Result<(), Leave> {
        self.evaluator.contacts.active.clear();
        stepping::forget_motion(self);
        self.restart(y, t)?;
        self.next_step = self.first_step();
        Ok(())
    }

    /// Starts the integrator anew at a state; contacts may have changed. The next step is one that it can start with.
    fn restart(&mut self, y: &[f64], t: f64) -> Result<(), RunError> {
        self.fit_to_contacts();
        let mut started = self.stepper.restart(&mut self.evaluator, t, y);
        if started.is_ok() && hit::take_fresh_hits(&mut self.evaluator, t) {
            started = self.stepper.restart(&mut self.evaluator, t, y);
        }
        let tolerances = &self.tolerances;
        match started.and_then(|()| self.stepper.starting_step(&mut self.evaluator, tolerances)) {
            Err(_) => return Err(failure::of_right_hand_side(self)),
            Ok(step) if step.is_finite() => {
                self.next_step = self.next_step.min(step);
                // It was found by looking ahead.
                self.evaluator.update(t, y);
            }
            Ok(_) => {}
        }
        cable_peak::note_fresh_loads(self, t, y)?;
        // Time stepping has forces of steps alone.
        if self.stepping.is_none() {
            peak::note_fresh_loads(self, t);
        }
        Ok(())
    }

    /// Fits tolerances and buffers to the states that there are with the contacts' bristles.
    fn fit_to_contacts(&mut self) {
        let groups = &mut self.tolerances.groups;
        groups.truncate(self.system.tolerances.groups.len());
        add_bristle_tolerances(&self.evaluator, groups);
        let states = self.evaluator.dimension();
        for buffer in [&mut self.interpolated, &mut self.end_state, &mut self.rates] {
            buffer.resize(states, 0.0);
        }
    }

    /// First step: the state leaves its tolerance by a fraction that the error estimate resolves
    /// (Matlab's ode45), and the integrator can start with it.
    fn first_step(&self) -> f64 {
        let settings = &self.system.settings;
        if let Some(h) = settings.h_first.or(settings.fixed_step()) {
            return h.min(self.step_limit());
        }
        let (rates, state) = (self.stepper.rates(), self.stepper.state());
        let fastest = self.tolerances.ratio(rates, state) * settings.rtol;
        let h = if fastest > 0.0 { 0.8 * libm::pow(settings.rtol, 0.2) / fastest } else { f64::INFINITY };
        h.min(self.next_step).min(self.step_limit())
    }

    /// Largest step: the user's.
    fn step_limit(&self) -> f64 {
        self.system.settings.h_max.unwrap_or(f64::INFINITY)
    }

    fn outcome(&mut self, end: EndReason) -> Outcome {
        self.count_work();
        let mut state = std::mem::take(&mut self.end_state);
        state.clear();
        // With the bristles, as the run may go on.
        let taken = self.stepper.state();
        state.extend_from_slice(if taken.is_empty() { self.state() } else { taken });
        self.evaluator.update(self.stepper.time(), &state);
        let bodies = states::body_states(&self.system.mechanics, &state, &self.evaluator.workspace.bodies);
        self.end_state = state;
        Outcome {
            end,
            time: self.stepper.time(),
            statistics: self.statistics,
            energy: self.ledger.last,
            residual_relative: self.ledger.residual_relative(),
            energy_moved: self.ledger.moved,
            energy_reference: self.ledger.reference(),
            bodies,
            pairs: self.totals.clone(),
            lines: self.peaks.lines.clone(),
            warnings: self
                .system
                .notes
                .iter()
                .cloned()
                .chain(failure::warnings_of_depth(self))
                .chain(through::warnings(self).chain(defect::warnings(self)).chain(turned::warnings(self)))
                .chain(self.system.settings.fixed_step().and_then(|step| self.shrunk.warning(step)))
                .chain(warning_of_fixed_steps(self))
                .chain(rated::warnings(self))
                .chain(rigid::warning_of_corrections(self))
                .chain(self.several.warning(|contact| rigid::contact_name(self, contact)))
                .chain(self.stepping.iter().flat_map(|stepping| stepping.warnings(&self.system)))
                .chain(ledger::warning(self))
                .chain(failure::warnings_of_coarse_patches(self))
                .map(|note| note.text())
                .collect(),
        }
    }

    /// Runs a call to the recorder off the run's clock.
    fn timed<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, RecordError>) -> Result<T, Leave> {
        let clock = Instant::now();
        let result = call(self).map_err(Leave::Record);
        self.recording += clock.elapsed();
        result
    }

    fn count_work(&mut self) {
        let work = self.work_before + self.stepper.work();
        self.statistics.rhs = self.evaluator.evaluations;
        self.statistics.jacobians = work.jacobians;
        self.statistics.factorizations = work.factorizations;
        self.statistics.newton_iterations = work.iterations;
    }

    fn read_clock(&mut self, clock: Instant) {
        self.count_work();
        self.statistics.wall_s = self.wall_before + (clock.elapsed() - self.recording).as_secs_f64();
    }
}

/// What ends the loop of steps early.
pub(crate) enum Leave {
    Stop(Stop),
    Record(RecordError),
}

impl From<RunError> for Leave {
    fn from(error: RunError) -> Self {
        Self::Stop(Stop::Failed(error))
    }
}

/// W0511, where fixed steps were too long for the tolerances.
fn warning_of_fixed_steps(run: &Simulation<'_>) -> Option<Note> {
    run.beyond.warning(run.system.settings.fixed_step()?, run.statistics.steps)
}
