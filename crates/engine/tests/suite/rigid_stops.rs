//! Stops that do not give, and cables that snap taut, in one impact with the contacts that are closed.

use carom_engine::law::ImpactLaw;
use carom_engine::model::{
    AxisLimit, CableElasticity, CableLength, Coordinates, Force, ForceKind, IntegratorKind, Joint, JointKind,
    Model, Motor, StepControl, Stop,
};
use carom_engine::record::{EventKind, Impact, RunInfo};
use carom_engine::{Outcome, System};
use carom_geometry::Shape;
use carom_math::{Pose, Quaternion, Vec3};

use crate::by_parts::goes_on_with_the_same_bits;
use crate::drives::swing;
use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::rigid::{law_of, make};
use crate::scene::{self, Keeper, ball, fixed, floor};

const G: f64 = 9.81;

fn rigid_stop(restitution: f64) -> Stop {
    Stop::Rigid { restitution, impact: ImpactLaw::Poisson }
}

fn upper(bound: f64, stop: Stop) -> Option<AxisLimit> {
    Some(AxisLimit { lower: None, upper: Some(bound), stop })
}

/// A run with its rows, and its names.
struct Run {
    outcome: Outcome,
    kept: Keeper,
    info: RunInfo,
}

fn run(model: &Model) -> Run {
    let (outcome, kept) = scene::run(model);
    Run { outcome, kept, info: System::compile(model).unwrap().info().clone() }
}

impl Run {
    fn pair_of(&self, contact: usize) -> usize {
        self.info.contacts[contact].pair
    }

    fn pair(&self, name: &str) -> usize {
        self.info.pairs.iter().position(|pair| pair.name == name).unwrap()
    }

    /// Impacts, each with the index of its pair.
    fn impacts(&self) -> Vec<(f64, usize, Impact)> {
        let events = self.kept.events.iter();
        events.filter_map(|e| Some((e.time, self.pair_of(e.contact), e.impact?))).collect()
    }
}

/// A hinge about −y, so that a positive angle lifts what lies along x.
fn lifting(name: &str, a: usize, b: usize) -> Joint {
    let mut hinge = joint(name, JointKind::Revolute, at(a, 0.0, 0.0, 0.0), at(b, 0.0, 0.0, 0.0));
    let turn = Quaternion::from_axis_angle(&Vec3::x(), 0.5 * std::f64::consts::PI).to_matrix();
    (hinge.a.pose.rotation, hinge.b.pose.rotation) = (turn, turn);
    hinge
}

/// A door of inertia J comes to its stop at ω: it turns back at e ω, by an impulse of (1 + e) J ω.
#[test]
fn a_door_comes_back_from_its_stop() {
    let (inertia, omega, bound, e) = (5.0, 3.0, 0.5, 0.6);
    for coordinates in [Coordinates::Joint, Coordinates::Body] {
        for method in [IntegratorKind::Ode45, IntegratorKind::Dop853] {
            let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
            hinge.velocity = Some(vec![omega]);
            hinge.elements[0].limit = upper(bound, rigid_stop(e));
            let door = part("door", 10.0, Vec3::new(inertia, inertia, inertia));
            let mut model = mechanism(vec![ground(), door], vec![hinge], 0.0, 0.3, 1e-10);
            model.solver.coordinates = coordinates;
            model.solver.method = method;
            let run = run(&model);
            let (outcome, kept) = (&run.outcome, &run.kept);
            assert!(outcome.residual_relative < 1e-12, "{}", outcome.residual_relative);
            let [(time, _, impact)] = run.impacts()[..] else { panic!("{:?}", kept.events) };
            assert!((time - bound / omega).abs() < 1e-12);
            assert!((impact.separation_speed - e * omega).abs() < 1e-12);
            assert!((impact.impulse_normal - (1.0 + e) * inertia * omega).abs() < 1e-10);
            assert!((impact.lost - 0.5 * inertia * omega * omega * (1.0 - e * e)).abs() < 1e-10);
            assert!((outcome.bodies[1].angular_velocity.z + e * omega).abs() < 1e-12);
            assert_eq!(outcome.lines[0].name, "hinge.limit");
        }
    }
}

/// A motor presses a door against its stop with T cos(w t): the stop carries just that, and lets go where it changes its sign.
#[test]
fn a_stop_carries_what_presses_and_lets_go_when_nothing_does() {
    let (torque, w, inertia, t_end) = (7.0, 4.0, 2.0, 0.6_f64);
    let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    hinge.position = Some(vec![0.5]);
    hinge.elements[0].limit = upper(0.5, rigid_stop(0.3));
    hinge.elements[0].motor = Some(Motor::Force(swing(0.0, torque, w, 0.5 * std::f64::consts::PI)));
    let door = part("door", 10.0, Vec3::new(inertia, inertia, inertia));
    let mut model = mechanism(vec![ground(), door], vec![hinge], 0.0, t_end, 1e-10);
    model.output.every = Some(0.05);
    let run = run(&model);
    let (outcome, kept) = (&run.outcome, &run.kept);
    assert!(outcome.residual_relative < 1e-9, "{}", outcome.residual_relative);
    let leaves = 0.5 * std::f64::consts::PI / w;
    let ends = kept.times(EventKind::ContactEnd);
    assert!(ends.len() == 1 && (ends[0] - leaves).abs() < 1e-9, "{ends:?} for {leaves}");
    assert!(run.impacts().is_empty());
    for frame in kept.frames.iter().filter(|frame| frame.time < leaves) {
        let pressed = torque * libm::cos(w * frame.time);
        assert!((frame.contacts[0].normal_force - pressed).abs() < 1e-10);
    }
    // J ω' = T cos(w t) from then on.
    let omega = torque / (inertia * w) * (libm::sin(w * t_end) - 1.0);
    assert!((outcome.bodies[1].angular_velocity.z - omega).abs() < 1e-8);
}

const CARRIER: f64 = 3.0;
const BOB: f64 = 2.0;
const ARM: f64 = 0.4;
const RADIUS: f64 = 0.05;
const BOUND: f64 = 0.7;

/// A carrier that falls along a guide, and a pendulum on it whose bob lies on a table: as the carrier sinks the bob slides and the
/// pendulum lifts to its stop.
fn sinking(e: f64) -> Model {
    let start = 0.2_f64;
    let table = -RADIUS + ARM * start.sin();
    let mut bob = ball("bob", BOB, RADIUS, Vec3::zeros());
    (bob.pose_stated, bob.velocity_stated) = (false, false);
    let bodies = vec![floor(), part("carrier", CARRIER, Vec3::new(0.1, 0.1, 0.1)), bob, ground()];
    let mut model = make(bodies, law_of(0.0, 0.0), 0.45);
    model.bodies[0].position.z = table;
    model.pairs.retain(|pair| [pair.a.body, pair.b.body] == [0, 2]);
    let guide = joint("guide", JointKind::Prismatic, at(3, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    let mut hinge = lifting("hinge", 1, 2);
    hinge.b.pose.translation.x = -ARM;
    hinge.position = Some(vec![start]);
    hinge.elements[0].limit = upper(BOUND, rigid_stop(e));
    model.joints = vec![guide, hinge];
    model
}

/// Speed of the pendulum at the stop: the potential energy of the carrier, which has sunk, is in M(θ) θ̇²/2 with ż = −l cos θ θ̇.
fn speed_at_stop() -> f64 {
    let inertia = 0.4 * BOB * RADIUS * RADIUS;
    let (s, c) = (BOUND.sin(), BOUND.cos());
    let sunk = ARM * (s - 0.2_f64.sin());
    let along = CARRIER * ARM * ARM * c * c + BOB * ARM * ARM * s * s + inertia;
    (2.0 * CARRIER * G * sunk / along).sqrt()
}

/// Impulses of the table and of the stop that bring the carrier and the pendulum to rest, from M v⁻ + W Λ = 0 in (z, θ).
fn impulses(omega: f64) -> [f64; 2] {
    let inertia = 0.4 * BOB * RADIUS * RADIUS;
    let (s, c) = (BOUND.sin(), BOUND.cos());
    let table = CARRIER * ARM * c * omega;
    [table, omega * (CARRIER * ARM * ARM * c * c + BOB * ARM * ARM * s * s + inertia)]
}

/// A pendulum strikes its stop while its bob touches a table: one impact of both, Λ_C and by Poisson's law e Λ_C again.
#[test]
fn a_pendulum_at_its_stop_presses_its_bob_onto_the_table() {
    let omega = speed_at_stop();
    for e in [0.0, 0.5] {
        for coordinates in [Coordinates::Joint, Coordinates::Body] {
            let mut model = sinking(e);
            model.solver.coordinates = coordinates;
            let run = run(&model);
            let (outcome, kept) = (&run.outcome, &run.kept);
            assert!(outcome.residual_relative < 1e-8, "{}", outcome.residual_relative);
            let hits = run.impacts();
            let stop = hits.iter().find(|(_, pair, _)| *pair == run.pair("hinge.limit")).unwrap();
            let table = hits.iter().find(|(time, pair, _)| *pair != stop.1 && *time == stop.0).unwrap();
            let [on_table, on_stop] = impulses(omega).map(|impulse| (1.0 + e) * impulse);
            let (a, b) = (table.2.impulse_normal, stop.2.impulse_normal);
            assert!(
                (a - on_table).abs() < 1e-7 && (b - on_stop).abs() < 1e-7,
                "{a} {on_table} {b} {on_stop}"
            );
            assert!((stop.2.separation_speed - e * omega).abs() < 1e-7);
            assert!(table.2.separation_speed.abs() < 1e-7);
            if e == 0.0 {
                // At rest: the table carries the weights, the stop the carrier's by the arm.
                let end = kept.frames.last().unwrap();
                let of = |pair: usize| {
                    end.contacts.iter().find(|c| run.pair_of(c.contact) == pair).unwrap().normal_force
                };
                assert!((of(table.1) - (CARRIER + BOB) * G).abs() < 1e-9);
                assert!((of(stop.1) - CARRIER * G * ARM * BOUND.cos()).abs() < 1e-9);
            }
        }
    }
}

/// The same by time stepping: impulses to the order of the step, and at rest the same forces.
#[test]
fn time_stepping_has_the_same_stop() {
    let with = |h: f64| {
        let mut model = sinking(0.0);
        model.solver.method = IntegratorKind::Moreau;
        model.solver.step = StepControl::Fixed(h);
        model.output.every = Some(0.01);
        let run = run(&model);
        let (outcome, kept) = (&run.outcome, &run.kept);
        assert!(outcome.residual_relative < 1e-3 * (h / 1e-3), "{}", outcome.residual_relative);
        let end = kept.frames.last().unwrap();
        let stop = run.pair("hinge.limit");
        let force = |is_stop: bool| {
            end.contacts.iter().find(|c| (run.pair_of(c.contact) == stop) == is_stop).unwrap().normal_force
        };
        assert!((force(false) - (CARRIER + BOB) * G).abs() < 1e-6);
        assert!((force(true) - CARRIER * G * ARM * BOUND.cos()).abs() < 1e-6, "{}", force(true));
        // The stop's impulse less what its load has had of time since is that of the impact.
        outcome.pairs[stop].impulse_normal - force(true) * (0.45 - stop_time())
    };
    let exact = impulses(speed_at_stop())[1];
    let [coarse, fine] = [1e-3, 1e-4].map(|h| (with(h) - exact).abs() / exact);
    assert!(coarse < 0.02 && fine < 0.002, "{coarse} {fine}");
}

/// When the stop is reached: by the event-driven scheme, which has it to 1e-9.
fn stop_time() -> f64 {
    let run = run(&sinking(0.0));
    run.impacts().iter().find(|(_, pair, _)| *pair == run.pair("hinge.limit")).unwrap().0
}

fn rope(length: f64, a: (usize, f64, f64, f64), b: usize) -> Force {
    let path = vec![at(a.0, a.1, a.2, a.3), at(b, 0.0, 0.0, 0.0)];
    let length = CableLength { initial: Some(length), rate: None };
    Force { name: "rope".to_owned(), kind: ForceKind::Cable { path, length, elasticity: None } }
}

/// A ball falls along a wall on a cable that hangs from the wall's edge and snaps: cable and wall in one impact bring it to rest,
/// T h/L = m v and Λ = T r/L. The cable alone would have driven it into the wall.
fn along_a_wall() -> (Model, [f64; 3]) {
    let (mass, radius, length, start) = (2.0, 0.3, 0.5, 0.1);
    let below = f64::sqrt(length * length - radius * radius);
    let speed = (2.0 * G * (below - start)).sqrt();
    let turn = Quaternion::from_axis_angle(&Vec3::y(), 0.5 * std::f64::consts::PI).to_matrix();
    let wall = fixed("wall", Shape::HalfSpace, Pose { rotation: turn, translation: Vec3::zeros() });
    let ball = ball("ball", mass, radius, Vec3::new(radius, 0.0, -start));
    let mut model = make(vec![wall, ball, ground()], law_of(0.0, 0.0), 0.4);
    model.pairs.retain(|pair| [pair.a.body, pair.b.body] == [0, 1]);
    model.forces.push(rope(length, (2, 0.0, 0.0, 0.0), 1));
    let tension = mass * speed * length / below;
    (model, [tension, tension * radius / length, 0.5 * mass * speed * speed])
}

#[test]
fn a_cable_snaps_together_with_the_wall() {
    let (model, [tension, on_wall, lost]) = along_a_wall();
    let run = run(&model);
    let outcome = &run.outcome;
    assert!(outcome.residual_relative < 1e-9, "{}", outcome.residual_relative);
    let hits = run.impacts();
    let cable = run.pair("rope");
    let [snap, wall] = [true, false].map(|is| hits.iter().find(|hit| (hit.1 == cable) == is).unwrap());
    assert_eq!(snap.0, wall.0);
    let (a, b) = (snap.2.impulse_normal, wall.2.impulse_normal);
    assert!((a - tension).abs() < 1e-8 && (b - on_wall).abs() < 1e-8, "{a} {tension} {b} {on_wall}");
    assert!((outcome.energy.dissipated_impact - lost).abs() < 1e-8);
    assert!(outcome.bodies[1].velocity.norm() < 1e-12);
    assert_eq!(hits.len(), 2);
}

#[test]
fn time_stepping_has_the_same_cable() {
    let (mut model, [_, _, lost]) = along_a_wall();
    model.solver.method = IntegratorKind::Moreau;
    model.solver.step = StepControl::Fixed(1e-4);
    let run = run(&model);
    let (outcome, kept) = (&run.outcome, &run.kept);
    assert!((outcome.energy.dissipated_impact - lost).abs() < 1e-2 * lost);
    let end = kept.frames.last().unwrap();
    assert!(end.bodies[1].velocity.norm() < 1e-6, "{}", end.bodies[1].velocity);
    // m g L/h in the cable, and its part along the wall's normal.
    let wall = end.contacts[0].normal_force;
    assert!((wall - 2.0 * G * 0.3 / 0.4).abs() < 1e-6, "{wall}");
    assert_eq!(kept.times(EventKind::ContactBegin).len(), 2);
}

/// A ball hangs on a taut cable. One from below lifts it, as if there were no cable, which goes slack; one from above does not move
/// it: the cable takes the impulse.
#[test]
fn a_taut_cable_holds_against_what_pulls_it_alone() {
    let (hung, striker, radius, speed, e) = (2.0, 3.0, 0.1, 2.5, 0.4);
    for (from_below, method) in [
        (true, IntegratorKind::Dop853),
        (false, IntegratorKind::Dop853),
        (true, IntegratorKind::Moreau),
        (false, IntegratorKind::Moreau),
    ] {
        let side = if from_below { -1.0 } else { 1.0 };
        let mut other = ball("striker", striker, radius, Vec3::new(0.0, 0.0, side * (2.0 * radius + 0.05)));
        other.velocity.z = -side * speed;
        let bodies = vec![ground(), ball("hung", hung, radius, Vec3::zeros()), other];
        let mut model = make(bodies, law_of(e, 0.0), 0.03);
        model.pairs.retain(|pair| [pair.a.body, pair.b.body] == [1, 2]);
        // Aside, so that the striker from above passes.
        model.forces.push(rope(1.0, (0, 0.0, 0.0, 1.0), 1));
        model.gravity = Vec3::new(0.0, 0.0, -1e-3);
        let is_stepped = method == IntegratorKind::Moreau;
        model.solver.method = method;
        if is_stepped {
            model.solver.step = StepControl::Fixed(1e-4);
        }
        let outcome = run(&model).outcome;
        let z = [1, 2].map(|body| outcome.bodies[body].velocity.z);
        let after = if from_below {
            let common = striker * speed / (striker + hung);
            [(1.0 + e) * common, common - e * speed * hung / (striker + hung)]
        } else {
            [0.0, e * speed]
        };
        // Gravity adds 3e-5 m/s.
        assert!((z[0] - after[0]).abs() < 1e-4 && (z[1] - after[1]).abs() < 1e-4, "{z:?} for {after:?}");
    }
}

/// A ball falls 0.3 m onto an elastic rope, far from the wall: what `moreau` knows of it at the ends of its steps is the closed form to
/// the order of the step: greatest stretch g/ω² + √((g/ω²)² + (v/ω)²), as fast away as it came.
#[test]
fn time_stepping_follows_an_elastic_rope() {
    let (mass, length, fall, stiffness) = (2.0_f64, 0.5, 0.3, 5e3);
    let (mut model, _) = along_a_wall();
    model.bodies[1].position = Vec3::new(10.0, 0.0, fall - length);
    model.forces.clear();
    model.forces.push(rope(length, (2, 10.0, 0.0, 0.0), 1));
    if let ForceKind::Cable { elasticity, .. } = &mut model.forces[0].kind {
        *elasticity = Some(CableElasticity { stiffness, damping: 0.0 });
    }
    model.solver.method = IntegratorKind::Moreau;
    model.solver.step = StepControl::Fixed(1e-4);
    let run = run(&model);
    let [episode] = &run.kept.episodes[..] else { panic!("one episode") };
    let (speed, sag) = ((2.0 * G * fall).sqrt(), mass * G / stiffness);
    let stretch = sag + sag.hypot(speed * (mass / stiffness).sqrt());
    let near = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 5e-3, "{found} {wanted}");
    near(episode.peaks.force.value, stiffness * stretch);
    near(episode.peaks.penetration.value, stretch);
    near(episode.begin, speed / G);
    near(episode.approach_speed, speed);
    near(episode.separation_speed.unwrap(), speed);
    near(episode.impulse_normal, 2.0 * mass * speed + mass * G * (episode.end.unwrap() - episode.begin));
}

/// Images have what stops and cables hold: the rest of a run has the same bits, from before an impact, while it is pressed, and after.
#[test]
fn a_checkpoint_has_what_stops_and_cables_hold() {
    let (wall, _) = along_a_wall();
    for (model, kinds) in [(sinking(0.3), EventKind::Impact), (wall, EventKind::Impact)] {
        let end = model.solver.t_end;
        let first = scene::run(&model).1.times(kinds)[0];
        assert!(first > 0.0 && first < end, "{first} {end}");
        let times = [0.5 * first, first, 0.5 * (first + end), 0.9 * end];
        goes_on_with_the_same_bits(&model, &times, end);
    }
}
