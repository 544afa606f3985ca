use carom_math::{Pose, Vec3};

use super::{ROTATED, expect};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Box on a half-space: one feature per corner, gap = n·(x_k − p) (m), with the corner x_k, the outward
/// unit normal n of the half-space and a point p of its surface, in world axes. The normal is −n.
///
/// Corner k of half edges h is (±h_x, ±h_y, ±h_z) in box axes; bits 0, 1, 2 of k choose + for x, y, z.
/// A corner is a point of the body, so that its elastic force has a potential whatever the law.
/// No degenerate case.
///
/// Not in Corral et al. 2021.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "box–half-space",
    features: |_, _| 8,
    point,
    feature_name: |feature| {
        ["corner 0", "corner 1", "corner 2", "corner 3", "corner 4", "corner 5", "corner 6", "corner 7"]
            [feature]
    },
    curvature: |_, _, _| Curvature::Undefined,
    manifold_weight: None,
    course: |_, _| GapCourse::Chord,
    is_flat_on_b: |_| false,
    gap_accuracy: ROTATED,
    notes: "Each corner has the full stiffness.",
};

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, feature: usize) -> Result<ContactPoint, OtherKind> {
    expect::half_space(b)?;
    let half = expect::box_half(a)?;
    let signed = |bit: usize, length: f64| if feature >> bit & 1 == 1 { length } else { -length };
    let corner = x_wa.rotation * Vec3::new(signed(0, half.x), signed(1, half.y), signed(2, half.z));
    let outward = x_wb.z_axis();
    let gap = outward.dot(&(x_wa.translation - x_wb.translation + corner));
    let point_a = x_wa.translation + corner;
    Ok(ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward })
}
