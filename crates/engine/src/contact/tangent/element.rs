//! Tangents of force elements, by central differences of each element alone.

use carom_math::{Quaternion, Twist, Wrench};

use super::{ContactTangent, TangentWorkspace, unit_twist};
use crate::contact::Evaluator;
use crate::contact::tangent::path;
use crate::mechanics::ForceData;
use crate::mechanics::force::evaluate_force;
use crate::mechanics::kinematics::BodyKinematics;

/// Increment, in radians or shares of the model's length and velocity: cuts off and rounds at 1e-10.
const INCREMENT: f64 = 1e-5;

/// Bodies between which an element acts, by what they move against each other; nothing on A if it acts from outside.
/// `None` for what acts between more.
fn ends(data: &ForceData) -> Option<[Option<usize>; 2]> {
    match data {
        ForceData::SpringDamper { a, b, .. }
        | ForceData::TorsionSpring { a, b, .. }
        | ForceData::Bushing { a, b, .. } => Some([Some(a.body), Some(b.body)]),
        ForceData::Force { on, .. } | ForceData::Torque { on, .. } | ForceData::Drag { on, .. } => {
            Some([None, Some(on.body)])
        }
        ForceData::Cable(_) | ForceData::Actuator(_) => None,
    }
}

/// Has an element a tangent?
pub(super) fn has_tangent(data: &ForceData) -> bool {
    ends(data).is_some() || matches!(data, ForceData::Actuator(_))
}

/// Adds the slopes of all force elements.
pub(super) fn add_element_slopes(
    evaluator: &mut Evaluator<'_>,
    work: &mut TangentWorkspace,
    matrix: &mut [f64],
) {
    let held = evaluator.system.clone();
    let system = &*held;
    for (force, data) in system.mechanics.forces.iter().enumerate() {
        let Some([a, Some(b)]) = ends(data) else { continue };
        let tangent = element_tangent(evaluator, force, b, &mut work.wrenches);
        let links = [a, Some(b)].map(|body| body.and_then(|body| system.mechanics.bodies[body].link));
        path::add_pair(evaluator, work, links, b, &tangent, matrix);
    }
}

/// Of the wrench on B about its centre of mass.
fn element_tangent(
    evaluator: &mut Evaluator<'_>,
    force: usize,
    b: usize,
    wrenches: &mut [Wrench],
) -> ContactTangent {
    let scale = evaluator.system.scales.length;
    let (length, velocity) = (INCREMENT * scale, INCREMENT * evaluator.system.scales.velocity);
    let kept = evaluator.workspace.bodies[b];
    let mut tangent = ContactTangent::at(kept.pose.translation);
    tangent.wrench = element_wrench(evaluator, force, b, &kept, wrenches);
    let mut slope = |evaluator: &mut Evaluator, size: f64, moved: &dyn Fn(f64) -> BodyKinematics| {
        let [after, before] = [size, -size].map(|h| {
            evaluator.workspace.bodies[b] = moved(h);
            element_wrench(evaluator, force, b, &kept, wrenches)
        });
        (after - before) * (0.5 / size)
    };
    for column in 0..6 {
        let unit = unit_twist(column);
        let [place, speed] = if column < 3 { [INCREMENT, velocity / scale] } else { [length, velocity] };
        tangent.pose[column] = slope(evaluator, place, &|h| displaced(&kept, &(unit * h)));
        tangent.twist[column] = slope(evaluator, speed, &|h| {
            let velocity = kept.velocity + unit.linear * h;
            BodyKinematics { velocity, angular_velocity: kept.angular_velocity + unit.angular * h, ..kept }
        });
    }
    evaluator.workspace.bodies[b] = kept;
    tangent
}

/// Wrench on B about where its centre of mass is kept.
fn element_wrench(
    evaluator: &Evaluator<'_>,
    force: usize,
    b: usize,
    kept: &BodyKinematics,
    wrenches: &mut [Wrench],
) -> Wrench {
    wrenches[b] = Wrench::ZERO;
    evaluate_force(&evaluator.workspace.here(), force, wrenches, &mut [], &mut Default::default());
    wrenches[b].shifted_back(&(evaluator.workspace.bodies[b].pose.translation - kept.pose.translation))
}

/// A body displaced by a small twist about its centre of mass, in the same field of velocities.
fn displaced(body: &BodyKinematics, twist: &Twist) -> BodyKinematics {
    let mut moved = *body;
    moved.pose.rotation = Quaternion::from_rotation_vector(&twist.angular).to_matrix() * body.pose.rotation;
    moved.pose.translation += twist.linear;
    moved.velocity = body.point_velocity(&moved.pose.translation);
    moved
}
