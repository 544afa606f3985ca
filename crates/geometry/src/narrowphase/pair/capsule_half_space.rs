use carom_math::Pose;

use super::{ROTATED, expect, or_undefined, point_curvature};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Capsule on a half-space: one feature per end ball, gap = n·(c ± h u − p) − R (m), with the centre c, unit
/// axis u, half core length h and radius R of the capsule, the outward unit normal n of the half-space
/// and a point p of its surface, in world axes. The normal is −n.
///
/// Feature 0 `end low` is the ball at −h u, feature 1 `end high` that at +h u. A capsule that lies flat
/// touches with both. No degenerate case.
///
/// Not in Corral et al. 2021; each end is its sphere–half-space, eq. 9–14.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "capsule–half-space",
    features: |_, _| 2,
    point,
    feature_name: |feature| ["end low", "end high"][feature],
    curvature: |a, b, feature| or_undefined(curvature(a, b, feature)),
    manifold_weight: None,
    course: |_, _| GapCourse::Chord,
    is_flat_on_b: |_| false,
    gap_accuracy: ROTATED,
    notes: "Each end has the full stiffness.",
};

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, feature: usize) -> Result<ContactPoint, OtherKind> {
    expect::half_space(b)?;
    let (radius, half_length) = expect::capsule(a)?;
    let signed = if feature == 0 { -half_length } else { half_length };
    let end = signed * x_wa.z_axis();
    let outward = x_wb.z_axis();
    let gap = outward.dot(&(x_wa.translation - x_wb.translation + end)) - radius;
    let point_a = x_wa.translation + end - radius * outward;
    Ok(ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward })
}

/// Those of the end balls, κ₁ = κ₂ = 1/R.
fn curvature(a: &Shape, _: &Shape, _: usize) -> Result<Curvature, OtherKind> {
    let k = 1.0 / expect::capsule(a)?.0;
    Ok(point_curvature(k, k))
}
