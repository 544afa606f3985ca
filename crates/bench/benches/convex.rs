//! Distance and depth of convex pairs, 200 poses a call: read the time as such.
#![allow(missing_docs)]

use carom_bench::{ConvexScene, convex_scenes, convex_shape, hull_points};
use carom_geometry::convex::{ConvexCache, ConvexWorkspace, find_convex_contact};
use carom_math::Pose;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

const SHAPES: [&str; 3] = ["box", "cylinder", "hull"];

/// Gaps (m) of the regimes.
fn scenes(shape: &str, regime: &str) -> Vec<ConvexScene> {
    let (low, high) = match regime {
        "apart" => (0.01, 0.3),
        "shallow" => (-0.01, -0.0005),
        _ => (-0.15, -0.08),
    };
    convex_scenes(&convex_shape(shape), low, high)
}

fn bench(bencher: divan::Bencher<'_, '_>, shape: &str, regime: &str, warm: bool) {
    let scenes = scenes(shape, regime);
    let solid = convex_shape(shape);
    let mut workspace = ConvexWorkspace::new();
    let here = Pose::identity();
    bencher.counter(ItemsCount::new(scenes.len())).bench_local(|| {
        scenes
            .iter()
            .map(|scene| {
                let cache = if warm { &scene.cache } else { &ConvexCache::COLD };
                find_convex_contact(&solid, &here, &solid, &scene.x_wb, cache, &mut workspace)
                    .map_or(f64::NAN, |contact| contact.point.gap)
            })
            .sum::<f64>()
    });
}

#[divan::bench(args = SHAPES)]
fn apart_warm(bencher: divan::Bencher<'_, '_>, shape: &str) {
    bench(bencher, shape, "apart", true);
}

#[divan::bench(args = SHAPES)]
fn apart_cold(bencher: divan::Bencher<'_, '_>, shape: &str) {
    bench(bencher, shape, "apart", false);
}

#[divan::bench(args = SHAPES)]
fn shallow_warm(bencher: divan::Bencher<'_, '_>, shape: &str) {
    bench(bencher, shape, "shallow", true);
}

#[divan::bench(args = SHAPES)]
fn shallow_cold(bencher: divan::Bencher<'_, '_>, shape: &str) {
    bench(bencher, shape, "shallow", false);
}

#[divan::bench(args = SHAPES)]
fn deep_cold(bencher: divan::Bencher<'_, '_>, shape: &str) {
    bench(bencher, shape, "deep", false);
}

/// The same poses for parry3d-f64: distance apart, contact in penetration.
#[divan::bench(args = SHAPES)]
fn apart_parry(bencher: divan::Bencher<'_, '_>, shape: &str) {
    bench_parry(bencher, shape, "apart");
}

#[divan::bench(args = SHAPES)]
fn shallow_parry(bencher: divan::Bencher<'_, '_>, shape: &str) {
    bench_parry(bencher, shape, "shallow");
}

fn bench_parry(bencher: divan::Bencher<'_, '_>, shape: &str, regime: &str) {
    use parry3d_f64::math::{Pose as Isometry, Vector};
    use parry3d_f64::shape::{ConvexPolyhedron, Cuboid, Cylinder, Shape};
    let scenes = scenes(shape, regime);
    let solid: Box<dyn Shape> = match shape {
        "box" => Box::new(Cuboid::new(Vector::new(0.5, 0.35, 0.25))),
        // Its axis is y.
        "cylinder" => Box::new(Cylinder::new(0.5, 0.3)),
        _ => {
            let points: Vec<Vector> = hull_points().iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
            Box::new(ConvexPolyhedron::from_convex_hull(&points).expect("points on an ellipsoid"))
        }
    };
    let axis = if shape == "cylinder" { std::f64::consts::FRAC_PI_2 } else { 0.0 };
    let upright = carom_math::Quaternion::from_axis_angle(&carom_math::Vec3::x(), axis).to_matrix();
    let isometry = |pose: &Pose| {
        let r = pose.rotation * upright;
        let columns = [0, 1, 2].map(|k| Vector::new(r[(0, k)], r[(1, k)], r[(2, k)]));
        let rotation = parry3d_f64::glamx::DMat3::from_cols(columns[0], columns[1], columns[2]);
        let t = pose.translation;
        Isometry::from_parts(Vector::new(t.x, t.y, t.z), parry3d_f64::glamx::DQuat::from_mat3(&rotation))
    };
    let here = isometry(&Pose::identity());
    let poses: Vec<Isometry> = scenes.iter().map(|scene| isometry(&scene.x_wb)).collect();
    let own: f64 = {
        let mut workspace = ConvexWorkspace::new();
        let solid = convex_shape(shape);
        let gap = |scene: &ConvexScene| {
            find_convex_contact(
                &solid,
                &Pose::identity(),
                &solid,
                &scene.x_wb,
                &ConvexCache::COLD,
                &mut workspace,
            )
            .map_or(f64::NAN, |contact| contact.point.gap)
        };
        scenes.iter().map(gap).sum()
    };
    let query = |pose: &Isometry| {
        if regime == "apart" {
            parry3d_f64::query::distance(&here, &*solid, pose, &*solid)
                .map_or(f64::NAN, |found| found.distance)
        } else {
            let contact = parry3d_f64::query::contact(&here, &*solid, pose, &*solid, 0.0);
            contact.ok().flatten().map_or(f64::NAN, |contact| contact.dist)
        }
    };
    // Both must do the same work.
    let theirs: f64 = poses.iter().map(query).sum();
    assert!((theirs - own).abs() < 1e-3 * own.abs(), "{theirs} and {own}");
    bencher.counter(ItemsCount::new(poses.len())).bench_local(|| poses.iter().map(query).sum::<f64>());
}
