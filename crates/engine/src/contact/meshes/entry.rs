//! How fast triangle surfaces approach each other where they begin to touch.
//!
//! Two triangles that touch say little about it: those of faces that meet flat, of edges that meet along their lengths, have many
//! directions in which they touch. What the surfaces share a moment later has one.

use carom_math::{Pose, Quaternion};

use super::super::load::{areal_force_at, return_areal};
use super::super::placed::Placed;
use super::super::regions::{self, return_regions};
use super::super::{Evaluator, PointMotion};
use super::approach::mesh_pair;
use crate::mechanics::kinematics::BodyKinematics;

/// How far surfaces are taken on from where they touch, as a share of what they may come deep unfelt.
const AHEAD: f64 = 0.01;

/// The motion of a contact that begins at these poses, whose triangles touch with this motion: with the normal, and the speeds along and
/// across it, of the regions or elements that there are a little later, by their forces. As it is where there are none yet.
pub(in crate::contact) fn entering(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    (poses, bodies): (&[Pose; 2], &[BodyKinematics; 2]),
    touch: PointMotion,
) -> PointMotion {
    let Some((meshes, pair)) = mesh_pair(evaluator, contact) else { return touch };
    let [a, b] = bodies;
    let slip = b.point_velocity(&touch.position) - a.point_velocity(&touch.position);
    let spin = b.angular_velocity - a.angular_velocity;
    let size = meshes.trees[0].radius().min(meshes.trees[1].radius());
    let after = AHEAD * meshes.unfelt_limit / (slip.norm() + size * spin.norm());
    if !after.is_finite() {
        return touch;
    }
    let turn = Quaternion::from_rotation_vector(&(spin * after)).to_matrix();
    let ahead = Pose {
        rotation: turn * poses[1].rotation,
        translation: touch.position + slip * after + turn * (poses[1].translation - touch.position),
    };
    let placed = Placed { poses: [&poses[0], &ahead], bodies: [a, b] };
    let force =
        regions::force_at(evaluator, contact, &placed).or_else(|| areal_force_at(evaluator, pair, &placed));
    return_regions(evaluator, contact);
    return_areal(evaluator, pair);
    match force {
        Some(force) if force.normal > 0.0 => {
            let normal = force.point.normal;
            let separation = normal.dot(&slip);
            PointMotion {
                normal,
                approach: force.point.approach,
                sliding: slip - normal * separation,
                ..touch
            }
        }
        _ => touch,
    }
}
