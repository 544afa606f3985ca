//! The folder of a run, and what an earlier run may have left in it.

use std::path::{Path, PathBuf};

use carom_engine::System;
use carom_io::LoadedModel;
use carom_results::{Manifest, RESOLVED_JSON, RunFolder, read_model_file, run_folder};
use serde_json::Value;

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

/// Parent of the folders of runs without `--out`.
const ROOT: &str = "runs";

/// Longest resolved model that is read (bytes).
const MOST_RESOLVED: u64 = 1 << 30;

/// The folder: exactly that of `--out`, else one by name and hash.
pub(crate) fn of(out: Option<&Path>, loaded: &LoadedModel) -> PathBuf {
    out.map_or_else(|| run_folder(Path::new(ROOT), &loaded.model.name, &loaded.hash), Path::to_owned)
}

/// Takes the folder for this process, and says so if it was another's that has died.
pub(crate) fn take(dir: &Path, resume: bool, force: bool, console: &Console) -> Result<RunFolder, Failure> {
    let folder = if resume { RunFolder::open(dir, force) } else { RunFolder::claim(dir, force) }?;
    say_if_taken_over(&folder, console);
    Ok(folder)
}

/// Says whose folder it was.
pub(crate) fn say_if_taken_over(folder: &RunFolder, console: &Console) {
    if let Some(owner) = folder.taken_over() {
        console.note(&format!("took over \"{}\": its run has died ({owner})\n", folder.path().display()));
    }
}

/// The resolved model as it is stored.
pub(crate) fn resolved_text(loaded: &LoadedModel) -> String {
    format!("{:#}\n", loaded.resolved)
}

/// The resolved model of the run in `dir`.
fn stored_model(dir: &Path) -> Option<String> {
    read_model_file(dir, RESOLVED_JSON, MOST_RESOLVED)
}

/// The finished run of the very same model, output and expectations in `dir`, if there is one.
pub(crate) fn finished(dir: &Path, loaded: &LoadedModel) -> Option<Manifest> {
    let manifest = Manifest::read(dir).ok()?;
    let stored = stored_model(dir)?;
    let same = manifest.provenance.model.hash == loaded.hash && stored == resolved_text(loaded);
    // A run that was about to replace it may have been killed.
    let is_whole = manifest.tables.iter().all(|table| dir.join(&table.file).is_file());
    (same && is_whole && manifest.end.reason == "finished").then_some(manifest)
}

/// Hash under which the run in `dir` can be resumed with this model. Its end may differ; its recording may
/// not, since a checkpoint counts frames. Another model is left for the recorder to refuse.
pub(crate) fn resumable_hash(dir: &Path, loaded: &LoadedModel, system: &System) -> Result<String, Failure> {
    let manifest = Manifest::read(dir)?;
    let Some(stored) = stored_model(dir).and_then(|t| t.parse::<Value>().ok()) else {
        return Ok(loaded.hash.clone());
    };
    let (old, new) = (without_end(&stored), without_end(&loaded.resolved));
    if ["output", "expect"].into_iter().any(|part| old[part] != new[part])
        || manifest.provenance.solver.output_every_s != Some(system.output_every())
    {
        return Err(Failure::with_help(
            exit::NOT_STARTED,
            format!("the run in \"{}\" records at other times than this model asks for", dir.display()),
            "leave [output] and [expect] as they were and state output.every, or run from the start",
        ));
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
