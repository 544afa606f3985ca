//! Tables as CSV (RFC 4180): comma, quotes where needed, CRLF; numbers with all their digits.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::manifest::Manifest;
use crate::store::read_table;
use crate::tables::{Columns, Table, Values};
use crate::{Error, files};

/// Writes every table of the run as `NAME.csv` into `out`, which is created; returns the files.
pub fn convert_to_csv(run_dir: &Path, out: &Path) -> Result<Vec<PathBuf>, Error> {
    let manifest = Manifest::read(run_dir)?;
    std::fs::create_dir_all(out).map_err(Error::write(out))?;
    let mut written = Vec::new();
    for table in Table::ALL {
        let path = out.join(format!("{}.csv", table.name()));
        let file = File::create(&path).map_err(Error::write(&path))?;
        let mut file = BufWriter::new(file);
        write_head(&mut file, &Columns::new(table.columns(&manifest.scene))).map_err(Error::write(&path))?;
        let found = read_table(run_dir, table, &manifest.scene, &manifest.files, &mut |batch| {
            write_rows(&mut file, batch).map_err(Error::write(&path))
        })?;
        file.flush().map_err(Error::write(&path))?;
        if found {
            written.push(path);
        } else {
            files::remove_if_present(&path)?;
        }
    }
    Ok(written)
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

    #[test]
    fn numbers_read_back_with_their_bits() {
        let dir = TempDir::new("csv");
        fixture::finished(dir.path(), &FakeRun::single_ball());
        let out = dir.path().join("csv");
        assert_eq!(convert_to_csv(dir.path(), &out).unwrap().len(), Table::ALL.len());
        let data = RunData::open(dir.path()).unwrap();
        for table in Table::ALL {
            let text = std::fs::read_to_string(out.join(format!("{}.csv", table.name()))).unwrap();
            let columns = data.table(table).unwrap();
            let mut lines = text.split_terminator("\r\n");
            let head: Vec<String> = columns.columns().iter().map(|c| c.name()).collect();
            assert_eq!(lines.next().unwrap(), head.join(","));
            let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
            assert_eq!(rows.len(), columns.rows());
            for (index, name) in head.iter().enumerate() {
                if let Some(values) = columns.floats(name) {
                    assert!(rows.iter().zip(values).all(|(row, v)| row[index].parse::<f64>().unwrap() == *v));
                }
            }
        }
    }

    #[test]
    fn a_table_that_was_not_recorded_leaves_no_file() {
        let dir = TempDir::new("csv-none");
        let info = FakeRun::single_ball().info();
        let elsewhere = TempDir::new("csv-elsewhere");
        let mut writer = RunWriter::create(fixture::request(elsewhere.path(), &info)).unwrap();
        let outcome = FakeRun::single_ball().run(&mut writer, None);
        // Of the run alone, without what it has recorded.
        RunWriter::create(fixture::request(dir.path(), &info)).unwrap().finish(&outcome).unwrap();
        let files = convert_to_csv(dir.path(), &dir.path().join("csv")).unwrap();
        assert!(files.iter().all(|f| f.is_file() && !f.ends_with("steps.csv")));
        assert!(!dir.path().join("csv/steps.csv").exists());
    }
}
