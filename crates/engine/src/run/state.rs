//! The state of a run, and a state that is set from outside: the run begins anew there, and its books go on.

use std::fmt;

use super::{Halt, Leave, Simulation, episode, failure, frames, integrator, neighbours};
use crate::contact::hold_bristles;
use crate::contact::{LEDGER_QUADRATURES, QUADRATURES, state_accounts};
use crate::mechanics::{Held, Workspace, states};
use crate::outcome::RunError;
use crate::record::Recorder;

/// Why a state cannot be set.
#[derive(Clone, Debug, PartialEq)]
pub enum StateError {
    /// It has another number of values than the system has states.
    Length {
        /// States of the system.
        wanted: usize,
        /// Values that were given.
        given: usize,
    },
    /// A value is not finite, or a quaternion is zero.
    NotFinite {
        /// Which, from 0.
        index: usize,
    },
    /// No state near it meets the constraints.
    Constraint(Box<RunError>),
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { wanted, given } => {
                write!(f, "the state has {wanted} values, and {given} were given")
            }
            Self::NotFinite { index } => {
                write!(f, "value {index} of the state is not finite, or is of a quaternion without length")
            }
            Self::Constraint(error) => {
                write!(f, "no state near the given one meets the constraints: {error}")
            }
        }
    }
}

impl std::error::Error for StateError {}

impl Simulation<'_> {
    /// The state of the last accepted step, before the first one that of the start: coordinates and velocities in the order of
    /// [`crate::System::state_names`], in SI units.
    pub fn state(&self) -> &[f64] {
        let state = self.stepper.state();
        // Bristles of contacts come after.
        if state.is_empty() { &self.system.mechanics.initial } else { &state[..self.system.states()] }
    }

    /// Goes on from another state at the present time, or starts from it. Quaternions are put to length one and the state onto
    /// the constraints, by the least motion in the metric of the mass matrix; [`Self::state`] has what came of it. Angles of joints
    /// that close loops are taken within half a turn of those at the model's start.
    ///
    /// Contacts that hold end here without a separation, and those that hold in the new state begin, as at the start of a
    /// run. What the new state has more of kinetic, potential and elastic energy is booked as work from outside. A state that
    /// is refused ([`Halt::State`]) leaves the run as it is.
    pub fn set_state(&mut self, state: &[f64], recorder: &mut dyn Recorder) -> Result<(), Halt> {
        if let Some(error) = &self.failure {
            return Err(Halt::Failed(error.clone()));
        }
        // What was set before is taken up before, so that its work is booked as its own.
        let begun = if self.started { self.begin(recorder) } else { Ok(()) };
        let taken = begun.map_err(Halt::from).and_then(|()| {
            let y = settled(self, state).map_err(Halt::State)?;
            let set = if self.started { put(self, &y, recorder) } else { self.start(&y, recorder) };
            Ok(set?)
        });
        if let Err(Halt::Failed(error)) = &taken {
            self.failure = Some(error.clone());
        }
        taken
    }
}

/// A state as a run can take it up.
fn settled(run: &Simulation<'_>, state: &[f64]) -> Result<Vec<f64>, StateError> {
    let mechanics = &*run.system.mechanics;
    if state.len() != mechanics.states() {
        return Err(StateError::Length { wanted: mechanics.states(), given: state.len() });
    }
    let mut y = state.to_vec();
    states::normalize(mechanics, &mut y);
    if let Some(index) = y.iter().position(|value| !value.is_finite()) {
        return Err(StateError::NotFinite { index });
    }
    let mut workspace = Workspace::new(Held::Lent(mechanics));
    workspace.controls.clone_from(&run.evaluator.workspace.controls);
    workspace.piece_end = run.evaluator.workspace.piece_end;
    let time = run.time();
    workspace.place(time, &y);
    workspace.hang_slack_cables();
    if workspace.mechanism.is_constrained() && !workspace.is_on_constraints(time, &y) {
        let settled = workspace.return_to_constraints(time, &mut y);
        settled.map_err(|misfit| StateError::Constraint(Box::new(failure::of_constraint(run, &misfit))))?;
    }
    Ok(y)
}

/// Ends what holds, and takes up a state at the present time.
fn put(run: &mut Simulation<'_>, y: &[f64], recorder: &mut dyn Recorder) -> Result<(), Leave> {
    episode::emit_open_episodes(run, recorder)?;
    let (time, present) = (run.time(), run.stepper.state().to_vec());
    run.evaluator.update(time, &present);
    let before = state_accounts(&run.evaluator);
    let mut held = Vec::new();
    hold_bristles(&run.evaluator, &present, &mut held);
    renew(run);
    run.held = held;
    run.take_up(y, time, recorder)?;
    run.ledger.put(&run.evaluator, before);
    frames::emit_events(run, recorder)
}

/// Forgets the state with all that follows from it. What is left is what has been counted, booked and set.
fn renew(run: &mut Simulation<'_>) {
    let fresh = Simulation::of(run.system.clone());
    let late = neighbours::late_pairs(run);
    let old = std::mem::replace(run, fresh);
    if !neighbours::recall_pairs(run, &late) {
        unreachable!("pairs that came up can come up again");
    }
    run.evaluator.areal = old.evaluator.areal;
    run.evaluator.evaluations = old.evaluator.evaluations;
    run.evaluator.workspace.controls = old.evaluator.workspace.controls;
    run.evaluator.workspace.piece_end = old.evaluator.workspace.piece_end;
    run.work_before = old.work_before + old.stepper.work();
    run.regime = old.regime;
    run.stepper = integrator::make_stepper(&run.system.settings, run.regime.current);
    run.stepper.reserve(LEDGER_QUADRATURES + QUADRATURES * run.evaluator.table.contacts.len());
    run.ledger = old.ledger;
    run.totals = old.totals;
    run.peaks = old.peaks;
    run.statistics = old.statistics;
    run.next_frame = old.next_frame;
    run.next_probe = old.next_probe;
    run.pieces = old.pieces;
    run.several = old.several;
    run.shrunk = old.shrunk;
    run.beyond = old.beyond;
    run.rated = old.rated;
    run.started = true;
    run.end = old.end;
    run.recording = old.recording;
    run.wall_before = old.wall_before;
}
