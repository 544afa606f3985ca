//! Bounds that a contact of convex solids must keep whatever the method that found it.
//!
//! Any unit vector n bounds the gap from below by the separation along it. Points of the solids bound a distance from
//! above. So a distance is enclosed by the separation along its own normal and its own nearest points; a depth by the
//! separation along its own normal and along any other direction.

use carom_geometry::ContactPoint;
use carom_geometry::convex::{ConvexShape, Core};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::Scene;

/// How far (m) a point is outside a core, at most: the largest excess over the planes, or over the surface along the
/// radius.
fn outside_core(core: &Core, p: &Vec3) -> f64 {
    let across = p.x.hypot(p.y);
    match core {
        Core::Point => p.norm(),
        Core::Segment { half_length } => across.max(p.z.abs() - half_length),
        Core::Box { half } => (p.abs() - half).max(),
        Core::Frustum { radius_low, radius_high, half_length } => {
            let middle = 0.5 * (radius_low + radius_high);
            let slope = 0.5 * (radius_high - radius_low) / half_length;
            (p.z.abs() - half_length).max((across - middle - slope * p.z) / 1.0_f64.hypot(slope))
        }
        Core::Beam { half_length, half_width, half_thickness } => {
            let beyond = (p.x.abs() - half_length).max(0.0);
            (p.z.abs() - half_thickness).max(beyond.hypot(p.y) - half_width)
        }
        Core::Ellipsoid { semi_axes } => p.norm() * (1.0 - 1.0 / p.component_div(semi_axes).norm()),
        Core::Superellipsoid { semi_axes: s, exponents: [e1, e2] } => {
            let across = (p.x / s.x).abs().powf(2.0 / e2) + (p.y / s.y).abs().powf(2.0 / e2);
            let level = across.powf(e2 / e1) + (p.z / s.z).abs().powf(2.0 / e1);
            p.norm() * (1.0 - level.powf(-0.5 * e1))
        }
        Core::Hull(hull) => hull
            .faces()
            .iter()
            .map(|face| face.normal.dot(&(p - hull.vertices()[face.corners[0] as usize])))
            .fold(f64::NEG_INFINITY, f64::max),
    }
}

/// How far a point is outside a solid; `n` is the outward normal at it.
fn outside(shape: &ConvexShape, x: &Pose, p: &Vec3, n: &Vec3) -> f64 {
    outside_core(&shape.core, &(x.inverse_transform_point(p) - shape.radius * x.rotation.tr_mul(n)))
}

/// Relative to a depth, what another minimum of it may be less: more where solids are so deep in each other, on nearly
/// one axis, that they have minima all around.
const RIVAL: f64 = 1e-4;
const DEEP_RIVAL: f64 = 2e-3;

/// Distance (m) of the nearest points from the surfaces where these are so flat that rounding of the normal moves the
/// points far. The gap does not notice.
const POINTS: f64 = 1e-5;

/// What is wrong with a contact by more than `tolerance` (m), and by how much; `directions` many others are tried
/// against a depth.
pub(crate) fn find_violation(
    scene: &Scene,
    contact: &ContactPoint,
    tolerance: f64,
    directions: usize,
    rng: &mut SplitMix64,
) -> Option<(&'static str, f64)> {
    let ContactPoint { gap, normal, point_a, point_b } = *contact;
    let core_distance = gap + scene.a.radius + scene.b.radius;
    let scale = scene.a.bounding_radius() + scene.b.bounding_radius();
    // Between corners and edges the direction of a core distance d is uncertain by ε/d.
    let uncertain = if core_distance > 0.0 { 1e-14 * scale * scale / core_distance } else { 0.0 };
    let mut violations = vec![
        ("length of the normal", (normal.norm() - 1.0).abs() - 1e-14 + tolerance),
        ("not what the normal separates", (gap - scene.separation(&normal)).abs() - uncertain),
    ];
    if core_distance > 0.0 {
        violations.push(("not the distance of the points", ((point_b - point_a).norm() - gap.abs()).abs()));
        violations.push(("point of A outside", outside(&scene.a, &scene.x_wa, &point_a, &normal) - POINTS));
        violations.push(("point of B outside", outside(&scene.b, &scene.x_wb, &point_b, &-normal) - POINTS));
    } else {
        let rival = if -core_distance < 0.1 * scale { RIVAL } else { DEEP_RIVAL };
        for n in axes(scene).chain((0..directions).map(|k| nearby_or_any(&normal, k, rng))) {
            let excess = scene.separation(&n) - gap + rival * core_distance;
            violations.push(("another direction separates more", excess));
        }
    }
    violations.into_iter().find(|(_, excess)| excess.is_nan() || *excess > tolerance)
}

/// Axes of both solids, across pairs of them, and across each the line of centres.
fn axes(scene: &Scene) -> impl Iterator<Item = Vec3> {
    let of = |x: &Pose| [0, 1, 2].map(|k| x.rotation.column(k).into_owned());
    let (a, b) = (of(&scene.x_wa), of(&scene.x_wb));
    let between = scene.x_wb.translation - scene.x_wa.translation;
    let crossed = a.into_iter().flat_map(move |u| b.map(|v| u.cross(&v)));
    let across = a.into_iter().chain(b).map(move |u| between - between.dot(&u) * u);
    let all = a.into_iter().chain(b).chain(crossed).chain(across).chain([between]);
    all.filter(|v| v.norm() > 1e-3).flat_map(|v| [v.normalize(), -v.normalize()])
}

/// Every other one within 1e-8 to 0.3 of the normal.
fn nearby_or_any(normal: &Vec3, k: usize, rng: &mut SplitMix64) -> Vec3 {
    let any = rng.unit_vector();
    if k.is_multiple_of(2) { (normal + 10f64.powf(rng.uniform(-8.0, -0.5)) * any).normalize() } else { any }
}
