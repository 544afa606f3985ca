//! Minimum translation of cores that overlap.

use carom_math::Vec3;

use super::ConvexFault;
use super::cache::{ConvexCache, Proof};
use super::found::{FLAT, Found, of_deepest, of_flat, of_stationary, rest_on_flat, snap};
use super::search::{TIGHT, search};
use crate::convex::difference::{Difference, Pair};
use crate::convex::expand::{Buffers, Deepest, Depth, Expansion, Known};
use crate::convex::gjk::Nearest;
use crate::convex::polish::{Rims, descend, polish};

/// Relative errors of the depth up to which the polytope is expanded before Newton's method starts from its nearest
/// face: the next one where it does not converge from the last.
const TOLERANCES: [f64; 3] = [1e-4, 1e-7, TIGHT];

/// Relative excess of a depth that a search may have left.
const CLOSE: f64 = 1e-9;

/// Directions that are followed to their minimum of the depth before the least of these is taken for the least of
/// all. Solids of revolution with a common axis have one all around.
const MINIMA: usize = 8;

/// Times the depth up to which the polytope is expanded in other directions: their depths may shrink by the rest before they
/// must be looked at again.
const SPARE: f64 = 2.0;

/// The nearest face of the difference of two polytopes.
pub(super) fn find_face(
    difference: &Difference<'_>,
    start: &[Pair],
    buffers: &mut Buffers,
) -> Option<(Deepest, Proof)> {
    let mut expansion = Expansion::start(difference, start, buffers).ok()?;
    let Depth::Face(deepest) = expansion.find(0.0, &[], f64::INFINITY) else { return None };
    let proof = prove(difference, &expansion, &deepest.normal, &[]);
    Some((deepest, proof))
}

/// What a search has proven of directions other than those near a normal.
fn prove(difference: &Difference<'_>, expansion: &Expansion<'_>, normal: &Vec3, known: &[Known]) -> Proof {
    Proof { depth: expansion.find_rival(normal, known), normal: *normal, x_ab: difference.x_ab }
}

/// Cores of which a distance search knows that they overlap, with its last simplex.
pub(super) fn find_overlap(
    difference: &Difference<'_>,
    nearest: &Nearest,
    cache: &mut ConvexCache,
    buffers: &mut Buffers,
) -> Result<Found, ConvexFault> {
    let mut expansion = match Expansion::start(difference, nearest.pairs(), buffers) {
        Ok(expansion) => expansion,
        Err(normal) => return Ok(of_flat(normal, nearest, cache)),
    };
    if difference.is_curved() {
        return find_least(difference, expansion, None, cache);
    }
    let deepest = match expansion.find(0.0, &[], f64::INFINITY) {
        Depth::Face(deepest) => deepest,
        Depth::Unsure(deepest, error) if error <= TIGHT * deepest.depth.abs() => deepest,
        Depth::Unsure(..) | Depth::Proven => return Err(ConvexFault::Depth),
    };
    cache.proof = prove(difference, &expansion, &deepest.normal, &[]);
    Ok(of_deepest(difference, deepest, cache))
}

/// The least depth of curved cores of which one minimum is known, with its cache and the points that it was found from.
pub(super) fn find_rivals(
    difference: &Difference<'_>,
    found: Found,
    cache: &mut ConvexCache,
    start: &[Pair],
    buffers: &mut Buffers,
) -> Result<Found, ConvexFault> {
    match Expansion::start(difference, &[], buffers) {
        Ok(expansion) => find_least(difference, expansion, Some(found), cache),
        // C is flat, which a distance search deals with.
        Err(_) => search(difference, cache, start, buffers),
    }
}

/// The least of the local minima of the depth of curved cores, of which one may be known: each found from the nearest face of the polytope that is
/// far from those known, until no face is nearer than the least of them.
fn find_least(
    difference: &Difference<'_>,
    mut expansion: Expansion<'_>,
    mut minimum: Option<Found>,
    cache: &mut ConvexCache,
) -> Result<Found, ConvexFault> {
    let mut known = [Known { normal: Vec3::zeros(), depth: 0.0 }; 2 * MINIMA];
    let mut count = 0;
    let mut best: Option<(Found, ConvexCache)> = None;
    let mut tolerances = TOLERANCES.into_iter().skip(1);
    let mut tolerance = TOLERANCES[0];
    while count < known.len() {
        let ceiling = best.as_ref().map_or(f64::INFINITY, |(found, _)| -found.gap);
        let (deepest, error) = match expansion.find(tolerance, &known[..count], ceiling) {
            Depth::Face(deepest) => (deepest, tolerance * deepest.depth.abs()),
            Depth::Unsure(deepest, error) => (deepest, error),
            Depth::Proven => break,
        };
        let from_minimum =
            minimum.take_if(|minimum| -minimum.gap <= deepest.depth).map(|found| (found, *cache));
        let Some((found, end)) = from_minimum.or_else(|| settle(difference, &deepest, error, cache)) else {
            match tolerances.next() {
                Some(next) => tolerance = next,
                None => break,
            }
            continue;
        };
        known[count] = Known { normal: deepest.normal, depth: deepest.depth - error };
        known[count + 1] = Known { normal: found.normal, depth: -found.gap };
        count += 2;
        if -found.gap < ceiling {
            best = Some((found, end));
        }
    }
    let (found, end) = best.ok_or(ConvexFault::Depth)?;
    if count < known.len() {
        // Most searches that follow are spared if what could be less deep is known better.
        expansion.find(TOLERANCES[0], &known[..count], SPARE * -found.gap);
    }
    let proof = prove(difference, &expansion, &found.normal, &known[..count]);
    *cache = ConvexCache { proof, ..end };
    Ok(found)
}

/// The minimum of the depth near a face of the polytope, if it can be told to rounding.
fn settle(
    difference: &Difference<'_>,
    deepest: &Deepest,
    error: f64,
    cache: &ConvexCache,
) -> Option<(Found, ConvexCache)> {
    let mut end = *cache;
    let start = &deepest.pairs[..3];
    let scale = start[0].w.amax().max(difference.x_ab.translation.amax());
    // Not uphill.
    let limit = deepest.depth + FLAT * scale;
    let stationary = [Rims::MoveIfNear, Rims::Move]
        .into_iter()
        .find_map(|rims| polish(difference, &deepest.normal, start, rims).filter(|s| -s.gap <= limit));
    if let Some(stationary) = stationary {
        return Some((of_stationary(&stationary, &mut end), end));
    }
    // What a search may have left.
    let limit = deepest.depth * (1.0 + CLOSE) + FLAT * scale;
    if let Some(found) = rest_on_flat(difference, &deepest.normal, &start[0], limit, &mut end) {
        return Some((found, end));
    }
    if let Some(stationary) = descend(difference, &deepest.normal, start) {
        return Some((of_stationary(&stationary, &mut end), end));
    }
    // Of cores that touch the depth may be a rounding below zero.
    if error <= TIGHT * deepest.depth.abs() {
        return Some((of_deepest(difference, *deepest, &mut end), end));
    }
    let flat = snap(difference, &deepest.normal, start)?;
    Some((of_deepest(difference, Deepest { normal: flat, ..*deepest }, &mut end), end))
}
