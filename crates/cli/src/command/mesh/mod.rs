//! `carom mesh`: mesh files before they are in a model. One file per question.

mod describe;
mod files;
mod info;
mod json;
mod repair;
mod simplify;
mod subdivide;

use clap::Subcommand;

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct MeshArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Tell what a mesh is and what is wrong with it
    Info(info::InfoArgs),
    /// Weld, drop copies and flat triangles, turn triangles outwards
    Repair(repair::RepairArgs),
    /// Cut edges until none is too long; the surface stays the same
    Subdivide(subdivide::SubdivideArgs),
    /// Make do with fewer triangles, and measure how far that is off
    Simplify(simplify::SimplifyArgs),
}

pub(crate) fn execute(args: &MeshArgs, console: &Console) -> Result<u8, Failure> {
    let (json, done) = match &args.task {
        Task::Info(args) => (args.json, info::execute(args, console)),
        Task::Repair(args) => (args.files.json, repair::execute(args, console)),
        Task::Subdivide(args) => (args.files.json, subdivide::execute(args, console)),
        Task::Simplify(args) => (args.files.json, simplify::execute(args, console)),
    };
    if let Err(failure) = done {
        if json {
            console.data(&format!("{}\n", failure.to_json()))?;
        }
        return Err(failure);
    }
    Ok(exit::DONE)
}
