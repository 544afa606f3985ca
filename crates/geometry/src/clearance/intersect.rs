use carom_math::Vec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Whether two triangles have a point in common, borders included; decided without rounding (Shewchuk, Discrete
/// Comput. Geom. 18 (1997) 305–363). A degenerate triangle is the segment or the point that it covers.
///
/// Two triangles meet where an edge of one meets the other: the ends of the line that they share are on edges, and of two
/// in one plane either borders cross or one triangle holds the other's edges.
pub fn intersects(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    // All of one strictly on a side of the other's plane: most pairs that are asked.
    let is_beside = |plane: &[Vec3; 3], other: &[Vec3; 3]| {
        let sides = other.map(|p| side(plane, &p));
        sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0)
    };
    if is_beside(a, b) || is_beside(b, a) {
        return false;
    }
    meets_edge(a, b).is_some() || meets_edge(b, a).is_some()
}

/// Index of the first edge of `edges` that meets the triangle; edge k goes from corner k to the next.
pub(super) fn meets_edge(edges: &[Vec3; 3], triangle: &[Vec3; 3]) -> Option<usize> {
    (0..3).find(|&k| meets_segment(&edges[k], &edges[(k + 1) % 3], triangle))
}

fn side([a, b, c]: &[Vec3; 3], d: &Vec3) -> f64 {
    volume(a, b, c, d)
}

fn volume(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
    orient3d(a, b, c, d)
}

/// Twice the area of the projection along an axis, with the sign of exact arithmetic.
fn area(axis: usize, a: &Vec3, b: &Vec3, c: &Vec3) -> f64 {
    let [a, b, c] = [a, b, c].map(|p| Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] });
    orient2d(a, b, c)
}

fn are_opposite(x: f64, y: f64) -> bool {
    (x > 0.0 && y < 0.0) || (x < 0.0 && y > 0.0)
}

/// Whether the closed segment from p to q meets the closed triangle.
pub(crate) fn meets_segment(p: &Vec3, q: &Vec3, triangle: &[Vec3; 3]) -> bool {
    let [a, b, c] = triangle;
    let (at_p, at_q) = (side(triangle, p), side(triangle, q));
    if at_p == 0.0 && at_q == 0.0 {
        // An axis along which the triangle is projected one to one, and with it whatever lies in its plane.
        return match (0..3).find(|&axis| area(axis, a, b, c) != 0.0) {
            Some(axis) => meets_in_plane(axis, p, q, triangle),
            None => edges(triangle).iter().any(|[a, b]| segments_meet(p, q, a, b)),
        };
    }
    if at_p * at_q > 0.0 || (at_p > 0.0 && at_q > 0.0) || (at_p < 0.0 && at_q < 0.0) {
        return false;
    }
    // The segment crosses the plane in one point, which is in the triangle if its borders turn around the segment.
    let turns = edges(triangle).map(|[from, to]| volume(p, q, &from, &to));
    !(turns.iter().any(|t| *t > 0.0) && turns.iter().any(|t| *t < 0.0))
}

fn edges([a, b, c]: &[Vec3; 3]) -> [[Vec3; 2]; 3] {
    [[*a, *b], [*b, *c], [*c, *a]]
}

fn meets_in_plane(axis: usize, p: &Vec3, q: &Vec3, triangle: &[Vec3; 3]) -> bool {
    let turns = edges(triangle).map(|[from, to]| area(axis, &from, &to, p));
    let is_inside = !(turns.iter().any(|t| *t > 0.0) && turns.iter().any(|t| *t < 0.0));
    is_inside || edges(triangle).iter().any(|[a, b]| cross_in_plane(axis, p, q, a, b))
}

/// Whether two closed segments of one plane meet, seen along an axis.
fn cross_in_plane(axis: usize, p: &Vec3, q: &Vec3, a: &Vec3, b: &Vec3) -> bool {
    let (a_of_pq, b_of_pq) = (area(axis, p, q, a), area(axis, p, q, b));
    let (p_of_ab, q_of_ab) = (area(axis, a, b, p), area(axis, a, b, q));
    if [a_of_pq, b_of_pq, p_of_ab, q_of_ab].iter().all(|x| *x == 0.0) {
        return boxes_meet(p, q, a, b);
    }
    let is_one_sided = |x: f64, y: f64| !(are_opposite(x, y) || x == 0.0 || y == 0.0);
    !is_one_sided(a_of_pq, b_of_pq) && !is_one_sided(p_of_ab, q_of_ab)
}

/// Whether two closed segments in space, points included, meet.
fn segments_meet(p: &Vec3, q: &Vec3, a: &Vec3, b: &Vec3) -> bool {
    if volume(p, q, a, b) != 0.0 {
        return false;
    }
    let spans = |axis: usize| {
        [(p, q, a), (p, q, b), (p, a, b), (q, a, b)].iter().any(|t| area(axis, t.0, t.1, t.2) != 0.0)
    };
    match (0..3).find(|&axis| spans(axis)) {
        Some(axis) => cross_in_plane(axis, p, q, a, b),
        // All on one line.
        None => boxes_meet(p, q, a, b),
    }
}

/// Whether segments of one line meet: their boxes do.
fn boxes_meet(p: &Vec3, q: &Vec3, a: &Vec3, b: &Vec3) -> bool {
    (0..3).all(|i| p[i].min(q[i]) <= a[i].max(b[i]) && a[i].min(b[i]) <= p[i].max(q[i]))
}
