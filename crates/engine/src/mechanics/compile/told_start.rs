//! What the start is told of: poses, limits and velocities that joints have changed.

use carom_math::{Pose, Vec3};

use super::assembly::{NOTABLE, beyond};
use crate::Note;
use crate::mechanics::constraint::joint_axes;
use crate::mechanics::{Mechanics, Workspace};
use crate::model::{AxisMeasure, Model};

/// Change of a stated velocity that is told, over that: files have a few digits.
const LOST: f64 = 1e-3;

/// Bodies whose stated pose the joints have changed are named.
pub(super) fn note_moved_bodies(mechanics: &mut Mechanics, model: &Model) {
    let at_start = Workspace::at_start(mechanics);
    let mut notes = Vec::new();
    for link in &mechanics.links {
        let stated: Pose = mechanics.bodies[link.body].initial.pose;
        let now = &at_start.bodies[link.body].pose;
        let shift = (now.translation - stated.translation).norm();
        let turn = carom_math::Quaternion::from_matrix(&(now.rotation * stated.rotation.transpose()))
            .to_rotation_vector()
            .norm();
        if model.bodies[link.body].pose_stated && !link.is_root() && (shift > NOTABLE || turn > NOTABLE) {
            let message = format!(
                "body \"{}\" starts {shift:.3e} m and {:.3e} deg from its stated pose: its joints hold it there",
                model.bodies[link.body].name,
                turn.to_degrees()
            );
            notes.push(Note::new("N0303", message));
        }
    }
    drop(at_start);
    mechanics.notes.extend(notes);
}

/// W0307 for bodies that do not start with the velocities that they state: their joints do not allow them, or go by others. What is not stated is zero,
/// and says nothing.
pub(super) fn note_lost_velocities(mechanics: &mut Mechanics, model: &Model) {
    let at_start = Workspace::at_start(mechanics);
    let mut notes = Vec::new();
    for link in mechanics.links.iter().filter(|link| !link.is_root()) {
        let body = &model.bodies[link.body];
        let (stated, now) = (&mechanics.bodies[link.body].initial, &at_start.bodies[link.body]);
        let is_lost = |stated: Vec3, now: Vec3| (now - stated).norm() > LOST * stated.norm();
        let lost = [
            ("vel", "m/s", body.velocity, stated.velocity, now.velocity),
            ("omega", "rad/s", body.angular_velocity, stated.angular_velocity, now.angular_velocity),
        ];
        let lost = lost.into_iter().find(|&(_, _, written, stated, now)| {
            body.velocity_stated && written != Vec3::zeros() && is_lost(stated, now)
        });
        let Some((key, unit, _, stated, now)) = lost else { continue };
        let list = |v: Vec3| format!("[{:.4}, {:.4}, {:.4}] {unit}", v.x, v.y, v.z);
        let message = format!(
            "body \"{}\" states {key}, {} at its centre of mass, and starts with {}: its joints do not allow it, or go by omega or by velocities of their own; state `velocity` of the joint",
            body.name,
            list(stated),
            list(now)
        );
        notes.push(Note::new("W0307", message));
    }
    drop(at_start);
    mechanics.notes.extend(notes);
}

/// W0304 for coordinates that the assembly has moved beyond a limit, where their stops press from the start. Those that are stated there are told by the
/// model's validation.
pub(super) fn note_passed_limits(mechanics: &mut Mechanics, model: &Model) {
    let at_start = Workspace::at_start(mechanics);
    let here = at_start.here();
    let mut notes = Vec::new();
    for (index, joint) in model.joints.iter().enumerate() {
        let (q, _) = joint_axes(&here, index);
        for (axis, measure) in joint.kind.axes().iter().enumerate() {
            let Some(limit) = joint.elements.get(axis).and_then(|elements| elements.limit) else { continue };
            let beyond = |q: f64| beyond((limit.lower, limit.upper), q);
            let stated = joint.position.as_ref().and_then(|stated| stated.get(axis));
            if beyond(q[axis]) > NOTABLE && !stated.is_some_and(|q| beyond(*q) > 0.0) {
                let unit = match measure {
                    AxisMeasure::Angle => "rad",
                    AxisMeasure::Length => "m",
                };
                let message = format!(
                    "joint \"{}\" starts at {:.6} {unit}, {:.3e} {unit} beyond its limit: loops and couplings put it there, and its stop presses from the start; state joint coordinates with which they close within the limits",
                    joint.name,
                    q[axis],
                    beyond(q[axis])
                );
                notes.push(Note::new("W0304", message));
            }
        }
    }
    drop(at_start);
    mechanics.notes.extend(notes);
}
