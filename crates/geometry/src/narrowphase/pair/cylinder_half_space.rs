use carom_math::{Pose, Vec3};

use super::{ROTATED, expect};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Solid cylinder on a half-space: a manifold of six points, three on a diameter of each cap, that share the
/// stiffness of the pair.
///
/// With d = n·(c − p) the height of the centre c above the surface, n the outward unit normal, u the unit
/// axis, h the half length, R the radius (m), and r̂ the unit vector across the axis that points most into
/// the half-space, r̂ = −(n − (n·u) u)/s with s = ‖n − (n·u) u‖ = sin(tilt of u from n):
///
/// | feature, low cap (−) and high cap (+) | point | gap | weight |
/// |---|---|---|---|
/// | 0, 3 low edge | c ± h u + R r̂ | d ± h n·u − R s | 1 |
/// | 1, 4 middle | c ± h u | d ± h n·u | 2 |
/// | 2, 5 high edge | c ± h u − R r̂ | d ± h n·u + R s | 1 |
///
/// The normal is −n. The lowest gap is the exact signed distance of the cylinder from the half-space.
///
/// Why these points. The edge points move around the rim as the cylinder rolls, where the height along the rim
/// is stationary, and the middle is a point of the body: so the rate of each gap is n·v of the body's point
/// under it, each elastic force has a potential, and the cylinder rolls like a circle. The middle stands for
/// the two points of the rim at 90 degrees, which have its height; points fixed to the rim would have a
/// potential as well, but the cylinder would roll on them like a polygon.
///
/// Degenerate: with the axis along n (s = 0) the cylinder's x axis serves as r̂; all gaps of a cap are
/// then equal and no choice matters to them.
///
/// Not in Corral et al. 2021.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "cylinder–half-space",
    features: |_, _| 6,
    point,
    feature_name: |feature| {
        [
            "low cap, low edge",
            "low cap, middle",
            "low cap, high edge",
            "high cap, low edge",
            "high cap, middle",
            "high cap, high edge",
        ][feature]
    },
    curvature: |_, _, _| Curvature::Undefined,
    manifold_weight: Some(|feature| if feature % 3 == 1 { 2.0 } else { 1.0 }),
    course: |_, feature| if feature % 3 == 2 { GapCourse::Highest } else { GapCourse::Chord },
    is_flat_on_b: |_| false,
    gap_accuracy: ROTATED,
    notes: "The points share the stiffness, 1 : 2 : 1. Standing: the diameter is the cylinder's x axis.",
};

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, feature: usize) -> Result<ContactPoint, OtherKind> {
    expect::half_space(b)?;
    let cylinder = expect::cylinder(a)?;
    let outward = x_wb.z_axis();
    // n in the cylinder's axes: no cancellation in its two small parts when the cylinder stands.
    let n = x_wa.rotation.tr_mul(&outward);
    let tilt = (n.x * n.x + n.y * n.y).sqrt();
    let (down_x, down_y) = if tilt < SMALLEST_TILT { (1.0, 0.0) } else { (-n.x / tilt, -n.y / tilt) };
    // Across the cap along r̂, in radii.
    let across = 1.0 - (feature % 3) as f64;
    let cap = if feature < 3 { -cylinder.half_length } else { cylinder.half_length };
    let height = outward.dot(&(x_wa.translation - x_wb.translation));
    let gap = height + (cap * n.z - cylinder.radius * across * tilt);
    let reach = cylinder.radius * across;
    let rim = Vec3::new(reach * down_x, reach * down_y, cap);
    let point_a = x_wa.translation + x_wa.rotation * rim;
    Ok(ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward })
}

/// Below this tilt (rad) squares underflow and the quotient would not be of unit length.
const SMALLEST_TILT: f64 = 1e-150;
