use carom_math::Pose;

use super::super::segment::nearest_on_segments;
use super::super::unit::unit_or;
use super::{ROTATED, expect, or_undefined, point_curvature};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Two capsules: gap = ‖q_B − q_A‖ − R_A − R_B (m), with the nearest points q_A, q_B of the two core
/// segments. The normal is (q_B − q_A)/‖q_B − q_A‖.
///
/// Parallel cores touch in the middle of the stretch over which they lie side by side, else at the
/// nearest ends. The gap is continuous; the point moves from one end of that stretch to the other when
/// the angle between the cores passes through zero, as it does on rigid capsules.
///
/// Degenerate: cores that meet take u_A × u_B as normal; if they are parallel too, A's x axis.
///
/// Not in Corral et al. 2021.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "capsule–capsule",
    features: |_, _| 1,
    point,
    feature_name: |_| "surface",
    curvature: |a, b, feature| or_undefined(curvature(a, b, feature)),
    manifold_weight: None,
    course: |_, _| GapCourse::Separation,
    is_flat_on_b: |_| false,
    gap_accuracy: ROTATED,
    notes: "Parallel: middle of the common stretch. Cores that meet: normal u_A × u_B, or A's x axis if parallel.",
};

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, _: usize) -> Result<ContactPoint, OtherKind> {
    let (radius_a, half_a) = expect::capsule(a)?;
    let (radius_b, half_b) = expect::capsule(b)?;
    let (axis_a, axis_b) = (x_wa.z_axis(), x_wb.z_axis());
    let offset = x_wb.translation - x_wa.translation;
    let (along_a, along_b) = nearest_on_segments(&offset, &axis_a, half_a, &axis_b, half_b);
    let separation = offset + along_b * axis_b - along_a * axis_a;
    let (distance, normal) =
        unit_or(&separation, || unit_or(&axis_a.cross(&axis_b), || x_wa.rotation.column(0).into_owned()).1);
    let gap = distance - (radius_a + radius_b);
    let point_a = x_wa.translation + along_a * axis_a + radius_a * normal;
    Ok(ContactPoint { gap, normal, point_a, point_b: point_a + gap * normal })
}

/// Those of the capsules crossed at a right angle, κ₁ = max(1/R_A, 1/R_B), κ₂ = min, at every angle: the
/// true κ₂ falls to zero for parallel cores, where the contact is a line, and a stiffness that followed
/// the angle would create energy.
fn curvature(a: &Shape, b: &Shape, _: usize) -> Result<Curvature, OtherKind> {
    let (ka, kb): (f64, f64) = (1.0 / expect::capsule(a)?.0, 1.0 / expect::capsule(b)?.0);
    Ok(point_curvature(ka.max(kb), ka.min(kb)))
}
