use carom_math::{Pose, Vec3};

use super::super::quadrant::quadrant_distance;
use super::super::unit::unit_or;
use super::{ROTATED, expect, or_undefined, point_curvature};
use crate::narrowphase::OtherKind;
use crate::{ContactPoint, Curvature, GapCourse, PairKernel, Shape};

/// Sphere of radius R_s inside a cylindrical cavity of radius R_c and half length h (m).
///
/// With d = c_A − c_B, the unit axis u of the cavity, s = d·u and the radial part w = d − s u:
///
/// | feature | gap | normal |
/// |---|---|---|
/// | 0 `wall` | R_c − R_s − ‖w‖ | w/‖w‖ |
/// | 1 `end low` | h + s − R_s | −u |
/// | 2 `end high` | h − s − R_s | u |
///
/// Closed cavity: three features, which may touch at the same time; the wall goes on beyond the ends,
/// where the ends are in penetration anyway.
///
/// Open cavity: one feature. The solid is then a plate of thickness 2h with this bore, {r ≥ R_c, |s| ≤ h},
/// and the gap is its signed distance minus R_s. Beyond the end the nearest point of the bore is its rim
/// circle, so that the gap goes from the wall's to that of free space without a jump when a ball leaves
/// the tube, and it can come back.
///
/// Degenerate: a centre on the axis takes the x axis of the cavity as radial direction. In an open
/// cavity a centre inside the solid takes the nearer of wall and end face (the wall when equal); its gap
/// stays continuous.
///
/// Source: Corral et al. 2021, eq. 17–19. Errata: eq. 17 divides by ‖d‖ and eq. 19 subtracts ‖d‖; meant are the
/// projection on the unit axis and the length of the radial part.
pub(crate) static KERNEL: PairKernel = PairKernel {
    name: "sphere–hollow cylinder",
    features: |_, b| if is_closed(b) { 3 } else { 1 },
    point,
    feature_name: |feature| ["wall", "end low", "end high"][feature],
    curvature: |a, b, feature| or_undefined(curvature(a, b, feature)),
    manifold_weight: None,
    course: |b, _| if is_closed(b) { GapCourse::Chord } else { GapCourse::Heights(height) },
    is_flat_on_b: |feature| feature > 0,
    gap_accuracy: ROTATED,
    notes: "Open ends: `wall` only, with the rim beyond the end. On the axis: normal along the cavity's x axis.",
};

fn is_closed(shape: &Shape) -> bool {
    expect::cavity(shape).is_ok_and(|(_, closed)| closed)
}

fn point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, feature: usize) -> Result<ContactPoint, OtherKind> {
    let radius = expect::sphere_radius(a)?;
    let (cavity, is_closed) = expect::cavity(b)?;
    let axis = x_wb.z_axis();
    let offset = x_wa.translation - x_wb.translation;
    let along = offset.dot(&axis);
    let (distance, normal) = match feature {
        0 => {
            let radial = offset - along * axis;
            let (r, outward) = unit_or(&radial, || x_wb.rotation.column(0).into_owned());
            if is_closed {
                (cavity.radius - r, outward)
            } else {
                beside_bore(cavity.radius - r, along, cavity.half_length, &outward, &axis)
            }
        }
        1 => (cavity.half_length + along, -axis),
        _ => (cavity.half_length - along, axis),
    };
    let gap = distance - radius;
    let point_a = x_wa.translation + radius * normal;
    Ok(ContactPoint { gap, normal, point_a, point_b: point_a + gap * normal })
}

/// Height over an open cavity: cos α (R_c − ‖w‖) + sin α (±s − h) − R_s, with the direction α of the distance at `seen`. A quadrant is no
/// nearer than any half-plane that holds it, and −‖w‖ is concave.
fn height(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, seen: [&Pose; 2]) -> Result<f64, OtherKind> {
    let radius = expect::sphere_radius(a)?;
    let (cavity, _) = expect::cavity(b)?;
    let place = |x_wa: &Pose, x_wb: &Pose| {
        let axis = x_wb.z_axis();
        let offset = x_wa.translation - x_wb.translation;
        let along = offset.dot(&axis);
        (cavity.radius - (offset - along * axis).norm(), along)
    };
    let (to_wall, along) = place(seen[0], seen[1]);
    let (_, wall_part, end_part) = quadrant_distance(to_wall, along.abs() - cavity.half_length);
    let end = 1f64.copysign(along);
    let (to_wall, along) = place(x_wa, x_wb);
    Ok(wall_part * to_wall + end_part * (end * along - cavity.half_length) - radius)
}

/// Signed distance of a point from the plate with the bore, and the direction towards the plate.
fn beside_bore(to_wall: f64, along: f64, half_length: f64, outward: &Vec3, axis: &Vec3) -> (f64, Vec3) {
    let (distance, wall_part, end_part) = quadrant_distance(to_wall, along.abs() - half_length);
    // Away from the plate is −outward at the wall and along the axis at the end faces.
    (distance, wall_part * outward - end_part.copysign(along) * axis)
}

/// Wall: κ₁ = 1/R_s along the axis and κ₂ = 1/R_s − 1/R_c around it; ends: 1/R_s both. The rim of an open
/// cavity keeps the wall's values: a stiffness that changed on the way would create energy.
fn curvature(a: &Shape, b: &Shape, feature: usize) -> Result<Curvature, OtherKind> {
    let k = 1.0 / expect::sphere_radius(a)?;
    if feature == 0 {
        Ok(point_curvature(k, k - 1.0 / expect::cavity(b)?.0.radius))
    } else {
        Ok(point_curvature(k, k))
    }
}

#[cfg(test)]
mod tests {
    use carom_testkit::SplitMix64;

    use super::*;
    use crate::shape::{Cylinder, CylinderSide};

    /// What a search calls clear rests on it: where a height is taken it is the gap, it is nowhere more than the gap, and it is concave along
    /// straight lines. Beside the wall, the ends, the rim, and within the plate.
    #[test]
    fn heights_over_an_open_cavity_bound_its_gap() {
        let mut rng = SplitMix64::new(68);
        let ball = Shape::Sphere { radius: 0.3, hollow: false };
        let side = CylinderSide::Hollow { closed: false };
        let tube = Shape::Cylinder(Cylinder { radius: 1.0, half_length: 0.8, side });
        let tilted = Pose {
            rotation: carom_math::Quaternion::new(0.9, 0.2, -0.3, 0.1).normalized().to_matrix(),
            translation: Vec3::new(0.2, -0.1, 0.4),
        };
        for _ in 0..20_000 {
            let mut at =
                || Pose { translation: Vec3::from_fn(|_, _| rng.uniform(-2.0, 2.0)), ..Pose::identity() };
            let (seen, first, last) = (at(), at(), at());
            let height = |x: &Pose| height(&ball, x, &tube, &tilted, [&seen, &tilted]).unwrap();
            let gap = |x: &Pose| point(&ball, x, &tube, &tilted, 0).unwrap().gap;
            assert!((height(&seen) - gap(&seen)).abs() < 1e-14);
            let middle = Pose { translation: 0.5 * (first.translation + last.translation), ..first };
            assert!(height(&middle) >= 0.5 * (height(&first) + height(&last)) - 1e-14);
            for x in [&first, &middle, &last] {
                assert!(height(x) <= gap(x) + 1e-14, "{x:?} seen from {seen:?}");
            }
        }
    }
}
