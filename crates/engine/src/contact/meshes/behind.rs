//! Surfaces that are felt where they do not touch: of an open one the solid is behind its triangles, and what comes there around a border has
//! touched nothing.

use carom_geometry::clearance::ClearanceTree;
use carom_math::Pose;

use super::approach::placed_surfaces;
use super::touch::TouchSearch;
use crate::contact::Evaluator;
use crate::system::MeshPair;

/// Units in the last place of coordinates that a distance is off by.
const GAP_ULPS: f64 = 8.0;

/// What rounding leaves of distances of surfaces at poses (m).
pub(super) fn rounding_of(meshes: &MeshPair, [x_a, x_b]: [&Pose; 2]) -> f64 {
    let size = |x: &Pose, tree: &ClearanceTree| x.translation.amax() + tree.radius();
    let [a, b] = &meshes.trees;
    GAP_ULPS * f64::EPSILON * size(x_a, a).max(size(x_b, b))
}

/// Is one of the surfaces of a pair open, and are they apart, by more than rounding, with neither in the other, where the evaluator is?
/// Elements of an areal pair that feel contact all the same do so from behind.
pub(super) fn are_apart(
    touch: &mut TouchSearch,
    evaluator: &Evaluator<'_>,
    (meshes, pair): (&MeshPair, usize),
    hint: [u32; 2],
) -> bool {
    if evaluator.areal[pair].is_none() || meshes.trees.iter().all(|tree| tree.is_closed()) {
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
