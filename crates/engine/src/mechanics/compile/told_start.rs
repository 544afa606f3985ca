//! What the start is told of: poses that joints have changed, and limits that loops have passed.

use carom_math::Pose;

use super::assembly::{NOTABLE, beyond};
use crate::Note;
use crate::mechanics::constraint::joint_axes;
use crate::mechanics::{Mechanics, Workspace};
use crate::model::{AxisMeasure, Model};

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
