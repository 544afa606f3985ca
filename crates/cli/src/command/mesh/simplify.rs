use carom_geometry::prepare::{Target, simplify};
use serde_json::json;

use super::describe::count;
use super::files::{FilesArgs, Length, length};
use crate::console::Console;
use crate::digits::short;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("target").required(true).args(["to", "within"]))]
pub(crate) struct SimplifyArgs {
    #[command(flatten)]
    pub(super) files: FilesArgs,
    /// Triangles that may be left
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    to: Option<u64>,
    /// As few as stay this near to the surface, such as "0.1 mm"
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    within: Option<Length>,
}

pub(super) fn execute(args: &SimplifyArgs, console: &Console) -> Result<(), Failure> {
    let files = &args.files;
    let mesh = files.read()?;
    let target = match (&args.within, args.to) {
        (Some(within), _) => Target::Within(files.in_unit(within)),
        (None, most) => {
            Target::Triangles(most.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX)))
        }
    };
    let simple = simplify(&mesh, target)
        .map_err(|fault| files.refuse(&fault, "carom mesh info tells what is wrong with it"))?;
    if let Some(crossings) = &simple.crossings {
        let pairs = count(crossings.count, "pair of triangles crosses", "pairs of triangles cross");
        let fault = format!("with {} triangles it would cross itself: {pairs}", simple.mesh.triangles.len());
        return Err(files.refuse(&fault, "a larger --to, or --within, which keeps parts apart"));
    }
    let [before, after] = [&mesh, &simple.mesh].map(|mesh| mesh.triangles.len());
    let deviation = [simple.deviation.at_least, simple.deviation.at_most].map(|length| files.metres(length));
    let mut text = format!(
        "  {} became {after}; the surfaces are at most {} m apart (measured, both ways), somewhere {} m\n",
        count(before, "triangle", "triangles"),
        short(deviation[1]),
        short(deviation[0])
    );
    if let Target::Triangles(most) = target
        && after > most
    {
        text.push_str(
            "  no edge is left that can go without changing the topology or turning a triangle over\n",
        );
    }
    let object = json!({
        "triangles_before": before,
        "triangles": after,
        "deviation_at_most_m": deviation[1],
        "deviation_at_least_m": deviation[0],
    });
    files.write(&simple.mesh, &text, object, console)
}
