//! Where a run comes from: filled in by the front end before it starts.

use serde::{Deserialize, Serialize};

pub use super::host::Host;

/// The program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Version.
    pub version: String,
    /// Commit it was built from, if known.
    pub git_hash: Option<String>,
    /// Compiler, if known.
    pub rustc: Option<String>,
    /// Features it was built with.
    pub features: Vec<String>,
}

/// The model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRecord {
    /// File as given on the command line.
    pub file: Option<String>,
    /// Hash of the resolved model.
    pub hash: String,
    /// Hashes of the meshes it names: file, hash.
    pub meshes: Vec<(String, String)>,
}

/// The command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Arguments, the program first.
    pub line: Vec<String>,
    /// `--set` overrides as given.
    pub overrides: Vec<String>,
}

/// Absolute tolerances actually used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tolerances {
    /// Positions (m).
    pub length_m: Option<f64>,
    /// Rotations (rad).
    pub angle_rad: Option<f64>,
    /// Velocities (m/s).
    pub velocity_m_s: Option<f64>,
    /// Angular velocities (rad/s).
    pub angular_velocity_rad_s: Option<f64>,
    /// Sum of the ledger's losses, a step (J).
    pub energy_j: Option<f64>,
}

/// The integrator actually used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverRecord {
    /// Name, such as `ode45`.
    pub method: String,
    /// Why it was chosen; empty if the model names it.
    pub reason: String,
    /// Integrators that `auto` changed to, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerances.
    pub atol: Tolerances,
    /// End of the run (s).
    pub t_end_s: f64,
    /// Time between recorded frames (s).
    pub output_every_s: Option<f64>,
}

impl SolverRecord {
    /// One line: all methods that were used, and tolerances.
    pub fn describe(&self) -> String {
        let others: String = self.others.iter().map(|other| format!(" and {other}")).collect();
        format!("{}{others}, rtol {:?}", self.method, self.rtol)
    }

    /// The run goes on with this integrator; says whether it is one more.
    pub(crate) fn take(&mut self, method: &str) -> bool {
        let is_new = self.method != method && self.others.iter().all(|other| other != method);
        if is_new {
            self.others.push(method.to_owned());
        }
        is_new
    }
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The program.
    pub program: Program,
    /// The model.
    pub model: ModelRecord,
    /// The command.
    pub command: Command,
    /// The machine.
    pub host: Host,
    /// The integrator.
    pub solver: SolverRecord,
}
