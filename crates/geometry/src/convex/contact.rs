use carom_math::{Mat3, Pose, Vec3};

use super::ConvexShape;
use super::core::SurfacePoint;
use super::difference::{Difference, Pair};
use super::expand::{APART, Buffers, Deepest, Depth, find_depth};
use super::gjk::{Distance, Nearest, find_distance};
use super::polish::{Rims, Stationary, polish};
use crate::ContactPoint;

/// Relative duality gap at which the distance of cores is right to 10⁻¹².
const TIGHT: f64 = 1e-12;

/// Relative duality gap good enough to start Newton's method from, and bounds of depth good enough to know
/// which of several local minima is the least.
const LOOSE: f64 = 1e-4;

/// Twice the area of a triangle over the square of its longest side below which its normal is not trusted.
const SLIVER: f64 = 0.05;

/// The next tolerance where Newton's method does not converge from there.
const CLOSE: f64 = 1e-7;

/// Distance from the plane of a flat face, relative to the largest coordinate, that rounding leaves of points in it.
const FLAT: f64 = 32.0 * f64::EPSILON;

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
    /// What the last full search for a depth proved.
    proof: Proof,
}

/// No direction other than those near the normal had less depth than `depth`, with B at `x_ab` in A. When the solids
/// move by no more than d against each other, depths change by no more than d.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Proof {
    depth: f64,
    x_ab: Pose,
}

impl Proof {
    const NONE: Self = Self {
        depth: f64::NEG_INFINITY,
        x_ab: Pose {
            rotation: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            translation: Vec3::new(0.0, 0.0, 0.0),
        },
    };

    /// Depth below which a local minimum is the least of all, at the present pose, and how far points of B within
    /// `radius` of its origin can have moved: the proven depth less that way.
    fn limit(&self, x_ab: &Pose, radius: f64) -> (f64, f64) {
        let turned = (x_ab.rotation - self.x_ab.rotation).norm();
        let moved = (x_ab.translation - self.x_ab.translation).norm() + turned * radius;
        (self.depth - moved, moved)
    }
}

impl ConvexCache {
    /// Nothing known: the search starts along the line of centres.
    pub const COLD: Self = {
        let none = SurfacePoint { point: Vec3::new(0.0, 0.0, 0.0), branch: 0 };
        Self {
            points: [(none, none); 4],
            count: 0,
            overlap: false,
            normal: Vec3::new(0.0, 0.0, 0.0),
            proof: Proof::NONE,
        }
    };

    /// Points of A and of B that carry the contact: a fourth pair is only there for the next search.
    pub(super) fn carriers(&self) -> ([Option<SurfacePoint>; 3], [Option<SurfacePoint>; 3]) {
        let point = |k: usize| (k < usize::from(self.count)).then(|| self.points[k]);
        let points = [point(0), point(1), point(2)];
        (points.map(|p| p.map(|(a, _)| a)), points.map(|p| p.map(|(_, b)| b)))
    }

    #[inline]
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

/// The last answer at the present poses, if it is still the answer.
#[inline]
fn follow(difference: &Difference<'_>, cache: &ConvexCache, start: &[Pair]) -> Option<Found> {
    if difference.is_curved() {
        let found = polish(difference, &cache.normal, start, Rims::Move)?;
        let is_least = found.gap >= 0.0 || {
            let (rival, _) = cache.proof.limit(&difference.x_ab, difference.b.bounding_radius());
            -found.gap <= rival
        };
        return is_least.then(|| of_stationary(&found, cache.proof));
    }
    if cache.overlap { follow_face(difference, cache, start) } else { None }
}

/// The face of C that was nearest is so still. With the depth δ, and d how far points of B can have moved since the
/// last full search:
///
/// - no point of C lies beyond the face's plane;
/// - the foot of the origin lies within the face, a distance T from its sides. At an angle θ from the normal the
///   depth is then at least δ cos θ + T sin θ, no less than δ up to an angle θ₀ if T ≥ δ tan(θ₀/2);
/// - beyond θ₀ the depth was above δ + d everywhere, as proven then; (1 + cos θ₀ + sin θ₀) d/sin θ₀ more of T
///   holds that at θ₀ too.
fn follow_face(difference: &Difference<'_>, cache: &ConvexCache, start: &[Pair]) -> Option<Found> {
    let &[a, b, c, _] = start else { return None };
    let (rival, moved) = cache.proof.limit(&difference.x_ab, difference.b.bounding_radius());
    let area = (b.w - a.w).cross(&(c.w - a.w));
    let size = area.norm();
    let longest = [b.w - a.w, c.w - b.w, a.w - c.w].map(|side| side.norm_squared());
    if !(size > SLIVER * longest.iter().copied().fold(0.0, f64::max)) {
        return None;
    }
    let sign = 1.0_f64.copysign(area.dot(&cache.normal));
    let normal = area * (sign / size);
    let depth = normal.dot(&a.w);
    let sine = (1.0 - APART * APART).sqrt();
    let inside = depth * sine / (1.0 + APART) + moved * (1.0 + APART + sine) / sine;
    let foot = depth * normal;
    // Twice the areas that the foot makes with the sides, and from them its distances.
    let parts =
        [(&b, &c), (&c, &a), (&a, &b)].map(|(p, q)| sign * normal.dot(&(p.w - foot).cross(&(q.w - foot))));
    let sides = [longest[1], longest[2], longest[0]];
    let is_inside =
        parts.iter().zip(sides).all(|(part, side)| *part > 0.0 && part * part >= inside * inside * side);
    if !(depth > 0.0 && depth <= rival && is_inside) {
        return None;
    }
    let scale = a.w.amax().max(difference.x_ab.translation.amax());
    if normal.dot(&difference.support(&normal, &a).w) > depth + FLAT * scale {
        return None;
    }
    let point_a = (parts[0] * a.a.point + parts[1] * b.a.point + parts[2] * c.a.point) / size;
    Some(Found { normal, gap: -depth, point_a, cache: ConvexCache { normal, ..*cache } })
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
                let proof = Proof { depth: deepest.rival, x_ab: difference.x_ab };
                return Ok(of_deepest(difference, deepest, proof));
            }
        }
    }
    let curved = difference.is_curved();
    let between = difference.between();
    let toward = if between.norm_squared() > 0.0 { between } else { Vec3::z() };
    let first = find_distance(difference, start, &toward, if curved { LOOSE } else { TIGHT });
    match first {
        Distance::Apart(nearest) if curved => {
            if let Some(found) = polish_nearest(difference, &nearest, Rims::MoveIfNear) {
                return Ok(of_stationary(&found, cache.proof));
            }
            match find_distance(difference, nearest.pairs(), &toward, TIGHT) {
                Distance::Apart(nearest) => Ok(match polish_nearest(difference, &nearest, Rims::Move) {
                    Some(found) => of_stationary(&found, cache.proof),
                    None => of_nearest(difference, &nearest),
                }),
                Distance::Overlap(nearest) => find_overlap(difference, &nearest, buffers),
                Distance::Exhausted => Err(ConvexFault::Distance),
            }
        }
        Distance::Apart(nearest) => Ok(of_nearest(difference, &nearest)),
        Distance::Overlap(nearest) => find_overlap(difference, &nearest, buffers),
        Distance::Exhausted => Err(ConvexFault::Distance),
    }
}

fn polish_nearest(difference: &Difference<'_>, nearest: &Nearest, rims: Rims) -> Option<Stationary> {
    let v = nearest.point();
    polish(difference, &(-v / v.norm()), nearest.pairs(), rims)
}

fn find_overlap(
    difference: &Difference<'_>,
    nearest: &Nearest,
    buffers: &mut Buffers,
) -> Result<Found, ConvexFault> {
    let tolerances: &[f64] = if difference.is_curved() { &[LOOSE, CLOSE, TIGHT] } else { &[0.0] };
    for &tolerance in tolerances {
        let (deepest, error) = match find_depth(difference, &[], tolerance, buffers) {
            Depth::Face(deepest) => (deepest, tolerance * deepest.depth),
            Depth::Unsure(deepest, error) => (deepest, error),
            Depth::Flat(normal) => return Ok(of_flat(normal, nearest)),
        };
        let proof = Proof { depth: deepest.rival, x_ab: difference.x_ab };
        if difference.is_curved() {
            for rims in [Rims::MoveIfNear, Rims::Move] {
                if let Some(found) = polish(difference, &deepest.normal, &deepest.pairs[..3], rims) {
                    return Ok(of_stationary(&found, proof));
                }
            }
        }
        if error <= TIGHT * deepest.depth {
            return Ok(of_deepest(difference, deepest, proof));
        }
        if let Some(flat) = snap(difference, &deepest.normal, &deepest.pairs[..3]) {
            return Ok(of_deepest(difference, Deepest { normal: flat, ..deepest }, proof));
        }
    }
    Err(ConvexFault::Depth)
}

fn of_flat(normal: Vec3, nearest: &Nearest) -> Found {
    let point_a = (0..nearest.count).map(|k| nearest.weights[k] * nearest.pairs[k].a.point).sum();
    let cache = ConvexCache::of(nearest.pairs(), true, normal);
    Found { normal, gap: 0.0, point_a, cache }
}

#[inline]
fn of_stationary(found: &Stationary, proof: Proof) -> Found {
    let pairs = &found.pairs[..found.count];
    let point_a = pairs.iter().zip(found.weights).map(|(pair, weight)| weight * pair.a.point).sum();
    let cache = ConvexCache { proof, ..ConvexCache::of(pairs, found.gap < 0.0, found.normal) };
    Found { normal: found.normal, gap: found.gap, point_a, cache }
}

fn of_deepest(difference: &Difference<'_>, mut deepest: Deepest, proof: Proof) -> Found {
    let corners = &deepest.pairs[..3];
    if is_sliver(corners) {
        deepest.normal = snap(difference, &deepest.normal, corners).unwrap_or(deepest.normal);
        deepest.depth = deepest.normal.dot(&difference.support(&deepest.normal, &corners[0]).w);
    }
    let point_a = corners.iter().zip(deepest.weights).map(|(pair, weight)| weight * pair.a.point).sum();
    let cache = ConvexCache { proof, ..ConvexCache::of(&deepest.pairs, true, deepest.normal) };
    Found { normal: deepest.normal, gap: -deepest.depth, point_a, cache }
}

/// Whether three points of C make a triangle whose normal has lost digits.
fn is_sliver(corners: &[Pair]) -> bool {
    let side = |k: usize| corners[(k + 1) % 3].w - corners[k].w;
    let longest = (0..3).map(|k| side(k).norm_squared()).fold(0.0, f64::max);
    side(0).cross(&side(1)).norm_squared() < SLIVER * SLIVER * longest * longest
}

/// The stored normal of a flat face of either core that the given points of C lie in: a triangle of them may be a
/// sliver, whose own normal has few digits.
fn snap(difference: &Difference<'_>, normal: &Vec3, pairs: &[Pair]) -> Option<Vec3> {
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

/// Normal and distance from the corners that carry the nearest point, not from their combination: that is a
/// small difference of large numbers close to contact.
fn of_nearest(difference: &Difference<'_>, nearest: &Nearest) -> Found {
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
    let mut normal = out.normalize();
    if nearest.count == 3 && is_sliver(nearest.pairs()) {
        normal = snap(difference, &normal, nearest.pairs()).unwrap_or(normal);
    }
    let gap = match nearest.count {
        3 => -normal.dot(&w(0)),
        _ => out.norm(),
    };
    let point_a = (0..nearest.count).map(|k| nearest.weights[k] * nearest.pairs[k].a.point).sum();
    let cache = ConvexCache::of(nearest.pairs(), false, normal);
    Found { normal, gap, point_a, cache }
}
