//! Solids with an axis that is parallel up to a few roundings: faces of A − B that are coplanar but for noise.

use carom_geometry::convex::{ConvexCache, ConvexHull, ConvexShape, Core};
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::Scene;
use crate::oracle::brute_force;

thread_local!{static WORST: std::cell::Cell<[f64;3]> = const{std::cell::Cell::new([0.0;3])};}
fn check(scene: &Scene, cache: &ConvexCache) -> ConvexCache {
    let found = scene.contact_from(cache);
    let (gap, normal) = (found.point.gap, found.point.normal);
    let expected = brute_force(scene);
    let mut w = WORST.get();
    let e=(gap-expected).abs();
    if expected > 0.0 { w[0]=w[0].max(e); } else { if e>1e-12 && e>w[1] {println!("{gap:e} {expected:e} {normal} {scene:?}");}
        w[1]=w[1].max(e); w[2]=w[2].max((scene.separation(&normal)-gap).abs());}
    WORST.set(w);
    found.cache
}

const TILTS: [f64; 8] = [0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8];

/// A turn about y and a tilt in any direction.
fn nearly_about_y(tilt: f64, rng: &mut SplitMix64) -> Mat3 {
    let turn = Quaternion::from_axis_angle(&Vec3::y(), rng.uniform(-3.2, 3.2)).to_matrix();
    Quaternion::from_axis_angle(&rng.unit_vector(), tilt).to_matrix() * turn
}

/// Dominoes: B rests with an edge against a face of A, or stands aside, or they stick in each other.
fn aligned_scene(shape: &ConvexShape, tilt: f64, rng: &mut SplitMix64) -> Scene {
    let mut pose = |reach: f64| Pose {
        rotation: nearly_about_y(tilt, rng),
        translation: Vec3::new(
            rng.uniform(-reach, reach),
            // In the same plane but for roundings, or aside.
            if rng.index(2) == 0 { tilt * rng.uniform(-1.0, 1.0) } else { rng.uniform(-0.05, 0.05) },
            rng.uniform(-reach, reach),
        ),
    };
    Scene { a: shape.clone(), b: shape.clone(), x_wa: pose(0.1), x_wb: pose(0.1) }
}

#[test]
fn dominoes_that_lean_on_each_other_have_a_depth() {
    let domino = ConvexShape::sharp(Core::Box { half: Vec3::new(0.01, 0.05, 0.1) });
    let a = Mat3::new(
        0.8127266342728906, 1.2807297840799816e-13, 0.5826451904405109,
        -1.3602795081606086e-13, 1.0, -3.0068796690790665e-14,
        -0.5826451904405109, -5.481831937731409e-14, 0.8127266342728906,
    );
    let b = Mat3::new(
        0.9734189049812668, 4.3447243789916534e-13, 0.22903195284735137,
        -4.5305472977507697e-13, 1.0, 2.855322575609438e-14,
        -0.22903195284735137, -1.3155825925629527e-13, 0.9734189049812668,
    );
    let at = |rotation, x, y, z| Pose { rotation, translation: Vec3::new(x, y, z) };
    for (a, b) in [(a, b), (a.transpose(), b.transpose())] {
        let scene = Scene {
            a: domino.clone(),
            b: domino.clone(),
            x_wa: at(a, 0.061156341224847456, -7.971662165015709e-16, 0.08693461335539517),
            x_wb: at(b, 0.12300959905642198, -2.4533857282650617e-14, 0.09942939673130498),
        };
        println!("{:e} {:e} {:?}", brute_force(&scene), scene.contact().gap, scene.contact().normal);
        let cache = check(&scene, &ConvexCache::COLD);
        check(&scene, &cache);
    }
}

fn check_many(shape: &ConvexShape, rounds: usize, seed: u64) {
    let mut rng = SplitMix64::new(seed);
    for tilt in TILTS {
        println!("{tilt:e} {:?}",WORST.get()); WORST.set([0.0;3]);
        for round in 0..rounds {
            let mut scene = aligned_scene(shape, tilt, &mut rng);
            if round % 2 == 0 {
                scene = scene.at_gap(-(10f64.powf(rng.uniform(-16.0, -2.0))));
            }
            let mut cache = check(&scene, &ConvexCache::COLD);
            for _ in 0..2 {
                scene.x_wb.translation += 1e-5 * rng.vector_in_cube(1.0);
                scene.x_wb.rotation = nearly_about_y(tilt, &mut rng);
                cache = check(&scene, &cache);
            }
        }
    }
}

#[test]
fn boxes_with_a_common_axis_to_rounding() {
    check_many(&ConvexShape::sharp(Core::Box { half: Vec3::new(0.01, 0.05, 0.1) }), 1000, 61);
    check_many(&ConvexShape::sharp(Core::Box { half: Vec3::repeat(0.05) }), 1000, 62);
}

#[test]
fn prisms_with_a_common_axis_to_rounding() {
    let corner = |k: usize| {
        let angle = (k / 2) as f64 * std::f64::consts::TAU / 6.0;
        Vec3::new(0.08 * angle.cos(), if k % 2 == 0 { -0.05 } else { 0.05 }, 0.08 * angle.sin())
    };
    let prism = ConvexHull::of_points(&(0..12).map(corner).collect::<Vec<_>>()).unwrap();
    check_many(&ConvexShape::hull(prism, 0.0), 100, 63);
}
