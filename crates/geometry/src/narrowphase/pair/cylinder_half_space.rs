use carom_math::{Pose, Vec3};

use super::{ROTATED, expect};
use crate::{ContactPoint, Curvature, PairKernel, Shape};

/// Solid cylinder on a half-space: a manifold of eight points, four on the rim of each cap, that share
/// the stiffness of the pair.
///
/// With d = n·(c − p) the height of the centre c above the surface, n the outward unit normal, u the unit
/// axis, h the half length, R the radius (m), and r̂ the unit vector across the axis that points most into
/// the half-space, r̂ = −(n − (n·u) u)/s with s = ‖n − (n·u) u‖ = sin(tilt of u from n):
///
/// | feature, low cap (−) and high cap (+) | point | gap |
/// |---|---|---|
/// | 0, 4 at 0° | c ± h u + R r̂ | d ± h n·u − R s |
/// | 1, 5 at 90° | c ± h u + R u × r̂ | d ± h n·u |
/// | 2, 6 at 180° | c ± h u − R r̂ | d ± h n·u + R s |
/// | 3, 7 at 270° | c ± h u − R u × r̂ | d ± h n·u |
///
/// The normal is −n. The lowest gap is the exact signed distance of the cylinder from the half-space.
///
/// Why these points. They move around the rim as the cylinder rolls, so an elastic force has a potential
/// only if ġap = n·v of the body's point under it. That holds at 0° and 180°, where the height along the
/// rim is stationary. At 90° and 270° it holds for the pair: both have the same gap and so the same force,
/// and the two errors, ±R n·(ω × (u × r̂)), cancel: together they press on the centre of the cap. Points
/// fixed to the rim would have a potential as well, but the cylinder would roll on them like a polygon.
///
/// Degenerate: with the axis along n (s = 0) the cylinder's x axis serves as r̂; all four gaps of a cap are
/// then equal and no choice matters to them.
///
/// Not in seed 000.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "cylinder–half-space",
    features: |_, _| 8,
    point,
    feature_name: |feature| {
        [
            "low rim 0 deg",
            "low rim 90 deg",
            "low rim 180 deg",
            "low rim 270 deg",
            "high rim 0 deg",
            "high rim 90 deg",
            "high rim 180 deg",
            "high rim 270 deg",
        ][feature]
    },
    curvature: |_, _, _| Curvature::Undefined,
    shares_stiffness: true,
    gap_accuracy: ROTATED,
    notes: "The points share the stiffness. Standing: 0 deg lies on the cylinder's x axis.",
};

fn point(a: &Shape, x_wa: &Pose, _: &Shape, x_wb: &Pose, feature: usize) -> ContactPoint {
    let cylinder = expect::cylinder(a);
    let outward = x_wb.z_axis();
    // n in the cylinder's axes: no cancellation in its two small parts when the cylinder stands.
    let n = x_wa.rotation.tr_mul(&outward);
    let tilt = (n.x * n.x + n.y * n.y).sqrt();
    let (down_x, down_y) = if tilt < SMALLEST_TILT { (1.0, 0.0) } else { (-n.x / tilt, -n.y / tilt) };
    let (across_x, across_y, rise) = match feature % 4 {
        0 => (down_x, down_y, -tilt),
        1 => (-down_y, down_x, 0.0),
        2 => (-down_x, -down_y, tilt),
        _ => (down_y, -down_x, 0.0),
    };
    let cap = if feature < 4 { -cylinder.half_length } else { cylinder.half_length };
    let height = outward.dot(&(x_wa.translation - x_wb.translation));
    let gap = height + (cap * n.z + cylinder.radius * rise);
    let rim = Vec3::new(cylinder.radius * across_x, cylinder.radius * across_y, cap);
    let point_a = x_wa.translation + x_wa.rotation * rim;
    ContactPoint { gap, normal: -outward, point_a, point_b: point_a - gap * outward }
}

/// Below this tilt (rad) squares underflow and the quotient would not be of unit length.
const SMALLEST_TILT: f64 = 1e-150;
