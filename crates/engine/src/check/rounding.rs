//! Tolerances that ask for more than numbers hold.

use crate::model::Model;
use crate::system::RaisedTolerance;
use crate::{Problem, StateMeasure, System};

/// Relative tolerances from which on those of positions, a small share of which they are, may be below rounding.
const FINE: f64 = 1e-8;

/// W0504 where the absolute tolerance of positions is below the rounding of the states: a floor is taken in its place.
pub(super) fn warn_of_rounding(model: &Model, system: &System, problems: &mut Vec<Problem>) {
    let solver = &model.solver;
    if solver.rtol > FINE && solver.atol.length.is_none() && solver.atol.angle.is_none() {
        return;
    }
    for RaisedTolerance { measure, wanted, taken } in &system.raised {
        let (word, unit, stated) = match measure {
            StateMeasure::Length => ("length", "m", solver.atol.length.is_some()),
            _ => ("angle", "rad", solver.atol.angle.is_some()),
        };
        let message = format!(
            "the absolute tolerance of positions, {wanted:.1e} {unit}, is below the rounding of the states; {taken:.1e} {unit} is taken"
        );
        let path = if stated { format!("solver.atol.{word}") } else { "solver.rtol".to_owned() };
        let problem = Problem::new("W0504", path, message);
        problems.push(
            problem.help(format!(
                "a larger rtol, or solver.atol.{word} = \"{:.0e} {unit}\" and more",
                1.5 * taken
            )),
        );
    }
}
