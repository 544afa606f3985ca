use carom_math::{Pose, Vec3};

use super::super::unit::unit_or;
use super::{PLAIN, expect, or_undefined, point_curvature};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Sphere inside a spherical cavity: gap = R_B − R_A − ‖d‖, with d = c_A − c_B (m) from the centre of the
/// cavity to that of the sphere, in world axes. The normal is d/‖d‖, outwards, from the sphere to the
/// nearest wall.
///
/// The solid fills all space outside the cavity: a sphere beyond the wall is in deep penetration.
/// Degenerate: the concentric sphere takes the world +z axis as normal.
///
/// Source: Corral et al. 2021, eq. 16, whose sign rule (the larger radius negative) reads
/// δ = R_A + R_B + ‖d‖ with R_B < 0; here both radii are positive.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "sphere–hollow sphere",
    features: |_, _| 1,
    point,
    feature_name: |_| "wall",
    curvature: |a, b, feature| or_undefined(curvature(a, b, feature)),
    manifold_weight: None,
    course: |_, _| GapCourse::Chord,
    is_flat_on_b: |_| false,
    gap_accuracy: PLAIN,
    notes: "Concentric: normal world +z.",
};

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, _: usize) -> Result<ContactPoint, OtherKind> {
    let (radius, cavity) = (expect::sphere_radius(a)?, expect::cavity_radius(b)?);
    let (offset, normal) = unit_or(&(x_wa.translation - x_wb.translation), Vec3::z);
    // The clearance is formed first: it is small where the two radii nearly agree, as in a bearing.
    let gap = (cavity - radius) - offset;
    let point_a = x_wa.translation + radius * normal;
    Ok(ContactPoint { gap, normal, point_a, point_b: point_a + gap * normal })
}

/// The cavity counts negative: κ₁ = κ₂ = 1/R_A − 1/R_B.
fn curvature(a: &Shape, b: &Shape, _: usize) -> Result<Curvature, OtherKind> {
    let k = 1.0 / expect::sphere_radius(a)? - 1.0 / expect::cavity_radius(b)?;
    Ok(point_curvature(k, k))
}
