use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use super::*;
use crate::fixture::{self, FakeRun, TempDir};
use crate::{RunData, RunFolder, RunWriter, files, layout};

/// A run that stopped without being finished, as a kill leaves it, with a checkpoint at every step or none.
pub(super) fn killed(dir: &Path, run: &FakeRun, checkpoints: bool) {
    let info = run.info();
    let mut writer = RunWriter::create(fixture::request(&fixture::folder(dir), &info)).unwrap();
    let interval = if checkpoints { Duration::ZERO } else { Duration::MAX };
    writer.set_checkpoint_interval(interval);
    run.run(&mut writer, None);
    writer.streams.0.iter_mut().try_for_each(Stream::flush).unwrap();
}

fn bytes(dir: &Path, table: Table) -> Vec<u8> {
    fs::read(dir.join(table.parquet_file())).unwrap()
}

fn assert_same_tables(a: &Path, b: &Path) {
    for table in Table::ALL.into_iter().filter(|table| a.join(table.parquet_file()).is_file()) {
        assert!(bytes(a, table) == bytes(b, table), "{}", table.name());
    }
}

#[test]
fn a_finished_run_has_parquet_and_no_streams() {
    let dir = TempDir::new("finished");
    let manifest = fixture::finished(dir.path(), &FakeRun::single_ball());
    assert_eq!(manifest, Manifest::read(dir.path()).unwrap());
    assert_eq!(manifest.end.reason, "finished");
    for table in Table::ALL {
        // The states of one ball are wide.
        assert!(dir.path().join(table.parquet_file()).is_file() || table == Table::Mechanism);
        assert!(!dir.path().join(table.stream_file()).exists());
    }
    assert_eq!(manifest.tables[0].rows, 201);
    let leftovers = fs::read_dir(dir.path()).unwrap().flatten();
    assert!(leftovers.into_iter().all(|f| !f.file_name().to_string_lossy().ends_with(".tmp")));
    let log = fs::read_to_string(dir.path().join(layout::LOG_JSONL)).unwrap();
    assert!(log.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
}

#[test]
fn joints_at_the_end_are_those_of_the_last_frame() {
    let dir = TempDir::new("final-joints");
    let manifest = fixture::finished(dir.path(), &FakeRun::mechanism());
    assert_eq!(manifest, Manifest::read(dir.path()).unwrap());
    let (hinge, ball) = (&manifest.final_joints[0], &manifest.final_joints[5]);
    assert_eq!((hinge.position.as_slice(), hinge.effort.len()), (&[2.0f64.sin()][..], 1));
    assert_eq!((ball.position.len(), ball.velocity.len(), ball.effort.len()), (4, 3, 0));
    assert_eq!(hinge.force_n[0], 10.0 * 2.0f64.sin());
    let data = RunData::open(dir.path()).unwrap();
    assert_eq!(data.series("joint.ball.qz").unwrap().values.last(), ball.position.last());
}

#[test]
fn optional_tables_without_rows_leave_no_file() {
    let dir = TempDir::new("optional");
    let run = FakeRun::single_ball();
    let info = run.info();
    let writer = RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
    let outcome = run.run(
        &mut RunWriter::create(fixture::request(&fixture::folder(TempDir::new("x").path()), &info)).unwrap(),
        None,
    );
    writer.finish(&outcome).unwrap();
    assert!(!dir.path().join("steps.parquet").exists() && !dir.path().join("probes.parquet").exists());
    assert!(dir.path().join("states.parquet").exists());
}

#[test]
fn resumed_tables_have_the_bytes_of_the_uninterrupted_run() {
    let whole = TempDir::new("whole");
    let run = FakeRun::single_ball();
    fixture::finished(whole.path(), &run);
    for stops_after in [0, 1, 24, 25, 119, 199] {
        let dir = TempDir::new("resumed");
        // Checkpoints at every step up to 100; what comes later has to be cut off.
        let info = run.info();
        let mut writer = RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
        writer.set_checkpoint_interval(Duration::ZERO);
        FakeRun { stops_after: Some(stops_after.min(100)), ..run.clone() }.run(&mut writer, None);
        writer.set_checkpoint_interval(Duration::MAX);
        if stops_after > 100 {
            let rest = FakeRun { stops_after: Some(stops_after), ..run.clone() };
            rest.run(&mut writer, Some(&101u64.to_le_bytes()));
            writer.streams.0.iter_mut().try_for_each(Stream::flush).unwrap();
        }
        drop(writer);
        let (mut writer, state) =
            RunWriter::resume(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
        assert_eq!(state, (stops_after.min(100) + 1).to_le_bytes());
        let outcome = run.run(&mut writer, Some(&state));
        let manifest = writer.finish(&outcome).unwrap();
        assert_eq!(manifest.timing.resumed, 1);
        assert_same_tables(whole.path(), dir.path());
    }
}

#[test]
fn an_interrupted_run_is_closed_cleanly_and_goes_on() {
    let whole = TempDir::new("whole");
    let run = FakeRun::single_ball();
    fixture::finished(whole.path(), &run);
    let dir = TempDir::new("interrupted");
    let info = run.info();
    let mut writer = RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
    writer.on_progress(|p| if p.time >= 1.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
    let outcome = run.run(&mut writer, None);
    let manifest = writer.finish(&outcome).unwrap();
    assert_eq!(manifest.end.reason, "interrupted");
    assert!(RunData::open(dir.path()).unwrap().times().unwrap().len() < 110);
    let (mut writer, state) =
        RunWriter::resume(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
    assert_eq!(Manifest::read(dir.path()).unwrap().end.reason, "running");
    let outcome = run.run(&mut writer, Some(&state));
    writer.finish(&outcome).unwrap();
    assert_same_tables(whole.path(), dir.path());
}

#[test]
fn another_model_is_refused() {
    let dir = TempDir::new("other-model");
    let run = FakeRun { stops_after: Some(9), ..FakeRun::single_ball() };
    killed(dir.path(), &run, true);
    let info = run.info();
    let folder = fixture::folder(dir.path());
    let mut request = fixture::request(&folder, &info);
    request.provenance.model.hash = "ffffffff".into();
    assert_eq!(RunWriter::resume(request).err().unwrap().code(), "E0702");
    drop(folder);
    let other = FakeRun { balls: 2, ..run.clone() }.info();
    assert_eq!(
        RunWriter::resume(fixture::request(&fixture::folder(dir.path()), &other)).err().unwrap().code(),
        "E0702"
    );
    assert!(RunWriter::resume(fixture::request(&fixture::folder(dir.path()), &info)).is_ok());
}

#[test]
fn without_checkpoint_or_run_there_is_nothing_to_resume() {
    let dir = TempDir::new("nothing");
    let run = FakeRun { stops_after: Some(9), ..FakeRun::single_ball() };
    let info = run.info();
    assert_eq!(
        RunWriter::resume(fixture::request(&fixture::folder(dir.path()), &info)).err().unwrap().code(),
        "E0701"
    );
    killed(dir.path(), &run, false);
    assert_eq!(
        RunWriter::resume(fixture::request(&fixture::folder(dir.path()), &info)).err().unwrap().code(),
        "E0703"
    );
}

#[test]
fn recover_keeps_every_row_of_a_killed_run() {
    let dir = TempDir::new("recover");
    killed(dir.path(), &FakeRun { stops_after: Some(120), ..FakeRun::single_ball() }, false);
    let recovered = recover(&fixture::folder(dir.path())).unwrap();
    assert!(!recovered.was_complete && !recovered.resumable);
    assert_eq!(recovered.tables[0].rows, 121);
    assert!((recovered.time - 1.2).abs() < 1e-12);
    let data = RunData::open(dir.path()).unwrap();
    assert_eq!(data.manifest().end.reason, "killed");
    assert_eq!(data.times().unwrap().len(), 121);
    assert!(recover(&fixture::folder(dir.path())).unwrap().was_complete);
}

#[test]
fn a_recovered_run_can_be_resumed() {
    let whole = TempDir::new("whole");
    let run = FakeRun::single_ball();
    fixture::finished(whole.path(), &run);
    let dir = TempDir::new("recover-resume");
    killed(dir.path(), &FakeRun { stops_after: Some(70), ..run.clone() }, true);
    assert!(recover(&fixture::folder(dir.path())).unwrap().resumable);
    let info = run.info();
    let (mut writer, state) =
        RunWriter::resume(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
    let outcome = run.run(&mut writer, Some(&state));
    writer.finish(&outcome).unwrap();
    assert_same_tables(whole.path(), dir.path());
}

#[test]
fn a_stream_cut_anywhere_gives_its_complete_batches() {
    let dir = TempDir::new("cut");
    let run = FakeRun { frames: 6, stops_after: Some(5), ..FakeRun::single_ball() };
    let info = run.info();
    let mut writer = RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
    // A checkpoint at every step makes a batch of every row.
    writer.set_checkpoint_interval(Duration::ZERO);
    run.run(&mut writer, None);
    drop(writer);
    let scene = Scene::new(&info);
    let path = dir.path().join(Table::Steps.stream_file());
    let whole = fs::read(&path).unwrap();
    let full = crate::store::load_table(dir.path(), Table::Steps, &scene, &[]).unwrap().unwrap();
    assert_eq!(full.rows(), 6);
    let mut seen = vec![0];
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let part = crate::store::load_table(dir.path(), Table::Steps, &scene, &[]).unwrap().unwrap();
        assert!(part.rows() >= *seen.last().unwrap(), "more bytes, more rows");
        seen.push(part.rows());
        let mut expected = full.clone();
        expected.truncate(part.rows());
        assert_eq!(part, expected, "cut at {length}");
    }
    seen.dedup();
    assert_eq!(seen, (0..=6).collect::<Vec<_>>(), "each row alone can be the last");
}

#[test]
fn a_new_run_in_the_same_folder_replaces_the_old_and_nothing_else() {
    let dir = TempDir::new("replace");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    let run = FakeRun { frames: 20, ..FakeRun::single_ball() };
    let manifest = fixture::finished(dir.path(), &run);
    assert_eq!(manifest.tables[0].rows, 21);
    assert_eq!(fs::read_to_string(dir.path().join("notes.txt")).unwrap(), "mine");
}

#[test]
fn a_folder_that_cannot_be_written_names_itself() {
    let dir = TempDir::new("blocked");
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let error = RunFolder::claim(&file.join("run"), false).unwrap_err();
    assert_eq!(error.code(), "E0705");
    assert!(error.to_string().contains("file"), "{error}");
}

#[test]
fn numbers_come_back_with_their_bits() {
    let dir = TempDir::new("bits");
    let run = FakeRun::single_ball();
    let info = run.info();
    let mut writer = RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
    let outcome = run.run(&mut writer, None);
    let pending = writer.streams.of(Table::States).pending().clone();
    let manifest = writer.finish(&outcome).unwrap();
    let data = RunData::open(dir.path()).unwrap();
    assert_eq!(data.table(Table::States).unwrap(), &pending);
    let position: [f64; 3] = outcome.bodies[1].position.into();
    assert_eq!(manifest.final_bodies[1].position_m, position);
    assert_eq!(Manifest::read(dir.path()).unwrap().final_bodies[1].position_m, position);
}

#[test]
fn values_that_json_cannot_hold_do_not_spoil_the_manifest() {
    let dir = TempDir::new("nan");
    let run = FakeRun::single_ball();
    let info = run.info();
    let mut writer = RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
    let mut outcome = run.run(&mut writer, None);
    outcome.energy.kinetic = f64::NAN;
    outcome.bodies[1].velocity.z = f64::INFINITY;
    writer.finish(&outcome).unwrap();
    let back = Manifest::read(dir.path()).unwrap();
    assert!(back.energy.unwrap().kinetic_j.is_nan() && back.final_bodies[1].velocity_m_s[2].is_nan());
}

#[test]
fn another_schema_is_refused_by_number() {
    let dir = TempDir::new("schema");
    fs::write(dir.path().join(layout::RUN_JSON), r#"{"schema": 9}"#).unwrap();
    assert_eq!(Manifest::read(dir.path()).unwrap_err().code(), "E0708");
    fs::write(dir.path().join(layout::RUN_JSON), "{").unwrap();
    assert_eq!(Manifest::read(dir.path()).unwrap_err().code(), "E0704");
}

/// A kill between any two files that a start writes or removes: here their order by hand, step by step.
#[test]
fn a_start_over_an_old_run_never_mixes_the_two() {
    let dir = TempDir::new("mix");
    fixture::finished(dir.path(), &FakeRun::single_ball());
    let run = FakeRun { frames: 20, ..FakeRun::single_ball() };
    let info = run.info();
    let folder = fixture::folder(dir.path());
    // Without `finish` the folder is as a kill leaves it; then Parquet files of the first run come back to life.
    let states = fs::read(dir.path().join("states.parquet")).unwrap();
    drop(RunWriter::create(fixture::request(&folder, &info)).unwrap());
    fs::write(dir.path().join("states.parquet"), &states).unwrap();
    fs::write(dir.path().join("steps.parquet"), &states).unwrap();
    assert_eq!(RunData::open(dir.path()).unwrap().times().unwrap().len(), 0);
    fs::remove_file(dir.path().join("steps.arrows")).unwrap();
    let recovered = recover(&folder).unwrap();
    assert_eq!((recovered.tables[0].rows, recovered.time), (0, 0.0));
    assert!(!dir.path().join("steps.parquet").exists());
}

#[test]
fn a_model_file_that_was_changed_since_is_kept_unless_told() {
    let dir = TempDir::new("edited");
    let run = FakeRun::single_ball();
    fixture::finished(dir.path(), &run);
    let model = dir.path().join(layout::MODEL_TOML);
    fs::write(&model, "my work").unwrap();
    let info = run.info();
    {
        let folder = fixture::folder(dir.path());
        let error = RunWriter::create(fixture::request(&folder, &info)).err().unwrap();
        assert!(error.code() == "E0713" && error.to_string().contains("model.toml"), "{error}");
        assert_eq!(fs::read_to_string(&model).unwrap(), "my work");
        assert!(dir.path().join("states.parquet").is_file(), "nothing was touched");
    }
    let folder = RunFolder::claim(dir.path(), true).unwrap();
    RunWriter::create(fixture::request(&folder, &info)).unwrap();
    assert_eq!(fs::read_to_string(&model).unwrap(), "format = 1\n");
}

/// What was done to a model file while the run was killed, or still going, is neither vouched for nor replaced.
#[test]
fn a_model_file_that_was_changed_before_the_end_is_seen() {
    let run = FakeRun::single_ball();
    let refused = |dir: &TempDir| {
        let error = Manifest::read(dir.path()).unwrap().verify(dir.path()).unwrap_err();
        assert!(error.code() == "E0704" && error.to_string().contains("model.toml"), "{error}");
        let info = run.info();
        let error = RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).err().unwrap();
        assert_eq!(error.code(), "E0713");
        assert_eq!(fs::read_to_string(dir.path().join(layout::MODEL_TOML)).unwrap(), "my work");
    };
    let dir = TempDir::new("edited-killed");
    killed(dir.path(), &run, true);
    fs::write(dir.path().join(layout::MODEL_TOML), "my work").unwrap();
    recover(&fixture::folder(dir.path())).unwrap();
    refused(&dir);

    let dir = TempDir::new("edited-running");
    let info = run.info();
    let mut writer = RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
    let outcome = run.run(&mut writer, None);
    fs::write(dir.path().join(layout::MODEL_TOML), "my work").unwrap();
    writer.finish(&outcome).unwrap();
    refused(&dir);
}

/// Takes away the quota when the test ends, one way or another.
struct Disk;

impl Disk {
    fn with(bytes: usize) -> Self {
        files::quota::set(Some(bytes));
        Self
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        files::quota::set(None);
    }
}

/// Before the first checkpoint the room is that of the bodies and pairs there are.
#[test]
fn the_room_for_the_first_checkpoint_grows_with_the_scene() {
    let dir = TempDir::new("reserve");
    let info = FakeRun::single_ball().info();
    let mut writer = RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info)).unwrap();
    let held = || fs::metadata(dir.path().join(layout::RESERVE)).unwrap().len();
    let few = held();
    let pairs = vec![info.pairs[0].clone(); 200_000];
    writer.pairs_added(&pairs, &[]).unwrap();
    assert!(held() - few > 7_200_000, "{few} B, then {} B", held());
}

/// A disk that is full at any moment of a run: it ends with E0705, the folder holds a checkpoint, and with room again
/// the rest of the run has the bytes of a whole one.
#[test]
fn a_full_disk_leaves_a_checkpoint_to_go_on_from() {
    let whole = TempDir::new("disk-whole");
    let run = FakeRun::single_ball();
    fixture::finished(whole.path(), &run);
    let info = run.info();
    let mut stopped = 0;
    // From a disk that holds the reserve and the empty tables to one that holds nearly the whole run.
    for extra in (0..240_000).step_by(8_000) {
        let dir = TempDir::new("disk");
        let folder = fixture::folder(dir.path());
        let disk = Disk::with((4 << 20) + 60_000 + extra);
        let Ok(mut writer) = RunWriter::create(fixture::request(&folder, &info)) else { continue };
        // Every row goes to the disk at once, and no checkpoint comes by itself.
        writer.flush_every = Duration::ZERO;
        let outcome = run.run(&mut writer, None);
        let Err(error) = writer.finish(&outcome) else { continue };
        assert!(error.is_disk_full(), "{error}");
        stopped += 1;
        drop(disk);
        drop(folder);
        let folder = fixture::folder(dir.path());
        let (mut writer, state) = RunWriter::resume(fixture::request(&folder, &info)).unwrap();
        let outcome = run.run(&mut writer, Some(&state));
        writer.finish(&outcome).unwrap();
        assert_same_tables(whole.path(), dir.path());
        assert!(!dir.path().join(layout::RESERVE).exists());
    }
    assert!(stopped > 10, "{stopped} runs met a full disk");
}
