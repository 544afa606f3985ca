//! Slow partings and last bounces of round ends on faces of solids, whose gaps are known to the rounding of a search: what comes no higher than that under
//! what acts on it stays, and nothing else.

use carom_engine::function::TimeFunction;
use carom_engine::model::{Body, Force, ForceAxes, ForceKind};
use carom_engine::record::EventKind;
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Vec3};

use crate::mechanism::at;
use crate::rigid::{law_of, make};
use crate::scene::{body, cylinder, fixed, run};

const G: f64 = 9.81;
const HALF: f64 = 0.05;

/// A can whose low end is at a height (m).
fn can(height: f64) -> Body {
    cylinder("can", 1.0, 0.03, 2.0 * HALF, Pose::from_translation(Vec3::new(0.0, 0.0, height + HALF)))
}

/// A block with its top at z = 0, as long as what slides over it needs.
fn block(length: f64) -> (Shape, Pose) {
    let half = Vec3::new(length, 1.0, 0.1);
    (Shape::Box { half }, Pose::from_translation(Vec3::new(0.0, 0.0, -0.1)))
}

/// Without gravity nothing brings back what parts, however slowly and however fast both move: after t it is v t apart. It was held where v was small
/// beside the speed of the frame: 42 J of two bodies that parted at 10 m/s in orbit went without a trace.
#[test]
fn what_parts_in_a_fast_frame_parts() {
    for (frame, parts) in [(0.0, 1e-7), (300.0, 1e-2), (300.0, 1e-4), (7500.0, 0.1)] {
        let (shape, pose) = block(0.5);
        let mut plate = body("plate", 5.0, Mat3::identity(), shape, pose);
        let mut parting = can(0.0);
        plate.velocity = Vec3::new(frame, 0.0, 0.0);
        parting.velocity = Vec3::new(frame, 0.0, parts);
        let mut model = make(vec![plate, parting], law_of(0.0, 0.0), 0.1);
        model.gravity = Vec3::zeros();
        let (_, kept) = run(&model);
        for row in &kept.frames {
            let apart = row.bodies[1].position.z - row.bodies[0].position.z - 0.1 - HALF;
            // Heights are sums of numbers of 0.1 m.
            let off = (apart - parts * row.time).abs();
            assert!(off < 1e-15 + 1e-12 * parts, "{frame} {parts}: off by {off:e} m at {} s", row.time);
        }
    }
}

/// What gravity brings back flies as long as it should, 2 v / g, and strikes again: also where all is fast along the face, and something else is faster still.
#[test]
fn what_is_thrown_up_slowly_flies() {
    for (frame, bullet) in [(0.0, 0.0), (30.0, 0.0), (0.0, 900.0)] {
        let (shape, pose) = block(10.0);
        let mut thrown = can(0.0);
        thrown.velocity = Vec3::new(frame, 0.0, 0.01);
        let far = Pose::from_translation(Vec3::new(0.0, 50.0, 50.0));
        let mut shot =
            body("shot", 0.01, Mat3::identity() * 1e-8, Shape::Sphere { radius: 1e-3, hollow: false }, far);
        shot.velocity = Vec3::new(0.0, bullet, 0.0);
        let model = make(vec![fixed("table", shape, pose), thrown, shot], law_of(0.0, 0.0), 0.01);
        let (_, kept) = run(&model);
        let back = kept.times(EventKind::ContactBegin);
        let wanted = 0.02 / G;
        // 1e-9 s at 1 cm/s are the 1e-11 m to which a touch is located.
        assert!(back.iter().any(|time| (time - wanted).abs() < 1e-9), "{frame} {bullet}: {back:?}");
    }
}

/// A can with e = 0.9 bounces for √(2h/g) (1 + e)/(1 − e). The rule that ends it takes 1e-5 of that where nothing else moves, and what moves along the face
/// or far away, which is the model's speed, no more than a hundredth: it ended the first bounce, at 0.14 m/s, when the search's rounding was asked of all.
#[test]
fn cans_bounce_to_their_end() {
    let wanted = (2.0 * 1e-3 / G).sqrt() * 1.9 / 0.1;
    for (slide, share) in [(0.0, 1e-4), (10.0, 1e-3), (100.0, 2e-2)] {
        let (shape, pose) = block(100.0);
        let mut bouncing = can(1e-3);
        bouncing.velocity.x = slide;
        let mut model = make(vec![fixed("table", shape, pose), bouncing], law_of(0.9, 0.0), 0.3);
        model.solver.rtol = 1e-9;
        let (_, kept) = run(&model);
        let rests = kept.times(EventKind::Rest).into_iter().next().expect("it rests");
        assert!((rests - wanted).abs() < share * wanted, "{slide} m/s: {rests} s, not {wanted}");
    }
}

/// A can that is pushed as hard as it takes to tip it, F = m g R / H, and turns about the edge of its end at ω: it goes on as ω cosh(λ t), with
/// λ² = m g H (1 + R²/H²) / I of its turning away from where both moments are even, far away too. Its end does not hover: it stands on the edge.
#[test]
fn what_tips_slowly_tips() {
    let (radius, spin) = (0.03, 1e-3);
    for x in [0.0, 100.0] {
        let (shape, pose) = block(1.0);
        let far = Pose::from_translation(Vec3::new(x, 0.0, 0.0));
        let mut tips =
            cylinder("can", 1.0, radius, 2.0 * HALF, far.compose(&Pose::from_translation(Vec3::z() * HALF)));
        tips.velocity = Vec3::new(HALF, 0.0, radius) * spin;
        tips.angular_velocity = Vec3::new(0.0, spin, 0.0);
        let mut model = make(vec![fixed("table", shape, far.compose(&pose)), tips], law_of(0.0, 2.0), 0.3);
        model.solver.rtol = 1e-8;
        let components = [G * radius / HALF, 0.0, 0.0].map(TimeFunction::Constant);
        let kind = ForceKind::Force { on: at(1, 0.0, 0.0, 0.0), components, axes: ForceAxes::World };
        model.forces.push(Force { name: "push".to_owned(), kind });
        let (_, kept) = run(&model);
        let inertia = (3.0 * radius * radius + 4.0 * HALF * HALF) / 12.0 + HALF * HALF + radius * radius;
        // About the edge the middle is at (-R, H), and gravity and push together give m g (R²/H + H) per rad.
        let rate = (G * (radius * radius / HALF + HALF) / inertia).sqrt();
        let wanted = spin * libm::cosh(rate * 0.3);
        let last = kept.frames.last().expect("rows").bodies[1].angular_velocity.y;
        // Of the second order in the angle, 1.6e-3 rad.
        assert!((last - wanted).abs() < 2e-3 * wanted, "{x} m off: {last} rad/s, not {wanted}");
    }
}

/// A ball with e = 1 on a can that stands bounces with what it has, however slowly: the rounding of the can's end is not its own.
#[test]
fn a_ball_on_a_can_bounces() {
    for (x, speed) in [(0.0, 1e-5), (100.0, 2e-4)] {
        let (shape, pose) = block(200.0);
        let stands = cylinder("can", 100.0, 0.5, 1.0, Pose::from_translation(Vec3::new(x, 0.0, 0.5)));
        let on_top = Pose::from_translation(Vec3::new(x, 0.0, 1.5));
        let mut ball =
            body("ball", 1.0, Mat3::identity() * 0.1, Shape::Sphere { radius: 0.5, hollow: false }, on_top);
        ball.velocity.z = speed;
        let model = make(vec![fixed("table", shape, pose), stands, ball], law_of(1.0, 0.0), 9.0 * speed / G);
        let (_, kept) = run(&model);
        assert_eq!(kept.times(EventKind::Rest).len(), 0, "{x} m off, {speed} m/s");
        let last = kept.frames.last().expect("rows").bodies[2].velocity.z.abs();
        // 9 v/g is half way through a flight of 2 v/g, where it is highest: a quarter before, it has v.
        assert!(last < 1e-3 * speed, "{x} m off: {last} m/s");
    }
}
