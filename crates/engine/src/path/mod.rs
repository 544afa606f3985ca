//! The path of every body over an attempted step, as the run will continue from it: that of the dense output's positions,
//! with bounds of what its points can do between two times. Velocities of the state are not asked, as their interpolant is
//! not the derivative of that of the positions (certificates.md 1).

mod coordinates;
mod joint;
mod step_path;

pub(crate) use step_path::StepPath;
