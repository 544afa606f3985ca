//! Constraint equations on accelerations, velocities and positions, and their multipliers.

mod cable;
mod closure;
mod coordinate;
mod distance;
mod pattern;
mod rolling;
mod rows;
mod solve;

pub(crate) use cable::{cable_geometry, cables, length_rate, path_of};
pub(crate) use closure::write_closure;
pub(crate) use coordinate::{JointView, closing_axes, joint_axes};
pub(crate) use rows::{PairPoint, Rows};
pub(crate) use solve::ConstraintSolver;

use crate::mechanics::{ConstraintData, Equation, Scene};

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
