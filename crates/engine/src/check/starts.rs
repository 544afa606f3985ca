//! Velocities that bodies state and do not start with.

use carom_math::Vec3;

use crate::model::Model;
use crate::{Problem, System};

/// Change of a stated velocity that is told, over that: files have a few digits.
const LOST: f64 = 1e-3;

/// W0307 for bodies that do not start with the velocities that they state: their joints do not allow them, or go by others. What is not stated is zero, and
/// says nothing.
pub(super) fn warn_of_lost_velocities(model: &Model, system: &System, problems: &mut Vec<Problem>) {
    for (body, start) in model.bodies.iter().zip(system.bodies_at_start()) {
        if body.fixed || !body.velocity_stated {
            continue;
        }
        let both = [
            ("vel", "m/s", body.velocity, start.velocity),
            ("omega", "rad/s", body.angular_velocity, start.angular_velocity),
        ];
        let is_lost = |stated: &Vec3, now: &Vec3| {
            *stated != Vec3::zeros() && (now - stated).norm() > LOST * stated.norm()
        };
        let lost = both.into_iter().find(|(_, _, stated, now)| is_lost(stated, now));
        let Some((key, unit, stated, now)) = lost else { continue };
        let list = |v: Vec3| format!("[{:.4}, {:.4}, {:.4}] {unit}", v.x, v.y, v.z);
        let message = format!(
            "body \"{}\" states {key} = {} and starts with {}: its joints do not allow it, or go by other velocities",
            body.name,
            list(stated),
            list(now)
        );
        let help = "state `velocity` of the joint, or `omega` besides `vel` on a hinge, and leave out what contradicts it";
        problems.push(Problem::new("W0307", format!("body.{}.{key}", body.name), message).help(help));
    }
}
