//! Constraint equations on accelerations, velocities and positions, and their multipliers.

mod cable;
mod closure;
mod coordinate;
mod distance;
mod pattern;
mod rolling;
mod rows;
mod solve;
mod through;

pub(crate) use cable::{
    CableGeometry, cable_geometry, cables, length_rate, path_along, path_of, write_cable,
};
pub(crate) use closure::write_closure;
pub(crate) use coordinate::{
    JointView, closing_axes, joint_axes, joint_axis, joint_freedom, write_coordinate,
};
pub(crate) use rows::{PairPoint, Rows};
pub(crate) use solve::ConstraintSolver;

use crate::mechanics::{Configuration, ConstraintData, Equation};

/// Writes the rows of a group.
pub(crate) fn write_rows(here: &Configuration<'_>, data: &ConstraintData, rows: &mut Rows) {
    match &data.equation {
        Equation::Closure { joint } => write_closure(here, *joint, rows),
        Equation::Drive { at, function, by_velocity } => {
            coordinate::write_drive(here, *at, function, *by_velocity, rows);
        }
        Equation::Point { a, b } => distance::write_point(here, a, b, rows),
        Equation::Distance { a, b, length } => distance::write_distance(here, a, b, *length, rows),
        Equation::Coupling { terms, offset } => coordinate::write_coupling(here, terms, *offset, rows),
        Equation::Rolling { a, b, radius, axis } => {
            rolling::write_rolling(here, a, b, *radius, axis.as_ref(), rows);
        }
        Equation::Cable { force } => write_cable(here, *force, rows),
    }
}
