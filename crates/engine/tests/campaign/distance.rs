//! Distances of points, segments and triangles, written for these tests by trying every feature against every other.

use carom_math::Vec3;

pub(crate) type Triangle = [Vec3; 3];

/// The edges of a triangle.
fn edges(t: &Triangle) -> [[Vec3; 2]; 3] {
    [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]
}

/// The point of a segment that is nearest to a point.
fn on_segment(p: &Vec3, [a, b]: &[Vec3; 2]) -> Vec3 {
    let along = b - a;
    let squared = along.norm_squared();
    let s = if squared > 0.0 { ((p - a).dot(&along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    a + s * along
}

/// Distance of a point from a segment.
pub(crate) fn point_segment(p: &Vec3, segment: &[Vec3; 2]) -> f64 {
    (p - on_segment(p, segment)).norm()
}

/// Distance of two segments: where both lines are nearest if that is inside of both, else at one of the four ends.
pub(crate) fn segment_segment(p: &[Vec3; 2], q: &[Vec3; 2]) -> f64 {
    let ends =
        [point_segment(&p[0], q), point_segment(&p[1], q), point_segment(&q[0], p), point_segment(&q[1], p)];
    let least = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (u, v, w) = (p[1] - p[0], q[1] - q[0], p[0] - q[0]);
    let across = u.cross(&v);
    let squared = across.norm_squared();
    if squared <= 1e-28 * u.norm_squared() * v.norm_squared() {
        return least;
    }
    let s = v.cross(&w).dot(&across) / squared;
    let t = u.cross(&w).dot(&across) / squared;
    let inside = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if inside { least.min(w.dot(&across).abs() / squared.sqrt()) } else { least }
}

/// Distance of a point from a triangle, which may be degenerate.
pub(crate) fn point_triangle(p: &Vec3, t: &Triangle) -> f64 {
    let n = (t[1] - t[0]).cross(&(t[2] - t[0]));
    let squared = n.norm_squared();
    let over = || edges(t).iter().all(|[a, b]| (b - a).cross(&(p - a)).dot(&n) >= 0.0);
    if squared > 0.0 && over() {
        return (p - t[0]).dot(&n).abs() / squared.sqrt();
    }
    edges(t).iter().map(|e| point_segment(p, e)).fold(f64::INFINITY, f64::min)
}

/// The points of two triangles that are nearest to each other, if they do not intersect.
pub(crate) fn nearest_points(s: &Triangle, t: &Triangle) -> [Vec3; 2] {
    let on_triangle = |p: &Vec3, t: &Triangle| {
        let n = (t[1] - t[0]).cross(&(t[2] - t[0]));
        let below = p - n * ((p - t[0]).dot(&n) / n.norm_squared());
        let on_edges = edges(t).map(|e| on_segment(p, &e));
        let is_over = edges(t).iter().all(|[a, b]| (b - a).cross(&(p - a)).dot(&n) >= 0.0);
        let nearer = |a: Vec3, b: Vec3| if (p - a).norm() <= (p - b).norm() { a } else { b };
        if is_over { below } else { on_edges.into_iter().reduce(nearer).unwrap_or(below) }
    };
    let mut pairs: Vec<[Vec3; 2]> = s.iter().map(|p| [*p, on_triangle(p, t)]).collect();
    pairs.extend(t.iter().map(|q| [on_triangle(q, s), *q]));
    for (e, f) in edges(s).iter().flat_map(|e| edges(t).map(|f| (*e, f))) {
        let (u, v, w) = (e[1] - e[0], f[1] - f[0], e[0] - f[0]);
        let across = u.cross(&v);
        let [of_e, of_f] = [v, u].map(|other| other.cross(&w).dot(&across) / across.norm_squared());
        if (0.0..=1.0).contains(&of_e) && (0.0..=1.0).contains(&of_f) {
            pairs.push([e[0] + of_e * u, f[0] + of_f * v]);
        }
    }
    let apart = |[p, q]: &[Vec3; 2]| (p - q).norm();
    pairs.into_iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).expect("corners")
}

/// Six times the volume of a tetrahedron.
fn volume(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a))
}

/// Does a segment go through a triangle?
fn pierces([p, q]: &[Vec3; 2], t: &Triangle) -> bool {
    let (above, below) = (volume(&t[0], &t[1], &t[2], p), volume(&t[0], &t[1], &t[2], q));
    if above * below > 0.0 || (above == 0.0 && below == 0.0) {
        return false;
    }
    let sides = edges(t).map(|[a, b]| volume(p, q, &a, &b));
    sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)
}

/// Distance of a segment from a triangle; zero where it goes through.
pub(crate) fn segment_triangle(s: &[Vec3; 2], t: &Triangle) -> f64 {
    if pierces(s, t) {
        return 0.0;
    }
    let ends = s.iter().map(|p| point_triangle(p, t));
    let sides = edges(t);
    ends.chain(sides.iter().map(|e| segment_segment(s, e))).fold(f64::INFINITY, f64::min)
}

/// Distance of two triangles; zero where they intersect.
pub(crate) fn triangle_triangle(s: &Triangle, t: &Triangle) -> f64 {
    let (of_s, of_t) = (edges(s), edges(t));
    if of_s.iter().any(|e| pierces(e, t)) || of_t.iter().any(|e| pierces(e, s)) {
        return 0.0;
    }
    let corners = s.iter().map(|p| point_triangle(p, t)).chain(t.iter().map(|p| point_triangle(p, s)));
    let pairs = of_s.iter().flat_map(|e| of_t.iter().map(move |f| segment_segment(e, f)));
    corners.chain(pairs).fold(f64::INFINITY, f64::min)
}

/// Signed distance of a point from the solid cylinder about z.
pub(crate) fn point_cylinder(p: &Vec3, radius: f64, half_length: f64) -> f64 {
    let (beside, above) = (p.x.hypot(p.y) - radius, p.z.abs() - half_length);
    if beside > 0.0 && above > 0.0 { beside.hypot(above) } else { beside.max(above) }
}

/// Least value of a function that falls and then rises on [0, 1], by golden section.
pub(crate) fn least_of_convex(f: &dyn Fn(f64) -> f64, rounds: u32) -> f64 {
    const SHARE: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (0.0, 1.0);
    let mut least = f(low).min(f(high));
    let (mut left, mut right) = (1.0 - SHARE, SHARE);
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..rounds {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - SHARE * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + SHARE * (high - low);
            at_right = f(right);
        }
    }
    least = least.min(at_left).min(at_right);
    least
}
