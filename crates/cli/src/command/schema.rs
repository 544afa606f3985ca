use carom_io::schema;
use clap::ValueEnum;

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    /// How to show it
    #[arg(long, default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Table to read
    Table,
    /// JSON Schema, for completion in editors
    JsonSchema,
}

pub(crate) fn execute(args: &SchemaArgs, console: &Console) -> Result<u8, Failure> {
    match args.format {
        Format::Table => console.data(&schema::text())?,
        Format::JsonSchema => console.data(&format!("{:#}\n", schema::json_schema()))?,
    }
    Ok(exit::DONE)
}
