use carom_math::Pose;

use super::ray::{Meeting, meet};
use super::{BaseSurface, ElementHit, HitStatus, SearchFault, TargetSurface};
use crate::near::{Placement, TargetTriangle};

/// All elements against all triangles: what every other way to the hits is measured by. `x_tb` is the pose of the
/// base's frame in the target's. Hits in the order of elements.
pub fn penetration_brute_force(
    base: &BaseSurface,
    target: &TargetSurface,
    x_tb: &Pose,
) -> Result<Vec<ElementHit>, SearchFault> {
    let placement = Placement::checked(x_tb)?;
    let mut hits = Vec::new();
    for (index, element) in base.elements().enumerate().filter(|(_, e)| e.area > 0.0) {
        let (o, d) = (element.barycentre.into(), (-element.normal).into());
        let mut first: Option<ElementHit> = None;
        for (triangle, TargetTriangle { plane, .. }) in target.triangles.iter().enumerate() {
            let meeting = meet(&placement, o, d, plane, base.reach());
            if meeting.is_hit && first.is_none_or(|hit| meeting.depth < hit.depth) {
                first = Some(hit_of(index as u32, triangle as u32, &meeting));
            }
        }
        hits.extend(first);
    }
    Ok(hits)
}

/// Active if the line comes from the inner side of the triangle: n·m < 0 with n = −d.
#[inline(always)]
pub(super) fn hit_of(element: u32, triangle: u32, meeting: &Meeting) -> ElementHit {
    let status = if meeting.cosine > 0.0 { HitStatus::Active } else { HitStatus::Invalid };
    ElementHit { element, triangle, depth: meeting.depth, status }
}
