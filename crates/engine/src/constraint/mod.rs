//! Constraint equations on accelerations, velocities and positions, and their multipliers.

mod cable;
mod closure;
mod coordinate;
mod distance;
mod pattern;
mod project;
mod rolling;
mod rows;
mod solve;

pub(crate) use cable::{SLACKENING, TAUT, cable_geometry, cables, length_rate, path_of, slack};
pub(crate) use closure::write_closure;
pub(crate) use coordinate::{JointView, closing_axes, joint_axes};
pub(crate) use project::Misfit;
pub(crate) use rows::{PairPoint, Rows};
pub(crate) use solve::ConstraintSolver;

use crate::force::Controls;
use crate::kinematics::BodyKinematics;
use crate::system::{ConstraintData, Equation, System};

/// Where rows are written from: the poses and velocities of all bodies at a time and state.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) system: &'a System,
    pub(crate) time: f64,
    pub(crate) state: &'a [f64],
    pub(crate) bodies: &'a [BodyKinematics],
    /// Angles of the last accepted state, from which turns are counted.
    pub(crate) angles: &'a [f64],
    /// What is set from outside.
    pub(crate) controls: &'a Controls,
}

/// Writes the rows of a group.
pub(crate) fn write_rows(scene: &Scene<'_>, data: &ConstraintData, rows: &mut Rows) {
    match &data.equation {
        Equation::Closure { joint } => write_closure(scene, *joint, rows),
        Equation::Drive { at, function, by_velocity } => {
            coordinate::write_drive(scene, *at, function, *by_velocity, rows);
        }
        Equation::Point { a, b } => distance::write_point(scene, a, b, rows),
        Equation::Distance { a, b, length } => distance::write_distance(scene, a, b, *length, rows),
        Equation::Coupling { terms, offset } => coordinate::write_coupling(scene, terms, *offset, rows),
        Equation::Rolling { a, b, radius, axis } => {
            rolling::write_rolling(scene, a, b, *radius, axis.as_ref(), rows);
        }
        Equation::Cable { force } => cable::write_cable(scene, *force, rows),
    }
}
