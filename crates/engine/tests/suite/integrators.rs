//! Every integrator on the same scenes: events, ledger, checkpoints, agreement.

use carom_engine::law::NormalKind;
use carom_engine::model::{Family, IntegratorKind};
use carom_engine::record::EventKind;
use carom_engine::{CheckpointError, EndReason, Model, Outcome, Simulation, System};
use carom_math::Vec3;

use crate::scene::{Keeper, ball, floor, law, model, run, run_any};

/// All but `auto`, which changes between the others.
fn kinds() -> impl Iterator<Item = IntegratorKind> {
    IntegratorKind::SMOOTH.into_iter().filter(|kind| kind.traits().family != Family::Changing)
}

fn with(kind: IntegratorKind, mut model: Model) -> Model {
    model.solver.method = kind;
    model
}

/// A ball that bounces on the floor, with damping and friction.
fn bouncing(rtol: f64) -> Model {
    let mut l = law(NormalKind::HuntCrossley, 0.8);
    l.mu = Some(0.3);
    let mut b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.35));
    b.velocity.x = 0.3;
    b.angular_velocity.y = 5.0;
    model(vec![floor(), b], l, 9.81, 1.2, rtol)
}

/// A ball falls along a parabola to the floor: the first contact is at √(2h/g). What is left is the error of the
/// steps at rtol 1e-10, most of it of the low orders with which multistep methods start.
#[test]
fn first_contact_of_a_dropped_ball() {
    let (radius, height, g) = (0.1, 1.0, 9.81);
    for kind in kinds() {
        let dropped = ball("ball", 1.0, radius, Vec3::new(0.0, 0.0, radius + height));
        let m = model(vec![floor(), dropped], law(NormalKind::None, 1.0), g, 0.5, 1e-10);
        let (_, keeper) = run(&with(kind, m));
        let begin = keeper.times(EventKind::ContactBegin)[0];
        let late = begin - (2.0 * height / g).sqrt();
        assert!(late.abs() < 1e-10, "{}: {late:e}", kind.name());
    }
}

/// At every event the gap is zero but for 1e-10 s of its motion, and on the new side.
#[test]
fn events_are_located_from_the_right() {
    for kind in kinds() {
        let (_, keeper) = run(&with(kind, bouncing(1e-6)));
        assert_eq!(keeper.events.len(), 8, "{}", kind.name());
        for event in &keeper.events {
            let late = -event.gap / event.approach_speed;
            assert!((0.0..1e-10).contains(&late.abs()), "{}: {late:e} s", kind.name());
            let sign = if event.kind == EventKind::ContactBegin { 1.0 } else { -1.0 };
            assert!(sign * event.gap <= 0.0 && sign * event.approach_speed > 0.0, "{}", kind.name());
        }
    }
}

/// The ledger of a bouncing ball with damping and friction balances to ten tolerances, and the methods agree: contacts
/// end when the tightest run says, to what rtol 1e-9 leaves after four impacts.
#[test]
fn ledger_balances_and_methods_agree() {
    let ends = |kind, rtol| {
        let (outcome, keeper) = run(&with(kind, bouncing(rtol)));
        (outcome.residual_relative, keeper.times(EventKind::ContactEnd))
    };
    let (_, reference) = ends(IntegratorKind::Dop853, 1e-12);
    for kind in kinds() {
        let (residual, times) = ends(kind, 1e-9);
        assert!(residual < 1e-8, "{}: {residual:e}", kind.name());
        for (time, want) in times.iter().zip(&reference) {
            assert!((time - want).abs() < 1e-7, "{}: {time} for {want}", kind.name());
        }
    }
}

/// Hertz impact without gravity: δ_m = (5 m v²/(4K))^(2/5), T = (4√π/5) Γ(2/5)/Γ(9/10) δ_m/v, and the impulse 2 m v. The
/// greatest penetration comes from the dense output; 1e-7 is a thousand tolerances over a hundred steps and more.
#[test]
fn hertz_impact() {
    let (mass, v, k) = (0.3, 1.7, 1e8);
    let deepest = libm::pow(1.25 * mass * v * v / k, 0.4);
    let factor = 0.8 * std::f64::consts::PI.sqrt() * libm::tgamma(0.4) / libm::tgamma(0.9);
    for kind in kinds() {
        let mut b = ball("ball", mass, 0.1, Vec3::new(0.0, 0.0, 0.11));
        b.velocity.z = -v;
        let m = model(vec![floor(), b], law(NormalKind::None, 1.0), 0.0, 0.02, 1e-10);
        let (outcome, keeper) = run(&with(kind, m));
        let [begin, end] = [EventKind::ContactBegin, EventKind::ContactEnd].map(|e| keeper.times(e)[0]);
        let pair = outcome.pairs[0];
        for (what, ratio) in [
            ("duration", (end - begin) / (factor * deepest / v)),
            ("penetration", pair.peaks.penetration.value / deepest),
            ("impulse", pair.impulse_normal / (2.0 * mass * v)),
        ] {
            assert!((ratio - 1.0).abs() < 1e-7, "{} {what}: {:e}", kind.name(), ratio - 1.0);
        }
    }
}

/// Frames between steps balance as well as steps do: the dense output carries states and quadratures alike.
#[test]
fn frames_balance_between_steps() {
    for kind in kinds() {
        let mut m = with(kind, bouncing(1e-8));
        m.output.every = Some(1e-3);
        let (outcome, keeper) = run(&m);
        assert_eq!(keeper.frames.len(), 1201);
        let worst = keeper.frames.iter().map(|f| f.energy.residual.abs()).fold(0.0, f64::max);
        assert!(worst < 1e-6 * outcome.energy_moved, "{}: {:e}", kind.name(), worst / outcome.energy_moved);
    }
}

/// Five balls that bounce on a floor and on each other.
fn billiard() -> Model {
    let mut l = law(NormalKind::HuntCrossley, 0.6);
    l.mu = Some(0.3);
    l.v_reg = Some(0.05);
    let balls = (0..5).map(|i| {
        let f = f64::from(i);
        let mut b = ball(&format!("b{i}"), 0.2, 0.05, Vec3::new(0.09 * f, 0.01 * f, 0.3 + 0.05 * f));
        b.angular_velocity.x = 10.0;
        b
    });
    model(std::iter::once(floor()).chain(balls).collect(), l, 9.81, 0.5, 1e-6)
}

/// The same bits twice, and after a restart from a checkpoint: histories, Jacobians and rates of convergence included.
#[test]
fn runs_and_restarts_are_bit_equal() {
    for kind in kinds() {
        let m = with(kind, billiard());
        let system = System::compile(&m).unwrap();
        let (whole, all) = run(&m);
        assert!(all.events.len() > 10);
        for after in [1, 4, 9] {
            let mut first = Keeper { checkpoint_after: after, ..Keeper::default() };
            let again = Simulation::new(&system).run(&mut first).unwrap();
            assert_eq!(again.bodies, whole.bodies, "{}", kind.name());
            assert_eq!(first.frames, all.frames, "{}", kind.name());
            let (image, frames, events) = first.checkpoints.remove(0);
            let mut second = Keeper::default();
            let resumed = Simulation::resume(&system, &image).unwrap().run(&mut second).unwrap();
            assert_eq!(resumed.bodies, whole.bodies, "{} after {after}", kind.name());
            assert_eq!(resumed.energy, whole.energy);
            assert_eq!((&resumed.pairs, &resumed.lines), (&whole.pairs, &whole.lines), "{}", kind.name());
            assert!(all.episodes.ends_with(&second.episodes) && !second.episodes.is_empty());
            let counts = |s: carom_engine::record::Statistics| {
                [s.steps, s.rejected, s.rhs, s.looks, s.jacobians, s.factorizations, s.newton_iterations]
            };
            assert_eq!(counts(resumed.statistics), counts(whole.statistics), "{}", kind.name());
            assert_eq!(second.frames, all.frames[frames..]);
            assert_eq!(second.events, all.events[events..]);
        }
    }
}

/// A checkpoint goes on with the integrator that made it, and with no other; damaged ones are refused at every length.
#[test]
fn checkpoints_belong_to_their_integrator() {
    for kind in kinds() {
        let system = System::compile(&with(kind, bouncing(1e-6))).unwrap();
        let mut keeper = Keeper { checkpoint_after: 2, ..Keeper::default() };
        Simulation::new(&system).run(&mut keeper).unwrap();
        let image = &keeper.checkpoints[0].0;
        let other = kinds().find(|&other| other != kind).unwrap();
        let other = System::compile(&with(other, bouncing(1e-6))).unwrap();
        assert_eq!(Simulation::resume(&other, image).err(), Some(CheckpointError::Model));
        for len in (0..image.len()).step_by(101) {
            assert!(Simulation::resume(&system, &image[..len]).is_err(), "{} {len}", kind.name());
        }
    }
}

/// A four-bar in joint coordinates with its loop kept by projections after every step: all methods swing alike. rtol
/// 1e-9 for angles of order 1 rad leaves 1e-6 rad after 0.8 s.
#[test]
fn loops_swing_alike() {
    let end = |kind| {
        let mut m = with(kind, crate::ali3p::four_bar());
        m.solver.rtol = 1e-9;
        let (outcome, _) = run(&m);
        assert!(outcome.residual_relative < 1e-7, "{}: {:e}", kind.name(), outcome.residual_relative);
        outcome.bodies[2].position
    };
    let want = end(IntegratorKind::Ode45);
    for kind in kinds() {
        let miss = (end(kind) - want).norm();
        assert!(miss < 1e-6, "{}: {miss:e} m", kind.name());
    }
}

/// Balls that slide side by side on the floor, at 1 m/s, under strongly regularised friction.
fn sliding(kind: IntegratorKind, rtol: f64, balls: u32) -> Outcome {
    let mut l = law(NormalKind::HuntCrossley, 0.0);
    l.mu = Some(0.3);
    l.v_reg = Some(1e-4);
    let bodies = (0..balls).map(|i| {
        let mut b = ball(&format!("b{i}"), 1.0, 0.1, Vec3::new(0.0, f64::from(i), 0.1));
        b.velocity.x = 1.0;
        b
    });
    let m = model(std::iter::once(floor()).chain(bodies).collect(), l, 9.81, 2.0, rtol);
    run(&with(kind, m)).0
}

/// What takes explicit methods tens of thousands of evaluations at their stability limit takes implicit ones hundreds.
/// A ball that has stopped sliding rolls at 5/7 of its speed, less the creep of the regularised friction. Jacobians are in
/// closed form: they cost no evaluations.
#[test]
fn implicit_methods_slide_cheaply() {
    let most = [(IntegratorKind::Radau5, 600), (IntegratorKind::Bdf, 400), (IntegratorKind::Rodas3, 600)];
    for (kind, most) in most {
        let outcome = sliding(kind, 1e-4, 1);
        let miss = outcome.bodies[1].velocity.x - 5.0 / 7.0;
        assert!(miss.abs() < 1e-4, "{}: {miss:e} m/s", kind.name());
        let statistics = outcome.statistics;
        assert!(statistics.rhs < most, "{}: {}", kind.name(), statistics.rhs);
        assert!(statistics.jacobians > 0 && statistics.jacobians < statistics.factorizations);
        let iterates = kind != IntegratorKind::Rodas3;
        assert_eq!(statistics.newton_iterations > 0, iterates, "{}", kind.name());
    }
    let explicit = sliding(IntegratorKind::Ode45, 1e-4, 1).statistics;
    assert!(explicit.rhs > 50_000 && explicit.jacobians == 0, "{}", explicit.rhs);
}

/// Bodies that do not touch each other cost no more evaluations: eight take hardly more than one, though each of some 20
/// Jacobians has 104 columns instead of 13.
#[test]
fn separate_bodies_cost_no_more() {
    for kind in [IntegratorKind::Radau5, IntegratorKind::Bdf, IntegratorKind::Rodas3] {
        let [one, eight] = [1, 8].map(|balls| sliding(kind, 1e-4, balls).statistics);
        assert!(eight.rhs < one.rhs + one.rhs / 5, "{}: {} {}", kind.name(), eight.rhs, one.rhs);
    }
}

/// Where no step that the user allows makes Newton's method converge, the run stops and says so.
#[test]
fn newton_that_fails_is_a_named_error() {
    for kind in [IntegratorKind::Radau5, IntegratorKind::Bdf] {
        let mut l = law(NormalKind::HuntCrossley, 0.0);
        l.mu = Some(0.3);
        l.v_reg = Some(1e-9);
        let mut b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1));
        b.velocity = Vec3::new(1e-3, 2e-3, 0.0);
        let mut m = with(kind, model(vec![floor(), b], l, 9.81, 2.0, 1e-4));
        m.solver.h_first = Some(0.1);
        m.solver.h_min = Some(0.09);
        let (outcome, _) = run_any(&m);
        let EndReason::Failed(error) = outcome.end else { panic!("{}: {:?}", kind.name(), outcome.end) };
        assert_eq!(error.code, "E0612", "{}: {}", kind.name(), error.message);
    }
}
