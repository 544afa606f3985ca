//! The command line.

use clap::{ArgAction, Parser, Subcommand, ValueEnum};

use crate::command::{
    analyze, check, completions, convert, explain, info, mesh, new, plot, recover, report, run, schema,
    sweep, view,
};

/// Contact-first multibody dynamics
#[derive(Debug, Parser)]
#[command(name = "carom", version, max_term_width = 80, propagate_version = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options of all commands.
#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    /// Say less; twice: errors only
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) quiet: u8,
    /// Colours in messages
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
}

/// When to do what a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a model
    Run(run::RunArgs),
    /// Simulate one model in many variants
    Sweep(sweep::SweepArgs),
    /// Look for mistakes in models without running them
    Check(check::CheckArgs),
    /// Ask a mechanism what needs no simulation: equilibrium, modes, efforts
    Analyze(analyze::AnalyzeArgs),
    /// Write a model file to start from
    New(new::NewArgs),
    /// Show where a run comes from and what it amounts to
    Info(info::InfoArgs),
    /// Look at a mesh file, mend it, make it finer or coarser
    Mesh(mesh::MeshArgs),
    /// Draw quantities of a run over time
    Plot(plot::PlotArgs),
    /// Write the report of a run again
    Report(report::ReportArgs),
    /// Look at a run in a browser, or write it as one HTML file
    View(view::ViewArgs),
    /// Write the tables of a run as CSV, or a robot as a model file
    Convert(convert::ConvertArgs),
    /// Save what a killed run has left
    Recover(recover::RecoverArgs),
    /// Show all keys of the model file
    Schema(schema::SchemaArgs),
    /// Explain an error or warning
    Explain(explain::ExplainArgs),
    /// Write completions for a shell
    Completions(completions::CompletionsArgs),
}
