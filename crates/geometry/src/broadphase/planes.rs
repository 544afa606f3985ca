use carom_math::Vec3;

use super::{Ball, Pair};

/// Surface of a half-space: endless, so that it is not in the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// A point of the surface (m).
    pub point: Vec3,
    /// Outward unit normal.
    pub normal: Vec3,
}

/// Pairs (plane, ball) with a gap of at most `skin`, in ascending order, into `pairs`.
pub(super) fn find_plane_pairs(planes: &[Plane], balls: &[Ball], skin: f64, pairs: &mut Vec<Pair>) {
    pairs.clear();
    for (p, plane) in planes.iter().enumerate() {
        for (b, ball) in balls.iter().enumerate() {
            if plane.normal.dot(&(ball.centre - plane.point)) <= ball.radius + skin {
                pairs.push([p as u32, b as u32]);
            }
        }
    }
}
