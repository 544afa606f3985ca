//! How fast triangle surfaces approach each other where they begin to touch.
//!
//! Two triangles that touch say little about it: those of faces that meet flat, of edges that meet along their lengths, have many
//! directions in which they touch. What the surfaces share a moment later has one.

use carom_math::{Pose, Quaternion, Vec3};

use super::super::load::{areal_force_at, return_areal};
use super::super::placed::Placed;
use super::super::regions::{self, return_regions};
use super::super::{Evaluator, PointMotion};
use super::approach::mesh_pair;
use crate::mechanics::kinematics::BodyKinematics;
use crate::system::MeshPair;

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
    let Some(ahead) = ahead(&meshes, &poses[1], bodies, &touch.position) else { return touch };
    let slip = b.point_velocity(&touch.position) - a.point_velocity(&touch.position);
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

/// The pose of B a little after surfaces have touched at a place, seen from A; none if they rest on each other.
pub(in crate::contact) fn ahead(
    meshes: &MeshPair,
    of_b: &Pose,
    [a, b]: &[BodyKinematics; 2],
    place: &Vec3,
) -> Option<Pose> {
    let slip = b.point_velocity(place) - a.point_velocity(place);
    let spin = b.angular_velocity - a.angular_velocity;
    let size = meshes.trees[0].radius().min(meshes.trees[1].radius());
    let after = AHEAD * meshes.unfelt_limit / (slip.norm() + size * spin.norm());
    let turn = Quaternion::from_rotation_vector(&(spin * after)).to_matrix();
    after.is_finite().then(|| Pose {
        rotation: turn * of_b.rotation,
        translation: place + slip * after + turn * (of_b.translation - place),
    })
}
