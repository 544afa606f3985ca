//! Rigid balls that come over the border of a face, where what their contact does jumps: the force of a ball that goes on around an edge falls by
//! m v²/R at once.

use carom_engine::model::IntegratorKind;
use carom_engine::record::EventKind;
use carom_geometry::Shape;
use carom_math::{Pose, Vec3};

use crate::rigid::{law_of, make};
use crate::scene::{Keeper, ball, fixed, run};

const G: f64 = 9.81;
const RADIUS: f64 = 0.05;
/// Half the length of the table along x and y.
const HALF: f64 = 1.0;
/// From where the ball starts to the border.
const WAY: f64 = 0.1;

/// A ball that is set down on a table with a speed towards its border at x = 1, with a spin about y.
fn over_the_border(speed: f64, spin: f64, mu: f64, method: IntegratorKind) -> Keeper {
    let table = fixed(
        "table",
        Shape::Box { half: Vec3::new(HALF, HALF, 0.1) },
        Pose::from_translation(Vec3::new(0.0, 0.0, -0.1)),
    );
    let mut thrown = ball("ball", 1.0, RADIUS, Vec3::new(HALF - WAY, 0.13, RADIUS));
    thrown.velocity = Vec3::new(speed, 0.0, 0.0);
    thrown.angular_velocity = Vec3::new(0.0, spin, 0.0);
    let mut model = make(vec![table, thrown], law_of(0.2, mu), WAY / speed + 0.15);
    model.solver.method = method;
    let (outcome, kept) = run(&model);
    let what = format!("{speed} m/s, {method:?}");
    assert!(outcome.residual_relative < 1e-7, "{what}: residual {:e}", outcome.residual_relative);
    assert!(outcome.statistics.steps < 1000, "{what}: {:?}", outcome.statistics);
    assert_eq!(kept.times(EventKind::ContactEnd).len(), 1, "{what}: it leaves once");
    assert_eq!(kept.times(EventKind::Impact).len(), 0, "{what}: it falls onto nothing");
    kept
}

/// Faster than √(g R) a ball leaves a table at its border, and flies as a stone does. On which side of the border it is is known to 1e-6 of the
/// radius (second differences of looks a thousandth of it apart): so far it goes on around the edge, and so much its direction turns.
#[test]
fn a_fast_ball_leaves_a_table_at_its_border() {
    use IntegratorKind::{Dop853, Ode45, Ode113, Radau5};
    for speed in [0.71, 0.8, 1.0, 1.1, 1.5, 2.0, 5.0, 20.0] {
        for (mu, spin) in [(0.0, 0.0), (0.3, speed / RADIUS)] {
            for method in [Ode45, Dop853, Ode113, Radau5] {
                let kept = over_the_border(speed, spin, mu, method);
                let what = format!("{speed} m/s, {method:?}, mu = {mu}");
                let left = kept.times(EventKind::ContactEnd)[0];
                let border = WAY / speed;
                assert!((left - border).abs() < 2e-6 * RADIUS / speed, "{what}: {left} not {border}");
                let end = kept.frames.last().unwrap();
                let flight = end.time - border;
                let position = end.bodies[1].position;
                let fallen = RADIUS - 0.5 * G * flight * flight;
                let off = 1.5e-6 * speed * flight + 1e-8;
                assert!((position.z - fallen).abs() < off, "{what}: {} not {fallen}", position.z);
                assert!((position.x - HALF - speed * flight).abs() < off, "{what}: {position}");
            }
        }
    }
}

/// A slower one without friction goes on around the edge and leaves it where m v²/R = m g cos θ, with v² = v₀² + 2 g R (1 − cos θ): cos θ = (2 +
/// v₀²/(g R))/3.
#[test]
fn a_slow_ball_goes_around_the_border_first() {
    use IntegratorKind::{Dop853, Ode45};
    for speed in [0.2, 0.3, 0.5, 0.6, 0.69] {
        for method in [Ode45, Dop853] {
            let kept = over_the_border(speed, 0.0, 0.0, method);
            let left = kept.events.iter().find(|event| event.kind == EventKind::ContactEnd).unwrap();
            let expected = (2.0 + speed * speed / (G * RADIUS)) / 3.0;
            let cosine = left.normal.z.abs();
            assert!((cosine - expected).abs() < 2e-6, "{speed} m/s, {method:?}: {cosine} not {expected}");
        }
    }
}
