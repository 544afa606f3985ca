//! Curvatures and common normals of smooth solids.

use carom_geometry::Curvature;
use carom_geometry::convex::{ConvexCache, ConvexShape, Core, find_curvature};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{Scene, random_scene};

fn curvature(scene: &Scene) -> Curvature {
    let contact = scene.contact_from(&ConvexCache::COLD);
    find_curvature(&scene.a, &scene.x_wa, &scene.b, &scene.x_wb, &contact)
}

/// Ellipsoids with parallel axes, one over the other, turned about the vertical: the curvatures of their poles are
/// c/a² and c/b².
#[test]
fn poles_of_ellipsoids() {
    let (a, b) = (Vec3::new(0.5, 0.4, 0.3), Vec3::new(0.2, 0.7, 0.6));
    for turn in [0.0, 0.4, 1.3] {
        let scene = Scene {
            a: ConvexShape::sharp(Core::Ellipsoid { semi_axes: a }),
            b: ConvexShape::sharp(Core::Ellipsoid { semi_axes: b }),
            x_wa: Pose::identity(),
            x_wb: Pose {
                rotation: Quaternion::from_axis_angle(&Vec3::z(), turn).to_matrix(),
                translation: Vec3::new(0.0, 0.0, 0.9 - 1e-4),
            },
        };
        let of = |s: &Vec3| (s.z / (s.x * s.x), s.z / (s.y * s.y));
        let ((ax, ay), (bx, by)) = (of(&a), of(&b));
        // Sum of two tensors of which one is turned.
        let (c, s) = (turn.cos(), turn.sin());
        let (xx, yy, xy) = (ax + bx * c * c + by * s * s, ay + bx * s * s + by * c * c, (bx - by) * c * s);
        let spread = (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt();
        let Curvature::Point { k1, k2 } = curvature(&scene) else { panic!("{scene:?}") };
        assert!((k1 - 0.5 * (xx + yy) - spread).abs() < 1e-10, "{k1}");
        assert!((k2 - 0.5 * (xx + yy) + spread).abs() < 1e-10, "{k2}");
    }
}

/// The gap of a ball that rolls over a solid at a fixed height of its centre changes to second order with the
/// relative curvature: differences of gaps give the sum of inverse principal values.
#[test]
fn curvature_is_the_second_difference_of_the_gap_to_a_small_ball() {
    let mut rng = SplitMix64::new(71);
    for name in ["ellipsoid", "superellipsoid"] {
        for _ in 0..40 {
            let mut scene = random_scene(name, name, &mut rng);
            scene.b = ConvexShape { core: Core::Point, radius: 0.3 };
            let scene = scene.at_gap(0.2);
            let n = scene.contact().normal;
            let Curvature::Point { k1, k2 } = curvature(&scene) else { continue };
            if k1 > 30.0 {
                // A sharp place: the step below is too wide for it.
                continue;
            }
            // With the ball's centre at distance g = 0.2 + 0.3 the distance has the Hessian κ/(1 + κ g) of the
            // surface's curvatures κ = k − 1/0.3.
            let (t1, t2) = carom_math::orthonormal_basis(&n);
            let gap = |shift: Vec3| {
                let mut moved = scene.clone();
                moved.x_wb.translation += shift;
                moved.contact().gap
            };
            let h = 1e-3;
            let second = |t: Vec3| (gap(h * t) + gap(-h * t) - 2.0 * gap(Vec3::zeros())) / (h * h);
            let trace = second(t1) + second(t2);
            let level = |k: f64| (k - 1.0 / 0.3) / (1.0 + (k - 1.0 / 0.3) * 0.5);
            let expected = level(k1) + level(k2);
            assert!(
                (trace - expected).abs() < 2e-3 * (1.0 + expected),
                "{name}: {trace} {expected} {k1} {k2}"
            );
        }
    }
}

#[test]
fn lines_faces_and_sharp_edges_have_no_point_curvature() {
    let cylinder = |radius| ConvexShape {
        core: Core::Frustum { radius_low: 0.3, radius_high: 0.3, half_length: 0.5 },
        radius,
    };
    let lying = Quaternion::from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2).to_matrix();
    let block = ConvexShape::sharp(Core::Box { half: Vec3::repeat(0.5) });
    let on_block = Scene {
        a: block,
        b: cylinder(0.0),
        x_wa: Pose::identity(),
        x_wb: Pose { rotation: lying, translation: Vec3::new(0.0, 0.0, 0.8 - 1e-5) },
    };
    assert_eq!(curvature(&on_block), Curvature::Undefined);
    // Crossed cylinders are a point contact with 1/R each, one way and the other.
    let crossed = Scene {
        a: cylinder(0.0),
        b: cylinder(0.1),
        x_wa: Pose::identity(),
        x_wb: Pose { rotation: lying, translation: Vec3::new(0.7 - 1e-5, 0.0, 0.0) },
    };
    let Curvature::Point { k1, k2 } = curvature(&crossed) else { panic!("{:?}", crossed.contact()) };
    assert!((k1 - 1.0 / 0.3).abs() < 1e-9 && (k2 - 1.0 / 0.4).abs() < 1e-9, "{k1} {k2}");
}
