use carom_math::{Vec3, orthonormal_basis};
use robust::{Coord3D, orient3d};

/// Twice the area of a triangle over the square of its longest side below which it is a sliver: its normal, turned
/// about that side, loses digits.
pub(super) const SLIVER: f64 = 0.05;

/// On which side of the triangle a, b, c a point lies, with the sign of exact arithmetic: > 0 on the side from which
/// the corners run counter-clockwise, 0 in the plane (Shewchuk, DCG 18 (1997)).
pub(super) fn side_of_triangle([a, b, c]: [&Vec3; 3], p: &Vec3) -> f64 {
    let coordinates = |v: &Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    -orient3d(coordinates(a), coordinates(b), coordinates(c), coordinates(p))
}

/// Unit normal of a triangle that is not a point, toward the side from which its corners run counter-clockwise, such
/// that n·a, n·b and n·c are equal to rounding.
///
/// Rounding turns the cross product of a sliver's sides. About its longest side that moves the plane little within
/// the triangle, which is thin across; along that side it moves much, and is undone.
pub(crate) fn unit_normal([a, b, c]: [&Vec3; 3]) -> Vec3 {
    let sides = [b - a, c - b, a - c];
    let area = sides[0].cross(&sides[1]);
    let size = area.norm();
    let squared = sides.map(|side| side.norm_squared());
    if size > SLIVER * squared[0].max(squared[1]).max(squared[2]) {
        return area / size;
    }
    let longest = (1..3).fold(0, |longest, k| if squared[k] > squared[longest] { k } else { longest });
    let along = sides[longest] / squared[longest].sqrt();
    let across = sides[(longest + 1) % 3];
    let across = (across - across.dot(&along) * along).normalize();
    let normal = along.cross(&across);
    if normal.norm_squared() > 0.5 { normal.normalize() } else { orthonormal_basis(&along).0 }
}
