//! What an analysis answers, and where it goes.

use std::path::{Path, PathBuf};

use carom_results::write_result;
use serde_json::Value;

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

/// Options of all analyses.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// Write one JSON object to standard output
    #[arg(long)]
    pub(super) json: bool,
    /// Write the table as CSV to standard output
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Write the answer to a file too, .json or .csv
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace FILE if it is there
    #[arg(long, requires = "out")]
    force: bool,
}

/// The same in three forms.
pub(super) struct Answer {
    /// For people.
    pub(super) text: String,
    /// One object.
    pub(super) json: Value,
    /// A table; its first row are names that end in their units.
    pub(super) table: Vec<Vec<String>>,
}

/// Form of a file.
#[derive(Clone, Copy)]
enum Form {
    Json,
    Csv,
}

impl OutputArgs {
    /// Can the file be written in the form that its name asks for? To be known before the work is done.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.out.as_deref().map_or(Ok(()), |file| form_of(file).map(|_| ()))
    }

    /// Shows an answer and writes its file.
    pub(super) fn deliver(&self, answer: &Answer, console: &Console) -> Result<(), Failure> {
        if let Some(file) = &self.out {
            let text = match form_of(file)? {
                Form::Json => format!("{:#}\n", answer.json),
                Form::Csv => csv(&answer.table),
            };
            write_result(file, text.as_bytes(), self.force)?;
            console.note(&format!("{}\n", file.display()));
        }
        match (self.json, self.csv) {
            (true, _) => console.data(&format!("{}\n", answer.json)),
            (_, true) => console.data(&csv(&answer.table)),
            _ => console.data(&answer.text),
        }
    }
}

fn form_of(file: &Path) -> Result<Form, Failure> {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("json") => Ok(Form::Json),
        Some("csv") => Ok(Form::Csv),
        _ => Err(Failure::with_help(
            exit::NOT_STARTED,
            format!("analyses are written as JSON or CSV, not to \"{}\"", file.display()),
            "give FILE.json or FILE.csv",
        )),
    }
}

fn csv(table: &[Vec<String>]) -> String {
    let quoted = |cell: &String| if cell.contains(',') { format!("\"{cell}\"") } else { cell.clone() };
    table.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n").collect()
}
