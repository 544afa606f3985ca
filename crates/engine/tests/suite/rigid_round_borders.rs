//! Cans whose flat ends meet the straight borders of tables and beams: an edge that lies along a round end is held where it crosses the circle.
//! Against tipping in closed form, and over many of them against the search for convex solids.

use carom_engine::model::{Body, IntegratorKind};
use carom_engine::record::EventKind;
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::by_parts::goes_on_with_the_same_bits;
use crate::rigid::{law_of, make};
use crate::rigid_across::deepest;
use crate::scene::{Kept, cylinder, fixed, run};

const G: f64 = 9.81;
/// Of the can (m).
const RADIUS: f64 = 0.05;
const HALF: f64 = 0.2;

fn about(axis: Vec3, angle: f64) -> Mat3 {
    Quaternion::from_axis_angle(&axis.normalize(), angle).to_matrix()
}

/// A block along y whose top is at z = 0, between these x (m).
fn ground(low: f64, high: f64) -> Body {
    let half = Vec3::new(0.5 * (high - low), 1.0, 0.1);
    fixed("ground", Shape::Box { half }, Pose::from_translation(Vec3::new(0.5 * (low + high), 0.0, -0.1)))
}

/// A can whose lower end lies tilted on a border, off its middle by a, tips about that as a compound pendulum as long as it does not slide:
/// ½ (I + m (a² + h²)) ω² = m g (h (cos θ₀ − cos θ) − a (sin θ₀ − sin θ)). Each of both crossings bears half, whichever body comes first.
#[test]
fn a_can_tips_about_a_border_along_its_end() {
    let (a, start) = (0.03, 0.1);
    let rotation = about(Vec3::y(), start);
    let can = cylinder(
        "can",
        1.0,
        RADIUS,
        2.0 * HALF,
        Pose { rotation, translation: rotation * Vec3::new(a, 0.0, HALF) },
    );
    let inertia = (3.0 * RADIUS * RADIUS + 4.0 * HALF * HALF) / 12.0 + a * a + HALF * HALF;
    for (bodies, index) in [(vec![ground(-1.0, 0.0), can.clone()], 1), (vec![can, ground(-1.0, 0.0)], 0)] {
        let (outcome, kept) = run(&make(bodies, law_of(0.0, 5.0), 0.3));
        assert!(outcome.residual_relative < 1e-8, "{:e}", outcome.residual_relative);
        let mut most = 0.0_f64;
        for frame in &kept.frames {
            if kept.times(EventKind::Slip).iter().any(|&slips| slips < frame.time) {
                break;
            }
            let body = &frame.bodies[index];
            let axis = body.orientation.to_matrix().column(2).into_owned();
            let fall = HALF * (libm::cos(start) - axis.z) - a * (libm::sin(start) - axis.x);
            let speed = (2.0 * G * fall / inertia).max(0.0).sqrt();
            let off = (body.angular_velocity.norm() - speed).abs();
            assert!(off < 1e-6, "{} rad/s, not {speed} at {} s", body.angular_velocity.norm(), frame.time);
            let [one, other] = &frame.contacts[..] else { panic!("{} contacts", frame.contacts.len()) };
            let reach = (RADIUS * RADIUS - a * a).sqrt();
            for contact in [one, other] {
                assert!((contact.position.y.abs() - reach).abs() < 1e-6, "at {}", contact.position);
                assert!(contact.position.x.abs() < 1e-6, "at {}", contact.position);
            }
            let forces = [one.normal_force, other.normal_force];
            assert!((forces[0] - forces[1]).abs() < 1e-6 * (forces[0] + forces[1]), "{forces:?}");
            most = most.max(axis.x);
        }
        assert!(most > 0.3, "it tips: {most}");
    }
}

/// A can whose lower end meets a border askew leans on one crossing, with the other one open, and one that meets it straight tips about both: from each
/// part on the rest has the same bits.
#[test]
fn a_checkpoint_has_what_crosses_borders() {
    for (skew, crossings) in [(0.3, 1), (0.0, 2)] {
        let rotation = about(Vec3::new(skew, 1.0, 0.0), 0.25);
        let translation = rotation * Vec3::new(0.02, 0.0, HALF);
        let can = cylinder(
            "can",
            1.0,
            RADIUS,
            2.0 * HALF,
            Pose { rotation, translation: translation + Vec3::new(0.0, 0.0, 0.05 * skew) },
        );
        let model = make(vec![ground(-1.0, 0.0), can], law_of(0.0, 0.8), 0.25);
        let kept = goes_on_with_the_same_bits(&model, &[0.02, 0.06, 0.1, 0.15, 0.2], 0.25);
        let held = |frame: &&Kept| {
            frame.contacts.len() == crossings && frame.contacts.iter().all(|c| c.position.x.abs() < 1e-6)
        };
        let from = kept.frames.iter().find(held).map(|frame| frame.time);
        let to = kept.frames.iter().rev().find(held).map(|frame| frame.time);
        assert!(
            from.is_some_and(|t| t < 0.1) && to.is_some_and(|t| t > 0.15),
            "{crossings}: {from:?} to {to:?}"
        );
    }
}

/// A can that comes down on a border, or on a beam of its own size, at any angle.
fn thrown(rng: &mut SplitMix64) -> (Vec<Body>, f64, f64) {
    let pick = |rng: &mut SplitMix64| [0.0, 0.2, 0.5, 0.8][rng.index(4)];
    let (e, mu) = (pick(rng), pick(rng));
    let width = rng.uniform(0.1, 0.4);
    let place = if rng.index(3) == 0 { ground(-0.5 * width, 0.5 * width) } else { ground(-2.0, 0.0) };
    let (radius, length) = (rng.uniform(0.02, 0.1), rng.uniform(0.1, 0.4));
    let tilt = rng.uniform(-1.0, 1.0);
    let rotation = about(Vec3::z(), rng.uniform(0.0, std::f64::consts::TAU))
        * about(Vec3::y(), std::f64::consts::FRAC_PI_2 + tilt)
        * about(Vec3::z(), rng.uniform(0.0, std::f64::consts::TAU));
    let height = radius + 0.5 * length * libm::sin(tilt.abs()) + rng.uniform(0.001, 0.05);
    let translation = Vec3::new(rng.uniform(-0.15, 0.15), rng.uniform(-0.1, 0.1), height);
    let mut can = cylinder("can", 1.0, radius, length, Pose { rotation, translation });
    can.velocity = rng.vector_in_cube(0.6);
    can.angular_velocity = rng.vector_in_cube(4.0);
    (vec![place, can], e, mu)
}

/// Cans that bounce, roll, tip and slide at borders get through, and nowhere sink in, and corrections take none of their energy: of 150 such scenes six did not end
/// where an edge lay along an end, or the side came to lie from one point.
#[test]
fn cans_get_along_at_borders() {
    let rounds = std::env::var("BORDER_ROUNDS").map_or(60, |rounds| rounds.parse().expect("a number"));
    let mut rng = SplitMix64::new(17);
    for round in 0..rounds {
        let (bodies, e, mu) = thrown(&mut rng);
        let mut model = make(bodies, law_of(e, mu), 0.5);
        model.solver.method = IntegratorKind::Ode45;
        model.solver.rtol = 1e-6;
        let (outcome, kept) = run(&model);
        let steps = outcome.statistics.steps;
        assert!(steps < 20_000, "{round}: {steps} steps");
        let done = kept.frames.last().expect("rows").energy.projection;
        let moved = outcome.energy_reference;
        assert!(done.abs() < 1e-3 * moved, "{round}: {done:e} J of {moved:e}");
        let deepest = deepest(&model, &kept);
        assert!(deepest > -1e-6, "{round}: {deepest:e} m deep");
    }
}
