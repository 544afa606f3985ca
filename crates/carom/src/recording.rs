//! A run that is recorded in a folder.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom_engine::record::{
    ContactInfo, ElementSample, Episode, Event, Frame, PairInfo, PatchSample, Progress, RecordError, RunInfo,
    StepRow, Switch,
};
use carom_engine::{Note, Outcome, Recorder, Simulation};
use carom_io::LoadedModel;
use carom_results::{
    Manifest, RESOLVED_JSON, RunData, RunFolder, RunRequest, RunWriter, read_model_file, write_shapes,
};
use serde_json::Value;

use crate::{Error, Run, Study};

/// Longest resolved model that is read (bytes).
const MOST_RESOLVED: u64 = 1 << 30;

/// Where and how a run is recorded.
pub struct Recording<'a> {
    /// The folder, which this process holds.
    pub folder: &'a RunFolder,
    /// Go on from its checkpoint.
    pub resume: bool,
    /// Wall time between checkpoints; the first comes after 2 s at the latest.
    pub checkpoint_every: Duration,
}

impl<'a> Recording<'a> {
    /// From the start, with a checkpoint every 30 s.
    pub fn of(folder: &'a RunFolder) -> Self {
        Self { folder, resume: false, checkpoint_every: Duration::from_secs(30) }
    }
}

/// Watches a run go on. `info` has the names of the pairs that have come up, too.
pub trait Monitor {
    /// An event of a contact.
    fn event(&mut self, _event: &Event, _info: &RunInfo) {}
    /// A change of the integrator.
    fn switch(&mut self, _switch: &Switch) {}
    /// At accepted steps. `Break` stops the run cleanly, with a checkpoint.
    fn progress(&mut self, _progress: &Progress, _info: &RunInfo) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Watches nothing.
impl Monitor for () {}

/// A run that is in its folder.
pub struct Recorded {
    /// How it ended.
    pub outcome: Outcome,
    /// What the folder says of it.
    pub manifest: Manifest,
    /// Wall time of running and recording.
    pub run: Duration,
    /// Wall time of putting the tables in their final form.
    pub finish: Duration,
}

impl Study {
    /// Runs to the end into a folder that must be new, empty or a run's, and judges the expectations.
    pub fn run_into(&self, dir: impl AsRef<Path>) -> Result<Run, Error> {
        let folder = RunFolder::claim(dir.as_ref(), false)?;
        let Recorded { outcome, mut manifest, .. } = self.record(&Recording::of(&folder), &mut ())?;
        let data = RunData::open(folder.path())?;
        let verdicts = self.judge(&data)?;
        manifest.expectations.clone_from(&verdicts);
        manifest.write(folder.path())?;
        Ok(Run { outcome, data: RunData::open(folder.path())?, verdicts })
    }

    /// Runs to the end, to where it cannot go on or until the monitor stops it, into a folder.
    pub fn record(&self, recording: &Recording<'_>, monitor: &mut dyn Monitor) -> Result<Recorded, Error> {
        let loaded = self.loaded();
        let dir = recording.folder.path();
        let mut provenance = self.provenance();
        if recording.resume {
            provenance.model.hash = resumable_hash(dir, loaded)?;
        }
        let hash = provenance.model.hash.clone();
        let resolved = resolved_text(loaded);
        let request = RunRequest {
            folder: recording.folder,
            info: self.system().info(),
            provenance,
            model_toml: &loaded.source,
            resolved_json: &resolved,
        };
        let (mut writer, mut simulation) = if recording.resume {
            let (writer, state) = RunWriter::resume(request)?;
            (writer, Simulation::resume(self.system(), &state)?)
        } else {
            (RunWriter::create(request)?, Simulation::new(self.system()))
        };
        // Those of an earlier run stayed until this one has taken the folder over; whatever ends this one, it has its own.
        write_shapes(recording.folder, &loaded.model, self.system().info(), &hash)?;
        writer.set_checkpoint_interval(recording.checkpoint_every);
        let clock = Instant::now();
        let mut monitored = Monitored::new(writer, self.system().info().clone(), monitor);
        let outcome = simulation.run(&mut monitored).map_err(Error::Recording)?;
        let run = clock.elapsed();
        let mut manifest = monitored.writer.finish(&outcome).map_err(|e| Error::Recording(Box::new(e)))?;
        let of_model = loaded.warnings.iter().map(|w| format!("{}: {}", w.problem.code, w.problem.message));
        manifest.warnings.splice(0..0, of_model.chain(loaded.notes.iter().map(Note::text)));
        manifest.write(dir)?;
        Ok(Recorded { outcome, manifest, run, finish: clock.elapsed() - run })
    }

    /// The finished run of the very same model, output and expectations in `dir`, if there is one.
    pub fn finished_in(&self, dir: &Path) -> Option<Manifest> {
        let manifest = Manifest::read(dir).ok()?;
        let stored = stored_model(dir)?;
        let loaded = self.loaded();
        let same = manifest.provenance.model.hash == loaded.hash && stored == resolved_text(loaded);
        // A run that was about to replace it may have been killed.
        let is_whole = manifest.tables.iter().all(|table| dir.join(&table.file).is_file());
        (same && is_whole && manifest.end.reason == "finished").then_some(manifest)
    }
}

/// The resolved model as it is stored.
fn resolved_text(loaded: &LoadedModel) -> String {
    format!("{:#}\n", loaded.resolved)
}

/// The resolved model of the run in `dir`.
fn stored_model(dir: &Path) -> Option<String> {
    read_model_file(dir, RESOLVED_JSON, MOST_RESOLVED)
}

/// Hash under which the run in `dir` can be resumed with this model. Its end may differ; its recording may
/// not, since a checkpoint counts frames. Another model is left for the recorder to refuse.
fn resumable_hash(dir: &Path, loaded: &LoadedModel) -> Result<String, Error> {
    let manifest = Manifest::read(dir)?;
    let Some(stored) = stored_model(dir).and_then(|t| t.parse::<Value>().ok()) else {
        return Ok(loaded.hash.clone());
    };
    let (old, new) = (without_end(&stored), without_end(&loaded.resolved));
    if ["output", "expect"].into_iter().any(|part| old[part] != new[part])
        || manifest.provenance.solver.output_every_s != Some(loaded.system.output_every())
    {
        return Err(Error::OtherRecording { dir: dir.to_owned() });
    }
    Ok(if old == new { manifest.provenance.model.hash } else { loaded.hash.clone() })
}

/// A resolved model without its name and the end of the run.
fn without_end(resolved: &Value) -> Value {
    let mut value = resolved.clone();
    value["name"] = Value::Null;
    value["solver"]["t_end_s"] = Value::Null;
    value
}

/// Hands everything on to the writer of the folder, and tells the monitor.
struct Monitored<'a> {
    writer: RunWriter,
    info: RunInfo,
    monitor: &'a mut dyn Monitor,
    is_to_stop: Arc<AtomicBool>,
}

impl<'a> Monitored<'a> {
    fn new(mut writer: RunWriter, info: RunInfo, monitor: &'a mut dyn Monitor) -> Self {
        let is_to_stop = Arc::new(AtomicBool::new(false));
        let asked = is_to_stop.clone();
        writer.on_progress(move |_| {
            if asked.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        Self { writer, info, monitor, is_to_stop }
    }
}

impl Recorder for Monitored<'_> {
    fn pairs_added(&mut self, pairs: &[PairInfo], contacts: &[ContactInfo]) -> Result<(), RecordError> {
        self.info.pairs.extend_from_slice(pairs);
        self.info.contacts.extend_from_slice(contacts);
        self.writer.pairs_added(pairs, contacts)
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.writer.frame(frame)
    }

    fn probe(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.writer.probe(frame)
    }

    fn event(&mut self, event: &Event) -> Result<(), RecordError> {
        self.monitor.event(event, &self.info);
        self.writer.event(event)
    }

    fn episode(&mut self, episode: &Episode) -> Result<(), RecordError> {
        self.writer.episode(episode)
    }

    fn peak_patches(
        &mut self,
        time: f64,
        patches: &[PatchSample],
        elements: &[ElementSample],
    ) -> Result<(), RecordError> {
        self.writer.peak_patches(time, patches, elements)
    }

    fn switch(&mut self, switch: &Switch) -> Result<(), RecordError> {
        self.monitor.switch(switch);
        self.writer.switch(switch)
    }

    fn step(&mut self, step: &StepRow) -> Result<(), RecordError> {
        self.writer.step(step)
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.monitor.progress(progress, &self.info).is_break() {
            self.is_to_stop.store(true, Ordering::Relaxed);
        }
        self.writer.progress(progress)
    }

    fn wants_checkpoint(&mut self) -> bool {
        self.writer.wants_checkpoint()
    }

    fn checkpoint(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.writer.checkpoint(bytes)
    }
}
