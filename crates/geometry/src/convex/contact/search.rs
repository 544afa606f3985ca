use carom_math::Vec3;

use super::ConvexFault;
use super::cache::ConvexCache;
use super::found::{FLAT, Found, of_deepest, of_nearest, of_stationary, rest_on_flat};
use super::overlap::{find_face, find_overlap};
use crate::convex::difference::{Difference, Pair};
use crate::convex::expand::Buffers;
use crate::convex::gjk::{Distance, Nearest, TOUCHING, find_distance};
use crate::convex::polish::{Rims, Stationary, descend, polish};

/// Relative duality gap at which the distance of cores is right to 10⁻¹².
pub(super) const TIGHT: f64 = 1e-12;

/// Relative duality gap good enough to start Newton's method from.
const LOOSE: f64 = 1e-4;

pub(super) fn search(
    difference: &Difference<'_>,
    cache: &mut ConvexCache,
    start: &[Pair],
    buffers: &mut Buffers,
) -> Result<Found, ConvexFault> {
    if cache.overlap && start.len() == 4 && !difference.is_curved() {
        // Polytopes in contact usually stay so, and the old face is found again with one support.
        if let Some((deepest, proof)) = find_face(difference, start, buffers)
            && deepest.depth > 0.0
        {
            cache.proof = proof;
            return Ok(of_deepest(difference, deepest, cache));
        }
    }
    let between = difference.between();
    let toward = if between.norm_squared() > 0.0 { between } else { Vec3::z() };
    let first = find_distance(difference, start, &toward, if difference.is_curved() { LOOSE } else { TIGHT });
    match first {
        Distance::Apart(nearest) if difference.is_curved() => find_apart(difference, nearest, cache, buffers),
        Distance::Apart(nearest) => {
            if is_proven(difference, &nearest) {
                return Ok(of_nearest(difference, &nearest, cache));
            }
            // Nearly parallel edges and faces, whose simplices have lost digits.
            let descent = descend(difference, &-nearest.point().normalize(), nearest.pairs());
            if let Some(found) = descent.filter(|found| found.gap > 0.0) {
                return Ok(of_stationary(&found, cache));
            }
            let face = find_nearest_face(difference, &nearest, cache, buffers);
            Ok(face.unwrap_or_else(|| of_nearest(difference, &nearest, cache)))
        }
        Distance::Overlap(nearest) => find_overlap(difference, &nearest, cache, buffers),
        Distance::Exhausted => Err(ConvexFault::Distance),
    }
}

/// Curved cores that a distance search has found apart to [`LOOSE`].
fn find_apart(
    difference: &Difference<'_>,
    loose: Nearest,
    cache: &mut ConvexCache,
    buffers: &mut Buffers,
) -> Result<Found, ConvexFault> {
    if let Some(found) = polish_nearest(difference, &loose, Rims::MoveIfNear) {
        return Ok(of_stationary(&found, cache));
    }
    let normal = -loose.point().normalize();
    if let Some(found) = rest_on_flat(difference, &normal, &loose.pairs[0], 0.0, cache) {
        return Ok(found);
    }
    let nearest = match find_distance(difference, loose.pairs(), &normal, TIGHT) {
        Distance::Apart(nearest) => nearest,
        Distance::Overlap(nearest) => return find_overlap(difference, &nearest, cache, buffers),
        Distance::Exhausted => return Err(ConvexFault::Distance),
    };
    if let Some(found) = polish_nearest(difference, &nearest, Rims::Move) {
        return Ok(of_stationary(&found, cache));
    }
    let descent = || descend(difference, &-nearest.point().normalize(), nearest.pairs());
    if !is_proven(difference, &nearest) {
        // So near that rounding hides an overlap from the distance search, and leaves of its direction nothing that a
        // descent could start from. Any separation is a lower bound of the gap: the larger one is the better.
        let mut end = *cache;
        let overlap = find_overlap(difference, &nearest, &mut end, buffers).ok();
        let is_better = |gap: f64| gap <= 0.0 || descent().is_none_or(|found| found.gap <= gap);
        if let Some(found) = overlap.filter(|found| is_better(found.gap)) {
            *cache = end;
            return Ok(found);
        }
    }
    Ok(match descent() {
        Some(found) => of_stationary(&found, cache),
        None => of_nearest(difference, &nearest, cache),
    })
}

/// Whether the plane across the nearest point separates as far as the point is from the origin.
#[inline]
fn is_proven(difference: &Difference<'_>, nearest: &Nearest) -> bool {
    let scale = nearest.pairs[0].w.amax().max(difference.x_ab.translation.amax());
    nearest.excess <= FLAT * scale
}

/// Polytopes whose distance rounding hides, since C has a thin face there: the nearest face of C, if it proves
/// that they overlap or holds the nearest point.
fn find_nearest_face(
    difference: &Difference<'_>,
    nearest: &Nearest,
    cache: &mut ConvexCache,
    buffers: &mut Buffers,
) -> Option<Found> {
    let (deepest, proof) = find_face(difference, nearest.pairs(), buffers)?;
    let foot: Vec3 = deepest.pairs.iter().zip(deepest.weights).map(|(pair, weight)| weight * pair.w).sum();
    let scale = foot.amax().max(difference.x_ab.translation.amax());
    let is_answer = deepest.depth > 0.0 || foot.norm() + deepest.depth <= FLAT * scale;
    is_answer.then(|| {
        cache.proof = proof;
        of_deepest(difference, deepest, cache)
    })
}

/// Newton's method from the nearest point. Of cores apart the maximum of the separation is the only one, but what
/// starts at a point that is nearly contact, whose direction is rounding, may end at another, of the depth.
fn polish_nearest(difference: &Difference<'_>, nearest: &Nearest, rims: Rims) -> Option<Stationary> {
    let found = polish(difference, &-nearest.point().normalize(), nearest.pairs(), rims)?;
    (found.gap >= -TOUCHING * difference.x_ab.translation.amax()).then_some(found)
}
