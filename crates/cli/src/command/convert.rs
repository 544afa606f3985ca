use std::fs;
use std::path::{Path, PathBuf};

use carom_results::RunData;
use carom_results::tables::{Columns, Table, Values};

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct ConvertArgs {
    /// Run folder
    run: PathBuf,
    /// FILE.csv for one table, or a folder for all of them
    out: PathBuf,
    /// Table for FILE.csv
    #[arg(long, default_value = "states", value_parser = table_of)]
    table: Table,
}

fn table_of(name: &str) -> Result<Table, String> {
    let names = || Table::ALL.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ");
    Table::ALL.into_iter().find(|t| t.name() == name).ok_or_else(|| format!("there are: {}", names()))
}

pub(crate) fn execute(args: &ConvertArgs, console: &Console) -> Result<u8, Failure> {
    let data = RunData::open(&args.run)?;
    if args.out.extension().is_some_and(|e| e == "csv") {
        write(&args.out, data.table(args.table)?)?;
        console.data(&format!("{}\n", args.out.display()))?;
        return Ok(exit::DONE);
    }
    if let Some(extension) = args.out.extension() {
        return Err(Failure::with_help(
            exit::NOT_STARTED,
            format!("runs cannot be converted to .{} files", extension.to_string_lossy()),
            "give FILE.csv, or a folder for all tables",
        ));
    }
    fs::create_dir_all(&args.out).map_err(|error| cannot_write(&args.out, &error))?;
    for table in Table::ALL {
        let columns = data.table(table)?;
        if columns.rows() > 0 || !table.is_optional() {
            let path = args.out.join(format!("{}.csv", table.name()));
            write(&path, columns)?;
            console.data(&format!("{}\n", path.display()))?;
        }
    }
    Ok(exit::DONE)
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(exit::NOT_STARTED, format!("cannot write \"{}\": {error}", path.display()))
}

fn write(path: &Path, columns: &Columns) -> Result<(), Failure> {
    fs::write(path, csv(columns)).map_err(|error| cannot_write(path, &error))
}

/// A table as CSV (RFC 4180), numbers with all their digits.
fn csv(columns: &Columns) -> String {
    let names: Vec<String> = columns.columns().iter().map(|column| quoted(&column.name())).collect();
    let mut text = names.join(",");
    text.push('\n');
    for row in 0..columns.rows() {
        for index in 0..names.len() {
            if index > 0 {
                text.push(',');
            }
            match columns.values(index) {
                Values::Float(values) => text.push_str(&format!("{:?}", values[row])),
                Values::Count(values) => text.push_str(&values[row].to_string()),
                Values::Word { keys, vocabulary } => text.push_str(&quoted(&vocabulary[keys[row] as usize])),
            }
        }
        text.push('\n');
    }
    text
}

/// Names such as `drop[a,b]` need quotes.
pub(super) fn quoted(word: &str) -> String {
    if word.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_owned()
    }
}
