use carom_math::Vec3;

use super::nodes::{pierces, piercing_point};

/// Segment in which two triangles cut each other (m), or none (Dopico et al. 2010, eq. 16–19). Its ends are where an edge of the
/// one pierces the other; seen from above A, what is behind B lies on the left of the way from the first to the second.
///
/// Exact signs decide, as if no four corners were in one plane ([`super::sign_of_volume`]; corners of A come before those of
/// B): triangles that touch at a corner or an edge, or lie in one plane, have a segment or none, the same every time, and a
/// segment is on both of them to rounding. Nothing is asked of shapes: slivers and triangles without an area are taken too.
///
/// ```
/// use carom_geometry::intersection::triangle_segment;
/// use carom_math::Vec3;
///
/// let floor = [Vec3::zeros(), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 4.0, 0.0)];
/// let wall = [Vec3::new(1.0, -1.0, -1.0), Vec3::new(1.0, 2.0, -1.0), Vec3::new(1.0, 2.0, 2.0)];
/// let [a, b] = triangle_segment(&floor, &wall).expect("they cut each other");
/// assert_eq!((a.z, b.z), (0.0, 0.0));
/// assert_eq!((a - b).norm(), 2.0);
/// ```
pub fn triangle_segment(a: &[Vec3; 3], b: &[Vec3; 3]) -> Option<[Vec3; 2]> {
    let number = |first: u32, corners: &[Vec3; 3]| [0, 1, 2].map(|k| (first + k as u32, corners[k]));
    let sides = [number(0, a), number(3, b)];
    let mut segment = [None; 2];
    for (side, own) in sides.iter().enumerate() {
        for k in 0..3 {
            let (from, to) = (own[k], own[(k + 1) % 3]);
            // Both triangles at an edge move it the same way: from its lower number.
            let (low, high) = if from.0 < to.0 { (from, to) } else { (to, from) };
            let Some(is_low_inside) = pierces(low, high, sides[1 - side]) else { continue };
            let is_outward = is_low_inside == (from.0 < to.0);
            let is_end = if side == 0 { !is_outward } else { is_outward };
            let corners = sides[1 - side].map(|(_, corner)| corner);
            segment[usize::from(is_end)] = Some(piercing_point(&low.1, &high.1, &corners));
        }
    }
    let [start, end] = segment;
    Some([start?, end?])
}
