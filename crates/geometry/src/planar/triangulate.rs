use carom_math::Vec2;

use super::cross;

/// Triangles of the inside of an outline, counter-clockwise, by indices of its points (three at least): always two less than points. What can be
/// seen whole from one of its points is a fan; else ears are cut off one by one (Meisters, Am. Math. Mon. 82 (1975) 648–651). Outlines that touch themselves, as a bridge
/// to a hole does, are cut as well.
///
/// ```
/// use carom_geometry::planar::triangulate;
///
/// let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]].map(carom_math::Vec2::from);
/// let area = |[a, b, c]: [u32; 3]| (l[b as usize] - l[a as usize]).perp(&(l[c as usize] - l[a as usize])) / 2.0;
/// let areas: Vec<f64> = triangulate(&l).into_iter().map(area).collect();
/// assert!(areas.len() == 4 && areas.iter().all(|area| *area > 0.0) && areas.iter().sum::<f64>() == 3.0);
/// ```
pub fn triangulate(points: &[Vec2]) -> Vec<[u32; 3]> {
    let count = points.len();
    let turn = |k: usize| {
        let [before, tip, after] = [(k + count - 1) % count, k, (k + 1) % count].map(|k| points[k]);
        cross(&(tip - before), &(after - tip))
    };
    let may_be_inside: Vec<bool> = (0..count).map(|k| turn(k) <= 0.0).collect();
    let mut left: Vec<u32> = (0..count as u32).collect();
    let mut triangles = Vec::with_capacity(count.saturating_sub(2));
    let mut at = 0;
    let mut tried = 0;
    while left.len() > 3 {
        let n = left.len();
        let [before, tip, after] = [(at + n - 1) % n, at % n, (at + 1) % n].map(|k| left[k]);
        let corners = [before, tip, after].map(|k| points[k as usize]);
        let hidden = || left.iter().filter(|&&k| may_be_inside[k as usize]).map(|&k| &points[k as usize]);
        // When all have been tried, rounding hides the ear that there is.
        if tried > n || is_ear(&corners, hidden()) {
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

/// Does a triangle of three points in a row turn to the left, and hold no other of some points?
fn is_ear<'a>(corners: &[Vec2; 3], mut others: impl Iterator<Item = &'a Vec2>) -> bool {
    let [a, b, c] = corners;
    if cross(&(b - a), &(c - b)) <= 0.0 {
        return false;
    }
    let is_inside = |p: &Vec2| {
        cross(&(b - a), &(p - a)) >= 0.0
            && cross(&(c - b), &(p - b)) >= 0.0
            && cross(&(a - c), &(p - c)) >= 0.0
    };
    !others.any(|p| !corners.contains(p) && is_inside(p))
}
