//! What a run amounts to, as `run.json` keeps it.

use carom_engine::outcome::{EndReason, Outcome, RunError};
use carom_engine::record::{BodyState, JointSample};
use serde::{Deserialize, Serialize};

use super::number;
use crate::SceneJointKind;

/// Why a run could not go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Stable code.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What the user can do.
    pub help: String,
    /// Body that failed.
    pub body: Option<String>,
    /// Pair that failed.
    pub pair: Option<String>,
}

impl Problem {
    fn new(error: &RunError) -> Self {
        Self {
            code: error.code.to_owned(),
            message: error.message.clone(),
            help: error.help.clone(),
            body: error.body.clone(),
            pair: error.pair.clone(),
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndRecord {
    /// `running`, `finished`, `interrupted`, `failed` or `killed`.
    pub reason: String,
    /// Time reached (s).
    pub time_s: f64,
    /// Why it could not go on.
    pub problem: Option<Problem>,
}

impl EndRecord {
    pub(super) const RUNNING: &str = "running";

    pub(super) fn running() -> Self {
        Self { reason: Self::RUNNING.to_owned(), time_s: 0.0, problem: None }
    }

    pub(crate) fn killed(time: f64) -> Self {
        Self { reason: "killed".to_owned(), time_s: time, problem: None }
    }

    pub(crate) fn new(outcome: &Outcome) -> Self {
        let problem = match &outcome.end {
            EndReason::Failed(error) => Some(Problem::new(error)),
            EndReason::Finished | EndReason::Interrupted => None,
        };
        Self { reason: outcome.end.name().to_owned(), time_s: outcome.time, problem }
    }
}

/// Counters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatisticsRecord {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected attempts.
    pub rejected: u64,
    /// Right-hand sides.
    pub rhs: u64,
    /// Contact events.
    pub events: u64,
    /// Looks at single contacts inside steps, to locate their peaks.
    pub looks: u64,
    /// Jacobians of an implicit integrator; absent in recordings from before there were any.
    #[serde(default)]
    pub jacobians: u64,
    /// Factorisations of its linear systems.
    #[serde(default)]
    pub factorizations: u64,
    /// Its Newton iterations.
    #[serde(default)]
    pub newton_iterations: u64,
    /// Wall time without loading and output (s).
    pub wall_s: f64,
}

impl StatisticsRecord {
    pub(crate) fn new(outcome: &Outcome) -> Self {
        let s = &outcome.statistics;
        Self {
            steps: s.steps,
            rejected: s.rejected,
            rhs: s.rhs,
            events: s.events,
            looks: s.looks,
            jacobians: s.jacobians,
            factorizations: s.factorizations,
            newton_iterations: s.newton_iterations,
            wall_s: s.wall_s,
        }
    }
}

/// Energy accounts at the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the accounts are those of `tables::energy`
pub struct EnergyRecord {
    #[serde(deserialize_with = "number::one")]
    pub kinetic_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub gravity_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub springs_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub contact_elastic_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub work_motors_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub work_external_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub dissipated_normal_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub dissipated_friction_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub dissipated_viscous_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub dissipated_impact_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub projection_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub model_defect_j: f64,
    #[serde(deserialize_with = "number::one")]
    pub residual_j: f64,
    /// Energy moved between the accounts over the run.
    #[serde(deserialize_with = "number::one")]
    pub energy_moved_j: f64,
    /// What the residual is relative to: the energy moved, or where none moves that which is there. Absent in recordings from
    /// before there was a difference.
    #[serde(default, deserialize_with = "number::one")]
    pub energy_reference_j: f64,
    /// Largest |residual| over `energy_reference_j`; 0/0 is 0.
    #[serde(deserialize_with = "number::one")]
    pub residual_relative: f64,
}

impl EnergyRecord {
    pub(crate) fn new(outcome: &Outcome) -> Self {
        let e = &outcome.energy;
        Self {
            kinetic_j: e.kinetic,
            gravity_j: e.gravity,
            springs_j: e.springs,
            contact_elastic_j: e.contact_elastic,
            work_motors_j: e.work_motors,
            work_external_j: e.work_external,
            dissipated_normal_j: e.dissipated_normal,
            dissipated_friction_j: e.dissipated_friction,
            dissipated_viscous_j: e.dissipated_viscous,
            dissipated_impact_j: e.dissipated_impact,
            projection_j: e.projection,
            model_defect_j: e.model_defect,
            residual_j: e.residual,
            energy_moved_j: outcome.energy_moved,
            energy_reference_j: outcome.energy_reference,
            residual_relative: outcome.residual_relative,
        }
    }

    /// What the residual is relative to (J).
    pub fn reference(&self) -> f64 {
        if self.energy_reference_j > 0.0 { self.energy_reference_j } else { self.energy_moved_j }
    }

    /// The same in words: `moved` or `there`.
    pub fn reference_word(&self) -> &'static str {
        if self.reference() == self.energy_moved_j { "moved" } else { "there" }
    }

    /// Accounts with their values, in the order of the energy table.
    pub fn accounts(&self) -> [(&'static str, f64); 13] {
        [
            ("kinetic", self.kinetic_j),
            ("gravity", self.gravity_j),
            ("springs", self.springs_j),
            ("contact_elastic", self.contact_elastic_j),
            ("work_motors", self.work_motors_j),
            ("work_external", self.work_external_j),
            ("dissipated_normal", self.dissipated_normal_j),
            ("dissipated_friction", self.dissipated_friction_j),
            ("dissipated_viscous", self.dissipated_viscous_j),
            ("dissipated_impact", self.dissipated_impact_j),
            ("projection", self.projection_j),
            ("model_defect", self.model_defect_j),
            ("residual", self.residual_j),
        ]
    }
}

/// An expectation of the model and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The expectation's key, such as `ball.z @ end`.
    pub quantity: String,
    /// The condition in words, such as `below 0.0001`.
    pub wanted: String,
    /// Unit of the measured value.
    pub unit: String,
    /// What the run has.
    #[serde(deserialize_with = "number::one")]
    pub measured: f64,
    /// Does it meet the condition?
    pub passed: bool,
}

/// A body at the end, in world axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinalBody {
    /// Position of the frame's origin.
    #[serde(deserialize_with = "number::several")]
    pub position_m: [f64; 3],
    /// Orientation.
    #[serde(deserialize_with = "number::several")]
    pub quaternion_wxyz: [f64; 4],
    /// Velocity of the frame's origin.
    #[serde(deserialize_with = "number::several")]
    pub velocity_m_s: [f64; 3],
    /// Angular velocity.
    #[serde(deserialize_with = "number::several")]
    pub angular_velocity_rad_s: [f64; 3],
}

impl FinalBody {
    /// From a state of the engine.
    pub fn new(body: &BodyState) -> Self {
        let q = &body.orientation;
        Self {
            position_m: body.position.into(),
            quaternion_wxyz: [q.w, q.x, q.y, q.z],
            velocity_m_s: body.velocity.into(),
            angular_velocity_rad_s: body.angular_velocity.into(),
        }
    }
}

/// A joint at the end. Units of positions, velocities and efforts are those of its columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinalJoint {
    /// Coordinates.
    #[serde(deserialize_with = "number::list")]
    pub position: Vec<f64>,
    /// Velocities.
    #[serde(deserialize_with = "number::list")]
    pub velocity: Vec<f64>,
    /// Force on B at its joint frame, in world axes.
    #[serde(deserialize_with = "number::several")]
    pub force_n: [f64; 3],
    /// Torque on B, in world axes.
    #[serde(deserialize_with = "number::several")]
    pub torque_n_m: [f64; 3],
    /// Force or torque of spring, friction, limit and motor along each scalar coordinate.
    #[serde(deserialize_with = "number::list")]
    pub effort: Vec<f64>,
}

impl FinalJoint {
    /// From a sample of the engine.
    pub fn new(kind: SceneJointKind, sample: &JointSample) -> Self {
        Self {
            position: sample.position[..kind.coordinates()].to_vec(),
            velocity: sample.velocity[..kind.freedoms()].to_vec(),
            force_n: sample.force.into(),
            torque_n_m: sample.torque.into(),
            effort: sample.effort[..kind.axes().len()].to_vec(),
        }
    }
}
