//! A rigid motion of the whole scene moves the contacts with it.

use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::scene::{find_point, random_scene, supported_cells};

#[test]
fn contacts_move_with_the_scene() {
    let mut rng = SplitMix64::new(21);
    for cell in supported_cells() {
        for _ in 0..200 {
            let scene = random_scene(cell, &mut rng);
            let motion = rng.pose(1.5);
            let (x_wa, x_wb) = (motion.compose(&scene.pose_a()), motion.compose(&scene.pose_b()));
            for feature in 0..scene.feature_count() {
                let still = scene.point(feature);
                let moved = find_point(&scene.a, &x_wa, &scene.b, &x_wb, feature);
                // Positions of up to 5 m are rounded four or five times on the way: 5e-15. A direction is the
                // quotient of such a difference and a distance, here rarely below 0.01 m.
                assert!((moved.gap - still.gap).abs() < 5e-15, "{scene:?}");
                let turned = motion.rotation * still.normal;
                assert!((moved.normal - turned).amax() < 1e-12, "{scene:?}");
                let position = motion.transform_point(&still.position());
                assert!((moved.position() - position).amax() < 2e-12, "{scene:?}");
            }
        }
    }
}

#[test]
fn far_from_the_origin_only_the_positions_lose_digits() {
    let mut rng = SplitMix64::new(22);
    for cell in supported_cells() {
        for _ in 0..50 {
            let scene = random_scene(cell, &mut rng);
            // A shift by a power of two and coordinates rounded to its grid: the differences are exact.
            let snap = |v: Vec3| v.map(|x| (x * 2f64.powi(30)).round() / 2f64.powi(30));
            let at = |p: Vec3, rotation| Pose { rotation, translation: p };
            let (pa, pb) = (snap(scene.position_a), snap(scene.position_b));
            let (ra, rb) = (scene.pose_a().rotation, scene.pose_b().rotation);
            let shift = Vec3::repeat(2f64.powi(20));
            for feature in 0..scene.feature_count() {
                let near = find_point(&scene.a, &at(pa, ra), &scene.b, &at(pb, rb), feature);
                let far = find_point(&scene.a, &at(pa + shift, ra), &scene.b, &at(pb + shift, rb), feature);
                assert_eq!((near.gap, near.normal), (far.gap, far.normal), "{scene:?}");
            }
        }
    }
}
