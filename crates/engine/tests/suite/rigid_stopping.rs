//! Slips in space that come to rest while friction turns them.

use carom_engine::Outcome;
use carom_engine::model::{Body, IntegratorKind};
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::rigid::{law_of, make};
use crate::scene::{Keeper, body, floor, run};

const RADIUS: f64 = 0.05;
const HALF: f64 = 0.1;

/// Of 4000 such motions none takes more than 410 steps; those that were led around rest took 3000 to 25 000.
const MOST_STEPS: u64 = 1000;

/// A capsule of 1 kg that rolls and slips on one end, from any tilt and with any spin.
fn thrown(rng: &mut SplitMix64) -> Body {
    let (tilt, turn) = (rng.uniform(0.2, 1.3), rng.uniform(0.0, std::f64::consts::TAU));
    let about = |axis: Vec3, angle: f64| Quaternion::from_axis_angle(&axis, angle).to_matrix();
    let rotation = about(Vec3::z(), turn) * about(Vec3::y(), tilt);
    let inertia = Mat3::from_diagonal(&Vec3::new(4e-3, 4e-3, 1.25e-3));
    let translation = Vec3::new(0.0, 0.0, RADIUS + HALF * libm::cos(tilt));
    let pose = Pose { rotation, translation };
    let shape = Shape::Capsule { radius: RADIUS, half_length: HALF };
    let mut rod = body("rod", 1.0, inertia, shape, pose);
    rod.angular_velocity = rng.unit_vector() * rng.uniform(0.0, 8.0);
    // The end that touches keeps its height.
    let low = rotation * Vec3::new(0.0, 0.0, -HALF) - Vec3::z() * RADIUS;
    let rises = rod.angular_velocity.cross(&low).z;
    rod.velocity = Vec3::new(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), -rises);
    rod
}

/// Friction that turns while it stops a slip brings it to rest, and not around that: the steps are those of a motion without stiffness, and it
/// goes on as a run that is a thousand times as exact.
#[test]
fn slips_stop_as_they_turn() {
    let rounds = std::env::var("STOPPING_ROUNDS").map_or(200, |rounds| rounds.parse().expect("a number"));
    let mut rng = SplitMix64::new(3);
    for round in 0..rounds {
        let bodies = vec![floor(), thrown(&mut rng)];
        let run_by = |method: IntegratorKind, rtol: f64| -> (Outcome, Keeper) {
            let mut model = make(bodies.clone(), law_of(0.2, 0.8), 0.3);
            model.solver.method = method;
            model.solver.rtol = rtol;
            run(&model)
        };
        let (outcome, kept) = run_by(IntegratorKind::Ode45, 1e-6);
        let (_, exact) = run_by(IntegratorKind::Dop853, 1e-10);
        let steps = outcome.statistics.steps;
        let [end, best] = [&kept, &exact].map(|kept| kept.frames.last().expect("rows").bodies[1].position);
        assert!(steps < MOST_STEPS, "{round}: {steps} steps");
        assert!((end - best).norm() < 1e-5, "{round}: {:e} m off", (end - best).norm());
        assert!(outcome.residual_relative < 1e-5, "{round}: {:e}", outcome.residual_relative);
    }
}
