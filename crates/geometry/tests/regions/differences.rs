//! Area vector and moment are the slopes of the volume.

use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{Pair, turned};
use crate::meshes;

/// dV = S·dx + M·dθ for A moved by dx and turned by dθ about the region's point, by central differences.
#[test]
fn slopes_of_the_volume_are_area_vector_and_moment() {
    let bodies = [
        (meshes::sphere(0.5, 6), meshes::block(Vec3::repeat(0.5), 2, 0.0), 0.8),
        (meshes::torus(0.5, 0.2, 24, 12), meshes::sphere(0.5, 6), 0.9),
        (meshes::block(Vec3::new(0.3, 0.4, 0.5), 1, 0.0), meshes::block(Vec3::repeat(0.5), 1, 0.0), 0.8),
    ];
    let mut rng = SplitMix64::new(3);
    let mut compared = 0;
    for (a, b, distance) in bodies {
        let mut pair = Pair::new(&a, &b);
        for _ in 0..40 {
            let place = rng.uniform(0.8, 1.0) * distance * rng.unit_vector();
            let x_ba = Pose { rotation: rng.rotation().to_matrix(), translation: place };
            let regions = pair.find(&x_ba);
            let [region] = regions.as_slice() else { continue };
            let overlap = region.overlap.unwrap();
            // Steps: rounding of the volume over the step and the curvature times its square are both about 1e-9 here.
            let step = 1e-5;
            for axis in [Vec3::x(), Vec3::y(), Vec3::z(), rng.unit_vector()] {
                let slope = |pose: &dyn Fn(f64) -> Pose| {
                    let [high, low] = [step, -step].map(|s| pair.volume(&pose(s)));
                    (high - low) / (2.0 * step)
                };
                let mut slope = slope;
                let moved = slope(&|s| Pose { translation: place + s * axis, ..x_ba });
                assert!((moved - overlap.area_vector.dot(&axis)).abs() < 2e-8, "{moved}");
                let spun = slope(&|s| {
                    let turn = turned(axis, s, Vec3::zeros());
                    let arm = place - region.point;
                    Pose {
                        rotation: turn.rotation * x_ba.rotation,
                        translation: region.point + turn.rotation * arm,
                    }
                });
                assert!((spun - overlap.moment.dot(&axis)).abs() < 2e-8, "{spun}");
            }
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}

/// F = k V S does no work around a closed path, and a push in and out gives back k V²/2.
#[test]
fn the_force_by_volume_is_conservative() {
    let mut pair = Pair::new(&meshes::sphere(0.5, 8), &meshes::block(Vec3::repeat(0.5), 2, 0.0));
    let place = |share: f64| {
        let angle = std::f64::consts::TAU * share;
        let centre = Vec3::new(0.5, 0.45, 0.8);
        Pose::from_translation(centre + 0.12 * Vec3::new(angle.cos(), angle.sin(), angle.cos() * angle.sin()))
    };
    let steps = 2000;
    let mut work = 0.0;
    let mut sum = 0.0;
    for k in 0..steps {
        let share = |k: i32| f64::from(k) / f64::from(steps);
        // The middle rule: second order over a closed path.
        let way = place(share(k + 1)).translation - place(share(k)).translation;
        let middle =
            Pose::from_translation(0.5 * (place(share(k + 1)).translation + place(share(k)).translation));
        let (_, overlap) = pair.one(&middle);
        let of_step = overlap.volume * overlap.area_vector.dot(&way);
        work += of_step;
        sum += of_step.abs();
    }
    assert!(work.abs() < 1e-6 * sum, "{work} of {sum}");
}
