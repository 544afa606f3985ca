use carom_math::Vec3;

use super::intersect::{intersects, meets_edge};
use crate::convex::triangle::unit_normal;

/// How far two triangles are apart, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleSeparation {
    /// Distance (m): 0 if, and only if, they have a point in common.
    pub distance: f64,
    /// A nearest point of each (m); a common point, to rounding, if they intersect.
    pub points: [Vec3; 2],
    /// Unit vector from the first to the second. It is off by rounding over the distance if corners are nearest, and for
    /// triangles that intersect, or nearly do, that of the normals of faces and of pairs of edges along which they overlap least.
    pub direction: Vec3,
}

/// Rounding of coordinates, in units of the largest, within which it is for exact signs to say whether triangles meet.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Sine below which two edges have no direction across both.
const PARALLEL: f64 = 8.0 * f64::EPSILON;

/// Distance of two triangles in one frame: the least of nine pairs of edges and six corners over the inside of the other
/// face, unless exact signs say that they intersect ([`intersects`]). Degenerate triangles are the segments or points that they
/// cover.
///
/// The distance is off by some roundings of the coordinates, whatever the triangles look like: all candidates are points of
/// both, and what is badly conditioned, like the place on parallel edges, hardly changes the distance.
pub fn triangle_separation(a: &[Vec3; 3], b: &[Vec3; 3]) -> TriangleSeparation {
    let mut nearest = Nearest { squared: f64::INFINITY, points: [a[0], b[0]], normal: None };
    for i in 0..3 {
        for j in 0..3 {
            nearest.offer_edges([&a[i], &a[(i + 1) % 3]], [&b[j], &b[(j + 1) % 3]]);
        }
    }
    nearest.offer_face(a, b, false);
    nearest.offer_face(b, a, true);
    let Nearest { squared, points, normal } = nearest;
    let size = a.iter().chain(b).fold(0.0, |size: f64, p| size.max(p.amax()));
    let rounding = ROUNDING * size;
    let distance = squared.sqrt();
    let direction = normal.unwrap_or_else(|| (points[1] - points[0]) / distance);
    // Both lie on their sides of the nearest points if they are apart. A direction that is no number fails.
    if gap(a, b, &direction) > rounding {
        return TriangleSeparation { distance, points, direction };
    }
    let (widest, gap_of_widest) = widest(a, b);
    let direction = if gap(a, b, &direction) > gap_of_widest { direction } else { widest };
    if intersects(a, b) {
        let common = find_common(a, b).unwrap_or_else(|| 0.5 * (points[0] + points[1]));
        return TriangleSeparation { distance: 0.0, points: [common, common], direction };
    }
    TriangleSeparation { distance: distance.max(f64::MIN_POSITIVE), points, direction }
}

/// n·b − n·a of the corners nearest to each other along a unit vector (m): a lower bound of the distance.
pub(super) fn gap(a: &[Vec3; 3], b: &[Vec3; 3], n: &Vec3) -> f64 {
    let low = b.iter().map(|p| n.dot(p)).fold(f64::INFINITY, f64::min);
    let high = a.iter().map(|p| n.dot(p)).fold(f64::NEG_INFINITY, f64::max);
    // The folds would pass over what is no number.
    if n.x.is_nan() { f64::NAN } else { low - high }
}

struct Nearest {
    squared: f64,
    points: [Vec3; 2],
    /// Direction from the first to the second, if it is known better than from the points.
    normal: Option<Vec3>,
}

impl Nearest {
    /// Nearest points p + s u and q + t v with s, t in 0 … 1: the crossing s = r·(v × w)/w² with r = q − p and w = u × v,
    /// then the foot on the other edge, as often as the ends cut it (Ericson, Real-Time Collision Detection (2005), 5.1.9).
    #[inline]
    fn offer_edges(&mut self, [p, p_end]: [&Vec3; 2], [q, q_end]: [&Vec3; 2]) {
        let (u, v, r) = (p_end - p, q_end - q, q - p);
        let (u_squared, v_squared) = (u.norm_squared(), v.norm_squared());
        let w = u.cross(&v);
        let w_squared = w.norm_squared();
        let is_across = w_squared > PARALLEL * PARALLEL * (u_squared * v_squared);
        let share = |x: f64, y: f64| if y > 0.0 { (x / y).clamp(0.0, 1.0) } else { 0.0 };
        let mut s = if is_across { share(r.dot(&v.cross(&w)), w_squared) } else { 0.0 };
        let foot = s * u - r;
        let t = share(v.dot(&foot), v_squared);
        s = share(u.dot(&(r + t * v)), u_squared);
        let points = [p + s * u, q + t * v];
        let squared = (points[1] - points[0]).norm_squared();
        if squared < self.squared {
            let is_inner = is_across && s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
            // Only edges that clearly cross have a normal that is better than the difference of the points.
            let is_clear = is_inner && w_squared > 1e-6 * (u_squared * v_squared);
            let toward = if w.dot(&r) < 0.0 { -1.0 } else { 1.0 };
            let normal = if is_clear {
                Some(w * (toward / w_squared.sqrt()))
            } else {
                // Across the edges on whose insides the points are: their rounding would turn it along them.
                let across = |d: Vec3, at: f64, edge: &Vec3, squared: f64| {
                    if at > 0.0 && at < 1.0 { d - d.dot(edge) / squared * edge } else { d }
                };
                let d = across(points[1] - points[0], s, &u, u_squared);
                across(d, t, &v, v_squared).try_normalize(0.0)
            };
            *self = Self { squared, points, normal };
        }
    }

    /// Corners of `other` over the inside of a triangle; `is_second` if the triangle is the second one.
    #[inline]
    fn offer_face(&mut self, triangle: &[Vec3; 3], other: &[Vec3; 3], is_second: bool) {
        if !has_face(triangle) {
            return;
        }
        let [a, b, c] = triangle;
        let normal = unit_normal([a, b, c]);
        for p in other {
            let height = normal.dot(&(p - a));
            if height * height >= self.squared {
                continue;
            }
            let foot = p - height * normal;
            let is_inside = |from: &Vec3, to: &Vec3| (to - from).cross(&(foot - from)).dot(&normal) >= 0.0;
            if is_inside(a, b) && is_inside(b, c) && is_inside(c, a) {
                let toward = if (height < 0.0) != is_second { -1.0 } else { 1.0 };
                let points = if is_second { [*p, foot] } else { [foot, *p] };
                *self = Self { squared: height * height, points, normal: Some(toward * normal) };
            }
        }
    }
}

/// Whether there is an inside that is not within rounding of the edges.
fn has_face([a, b, c]: &[Vec3; 3]) -> bool {
    let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
    (b - a).cross(&(c - a)).norm() > PARALLEL * longest
}

/// Visits unit normals of the faces, of pairs of edges, and of edges within the planes of faces: those of all facets of the
/// Minkowski difference are among them, each in one of its two directions.
pub(super) fn axes(a: &[Vec3; 3], b: &[Vec3; 3], mut visit: impl FnMut(Vec3)) {
    let edges = |t: &[Vec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (of_a, of_b) = (edges(a), edges(b));
    let across = |u: &Vec3, v: &Vec3| {
        let w = u.cross(v);
        let size = w.norm();
        (size > PARALLEL * (u.norm() * v.norm())).then(|| w / size)
    };
    for u in &of_a {
        for v in &of_b {
            across(u, v).into_iter().for_each(&mut visit);
        }
    }
    for triangle in [a, b].into_iter().filter(|t| has_face(t)) {
        let normal = unit_normal([&triangle[0], &triangle[1], &triangle[2]]);
        for edge in of_a.iter().chain(&of_b) {
            across(&normal, edge).into_iter().for_each(&mut visit);
        }
        visit(normal);
    }
}

/// The unit vector with the largest gap of [`axes`], and that gap (m); x if there is none.
fn widest(a: &[Vec3; 3], b: &[Vec3; 3]) -> (Vec3, f64) {
    let mut best = (Vec3::x(), f64::NEG_INFINITY);
    axes(a, b, |axis| {
        for n in [axis, -axis] {
            let gap = gap(a, b, &n);
            if gap > best.1 {
                best = (n, gap);
            }
        }
    });
    best
}

/// Where an edge of one triangle goes through the other.
fn find_common(a: &[Vec3; 3], b: &[Vec3; 3]) -> Option<Vec3> {
    let (edges, [p, q, r], k) = match (meets_edge(a, b), meets_edge(b, a)) {
        (Some(k), _) => (a, b, k),
        (None, Some(k)) => (b, a, k),
        (None, None) => return None,
    };
    let (from, to) = (edges[k], edges[(k + 1) % 3]);
    let normal = (q - p).cross(&(r - p));
    let (at_from, at_to) = (normal.dot(&(from - p)), normal.dot(&(to - p)));
    let share = at_from / (at_from - at_to);
    (share.is_finite() && share.abs() <= 2.0).then(|| from + share.clamp(0.0, 1.0) * (to - from))
}
