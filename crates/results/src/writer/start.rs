//! The begin of a run: the folder is its own at every moment, whenever a kill comes.

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::finish::remove_streams;
use super::reserve::Reserve;
use super::{CHECKPOINT_EVERY, FLUSH_EVERY, LastJoints, RunRequest, RunWriter, Stop, Streams};
use crate::log::Log;
use crate::manifest::{FileRecord, Manifest};
use crate::store::Stream;
use crate::tables::Table;
use crate::{Error, Level, RunFolder, Scene, files, layout};

impl RunWriter {
    /// Starts a run in its folder; files of an earlier run in it are replaced, but for a model file that was changed
    /// since (E0713).
    pub fn create(request: RunRequest<'_>) -> Result<Self, Error> {
        refuse_changed_model(&request)?;
        let dir = request.folder.path();
        let scene = Scene::new(request.info);
        let manifest = Manifest::started(&request.info.model, request.provenance.clone(), scene.clone());
        begin_anew(dir, &manifest)?;
        let about = manifest.about();
        let streams = Streams::new(|table| {
            Stream::create(&dir.join(table.stream_file()), table.columns(&scene), &about)
        })?;
        let mut writer = Self::assemble(request.folder, manifest, scene, streams)?;
        writer.record_pairs()?;
        write_model(&request)?;
        // Last its checksum: until it is there, no model file counts as changed.
        writer.manifest.note_model_files(dir)?;
        writer.manifest.write(dir)?;
        writer.flush()?;
        writer.log(Level::Info, "started")?;
        Ok(writer)
    }

    pub(super) fn assemble(
        folder: &RunFolder,
        manifest: Manifest,
        scene: Scene,
        streams: Streams,
    ) -> Result<Self, Error> {
        let now = Instant::now();
        Ok(Self {
            folder: folder.clone(),
            manifest,
            scene,
            streams,
            last_joints: LastJoints::default(),
            log: Log::open(folder.path())?,
            reserve: Reserve::take(folder.path())?,
            full: None,
            started: now,
            flushed: now,
            flush_every: FLUSH_EVERY,
            checkpointed: now,
            has_checkpoint: false,
            checkpoint_every: CHECKPOINT_EVERY,
            hook: None,
            stop: Stop::No,
        })
    }
}

/// The model as given and as resolved.
pub(super) fn write_model(request: &RunRequest<'_>) -> Result<(), Error> {
    let dir = request.folder.path();
    files::write_atomically(&dir.join(layout::MODEL_TOML), &[request.model_toml.as_bytes()])?;
    files::write_atomically(&dir.join(layout::RESOLVED_JSON), &[request.resolved_json.as_bytes()])
}

/// The model file in the folder may have been changed by its user since the run has written it.
pub(super) fn refuse_changed_model(request: &RunRequest<'_>) -> Result<(), Error> {
    let dir = request.folder.path();
    let path = dir.join(layout::MODEL_TOML);
    let Ok(there) = fs::read(&path) else { return Ok(()) };
    let written = Manifest::read(dir).map(|manifest| manifest.files).unwrap_or_default();
    let is_changed = |record: &FileRecord| record.file == layout::MODEL_TOML && record.verify(dir).is_err();
    let is_own = !written.iter().any(is_changed) || there == request.model_toml.as_bytes();
    if is_own || request.folder.is_forced() { Ok(()) } else { Err(Error::Exists { path }) }
}

/// Makes the folder that of a run without rows, and removes what an earlier run has left there, and nothing else. In
/// an order in which a kill leaves either run, and never rows of the one under the name of the other: readers take a
/// run that has not ended by its streams alone.
fn begin_anew(dir: &Path, manifest: &Manifest) -> Result<(), Error> {
    let remove = |name: &str| files::remove_if_present(&dir.join(name));
    remove(layout::CHECKPOINT)?;
    remove_streams(dir)?;
    manifest.write(dir)?;
    Table::ALL.iter().try_for_each(|table| remove(&table.parquet_file()))?;
    [layout::LOG_JSONL, layout::REPORT_HTML].into_iter().try_for_each(remove)
}
