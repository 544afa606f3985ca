//! Workers that die: what they cost, and what they never cost.
#![allow(missing_docs)]
#![cfg(unix)]

use std::path::PathBuf;
use std::process::Command;

use carom_io::study::{Axis, Places, Setting, StudyFile};
use carom_sweep::{Examined, Ledger, Plan, Row, Shard, run_here};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("carom-sweep-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        Self(dir)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn plan(runs: usize) -> Plan {
    let values = (0..runs).map(|k| Setting::quantity(k as f64, "kg")).collect();
    Plan::new(StudyFile {
        model: PathBuf::from("none.toml"),
        axes: vec![Axis { key: "body.ball.mass".to_owned(), values }],
        side_by_side: false,
        sample: None,
        results: Vec::new(),
        text: "format = 1\n".to_owned(),
        places: Places::default(),
    })
}

fn of(model: &str) -> Examined {
    Examined { hash: model.to_owned(), files: Vec::new() }
}

/// A worker that says that it has made every run but the second, in which it dies; what it is asked for goes to a file.
fn worker(asked: &std::path::Path) -> Command {
    let script = r#"while read n; do
        echo $n >> "$0"
        if [ $n = 2 ]; then kill -9 $$; fi
        echo "{\"run\":$n,\"end\":\"finished\",\"code\":\"\",\"message\":\"\",\"time\":1.0,\"results\":[],\"steps\":1,\"evaluations\":1,\"wall\":0.1,\"folder\":\"\",\"host\":\"\"}"
    done"#;
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(asked);
    command
}

#[test]
fn a_run_that_kills_three_workers_is_a_failed_row_and_the_others_go_on() {
    let folder = Folder::new("killer");
    std::fs::create_dir_all(&folder.0).unwrap();
    let asked = folder.0.join("asked");
    let plan = plan(8);
    let mut ledger = Ledger::open(&plan, &of("model"), &folder.0, Shard::WHOLE).unwrap().unwrap();
    let tally = run_here(&plan, &mut ledger, Shard::WHOLE, 2, &|| worker(&asked), &|_: &Row| {}).unwrap();
    assert_eq!((tally.known, tally.finished, tally.failed), (0, 7, 1));
    let mut numbers: Vec<usize> =
        std::fs::read_to_string(&asked).unwrap().lines().map(|line| line.parse().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 2, 2, 3, 4, 5, 6, 7, 8], "the killer three times, the others once");
    let rows = std::fs::read_to_string(folder.0.join("rows-1-of-1.jsonl")).unwrap();
    let killer = rows.lines().find(|line| line.contains("\"run\":2,")).unwrap();
    assert!(killer.contains("\"killed\"") && killer.contains("E0902"), "{killer}");
    assert!(ledger.write_table(&plan).unwrap().is_file());
}

#[test]
fn a_row_that_was_cut_off_is_made_again_and_those_before_are_not() {
    let folder = Folder::new("cut");
    std::fs::create_dir_all(&folder.0).unwrap();
    let asked = folder.0.join("asked");
    let plan = plan(4);
    let shard = Shard { part: 1, of: 2 };
    let mut ledger = Ledger::open(&plan, &of("model"), &folder.0, shard).unwrap().unwrap();
    run_here(&plan, &mut ledger, shard, 1, &|| worker(&asked), &|_: &Row| {}).unwrap();
    drop(ledger);
    let path = folder.0.join("rows-1-of-2.jsonl");
    let rows = std::fs::read_to_string(&path).unwrap();
    assert_eq!(rows.lines().count(), 2, "runs 1 and 3");
    std::fs::write(&path, &rows[..rows.len() - 5]).unwrap();
    let mut ledger = Ledger::open(&plan, &of("model"), &folder.0, shard).unwrap().unwrap();
    assert!(ledger.has(1) && !ledger.has(3) && !ledger.has(2));
    let tally = run_here(&plan, &mut ledger, shard, 1, &|| worker(&asked), &|_: &Row| {}).unwrap();
    assert_eq!((tally.known, tally.finished), (1, 1));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), rows);
    assert!(Ledger::open(&plan, &of("another model"), &folder.0, shard).unwrap().is_none());
}

/// Two programs at the same runs would make each of them twice; parts may be made beside each other.
#[test]
fn a_part_is_made_by_one_program_at_a_time() {
    let folder = Folder::new("claimed");
    std::fs::create_dir_all(&folder.0).unwrap();
    let plan = plan(4);
    let open = |part| Ledger::open(&plan, &of("model"), &folder.0, Shard { part, of: 2 });
    let first = open(1).unwrap().unwrap();
    let busy = open(1).err().expect("it is taken");
    assert_eq!(busy.kind(), std::io::ErrorKind::ResourceBusy);
    assert!(busy.to_string().contains("--shard"), "{busy}");
    assert!(open(2).unwrap().is_some());
    drop(first);
    assert!(open(1).unwrap().is_some());
}
