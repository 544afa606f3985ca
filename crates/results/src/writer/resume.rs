//! Going on with a run from its checkpoint.

use std::path::Path;

use super::start::{refuse_changed_model, write_model};
use super::{RunRequest, RunWriter, Streams};
use crate::checkpoint::{self, Checkpoint};
use crate::files;
use crate::manifest::{FileRecord, Manifest};
use crate::store::{Stream, read_table};
use crate::tables::{Table, pairs};
use crate::{Error, Level, Scene, layout};

impl RunWriter {
    /// Opens a run that was interrupted or killed: keeps exactly the rows up to its checkpoint and
    /// returns the engine's state there. Refuses another model (E0702) and a run without checkpoint
    /// (E0703).
    pub fn resume(request: RunRequest<'_>) -> Result<(Self, Vec<u8>), Error> {
        let dir = request.folder.path();
        let old = Manifest::read(dir)?;
        let checkpoint = checkpoint::read(dir)?;
        refuse_changed_model(&request)?;
        let scene = Scene::new(request.info);
        let wanted = &request.provenance.model.hash;
        if checkpoint.model_hash != *wanted || !old.scene.begins_with(&scene) {
            return Err(Error::OtherModel {
                dir: dir.to_owned(),
                found: checkpoint.model_hash,
                wanted: wanted.clone(),
            });
        }
        let mut manifest = Manifest::started(&request.info.model, request.provenance.clone(), scene.clone());
        manifest.provenance.solver.others.clone_from(&old.provenance.solver.others);
        manifest.timing.started.clone_from(&old.timing.started);
        manifest.timing.wall_s = old.timing.wall_s;
        manifest.timing.resumed = old.timing.resumed + 1;
        let about = manifest.about();
        let mut streams = Streams::new(|table| match table {
            Table::Pairs => pairs_again(dir, &old.scene, &about),
            _ => cut_stream(dir, table, &scene, &about, &checkpoint, &old.files),
        })?;
        // A kill between two of these leaves streams that have at least the rows of the checkpoint, which is there
        // still.
        streams.0.iter_mut().try_for_each(Stream::take_place)?;
        // From here on the streams are the run, and the manifest must say so before the Parquet files go.
        write_model(&request)?;
        manifest.note_model_files(dir)?;
        manifest.write(dir)?;
        for table in Table::ALL {
            files::remove_if_present(&dir.join(table.parquet_file()))?;
        }
        files::remove_if_present(&dir.join(layout::REPORT_HTML))?;
        let mut writer = Self::assemble(request.folder, manifest, scene, streams)?;
        writer.has_checkpoint = true;
        writer.log(Level::Info, "resumed")?;
        Ok((writer, checkpoint.state))
    }
}

/// A stream that holds the rows of a table up to the checkpoint and is open for more.
fn cut_stream(
    dir: &Path,
    table: Table,
    scene: &Scene,
    about: &[(String, String)],
    checkpoint: &Checkpoint,
    files: &[FileRecord],
) -> Result<Stream, Error> {
    let path = dir.join(table.stream_file());
    let mut stream = Stream::beside(&path, table.columns(scene), about)?;
    let wanted = checkpoint.rows(table);
    read_table(dir, table, scene, files, &mut |batch| {
        let missing = usize::try_from(wanted - stream.rows()).unwrap_or(usize::MAX);
        stream.pending().append(batch, 0..batch.rows().min(missing));
        stream.settle()
    })?;
    if stream.rows() < wanted {
        let message = format!("{} rows, but the checkpoint counts {wanted}", stream.rows());
        return Err(Error::damaged(&path, message));
    }
    Ok(stream)
}

/// All pairs that a run had, whatever its checkpoint has of them: the rows that go on name them.
fn pairs_again(dir: &Path, scene: &Scene, about: &[(String, String)]) -> Result<Stream, Error> {
    let mut stream = Stream::beside(&dir.join(Table::Pairs.stream_file()), pairs::columns(), about)?;
    pairs::push(stream.pending(), scene, 0, &[]);
    Ok(stream)
}
