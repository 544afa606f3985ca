//! Writes a run folder while the engine runs.

#[cfg(test)]
mod damage_tests;
mod finish;
mod memory;
mod recover;
mod reserve;
mod resume;
mod rows;
mod start;
mod stop;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use carom_engine::Recorder;
use carom_engine::record::{
    ContactInfo, ElementSample, Episode, Event, Frame, PairInfo, PatchSample, Progress, RecordError, RunInfo,
    StepRow, Switch,
};

pub use memory::{MemoryMark, MemoryWriter};
pub use recover::{Recovered, recover};

use crate::checkpoint;
use crate::log::Log;
use crate::manifest::{Manifest, Provenance};
use crate::store::Stream;
use crate::tables::{Columns, Table, episodes, events, pairs, patches, probes, steps};
use crate::{Error, Level, RunFolder, Scene};
use reserve::Reserve;
use rows::{LastJoints, Pending};
use stop::Stop;

/// Rows reach the operating system at least this often.
const FLUSH_EVERY: Duration = Duration::from_secs(1);
/// Wall time between checkpoints.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);
/// Wall time to the first one.
const FIRST_CHECKPOINT: Duration = Duration::from_secs(2);

/// What a front end knows about a run before it starts.
#[derive(Clone, Debug)]
pub struct RunRequest<'a> {
    /// The folder, which this process holds.
    pub folder: &'a RunFolder,
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
    folder: RunFolder,
    manifest: Manifest,
    scene: Scene,
    streams: Streams,
    last_joints: LastJoints,
    log: Log,
    reserve: Reserve,
    /// What a full disk has refused; the run stops.
    full: Option<Error>,
    started: Instant,
    flushed: Instant,
    flush_every: Duration,
    checkpointed: Instant,
    has_checkpoint: bool,
    checkpoint_every: Duration,
    hook: Option<ProgressHook>,
    stop: Stop,
}

/// One stream per table, in the order of [`Table::ALL`].
struct Streams(Vec<Stream>);

impl Streams {
    fn new(stream: impl Fn(Table) -> Result<Stream, Error>) -> Result<Self, Error> {
        Table::ALL.into_iter().map(stream).collect::<Result<_, _>>().map(Self)
    }

    fn of(&mut self, table: Table) -> &mut Stream {
        &mut self.0[table as usize]
    }
}

impl Pending for Streams {
    fn pending(&mut self, table: Table) -> &mut Columns {
        self.of(table).pending()
    }
}

impl RunWriter {
    /// The run folder.
    pub fn dir(&self) -> &Path {
        self.folder.path()
    }

    /// Is called at accepted steps, for progress displays and Ctrl-C. After its `Break` the engine is
    /// first asked for a checkpoint, so that the run can be resumed where it stopped.
    pub fn on_progress(&mut self, hook: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'static) {
        self.hook = Some(Box::new(hook));
    }

    /// Wall time between checkpoints, 30 s unless told. The first comes after 2 s, or this if it is less.
    pub fn set_checkpoint_interval(&mut self, every: Duration) {
        self.checkpoint_every = every;
    }

    /// Adds a line to `log.jsonl`.
    pub fn log(&mut self, level: Level, message: &str) -> Result<(), Error> {
        self.with_room(|writer| writer.log.line(level, message))
    }

    /// Does what needs room on the disk. When that is full the reserve is given back, and the run is to stop at its
    /// next checkpoint.
    fn with_room(&mut self, act: impl Fn(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        match act(self) {
            Err(error) if error.is_disk_full() && self.reserve.give_back() => {
                self.full = Some(error);
                act(self)
            }
            other => other,
        }
    }

    /// Rows of a table so far.
    pub fn rows(&mut self, table: Table) -> u64 {
        self.streams.of(table).rows()
    }

    fn flush_when_due(&mut self) -> Result<(), Error> {
        if self.flushed.elapsed() >= self.flush_every {
            self.with_room(Self::flush)?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    /// Hands all rows to the operating system; those of pairs first, which the others name.
    fn flush(&mut self) -> Result<(), Error> {
        self.streams.of(Table::Pairs).flush()?;
        self.streams.0.iter_mut().try_for_each(Stream::flush)
    }

    /// Writes what waits in many rows.
    fn settle(&mut self, tables: &[Table]) -> Result<(), Error> {
        if tables.iter().any(|&table| self.streams.of(table).is_due()) {
            self.with_room(|writer| {
                writer.streams.of(Table::Pairs).flush()?;
                tables.iter().try_for_each(|&table| writer.streams.of(table).settle())
            })?;
        }
        Ok(())
    }

    fn record_frame(&mut self, frame: &Frame<'_>) -> Result<(), Error> {
        self.last_joints.keep(frame);
        rows::push_frame(&mut self.streams, &self.scene, frame);
        self.settle(&rows::OF_FRAMES)?;
        self.flush_when_due()
    }

    fn record_patches(
        &mut self,
        time: f64,
        of_patches: &[PatchSample],
        of_elements: &[ElementSample],
    ) -> Result<(), Error> {
        let peak = (time, patches::PEAK);
        rows::push_patches(&mut self.streams, &self.scene, peak, of_patches, of_elements);
        self.settle(&[Table::Patches, Table::Elements])
    }

    fn record_episode(&mut self, episode: &Episode) -> Result<(), Error> {
        episodes::push(self.streams.of(Table::Episodes).pending(), &self.scene, episode);
        self.settle(&[Table::Episodes])
    }

    fn record_event(&mut self, event: &Event) -> Result<(), Error> {
        events::push(self.streams.of(Table::Events).pending(), &self.scene, event);
        self.settle(&[Table::Events])?;
        self.flush_when_due()
    }

    fn record_step(&mut self, step: &StepRow) -> Result<(), Error> {
        steps::push(self.streams.of(Table::Steps).pending(), step);
        self.settle(&[Table::Steps])?;
        self.flush_when_due()
    }

    fn record_probe(&mut self, frame: &Frame<'_>) -> Result<(), Error> {
        probes::push(self.streams.of(Table::Probes).pending(), &self.scene, frame);
        self.settle(&[Table::Probes])
    }

    fn record_checkpoint(&mut self, state: &[u8]) -> Result<(), Error> {
        self.with_room(|writer| writer.write_checkpoint(state))?;
        self.checkpointed = Instant::now();
        self.has_checkpoint = true;
        self.stop.checkpoint_written();
        Ok(())
    }

    fn write_checkpoint(&mut self, state: &[u8]) -> Result<(), Error> {
        // First the rows, then the file that counts them.
        self.streams.0.iter_mut().try_for_each(Stream::sync)?;
        let rows: Vec<_> = Table::ALL.iter().map(|&table| (table, self.rows(table))).collect();
        let size = checkpoint::write(self.folder.path(), &self.manifest.provenance.model.hash, rows, state)?;
        self.reserve.fit(size)
    }

    /// Pairs that have come up, and those of the start. A run that goes on has those that had come up before it was
    /// stopped already: they come up again in the same order.
    fn record_pairs(&mut self) -> Result<(), Error> {
        let stream = self.streams.of(Table::Pairs);
        let first = usize::try_from(stream.rows()).unwrap_or(usize::MAX);
        pairs::push(stream.pending(), &self.scene, first, &[]);
        self.settle(&[Table::Pairs])?;
        self.with_room(|writer| writer.reserve.fit_scene(&writer.scene))
    }
}

impl Recorder for RunWriter {
    fn pairs_added(&mut self, pairs: &[PairInfo], contacts: &[ContactInfo]) -> Result<(), RecordError> {
        self.scene.add_pairs(pairs, contacts);
        Ok(self.record_pairs()?)
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
        Ok(self.record_patches(time, of_patches, of_elements)?)
    }

    fn switch(&mut self, switch: &Switch) -> Result<(), RecordError> {
        if self.manifest.provenance.solver.take(switch.to.name()) {
            // What goes on from a checkpoint finds it there.
            self.manifest.write(self.folder.path())?;
        }
        Ok(self.log(Level::Info, &format!("integrator, {switch}"))?)
    }

    fn step(&mut self, step: &StepRow) -> Result<(), RecordError> {
        Ok(self.record_step(step)?)
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let wish = self.hook.as_mut().map_or(ControlFlow::Continue(()), |hook| hook(progress));
        self.stop.at_step(if self.full.is_some() { ControlFlow::Break(()) } else { wish })
    }

    fn wants_checkpoint(&mut self) -> bool {
        let wait = if self.has_checkpoint { self.checkpoint_every } else { FIRST_CHECKPOINT };
        self.stop.wants_checkpoint() || self.checkpointed.elapsed() >= wait.min(self.checkpoint_every)
    }

    fn checkpoint(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        Ok(self.record_checkpoint(bytes)?)
    }
}
