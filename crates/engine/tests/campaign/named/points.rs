//! Points and convex solids.

use carom_engine::model::{IntegratorKind, Method};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use super::{assert_right, flight, gravity};
use crate::build::point_law;
use crate::motion::{Drive, Motion};
use crate::part::Part;
use crate::watch::{failure, run};

/// A ball of 15 mm that is thrown up, and comes down on another nearly centrally 6.85 s later.
#[test]
fn a_ball_that_comes_down_after_seven_seconds_meets_another() {
    let (radius, time) = (0.015, 6.85);
    let mut rng = SplitMix64::new(1);
    let all =
        IntegratorKind::SMOOTH.into_iter().flat_map(|integrator| (0..6_usize).map(move |k| (integrator, k)));
    assert_right(all.map(|(integrator, k)| {
        let mut scene = flight(
            "ball on ball",
            [Part::ball(radius), Part::ball(radius)],
            Pose::identity(),
            Method::Auto,
            point_law(1e9, 0.8),
        );
        let off = Vec3::new(rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), 0.0) * radius;
        let beside = Vec3::new(rng.uniform(-5.0, 5.0), 0.0, 0.0);
        let motion = &mut scene.motions[1];
        motion.gravity = gravity();
        motion.velocity = beside - gravity() * (0.5 * time);
        motion.position = off - beside * time;
        if k == 0 {
            motion.velocity = -gravity() * (0.5 * time);
            motion.position = off + Vec3::new(0.0, 0.0, 4.0 * radius);
        }
        scene.masses = [0.1, 0.1];
        scene.t_end = 2.0 * time;
        scene.after = 0.05;
        scene.beyond = [0.1, 3.0, 60.0][k % 3];
        scene.integrator = integrator;
        scene
    }));
}

/// A needle of 10 µm that turns at 20 rad/s beside a ball of its size.
#[test]
fn a_needle_of_ten_micrometres_does_not_turn_through_a_ball() {
    let half = 5e-6;
    let mut rng = SplitMix64::new(2);
    let all =
        IntegratorKind::SMOOTH.into_iter().flat_map(|integrator| (0..12_usize).map(move |k| (integrator, k)));
    assert_right(all.map(|(integrator, k)| {
        let radius = 0.05 * half;
        let needle = if k % 2 == 0 {
            Part::capsule(radius, half)
        } else {
            Part::block(Vec3::new(half, 0.3 * radius, radius))
        };
        // The needle turns about a line across it. Its tip dips into the ball by some share of the ball's radius.
        let dips = rng.uniform(0.02, 0.6) * half;
        let place = Vec3::new(0.0, 2.0 * half - dips, 0.0);
        let mut scene = flight(
            "needle",
            [Part::ball(half), needle],
            Pose::from_translation(place),
            Method::Auto,
            point_law(1e9, 0.8),
        );
        scene.motions[1] = turning(place, 20.0, rng.uniform(-0.4, 0.4), k % 2 == 0);
        scene.masses = [1e-12, 1e-12];
        scene.t_end = 1.0;
        scene.after = 0.05;
        scene.integrator = integrator;
        scene
    }));
}

/// Something long that lies in the plane z = 0, at an `angle` to the x axis, and turns about z.
fn turning(place: Vec3, omega: f64, angle: f64, along_z: bool) -> Motion {
    use carom_math::Quaternion;
    // Its length along x.
    let lies = if along_z {
        Quaternion::from_axis_angle(&Vec3::y(), std::f64::consts::FRAC_PI_2)
    } else {
        Quaternion::new(1.0, 0.0, 0.0, 0.0)
    };
    let turned = Quaternion::from_axis_angle(&Vec3::z(), angle).multiply(&lies);
    let at = Pose { rotation: turned.to_matrix(), translation: place };
    Motion { spin: Vec3::new(0.0, 0.0, omega), ..Motion::rest(&at) }
}

/// A bullet of 8 mm at 1000 m/s, a hundred metres and more from plates of 1 and 5 mm.
#[test]
fn a_bullet_from_far_away_does_not_pass_a_plate() {
    let (radius, speed) = (4e-3, 1000.0);
    let mut rng = SplitMix64::new(3);
    let all =
        IntegratorKind::SMOOTH.into_iter().flat_map(|integrator| (0..6_usize).map(move |k| (integrator, k)));
    assert_right(all.map(|(integrator, k)| {
        let half = Vec3::new(0.5, 0.5, [5e-4, 2.5e-3][k % 2]);
        let away = [100.0, 1000.0, 17.3][k % 3];
        let towards = (Vec3::new(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), -1.0)).normalize();
        let aim = Vec3::new(rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), 0.0);
        let mut scene = flight(
            "bullet",
            [Part::block(half), Part::ball(radius)],
            Pose::from_translation(aim - towards * away),
            [Method::Auto, Method::Convex][k / 3],
            // Its energy of 5 kJ at a depth of a tenth of a millimetre.
            point_law(2.5 * 5e3 / libm::pow(1e-4, 2.5), 0.5),
        );
        scene.masses = [1.0, 0.01];
        scene.motions[1].velocity = towards * speed;
        scene.t_end = 3.0 * away / speed;
        scene.after = 2e-3;
        scene.beyond = [0.0, 3.0][k % 2];
        scene.integrator = integrator;
        scene
    }));
}

/// A slider at rest whose position has a bump of a millisecond after a second: it hits the ball before it, and nothing is left
/// over in the ledger.
#[test]
fn a_short_bump_of_a_slider_hits_a_ball() {
    for integrator in IntegratorKind::SMOOTH {
        let (radius, travel) = (0.01, 0.02);
        let place = Vec3::new(2.0 * radius + 0.5 * travel, 0.0, 0.0);
        let mut scene = flight(
            "bump",
            [Part::ball(radius), Part::ball(radius)],
            Pose::from_translation(place),
            Method::Auto,
            point_law(1e9, 1.0),
        );
        scene.motions[0].drive = Some((Vec3::x(), Drive::Bump { height: travel, at: 1.0, width: 1e-3 }));
        scene.masses = [0.03, 0.03];
        scene.t_end = 3.0;
        scene.after = 2.0;
        scene.integrator = integrator;
        let (outcome, watch) = run(&scene.model(scene.t_end));
        assert_right([scene]);
        assert!(failure(&outcome).is_none(), "{}: {:?}", integrator.name(), outcome.end);
        assert!(
            watch.begin().is_some() && outcome.residual_relative < 1e-4,
            "{}: {:.2e}",
            integrator.name(),
            outcome.residual_relative
        );
    }
}
