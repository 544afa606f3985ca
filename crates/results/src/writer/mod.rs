//! Writes a run folder while the engine runs.

#[cfg(test)]
mod damage_tests;
mod finish;
mod recover;
mod resume;
mod stop;
#[cfg(test)]
mod tests;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use carom_engine::Recorder;
use carom_engine::record::{
    ContactInfo, ElementSample, Episode, Event, Frame, JointSample, PairInfo, PatchSample, Progress,
    RecordError, RunInfo, StepRow, Switch,
};

pub use recover::{Recovered, recover};

use crate::checkpoint;
use crate::files;
use crate::log::Log;
use crate::manifest::{FinalJoint, Manifest, Provenance};
use crate::store::Stream;
use crate::tables::{
    Table, contacts, elements, energy, episodes, events, patches, probes, searches, states, steps,
};
use crate::{Error, Level, Scene, layout};
use stop::Stop;

/// Rows reach the operating system at least this often.
const FLUSH_EVERY: Duration = Duration::from_secs(1);
/// Wall time between checkpoints.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);

/// What a front end knows about a run before it starts.
#[derive(Clone, Debug)]
pub struct RunRequest<'a> {
    /// The run folder, exactly.
    pub dir: &'a Path,
    /// Names, from the engine.
    pub info: &'a RunInfo,
    /// Program, model hash, command, machine, solver.
    pub provenance: Provenance,
    /// Contents of the model file.
    pub model_toml: &'a str,
    /// The resolved model.
    pub resolved_json: &'a str,
}

/// Called at accepted steps; `Break` asks for a clean stop that can be resumed.
pub type ProgressHook = Box<dyn FnMut(&Progress) -> ControlFlow<()> + Send>;

/// Receives a run from the engine and writes it to its folder.
pub struct RunWriter {
    dir: PathBuf,
    manifest: Manifest,
    scene: Scene,
    streams: Streams,
    last_joints: LastJoints,
    log: Log,
    started: Instant,
    flushed: Instant,
    checkpointed: Instant,
    checkpoint_every: Duration,
    hook: Option<ProgressHook>,
    stop: Stop,
}

/// Joints at the last output time.
#[derive(Default)]
struct LastJoints {
    time: f64,
    joints: Vec<JointSample>,
}

impl LastJoints {
    fn keep(&mut self, frame: &Frame<'_>) {
        self.time = frame.time;
        self.joints.clear();
        self.joints.extend_from_slice(frame.joints);
    }

    /// Those at `time`; none if that was no output time.
    fn at(&self, time: f64, scene: &Scene) -> Vec<FinalJoint> {
        let joints = if self.time == time { &self.joints[..] } else { &[] };
        scene.joints.iter().zip(joints).map(|(joint, sample)| FinalJoint::new(joint.kind, sample)).collect()
    }
}

/// One stream per table, in the order of [`Table::ALL`].
struct Streams([Stream; Table::ALL.len()]);

impl Streams {
    fn of(&mut self, table: Table) -> &mut Stream {
        &mut self.0[table as usize]
    }
}

impl RunWriter {
    /// Starts a run in its folder, which is created; files of an earlier run in it are replaced.
    pub fn create(request: RunRequest<'_>) -> Result<Self, Error> {
        let dir = request.dir;
        fs::create_dir_all(dir).map_err(Error::write(dir))?;
        remove_run_files(dir)?;
        let scene = Scene::new(request.info);
        let manifest = Manifest::started(&request.info.model, request.provenance.clone(), scene.clone());
        let about = manifest.about();
        let stream =
            |table: Table| Stream::create(&dir.join(table.stream_file()), table.columns(&scene), &about);
        let streams = Streams([
            stream(Table::States)?,
            stream(Table::Contacts)?,
            stream(Table::Events)?,
            stream(Table::Energy)?,
            stream(Table::Steps)?,
            stream(Table::Probes)?,
            stream(Table::Patches)?,
            stream(Table::Elements)?,
            stream(Table::Searches)?,
            stream(Table::Episodes)?,
        ]);
        let mut writer = Self::assemble(dir, manifest, scene, streams)?;
        write_model(&request)?;
        writer.manifest.note_files(dir)?;
        writer.manifest.write(dir)?;
        writer.log(Level::Info, "started")?;
        Ok(writer)
    }

    fn assemble(dir: &Path, manifest: Manifest, scene: Scene, streams: Streams) -> Result<Self, Error> {
        let now = Instant::now();
        Ok(Self {
            dir: dir.to_owned(),
            manifest,
            scene,
            streams,
            last_joints: LastJoints::default(),
            log: Log::open(dir)?,
            started: now,
            flushed: now,
            checkpointed: now,
            checkpoint_every: CHECKPOINT_EVERY,
            hook: None,
            stop: Stop::No,
        })
    }

    /// The run folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Is called at accepted steps, for progress displays and Ctrl-C. After its `Break` the engine is
    /// first asked for a checkpoint, so that the run can be resumed where it stopped.
    pub fn on_progress(&mut self, hook: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'static) {
        self.hook = Some(Box::new(hook));
    }

    /// Wall time between checkpoints, 30 s unless told.
    pub fn set_checkpoint_interval(&mut self, every: Duration) {
        self.checkpoint_every = every;
    }

    /// Adds a line to `log.jsonl`.
    pub fn log(&mut self, level: Level, message: &str) -> Result<(), Error> {
        self.log.line(level, message)
    }

    /// Rows of a table so far.
    pub fn rows(&mut self, table: Table) -> u64 {
        self.streams.of(table).rows()
    }

    fn flush_when_due(&mut self) -> Result<(), Error> {
        if self.flushed.elapsed() >= FLUSH_EVERY {
            self.streams.0.iter_mut().try_for_each(Stream::flush)?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    fn record_frame(&mut self, frame: &Frame<'_>) -> Result<(), Error> {
        self.last_joints.keep(frame);
        states::push(self.streams.of(Table::States).pending(), &self.scene, frame);
        contacts::push(self.streams.of(Table::Contacts).pending(), &self.scene, frame);
        energy::push(self.streams.of(Table::Energy).pending(), frame);
        self.record_patches(frame.time, patches::OUTPUT, frame.patches, frame.elements)?;
        searches::push(self.streams.of(Table::Searches).pending(), &self.scene, frame);
        for table in [Table::States, Table::Contacts, Table::Energy, Table::Searches] {
            self.streams.of(table).settle()?;
        }
        self.flush_when_due()
    }

    fn record_patches(
        &mut self,
        time: f64,
        moment: &str,
        of_patches: &[PatchSample],
        of_elements: &[ElementSample],
    ) -> Result<(), Error> {
        patches::push(self.streams.of(Table::Patches).pending(), &self.scene, time, moment, of_patches);
        elements::push(self.streams.of(Table::Elements).pending(), &self.scene, time, moment, of_elements);
        self.streams.of(Table::Patches).settle()?;
        self.streams.of(Table::Elements).settle()
    }

    fn record_episode(&mut self, episode: &Episode) -> Result<(), Error> {
        episodes::push(self.streams.of(Table::Episodes).pending(), &self.scene, episode);
        self.streams.of(Table::Episodes).settle()
    }

    fn record_event(&mut self, event: &Event) -> Result<(), Error> {
        events::push(self.streams.of(Table::Events).pending(), &self.scene, event);
        self.streams.of(Table::Events).settle()?;
        self.flush_when_due()
    }

    fn record_step(&mut self, step: &StepRow) -> Result<(), Error> {
        steps::push(self.streams.of(Table::Steps).pending(), step);
        self.streams.of(Table::Steps).settle()?;
        self.flush_when_due()
    }

    fn record_probe(&mut self, frame: &Frame<'_>) -> Result<(), Error> {
        probes::push(self.streams.of(Table::Probes).pending(), &self.scene, frame);
        self.streams.of(Table::Probes).settle()
    }

    fn record_checkpoint(&mut self, state: &[u8]) -> Result<(), Error> {
        // First the rows, then the file that counts them.
        self.streams.0.iter_mut().try_for_each(Stream::sync)?;
        let rows: Vec<_> = Table::ALL.iter().map(|&table| (table, self.rows(table))).collect();
        checkpoint::write(&self.dir, &self.manifest.provenance.model.hash, rows, state)?;
        self.checkpointed = Instant::now();
        self.stop.checkpoint_written();
        Ok(())
    }
}

impl Recorder for RunWriter {
    fn pairs_added(&mut self, pairs: &[PairInfo], contacts: &[ContactInfo]) -> Result<(), RecordError> {
        self.scene.add_pairs(pairs, contacts);
        Ok(())
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(self.record_frame(frame)?)
    }

    fn probe(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(self.record_probe(frame)?)
    }

    fn event(&mut self, event: &Event) -> Result<(), RecordError> {
        Ok(self.record_event(event)?)
    }

    fn episode(&mut self, episode: &Episode) -> Result<(), RecordError> {
        Ok(self.record_episode(episode)?)
    }

    fn peak_patches(
        &mut self,
        time: f64,
        of_patches: &[PatchSample],
        of_elements: &[ElementSample],
    ) -> Result<(), RecordError> {
        Ok(self.record_patches(time, patches::PEAK, of_patches, of_elements)?)
    }

    fn switch(&mut self, switch: &Switch) -> Result<(), RecordError> {
        Ok(self.log(Level::Info, &format!("integrator, {switch}"))?)
    }

    fn step(&mut self, step: &StepRow) -> Result<(), RecordError> {
        Ok(self.record_step(step)?)
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let wish = self.hook.as_mut().map_or(ControlFlow::Continue(()), |hook| hook(progress));
        self.stop.at_step(wish)
    }

    fn wants_checkpoint(&mut self) -> bool {
        self.stop.wants_checkpoint() || self.checkpointed.elapsed() >= self.checkpoint_every
    }

    fn checkpoint(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        Ok(self.record_checkpoint(bytes)?)
    }
}

fn write_model(request: &RunRequest<'_>) -> Result<(), Error> {
    files::write_atomically(&request.dir.join(layout::MODEL_TOML), &[request.model_toml.as_bytes()])?;
    files::write_atomically(&request.dir.join(layout::RESOLVED_JSON), &[request.resolved_json.as_bytes()])
}

/// Removes what an earlier run may have left, and nothing else: the folder can be any the user named.
fn remove_run_files(dir: &Path) -> Result<(), Error> {
    finish::remove_streams(dir)?;
    let tables = Table::ALL.iter().map(|table| table.parquet_file());
    let others = [layout::RUN_JSON, layout::LOG_JSONL, layout::CHECKPOINT, layout::REPORT_HTML];
    for name in tables.chain(others.map(str::to_owned)) {
        files::remove_if_present(&dir.join(name))?;
    }
    Ok(())
}
