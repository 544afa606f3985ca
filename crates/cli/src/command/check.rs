use std::path::{Path, PathBuf};

use carom::Study;
use carom_engine::Note;
use carom_io::{LoadedModel, Overrides, Report, pair_table, render, render_report, summary, to_json};
use serde_json::{Value, json};

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;
use crate::import::ImportArgs;
use crate::model;
use crate::run::{describe, robot_table};

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Model files, robot files (URDF, SDF, MJCF), or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change a value of the model, such as params.mu=0.3
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Change the contact method of all lines, or of one
    #[arg(long, value_name = "[LINE=]METHOD")]
    method: Vec<String>,
    /// Change the end of the run, such as "2 s"
    #[arg(long, value_name = "TIME")]
    t_end: Option<String>,
    /// List the pairs that the contact lines expand to
    #[arg(long)]
    pairs: bool,
    /// Write the model as a model file in SI units, everything expanded
    #[arg(long, conflicts_with_all = ["json", "pairs"])]
    resolved: bool,
    /// Write one JSON object with diagnostics and models
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    import: ImportArgs,
}

/// A file that was looked at.
struct Checked<'a> {
    file: &'a Path,
    model: Option<LoadedModel>,
    report: Report,
}

pub(crate) fn execute(args: &CheckArgs, console: &Console) -> Result<u8, Failure> {
    let mut all = Vec::new();
    for file in &args.files {
        all.push(check(file, args, console)?);
    }
    if args.json {
        console.data(&format!("{}\n", all_to_json(&all)))?;
    } else {
        for checked in &all {
            show(checked, args, console)?;
        }
    }
    let unreadable = all.iter().any(|checked| checked.report.unreadable);
    let errors = all.iter().any(|checked| checked.report.errors() > 0);
    Ok(match (unreadable, errors) {
        (true, _) => exit::NOT_STARTED,
        (false, true) => exit::NO,
        (false, false) => exit::DONE,
    })
}

fn check<'a>(file: &'a Path, args: &CheckArgs, console: &Console) -> Result<Checked<'a>, Failure> {
    let overrides = Overrides {
        set: args.set.clone(),
        method: args.method.clone(),
        t_end: args.t_end.clone(),
        ..Overrides::default()
    };
    let loaded = match model::open(file, &overrides, &args.import, console)? {
        Ok(loaded) => loaded,
        Err(report) => return Ok(Checked { file, model: None, report }),
    };
    Ok(match Study::new(loaded) {
        Ok(study) => {
            let loaded = study.into_loaded();
            let report = Report { diagnostics: loaded.warnings.clone(), unreadable: false };
            Checked { file, model: Some(loaded), report }
        }
        Err(report) => Checked { file, model: None, report },
    })
}

fn show(checked: &Checked<'_>, args: &CheckArgs, console: &Console) -> Result<(), Failure> {
    let Some(loaded) = &checked.model else {
        console.error(&render_report(&checked.report, console.style()));
        return Ok(());
    };
    for warning in &checked.report.diagnostics {
        console.warning(&format!("{}\n", render(warning, console.style())));
    }
    if args.resolved {
        return console.data(&loaded.to_toml());
    }
    console.data(&describe::model(checked.file, loaded, &loaded.system))?;
    if carom_io::import::is_robot_file(checked.file) {
        console.data(&robot_table::robot(loaded))?;
    }
    if args.pairs {
        console.data(&describe::pairs(&pair_table(loaded)))?;
    }
    console.note(&format!("{}\n", summary(&checked.report)));
    Ok(())
}

fn all_to_json(all: &[Checked<'_>]) -> Value {
    let reports = || all.iter().map(|checked| &checked.report);
    json!({
        "schema": 1,
        "errors": reports().map(Report::errors).sum::<usize>(),
        "warnings": reports().map(Report::warnings).sum::<usize>(),
        "diagnostics": reports().flat_map(|report| &report.diagnostics).map(to_json).collect::<Vec<_>>(),
        "models": all.iter().filter_map(model_to_json).collect::<Vec<_>>(),
    })
}

fn model_to_json(checked: &Checked<'_>) -> Option<Value> {
    let loaded = checked.model.as_ref()?;
    let system = &*loaded.system;
    let scales = system.scales();
    let pairs = pair_table(loaded).into_iter().map(|pair| {
        json!({
            "name": pair.name, "a": pair.a, "b": pair.b, "method": pair.method, "law": pair.law,
            "kernel": pair.kernel, "not_analytic": pair.not_analytic, "resolved": pair.resolved,
        })
    });
    let notes: Vec<String> = loaded.notes.iter().chain(system.notes()).map(Note::text).collect();
    Some(json!({
        "file": checked.file.display().to_string(),
        "name": loaded.model.name,
        "hash": loaded.hash,
        "solver": carom::solver_of(&loaded.model, system),
        "scales": {
            "length_m": scales.length, "velocity_m_s": scales.velocity, "energy_j": scales.energy,
            "v_reg_m_s": scales.v_reg,
        },
        "states": system.states(),
        "frames": describe::frames(&loaded.model, system),
        "notes": notes,
        "pairs": pairs.collect::<Vec<_>>(),
    }))
}
