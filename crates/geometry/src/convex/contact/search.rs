use carom_math::Vec3;

use super::ConvexFault;
use super::cache::{ConvexCache, Proof};
use super::found::{FLAT, Found, of_deepest, of_flat, of_nearest, of_stationary, rest_on_flat, snap};
use crate::convex::difference::{Difference, Pair};
use crate::convex::expand::{Buffers, Deepest, Depth, find_depth};
use crate::convex::gjk::{Distance, Nearest, find_distance};
use crate::convex::polish::{Rims, Stationary, polish};

/// Relative duality gap at which the distance of cores is right to 10⁻¹².
const TIGHT: f64 = 1e-12;

/// Relative duality gap good enough to start Newton's method from, and bounds of depth good enough to know
/// which of several local minima is the least.
const LOOSE: f64 = 1e-4;

/// The next tolerance where Newton's method does not converge from there.
const CLOSE: f64 = 1e-7;

pub(super) fn search(
    difference: &Difference<'_>,
    cache: &mut ConvexCache,
    start: &[Pair],
    buffers: &mut Buffers,
) -> Result<Found, ConvexFault> {
    if cache.overlap && start.len() == 4 && !difference.is_curved() {
        // Polytopes in contact usually stay so, and the old face is found again with one support.
        match find_depth(difference, start, 0.0, buffers) {
            Depth::Face(deepest) if deepest.depth > 0.0 => {
                cache.proof = Proof { depth: deepest.rival, x_ab: difference.x_ab };
                return Ok(of_deepest(difference, deepest, cache));
            }
            _ => {}
        }
    }
    let curved = difference.is_curved();
    let between = difference.between();
    let toward = if between.norm_squared() > 0.0 { between } else { Vec3::z() };
    let first = find_distance(difference, start, &toward, if curved { LOOSE } else { TIGHT });
    match first {
        Distance::Apart(nearest) if curved => {
            if let Some(found) = polish_nearest(difference, &nearest, Rims::MoveIfNear) {
                return Ok(of_stationary(&found, cache));
            }
            match find_distance(difference, nearest.pairs(), &toward, TIGHT) {
                Distance::Apart(nearest) => Ok(match polish_nearest(difference, &nearest, Rims::Move) {
                    Some(found) => of_stationary(&found, cache),
                    None => of_nearest(difference, &nearest, cache),
                }),
                Distance::Overlap(nearest) => find_overlap(difference, &nearest, cache, buffers),
                Distance::Exhausted => Err(ConvexFault::Distance),
            }
        }
        Distance::Apart(nearest) => {
            let flat = if is_proven(difference, &nearest) {
                None
            } else {
                find_nearest_face(difference, &nearest, cache, buffers)
            };
            Ok(flat.unwrap_or_else(|| of_nearest(difference, &nearest, cache)))
        }
        Distance::Overlap(nearest) => find_overlap(difference, &nearest, cache, buffers),
        Distance::Exhausted => Err(ConvexFault::Distance),
    }
}

/// Whether the plane through the nearest point separates as far as the point is from the origin.
fn is_proven(difference: &Difference<'_>, nearest: &Nearest) -> bool {
    let v = nearest.point();
    let distance = v.norm();
    let beyond = difference.support(&(-v / distance), &nearest.pairs[0]).w;
    let scale = beyond.amax().max(difference.x_ab.translation.amax());
    distance - v.dot(&beyond) / distance <= TIGHT * distance + FLAT * scale
}

/// Polytopes whose distance rounding hides, since C has a thin face there: the nearest face of C, if it proves
/// that they overlap or holds the nearest point.
fn find_nearest_face(
    difference: &Difference<'_>,
    nearest: &Nearest,
    cache: &mut ConvexCache,
    buffers: &mut Buffers,
) -> Option<Found> {
    let Depth::Face(deepest) = find_depth(difference, nearest.pairs(), 0.0, buffers) else { return None };
    let foot: Vec3 = deepest.pairs.iter().zip(deepest.weights).map(|(pair, weight)| weight * pair.w).sum();
    let scale = foot.amax().max(difference.x_ab.translation.amax());
    let is_answer = deepest.depth > 0.0 || foot.norm() + deepest.depth <= FLAT * scale;
    is_answer.then(|| {
        cache.proof = Proof { depth: deepest.rival, x_ab: difference.x_ab };
        of_deepest(difference, deepest, cache)
    })
}

fn polish_nearest(difference: &Difference<'_>, nearest: &Nearest, rims: Rims) -> Option<Stationary> {
    let v = nearest.point();
    polish(difference, &(-v / v.norm()), nearest.pairs(), rims)
}

fn find_overlap(
    difference: &Difference<'_>,
    nearest: &Nearest,
    cache: &mut ConvexCache,
    buffers: &mut Buffers,
) -> Result<Found, ConvexFault> {
    let tolerances: &[f64] = if difference.is_curved() { &[LOOSE, CLOSE, TIGHT] } else { &[0.0] };
    for &tolerance in tolerances {
        let (deepest, error) = match find_depth(difference, nearest.pairs(), tolerance, buffers) {
            Depth::Face(deepest) => (deepest, tolerance * deepest.depth),
            Depth::Unsure(deepest, error) => (deepest, error),
            Depth::Flat(normal) => return Ok(of_flat(normal, nearest, cache)),
        };
        cache.proof = Proof { depth: deepest.rival, x_ab: difference.x_ab };
        if difference.is_curved() {
            for rims in [Rims::MoveIfNear, Rims::Move] {
                if let Some(found) = polish(difference, &deepest.normal, &deepest.pairs[..3], rims) {
                    return Ok(of_stationary(&found, cache));
                }
            }
        }
        let on_flat = if difference.is_curved() { rest_on_flat(difference, &deepest, cache) } else { None };
        if let Some(found) = on_flat {
            return Ok(found);
        }
        // Of cores that touch the depth may be a rounding below zero.
        if error <= TIGHT * deepest.depth.abs() {
            return Ok(of_deepest(difference, deepest, cache));
        }
        if let Some(flat) = snap(difference, &deepest.normal, &deepest.pairs[..3]) {
            return Ok(of_deepest(difference, Deepest { normal: flat, ..deepest }, cache));
        }
    }
    Err(ConvexFault::Depth)
}
