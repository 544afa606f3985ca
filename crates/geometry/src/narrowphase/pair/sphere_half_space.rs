use carom_math::Pose;

use super::{ROTATED, expect, or_undefined, point_curvature};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Sphere on a half-space: gap = n·(c − p) − R, with the centre c and radius R (m) of the sphere, the
/// outward unit normal n of the half-space and a point p of its surface, in world axes.
///
/// The contact normal is −n, from the sphere into the half-space. The gap is the signed distance of the
/// two bodies for every position, above and below the surface. No degenerate case.
///
/// Source: Corral et al. 2021, eq. 9–14.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "sphere–half-space",
    features: |_, _| 1,
    point,
    feature_name: |_| "surface",
    curvature: |a, b, feature| or_undefined(curvature(a, b, feature)),
    manifold_weight: None,
    course: |_, _| GapCourse::Chord,
    is_flat_on_b: |_| false,
    gap_accuracy: ROTATED,
    notes: "No degenerate case.",
};

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, _: usize) -> Result<ContactPoint, OtherKind> {
    expect::half_space(b)?;
    let radius = expect::sphere_radius(a)?;
    let outward = x_wb.z_axis();
    let gap = outward.dot(&(x_wa.translation - x_wb.translation)) - radius;
    let point_a = x_wa.translation - radius * outward;
    Ok(ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward })
}

/// The plane adds no curvature: κ₁ = κ₂ = 1/R.
fn curvature(a: &Shape, _: &Shape, _: usize) -> Result<Curvature, OtherKind> {
    let k = 1.0 / expect::sphere_radius(a)?;
    Ok(point_curvature(k, k))
}
