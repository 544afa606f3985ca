use carom_geometry::prepare::refine;
use serde_json::json;

use super::describe::count;
use super::files::{FilesArgs, Length, length};
use crate::console::Console;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct SubdivideArgs {
    #[command(flatten)]
    pub(super) files: FilesArgs,
    /// Longest edge of the result, such as "2 mm"
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    to: Length,
}

pub(super) fn execute(args: &SubdivideArgs, console: &Console) -> Result<(), Failure> {
    let files = &args.files;
    let mesh = files.read()?;
    let fine = refine(&mesh, files.in_unit(&args.to))
        .map_err(|fault| files.refuse(&fault, "give a greater length, or the unit of the file: --unit mm"))?;
    let [before, after] = [&mesh, &fine].map(|mesh| mesh.triangles.len());
    let text = if before == after {
        "  no edge is longer: it is written as it was\n".to_owned()
    } else {
        format!("  {} cut into {after}; the surface is the same\n", count(before, "triangle", "triangles"))
    };
    files.write(&fine, &text, json!({ "triangles_before": before, "triangles": after }), console)
}
