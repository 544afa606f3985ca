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

/// Where a portal and the least translation have one normal, the points of contact are the same: the foot of the origin on
/// the portal, not where the line of centres passes it, which is beside it by the depth times the tangent of the angle
/// between line and normal. Where a curved surface has other normals there, points differ by the radius, up to 1 m, times
/// the angle between the normals, and more where two walls cross at a small angle.
#[test]
fn points_of_shallow_contacts_are_those_of_the_least_translation() {
    let fine = MprOptions { relative_tolerance: 1e-12, iterations: 10_000 };
    let depth = 1e-4;
    let mut rng = SplitMix64::new(84);
    let (mut compared, mut scenes, mut oblique) = (0, 0, 0);
    let kinds = || CURVED.iter().chain(&POLYTOPES).chain(&["point"]);
    for a in kinds() {
        for b in kinds() {
            for _ in 0..20 {
                let scene = random_scene(a, b, &mut rng).at_gap(-depth);
                let least = scene.contact();
                let Ok(found) = mpr(&scene, &fine) else { continue };
                scenes += 1;
                let turned = (found.normal - least.normal).norm();
                if turned > 1e-2 || (found.gap - least.gap).abs() > 1e-3 * depth {
                    // The line of centres leaves by another face.
                    continue;
                }
                let apart =
                    (found.point_a - least.point_a).norm().max((found.point_b - least.point_b).norm());
                let centres = scene.x_wb.translation - scene.x_wa.translation;
                let (along, across) = (centres.dot(&found.normal), centres.cross(&found.normal).norm());
                let beside = depth * across / along.abs();
                compared += 1;
                oblique += usize::from(turned < 1e-6 && beside > depth);
                assert!(
                    apart <= 1e-5 + 0.1 * beside + 10.0 * turned,
                    "{a}, {b}: {apart:.2e} apart, {turned:.2e} turned, centres {beside:.2e} beside {scene:?}"
                );
            }
        }
    }
    assert!(compared > scenes / 2 && oblique > 50, "{compared} of {scenes}, {oblique} oblique");
}

/// A ball far from the middle of a long table: the line of centres is nearly level.
#[test]
fn a_ball_on_a_long_table_touches_below_its_centre() {
    let table = ConvexShape::sharp(Core::Box { half: Vec3::new(2.0, 0.5, 0.025) });
    let ball = ConvexShape { core: Core::Point, radius: 0.05 };
    let depth = 65e-6;
    for x in [0.0, 0.3, 1.5, -1.9] {
        let at = Vec3::new(x, 0.1, 0.075 - depth);
        let scene = Scene {
            a: table.clone(),
            b: ball.clone(),
            x_wa: carom_math::Pose::identity(),
            x_wb: carom_math::Pose::from_translation(at),
        };
        let found = mpr(&scene, &MprOptions::default()).unwrap();
        // The tolerance is 1e-7 of 2 m; a portal of a ball that near the surface has a point up to r √(2 tol/r) beside.
        assert!((found.gap + depth).abs() < 1e-6, "{x}: {found:?}");
        let below = Vec3::new(x, 0.1, 0.025);
        assert!((found.point_a - below).norm() < 1e-5, "{x}: {found:?}");
    }
}

/// A ball in an ellipsoid, in closed form: the line of centres leaves E ⊕ ball at y + r n(y), y on the ellipsoid and n its normal
/// there, so that a ball at (1 − s)(y + r n) has that normal and a depth of s n·(y + r n). With what holds where nothing is stated.
#[test]
fn round_solids_have_the_normal_where_the_line_of_centres_leaves() {
    let mut rng = SplitMix64::new(85);
    for _ in 0..200 {
        let semi_axes = Vec3::new(rng.uniform(0.3, 1.0), rng.uniform(0.3, 1.0), rng.uniform(0.3, 1.0));
        let radius = rng.uniform(0.1, 1.0);
        let toward = rng.unit_vector();
        let y = semi_axes.component_mul(&toward);
        let normal = toward.component_div(&semi_axes).normalize();
        let leaves = y + radius * normal;
        let share = rng.uniform(1e-5, 0.1);
        let x_wa = rng.pose(0.4);
        let mut x_wb = rng.pose(0.4);
        x_wb.translation = x_wa.transform_point(&(leaves * (1.0 - share)));
        let a = ConvexShape::sharp(Core::Ellipsoid { semi_axes });
        let scene = Scene { a, b: ConvexShape { core: Core::Point, radius }, x_wa, x_wb };
        let found = mpr(&scene, &MprOptions::default()).unwrap();
        // The square of the tolerance 1e-7 of 2 m is 2e-14 m of height: √(2 · 2e-14 m/0.2 m) = 5e-7 for a bend of 0.2 m, some times
        // that for a triangle whose corners are far apart.
        let turned = (found.normal - x_wa.rotation * normal).norm();
        assert!(turned < 2e-6, "{turned:.2e} {scene:?}");
        let depth = share * normal.dot(&leaves);
        // The height, and what the turn makes where the line leaves askew.
        let bound = 1e-12 + share * leaves.norm() * 2e-6;
        assert!((found.gap + depth).abs() < bound, "{:.2e} {scene:?}", found.gap + depth);
    }
}
