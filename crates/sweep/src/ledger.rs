//! Rows of the runs that are done, line by line as they come.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom::Error;
use carom_io::study::read_study;
use carom_report::study_page;
use carom_results::tables::Columns;
use carom_results::{write_parquet, write_result};

use crate::page::page_of;
use crate::row::table;
use crate::{Examined, Plan, Row, inputs};

/// A part of the runs of a study: those whose number leaves the remainder `part` − 1 by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub part: usize,
    /// Of how many.
    pub of: usize,
}

impl Shard {
    /// All of them.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    /// Has it this run?
    pub fn has(self, number: usize) -> bool {
        (number - 1) % self.of == self.part - 1
    }
}

/// The folder of a study.
pub struct Ledger {
    dir: PathBuf,
    rows: File,
    done: BTreeSet<usize>,
}

/// Text of the study that the folder is of.
pub(crate) const STUDY: &str = "study.toml";
/// The table.
const TABLE: &str = "study.parquet";
/// The page.
const PAGE: &str = "study.html";

/// Takes the rows of a part for one program at a time, until it ends: two would make every run twice, in each other's folders. File systems without
/// locks are taken as they are.
fn claim(rows: &File) -> io::Result<()> {
    match rows.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let message = "another `carom sweep` makes the same runs there: wait for its end, or give each its own --shard";
            Err(io::Error::new(io::ErrorKind::ResourceBusy, message))
        }
        Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        _ => Ok(()),
    }
}

impl Ledger {
    /// Opens or makes the folder of a study that was examined. `None` if the folder holds another study, or one of another model or of
    /// other files. An error of kind `ResourceBusy` if another program makes the same runs there. Rows that a kill has cut off are forgotten.
    pub fn open(plan: &Plan, examined: &Examined, dir: &Path, shard: Shard) -> io::Result<Option<Self>> {
        let text = format!("{}\n# model of run 1: {}\n", plan.study.text.trim_end(), examined.hash);
        fs::create_dir_all(dir)?;
        let study = dir.join(STUDY);
        match fs::read_to_string(&study) {
            Ok(known) if known != text => return Ok(None),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let beside = dir.join(format!("{STUDY}.{}", std::process::id()));
                fs::write(&beside, text)?;
                fs::rename(&beside, &study)?;
            }
            Err(error) => return Err(error),
        }
        if !inputs::keep(plan, examined, dir).map_err(|error| io::Error::other(error.to_string()))? {
            return Ok(None);
        }
        let path = dir.join(format!("rows-{}-of-{}.jsonl", shard.part, shard.of));
        let known = fs::read(&path).unwrap_or_default();
        let whole = known.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let rows = OpenOptions::new().create(true).append(true).open(&path)?;
        claim(&rows)?;
        if whole < known.len() {
            rows.set_len(whole as u64)?;
        }
        let done = rows_in(dir, plan)?.into_keys().collect();
        Ok(Some(Self { dir: dir.to_owned(), rows, done }))
    }

    /// Is the row of this run there?
    pub fn has(&self, number: usize) -> bool {
        self.done.contains(&number)
    }

    /// Keeps a row; when this returns it is on the disk.
    pub fn keep(&mut self, row: &Row) -> io::Result<()> {
        let line = serde_json::to_string(row).map_err(io::Error::other)? + "\n";
        self.rows.write_all(line.as_bytes())?;
        self.rows.sync_data()?;
        self.done.insert(row.run);
        Ok(())
    }

    /// Writes the table of all rows that are there, those of other parts too, in the order of the runs, and the page of them; gives
    /// the path of the table.
    pub fn write_table(&self, plan: &Plan) -> io::Result<PathBuf> {
        let path = self.dir.join(TABLE);
        let about = [("carom.study".to_owned(), plan.study.text.clone())];
        let mut rows = rows_in(&self.dir, plan)?;
        loop {
            let all: Vec<Row> = rows.into_values().collect();
            let page = study_page(&page_of(plan, &all, &self.dir));
            write_parquet(&path, &table(plan, &all), &about)
                .and_then(|()| write_result(&self.dir.join(PAGE), page.as_bytes(), true))
                .map_err(|error| io::Error::other(error.to_string()))?;
            // Another part may have ended in between, and written its own table before this one: whoever writes last looks again.
            rows = rows_in(&self.dir, plan)?;
            if rows.len() == all.len() {
                return Ok(path);
            }
        }
    }
}

/// The table of the study in a folder, of the rows that are there now, as it is in `study.parquet`.
pub fn read_rows(dir: &Path) -> Result<Arc<Columns>, Error> {
    let plan = Plan::new(read_study(&dir.join(STUDY))?);
    let rows: Vec<Row> =
        rows_in(dir, &plan).map_err(|error| Error::Recording(Box::new(error)))?.into_values().collect();
    Ok(table(&plan, &rows))
}

/// Whole rows of all parts, by run.
fn rows_in(dir: &Path, plan: &Plan) -> io::Result<BTreeMap<usize, Row>> {
    let mut rows = BTreeMap::new();
    for entry in fs::read_dir(dir)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.starts_with("rows-") || !name.ends_with(".jsonl") {
            continue;
        }
        for line in
            fs::read_to_string(dir.join(&name))?.split_inclusive('\n').filter(|line| line.ends_with('\n'))
        {
            let row: Row =
                serde_json::from_str(line).map_err(|error| io::Error::other(format!("{name}: {error}")))?;
            if (1..=plan.cases.len()).contains(&row.run) {
                rows.entry(row.run).or_insert(row);
            }
        }
    }
    Ok(rows)
}
