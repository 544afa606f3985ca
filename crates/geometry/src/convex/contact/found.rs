use carom_math::Vec3;

use super::cache::ConvexCache;
use crate::convex::difference::{Difference, Pair};
use crate::convex::expand::Deepest;
use crate::convex::gjk::Nearest;
use crate::convex::polish::Stationary;
use crate::convex::triangle::{SLIVER, unit_normal};

/// Distance from the plane of a flat face, relative to the largest coordinate, that rounding leaves of points in it.
pub(super) const FLAT: f64 = 32.0 * f64::EPSILON;

/// Contact in A's frame, of cores.
pub(super) struct Found {
    pub(super) normal: Vec3,
    pub(super) gap: f64,
    /// On A's core.
    pub(super) point_a: Vec3,
}

pub(super) fn of_flat(normal: Vec3, nearest: &Nearest, cache: &mut ConvexCache) -> Found {
    let point_a = (0..nearest.count).map(|k| nearest.weights[k] * nearest.pairs[k].a.point).sum();
    cache.set(nearest.pairs(), true, normal);
    Found { normal, gap: 0.0, point_a }
}

#[inline]
pub(super) fn of_stationary(found: &Stationary, cache: &mut ConvexCache) -> Found {
    let pairs = &found.pairs[..found.count];
    let mean: Vec3 = pairs.iter().zip(found.weights).map(|(pair, weight)| weight * pair.a.point).sum();
    let point_a = mean + found.shift;
    cache.set(pairs, found.gap < 0.0, found.normal);
    Found { normal: found.normal, gap: found.gap, point_a }
}

pub(super) fn of_deepest(
    difference: &Difference<'_>,
    mut deepest: Deepest,
    cache: &mut ConvexCache,
) -> Found {
    let corners = &deepest.pairs[..3];
    if is_sliver(corners) {
        deepest.normal = snap(difference, &deepest.normal, corners).unwrap_or(deepest.normal);
        deepest.depth = deepest.normal.dot(&difference.support(&deepest.normal, &corners[0]).w);
    }
    let point_a = corners.iter().zip(deepest.weights).map(|(pair, weight)| weight * pair.a.point).sum();
    cache.set(&deepest.pairs, true, deepest.normal);
    Found { normal: deepest.normal, gap: -deepest.depth, point_a }
}

/// Whether three points of C make a triangle whose normal has lost digits.
pub(super) fn is_sliver(corners: &[Pair]) -> bool {
    let side = |k: usize| corners[(k + 1) % 3].w - corners[k].w;
    let longest = (0..3).map(|k| side(k).norm_squared()).fold(0.0, f64::max);
    side(0).cross(&side(1)).norm_squared() < SLIVER * SLIVER * longest * longest
}

/// The stored normal of a flat face of either core that the given points of C lie in: a triangle of them may be a
/// sliver, whose own normal has few digits.
pub(super) fn snap(difference: &Difference<'_>, normal: &Vec3, pairs: &[Pair]) -> Option<Vec3> {
    let r = &difference.x_ab.rotation;
    let of_a = difference.a.flat_near(normal, pairs[0].a.branch);
    let of_b = difference.b.flat_near(&-r.tr_mul(normal), pairs[0].b.branch).map(|flat| -(r * flat));
    let scale = pairs.iter().map(|pair| pair.w.amax()).fold(difference.x_ab.translation.amax(), f64::max);
    let holds = |flat: &Vec3| {
        let depth = flat.dot(&difference.support(flat, &pairs[0]).w);
        pairs.iter().all(|pair| depth - flat.dot(&pair.w) <= FLAT * scale)
    };
    [of_a, of_b].into_iter().flatten().find(holds)
}

/// The contact with a flat face of either core near the normal of a search, if its depth is no more than `limit` (m): the
/// other core's farthest point lies over the face, so that turning the normal makes cores deeper or nearer.
pub(super) fn rest_on_flat(
    difference: &Difference<'_>,
    normal: &Vec3,
    corner: &Pair,
    limit: f64,
    cache: &mut ConvexCache,
) -> Option<Found> {
    let Difference { a, b, x_ab } = difference;
    let on_a = || {
        let normal = a.flat_near(normal, corner.a.branch)?;
        let pair = difference.support(&normal, corner);
        let depth = normal.dot(&pair.w);
        let below = x_ab.transform_point(&pair.b.point);
        let holds = depth <= limit && a.is_over_flat(&normal, corner.a.branch, &below);
        holds.then(|| (pair, Found { normal, gap: -depth, point_a: below + depth * normal }))
    };
    let on_b = || {
        let flat = b.flat_near(&-x_ab.rotation.tr_mul(normal), corner.b.branch)?;
        let normal = -(x_ab.rotation * flat);
        let pair = difference.support(&normal, corner);
        let depth = normal.dot(&pair.w);
        let above = x_ab.inverse_transform_point(&pair.a.point);
        let holds = depth <= limit && b.is_over_flat(&flat, corner.b.branch, &above);
        holds.then(|| (pair, Found { normal, gap: -depth, point_a: pair.a.point }))
    };
    let (pair, found) = on_a().or_else(on_b)?;
    cache.set(&[pair], found.gap < 0.0, found.normal);
    Some(found)
}

/// Normal and distance from the corners that carry the nearest point, not from their combination: that is a
/// small difference of large numbers close to contact.
pub(super) fn of_nearest(difference: &Difference<'_>, nearest: &Nearest, cache: &mut ConvexCache) -> Found {
    let v = nearest.point();
    let w = |k: usize| nearest.pairs[k].w;
    let out = match nearest.count {
        3 => {
            let normal = unit_normal([&w(0), &w(1), &w(2)]);
            if normal.dot(&v) > 0.0 { -normal } else { normal }
        }
        2 => {
            let along = (w(1) - w(0)).normalize();
            -(w(0) - along * along.dot(&w(0)))
        }
        _ => -v,
    };
    let mut normal = out.normalize();
    if nearest.count == 3 && is_sliver(nearest.pairs()) {
        normal = snap(difference, &normal, nearest.pairs()).unwrap_or(normal);
    }
    let gap = match nearest.count {
        3 => -normal.dot(&w(0)),
        _ => out.norm(),
    };
    let point_a = (0..nearest.count).map(|k| nearest.weights[k] * nearest.pairs[k].a.point).sum();
    cache.set(nearest.pairs(), false, normal);
    Found { normal, gap, point_a }
}
