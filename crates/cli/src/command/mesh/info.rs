use std::path::PathBuf;

use carom_geometry::prepare::survey;
use carom_io::parse_length_unit;

use super::{describe, files, json};
use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    /// Mesh file: STL, OBJ or PLY
    file: PathBuf,
    /// Unit of the lengths in the file, such as mm
    #[arg(long, default_value = "m", value_parser = parse_length_unit)]
    unit: f64,
    /// Write one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn execute(args: &InfoArgs, console: &Console) -> Result<(), Failure> {
    let mut mesh = files::read(&args.file)?;
    for vertex in &mut mesh.vertices {
        *vertex *= args.unit;
    }
    // The file has been found to be valid; lengths may leave the range of numbers by the unit.
    let survey = survey(&mesh).map_err(|fault| {
        let message = format!("mesh \"{}\" in this unit: {fault}", args.file.display());
        Failure::with_help(exit::NOT_STARTED, message, "give the unit of its lengths: --unit mm")
    })?;
    let unit = describe::unit_hint(&mesh, args.unit);
    if args.json {
        let object = json::of_survey(&mesh, &survey, unit.as_deref());
        return console.data(&format!("{object}\n"));
    }
    console.data(&describe::survey(&args.file, &mesh, &survey, unit.as_deref()))
}
