use std::fmt::Write;

use carom_geometry::prepare::{RepairOptions, Repaired, repair};
use serde_json::json;

use super::describe::count;
use super::files::{FilesArgs, Length, length};
use crate::console::Console;
use crate::digits::short;
use crate::failure::Failure;

/// Share of the diagonal of the bounding box within which vertices are one unless it is stated: what 32-bit numbers of a file are off by.
const TOLERANCE: f64 = 1e-7;

#[derive(Debug, clap::Args)]
pub(crate) struct RepairArgs {
    #[command(flatten)]
    pub(super) files: FilesArgs,
    /// Vertices this near become one, such as "1 um" [default: 1e-7 of the size]
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    tolerance: Option<Length>,
    /// Close holes up to this size across, such as "5 mm"
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    fill_holes: Option<Length>,
}

pub(super) fn execute(args: &RepairArgs, console: &Console) -> Result<(), Failure> {
    let files = &args.files;
    let mesh = files.read()?;
    let tolerance = match &args.tolerance {
        Some(length) => files.in_unit(length),
        None => TOLERANCE * mesh.extent().norm(),
    };
    let options = RepairOptions {
        tolerance,
        largest_hole: args.fill_holes.as_ref().map(|length| files.in_unit(length)),
    };
    let repaired = repair(&mesh, &options)
        .map_err(|fault| files.refuse(&fault, "nothing is left of it: give a smaller --tolerance"))?;
    let closed = repaired.mesh.topology().is_ok_and(|topology| topology.closed);
    let object = json!({
        "tolerance_m": files.metres(tolerance),
        "merged_vertices": repaired.merged_vertices,
        "dropped_triangles": repaired.degenerate,
        "swapped_edges": repaired.swapped,
        "dropped_copies": repaired.copies,
        "opposite_copies": repaired.opposite,
        "flipped_triangles": repaired.flipped,
        "turned_parts": repaired.turned_parts,
        "filled_holes": repaired.filled_holes,
        "filling_triangles": repaired.filled_triangles,
        "closed_cracks": repaired.closed_cracks,
        "borders_left": repaired.borders_left,
        "unchanged": repaired.is_unchanged(),
        "closed": closed,
        "triangles": repaired.mesh.triangles.len(),
        "vertices": repaired.mesh.vertices.len(),
    });
    files.write(&repaired.mesh, &text(&repaired, files.metres(tolerance), closed), object, console)
}

fn text(repaired: &Repaired, tolerance: f64, closed: bool) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let mut say = |number: usize, one: &str, many: &str, what: &str| {
        if number > 0 {
            let _ = writeln!(text, "  {} {what}", count(number, one, many));
        }
    };
    let near = format!("merged into others within {} m", short(tolerance));
    let triangles = ["triangle", "triangles"];
    say(repaired.merged_vertices, "vertex", "vertices", &near);
    say(repaired.degenerate, triangles[0], triangles[1], "dropped: flat");
    say(
        repaired.swapped,
        triangles[0],
        triangles[1],
        "without a normal removed by swapping the longest edge",
    );
    say(repaired.copies, triangles[0], triangles[1], "dropped: there already");
    say(repaired.flipped, triangles[0], triangles[1], "turned, against the neighbours before");
    say(repaired.turned_parts, "part", "parts", "turned outwards");
    let filling = format!("closed with {}", count(repaired.filled_triangles, triangles[0], triangles[1]));
    say(repaired.filled_holes, "hole", "holes", &filling);
    say(repaired.closed_cracks, "crack", "cracks", "without a width closed");
    if repaired.is_unchanged() {
        text.push_str("  nothing to repair: it is written as it was\n");
    }
    let mut left = |number: usize, one: &str, many: &str, what: &str| {
        if number > 0 {
            let _ = writeln!(text, "  {} left: {what}", count(number, one, many));
        }
    };
    left(
        repaired.borders_left,
        "border",
        "borders",
        "holes are closed with --fill-holes SIZE, up to that size across",
    );
    left(
        repaired.opposite,
        triangles[0],
        triangles[1],
        "the other side of a sheet, or a wall between two solids",
    );
    text.push_str(if closed {
        "  it is closed\n"
    } else {
        "  it is not closed: carom mesh info tells more\n"
    });
    text
}
