//! Open surfaces that are met from behind, where their solid is taken to be: what they feel is no contact, and is said.

use carom_geometry::clearance::ClearanceTree;
use carom_math::{Pose, Vec3};

use super::approach::{mesh_pair, placed_surfaces};
use super::touch::TouchSearch;
use crate::contact::{Evaluator, PointMotion};
use crate::system::MeshPair;

/// Units in the last place of coordinates that a distance is off by.
const GAP_ULPS: f64 = 8.0;

/// What rounding leaves of the cosine of two directions that are one.
const ON_FACE: f64 = 1e-9;

/// Places nearer an edge than this many times what rounding leaves of distances are taken to be on it.
const AT_EDGE: f64 = 64.0;

/// What rounding leaves of distances of surfaces at poses (m).
pub(super) fn rounding_of(meshes: &MeshPair, [x_a, x_b]: [&Pose; 2]) -> f64 {
    let size = |x: &Pose, tree: &ClearanceTree| x.translation.amax() + tree.radius();
    let [a, b] = &meshes.trees;
    GAP_ULPS * f64::EPSILON * size(x_a, a).max(size(x_b, b))
}

fn has_open_side(evaluator: &Evaluator<'_>, (meshes, pair): (&MeshPair, usize)) -> bool {
    evaluator.areal[pair].is_some() && meshes.trees.iter().any(|tree| !tree.is_closed())
}

/// Is one of the surfaces of a pair open, and are they apart, by more than rounding, with neither in the other, where the evaluator is?
/// Elements of an areal pair that feel contact all the same do so from behind.
pub(super) fn are_apart(
    touch: &mut TouchSearch,
    evaluator: &Evaluator<'_>,
    (meshes, pair): (&MeshPair, usize),
    hint: [u32; 2],
) -> bool {
    if !has_open_side(evaluator, (meshes, pair)) {
        return false;
    }
    let poses = placed_surfaces(evaluator, meshes, pair).poses;
    if touch.touching(meshes, poses, hint).is_some() {
        return false;
    }
    let rounding = rounding_of(meshes, poses);
    let (distance, _) = touch.distance(meshes, poses, [rounding, 2.0 * rounding], hint);
    distance > rounding && !touch.is_inside(meshes, poses)
}

/// Do surfaces that begin to touch with these poses, as this point, meet an open one from behind?
pub(super) fn meet_from_behind(
    evaluator: &Evaluator<'_>,
    contact: usize,
    poses: [&Pose; 2],
    point: &PointMotion,
) -> bool {
    let Some((meshes, pair)) = mesh_pair(evaluator, contact) else { return false };
    let triangles = evaluator.contacts.memory[contact].triangles;
    has_open_side(evaluator, (&meshes, pair)) && touch_on_a_back(&meshes, poses, triangles, point)
}

/// Do triangles that approach each other touch on the back of one of an open surface, and enter none that meets it there; or on an edge or corner straight
/// behind which they have been until now: which is where the other leaves through all that meets there, triangles and the walls behind borders? No
/// triangle there is turned against the others. Where a surface is cracked each side of the crack is a border.
fn touch_on_a_back(meshes: &MeshPair, poses: [&Pose; 2], triangles: [u32; 2], point: &PointMotion) -> bool {
    let rounding = rounding_of(meshes, poses);
    let corners =
        [0, 1].map(|k| meshes.trees[k].triangle(triangles[k]).map(|p| poses[k].transform_point(&p)));
    let of_b_against_a = point.sliding - point.normal * point.approach;
    [(0, 1.0), (1, -1.0)].into_iter().any(|(k, sign)| {
        let tree = &meshes.trees[k];
        if tree.is_closed() || tree.is_turned(triangles[k]) {
            return false;
        }
        let ([a, b, c], others) = (corners[k], corners[1 - k]);
        let Some(outward) = (b - a).cross(&(c - a)).try_normalize(0.0) else { return false };
        let way = of_b_against_a * sign;
        let leaves = |outward: &Vec3, way: &Vec3| outward.dot(way) > ON_FACE * way.norm();
        if !leaves(&outward, &way) {
            return false;
        }
        let within = AT_EDGE * rounding;
        let (place, way) =
            (poses[k].inverse_transform_point(&point.position), poses[k].rotation.tr_mul(&way));
        // Of triangles in one plane the direction in which they are apart is rounding, not how they move.
        let is_in_plane = others.iter().all(|p| outward.dot(&(p - a)).abs() <= rounding);
        if is_in_plane || sign * outward.dot(&point.normal) < ON_FACE - 1.0 {
            // On a fold that is passed across from the front one side is left, and the other entered.
            let enters = |triangle: u32, outward: &Vec3| {
                !tree.is_turned(triangle) && outward.dot(&way) < -ON_FACE * way.norm()
            };
            return !tree.any_beside(triangles[k], &place, within, enters);
        }
        let leaves = |triangle: u32, outward: &Vec3| !tree.is_turned(triangle) && leaves(outward, &way);
        point.gap.abs() <= within && tree.all_about(triangles[k], &place, within, leaves)
    })
}
