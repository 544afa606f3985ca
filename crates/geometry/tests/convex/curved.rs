//! Curved solids: certified bounds, local and sampled maxima, closed forms.

use carom_geometry::convex::{ConvexCache, ConvexShape, Core};
use carom_math::{Pose, Quaternion, Vec3, orthonormal_basis};
use carom_testkit::SplitMix64;

use crate::kit::{CURVED, POLYTOPES, Scene, random_scene, random_shape};

fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    CURVED.iter().flat_map(|a| CURVED.iter().chain(&POLYTOPES).map(move |b| (*a, *b)))
}

/// Apart: the separation along the normal is a lower bound of the distance, and two points of the solids are an
/// upper bound. They enclose the gap.
fn check_apart(scene: &Scene, tolerance: f64) {
    let contact = scene.contact();
    let lower = scene.separation(&contact.normal);
    let upper = (contact.point_b - contact.point_a).norm();
    // Between corners, edges and faces alone the direction of a core distance d is uncertain by ε/d.
    let uncertain = 4e-15 / (contact.gap + scene.a.radius + scene.b.radius);
    assert!(
        (contact.gap - lower).abs() < tolerance + uncertain,
        "gap {}, lower bound off by {:e}: {scene:?}",
        contact.gap,
        contact.gap - lower
    );
    assert!((contact.gap - upper).abs() < tolerance, "{contact:?} {scene:?}");
    for (shape, pose, point) in
        [(&scene.a, &scene.x_wa, contact.point_a), (&scene.b, &scene.x_wb, contact.point_b)]
    {
        let outside = distance_outside(shape, &pose.inverse_transform_point(&point));
        // Where Newton's method does not certify its answer the points are those of the bounds, to their root.
        assert!(outside < 1e-9, "{outside:e} outside: {scene:?}");
    }
}

/// How far a point is outside a solid, at least: over many planes that support it.
fn distance_outside(shape: &ConvexShape, p: &Vec3) -> f64 {
    let mut rng = SplitMix64::new(1);
    let mut worst = f64::NEG_INFINITY;
    for k in 0..200 {
        let n = if k == 0 { p.normalize() } else { rng.unit_vector() };
        worst = worst.max(n.dot(p) - n.dot(&shape.support(&n)));
    }
    worst
}

#[test]
fn distances_are_enclosed_by_certified_bounds() {
    let mut rng = SplitMix64::new(31);
    for (a, b) in kinds() {
        for round in 0..40 {
            let wanted =
                if round % 2 == 0 { rng.uniform(0.0, 0.5) } else { 10f64.powf(rng.uniform(-10.0, -2.0)) };
            let scene = random_scene(a, b, &mut rng).at_gap(wanted);
            check_apart(&scene, 1e-12);
        }
    }
}

/// Overlapping: no direction near the normal and none of thousands separates more.
#[test]
fn depth_is_the_least_over_all_directions() {
    let mut rng = SplitMix64::new(32);
    for (a, b) in kinds() {
        for round in 0..12 {
            let wanted =
                if round % 2 == 0 { rng.uniform(-0.2, 0.0) } else { -(10f64.powf(rng.uniform(-10.0, -2.0))) };
            let scene = random_scene(a, b, &mut rng).at_gap(wanted);
            let contact = scene.contact();
            let value = scene.separation(&contact.normal);
            assert!((value - contact.gap).abs() < 1e-11, "{:e} {scene:?}", value - contact.gap);
            for k in 0..600 {
                let n = if k < 200 {
                    let (t, _) = orthonormal_basis(&rng.unit_vector());
                    (contact.normal + 10f64.powf(rng.uniform(-7.0, -0.5)) * t).normalize()
                } else {
                    rng.unit_vector()
                };
                assert!(
                    scene.separation(&n) <= contact.gap + 1e-11,
                    "{a}, {b}: {} beats {} at {n}, normal {}: {scene:?}",
                    scene.separation(&n),
                    contact.gap,
                    contact.normal
                );
            }
        }
    }
}

#[test]
fn warm_starts_change_nothing_but_rounding() {
    let mut rng = SplitMix64::new(33);
    for (a, b) in kinds() {
        for _ in 0..8 {
            let gap = rng.uniform(-0.03, 0.05);
            let mut scene = random_scene(a, b, &mut rng).at_gap(gap);
            let mut cache = ConvexCache::COLD;
            for _ in 0..8 {
                let warm = scene.contact_from(&cache);
                cache = warm.cache;
                let cold = scene.contact();
                assert!(
                    (warm.point.gap - cold.gap).abs() < 1e-11,
                    "{a}, {b}: {:?} {:?} {scene:?}",
                    warm.point,
                    cold
                );
                scene.x_wb.translation += rng.vector_in_cube(0.004);
                let turn = Quaternion::from_axis_angle(&rng.unit_vector(), 0.01).to_matrix();
                scene.x_wb.rotation = turn * scene.x_wb.rotation;
            }
        }
    }
}

#[test]
fn gap_is_continuous_through_contact() {
    let mut rng = SplitMix64::new(34);
    for (a, b) in kinds() {
        let scene = random_scene(a, b, &mut rng).at_gap(0.0);
        let along = scene.contact().normal;
        let step = 1e-7;
        let mut last: Option<f64> = None;
        for k in -20..=20 {
            let mut moved = scene.clone();
            moved.x_wb.translation += f64::from(k) * step * along;
            let gap = moved.contact().gap;
            if let Some(last) = last {
                assert!(
                    (gap - last - step).abs() < 1e-10,
                    "{a}, {b} at {k}: {gap:e} after {last:e}, {scene:?}"
                );
            }
            last = Some(gap);
        }
    }
}

#[test]
fn round_limits_are_balls() {
    let mut rng = SplitMix64::new(35);
    let ball = |r: f64| Core::Ellipsoid { semi_axes: Vec3::repeat(r) };
    let power = |r: f64| Core::Superellipsoid { semi_axes: Vec3::repeat(r), exponents: [1.0, 1.0] };
    for round in 0..200 {
        let (ra, rb) = (rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0));
        let (x_wa, x_wb) = (rng.pose(0.7), rng.pose(0.7));
        let core = |r: f64| if round % 2 == 0 { ball(r) } else { power(r) };
        let scene = Scene { a: ConvexShape::sharp(core(ra)), b: ConvexShape::sharp(core(rb)), x_wa, x_wb };
        let offset = x_wb.translation - x_wa.translation;
        let contact = scene.contact();
        assert!((contact.gap - (offset.norm() - ra - rb)).abs() < 1e-13, "{scene:?}");
        assert!((contact.normal - offset.normalize()).norm() < 1e-11, "{scene:?}");
        let rounded = Scene {
            a: ConvexShape { core: Core::Point, radius: ra },
            b: ConvexShape { core: Core::Point, radius: rb },
            ..scene
        };
        assert!((rounded.contact().gap - (offset.norm() - ra - rb)).abs() < 1e-14);
    }
}

#[test]
fn order_of_the_solids_does_not_matter() {
    let mut rng = SplitMix64::new(36);
    for (a, b) in kinds() {
        for _ in 0..6 {
            let gap = rng.uniform(-0.05, 0.05);
            let scene = random_scene(a, b, &mut rng).at_gap(gap);
            let contact = scene.contact();
            let Scene { a, b, x_wa, x_wb } = scene.clone();
            let swapped = Scene { a: b, b: a, x_wa: x_wb, x_wb: x_wa }.contact();
            assert!((swapped.gap - contact.gap).abs() < 1e-12, "{scene:?}");
            assert!((swapped.normal + contact.normal).norm() < 1e-5, "{scene:?}");
        }
    }
}

#[test]
fn a_cylinder_falls_on_a_ball_along_closed_forms() {
    let mut rng = SplitMix64::new(37);
    for _ in 0..200 {
        let shape = random_shape("cylinder", &mut rng);
        let Core::Frustum { radius_low: r, half_length: h, .. } = shape.core else { unreachable!() };
        let ball = ConvexShape { core: Core::Point, radius: 0.2 };
        let centre = rng.vector_in_cube(2.0);
        let x_wa = rng.pose(1.0);
        let x_wb = Pose { translation: x_wa.transform_point(&centre), ..Pose::identity() };
        let (beyond, above) = (centre.x.hypot(centre.y) - r, centre.z.abs() - h);
        let expected = if beyond > 0.0 && above > 0.0 { beyond.hypot(above) } else { beyond.max(above) };
        let scene = Scene { a: shape, b: ball, x_wa, x_wb };
        let found = scene.contact().gap;
        assert!((found - (expected - 0.2)).abs() < 1e-12, "{found} {} {scene:?}", expected - 0.2);
    }
}

#[test]
fn superellipsoids_that_are_nearly_blocks_or_octahedra_have_a_gap() {
    let mut rng = SplitMix64::new(38);
    for round in 0..200 {
        let mut scene = random_scene("superellipsoid", "superellipsoid", &mut rng);
        for shape in [&mut scene.a, &mut scene.b] {
            if let Core::Superellipsoid { exponents, .. } = &mut shape.core {
                *exponents = [rng.uniform(0.1, 1.9), rng.uniform(0.1, 1.9)];
            }
        }
        let gap = if round % 2 == 0 { rng.uniform(0.0, 0.1) } else { -rng.uniform(0.0, 0.1) };
        let scene = scene.at_gap(gap);
        let contact = scene.contact();
        assert!((scene.separation(&contact.normal) - contact.gap).abs() < 1e-6, "{scene:?}");
    }
}
