//! Friction that sticks: bristles that hold without creep, slide by the law, create no energy, and turn with the contact.

use carom_engine::function::TimeFunction;
use carom_engine::law::{
    Bristle, BristleKind, BristleLaw, Dwelling, Friction, FrictionKind, Grip, Law, NormalKind,
};
use carom_engine::model::{
    Attachment, Force, ForceKind, Formulation, IntegratorKind, JointKind, Method, Motor, StepControl,
};
use carom_engine::record::EventKind;
use carom_engine::{Model, Simulation, System};
use carom_math::{Pose, Quaternion, Vec3};

use crate::mechanism::{at as joint_at, ground, joint};
use crate::neighbours::{heap, widened};
use crate::scene::{Keeper, ball, block, contact_line, floor, law, model, point, run};

const G: f64 = 9.81;
const MASS: f64 = 0.045;
const MU: f64 = 0.3;

fn sticking(mu: f64, mu_static: f64) -> Law {
    let mut law = law(NormalKind::HuntCrossley, 0.3);
    law.mu = Some(mu);
    law.mu_static = Some(mu_static);
    law.v_reg = Some(1e-3);
    point(&mut law).friction = FrictionKind::StickSlip(BristleKind::DEFAULT);
    point(&mut law).stiffness = Some(1e7);
    law
}

/// What rests with a bristle at its bound, to rounding or beyond it, is held by a force at that bound: where nothing moved the share of the damper was 0/0.
#[test]
fn at_its_bound_at_rest_the_force_is_a_number() {
    let law = Friction::StickSlip(BristleLaw {
        mu: MU,
        mu_static: MU,
        stiffness: 1e7,
        damping: None,
        v_stick: 1e-3,
        scale: 1e-7,
    });
    for pressing in [1e-10, 0.3, 7.0] {
        let bound = MU * pressing;
        for share in [0.5, 1.0, 1.0 + 1e-15, 3.0] {
            for way in [Vec3::x(), Vec3::new(0.6, 0.8, 0.0), Vec3::new(0.1, -0.7, 0.2).normalize()] {
                let bristle = Bristle { deflection: way * (share * bound / 1e7), dwell: 0.0 };
                let at = Grip { pressing, velocity: Vec3::zeros(), damping: 2e3 };
                let force = law.hold(&at, &bristle).force;
                let off = (force + way * (share.min(1.0) * bound)).norm();
                assert!(off <= 1e-14 * bound, "{force:?} at {share} of {bound} N");
            }
        }
    }
}

/// A block of 45 g on an incline whose gravity is at `share` of the friction angle's tangent, as gravity that leans.
fn on_incline(share: f64, speed: f64, method: Method, t_end: f64) -> Model {
    let law = sticking(MU, MU);
    let size = Vec3::new(0.04, 0.04, 0.01);
    let slope = share * MU;
    let weight = MASS * G / (1.0 + slope * slope).sqrt();
    let sink = libm::pow(weight / 1e7, 2.0 / 3.0);
    let mut body = block("block", MASS, size, Pose::from_translation(Vec3::new(0.0, 0.0, 0.005 - sink)));
    body.velocity.x = speed;
    let mut model = model(vec![floor(), body], law, G, t_end, 1e-6);
    model.gravity = Vec3::new(slope, 0.0, -1.0).normalize() * G;
    model.contact_lines = vec![contact_line(method)];
    model
}

fn place(model: &Model, keeper: &Keeper, time: f64) -> f64 {
    let every = model.output.every.unwrap();
    keeper.frames[(time / every).round() as usize].bodies[1].position.x
}

/// At 0.99 of the friction limit it creeps less than 1 nm/s over 60 s once the bristles are loaded, put there at rest or
/// having slid; at 1.01 it goes with what is left of the slope, 0.01 μ g cos.
#[test]
fn a_block_holds_below_the_friction_angle_and_slides_above() {
    for method in [Method::Analytic, Method::Convex] {
        for speed in [0.0, 0.02] {
            // It slides for less than v/(0.01 μ g) = 0.7 s.
            let mut held = on_incline(0.99, speed, method, 61.5);
            held.output.every = Some(0.5);
            let (outcome, keeper) = run(&held);
            let crept = place(&held, &keeper, 61.5) - place(&held, &keeper, 1.5);
            assert!(crept.abs() < 60.0 * 1e-9, "{method:?} {speed}: {crept:e}");
            assert!(outcome.residual_relative < 1e-5, "{:e}", outcome.residual_relative);
        }
        let mut slides = on_incline(1.01, 0.0, method, 2.0);
        slides.output.every = Some(0.5);
        let (_, keeper) = run(&slides);
        let slope = 1.01 * MU;
        let acceleration = (slope - MU) * G / (1.0 + slope * slope).sqrt();
        let speed = |frame: usize| keeper.frames[frame].bodies[1].velocity.x;
        let gained = (speed(4) - speed(2)) / (1.0 * acceleration);
        // The load is that of the flat: what it leans by is 1e-5 of its height.
        assert!((gained - 1.0).abs() < 1e-3, "{method:?}: {gained}");
    }
}

/// An attachment at a body's origin whose z axis is along its x.
fn along_x(body: usize) -> Attachment {
    let rotation = Quaternion::from_rotation_vector(&(Vec3::y() * std::f64::consts::FRAC_PI_2)).to_matrix();
    Attachment { body, pose: Pose { rotation, translation: Vec3::zeros() } }
}

struct Dice(u64);

impl Dice {
    /// In [−1, 1).
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll())
    }
    /// Over so many decades up to 1.
    fn size(&mut self, decades: f64) -> f64 {
        libm::pow(10.0, 0.5 * decades * (self.roll() - 1.0))
    }
}

/// Bristles of any deflection, speed and load under random coefficients, with the power F·v and V̇ = k_t s·ṡ of each.
fn random_holds(
    law: fn(BristleLaw) -> Friction,
    mut check: impl FnMut(&BristleLaw, &Grip, &Bristle, [f64; 3]),
) {
    let mut dice = Dice(1);
    for _ in 0..200_000 {
        let mu = dice.size(1.0);
        let damping = 10.0 * dice.size(4.0);
        let mu_static = mu * (1.0 + dice.size(2.0));
        let (v_stick, stiffness, scale) = (1e-3, 1e5, 1e-6);
        let data = BristleLaw { mu, mu_static, v_stick, stiffness, damping: Some(damping), scale };
        let pressing = if dice.roll() > 0.9 { 0.0 } else { dice.size(6.0) };
        let velocity = dice.vector() * dice.size(8.0);
        let bristle = Bristle { deflection: dice.vector() * (1e-4 * dice.size(8.0)), dwell: 0.5 };
        let at = Grip { pressing, velocity, damping };
        let hold = law(data).hold(&at, &bristle);
        let storing = stiffness * bristle.deflection.dot(&hold.rate.deflection);
        check(&data, &at, &bristle, [hold.force.dot(&velocity), storing, hold.force.norm()]);
    }
}

/// F·v + V̇ ≤ 0 and |F| ≤ μ_s N.
#[test]
fn bristles_create_no_energy_and_pull_no_more_than_static_friction() {
    random_holds(Friction::StickSlip, |law, at, bristle, [power, storing, force]| {
        let scale = force * at.velocity.norm() + storing.abs();
        assert!(power + storing <= 1e-12 * scale, "{law:?} {at:?} {bristle:?}");
        assert!(force <= law.mu_static * at.pressing * (1.0 + 1e-12), "{law:?} {at:?} {bristle:?}");
    });
    let dwelling = |bristle| Friction::Dwelling(Dwelling { bristle, dwell_time: 1.0 });
    random_holds(dwelling, |law, at, bristle, [_, _, force]| {
        assert!(force <= law.mu_static * at.pressing * (1.0 + 1e-12), "{law:?} {at:?} {bristle:?}");
    });
}

/// Where it slides evenly, every law has the force of its coefficient: the bristle is found by its own rates.
#[test]
fn bristles_that_slide_evenly_have_coulombs_force() {
    let (mu, mu_static, v_stick, stiffness, pressing) = (0.3, 0.5, 1e-3, 1e5, 2.0);
    let data = BristleLaw { mu, mu_static, v_stick, stiffness, damping: None, scale: 1e-6 };
    let laws = [
        Friction::StickSlip(data),
        Friction::Lugre(data),
        Friction::Dwelling(Dwelling { bristle: data, dwell_time: 1.0 }),
    ];
    for law in laws {
        for speed in [0.01, 0.1, 3.0] {
            let at = Grip { pressing, velocity: Vec3::new(0.0, speed, 0.0), damping: 10.0 };
            let mut bristle = Bristle::default();
            // Of no rate faster than 1e9/s, over some 1e4 of the slowest times.
            for _ in 0..200_000 {
                let rate = law.hold(&at, &bristle).rate;
                let h = 1e-4_f64.min(0.5 * mu * pressing / (stiffness * speed));
                bristle.deflection += rate.deflection * h;
                bristle.dwell += rate.dwell * h;
            }
            let force = law.hold(&at, &bristle).force;
            let want = Vec3::new(0.0, -mu * pressing, 0.0);
            assert!((force - want).norm() < 1e-9 * want.norm(), "{law:?} {speed}: {force}");
        }
    }
}

/// LuGre's bristle in pure sliding from rest: s = s_d (1 − exp(−v t/s_d)) where μ_s = μ_d (Canudas de Wit et al. 1995, eq. 2
/// is linear in s at one speed); Gonthier's dwell grows as 1 − exp(−t/τ_dw) at rest.
#[test]
fn rates_of_bristles_are_those_of_their_papers() {
    let data =
        BristleLaw { mu: 0.4, mu_static: 0.4, v_stick: 1e-3, stiffness: 1e5, damping: None, scale: 1e-6 };
    let (pressing, speed) = (5.0, 0.02);
    let s_d = 0.4 * pressing / 1e5;
    let at = Grip { pressing, velocity: Vec3::x() * speed, damping: 3.0 };
    for share in [0.0, 0.3, 0.9, 1.0] {
        let bristle = Bristle { deflection: Vec3::x() * (share * s_d), dwell: 0.0 };
        let rate = Friction::Lugre(data).hold(&at, &bristle).rate.deflection.x;
        assert!((rate - speed * (1.0 - share)).abs() < 1e-15, "{share} {rate}");
    }
    let dwelling = Friction::Dwelling(Dwelling { bristle: data, dwell_time: 0.5 });
    let rest = Grip { velocity: Vec3::zeros(), ..at };
    for dwell in [0.0, 0.4, 1.0] {
        let rate = dwelling.hold(&rest, &Bristle { dwell, ..Bristle::default() }).rate.dwell;
        assert!((rate - (1.0 - dwell) / 0.5).abs() < 1e-15, "{dwell} {rate}");
    }
    // It is lost within τ = c_t/k_t of sliding.
    let rate = dwelling.hold(&at, &Bristle { dwell: 1.0, ..Bristle::default() }).rate.dwell;
    assert!((rate / (-1e5 / 3.0) - 1.0).abs() < 1e-12, "{rate}");
}

/// A block that is thrown, slides, turns and stops, beside a ball that is struck off centre.
fn busy_with(friction: FrictionKind, rtol: f64, method: IntegratorKind) -> Model {
    let mut law = sticking(0.3, 0.4);
    point(&mut law).friction = friction;
    law.v_reg = Some(5e-3);
    let mut box_body =
        block("box", 0.5, Vec3::new(0.1, 0.08, 0.04), Pose::from_translation(Vec3::new(0.0, 0.0, 0.022)));
    box_body.velocity = Vec3::new(0.3, 0.2, 0.0);
    box_body.angular_velocity.z = 3.0;
    let mut other = ball("ball", 0.3, 0.05, Vec3::new(1.0, 0.0, 0.053));
    other.velocity = Vec3::new(-0.2, 0.5, 0.0);
    other.angular_velocity = Vec3::new(4.0, -3.0, 8.0);
    let mut model = model(vec![floor(), box_body, other], law, G, 0.3, rtol);
    model.pairs.retain(|pair| pair.a.body == 0);
    model.solver.method = method;
    model
}

fn busy(rtol: f64, method: IntegratorKind) -> Model {
    busy_with(FrictionKind::StickSlip(BristleKind::DEFAULT), rtol, method)
}

/// The other two laws in the same scene: they come to what `stick-slip` comes to within what their laws differ in, their ledger
/// balances, and they go on from checkpoints with the same bits.
#[test]
fn the_other_bristles_move_the_same_scene() {
    let (like, _) = run(&busy(1e-7, IntegratorKind::Radau5));
    for friction in [
        FrictionKind::Lugre(BristleKind::DEFAULT),
        FrictionKind::Bristle { bristle: BristleKind::DEFAULT, dwell_time: 0.1 },
    ] {
        let model = busy_with(friction, 1e-7, IntegratorKind::Radau5);
        let system = System::compile(&model).unwrap();
        let mut first = Keeper { checkpoint_after: 3, ..Keeper::default() };
        let whole = Simulation::new(&system).run(&mut first).unwrap();
        assert!(whole.residual_relative < 1e-6, "{friction:?} {:e}", whole.residual_relative);
        for body in 1..3 {
            let miss = (whole.bodies[body].position - like.bodies[body].position).norm();
            // Static friction acts as long as they are slower than 5 mm/s, some 2 ms: a few percent of that way.
            assert!(miss < 1e-3, "{friction:?} {body}: {miss:e}");
        }
        let (image, frames, _) = first.checkpoints.remove(0);
        let mut second = Keeper::default();
        let resumed = Simulation::resume(&system, &image).unwrap().run(&mut second).unwrap();
        assert_eq!(resumed.bodies, whole.bodies);
        assert_eq!(second.frames, first.frames[frames..]);
    }
}

/// The residual is the integrator's error, bristles that begin and end included.
#[test]
fn the_ledger_balances_with_bristles() {
    for (method, rtols) in [
        (IntegratorKind::Auto, [1e-5, 1e-7, 1e-9]),
        (IntegratorKind::Ode45, [1e-5, 1e-7, 1e-9]),
        (IntegratorKind::Radau5, [1e-5, 1e-7, 1e-9]),
    ] {
        for rtol in rtols {
            let (outcome, keeper) = run(&busy(rtol, method));
            let ends = keeper.times(EventKind::ContactEnd).len();
            assert!(
                outcome.residual_relative < 10.0 * rtol,
                "{} {:e}",
                method.name(),
                outcome.residual_relative
            );
            assert!(ends > 2);
        }
    }
}

/// Every method comes to the same end: the friction's impulse is the law's, whoever integrates it.
#[test]
fn all_methods_agree() {
    let (reference, _) = run(&busy(1e-9, IntegratorKind::Radau5));
    for method in IntegratorKind::SMOOTH {
        let (outcome, _) = run(&busy(1e-6, method));
        for body in 1..3 {
            let miss = (outcome.bodies[body].position - reference.bodies[body].position).norm();
            assert!(miss < 1e-5, "{} {body}: {miss:e}", method.name());
        }
    }
}

/// `ali3p` finds bristles with the positions: steps of a time in which the bristle swings by more than a radian.
#[test]
fn ali3p_holds_with_long_steps() {
    for step in [StepControl::Fixed(1e-3), StepControl::ErrorControlled] {
        let mut held = on_incline(0.8, 0.0, Method::Analytic, 3.0);
        held.solver.formulation = Formulation::Ali3p { penalty: 1e5 };
        held.solver.step = step;
        held.output.every = Some(0.5);
        let (outcome, keeper) = run(&held);
        let crept = place(&held, &keeper, 3.0) - place(&held, &keeper, 1.0);
        assert!(crept.abs() < 2e-9, "{step:?}: {crept:e}");
        assert!(outcome.statistics.steps < 3100, "{step:?}: {:?}", outcome.statistics);
    }
}

/// A block on a platter that turns at 5 rad/s is held in its place: the force that holds it, and so the bristles, turn with the
/// contact. Did they not, it would creep by ω times their deflection, 1e-6 m/s.
#[test]
fn bristles_turn_with_the_contact() {
    let (omega, radius) = (5.0, 0.05);
    let law = sticking(MU, MU);
    let sink = libm::pow(MASS * G / 1e7, 2.0 / 3.0);
    for method in [Method::Analytic, Method::Convex] {
        let mut platter = floor();
        platter.name = "platter".to_owned();
        platter.fixed = false;
        platter.pose_stated = false;
        platter.velocity_stated = false;
        let at = Pose::from_translation(Vec3::new(radius, 0.0, 0.005 - sink));
        let mut body = block("block", MASS, Vec3::new(0.02, 0.02, 0.01), at);
        body.velocity.y = omega * radius;
        body.angular_velocity.z = omega;
        let mut m = model(vec![ground(), body, platter], law.clone(), G, 6.0, 1e-7);
        m.pairs.retain(|pair| pair.b.body == 2 && pair.a.body == 1);
        m.contact_lines = vec![contact_line(method)];
        let mut pivot =
            joint("pivot", JointKind::Revolute, joint_at(0, 0.0, 0.0, 0.0), joint_at(2, 0.0, 0.0, 0.0));
        pivot.elements[0].motor = Some(Motor::Velocity(TimeFunction::Constant(omega)));
        m.joints = vec![pivot];
        m.output.every = Some(0.5);
        let (_, keeper) = run(&m);
        let on_platter = |frame: usize| {
            let [block, platter] = [1, 2].map(|body| keeper.frames[frame].bodies[body]);
            platter.orientation.to_matrix().tr_mul(&block.position)
        };
        let crept = (on_platter(12) - on_platter(2)).norm();
        assert!(crept < 5.0 * 1e-9, "{method:?}: {crept:e}");
    }
}

/// A block on a belt, held back by a spring: it goes with the belt until k x = μ_s N, then swings about x_d = μ_d N/k until it
/// has the belt's velocity again. With a = (μ_s − μ_d) N/k that takes 2 a/v, and (2/ω)(π − atan(ω a/v)).
#[test]
fn a_block_on_a_belt_sticks_and_slips() {
    let (mass, stiffness, speed, mu_s, mu) = (1.0, 100.0, 0.1, 0.4, 0.2);
    let mut law = sticking(mu, mu_s);
    point(&mut law).friction =
        FrictionKind::StickSlip(BristleKind { v_stick: Some(1e-4), stiffness: Some(1e6), damping: None });
    let mut belt = floor();
    belt.name = "belt".to_owned();
    belt.fixed = false;
    belt.pose_stated = false;
    belt.velocity_stated = false;
    let sink = libm::pow(mass * G / 1e7, 2.0 / 3.0);
    let body = block(
        "block",
        mass,
        Vec3::new(0.2, 0.2, 0.01),
        Pose::from_translation(Vec3::new(0.0, 0.0, 0.005 - sink)),
    );
    let mut m = model(vec![ground(), body, belt], law, G, 4.0, 1e-7);
    m.pairs.retain(|pair| pair.b.body == 2 && pair.a.body == 1);
    let mut slide = joint("slide", JointKind::Prismatic, along_x(0), along_x(2));
    slide.elements[0].motor = Some(Motor::Velocity(TimeFunction::Constant(speed)));
    m.joints = vec![slide];
    m.forces = vec![Force {
        name: "spring".to_owned(),
        kind: ForceKind::SpringDamper {
            a: joint_at(0, -10.0, 0.0, 0.005 - sink),
            b: joint_at(1, 0.0, 0.0, 0.0),
            stiffness,
            damping: 0.0,
            length: Some(10.0),
            actuator: None,
        },
    }];
    m.output.every = Some(1e-3);
    let (outcome, keeper) = run(&m);
    let a = (mu_s - mu) * mass * G / stiffness;
    let omega = (stiffness / mass).sqrt();
    let period = 2.0 * a / speed + 2.0 / omega * (std::f64::consts::PI - libm::atan(omega * a / speed));
    let x = |k: usize| keeper.frames[k].bodies[1].position.x;
    let turns: Vec<usize> = (1..4000).filter(|&k| x(k) > x(k - 1) && x(k) >= x(k + 1)).collect();
    let between: Vec<f64> = turns.windows(2).map(|t| 1e-3 * (t[1] - t[0]) as f64).collect();
    assert!(between.len() >= 3);
    // Frames are 1 ms apart, and as long as √(2 m v_stick/(k v)), 4.5 ms, it leaves the belt so slowly that friction is static.
    assert!(between.iter().all(|t| (t / period - 1.0).abs() < 8e-3), "{between:?} {period}");
    // The farthest of the swing about x_d, with the amplitude of what it leaves the belt with.
    let farthest = mu * mass * G / stiffness + a.hypot(speed / omega);
    let reached = turns[1..].iter().map(|&k| x(k)).fold(0.0, f64::max);
    // Where it leaves the belt is known to what the belt goes in those 4.5 ms.
    assert!((reached - farthest).abs() < 4.5e-3 * speed, "{reached} {farthest}");
    assert!(outcome.residual_relative < 1e-6, "{:e}", outcome.residual_relative);
}

/// The same bits after a restart at any checkpoint, among them some while bristles hold.
#[test]
fn restarts_continue_with_the_same_bits() {
    for method in [IntegratorKind::Auto, IntegratorKind::Bdf] {
        let model = busy(1e-6, method);
        let system = System::compile(&model).unwrap();
        let (whole, all) = run(&model);
        for after in [1, 2, 5] {
            let mut first = Keeper { checkpoint_after: after, ..Keeper::default() };
            Simulation::new(&system).run(&mut first).unwrap();
            let (image, frames, events) = first.checkpoints.remove(0);
            let mut second = Keeper::default();
            let resumed = Simulation::resume(&system, &image).unwrap().run(&mut second).unwrap();
            assert_eq!((resumed.bodies, resumed.energy), (whole.bodies.clone(), whole.energy));
            assert_eq!(second.frames, all.frames[frames..]);
            assert_eq!(second.events, all.events[events..]);
        }
    }
}

/// Contacts that come up while the run goes on stick, too: balls that fall on each other come to lie as those of listed pairs
/// do as long as rounding does not tell, and the run goes on from a checkpoint with the same bits.
#[test]
fn contacts_that_come_up_have_bristles() {
    let listed = Model { laws: vec![sticking(0.3, 0.4)], ..heap(12, 0.25) };
    let wide = widened(listed.clone());
    let ((one, _), system) = (run(&listed), System::compile(&wide).unwrap());
    let mut first = Keeper { checkpoint_after: 10, ..Keeper::default() };
    let other = Simulation::new(&system).run(&mut first).unwrap();
    let lost = one.energy.dissipated_friction;
    assert!(lost > 1e-3 && (other.energy.dissipated_friction / lost - 1.0).abs() < 1e-5, "{lost}");
    for (a, b) in one.bodies.iter().zip(&other.bodies) {
        assert!((a.position - b.position).norm() < 1e-6);
    }
    let (image, frames, _) = first.checkpoints.remove(0);
    let mut second = Keeper::default();
    let resumed = Simulation::resume(&system, &image).unwrap().run(&mut second).unwrap();
    assert_eq!(resumed.bodies, other.bodies);
    assert_eq!(second.frames, first.frames[frames..]);
}

/// A turned scene moves alike: no axis on the surface is better than another.
#[test]
fn a_turned_scene_moves_alike() {
    let turn = Quaternion::from_rotation_vector(&Vec3::new(0.7, -1.1, 0.4));
    let axes = turn.to_matrix();
    let mut straight = busy(1e-9, IntegratorKind::Radau5);
    // In contact from the start: bounces tell rounding by their times.
    straight.bodies[1].position.z = 0.02 - 1e-5;
    straight.bodies[2].position.z = 0.05 - 1e-5;
    let mut turned = straight.clone();
    turned.gravity = axes * straight.gravity;
    for body in &mut turned.bodies {
        body.position = axes * body.position;
        body.orientation = turn.multiply(&body.orientation);
        body.velocity = axes * body.velocity;
        body.angular_velocity = axes * body.angular_velocity;
    }
    let ((one, _), (other, _)) = (run(&straight), run(&turned));
    for (a, b) in one.bodies.iter().zip(&other.bodies) {
        let miss = (axes * a.position - b.position).norm();
        assert!(miss < 1e-10, "{miss:e}");
    }
}

/// What holds is held on from a state that is set: the same state again moves nothing.
#[test]
fn a_state_that_is_set_keeps_bristles_that_hold() {
    let system = System::compile(&on_incline(0.8, 0.0, Method::Analytic, 2.0)).unwrap();
    let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
    run.advance_to(1.0, &mut rows).unwrap();
    let state = run.state().to_vec();
    run.set_state(&state, &mut rows).unwrap();
    run.advance_to(2.0, &mut rows).unwrap();
    let moved = (run.state()[0] - state[0]).abs();
    // Without its bristles it would sag by a deflection of some 5e-7 m and could break away.
    assert!(moved < 1e-9, "{moved:e}");
}
