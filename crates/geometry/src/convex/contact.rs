use carom_math::{Pose, Vec3};

use super::core::SurfacePoint;
use super::difference::{Difference, Pair};
use super::expand::{Buffers, Deepest, Depth, find_depth};
use super::gjk::{Distance, Nearest, find_distance};
use super::polish::{Stationary, polish};
use super::{ConvexShape, Core};
use crate::ContactPoint;

/// Relative duality gap at which the distance of cores is right to 10⁻¹².
const TIGHT: f64 = 1e-12;

/// Relative duality gap good enough to start Newton's method from, and bounds of depth good enough to know
/// which of several local minima is the least.
const LOOSE: f64 = 1e-4;

/// Depth relative to the smaller core's smallest half extent up to which a minimum translation is followed
/// from the last one; deeper, it is searched for from the start.
const SHALLOW: f64 = 0.2;

/// Why no contact was found: the search reached its limit. The caller names the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConvexFault {
    /// Distance of cores apart: more than 500 iterations.
    Distance,
    /// Depth of overlapping cores: more than 255 vertices.
    Depth,
}

/// Where the last search of a pair ended: plain data, to start the next one from.
///
/// The contact found is a function of shapes, poses and this; a search never changes what it is given.
/// Results agree to rounding whatever the cache, but not to the bit. So a caller that wants the same bits from
/// two runs, over rejected steps and after a restart, keeps one cache per pair, replaces it at accepted steps only,
/// and saves it with the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexCache {
    /// Surface points in the frames of A and B.
    points: [(SurfacePoint, SurfacePoint); 4],
    count: u8,
    /// The cores overlapped.
    overlap: bool,
    /// Unit normal from A to B, in A's frame.
    normal: Vec3,
}

impl ConvexCache {
    /// Nothing known: the search starts along the line of centres.
    pub const COLD: Self = {
        let none = SurfacePoint { point: Vec3::new(0.0, 0.0, 0.0), branch: 0 };
        Self { points: [(none, none); 4], count: 0, overlap: false, normal: Vec3::new(0.0, 0.0, 0.0) }
    };

    fn of(pairs: &[Pair], overlap: bool, normal: Vec3) -> Self {
        let mut cache = Self { count: pairs.len() as u8, overlap, normal, ..Self::COLD };
        for (point, pair) in cache.points.iter_mut().zip(pairs) {
            *point = (pair.a, pair.b);
        }
        cache
    }
}

impl Default for ConvexCache {
    fn default() -> Self {
        Self::COLD
    }
}

/// Buffers of the searches: make one per thread and use it for all pairs. Nothing in it outlives a call.
#[derive(Clone, Debug)]
pub struct ConvexWorkspace {
    buffers: Buffers,
}

impl ConvexWorkspace {
    /// Allocates everything that any search needs.
    pub fn new() -> Self {
        Self { buffers: Buffers::new() }
    }
}

impl Default for ConvexWorkspace {
    fn default() -> Self {
        Self::new()
    }
}

/// A contact of two convex solids.
#[derive(Clone, Copy, Debug)]
pub struct ConvexContact {
    /// Gap, normal and surface points in world axes. The gap is the distance of solids apart, and minus the minimum
    /// translation of solids that overlap.
    pub point: ContactPoint,
    /// Start for the next search.
    pub cache: ConvexCache,
}

/// Contact in A's frame, of cores.
struct Found {
    normal: Vec3,
    gap: f64,
    /// On A's core.
    point_a: Vec3,
    cache: ConvexCache,
}

/// Nearest points of two convex solids apart, or the minimum translation of two that overlap.
///
/// With core distance d and rounding radii r the gap is d − r_A − r_B: continuous through contact, exact to rounding
/// of the relative coordinates. Where the minimum is not unique (parallel faces, medial axes) one of the
/// answers is given; gap and, but for medial axes, normal do not depend on which.
pub fn find_convex_contact(
    a: &ConvexShape,
    x_wa: &Pose,
    b: &ConvexShape,
    x_wb: &Pose,
    cache: &ConvexCache,
    workspace: &mut ConvexWorkspace,
) -> Result<ConvexContact, ConvexFault> {
    let difference = Difference::new(&a.core, x_wa, &b.core, x_wb);
    let mut start = [Pair::EMPTY; 4];
    let count = usize::from(cache.count);
    for (pair, (point_a, point_b)) in start.iter_mut().zip(&cache.points[..count]) {
        *pair = difference.pair(*point_a, *point_b);
    }
    let found = match follow(&difference, cache, &start[..count]) {
        Some(found) => found,
        None => search(&difference, cache, &start[..count], &mut workspace.buffers)?,
    };
    let normal = x_wa.rotation * found.normal;
    let gap = found.gap - (a.radius + b.radius);
    let point_a = x_wa.transform_point(&(found.point_a + a.radius * found.normal));
    let point = ContactPoint { gap, normal, point_a, point_b: point_a + gap * normal };
    Ok(ConvexContact { point, cache: found.cache })
}

/// Newton's method from the last answer, for curved surfaces.
fn follow(difference: &Difference<'_>, cache: &ConvexCache, start: &[Pair]) -> Option<Found> {
    if start.is_empty() || !difference.is_curved() {
        return None;
    }
    let found = polish(difference, &cache.normal, start)?;
    if found.gap < 0.0 {
        let smallest = |core: &Core| core.half_extents().min();
        let size = smallest(difference.a).min(smallest(difference.b));
        if -found.gap > SHALLOW * size || has_rival(difference, &found) {
            return None;
        }
    }
    Some(of_stationary(&found))
}

/// Whether a flat face of either core has less depth than the local minimum found. A hull has too many to ask.
fn has_rival(difference: &Difference<'_>, found: &Stationary) -> bool {
    let near = &found.pairs[0];
    let r = &difference.x_ab.rotation;
    let limit = -found.gap * (1.0 - 1e-9);
    let is_rival = |n: &Vec3| n.dot(&difference.support(n, near).w) < limit;
    let of_a = difference.a.flat_normals();
    let of_b = difference.b.flat_normals();
    match (of_a, of_b) {
        (Some(of_a), Some(of_b)) => {
            of_a.iter().any(is_rival) || of_b.iter().any(|n| is_rival(&-(r * n)))
        }
        _ => true,
    }
}

fn search(
    difference: &Difference<'_>,
    cache: &ConvexCache,
    start: &[Pair],
    buffers: &mut Buffers,
) -> Result<Found, ConvexFault> {
    if cache.overlap && start.len() == 4 && !difference.is_curved() {
        // Polytopes in contact usually stay so, and the old face is found again with one support.
        if let Depth::Face(deepest) = find_depth(difference, start, 0.0, buffers) {
            if deepest.depth > 0.0 {
                return Ok(of_deepest(&deepest));
            }
        }
    }
    let curved = difference.is_curved();
    let between = difference.between();
    let toward = if between.norm_squared() > 0.0 { between } else { Vec3::z() };
    let first = find_distance(difference, start, &toward, if curved { LOOSE } else { TIGHT });
    match first {
        Distance::Apart(nearest) if curved => {
            let v = nearest.point();
            if let Some(found) = polish(difference, &(-v / v.norm()), nearest.pairs()) {
                return Ok(of_stationary(&found));
            }
            match find_distance(difference, nearest.pairs(), &toward, TIGHT) {
                Distance::Apart(nearest) => Ok(of_nearest(&nearest)),
                Distance::Overlap(nearest) => find_overlap(difference, &nearest, buffers),
                Distance::Exhausted => Err(ConvexFault::Distance),
            }
        }
        Distance::Apart(nearest) => Ok(of_nearest(&nearest)),
        Distance::Overlap(nearest) => find_overlap(difference, &nearest, buffers),
        Distance::Exhausted => Err(ConvexFault::Distance),
    }
}

fn find_overlap(
    difference: &Difference<'_>,
    nearest: &Nearest,
    buffers: &mut Buffers,
) -> Result<Found, ConvexFault> {
    let curved = difference.is_curved();
    let deepest = match find_depth(difference, &[], if curved { LOOSE } else { 0.0 }, buffers) {
        Depth::Face(deepest) => deepest,
        Depth::Unsure(deepest, _) if curved => deepest,
        Depth::Unsure(..) => return Err(ConvexFault::Depth),
        Depth::Flat(normal) => {
            let point_a = (0..nearest.count).map(|k| nearest.weights[k] * nearest.pairs[k].a.point).sum();
            let cache = ConvexCache::of(nearest.pairs(), true, normal);
            return Ok(Found { normal, gap: 0.0, point_a, cache });
        }
    };
    if !curved {
        return Ok(of_deepest(&deepest));
    }
    if let Some(found) = polish(difference, &deepest.normal, &deepest.pairs[..3]) {
        return Ok(of_stationary(&found));
    }
    match find_depth(difference, &deepest.pairs, TIGHT, buffers) {
        Depth::Face(deepest) => Ok(of_deepest(&deepest)),
        Depth::Unsure(deepest, error) if error <= LOOSE * deepest.depth => Ok(of_deepest(&deepest)),
        _ => Err(ConvexFault::Depth),
    }
}

fn of_stationary(found: &Stationary) -> Found {
    let pairs = &found.pairs[..found.count];
    let point_a = pairs.iter().zip(found.weights).map(|(pair, weight)| weight * pair.a.point).sum();
    let cache = ConvexCache::of(pairs, found.gap < 0.0, found.normal);
    Found { normal: found.normal, gap: found.gap, point_a, cache }
}

fn of_deepest(deepest: &Deepest) -> Found {
    let point_a =
        deepest.pairs.iter().zip(deepest.weights).map(|(pair, weight)| weight * pair.a.point).sum();
    let cache = ConvexCache::of(&deepest.pairs, true, deepest.normal);
    Found { normal: deepest.normal, gap: -deepest.depth, point_a, cache }
}

/// Normal and distance from the corners that carry the nearest point, not from their combination: that is a
/// small difference of large numbers close to contact.
fn of_nearest(nearest: &Nearest) -> Found {
    let v = nearest.point();
    let w = |k: usize| nearest.pairs[k].w;
    let out = match nearest.count {
        3 => {
            let normal = (w(1) - w(0)).cross(&(w(2) - w(0)));
            if normal.dot(&v) > 0.0 { -normal } else { normal }
        }
        2 => {
            let along = (w(1) - w(0)).normalize();
            -(w(0) - along * along.dot(&w(0)))
        }
        _ => -v,
    };
    let normal = out.normalize();
    let gap = match nearest.count {
        3 => -normal.dot(&w(0)),
        _ => out.norm(),
    };
    let point_a = (0..nearest.count).map(|k| nearest.weights[k] * nearest.pairs[k].a.point).sum();
    let cache = ConvexCache::of(nearest.pairs(), false, normal);
    Found { normal, gap, point_a, cache }
}
