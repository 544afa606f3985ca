//! Portal refinement: its own definition, its limit, and the minimum translation where the two agree.

use carom_geometry::ContactPoint;
use carom_geometry::convex::{ConvexShape, Core, MprFault, MprOptions, find_contact_mpr};
use carom_math::Vec3;
use carom_testkit::SplitMix64;

use crate::kit::{CURVED, POLYTOPES, Scene, random_scene};

fn mpr(scene: &Scene, options: &MprOptions) -> Result<ContactPoint, MprFault> {
    find_contact_mpr(&scene.a, &scene.x_wa, &scene.b, &scene.x_wb, options)
}

#[test]
fn the_portal_is_a_support_plane_met_by_the_line_of_centres() {
    let mut rng = SplitMix64::new(81);
    for a in CURVED.iter().chain(&POLYTOPES) {
        for b in CURVED.iter().chain(&POLYTOPES) {
            for _ in 0..20 {
                let gap = -rng.uniform(1e-4, 0.2);
                let scene = random_scene(a, b, &mut rng).at_gap(gap);
                let Ok(found) = mpr(&scene, &MprOptions { iterations: 1000, ..MprOptions::default() }) else {
                    panic!("{a}, {b}: {scene:?}")
                };
                // A plane of support, so never less deep than the minimum translation.
                assert!((scene.separation(&found.normal) - found.gap).abs() < 1e-6, "{a}, {b}: {scene:?}");
                assert!(found.gap <= scene.contact().gap + 1e-6, "{found:?} {:?}", scene.contact());
            }
        }
    }
}

#[test]
fn balls_and_centred_blocks_have_the_minimum_translation() {
    let mut rng = SplitMix64::new(82);
    let ball = |radius| ConvexShape { core: Core::Point, radius };
    for _ in 0..100 {
        let scene = Scene { a: ball(0.5), b: ball(0.7), x_wa: rng.pose(0.4), x_wb: rng.pose(0.4) };
        let found = mpr(&scene, &MprOptions::default()).unwrap();
        // A portal within tol = 1.2e-7 of the surface leaves the normal √(2 tol/R), and the gap some tol.
        assert!((found.gap - scene.contact().gap).abs() < 1e-6, "{found:?} {:?}", scene.contact());
    }
    let block = ConvexShape::sharp(Core::Box { half: Vec3::new(0.5, 0.4, 0.3) });
    let mut scene = Scene { a: block.clone(), b: block, x_wa: rng.pose(0.0), x_wb: rng.pose(0.0) };
    scene.x_wb = scene.x_wa;
    scene.x_wb.translation += scene.x_wa.rotation * Vec3::new(0.01, 0.02, 0.59);
    let found = mpr(&scene, &MprOptions::default()).unwrap();
    assert!((found.gap + 0.01).abs() < 1e-7);
    assert!((found.normal - scene.x_wa.z_axis()).norm() < 1e-6);
}

#[test]
fn the_limit_of_iterations_is_an_error() {
    let mut rng = SplitMix64::new(83);
    let scene = random_scene("ellipsoid", "ellipsoid", &mut rng).at_gap(-0.01);
    let options = MprOptions { relative_tolerance: 1e-9, iterations: 3 };
    assert_eq!(mpr(&scene, &options), Err(MprFault { iterations: 3 }));
}
