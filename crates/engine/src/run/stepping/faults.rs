//! Why a step cannot be made, with the culprit's name.

use carom_solvers::friction::Failure;

use crate::contact::stepping::NearPoint;
use crate::outcome::RunError;
use crate::run::{Simulation, failure};

/// Is it of a problem that a step of another length does not have?
pub(super) fn depends_on_length(error: &RunError) -> bool {
    matches!(error.code, "E0630" | "E0632")
}

/// Were impulses not found?
pub(super) fn is_of_impulses(error: &RunError) -> bool {
    error.code == "E0630"
}

/// E0630: the impulses of a step were not found.
pub(super) fn of_solver(run: &Simulation<'_>, points: &[NearPoint], failed: &Failure) -> RunError {
    let pair = failure::pair_name(run, points[failed.contact].contact);
    let time = run.stepper.time();
    RunError {
        code: "E0630",
        message: format!(
            "the contact impulses of the step after t = {time:.9} s were not found in {} sweeps and {} Newton steps: a residual of {:.1e} stays at pair \"{pair}\", one of {} points that hang together",
            failed.sweeps, failed.newton_steps, failed.residual, failed.contacts
        ),
        time,
        body: None,
        pair: Some(pair),
        help: "a shorter step, less friction, or masses nearer to each other make them easier to find; bodies that given motions press together have none".to_owned(),
    }
}

/// E0635: the velocities that the loads of a step lead to were not found. The one of a freedom changed most in the last iteration, by a share of the
/// largest.
pub(super) fn of_velocities(run: &Simulation<'_>, freedom: usize, change: f64) -> RunError {
    let mechanics = &run.system.mechanics;
    let body = mechanics.links[mechanics.link_of_freedom[freedom]].body;
    let name = run.system.info.bodies[body].clone();
    let time = run.stepper.time();
    RunError {
        code: "E0635",
        message: format!(
            "the velocities of the step after t = {time:.9} s were not found: that of \"{name}\" still changed by {change:.1e} of the largest"
        ),
        time,
        body: Some(name),
        pair: None,
        help: "forces change too much with the velocity within a step: a shorter step; less damping, or dampers along joints that carry bodies, which may be as strong as they like".to_owned(),
    }
}

/// E0631: bodies could pass each other in the least step.
pub(super) fn of_passing(run: &Simulation<'_>, contact: usize) -> RunError {
    let (pair, time) = (failure::pair_name(run, contact), run.stepper.time());
    RunError {
        code: "E0631",
        message: format!(
            "the surfaces of pair \"{pair}\" move so fast at t = {time:.9} s that they could pass each other in the least step"
        ),
        time,
        body: None,
        pair: Some(pair),
        help: "lower h_min, or look for what makes them so fast".to_owned(),
    }
}

/// E0632: penetration that no motion takes away.
pub(super) fn of_penetration(run: &Simulation<'_>, points: &[NearPoint], depth: f64) -> RunError {
    let deepest = points.iter().find(|point| -point.motion.gap >= depth);
    let pair = deepest.map(|point| failure::pair_name(run, point.contact));
    let time = run.stepper.time();
    RunError {
        code: "E0632",
        message: format!(
            "a penetration of {depth:.3e} m stays at the end of the step after t = {time:.9} s, in pair \"{}\"",
            pair.as_deref().unwrap_or("")
        ),
        time,
        body: None,
        pair,
        help: "give the bodies room where they start, or make the step shorter".to_owned(),
    }
}

/// E0633: neither body of a contact can move along its normal.
pub(in crate::run) fn of_immovable(run: &Simulation<'_>, contact: usize, time: f64) -> RunError {
    let pair = failure::pair_name(run, contact);
    RunError {
        code: "E0633",
        message: format!(
            "pair \"{pair}\" touches at t = {time:.9} s, and neither of its bodies can move along the normal: given motions hold both"
        ),
        time,
        body: None,
        pair: Some(pair),
        help: "remove the pair with method = \"off\", or let a body give way".to_owned(),
    }
}
