//! Every integrator on the same scenes: events, ledger, checkpoints, agreement.

use carom_engine::law::NormalKind;
use carom_engine::model::IntegratorKind;
use carom_engine::record::EventKind;
use carom_engine::{CheckpointError, Model, Simulation, System};
use carom_math::Vec3;

use crate::scene::{Keeper, ball, floor, law, model, run};

/// All but `auto`, which stands for one of the others.
const KINDS: [IntegratorKind; 5] = [
    IntegratorKind::Ode45,
    IntegratorKind::Dop853,
    IntegratorKind::Ode113,
    IntegratorKind::Radau5,
    IntegratorKind::Bdf,
];

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
    for kind in KINDS {
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
    for kind in KINDS {
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
    for kind in KINDS {
        let (residual, times) = ends(kind, 1e-9);
        assert!(residual < 1e-8, "{}: {residual:e}", kind.name());
        for (time, want) in times.iter().zip(&reference) {
            assert!((time - want).abs() < 1e-7, "{}: {time} for {want}", kind.name());
        }
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
    for kind in KINDS {
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
            let counts = |s: carom_engine::record::Statistics| {
                [s.steps, s.rejected, s.rhs, s.jacobians, s.factorizations, s.newton_iterations]
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
    for (index, kind) in KINDS.into_iter().enumerate() {
        let system = System::compile(&with(kind, bouncing(1e-6))).unwrap();
        let mut keeper = Keeper { checkpoint_after: 2, ..Keeper::default() };
        Simulation::new(&system).run(&mut keeper).unwrap();
        let image = &keeper.checkpoints[0].0;
        let other = System::compile(&with(KINDS[(index + 1) % 5], bouncing(1e-6))).unwrap();
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
    for kind in KINDS {
        let miss = (end(kind) - want).norm();
        assert!(miss < 1e-6, "{}: {miss:e} m", kind.name());
    }
}

/// A ball slides to rest on the floor under strongly regularised friction: what takes explicit methods thousands of
/// steps at their stability limit takes implicit ones hundreds of evaluations.
#[test]
fn implicit_methods_slide_cheaply() {
    let sliding = |kind, rtol| {
        let mut l = law(NormalKind::HuntCrossley, 0.0);
        l.mu = Some(0.3);
        l.v_reg = Some(1e-4);
        let mut b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1));
        b.velocity.x = 1.0;
        let (outcome, _) = run(&with(kind, model(vec![floor(), b], l, 9.81, 2.0, rtol)));
        println!("{} {:?} {:e}", kind.name(), outcome.statistics, outcome.residual_relative);
        // It rolls at 5/7 of its speed after v/(μ g) · 2/7.
        println!("{}", outcome.bodies[1].velocity.x - 5.0 / 7.0);
        outcome.statistics.rhs
    };
    for kind in [IntegratorKind::Radau5, IntegratorKind::Bdf, IntegratorKind::Ode45] {
        for rtol in [1e-4, 1e-6] {
            sliding(kind, rtol);
        }
    }
}
