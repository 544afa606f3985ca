//! Solids with an axis that is parallel up to a few roundings: faces of A − B that are coplanar but for noise.

use carom_geometry::convex::{ConvexCache, ConvexHull, ConvexShape, Core};
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::Scene;
use crate::oracle::brute_force;

/// Gap against brute force, and of solids that overlap against the separation along the normal found.
fn check(scene: &Scene, cache: &ConvexCache) -> ConvexCache {
    let found = scene.contact_from(cache);
    let (gap, normal) = (found.point.gap, found.point.normal);
    let expected = brute_force(scene);
    assert!((gap - expected).abs() < TOLERANCE, "{gap:e} for {expected:e}: {scene:?}");
    if gap < 0.0 {
        let separation = scene.separation(&normal);
        assert!((separation - gap).abs() < TOLERANCE, "{gap:e}, separation {separation:e}: {scene:?}");
    }
    found.cache
}

/// What the distance of polytopes is worth (m): nearly parallel edges cost digits, here and in brute force.
const TOLERANCE: f64 = 1e-13;

const TILTS: [f64; 8] = [0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8];

/// A turn about y and a tilt in any direction.
fn nearly_about_y(tilt: f64, rng: &mut SplitMix64) -> Mat3 {
    let turn = Quaternion::from_axis_angle(&Vec3::y(), rng.uniform(-3.2, 3.2)).to_matrix();
    Quaternion::from_axis_angle(&rng.unit_vector(), tilt).to_matrix() * turn
}

/// Two solids of some 0.1 m that touch, overlap or lie apart, every other one with middles in one plane but for
/// roundings.
fn aligned_scene(a: &ConvexShape, b: &ConvexShape, tilt: f64, rng: &mut SplitMix64) -> Scene {
    let mut pose = || {
        let y = if rng.index(2) == 0 { tilt * rng.uniform(-1.0, 1.0) } else { rng.uniform(-0.05, 0.05) };
        let translation = Vec3::new(rng.uniform(-0.1, 0.1), y, rng.uniform(-0.1, 0.1));
        Pose { rotation: nearly_about_y(tilt, rng), translation }
    };
    Scene { a: a.clone(), b: b.clone(), x_wa: pose(), x_wb: pose() }
}

#[test]
fn dominoes_that_lean_on_each_other_have_a_depth() {
    let domino = ConvexShape::sharp(Core::Box { half: Vec3::new(0.01, 0.05, 0.1) });
    let a = Mat3::new(
        0.8127266342728906,
        1.2807297840799816e-13,
        0.5826451904405109,
        -1.3602795081606086e-13,
        1.0,
        -3.0068796690790665e-14,
        -0.5826451904405109,
        -5.481831937731409e-14,
        0.8127266342728906,
    );
    let b = Mat3::new(
        0.9734189049812668,
        4.3447243789916534e-13,
        0.22903195284735137,
        -4.5305472977507697e-13,
        1.0,
        2.855322575609438e-14,
        -0.22903195284735137,
        -1.3155825925629527e-13,
        0.9734189049812668,
    );
    let at = |rotation, x, y, z| Pose { rotation, translation: Vec3::new(x, y, z) };
    for (a, b) in [(a, b), (a.transpose(), b.transpose())] {
        let scene = Scene {
            a: domino.clone(),
            b: domino.clone(),
            x_wa: at(a, 0.061156341224847456, -7.971662165015709e-16, 0.08693461335539517),
            x_wb: at(b, 0.12300959905642198, -2.4533857282650617e-14, 0.09942939673130498),
        };
        let cache = check(&scene, &ConvexCache::COLD);
        check(&scene, &cache);
    }
}

/// Cold at depths down to rounding, as they come, and warm after small motions that keep the axis.
fn check_many(a: &ConvexShape, b: &ConvexShape, rounds: usize, seed: u64) {
    let mut rng = SplitMix64::new(seed);
    for tilt in TILTS {
        for round in 0..rounds {
            let mut scene = aligned_scene(a, b, tilt, &mut rng);
            if round % 2 == 0 {
                scene = scene.at_gap(-(10f64.powf(rng.uniform(-16.0, -2.0))));
            }
            let mut cache = check(&scene, &ConvexCache::COLD);
            for _ in 0..2 {
                scene.x_wb.translation += 1e-5 * rng.vector_in_cube(1.0);
                let turn = Quaternion::from_axis_angle(&Vec3::y(), 1e-4 * rng.uniform(-1.0, 1.0)).to_matrix();
                scene.x_wb.rotation = turn * scene.x_wb.rotation;
                cache = check(&scene, &cache);
            }
        }
    }
}

fn block(x: f64, y: f64, z: f64) -> ConvexShape {
    ConvexShape::sharp(Core::Box { half: Vec3::new(x, y, z) })
}

fn prism(sides: usize) -> ConvexShape {
    let corner = |k: usize| {
        let angle = (k / 2) as f64 * std::f64::consts::TAU / sides as f64;
        Vec3::new(0.08 * angle.cos(), if k.is_multiple_of(2) { -0.05 } else { 0.05 }, 0.08 * angle.sin())
    };
    let corners: Vec<Vec3> = (0..2 * sides).map(corner).collect();
    ConvexShape::hull(ConvexHull::of_points(&corners).unwrap(), 0.0)
}

#[test]
fn boxes_with_a_common_axis_to_rounding() {
    let domino = block(0.01, 0.05, 0.1);
    check_many(&domino, &domino, 600, 61);
    check_many(&block(0.05, 0.05, 0.05), &domino, 600, 62);
}

#[test]
fn prisms_with_a_common_axis_to_rounding() {
    check_many(&prism(6), &prism(6), 40, 63);
    check_many(&prism(9), &block(0.04, 0.05, 0.06), 40, 64);
}

/// No direction separates more than the one found, but for minima within 10⁻⁴ of its depth: neither the axes of the solids, nor the line of centres across
/// them, nor any at random.
#[test]
fn cylinders_with_a_common_axis_to_rounding() {
    let mut rng = SplitMix64::new(65);
    let cylinder = |radius: f64, half_length: f64| {
        ConvexShape::sharp(Core::Frustum { radius_low: radius, radius_high: radius, half_length })
    };
    // The axis of a cylinder is its z axis.
    let upright = Quaternion::from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2).to_matrix();
    for (b, turn) in [(cylinder(0.05, 0.07), upright), (block(0.04, 0.06, 0.03), Mat3::identity())] {
        for tilt in TILTS {
            for round in 0..100 {
                let mut scene = aligned_scene(&cylinder(0.07, 0.05), &b, tilt, &mut rng);
                scene.x_wa.rotation *= upright;
                scene.x_wb.rotation *= turn;
                if round % 2 == 0 {
                    scene = scene.at_gap(-(10f64.powf(rng.uniform(-15.0, -2.0))));
                }
                let found = scene.contact();
                if found.gap > 0.0 {
                    continue;
                }
                // What the depth of curved solids is worth (m).
                let tolerance = 1e-12;
                let separation = scene.separation(&found.normal);
                assert!((separation - found.gap).abs() < tolerance, "{separation:e} {found:?} {scene:?}");
                let across = scene.x_wb.translation - scene.x_wa.translation;
                let across = Vec3::new(across.x, 0.0, across.z).normalize();
                let axes = [scene.x_wa.rotation, scene.x_wb.rotation];
                let axes = axes.iter().flat_map(|r| r.column_iter().map(|axis| axis.into_owned()));
                let random: Vec<Vec3> = (0..50).map(|_| rng.unit_vector()).collect();
                for n in axes.chain([across]).chain(random).flat_map(|n| [n, -n]) {
                    let other = scene.separation(&n);
                    assert!(
                        other <= found.gap * (1.0 - 1e-4) + tolerance,
                        "{other:e} along {n}, {found:?} {scene:?}"
                    );
                }
            }
        }
    }
}

/// The edge of a block lies along a cylinder, a little off its axis: of the lines where the cylinder's wall carries it
/// two are nearly one, with a bend of the tilt's size between.
#[test]
fn an_edge_along_the_axis_of_a_cylinder_is_as_deep_as_the_wall_is_far() {
    let mut rng = SplitMix64::new(66);
    let radius = 0.07;
    let cylinder =
        ConvexShape::sharp(Core::Frustum { radius_low: radius, radius_high: radius, half_length: 0.05 });
    for tilt in TILTS.into_iter().chain([1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3]) {
        for round in 0..200 {
            let offset = if round % 10 == 0 { 0.0 } else { 10f64.powf(rng.uniform(-17.0, -2.0)) };
            let angle = rng.uniform(0.3, 1.2);
            let edge = offset * Vec3::new(angle.cos(), angle.sin(), 0.0);
            let middle = edge + Vec3::new(0.04, 0.03, 0.014);
            let rotation = Quaternion::from_axis_angle(&rng.unit_vector(), tilt).to_matrix();
            let scene = Scene {
                a: cylinder.clone(),
                b: block(0.04, 0.03, 0.06),
                x_wa: Pose::identity(),
                x_wb: Pose { rotation, translation: middle },
            };
            let contact = scene.contact();
            let gap = contact.gap;
            assert!((scene.separation(&contact.normal) - gap).abs() < 1e-12, "{contact:?}: {scene:?}");
            // The tilt moves the edge, whose ends are less than 0.1 m from the middle.
            assert!((gap - (offset - radius)).abs() < 1e-12 + 0.1 * tilt, "{gap}, {offset}: {scene:?}");
        }
    }
}
