//! Bodies that do not resist turning, or hardly: what holds them, and whether anything does.

use carom_math::{Vec3, Wrench};

use crate::Problem;
use crate::mechanics::{Mechanics, Workspace, smallest_moment};
use crate::model::{Body, ConstraintKind, ForceKind, Model};

/// Moment of inertia that counts as none, as a share of the mass at the body's lever: rounding of forces at the lever would
/// turn it.
const NONE: f64 = 1e-10;
/// Share of the compliance of a brace alone with which a body that nothing holds answers to a torque.
const FREE: f64 = 1e-2;

/// Of each body the farthest point from the centre of mass at which a joint, a constraint or a cable holds it (m); 0 if
/// nothing does.
pub(super) fn levers(model: &Model) -> Vec<f64> {
    let joints = model.joints.iter().flat_map(|joint| [&joint.a, &joint.b]);
    let constraints = model.constraints.iter().flat_map(|constraint| match &constraint.kind {
        ConstraintKind::PointOnPoint { a, b }
        | ConstraintKind::Distance { a, b, .. }
        | ConstraintKind::Rolling { a, b, .. } => [Some(a), Some(b)],
        ConstraintKind::Coupling { .. } => [None, None],
    });
    let cables = model.forces.iter().filter_map(|force| match &force.kind {
        ForceKind::Cable { path, elasticity: None, .. } => Some(path),
        _ => None,
    });
    let mut levers = vec![0.0; model.bodies.len()];
    for at in joints.chain(constraints.flatten()).chain(cables.flatten()) {
        let arm = (at.pose.translation - model.bodies[at.body].com).norm();
        levers[at.body] = f64::max(levers[at.body], arm);
    }
    levers
}

/// Share of a body's mass at its lever that is added to its inertia where its own is none (kg m²).
pub(super) fn brace(body: &Body, lever: f64) -> f64 {
    let share = NONE * body.mass * lever * lever;
    if smallest_moment(&body.inertia) < share { share } else { 0.0 }
}

/// Inertia 0, or next to it, is for bodies whose turning joints or constraints hold: others are named.
pub(super) fn check_turning(mechanics: &Mechanics, model: &Model) -> Result<(), Vec<Problem>> {
    if mechanics.bodies.iter().all(|body| smallest_moment(&body.inertia) > 0.0 && body.brace == 0.0) {
        return Ok(());
    }
    let mut at_start = Workspace::at_start(mechanics);
    at_start.hang_slack_cables();
    let (mechanism, here, _) = at_start.parts();
    let articulated = mechanism.tree.articulate(&mechanics.links, &mechanics.bodies, here.bodies, false);
    let free: Vec<usize> = if let Err(body) = articulated {
        vec![body]
    } else {
        let mut turns = |link: usize, brace: f64| {
            let rotation = here.bodies[mechanics.links[link].body].pose.rotation;
            (0..3).any(|axis| {
                let torque = Wrench::new(rotation.column(axis).into_owned(), Vec3::zeros());
                mechanism.inverse_mass_along(&here, &[(link, torque)], &[]) * brace > FREE
            })
        };
        let braced = mechanics.links.iter().enumerate().filter(|(_, link)| link.lone);
        braced
            .map(|(index, link)| (index, link.body, mechanics.bodies[link.body].brace))
            .filter(|&(index, _, brace)| brace > 0.0 && turns(index, brace))
            .map(|(_, body, _)| body)
            .collect()
    };
    if free.is_empty() { Ok(()) } else { Err(free.iter().map(|&body| describe(model, body)).collect()) }
}

fn describe(model: &Model, body: usize) -> Problem {
    let name = &model.bodies[body].name;
    let least = smallest_moment(&model.bodies[body].inertia);
    Problem::new(
        "E0312",
        format!("body.{name}.inertia"),
        format!(
            "nothing resists the turning of \"{name}\": its least moment of inertia is {least:e} kg m^2, and no joint or \
             constraint holds it"
        ),
    )
    .expected("an inertia above 0 about every axis about which the body can turn")
    .help("give `inertia`; or hold the turning by a joint, at an arm from the centre of mass")
}
