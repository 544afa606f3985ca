//! Rigid (set-valued) contact of models, against closed forms: impacts, rest, sticking, slipping, rolling.

use carom_engine::function::{Interpolation, Table, TimeFunction};
use carom_engine::law::{ImpactLaw, Law, NormalKind, RigidBlock};
use carom_engine::model::{Body, Force, ForceAxes, ForceKind, IntegratorKind, Method};
use carom_engine::record::{EventKind, Impact};
use carom_engine::{EndReason, Model, Outcome, Simulation, System};
use carom_math::{Pose, Quaternion, Vec3};

use crate::mechanism::at;
use crate::scene::{Keeper, Kept, ball, block, floor, law, model, run, run_any};

const G: f64 = 9.81;
const TOLERANCE: f64 = 1e-9;

/// A rigid law.
pub(crate) fn law_of(e_n: f64, mu: f64) -> Law {
    let block =
        RigidBlock { normal: e_n, tangential: 0.0, bound: 0.0, mu: Some(mu), impact: ImpactLaw::Poisson };
    Law { rigid: Some(block), ..law(NormalKind::Exact, 1.0) }
}

pub(crate) fn make(bodies: Vec<Body>, law: Law, t_end: f64) -> Model {
    let mut model = model(bodies, law, G, t_end, TOLERANCE);
    model.contact_lines[0].method = Method::Nonsmooth;
    model
}

fn impacts(kept: &Keeper) -> Vec<(f64, Impact)> {
    kept.events.iter().filter_map(|e| Some((e.time, e.impact?))).collect()
}

fn last(kept: &Keeper) -> &Kept {
    kept.frames.last().unwrap()
}

/// No account is the rest of the others, so that the balance is a measurement.
fn balances(outcome: &Outcome) {
    assert!(outcome.residual_relative < 1e-8, "residual {}", outcome.residual_relative);
}

#[test]
fn a_ball_bounces_as_its_restitution_says_and_comes_to_rest() {
    let (height, e) = (1.0, 0.8);
    let bodies = vec![floor(), ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, height + 0.1))];
    let (outcome, kept) = run(&make(bodies, law_of(e, 0.0), 5.0));
    balances(&outcome);
    let hits = impacts(&kept);
    let speed = (2.0 * G * height).sqrt();
    let mut time = speed / G;
    for (n, (at, impact)) in hits.iter().take(20).enumerate() {
        let before = speed * e.powi(n as i32);
        assert!((at - time).abs() < 1e-9, "impact {n} at {at}, not {time}");
        assert!((impact.separation_speed - e * before).abs() < 1e-9 * before.max(1e-3));
        assert!((impact.impulse_normal - (1.0 + e) * before).abs() < 1e-9);
        assert!((impact.lost - 0.5 * (1.0 - e * e) * before * before).abs() < 1e-9);
        time += 2.0 * e * before / G;
    }
    // The sum of all flights is finite; what the last ones would take is below the speed of rest over g.
    let whole = speed / G * (1.0 + e) / (1.0 - e);
    let rest = kept.times(EventKind::Rest);
    assert_eq!(rest.len(), 1);
    assert!((rest[0] - whole).abs() < 2e-6, "at rest at {}, not {whole}", rest[0]);
    let end = last(&kept);
    assert!((end.bodies[1].position.z - 0.1).abs() < 1e-15);
    assert_eq!(end.bodies[1].velocity.norm(), 0.0);
    assert!((end.contacts[0].normal_force - G).abs() < 1e-12);
    assert!((outcome.energy.dissipated_impact - G * height).abs() < 1e-9);
    // From rest to rest: the floor has given what gravity took, in impacts and by its force.
    let given = outcome.pairs[0].impulse_normal;
    assert!((given - 5.0 * G).abs() < 1e-8, "impulse {given}");
}

/// A block on a plane that gravity is inclined against by an angle.
fn on_incline(angle: f64, mu: f64) -> (Outcome, Keeper) {
    let block =
        block("block", 2.0, Vec3::new(0.3, 0.2, 0.1), Pose::from_translation(Vec3::new(0.0, 0.0, 0.05)));
    let mut model = make(vec![floor(), block], law_of(0.0, mu), 1.0);
    model.gravity = Vec3::new(G * angle.sin(), 0.0, -G * angle.cos());
    run(&model)
}

#[test]
fn a_block_sticks_below_the_angle_of_friction_and_slides_above() {
    let angle = 20.0_f64.to_radians();
    let (outcome, kept) = on_incline(angle, 1.01 * angle.tan());
    balances(&outcome);
    assert!(last(&kept).bodies[1].position.x.abs() < 1e-14);
    let mu = 0.2;
    let (outcome, kept) = on_incline(angle, mu);
    balances(&outcome);
    let rate = G * (angle.sin() - mu * angle.cos());
    for frame in &kept.frames {
        let t = frame.time;
        assert!(
            (frame.bodies[1].velocity.x - rate * t).abs() < 1e-9,
            "at {t}: {}",
            frame.bodies[1].velocity.x
        );
        assert!((frame.bodies[1].position.x - 0.5 * rate * t * t).abs() < 1e-9);
    }
    let normal: f64 = last(&kept).contacts.iter().map(|c| c.normal_force).sum();
    assert!((normal - 2.0 * G * angle.cos()).abs() < 1e-9);
}

#[test]
fn a_sliding_ball_comes_to_roll_at_five_sevenths() {
    let (mu, v) = (0.2, 2.0);
    let mut ball = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1));
    ball.velocity = Vec3::new(v, 0.0, 0.0);
    let (outcome, kept) = run(&make(vec![floor(), ball], law_of(0.0, mu), 1.0));
    balances(&outcome);
    let stick = kept.times(EventKind::Stick);
    assert_eq!(stick.len(), 1, "{:?}", kept.events);
    let rolls = 2.0 * v / (7.0 * mu * G);
    assert!((stick[0] - rolls).abs() < 1e-9, "rolls from {}, not {rolls}", stick[0]);
    let end = last(&kept);
    assert!((end.bodies[1].velocity.x - 5.0 / 7.0 * v).abs() < 1e-9);
    let travelled = v * rolls - 0.5 * mu * G * rolls * rolls + 5.0 / 7.0 * v * (1.0 - rolls);
    assert!((end.bodies[1].position.x - travelled).abs() < 1e-9);
    assert!((end.bodies[1].position.z - 0.1).abs() < 1e-15);
}

#[test]
fn a_ball_with_spin_curves_to_the_velocity_that_its_momentum_about_the_floor_says() {
    let (radius, mu) = (0.1, 0.3);
    let mut spinning = ball("ball", 1.0, radius, Vec3::new(0.0, 0.0, radius));
    spinning.velocity = Vec3::new(2.0, 0.0, 0.0);
    spinning.angular_velocity = Vec3::new(-30.0, 5.0, 40.0);
    let (outcome, kept) = run(&make(vec![floor(), spinning.clone()], law_of(0.0, mu), 2.0));
    balances(&outcome);
    // Angular momentum about the line of the contact point: m r (v) + J ω is kept; rolling has v = ω × r.
    let (v, w) = (spinning.velocity, spinning.angular_velocity);
    let slip = Vec3::new(v.x - radius * w.y, v.y + radius * w.x, 0.0);
    let rolls = v - slip * (2.0 / 7.0);
    let end = &last(&kept).bodies[1];
    assert!((end.velocity - rolls).norm() < 1e-8, "{} for {rolls}", end.velocity);
    // The slip keeps its direction; the tolerance allows the spin of 50 rad/s an error of 5e-8.
    let stick = kept.times(EventKind::Stick);
    assert!((stick[0] - 2.0 * slip.norm() / (7.0 * mu * G)).abs() < 1e-7);
}

#[test]
fn a_cradle_hands_on_the_speed_ball_by_ball() {
    let bodies = |gap: f64| {
        (0..5)
            .map(|k| {
                let mut one = ball(&format!("b{k}"), 1.0, 0.05, Vec3::new(k as f64 * (0.1 + gap), 0.0, 0.0));
                if k == 0 {
                    one.position.x = -0.5;
                    one.velocity.x = 1.0;
                }
                one
            })
            .collect::<Vec<_>>()
    };
    let mut model = make(bodies(1e-4), law_of(1.0, 0.0), 1.0);
    model.gravity = Vec3::zeros();
    let (outcome, kept) = run(&model);
    balances(&outcome);
    let end = last(&kept);
    for (k, body) in end.bodies.iter().enumerate() {
        assert!((body.velocity.x - if k == 4 { 1.0 } else { 0.0 }).abs() < 1e-12);
    }
    // Four hits one after another.
    assert_eq!(impacts(&kept).len(), 4);
    // At once: momentum and energy are kept, and nothing approaches.
    let mut model = make(bodies(0.0), law_of(1.0, 0.0), 1.0);
    model.gravity = Vec3::zeros();
    let (outcome, kept) = run(&model);
    balances(&outcome);
    let speeds: Vec<f64> = last(&kept).bodies.iter().map(|b| b.velocity.x).collect();
    assert!((speeds.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{speeds:?}");
    assert!(speeds.iter().map(|v| v * v).sum::<f64>() <= 1.0 + 1e-12, "{speeds:?}");
    assert!(speeds.windows(2).all(|pair| pair[1] >= pair[0] - 1e-12), "{speeds:?}");
}

#[test]
fn a_super_ball_reverses_its_spin() {
    let radius = 0.1;
    let mut falling = ball("ball", 1.0, radius, Vec3::new(0.0, 0.0, 1.0 + radius));
    falling.velocity.x = 1.0;
    let mut law = law_of(1.0, 2.0);
    law.rigid.as_mut().unwrap().tangential = 1.0;
    let (outcome, kept) = run(&make(vec![floor(), falling], law, 0.6));
    balances(&outcome);
    let (_, impact) = impacts(&kept)[0];
    let body = &last(&kept).bodies[1];
    // Slip v − r ω = 1 before, −1 after, at the same energy (Garwin 1969): Δv = −(4/7) v with J = 2/5 m r².
    assert!((body.velocity.x - (1.0 - 4.0 / 7.0)).abs() < 1e-9, "{}", body.velocity.x);
    assert!((body.velocity.x - radius * body.angular_velocity.y + 1.0).abs() < 1e-9);
    assert!(impact.lost.abs() < 1e-9);
}

#[test]
fn a_block_that_rocks_loses_what_housner_says() {
    // A slender block turns about one corner line and lands on the other: ω⁺/ω⁻ = 1 − 3/2 sin² α (Housner 1963).
    let (width, height): (f64, f64) = (0.2, 0.8);
    let alpha = (width / height).atan();
    let tilt: f64 = 0.05;
    let turn = Quaternion::from_axis_angle(&Vec3::y(), tilt).to_matrix();
    let corner = turn * Vec3::new(0.5 * width, 0.0, -0.5 * height);
    let pose = Pose { rotation: turn, translation: Vec3::new(0.0, 0.0, -corner.z) };
    let rocking = block("block", 1.0, Vec3::new(width, 0.3, height), pose);
    let (outcome, kept) = run(&make(vec![floor(), rocking], law_of(0.0, 5.0), 0.5));
    balances(&outcome);
    let first = impacts(&kept)[0].0;
    let rate = |after: bool| {
        let frames = kept.frames.iter().filter(|f| (f.time > first) == after);
        let near = frames.min_by(|a, b| (a.time - first).abs().total_cmp(&(b.time - first).abs())).unwrap();
        // Back to the instant of the impact along the closed form of the motion: ω² + p² (…) is the energy.
        let energy = 0.5 * near.bodies[1].velocity.norm_squared()
            + near.bodies[1].angular_velocity.y.powi(2) * (width * width + height * height) / 24.0
            + G * (near.bodies[1].position.z - 0.5 * height);
        (energy * 2.0 / ((width * width + height * height) / 3.0)).sqrt()
    };
    let ratio = rate(true) / rate(false);
    let housner = 1.0 - 1.5 * alpha.sin().powi(2);
    assert!((ratio - housner).abs() < 1e-7, "{ratio} for {housner}");
}

#[test]
fn a_turned_scene_moves_as_the_scene_does() {
    let bodies = || {
        let mut thrown = block(
            "box",
            1.0,
            Vec3::new(0.2, 0.3, 0.4),
            Pose {
                rotation: Quaternion::from_axis_angle(&Vec3::new(0.3, 0.5, -0.2).normalize(), 0.4)
                    .to_matrix(),
                translation: Vec3::new(0.0, 0.0, 0.6),
            },
        );
        thrown.velocity = Vec3::new(0.7, -0.4, 0.0);
        thrown.angular_velocity = Vec3::new(1.0, 2.0, -0.5);
        vec![floor(), thrown]
    };
    let plain = make(bodies(), law_of(0.4, 0.3), 0.6);
    let turn = Quaternion::from_axis_angle(&Vec3::new(1.0, -2.0, 0.7).normalize(), 1.1).to_matrix();
    let mut turned = plain.clone();
    turned.gravity = turn * plain.gravity;
    for body in &mut turned.bodies {
        body.position = turn * body.position;
        body.orientation = Quaternion::from_matrix(&(turn * body.orientation.to_matrix()));
        body.velocity = turn * body.velocity;
        body.angular_velocity = turn * body.angular_velocity;
    }
    let (one, two) = (run(&plain), run(&turned));
    balances(&one.0);
    let (a, b) = (&last(&one.1).bodies[1], &last(&two.1).bodies[1]);
    assert!(impacts(&one.1).len() > 1);
    assert!((turn * a.position - b.position).norm() < 1e-8, "{} {}", a.position, b.position);
    assert!((turn * a.velocity - b.velocity).norm() < 1e-8);
}

#[test]
fn integrators_agree() {
    let end = |kind: IntegratorKind| {
        let mut ball = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.5));
        ball.velocity = Vec3::new(2.0, 0.5, 0.0);
        ball.angular_velocity = Vec3::new(3.0, -4.0, 10.0);
        let mut model = make(vec![floor(), ball], law_of(0.6, 0.25), 1.5);
        model.solver.method = kind;
        let (outcome, kept) = run(&model);
        balances(&outcome);
        last(&kept).bodies[1]
    };
    let (one, two) = (end(IntegratorKind::Ode45), end(IntegratorKind::Ode113));
    assert!((one.position - two.position).norm() < 1e-7);
    assert!((one.velocity - two.velocity).norm() < 1e-7);
}

#[test]
fn a_restart_gives_the_same_bits() {
    let mut thrown =
        block("box", 1.0, Vec3::new(0.2, 0.3, 0.4), Pose::from_translation(Vec3::new(0.0, 0.0, 0.5)));
    thrown.angular_velocity = Vec3::new(1.0, 2.0, -0.5);
    thrown.velocity = Vec3::new(1.0, 0.0, 0.0);
    let model = make(vec![floor(), thrown], law_of(0.3, 0.4), 1.0);
    let system = System::compile(&model).unwrap();
    let mut kept = Keeper { checkpoint_after: 3, ..Keeper::default() };
    let whole = Simulation::new(&system).run(&mut kept).unwrap();
    let (image, frames, events) = kept.checkpoints[0].clone();
    let mut rest = Keeper::default();
    let again = Simulation::resume(&system, &image).unwrap().run(&mut rest).unwrap();
    assert_eq!(whole.energy, again.energy);
    assert_eq!(kept.frames[frames..], rest.frames[..]);
    assert_eq!(kept.events[events..], rest.events[..]);
}

#[test]
fn surfaces_that_overlap_at_the_start_are_refused() {
    let bodies = vec![floor(), ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.09))];
    let (outcome, _) = run_any(&make(bodies, law_of(0.5, 0.1), 1.0));
    let EndReason::Failed(error) = outcome.end else { panic!("overlapping surfaces ran") };
    assert_eq!(error.code, "E0621");
    assert!(
        error.message.contains("all[floor|ball]") && error.message.contains("1.000e-2"),
        "{}",
        error.message
    );
}

/// A push that grows and turns as a block begins to slip: friction turns the slip within |s|/(μ g), which no explicit step follows while
/// it is next to nothing. m s' = F − μ m g s/|s| has, by implicit Euler steps h, s along s + h F/m and shorter than it by h μ g.
#[test]
fn a_slip_that_begins_while_it_turns_takes_few_steps() {
    let (mu, size, t_end) = (0.5, Vec3::new(0.2, 0.2, 0.1), 0.4);
    let lying = block("block", 1.0, size, Pose::from_translation(Vec3::new(0.0, 0.0, 0.05)));
    let mut model = make(vec![floor(), lying], law_of(0.0, mu), t_end);
    let push = |t: f64| [3.0, 3.8 + 2.0 * t];
    let along = |axis: usize| {
        let points = [0.0, 1.0].map(|t| (t, push(t)[axis]));
        TimeFunction::Table(Table::new(&points, Interpolation::Linear).unwrap())
    };
    // At the sole, so that nothing tips and all corners carry alike.
    let on = at(1, 0.0, 0.0, -0.05);
    let components = [along(0), along(1), TimeFunction::Constant(0.0)];
    let kind = ForceKind::Force { on, components, axes: ForceAxes::World };
    model.forces.push(Force { name: "push".to_owned(), kind });
    let (outcome, kept) = run(&model);
    balances(&outcome);
    let slip = |count: u32| {
        let h = t_end / f64::from(count);
        (1..=count).fold([0.0_f64; 2], |s, k| {
            let force = push(h * f64::from(k));
            let pushed = [s[0] + h * force[0], s[1] + h * force[1]];
            let length = pushed[0].hypot(pushed[1]);
            let left = (1.0 - h * mu * G / length).max(0.0);
            pushed.map(|part| left * part)
        })
    };
    let (coarse, fine) = (slip(100_000), slip(200_000));
    let end = last(&kept).bodies[1].velocity;
    assert!(end.xy().norm() > 0.05, "it slips");
    for axis in 0..2 {
        let wanted = 2.0 * fine[axis] - coarse[axis];
        // It slips where friction is at its bound to 1e-5 of it, which is up to 3e-5 s early.
        assert!((end[axis] - wanted).abs() < 2e-5, "{} for {wanted}", end[axis]);
    }
    assert!(outcome.statistics.steps < 2000, "{} steps", outcome.statistics.steps);
}

/// A force presses so strongly that the last flights, v²/2a high, would be lost in the rounding of the gap long before they are slow for
/// this model, which has no gravity: such impacts repeated for ever. The sum of all flights is finite, and from then on the ball stays.
#[test]
fn a_ball_that_is_pressed_comes_to_rest_however_strongly() {
    let (speed, e) = (0.1, 0.5);
    for press in [1.0, 1e4] {
        let mut ball = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1));
        ball.velocity.z = -speed;
        let rest = 2.0 * speed * e / (1.0 - e) / press;
        let mut model = make(vec![floor(), ball], law_of(e, 0.0), 2.0 * rest);
        model.gravity = Vec3::zeros();
        model.solver.max_steps = 1000;
        let components = [0.0, 0.0, -press].map(TimeFunction::Constant);
        let kind = ForceKind::Force { on: at(1, 0.0, 0.0, 0.0), components, axes: ForceAxes::World };
        model.forces.push(Force { name: "press".to_owned(), kind });
        let (outcome, kept) = run(&model);
        balances(&outcome);
        let rests = kept.times(EventKind::Rest);
        assert_eq!(rests.len(), 1, "pressed with {press} N");
        // What is left are flights slower than a ten-thousandth of the model's speed.
        assert!((rests[0] - rest).abs() < 1e-3 * rest, "{} {rest}", rests[0]);
        assert!((last(&kept).contacts[0].normal_force - press).abs() < 1e-9 * press);
    }
}
