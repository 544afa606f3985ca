//! `carom analyze`: questions to a mechanism that need no simulation. One file per question.

mod answer;
mod dynamics;
mod equilibrium;
mod inverse_dynamics;
mod layout;
mod loads;
mod modes;
mod motion;
mod states_file;
mod subject;

use clap::Subcommand;

use answer::OutputArgs;

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct AnalyzeArgs {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// Find positions in which all forces balance
    Equilibrium(equilibrium::EquilibriumArgs),
    /// Frequencies, damping and shapes of small vibrations
    Modes(modes::ModesArgs),
    /// Efforts in the joints that a motion takes
    InverseDynamics(inverse_dynamics::InverseDynamicsArgs),
    /// Mass matrix and bias forces at given states
    Dynamics(dynamics::DynamicsArgs),
}

impl Question {
    fn output(&self) -> &OutputArgs {
        match self {
            Self::Equilibrium(args) => &args.output,
            Self::Modes(args) => &args.output,
            Self::InverseDynamics(args) => &args.output,
            Self::Dynamics(args) => &args.output,
        }
    }
}

pub(crate) fn execute(args: &AnalyzeArgs, console: &Console) -> Result<u8, Failure> {
    let output = args.question.output();
    let answer = output.check().and_then(|()| match &args.question {
        Question::Equilibrium(args) => equilibrium::find(args, console),
        Question::Modes(args) => modes::find(args, console),
        Question::InverseDynamics(args) => inverse_dynamics::find(args, console),
        Question::Dynamics(args) => dynamics::find(args, console),
    });
    let delivered = answer.and_then(|answer| output.deliver(&answer, console));
    if let Err(failure) = delivered {
        if output.json {
            console.data(&format!("{}\n", failure.to_json()))?;
        }
        return Err(failure);
    }
    Ok(exit::DONE)
}
