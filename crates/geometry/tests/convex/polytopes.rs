//! Distance and depth of polytopes against brute force over all features.

use carom_geometry::convex::{ConvexCache, ConvexShape, Core};
use carom_math::{Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{POLYTOPES, Scene, random_scene};
use crate::oracle::brute_force;

fn check(scene: &Scene, tolerance: f64) {
    let contact = scene.contact();
    let expected = brute_force(scene);
    assert!(
        (contact.gap - expected).abs() < tolerance,
        "{} for {expected}, off by {:e}: {scene:?}",
        contact.gap,
        contact.gap - expected
    );
    assert!((contact.normal.norm() - 1.0).abs() < 1e-14);
    // The normal separates as well as the gap says. The direction of a core distance d is uncertain by ε/d.
    let core_distance = contact.gap + scene.a.radius + scene.b.radius;
    let uncertain = if core_distance > 0.0 { 4e-15 / core_distance } else { 0.0 };
    let separation = scene.separation(&contact.normal);
    assert!((separation - contact.gap).abs() < tolerance + uncertain, "{separation} {contact:?} {scene:?}");
}

#[test]
fn random_pairs_apart_shallow_and_deep() {
    let mut rng = SplitMix64::new(21);
    for a in POLYTOPES {
        for b in POLYTOPES {
            for round in 0..120 {
                let scene = random_scene(a, b, &mut rng);
                let wanted = match round % 4 {
                    0 => rng.uniform(0.0, 0.5),
                    1 => 10f64.powf(rng.uniform(-13.0, -2.0)),
                    2 => -(10f64.powf(rng.uniform(-13.0, -2.0))),
                    _ => rng.uniform(-0.3, 0.0),
                };
                // A few roundings of lengths of 3 m; separations of slivers cost another digit.
                check(&scene.clone().at_gap(wanted), 1e-13);
                check(&scene, 1e-13);
            }
        }
    }
}

#[test]
fn aligned_boxes_touch_along_faces_edges_and_corners() {
    let half = Vec3::new(0.3, 0.2, 0.1);
    let block = || ConvexShape::sharp(Core::Box { half });
    for turn in [0.0, 0.3, 1e-9, std::f64::consts::FRAC_PI_2] {
        for shift in [
            Vec3::new(0.6, 0.0, 0.0),
            Vec3::new(0.6, 0.4, 0.0),
            Vec3::new(0.6, 0.4, 0.2),
            Vec3::new(0.1, 0.05, 0.2),
            Vec3::new(0.0, 0.0, 0.2 - 1e-6),
            Vec3::zeros(),
        ] {
            let rotation = Quaternion::from_axis_angle(&Vec3::z(), turn).to_matrix();
            let pose = |translation| carom_math::Pose { rotation: carom_math::Mat3::identity(), translation };
            let mut scene = Scene { a: block(), b: block(), x_wa: pose(Vec3::zeros()), x_wb: pose(shift) };
            scene.x_wb.rotation = rotation;
            check(&scene, 1e-13);
        }
    }
}

#[test]
fn warm_starts_change_nothing_but_rounding() {
    let mut rng = SplitMix64::new(22);
    for a in POLYTOPES {
        for b in POLYTOPES {
            for _ in 0..60 {
                let gap = rng.uniform(-0.05, 0.05);
                let mut scene = random_scene(a, b, &mut rng).at_gap(gap);
                let mut cache = ConvexCache::COLD;
                for _ in 0..10 {
                    let warm = scene.contact_from(&cache);
                    cache = warm.cache;
                    assert!((warm.point.gap - scene.contact().gap).abs() < 1e-13, "{scene:?}");
                    scene.x_wb.translation += rng.vector_in_cube(0.02);
                    let turn = Quaternion::from_axis_angle(&rng.unit_vector(), 0.02).to_matrix();
                    scene.x_wb.rotation = turn * scene.x_wb.rotation;
                }
            }
        }
    }
}
