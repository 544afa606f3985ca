//! Stops of joint coordinates as contacts of one dimension: the gap is what the coordinate is away from its bound.

use super::PointMotion;
use crate::mechanics::Configuration;
use crate::mechanics::constraint::joint_axis;
use crate::model::JointCoordinate;
use crate::system::StopData;
use carom_math::Vec3;

/// Gap and approach of a stop (feature 0: lower bound, 1: upper) at a state. Lengths in m or rad. The point is M's
/// origin, the normal the direction in which the stop pushes B.
pub(crate) fn stop_motion(here: &Configuration<'_>, stop: &StopData, feature: usize) -> PointMotion {
    let [q, v] = joint_axis(here, JointCoordinate { joint: stop.joint, axis: stop.axis });
    let data = &here.mechanics.joints[stop.joint];
    let f = here.bodies[data.a.body].pose.rotation * data.a.pose.rotation;
    let position = here.bodies[data.b.body].pose.transform_point(&data.b.pose.translation);
    stop_from(stop, feature, q, v, f * stop.axis_in_f, position)
}

/// The same from the coordinate and its velocity.
pub(crate) fn stop_from(
    stop: &StopData,
    feature: usize,
    q: f64,
    v: f64,
    axis: Vec3,
    position: Vec3,
) -> PointMotion {
    let direction = stop.direction(feature);
    let bound = stop.bounds[feature];
    PointMotion {
        gap: direction * (q - bound),
        normal: axis * direction,
        position,
        approach: -direction * v,
        sliding: Vec3::zeros(),
        operands: q.abs().max(bound.abs()).max(stop.operands),
    }
}
