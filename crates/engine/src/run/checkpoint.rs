//! The whole state of a run as bytes, and back, with the same bits afterwards.

use std::fmt;
use std::sync::Arc;

use carom_solvers::WrongMemory;

use super::Simulation;
use super::archive::Archive;
use super::peak::Moment;
use super::{defect, frames, integrator, neighbours};
use crate::contact::ContactMemory;
use crate::contact::areal;
use crate::contact::branch::Branch;
use crate::contact::rigid::{Hold, Holding};
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::{Controls, Held};
use crate::record::{BaseTriangle, ContactMode, Energy, Jump, Peak, Peaks};
use crate::system::{PairSource, System};

/// First word of an image: format and version.
const MAGIC: u64 = 0x4341_524f_4d00_0024;

/// A checkpoint that does not belong to this system, or is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointError {
    /// Not a checkpoint of this version.
    Format,
    /// Made by another model: bodies or contacts differ in number, or the integrator.
    Model,
    /// Ends early, or goes on past its end.
    Length,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => "this is no checkpoint of this version of Carom",
            Self::Model => "the checkpoint was made by another model",
            Self::Length => "the checkpoint is damaged: its length is wrong",
        })
    }
}

impl std::error::Error for CheckpointError {}

impl Simulation<'static> {
    /// [`Simulation::resume`] of a run that keeps its system alive.
    pub fn resume_shared(system: Arc<System>, bytes: &[u8]) -> Result<Self, CheckpointError> {
        Self::resume_of(Held::Shared(system), bytes)
    }
}

impl<'a> Simulation<'a> {
    /// Length of a checkpoint's end that holds the wall time so far. All before it are the same bytes for two runs of
    /// one model, and for a run that was resumed on the way.
    pub const CLOCK_BYTES: usize = size_of::<f64>();

    /// Image of the run after its last accepted step.
    pub fn checkpoint(&mut self) -> Vec<u8> {
        // What no image holds must not make a difference.
        self.evaluator.forget_rates();
        let mut archive = Archive::Write(Vec::new());
        let mut image = self.image();
        self.visit(&mut archive, &mut image);
        match archive {
            Archive::Write(bytes) => bytes,
            Archive::Read { .. } => unreachable!("it was made to write"),
        }
    }

    /// The run that an image was taken of. The end time and the output of the system may differ.
    pub fn resume(system: &'a System, bytes: &[u8]) -> Result<Self, CheckpointError> {
        Self::resume_of(Held::Lent(system), bytes)
    }

    fn resume_of(held: Held<'a, System>, bytes: &[u8]) -> Result<Self, CheckpointError> {
        let mut simulation = Self::of(held.clone());
        let system = &*held;
        let mut image = simulation.image();
        let expected = [image.magic, image.bodies, image.contacts, image.integrator];
        let mut archive = Archive::Read { bytes, at: 0, short: false };
        simulation.visit(&mut archive, &mut image);
        if image.magic != expected[0] {
            return Err(CheckpointError::Format);
        }
        if [image.bodies, image.contacts, image.integrator] != expected[1..] {
            return Err(CheckpointError::Model);
        }
        let whole = matches!(archive, Archive::Read { at, short: false, .. } if at == bytes.len());
        if !whole {
            return Err(CheckpointError::Length);
        }
        if simulation.stepping.is_none() {
            simulation.evaluator.rebuild_active();
        }
        let quadratures = carom_solvers::Ode::quadratures(&simulation.evaluator);
        if image.state.len() != carom_solvers::Ode::dimension(&simulation.evaluator)
            || simulation.observer.path.len() != system.mechanics.bodies.len()
            || simulation.observer.path_in_tree.len() != system.mechanics.bodies.len()
            || simulation.neighbours.path.len() != system.mechanics.bodies.len()
            || simulation.evaluator.workspace.angles.len() != system.mechanics.angles
        {
            return Err(CheckpointError::Length);
        }
        simulation.fit_to_contacts();
        simulation.stepper = integrator::make_stepper(&system.settings, simulation.regime.current);
        let resumed = simulation.stepper.resume(quadratures, image.time, &image.state, &image.memory);
        resumed.map_err(|WrongMemory| CheckpointError::Length)?;
        frames::skip_frames(&mut simulation, image.time);
        simulation.evaluator.update(image.time, &image.state);
        // What is stored was saved: the last evaluation of an implicit step is not quite that of the state it ends.
        defect::note_elements(&mut simulation);
        // What resuming has searched for does not count.
        if !areal::work::recall_searches(&mut simulation.evaluator, &image.searches) {
            return Err(CheckpointError::Length);
        }
        simulation.wall_before = simulation.statistics.wall_s;
        simulation.started = true;
        simulation.is_going_on = true;
        Ok(simulation)
    }

    fn image(&mut self) -> Image {
        let mut memory = Vec::new();
        self.stepper.memory(&mut memory);
        Image {
            magic: MAGIC,
            bodies: self.system.mechanics.bodies.len() as u64,
            contacts: self.system.table.contacts.len() as u64,
            late_pairs: neighbours::late_pairs(self),
            integrator: integrator::number(&self.system.settings),
            time: self.stepper.time(),
            state: self.stepper.state().to_vec(),
            memory,
            searches: areal::work::search_numbers(&mut self.evaluator),
        }
    }

    fn visit(&mut self, archive: &mut Archive<'_>, image: &mut Image) {
        archive.u64(&mut image.magic);
        archive.u64(&mut image.bodies);
        archive.u64(&mut image.contacts);
        archive.numbers(&mut image.late_pairs);
        archive.check(neighbours::recall_pairs(self, &image.late_pairs));
        archive.numbers(&mut self.neighbours.path);
        archive.u64(&mut image.integrator);
        archive.f64(&mut image.time);
        archive.numbers(&mut image.state);
        archive.numbers(&mut image.memory);
        archive.numbers(&mut image.searches);
        self.regime.visit(archive);
        let w = &mut self.work_before;
        for count in [&mut w.jacobians, &mut w.factorizations, &mut w.iterations] {
            archive.u64(count);
        }
        visit_controls(archive, &mut self.evaluator.workspace.controls);
        archive.f64(&mut self.next_step);
        self.balance.visit(archive);
        archive.f64(&mut self.stable_step);
        archive.u64(&mut self.step_number);
        archive.f64(&mut self.storm.since);
        archive.u64(&mut self.storm.events);
        archive.f64(&mut self.pieces.next);
        archive.f64(&mut self.pieces.clear_to);
        archive.u64(&mut self.several.events);
        archive.f64(&mut self.several.first);
        let mut contacts: Vec<f64> = self.several.contacts.iter().map(|&contact| contact as f64).collect();
        archive.numbers(&mut contacts);
        self.several.contacts = contacts.iter().map(|&contact| contact as usize).collect();
        archive.numbers(&mut self.several.state);
        archive.u64(&mut self.shrunk.steps);
        archive.f64(&mut self.shrunk.first);
        archive.f64(&mut self.shrunk.shortest);
        archive.u64(&mut self.beyond.steps);
        archive.f64(&mut self.beyond.first);
        archive.f64(&mut self.beyond.worst);
        archive.f64(&mut self.beyond.worst_at);
        for rated in &mut self.rated {
            archive.f64(&mut rated.greatest);
            archive.f64(&mut rated.at);
        }
        archive.numbers(&mut self.observer.path);
        archive.numbers(&mut self.observer.path_in_tree);
        self.observer.path_of_coordinates.iter_mut().flatten().for_each(|path| archive.f64(path));
        archive.numbers(&mut self.evaluator.workspace.angles);
        self.evaluator.workspace.mechanism.holds.iter_mut().for_each(|holds| archive.bool(holds));
        let s = &mut self.statistics;
        for count in
            [&mut s.steps, &mut s.rejected, &mut s.events, &mut s.looks, &mut self.evaluator.evaluations]
        {
            archive.u64(count);
        }
        for count in [&mut s.impacts, &mut s.scaled_impacts, &mut s.contact_iterations] {
            archive.u64(count);
        }
        self.visit_ledger(archive);
        for totals in &mut self.totals {
            visit_peaks(archive, &mut totals.peaks);
            visit_peak(archive, &mut totals.least_force);
            archive.f64(&mut totals.impulse_normal);
            archive.f64(&mut totals.dissipated);
            archive.u64(&mut totals.begins);
            archive.f64(&mut totals.model_defect);
            visit_jump(archive, &mut totals.worst_jump);
        }
        for line in &mut self.peaks.lines {
            visit_peak(archive, &mut line.force);
            visit_peak(archive, &mut line.least_force);
        }
        for moment in &mut self.peaks.moments {
            visit_moment(archive, moment);
        }
        for memory in &mut self.evaluator.contacts.memory {
            visit_memory(archive, memory);
        }
        let contacts = &mut self.evaluator.contacts;
        contacts.certificates.iter_mut().for_each(|certificate| archive.f64(certificate));
        for (cache, pair) in contacts.caches.iter_mut().zip(&self.evaluator.table.pairs) {
            if matches!(pair.source, PairSource::Convex(_)) {
                cache.visit_numbers(&mut |number| archive.f64(number));
            }
        }
        for (book, pair) in contacts.books.iter_mut().zip(&self.evaluator.table.pairs) {
            if matches!(pair.source, PairSource::Areal(_)) {
                let mut numbers = book.numbers();
                archive.numbers(&mut numbers);
                archive.check(book.recall(&numbers));
            }
        }
        for (book, pair) in contacts.region_books.iter_mut().zip(&self.evaluator.table.pairs) {
            if matches!(pair.source, PairSource::Regions(_)) {
                let mut numbers = book.numbers();
                archive.numbers(&mut numbers);
                archive.check(book.recall(&numbers));
            }
        }
        if let Some(stepping) = &mut self.stepping {
            stepping.visit(archive);
        }
        // Last, as the one number that two runs do not share: `CLOCK_BYTES`.
        archive.f64(&mut self.statistics.wall_s);
    }

    fn visit_ledger(&mut self, archive: &mut Archive<'_>) {
        let ledger = &mut self.ledger;
        let i = &mut ledger.integrals;
        for value in [
            &mut i.normal,
            &mut i.friction,
            &mut i.viscous,
            &mut i.motors,
            &mut i.external,
            &mut i.projection,
            &mut i.impact,
            &mut i.shared_elastic_work,
        ] {
            archive.f64(value);
        }
        for value in [
            &mut ledger.start,
            &mut ledger.start_shared,
            &mut ledger.moved,
            &mut ledger.passed,
            &mut ledger.present,
            &mut ledger.kinetic,
            &mut ledger.resolution,
            &mut ledger.worst,
        ] {
            archive.f64(value);
        }
        let Energy {
            kinetic,
            gravity,
            springs,
            contact_elastic,
            work_motors,
            work_external,
            dissipated_normal,
            dissipated_friction,
            dissipated_viscous,
            dissipated_impact,
            projection,
            model_defect,
            residual,
        } = &mut ledger.last;
        for value in [
            kinetic,
            gravity,
            springs,
            contact_elastic,
            work_motors,
            work_external,
            dissipated_normal,
            dissipated_friction,
            dissipated_viscous,
            dissipated_impact,
            projection,
            model_defect,
            residual,
        ] {
            archive.f64(value);
        }
    }
}

/// What an image holds beside the simulation's own fields.
struct Image {
    magic: u64,
    bodies: u64,
    contacts: u64,
    /// Surfaces of the pairs that came up during the run, two numbers a pair.
    late_pairs: Vec<f64>,
    integrator: u64,
    time: f64,
    state: Vec<f64>,
    /// The integrator's.
    memory: Vec<f64>,
    /// Counters and lists of areal contacts.
    searches: Vec<f64>,
}

fn visit_peak(archive: &mut Archive<'_>, peak: &mut Peak) {
    archive.f64(&mut peak.value);
    archive.f64(&mut peak.time);
}

fn visit_peaks(archive: &mut Archive<'_>, peaks: &mut Peaks) {
    for peak in [&mut peaks.force, &mut peaks.penetration, &mut peaks.pressure] {
        visit_peak(archive, peak);
    }
}

fn visit_moment(archive: &mut Archive<'_>, moment: &mut Option<Moment>) {
    let mut known = moment.is_some();
    archive.bool(&mut known);
    if !known {
        *moment = None;
        return;
    }
    for body in moment.get_or_insert([BodyKinematics::REST; 2]) {
        body.pose.rotation.iter_mut().for_each(|x| archive.f64(x));
        archive.vec3(&mut body.pose.translation);
        archive.vec3(&mut body.velocity);
        archive.vec3(&mut body.angular_velocity);
    }
}

fn visit_controls(archive: &mut Archive<'_>, controls: &mut Controls) {
    let efforts = controls.motors.iter_mut().flatten();
    let mut visit = |is_set: &mut bool, values: &mut [f64]| {
        archive.bool(is_set);
        values.iter_mut().filter(|_| *is_set).for_each(|value| archive.f64(value));
    };
    for effort in efforts {
        let (mut is_set, mut value) = (effort.is_some(), [effort.unwrap_or(0.0)]);
        visit(&mut is_set, &mut value);
        *effort = is_set.then_some(value[0]);
    }
    for load in &mut controls.loads {
        let (mut is_set, mut values) = (load.is_some(), load.unwrap_or_default());
        visit(&mut is_set, &mut values);
        *load = is_set.then_some(values);
    }
    archive.bool(&mut controls.is_new);
    archive.bool(&mut controls.has_new_speed);
}

fn visit_jump(archive: &mut Archive<'_>, jump: &mut Jump) {
    archive.f64(&mut jump.energy);
    archive.f64(&mut jump.time);
    let mut known = jump.triangle.is_some();
    let mut at = jump.triangle.unwrap_or(BaseTriangle { on_a: false, triangle: 0 });
    archive.bool(&mut known);
    archive.bool(&mut at.on_a);
    archive.u32(&mut at.triangle);
    jump.triangle = known.then_some(at);
}

fn visit_memory(archive: &mut Archive<'_>, memory: &mut ContactMemory) {
    let mut mode = memory.mode as u64;
    archive.u64(&mut mode);
    memory.mode = match mode {
        1 => ContactMode::Closed,
        2 => ContactMode::Released,
        3 => ContactMode::Latched,
        _ => ContactMode::Open,
    };
    for value in [
        &mut memory.frozen_approach,
        &mut memory.frozen_damping,
        &mut memory.grip_damping,
        &mut memory.begin,
        &mut memory.end,
        &mut memory.lasted,
        &mut memory.calm_since,
        &mut memory.impulse_normal,
        &mut memory.begin_speed,
        &mut memory.lag,
        &mut memory.stored,
        &mut memory.gap,
        &mut memory.approach,
    ] {
        archive.f64(value);
    }
    archive.f64(&mut memory.unfelt);
    archive.bool(&mut memory.watched);
    archive.bool(&mut memory.clipped);
    memory.triangles.iter_mut().for_each(|triangle| archive.u32(triangle));
    archive.u32(&mut memory.face);
    visit_peaks(archive, &mut memory.peaks);
    for load in [&mut memory.load, &mut memory.load_before] {
        for value in [&mut load.force, &mut load.depth, &mut load.rate, &mut load.pressure] {
            archive.f64(value);
        }
        let Branch { force, depth, pressure } = &mut load.branch;
        [force, depth, pressure].into_iter().for_each(|branch| archive.u32(branch));
    }
    archive.u32(&mut memory.quick_bounces);
    archive.bool(&mut memory.touching);
    archive.vec3(&mut memory.impulse_tangential);
    archive.vec3(&mut memory.normal);
    archive.u64(&mut memory.evaluated_at);
    visit_hold(archive, &mut memory.hold);
}

fn visit_hold(archive: &mut Archive<'_>, hold: &mut Hold) {
    let mut number = Holding::ALL.iter().position(|&holding| holding == hold.holding).unwrap_or(0);
    archive.usize(&mut number);
    archive.check(number < Holding::ALL.len());
    hold.holding = Holding::ALL.get(number).copied().unwrap_or_default();
    archive.vec3(&mut hold.tangent);
    archive.vec3(&mut hold.direction);
    archive.bool(&mut hold.is_slipping);
    archive.f64(&mut hold.ends_at);
    hold.multipliers.iter_mut().for_each(|force| archive.f64(force));
    archive.u32(&mut hold.doubts);
}
