use carom_math::Vec2;

use super::{Polygon, cross};

/// Triangles of the inside, counter-clockwise, by indices of points: every polygon has two less than points. What can be
/// seen whole from one of its points is a fan; else ears are cut off one by one.
pub(super) fn triangulate(polygon: &Polygon) -> Vec<[u32; 3]> {
    let points = polygon.points();
    let mut left: Vec<u32> = (0..points.len() as u32).collect();
    let mut triangles = Vec::with_capacity(points.len() - 2);
    let mut at = 0;
    let mut tried = 0;
    while left.len() > 3 {
        let n = left.len();
        let [before, tip, after] = [(at + n - 1) % n, at % n, (at + 1) % n].map(|k| left[k]);
        let corners = [before, tip, after].map(|k| points[k as usize]);
        // When all have been tried, rounding hides the ear that there is.
        if tried > n || is_ear(polygon, &left, [before, tip, after], &corners) {
            triangles.push([before, tip, after]);
            left.remove(at % n);
            at = if at == 0 { 0 } else { at - 1 };
            tried = 0;
        } else {
            at = (at + 1) % n;
            tried += 1;
        }
    }
    triangles.push([left[0], left[1], left[2]]);
    triangles
}

/// Does a triangle of three points in a row turn to the left, and hold no other point that is left?
fn is_ear(polygon: &Polygon, left: &[u32], of: [u32; 3], [a, b, c]: &[Vec2; 3]) -> bool {
    if cross(&(b - a), &(c - b)) <= 0.0 {
        return false;
    }
    let is_inside = |p: &Vec2| {
        cross(&(b - a), &(p - a)) >= 0.0
            && cross(&(c - b), &(p - b)) >= 0.0
            && cross(&(a - c), &(p - c)) >= 0.0
    };
    left.iter().all(|&k| {
        let is_other = !of.contains(&k) && polygon.corners[k as usize].is_reflex;
        !(is_other && is_inside(&polygon.points()[k as usize]))
    })
}
