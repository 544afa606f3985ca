//! Whatever byte of a run is changed, every command that reads it says which file it was.

use std::fs;
use std::path::Path;

use super::tests::killed;
use super::*;
use crate::fixture::{self, FakeRun, TempDir};
use crate::{RunData, RunFolder, RunWriter, convert_to_csv, layout};

fn small() -> FakeRun {
    FakeRun { frames: 6, stops_after: Some(5), ..FakeRun::single_ball() }
}

/// What every reader of the run says.
fn readers(dir: &Path) -> [Option<Error>; 2] {
    let out = TempDir::new("damage-out");
    let info = || RunData::open(dir)?.manifest().verify(dir);
    [info().err(), convert_to_csv(dir, out.path(), false).err()]
}

/// Places that are changed in each file, evenly from its first byte to its last.
const PLACES: usize = 40;

/// Changes a byte of each file that a run has, many times, and holds `ask` to naming the file.
fn change_bytes(dir: &Path, but: &[&str], ask: impl Fn(&Path) -> Option<Error>) {
    let mut files: Vec<_> = fs::read_dir(dir).unwrap().flatten().map(|f| f.path()).collect();
    files.sort();
    let mut tried = 0;
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        if but.contains(&name) {
            continue;
        }
        tried += 1;
        let whole = fs::read(&file).unwrap();
        let last = whole.len() - 1;
        for k in (0..PLACES).map(|place| place * last / (PLACES - 1)) {
            let mut changed = whole.clone();
            changed[k] ^= 1 << (k % 8);
            fs::write(&file, &changed).unwrap();
            let error = ask(dir).unwrap_or_else(|| panic!("byte {k} of {name} passes"));
            assert_eq!(error.code(), "E0704", "byte {k} of {name}: {error}");
            assert!(error.to_string().contains(name), "byte {k} of {name}: {error}");
        }
        fs::write(&file, &whole).unwrap();
    }
    assert!(tried >= 10, "{tried} files");
    assert!(readers(dir).iter().all(Option::is_none));
}

/// The log is for people and goes on when a run does.
const LOG: &str = layout::LOG_JSONL;

#[test]
fn a_changed_byte_of_a_finished_run_is_named() {
    let dir = TempDir::new("flip-finished");
    fixture::finished(dir.path(), &FakeRun { frames: 6, ..FakeRun::single_ball() });
    change_bytes(dir.path(), &[LOG], |dir| readers(dir)[0].take());
    // What tables are made from is the model's files no more.
    change_bytes(dir.path(), &[LOG, layout::MODEL_TOML, layout::RESOLVED_JSON, layout::CHECKPOINT], |dir| {
        readers(dir)[1].take()
    });
}

#[test]
fn a_changed_byte_of_a_killed_run_is_named() {
    let dir = TempDir::new("flip-killed");
    killed(dir.path(), &small(), true);
    change_bytes(dir.path(), &[LOG], |dir| readers(dir)[0].take());
    let info = small().info();
    // A resumed run writes the model's files anew.
    change_bytes(dir.path(), &[LOG, layout::MODEL_TOML, layout::RESOLVED_JSON], |dir| {
        let folder = RunFolder::open(dir, false).unwrap();
        RunWriter::resume(fixture::request(&folder, &info)).err()
    });
}

/// Rows before the damage are saved, and what is wrong is said and kept.
#[test]
fn recover_keeps_what_comes_before_the_damage() {
    let dir = TempDir::new("flip-recover");
    killed(dir.path(), &small(), true);
    let path = dir.path().join(Table::States.stream_file());
    let mut bytes = fs::read(&path).unwrap();
    // The last batch has one row: each step had a checkpoint.
    let last = bytes.len() - 8;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let recovered = recover(&fixture::folder(dir.path())).unwrap();
    assert_eq!(recovered.tables[0].rows, 5);
    assert_eq!(recovered.damage.len(), 1);
    assert!(recovered.damage[0].contains("states.arrows"), "{:?}", recovered.damage);
    let manifest = Manifest::read(dir.path()).unwrap();
    assert_eq!(manifest.warnings, recovered.damage);
    manifest.verify(dir.path()).unwrap();
}

/// Whatever a kill leaves between the two renames of a resumed run, the stream or the one before it, is whole.
#[test]
fn a_kill_while_resuming_leaves_streams_that_are_vouched_for() {
    let dir = TempDir::new("resume-killed");
    killed(dir.path(), &small(), true);
    let before: Vec<_> =
        Table::ALL.iter().map(|t| fs::read(dir.path().join(t.stream_file())).unwrap()).collect();
    let info = small().info();
    for _ in 0..3 {
        drop(RunWriter::resume(fixture::request(&fixture::folder(dir.path()), &info)).unwrap());
        readers(dir.path()).into_iter().for_each(|error| assert!(error.is_none(), "{error:?}"));
    }
    for (table, bytes) in Table::ALL.iter().zip(before) {
        fs::write(dir.path().join(table.stream_file()), bytes).unwrap();
    }
    readers(dir.path()).into_iter().for_each(|error| assert!(error.is_none(), "{error:?}"));
}

/// A kill between a batch and its checksum, and one inside a checksum.
#[test]
fn what_no_checksum_covers_is_left_out() {
    let dir = TempDir::new("sums-cut");
    killed(dir.path(), &small(), true);
    let path = dir.path().join("states.sums");
    let whole = fs::read(&path).unwrap();
    let rows = || RunData::open(dir.path()).unwrap().times().unwrap().len();
    assert_eq!(rows(), 6);
    let mut last = 6;
    for length in (0..whole.len()).rev() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!((0..=1).contains(&(last - rows())), "{length} bytes of checksums");
        last = rows();
    }
    assert_eq!(last, 0);
    fs::remove_file(&path).unwrap();
    let error = RunData::open(dir.path()).unwrap().times().unwrap_err();
    assert!(error.code() == "E0704" && error.to_string().contains("states.sums"), "{error}");
}

#[test]
fn a_missing_table_is_named() {
    let dir = TempDir::new("missing");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    fs::remove_file(dir.path().join("energy.parquet")).unwrap();
    for error in readers(dir.path()) {
        let error = error.unwrap();
        assert!(error.code() == "E0704" && error.to_string().contains("energy.parquet"), "{error}");
    }
}

/// Folders and pipes where files should be: said at once, instead of waited for.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused() {
    let dir = TempDir::new("no-file");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    let path = dir.path().join("run.json");
    fs::remove_file(&path).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    let error = RunData::open(dir.path()).err().unwrap();
    assert!(error.code() == "E0706" && error.to_string().contains("a device or a pipe"), "{error}");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(RunData::open(dir.path()).err().unwrap().code(), "E0706");
}
