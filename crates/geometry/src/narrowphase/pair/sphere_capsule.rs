use carom_math::Pose;

use super::super::unit::unit_or;
use super::{ROTATED, expect, or_undefined, point_curvature};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Sphere against a capsule: gap = ‖d − s u‖ − R_A − R_B (m), with d = c_A − c_B, the unit axis u and half
/// core length h of the capsule, and s = clamp(d·u, −h, h) its nearest core point.
///
/// The normal points from the sphere's centre to that core point.
/// Degenerate: a centre on the core takes the opposite of the capsule's x axis as normal.
///
/// Not in Corral et al. 2021.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "sphere–capsule",
    features: |_, _| 1,
    point,
    feature_name: |_| "surface",
    curvature: |a, b, feature| or_undefined(curvature(a, b, feature)),
    manifold_weight: None,
    course: |_, _| GapCourse::Separation,
    is_flat_on_b: |_| false,
    gap_accuracy: ROTATED,
    notes: "Centre on the core: normal against the capsule's x axis.",
};

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, _: usize) -> Result<ContactPoint, OtherKind> {
    let radius = expect::sphere_radius(a)?;
    let (radius_b, half_length) = expect::capsule(b)?;
    let axis = x_wb.z_axis();
    let offset = x_wa.translation - x_wb.translation;
    let along = offset.dot(&axis).clamp(-half_length, half_length);
    let (distance, away) = unit_or(&(offset - along * axis), || x_wb.rotation.column(0).into_owned());
    let gap = distance - (radius + radius_b);
    let normal = -away;
    let point_a = x_wa.translation + radius * normal;
    Ok(ContactPoint { gap, normal, point_a, point_b: point_a + gap * normal })
}

/// κ₁ = 1/R_A + 1/R_B around the capsule, κ₂ = 1/R_A along it, for the whole surface: at the end balls κ₂
/// would be κ₁, but a stiffness that jumped on the way would create energy.
fn curvature(a: &Shape, b: &Shape, _: usize) -> Result<Curvature, OtherKind> {
    let k = 1.0 / expect::sphere_radius(a)?;
    Ok(point_curvature(k + 1.0 / expect::capsule(b)?.0, k))
}
