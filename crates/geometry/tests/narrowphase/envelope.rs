//! The rate of the gap is the normal speed of the bodies' points at the contact,
//! d(gap)/dt = n·(v_B − v_A): the condition for elastic contact forces to have a potential.

use carom_geometry::Shape;
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::scene::{Scene, find_point, random_scene, supported_cells};

/// Step of the central difference (s).
const STEP: f64 = 2e-6;

/// Truncation STEP²·g‴/6, with speeds v up to 4 m/s and bends r down to 0.05 m, so g‴ < 3 v³/r² = 8e4:
/// 5e-8 at worst, as a rule a hundredth of it. Rounding of two gaps over two steps: 5e-10.
const TOLERANCE: f64 = 5e-8;

#[derive(Clone, Copy)]
struct Twist {
    velocity: Vec3,
    omega: Vec3,
}

impl Twist {
    fn random(rng: &mut SplitMix64) -> Self {
        Self { velocity: rng.vector_in_cube(1.0), omega: rng.vector_in_cube(1.0) }
    }

    fn displace(&self, pose: &Pose, time: f64) -> Pose {
        let turn = Quaternion::from_axis_angle(&self.omega, self.omega.norm() * time);
        Pose {
            rotation: turn.to_matrix() * pose.rotation,
            translation: pose.translation + time * self.velocity,
        }
    }

    fn at(&self, pose: &Pose, point: &Vec3) -> Vec3 {
        self.velocity + self.omega.cross(&(point - pose.translation))
    }
}

#[test]
fn gap_rate_is_the_normal_speed_at_the_contact() {
    let mut rng = SplitMix64::new(41);
    for cell in supported_cells() {
        for _ in 0..200 {
            let scene = random_scene(cell, &mut rng);
            let twists = (Twist::random(&mut rng), Twist::random(&mut rng));
            for feature in 0..scene.feature_count() {
                if is_singular(&scene, feature) {
                    continue;
                }
                let error = rate_error(&scene, twists, feature);
                assert!(error.abs() < TOLERANCE, "feature {feature}: {error}: {scene:?}");
            }
        }
    }
}

/// d(gap)/dt − n·(v_B − v_A) of one feature (m/s).
fn rate_error(scene: &Scene, (twist_a, twist_b): (Twist, Twist), feature: usize) -> f64 {
    let (x_wa, x_wb) = (scene.pose_a(), scene.pose_b());
    let gap = |time: f64| {
        let (x_wa, x_wb) = (twist_a.displace(&x_wa, time), twist_b.displace(&x_wb, time));
        find_point(&scene.a, &x_wa, &scene.b, &x_wb, feature).gap
    };
    let rate = (gap(STEP) - gap(-STEP)) / (2.0 * STEP);
    let contact = scene.point(feature);
    let position = contact.position();
    rate - contact.normal.dot(&(twist_b.at(&x_wb, &position) - twist_a.at(&x_wa, &position)))
}

/// Differences say nothing where the gap has a tight bend. Its radius is the distance of a sphere's centre,
/// or a core, from the other's surface or core; from the axis of a cylinder; from the centre of a spherical
/// cavity; for the rim of a cylinder, the tilt times its radius.
fn is_singular(scene: &Scene, feature: usize) -> bool {
    let round_radius = |shape: &Shape| match shape {
        Shape::Sphere { radius, hollow: false } | Shape::Capsule { radius, .. } => *radius,
        _ => 0.0,
    };
    let between_cores = (scene.point(feature).gap + round_radius(&scene.a) + round_radius(&scene.b)).abs();
    between_cores.min(own_bend(scene)).min(own_bend(&scene.swapped())) < 0.05
}

/// Radius of bend that A contributes by its axis or centre.
fn own_bend(scene: &Scene) -> f64 {
    let x_wa = scene.pose_a();
    let other = x_wa.inverse_transform_point(&scene.position_b);
    match (&scene.a, &scene.b) {
        (Shape::Cylinder(_), Shape::HalfSpace) => {
            let normal = x_wa.rotation.tr_mul(&scene.pose_b().z_axis());
            normal.x.hypot(normal.y)
        }
        (Shape::Cylinder(_), _) => other.x.hypot(other.y),
        (Shape::Sphere { hollow: true, .. }, _) => other.norm(),
        _ => f64::INFINITY,
    }
}
