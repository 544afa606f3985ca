//! Tables as CSV (RFC 4180): comma, quotes where needed, CRLF; numbers with all their digits.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::files::{self, Temporary};
use crate::manifest::Manifest;
use crate::store::read_table;
use crate::tables::{Columns, Table, Values};

/// Writes every table of the run as `NAME.csv` into `out`, which is created; returns the files. Files that are there
/// are replaced if `replace` says so; else nothing is written (E0713).
pub fn convert_to_csv(run_dir: &Path, out: &Path, replace: bool) -> Result<Vec<PathBuf>, Error> {
    let manifest = Manifest::read(run_dir)?;
    fs::create_dir_all(out).map_err(Error::write(out))?;
    let path_of = |table: Table| out.join(format!("{}.csv", table.name()));
    for path in Table::ALL.map(path_of) {
        files::may_write(&path, replace)?;
    }
    let mut written = Vec::new();
    for table in Table::ALL {
        let path = path_of(table);
        if write_table(run_dir, &manifest, table, &path, replace)? {
            written.push(path);
        }
    }
    Ok(written)
}

/// Writes one table as a file (E0709 if the run has not recorded it).
pub fn convert_table_to_csv(run_dir: &Path, table: Table, out: &Path, replace: bool) -> Result<(), Error> {
    files::may_write(out, replace)?;
    let manifest = Manifest::read(run_dir)?;
    if write_table(run_dir, &manifest, table, out, replace)? {
        Ok(())
    } else {
        Err(Error::NoValue { message: format!("the run has no table {}", table.name()) })
    }
}

/// Returns false, and writes nothing, if the run has not recorded the table.
fn write_table(
    run_dir: &Path,
    manifest: &Manifest,
    table: Table,
    path: &Path,
    replace: bool,
) -> Result<bool, Error> {
    let (temporary, file) = Temporary::create(path).map_err(Error::write(path))?;
    let mut file = BufWriter::new(file);
    write_head(&mut file, &Columns::new(table.columns(&manifest.scene))).map_err(Error::write(path))?;
    let found = read_table(run_dir, table, &manifest.scene, &manifest.files, &mut |batch| {
        write_rows(&mut file, batch).map_err(Error::write(path))
    })?;
    file.flush().map_err(Error::write(path))?;
    if found {
        temporary.put_result(path, replace)?;
    }
    Ok(found)
}

fn write_head(file: &mut impl Write, columns: &Columns) -> std::io::Result<()> {
    for (index, column) in columns.columns().iter().enumerate() {
        write!(file, "{}{}", separator(index), field(&column.name()))?;
    }
    file.write_all(b"\r\n")
}

fn write_rows(file: &mut impl Write, columns: &Columns) -> std::io::Result<()> {
    for row in 0..columns.rows() {
        for index in 0..columns.columns().len() {
            file.write_all(separator(index).as_bytes())?;
            match columns.values(index) {
                // The shortest text that reads back to the same bits.
                Values::Float(values) => write!(file, "{:?}", values[row])?,
                Values::Count(values) => write!(file, "{}", values[row])?,
                Values::Text(values) => file.write_all(field(&values[row]).as_bytes())?,
                Values::Word { keys, vocabulary } => {
                    file.write_all(field(&vocabulary[keys[row] as usize]).as_bytes())?;
                }
            }
        }
        file.write_all(b"\r\n")?;
    }
    Ok(())
}

fn separator(index: usize) -> &'static str {
    if index == 0 { "" } else { "," }
}

fn field(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, FakeRun, TempDir};
    use crate::{RunData, RunWriter};

    #[test]
    fn fields_are_quoted_where_needed() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
    }

    /// Cells of a line; commas in quotes stand for themselves.
    fn fields(line: &str) -> Vec<&str> {
        let mut is_quoted = false;
        let at_end = |c: char| {
            is_quoted ^= c == '"';
            c == ',' && !is_quoted
        };
        line.split(at_end).collect()
    }

    #[test]
    fn numbers_read_back_with_their_bits() {
        let dir = TempDir::new("csv");
        fixture::finished(dir.path(), &FakeRun::single_ball());
        let out = dir.path().join("csv");
        // All but that of mechanisms: the states of one ball are wide.
        assert_eq!(convert_to_csv(dir.path(), &out, false).unwrap().len(), Table::ALL.len() - 1);
        let data = RunData::open(dir.path()).unwrap();
        for table in Table::ALL.into_iter().filter(|table| *table != Table::Mechanism) {
            let text = fs::read_to_string(out.join(format!("{}.csv", table.name()))).unwrap();
            let columns = data.table(table).unwrap();
            let mut lines = text.split_terminator("\r\n");
            let head: Vec<String> = columns.columns().iter().map(|c| c.name()).collect();
            assert_eq!(lines.next().unwrap(), head.join(","));
            let rows: Vec<Vec<&str>> = lines.map(fields).collect();
            assert_eq!(rows.len(), columns.rows());
            for (index, name) in head.iter().enumerate() {
                if let Some(values) = columns.floats(name) {
                    assert!(rows.iter().zip(values).all(|(row, v)| row[index].parse::<f64>().unwrap() == *v));
                }
            }
        }
    }

    #[test]
    fn what_is_there_is_replaced_only_when_told() {
        let dir = TempDir::new("csv-again");
        fixture::finished(dir.path(), &FakeRun::single_ball());
        let out = dir.path().join("csv");
        fs::create_dir(&out).unwrap();
        fs::write(out.join("energy.csv"), "mine").unwrap();
        assert_eq!(convert_to_csv(dir.path(), &out, false).unwrap_err().code(), "E0713");
        let one = convert_table_to_csv(dir.path(), Table::States, &out.join("energy.csv"), false);
        assert_eq!(one.unwrap_err().code(), "E0713");
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing beside it was written");
        assert_eq!(fs::read_to_string(out.join("energy.csv")).unwrap(), "mine");
        convert_to_csv(dir.path(), &out, true).unwrap();
        assert!(fs::read_to_string(out.join("energy.csv")).unwrap().starts_with("time_s,"));
    }

    #[test]
    fn a_table_that_was_not_recorded_leaves_no_file() {
        let dir = TempDir::new("csv-none");
        let info = FakeRun::single_ball().info();
        let elsewhere = TempDir::new("csv-elsewhere");
        let mut writer =
            RunWriter::create(fixture::request(&fixture::folder(elsewhere.path()), &info)).unwrap();
        let outcome = FakeRun::single_ball().run(&mut writer, None);
        // Of the run alone, without what it has recorded.
        RunWriter::create(fixture::request(&fixture::folder(dir.path()), &info))
            .unwrap()
            .finish(&outcome)
            .unwrap();
        let files = convert_to_csv(dir.path(), &dir.path().join("csv"), false).unwrap();
        assert!(files.iter().all(|f| f.is_file() && !f.ends_with("steps.csv")));
        assert!(!dir.path().join("csv/steps.csv").exists());
    }
}
