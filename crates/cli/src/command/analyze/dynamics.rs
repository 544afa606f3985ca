use std::fmt::Write;
use std::path::PathBuf;

use carom_engine::analysis::{Dynamics, Freedom};
use serde_json::{Value, json};

use super::answer::{Answer, OutputArgs};
use super::layout::{columns, effort_unit, exact};
use super::loads::LoadsArg;
use super::states_file::Wanted;
use super::subject::{Subject, SubjectArgs};
use crate::console::Console;
use crate::digits::short;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct DynamicsArgs {
    /// States of the joints [default: the start of the model]
    #[arg(long, value_name = "FILE.json")]
    states: Option<PathBuf>,
    /// Loads that count in the bias forces
    #[arg(long, value_name = "WHICH", default_value = "gravity")]
    loads: LoadsArg,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    subject: SubjectArgs,
}

/// Equations of motion M v̇ + h = τ at one state, by the freedoms asked for.
struct Equations {
    mass_matrix: Vec<Vec<f64>>,
    bias: Vec<f64>,
}

pub(super) fn find(args: &DynamicsArgs, console: &Console) -> Result<Answer, Failure> {
    let subject = args.subject.open_by_joints(console)?;
    let mut dynamics = Dynamics::new(&subject.system);
    let wanted = match &args.states {
        Some(file) => Wanted::read(file, &subject, &dynamics)?,
        None => Wanted::start(&dynamics),
    };
    let rows = &wanted.freedoms;
    let all: Vec<Equations> = wanted
        .states
        .iter()
        .map(|state| {
            dynamics.set_state(0.0, state);
            let (mass, bias) = (dynamics.mass_matrix(), dynamics.bias_forces(args.loads.loads()));
            Equations {
                mass_matrix: rows.iter().map(|&i| rows.iter().map(|&j| mass[(i, j)]).collect()).collect(),
                bias: rows.iter().map(|&i| bias[i]).collect(),
            }
        })
        .collect();
    let freedoms: Vec<&Freedom> = rows.iter().map(|&row| &dynamics.freedoms()[row]).collect();
    let owners: Vec<&str> = freedoms.iter().map(|freedom| owner(freedom, &subject)).collect();
    let to_json = |e: &Equations| json!({ "mass_matrix": e.mass_matrix, "bias": e.bias });
    Ok(Answer {
        text: text(&subject, args.loads, &freedoms, &all),
        json: json!({
            "schema": 1,
            "name": subject.name,
            "loads": args.loads.word(),
            "joints": owners,
            "freedoms": freedoms.iter().map(|f| &f.name).collect::<Vec<_>>(),
            "states": all.iter().map(to_json).collect::<Vec<Value>>(),
        }),
        table: table(&freedoms, &all),
    })
}

/// The joint of a freedom, or the body that no joint carries.
fn owner<'a>(freedom: &Freedom, subject: &'a Subject) -> &'a str {
    match freedom.joint {
        Some(joint) => &subject.scene.joints[joint].name,
        None => &subject.scene.bodies[freedom.body].name,
    }
}

/// One row for each state and freedom: a row of M, then h.
fn table(freedoms: &[&Freedom], all: &[Equations]) -> Vec<Vec<String>> {
    let names = freedoms.iter().map(|f| format!("mass:{}", f.name));
    let head = ["state", "freedom"].map(str::to_owned).into_iter().chain(names).chain(["bias".to_owned()]);
    let mut rows: Vec<Vec<String>> = vec![head.collect()];
    for (number, equations) in all.iter().enumerate() {
        for ((freedom, mass), bias) in freedoms.iter().zip(&equations.mass_matrix).zip(&equations.bias) {
            let start = [number.to_string(), freedom.name.clone()];
            rows.push(start.into_iter().chain(mass.iter().chain([bias]).map(|&x| exact(x))).collect());
        }
    }
    rows
}

fn text(subject: &Subject, loads: LoadsArg, freedoms: &[&Freedom], all: &[Equations]) -> String {
    let mut text = format!(
        "{}  M v' + h = tau by {} freedoms; loads in h: {}\n",
        subject.name,
        freedoms.len(),
        loads.word()
    );
    for (number, equations) in all.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nstate {number}: bias h, and mass matrix M (kg, kg m, kg m^2)");
        let rows = freedoms.iter().zip(&equations.mass_matrix).zip(&equations.bias);
        let row = |((freedom, mass), bias): ((&&Freedom, &Vec<f64>), &f64)| {
            let start = [freedom.name.clone(), format!("{} {}", short(*bias), effort_unit(freedom))];
            start.into_iter().chain(mass.iter().map(|&x| short(x))).collect()
        };
        text.push_str(&columns(&rows.map(row).collect::<Vec<_>>()));
    }
    text
}
