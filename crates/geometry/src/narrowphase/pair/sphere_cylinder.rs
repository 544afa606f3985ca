use carom_math::Pose;

use super::super::quadrant::quadrant_distance;
use super::super::unit::unit_or;
use super::{ROTATED, expect, or_undefined, point_curvature};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Sphere of radius R_s outside a solid cylinder of radius R_c and half length h (m): gap = φ(c) − R_s,
/// with the signed distance φ of the solid cylinder at the centre c of the sphere.
///
/// With d = c_A − c_B, the unit axis u, s = d·u and r = ‖d − s u‖, φ is the signed distance of the quadrant
/// {r ≤ R_c, |s| ≤ h}: from the wall, the cap or the rim circle, and inside from the nearer of wall and
/// cap (the wall when equal). The normal is −∇φ, from the sphere to the cylinder.
///
/// Degenerate: a centre on the axis and nearer to the wall takes the cylinder's x axis as radial
/// direction; a centre in the middle plane and nearer to the caps takes the cap at +u.
///
/// Not in Corral et al. 2021; the closed form is that of the hollow cylinder turned inside out.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "sphere–cylinder",
    features: |_, _| 1,
    point,
    feature_name: |_| "surface",
    curvature: |a, b, feature| or_undefined(curvature(a, b, feature)),
    manifold_weight: None,
    course: |_, _| GapCourse::Separation,
    is_flat_on_b: |_| false,
    gap_accuracy: ROTATED,
    notes: "Wall, cap and rim are one feature. Centre inside: nearer of wall and cap.",
};

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, _: usize) -> Result<ContactPoint, OtherKind> {
    let radius = expect::sphere_radius(a)?;
    let cylinder = expect::cylinder(b)?;
    let axis = x_wb.z_axis();
    let offset = x_wa.translation - x_wb.translation;
    let along = offset.dot(&axis);
    let (r, outward) = unit_or(&(offset - along * axis), || x_wb.rotation.column(0).into_owned());
    let (distance, wall_part, end_part) =
        quadrant_distance(r - cylinder.radius, along.abs() - cylinder.half_length);
    let normal = -(wall_part * outward + end_part.copysign(along) * axis);
    let gap = distance - radius;
    let point_a = x_wa.translation + radius * normal;
    Ok(ContactPoint { gap, normal, point_a, point_b: point_a + gap * normal })
}

/// κ₁ = 1/R_s + 1/R_c and κ₂ = 1/R_s, those of the wall, for the whole surface: on a cap κ₁ would be
/// 1/R_s, but a stiffness that jumped between wall and cap would create energy, and the rim has none.
fn curvature(a: &Shape, b: &Shape, _: usize) -> Result<Curvature, OtherKind> {
    let k = 1.0 / expect::sphere_radius(a)?;
    Ok(point_curvature(k + 1.0 / expect::cylinder(b)?.radius, k))
}
