//! What the models of a study are read from, kept in its folder by hash: runs go on with the files that the study began with, and
//! workers need no other folder.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use carom::{Error, Overrides, Study};
use carom_io::Report;
use carom_io::study::read_study;
use carom_results::write_result;
use serde::{Deserialize, Serialize};

use crate::ledger::STUDY;
use crate::{Examined, Plan};

/// Folder of the copies.
const INPUTS: &str = "inputs";
/// List of them.
const LIST: &str = "inputs.json";

/// The copies, by their paths in the folder of the copies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Inputs {
    /// The model file.
    model: PathBuf,
    /// Hashes of all files.
    files: BTreeMap<PathBuf, String>,
}

impl Plan {
    /// The plan of a study that may have begun: with the files that its folder keeps, or with those beside its own file.
    pub fn of(study: &Path, dir: &Path) -> Result<Self, Report> {
        let Some(inputs) = read(dir) else { return Ok(Self::new(read_study(study)?)) };
        let mut kept = read_study(&dir.join(STUDY))?;
        kept.model = dir.join(INPUTS).join(inputs.model);
        Ok(Self::new(kept))
    }
}

/// Keeps the files of a study that begins; of one that goes on, says whether they are what they were. A model that cannot be read
/// from copies, since it names files by absolute paths or by links, is read where it is.
pub(crate) fn keep(plan: &Plan, examined: &Examined, dir: &Path) -> Result<bool, Error> {
    let Some((inputs, places)) = layout(plan, examined) else { return Ok(true) };
    if let Some(known) = read(dir) {
        return Ok(known == inputs);
    }
    let copies = dir.join(INPUTS);
    for (path, place) in &places {
        let to = copies.join(place);
        let bytes = fs::read(path).map_err(failed)?;
        fs::create_dir_all(to.parent().unwrap_or(&copies)).map_err(failed)?;
        write_result(&to, &bytes, true)?;
    }
    let set = plan.cases.first().map_or_else(Vec::new, |case| plan.overrides(case));
    let copied = Study::open_with(copies.join(&inputs.model), &Overrides { set, ..Overrides::default() });
    let is_same = copied
        .is_ok_and(|copied| copied.loaded().hash == examined.hash && are_in(&copied.loaded().files, &copies));
    if is_same {
        let text = serde_json::to_string_pretty(&inputs).map_err(|error| failed(error.into()))?;
        write_result(&dir.join(LIST), text.as_bytes(), true)?;
    } else {
        match fs::remove_dir_all(&copies) {
            // Another part of the study was first.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => other.map_err(failed)?,
        }
    }
    Ok(true)
}

fn failed(error: io::Error) -> Error {
    Error::Recording(Box::new(error))
}

fn read(dir: &Path) -> Option<Inputs> {
    serde_json::from_slice(&fs::read(dir.join(LIST)).ok()?).ok()
}

/// What the copies are, and where each file goes: as they lie below the folder that all have in common. None of a study without files.
fn layout(plan: &Plan, examined: &Examined) -> Option<(Inputs, BTreeMap<PathBuf, PathBuf>)> {
    let paths: Vec<PathBuf> = examined.files.iter().map(|path| plain(path)).collect();
    let mut common = paths.first()?.parent()?.to_owned();
    while !are_in(&paths, &common) {
        common = common.parent()?.to_owned();
    }
    let place = |path: &Path| path.strip_prefix(&common).map(Path::to_owned).ok();
    let places: BTreeMap<PathBuf, PathBuf> =
        paths.iter().map(|path| Some((path.clone(), place(path)?))).collect::<Option<_>>()?;
    let hash = |path: &Path| Some(blake3::hash(&fs::read(path).ok()?).to_hex().to_string());
    let files = places.iter().map(|(path, place)| Some((place.clone(), hash(path)?)));
    let inputs = Inputs { model: place(&plain(&plan.study.model))?, files: files.collect::<Option<_>>()? };
    Some((inputs, places))
}

fn are_in(paths: &[PathBuf], folder: &Path) -> bool {
    let folder = plain(folder);
    paths.iter().all(|path| plain(path).starts_with(&folder))
}

/// An absolute path without steps back.
fn plain(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}
