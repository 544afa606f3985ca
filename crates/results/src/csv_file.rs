//! Reads tables of numbers from CSV (RFC 4180), such as those that `carom convert` writes.

use std::path::{Path, PathBuf};

use crate::{Error, files};

/// Largest CSV file that is read (bytes).
const MOST: u64 = 1 << 30;

/// A CSV file with names in its first row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvFile {
    path: PathBuf,
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl CsvFile {
    /// Reads a file. E0706 if it cannot be read, E0710 if its rows are not of one length.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = files::read_text(path, MOST)?;
        let (mut rows, is_whole) = records(&text);
        let bad = |message: String| Error::Csv { path: path.to_owned(), message };
        if !is_whole {
            return Err(bad(format!("row {} has a quote that does not end", rows.len() + 1)));
        }
        if rows.is_empty() {
            return Err(bad("the file is empty".to_owned()));
        }
        let names = rows.remove(0);
        if let Some((k, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != names.len()) {
            let (found, wanted) = (row.len(), names.len());
            return Err(bad(format!("row {} has {found} cells, the first row has {wanted}", k + 2)));
        }
        Ok(Self { path: path.to_owned(), names, rows })
    }

    /// Names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Finite numbers of the column `name`; `None` if there is none. E0710 if a cell is something else.
    pub fn column(&self, name: &str) -> Result<Option<Vec<f64>>, Error> {
        let Some(index) = self.names.iter().position(|n| n.trim() == name) else { return Ok(None) };
        let number = |(k, row): (usize, &Vec<String>)| {
            let cell = row[index].trim();
            cell.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| Error::Csv {
                path: self.path.clone(),
                message: format!("row {}: \"{cell}\" in column {name} is not a finite number", k + 2),
            })
        };
        self.rows.iter().enumerate().map(number).collect::<Result<_, _>>().map(Some)
    }
}

/// Cells of all rows, and whether all quotes end; empty lines are left out. Quoted cells may contain commas, line ends,
/// and quotes twice.
fn records(text: &str) -> (Vec<Vec<String>>, bool) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = text.chars().chain(['\n']).peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                if !row.is_empty() || !cell.is_empty() {
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
            }
            c => cell.push(c),
        }
    }
    (rows, !quoted)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::TempDir;

    fn read(text: &str) -> Result<CsvFile, Error> {
        let dir = TempDir::new("csv-file");
        let path = dir.path().join("a.csv");
        fs::write(&path, text).unwrap();
        CsvFile::read(&path)
    }

    #[test]
    fn quotes_line_ends_and_a_mark_are_understood() {
        let file = read("\u{feff}time_s,\"a,\"\"b\"\"\"\r\n0.5,1e-3\r\n\n1, 2\n").unwrap();
        assert_eq!(file.names(), ["time_s", "a,\"b\""]);
        assert_eq!(file.column("time_s").unwrap().unwrap(), [0.5, 1.0]);
        assert_eq!(file.column("a,\"b\"").unwrap().unwrap(), [1e-3, 2.0]);
        assert_eq!(file.column("c").unwrap(), None);
    }

    #[test]
    fn mistakes_have_a_row() {
        for (text, part) in [("", "empty"), ("a,b\n1\n", "row 2 has 1 cells"), ("a\n1\n\"\n", "row 3")] {
            let error = read(text).and_then(|file| file.column("a")).unwrap_err();
            assert!(error.code() == "E0710" && error.to_string().contains(part), "{error}");
        }
        for cell in ["x", "nan", "inf"] {
            let error = read(&format!("a\n1\n{cell}\n")).unwrap().column("a").unwrap_err();
            assert!(error.to_string().contains(&format!("row 3: \"{cell}\"")), "{error}");
        }
        assert_eq!(CsvFile::read(Path::new("nowhere.csv")).unwrap_err().code(), "E0706");
    }
}
