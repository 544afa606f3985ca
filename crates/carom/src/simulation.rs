//! A run step by step.

use std::ops::ControlFlow;
use std::sync::Arc;

use carom_engine::{CheckpointError, LoadFunction, System};
use carom_results::tables::{Columns, Table};
use carom_results::{EventRow, MemoryMark, MemoryWriter, event_rows};

use crate::moment::{Camera, ContactLook, position};
use crate::{Error, Moment, Run, Study};

/// A run under way whose results stay in memory. It can be looked at, controlled, put back and branched off between any
/// two steps.
pub struct Simulation {
    study: Study,
    engine: carom_engine::Simulation<'static>,
    rows: MemoryWriter,
    /// Where the rows come from, the present branch last.
    branches: Vec<Branch>,
}

/// What has come of a part of a run that may be left at any of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its end was reached.
    Done,
    /// It was left before.
    Left,
}

/// A part of a run between two times at which it was put back.
struct Branch {
    id: Arc<()>,
    /// How far the rows are of it; `None` of the present one.
    end: Option<MemoryMark>,
}

/// A run at one time, to go on from with the same bits: in this simulation or any other of the same model.
#[derive(Clone)]
pub struct Snapshot {
    /// Hash of the model, whatever its end.
    model: String,
    engine: Vec<u8>,
    /// Those that were there when it was taken; none of one that was written.
    functions: Vec<Option<LoadFunction>>,
    branch: Arc<()>,
    rows: MemoryMark,
}

impl Simulation {
    pub(crate) fn new(study: &Study) -> Self {
        let engine = carom_engine::Simulation::shared(study.loaded().system.clone());
        Self { rows: study.memory(), study: study.clone(), engine, branches: vec![Branch::new()] }
    }

    /// Time (s).
    pub fn time(&self) -> f64 {
        self.engine.time()
    }

    /// End of the model (s).
    pub fn end(&self) -> f64 {
        self.study.loaded().model.solver.t_end
    }

    /// Makes one accepted step of the integrator, the same that a whole run makes; none at the end.
    pub fn step(&mut self) -> Result<f64, Error> {
        self.engine.step_toward(self.end(), &mut self.rows)?;
        Ok(self.time())
    }

    /// Goes on to a time (s), where a step ends exactly, beyond the model's end if need be. A time that is past is left alone.
    pub fn advance_to(&mut self, time: f64) -> Result<(), Error> {
        if !time.is_finite() {
            return Err(Error::Time(time));
        }
        Ok(self.engine.advance_to(time, &mut self.rows)?)
    }

    /// [`Self::advance_to`] a step at a time: after each one `look` gets the time and how many events there are, and may leave
    /// there. Going on to the same time gives the same bits as if nobody had looked.
    pub fn advance_while(
        &mut self,
        time: f64,
        look: &mut dyn FnMut(f64, usize) -> ControlFlow<()>,
    ) -> Result<Part, Error> {
        // What holds at the start is an event before the first step.
        self.advance_to(if time.is_finite() { time.min(0.0) } else { time })?;
        while self.time() < time {
            self.engine.step_toward(time, &mut self.rows)?;
            if look(self.time(), self.events()).is_break() {
                return Ok(if self.time() < time { Part::Left } else { Part::Done });
            }
        }
        Ok(Part::Done)
    }

    /// Number of events so far.
    pub fn events(&self) -> usize {
        self.rows.table(Table::Events).rows()
    }

    /// The events from one on, by its number in their order.
    pub fn events_since(&self, first: usize) -> Result<Vec<EventRow>, Error> {
        Ok(event_rows(self.rows.table(Table::Events))?.skip(first).collect())
    }

    /// What holds now. Looking changes nothing of the run.
    pub fn now(&mut self) -> Result<Moment<'_>, Error> {
        // A run that has not begun begins here: its first frame is a row like the others.
        self.engine.advance_to(0.0, &mut self.rows)?;
        let mut camera = Camera { scene: self.rows.scene(), moment: None };
        self.engine.observe(&mut camera)?;
        Ok(camera.moment.unwrap_or_else(|| unreachable!("an observation is one frame")))
    }

    /// Contacts that are closed or near, as rows of the table of contacts. Looking changes nothing of the run.
    pub fn contacts(&mut self) -> Result<Columns, Error> {
        self.engine.advance_to(0.0, &mut self.rows)?;
        let scene = self.rows.scene();
        let mut look = ContactLook { scene, rows: Columns::new(Table::Contacts.columns(scene)) };
        self.engine.observe(&mut look)?;
        Ok(look.rows)
    }

    /// The state: coordinates and velocities in the order of [`Self::state_names`], SI units.
    pub fn state(&self) -> &[f64] {
        self.engine.state()
    }

    /// What the values of a state are: `ball.x`, `elbow.angle`, `elbow.angle_rate` and so on
    /// ([`carom_engine::System::state_names`]).
    pub fn state_names(&self) -> Vec<String> {
        self.system().state_names()
    }

    /// Goes on from another state at the present time; before the first step, the run starts from it. It is put onto the
    /// constraints by the least motion ([`Self::state`] has what came of it); what it has more of energy is booked as work
    /// from outside. A state that is refused ([`Error::State`]) leaves the run as it is.
    pub fn set_state(&mut self, state: &[f64]) -> Result<(), Error> {
        Ok(self.engine.set_state(state, &mut self.rows)?)
    }

    /// Sets what the motor of a joint gives from now on, a force (N) or torque (N m), or of one of a given velocity that
    /// (m/s, rad/s), or where there is a servo and no motor its target (m, rad); `None` gives it back to the model. The motor is that of the joint's first axis, or that of another:
    /// `"arm"`, `"arm[1]"`.
    pub fn set_motor(&mut self, joint: &str, value: Option<f64>) -> Result<(), Error> {
        let joints = || self.system().info().joints.iter().map(|(name, _)| name.as_str());
        let (name, axis) = if joints().any(|name| name == joint) { (joint, 0) } else { axis_of(joint) };
        let index = position("joint", name, joints())?;
        let set = self.engine.set_motor(index, axis, value);
        set.map_err(|error| Error::Control { name: joint.to_owned(), error })
    }

    /// Sets the components of an applied force (N) or torque (N m), in the axes that the model states for it, from now on; of
    /// a spring the effort of its actuator, of an actuator its control, in the first place. `None` gives it back to the model.
    pub fn set_force(&mut self, force: &str, components: Option<[f64; 3]>) -> Result<(), Error> {
        let forces = &self.system().info().forces;
        let index = position("force element", force, forces.iter().map(|(name, _)| name.as_str()))?;
        let set = self.engine.set_load(index, components);
        set.map_err(|error| Error::Control { name: force.to_owned(), error })
    }

    /// Lets an applied force or torque follow a function of where its body is, from now on; `None` gives it back to the model.
    /// Components that are set ([`Self::set_force`]) go before it. A snapshot does not hold it: what goes on from one, follows the
    /// functions of the simulation that it goes on in.
    pub fn set_force_function(&mut self, force: &str, function: Option<LoadFunction>) -> Result<(), Error> {
        let forces = &self.system().info().forces;
        let index = position("force element", force, forces.iter().map(|(name, _)| name.as_str()))?;
        let set = self.engine.set_load_function(index, function);
        set.map_err(|error| Error::Control { name: force.to_owned(), error })
    }

    /// Takes a failure back whose cause was a function of a load and is gone ([`carom_engine::Simulation::take_failure_back`]): the run goes on from its
    /// last accepted step, if this is true.
    pub fn take_failure_back(&mut self) -> bool {
        self.engine.take_failure_back()
    }

    /// The run as it is now.
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        self.engine.advance_to(0.0, &mut self.rows)?;
        let branch = self.branches.last().map_or_else(Arc::default, |branch| branch.id.clone());
        let model = self.study.loaded().resume_hash.clone();
        let functions = self.engine.load_functions_mut().to_vec();
        Ok(Snapshot { model, engine: self.engine.checkpoint(), functions, branch, rows: self.rows.mark() })
    }

    /// Goes on from a snapshot. If this simulation has come by there, rows that were recorded since are gone; else, as from the
    /// snapshot of another simulation or of a branch that was left, its rows begin there.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        if snapshot.model != self.study.loaded().resume_hash {
            return Err(CheckpointError::Model.into());
        }
        let system = self.study.loaded().system.clone();
        let mut engine = carom_engine::Simulation::resume_shared(system, &snapshot.engine)?;
        adopt_functions(&mut engine, self.engine.load_functions_mut(), &snapshot.functions);
        self.engine = engine;
        match self.branches.iter().position(|branch| branch.has(snapshot)) {
            Some(index) => {
                self.rows.rewind(&snapshot.rows);
                self.branches.truncate(index + 1);
                self.branches[index].end = Some(snapshot.rows.clone());
            }
            None => {
                self.rows = self.study.memory();
                self.branches.clear();
            }
        }
        self.branches.push(Branch::new());
        Ok(())
    }

    /// Ends the run here: its results, and verdicts if this is the end of the model.
    pub fn finish(mut self) -> Result<Run, Error> {
        let outcome = self.engine.finish(&mut self.rows)?;
        let data = self.rows.finish(&outcome);
        self.study.ended(outcome, data)
    }

    fn system(&self) -> &Arc<System> {
        &self.study.loaded().system
    }
}

impl Snapshot {
    /// Everything but the rows that a simulation has recorded before it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let model = self.model.as_bytes();
        [&(model.len() as u64).to_le_bytes(), model, &self.engine].concat()
    }

    /// A snapshot that was written; simulations begin their rows where it goes on.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let damaged = || Error::from(CheckpointError::Length);
        let (length, rest) = bytes.split_first_chunk().ok_or_else(damaged)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged())?;
        let (model, engine) = rest.split_at_checked(length).ok_or_else(damaged)?;
        let model = String::from_utf8(model.to_vec()).map_err(|_| damaged())?;
        let (engine, branch, rows) = (engine.to_vec(), Arc::default(), MemoryMark::default());
        Ok(Self { model, engine, functions: Vec::new(), branch, rows })
    }
}

impl Branch {
    fn new() -> Self {
        Self { id: Arc::default(), end: None }
    }

    /// Are the rows before a snapshot those of this branch and of what it comes from?
    fn has(&self, snapshot: &Snapshot) -> bool {
        Arc::ptr_eq(&self.id, &snapshot.branch)
            && self.end.as_ref().is_none_or(|end| snapshot.rows.is_within(end))
    }
}

/// Gives a run that goes on from a checkpoint the functions of the one before it. Where they are others than those under which the
/// checkpoint was made, `before`, what acts may jump there.
fn adopt_functions(
    engine: &mut carom_engine::Simulation<'_>,
    functions: &[Option<LoadFunction>],
    before: &[Option<LoadFunction>],
) {
    engine.load_functions_mut().clone_from_slice(functions);
    for (force, function) in functions.iter().enumerate() {
        let old = before.get(force).unwrap_or(&None);
        if function != old {
            let set = engine.set_load_function(force, function.clone());
            set.unwrap_or_else(|error| unreachable!("it was set in this model before: {error}"));
        }
    }
}

/// `arm[1]` is axis 1 of `arm`.
fn axis_of(joint: &str) -> (&str, usize) {
    let with_axis = joint.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match with_axis.map(|(name, axis)| (name, axis.parse())) {
        Some((name, Ok(axis))) => (name, axis),
        _ => (joint, 0),
    }
}
