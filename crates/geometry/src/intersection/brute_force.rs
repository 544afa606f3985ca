use carom_math::Pose;

use super::nodes::{Posed, Side};
use super::{Contours, IntersectionFault, MeshSurface};
use crate::near::Placement;

/// Contours at `x_ba`, the pose of A's frame in B's, by all edges against all triangles: what every other way to them is
/// measured by.
///
/// # Errors
/// [`IntersectionFault::Pose`] if a number of the pose is not finite.
pub fn contours_brute_force(
    a: &MeshSurface,
    b: &MeshSurface,
    x_ba: &Pose,
) -> Result<Contours, IntersectionFault> {
    let placement = Placement::checked(x_ba).map_err(IntersectionFault::Pose)?;
    let posed = Posed { a, b, placement: &placement };
    let pairs = [Side::A, Side::B].map(|side| -> Vec<u64> {
        let edges = 0..posed.surface(side).edges.len() as u64;
        let triangles = posed.surface(side.other()).triangles.len() as u64;
        edges.flat_map(|edge| (0..triangles).map(move |triangle| edge << 32 | triangle)).collect()
    });
    let mut contours = Contours::default();
    contours.find(&posed, [&pairs[0], &pairs[1]])?;
    Ok(contours)
}
