use carom_math::{Pose, Vec3};

use super::super::unit::unit_or;
use super::{PLAIN, expect, or_undefined, point_curvature};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Two spheres: gap = ‖d‖ − R_A − R_B, d = c_B − c_A (m), in world axes. The normal is d/‖d‖.
///
/// Degenerate: coincident centres take the world +z axis as normal. It is the same for A, B and B, A:
/// no choice can be opposite under exchange when nothing tells the two apart.
///
/// Source: Corral et al. 2021, eq. 15.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "sphere–sphere",
    features: |_, _| 1,
    point,
    feature_name: |_| "surface",
    curvature: |a, b, feature| or_undefined(curvature(a, b, feature)),
    manifold_weight: None,
    course: |_, _| GapCourse::Separation,
    is_flat_on_b: |_| false,
    gap_accuracy: PLAIN,
    notes: "Coincident centres: normal world +z.",
};

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, _: usize) -> Result<ContactPoint, OtherKind> {
    let (radius_a, radius_b) = (expect::sphere_radius(a)?, expect::sphere_radius(b)?);
    let (distance, normal) = unit_or(&(x_wb.translation - x_wa.translation), Vec3::z);
    let gap = distance - (radius_a + radius_b);
    let point_a = x_wa.translation + radius_a * normal;
    Ok(ContactPoint { gap, normal, point_a, point_b: point_a + gap * normal })
}

/// κ₁ = κ₂ = 1/R_A + 1/R_B.
fn curvature(a: &Shape, b: &Shape, _: usize) -> Result<Curvature, OtherKind> {
    let k = 1.0 / expect::sphere_radius(a)? + 1.0 / expect::sphere_radius(b)?;
    Ok(point_curvature(k, k))
}
