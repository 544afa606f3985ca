//! Velocities and coordinates of all links in a state.

use crate::contact::Evaluator;
use crate::mechanics::{Configuration, Mechanics, joint};

/// Takes the velocities out of a state, by freedom.
pub(super) fn read(mechanics: &Mechanics, y: &[f64], v: &mut [f64]) {
    for link in &mechanics.links {
        v[link.freedoms()].copy_from_slice(&y[link.velocities()]);
    }
}

/// Puts velocities into a state.
pub(super) fn write(mechanics: &Mechanics, v: &[f64], y: &mut [f64]) {
    for link in &mechanics.links {
        y[link.velocities()].copy_from_slice(&v[link.freedoms()]);
    }
}

/// Moves the coordinates of a state by `factor` times a displacement by freedom.
pub(super) fn displace(mechanics: &Mechanics, d: &[f64], factor: f64, y: &mut [f64]) {
    for link in &mechanics.links {
        let mut own = [0.0; 6];
        let own = &mut own[..link.kind.freedoms()];
        own.iter_mut().zip(&d[link.freedoms()]).for_each(|(own, d)| *own = factor * d);
        joint::displace(link.kind, &mut y[link.coordinates()], own);
    }
}

/// Moves what is no link's, lengths of reeled cables and activations, by half a step, with what drives them in its middle: of second
/// order over the two halves.
pub(super) fn displace_others(evaluator: &Evaluator<'_>, middle: f64, half: f64, y: &mut [f64]) {
    let workspace = &evaluator.workspace;
    Configuration { time: workspace.clock(middle), ..workspace.here() }.advance_auxiliary(half, y);
}

/// Has the bodies move with these velocities, where they are at coordinates of y.
pub(super) fn put(evaluator: &mut Evaluator<'_>, v: &[f64], y: &mut [f64]) {
    let workspace = &mut evaluator.workspace;
    write(&workspace.mechanics, v, y);
    // Coordinates of joints, whose limits are contacts, are read from there.
    workspace.state.copy_from_slice(y);
    workspace.mechanism.tree.update_kinematics(&workspace.mechanics.links, y, &mut workspace.bodies);
}

/// How fast the surfaces of the bodies move at most (m/s).
pub(super) fn surface_speeds(evaluator: &Evaluator<'_>, speeds: &mut [f64]) {
    let bodies = evaluator.system.mechanics.bodies.iter().zip(&evaluator.workspace.bodies);
    for (speed, (data, body)) in speeds.iter_mut().zip(bodies) {
        let turning = body.angular_velocity.norm();
        // A body without a surface, or with one that turning does not move, has no lever.
        let lever = if turning > 0.0 && data.sweep_radius > 0.0 { turning * data.sweep_radius } else { 0.0 };
        *speed = if data.link.is_some() { body.velocity.norm() + lever } else { 0.0 };
    }
}
