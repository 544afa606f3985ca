//! Which poses of bodies are the file's word, once all joints are known.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use carom_engine::model::{Body, Joint};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use super::placement::Placement;

/// Longest chain of welds that are written against their order.
const MAX_PASSES: usize = 32;

/// What of a body's state only the instance it is in gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inherited {
    pose: bool,
    velocity: bool,
}

impl Inherited {
    /// Of a body with its own placement in an instance placed by `outer`.
    pub(crate) fn of(outer: &Placement, own: &Placement) -> Self {
        Self {
            pose: outer.pose_stated && !own.pose_stated,
            velocity: outer.velocity_stated && !own.velocity_stated,
        }
    }
}

/// An instance that hangs at a weld.
pub(crate) struct WeldedInstance {
    /// Name of the fixed joint.
    pub(crate) joint: String,
    /// Its bodies.
    pub(crate) bodies: Range<usize>,
}

/// Poses of an instance's bodies are seen from the instance; a weld says where that is. A body without a
/// pose of its own that a joint carries (as B) is where the joint puts it, not at the origin of the
/// instance.
pub(crate) fn settle(
    bodies: &mut [Body],
    inherited: &[Inherited],
    welds: &[WeldedInstance],
    joints: &[Joint],
) {
    place_all_welded(bodies, welds, joints);
    for joint in joints.iter().filter(|j| !j.cut) {
        // The world that nobody declares has no entry.
        let Some(inherited) = inherited.get(joint.b.body) else { continue };
        let body = &mut bodies[joint.b.body];
        body.pose_stated &= body.fixed || !inherited.pose;
        body.velocity_stated &= !inherited.velocity;
    }
    // What nobody states has one value, wherever its instance was taken along.
    for body in bodies {
        if !body.pose_stated {
            (body.position, body.orientation) = (Vec3::zeros(), Quaternion::IDENTITY);
        }
        if !body.velocity_stated {
            (body.velocity, body.angular_velocity) = (Vec3::zeros(), Vec3::zeros());
        }
    }
}

/// Outer instances first, since they take inner ones along; again while a weld hangs at an instance that
/// has moved since.
fn place_all_welded(bodies: &mut [Body], welds: &[WeldedInstance], joints: &[Joint]) {
    if welds.is_empty() {
        return;
    }
    let joints: BTreeMap<&str, &Joint> = joints.iter().map(|j| (j.name.as_str(), j)).collect();
    let mut order: Vec<&WeldedInstance> = welds.iter().collect();
    order.sort_by_key(|w| (w.bodies.start, Reverse(w.bodies.len())));
    for _ in 0..MAX_PASSES {
        let mut moved = false;
        for weld in &order {
            if let Some(joint) = joints.get(weld.joint.as_str()) {
                moved |= place_welded(bodies, weld.bodies.clone(), joint);
            }
        }
        if !moved {
            return;
        }
    }
}

/// Moves the bodies as one piece, so that the welded part is where the weld has it. False if it is.
fn place_welded(bodies: &mut [Body], range: Range<usize>, joint: &Joint) -> bool {
    let pose = |body: &Body| Pose { rotation: body.orientation.to_matrix(), translation: body.position };
    let target = pose(&bodies[joint.a.body]).compose(&joint.a.pose);
    let step = target.compose(&pose(&bodies[joint.b.body]).inverse());
    let size = 1.0 + target.translation.norm();
    if step.translation.norm() < 1e-12 * size && (step.rotation - Mat3::identity()).norm() < 1e-12 {
        return false;
    }
    for body in &mut bodies[range] {
        let new = step.compose(&pose(body));
        body.position = new.translation;
        body.orientation = Quaternion::from_matrix(&new.rotation);
        body.velocity = step.rotation * body.velocity;
        body.angular_velocity = step.rotation * body.angular_velocity;
    }
    true
}
