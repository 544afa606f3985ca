//! Contacts that begin and end inside steps that go on: each impact is what its closed form says, whatever else happens in the
//! same step, and as exact as the run.

use carom_engine::law::NormalKind;
use carom_engine::model::IntegratorKind;
use carom_engine::record::{ContactMode, EventKind};
use carom_engine::{Model, Simulation, System};
use carom_math::Vec3;

use crate::scene::{Keeper, ball, law, model, point, run};

const PAIRS: usize = 24;
const RADIUS: f64 = 0.1;
const MASS: f64 = 0.4;
const STIFFNESS: f64 = 1e6;
const RESTITUTION: f64 = 0.5;

/// Approach speed of a pair (m/s), and when it touches (s): within less than half the time that one impact takes.
fn speed(pair: usize) -> f64 {
    0.8 + 0.02 * pair as f64
}

fn touch(pair: usize) -> f64 {
    4e-3 + 1.7e-4 * pair as f64
}

/// Duration of a Hertz impact of two of the balls (s): (4√π/5) Γ(2/5)/Γ(9/10) δ_m/v with δ_m = (5 m v²/(4K))^(2/5).
fn duration(speed: f64) -> f64 {
    let deepest = libm::pow(1.25 * 0.5 * MASS * speed * speed / STIFFNESS, 0.4);
    0.8 * std::f64::consts::PI.sqrt() * libm::tgamma(0.4) / libm::tgamma(0.9) * deepest / speed
}

/// Pairs of balls that fly towards each other, far from all others, without gravity.
fn volley(restitution: f64, mu: Option<f64>, rtol: f64) -> Model {
    let mut bodies = Vec::new();
    for pair in 0..PAIRS {
        let across = 5.0 * RADIUS * pair as f64;
        for side in [-1.0, 1.0] {
            let x = side * (RADIUS + 0.5 * speed(pair) * touch(pair));
            let mut ball = ball(&format!("ball{pair}{side}"), MASS, RADIUS, Vec3::new(x, across, 0.0));
            ball.velocity.x = -0.5 * side * speed(pair);
            if mu.is_some() {
                ball.velocity.y = 0.1 * side * speed(pair);
                ball.angular_velocity.z = 3.0;
            }
            bodies.push(ball);
        }
    }
    let kind = if restitution < 1.0 { NormalKind::Exact } else { NormalKind::None };
    let mut law = law(kind, restitution);
    point(&mut law).stiffness = Some(STIFFNESS);
    law.mu = mu;
    law.v_reg = mu.map(|_| 0.05);
    let mut model = model(bodies, law, 0.0, 0.04, rtol);
    model.solver.method = IntegratorKind::Ode45;
    model
}

/// Restitution, momentum, impulse and approach speed of every impact, at loose and at tight tolerances. An error of a step is at most
/// its tolerance; an impact takes some thirty steps, over which most of them cancel.
#[test]
fn every_impact_returns_what_it_should() {
    for (rtol, tolerance) in [(1e-3, 2e-3), (1e-4, 3e-4), (1e-6, 5e-6), (1e-9, 2e-8)] {
        let (outcome, keeper) = run(&volley(RESTITUTION, None, rtol));
        let of = |kind: EventKind| keeper.events.iter().filter(move |event| event.kind == kind);
        assert_eq!([EventKind::ContactBegin, EventKind::ContactEnd].map(|kind| of(kind).count()), [PAIRS; 2]);
        for begin in of(EventKind::ContactBegin) {
            let pair = (0..PAIRS).min_by(|&a, &b| {
                let off = |pair: usize| (begin.position.y - 5.0 * RADIUS * pair as f64).abs();
                off(a).total_cmp(&off(b))
            });
            let pair = pair.unwrap();
            let v = speed(pair);
            // Inside a step a place is as exact as the step: to rtol times the depth of an impact at v_small, 6e-5 m.
            let off = (begin.time - touch(pair)).abs();
            assert!(off < 1e-14 + rtol * 6e-5 / v, "{rtol} {pair}: {off}");
            assert!((begin.law_approach_speed / v - 1.0).abs() < 1e-13 + rtol && begin.gap.abs() < 1e-14);
            let bodies = [0, 1].map(|side| outcome.bodies[2 * pair + side].velocity.x);
            let returned = (bodies[1] - bodies[0]) / v;
            assert!((returned - RESTITUTION).abs() < tolerance, "{rtol} {pair}: {returned}");
            assert!((bodies[0] + bodies[1]).abs() < 1e-14);
            let end = of(EventKind::ContactEnd).find(|end| end.contact == begin.contact).unwrap();
            assert!(end.gap >= 0.0 && (end.begin, end.begin_speed) == (begin.time, begin.approach_speed));
            let impulse = end.impulse_normal / (0.5 * MASS * v * (1.0 + RESTITUTION));
            assert!((impulse - 1.0).abs() < tolerance, "{rtol} {pair}: {impulse}");
        }
        assert!(outcome.residual_relative < tolerance, "{rtol}: {}", outcome.residual_relative);
        if rtol > 1e-5 {
            // Or nothing of this is about steps that go on.
            assert!(keeper.steps.len() < 2 * PAIRS + 40, "{rtol}: {}", keeper.steps.len());
        }
    }
}

/// Duration, greatest depth and its force of elastic impacts.
#[test]
fn durations_and_peaks_are_those_of_hertz() {
    for (rtol, tolerance) in [(1e-4, 1e-3), (1e-8, 1e-6)] {
        let (_, keeper) = run(&volley(1.0, None, rtol));
        assert_eq!(keeper.episodes.len(), PAIRS);
        for episode in &keeper.episodes {
            let v = episode.approach_speed;
            let lasted = episode.end.unwrap() - episode.begin;
            assert!((lasted / duration(v) - 1.0).abs() < tolerance, "{rtol}: {}", lasted / duration(v));
            let deepest = libm::pow(1.25 * 0.5 * MASS * v * v / STIFFNESS, 0.4);
            let [depth, force] = [episode.peaks.penetration, episode.peaks.force];
            assert!((depth.value / deepest - 1.0).abs() < tolerance);
            assert!((force.value / (STIFFNESS * deepest.powf(1.5)) - 1.0).abs() < tolerance);
            assert!((depth.time - episode.begin - 0.5 * lasted).abs() < 0.02 * lasted);
            assert!((episode.separation_speed.unwrap() / v - 1.0).abs() < tolerance);
        }
    }
}

/// With friction: the ledger balances, and the error falls with the tolerance.
#[test]
fn the_ledger_balances_to_the_tolerance() {
    let finals = [1e-3, 1e-4, 1e-5, 1e-9].map(|rtol| {
        let (outcome, _) = run(&volley(RESTITUTION, Some(0.3), rtol));
        // An impact takes more than ten steps.
        assert!(outcome.residual_relative < 10.0 * rtol, "{rtol}: {}", outcome.residual_relative);
        outcome.bodies
    });
    let off = |k: usize| {
        let pairs = finals[k].iter().zip(&finals[3]);
        pairs.map(|(a, b)| (a.velocity - b.velocity).norm()).fold(0.0, f64::max)
    };
    assert!(off(0) < 3e-3 && off(1) < 3e-4 && off(2) < 3e-5, "{} {} {}", off(0), off(1), off(2));
}

/// Two balls that touch by a hair on their way past each other, while other impacts make the steps: the touch is in the log, with the times of
/// straight lines.
#[test]
fn a_touch_inside_one_step_is_two_events() {
    let depth: f64 = 1e-9;
    let mut model = volley(RESTITUTION, None, 1e-3);
    let offset = 2.0 * RADIUS - depth;
    for (k, side) in [-1.0, 1.0].into_iter().enumerate() {
        let ball = &mut model.bodies[k];
        ball.position = Vec3::new(side * 6e-3, 0.5 * side * offset - 5.0 * RADIUS, 0.0);
        ball.velocity = Vec3::new(-side, 0.0, 0.0);
    }
    let (_, keeper) = run(&model);
    let touched: Vec<_> = keeper.events.iter().filter(|event| event.contact == 0).collect();
    let kinds: Vec<_> = touched.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::ContactBegin, EventKind::ContactEnd]);
    // |x| < √((2R)² − offset²)/2 at 2 m/s.
    let half = 0.5 * ((2.0 * RADIUS).powi(2) - offset * offset).sqrt();
    for (event, time) in touched.iter().zip([6e-3 - half, 6e-3 + half]) {
        assert!((event.time - time).abs() < 1e-9, "{}", event.time - time);
    }
    // What stages make of a force of 1e-7 N, in steps below 1 ms; the tolerance of a step's impulse is 1e-4 N s.
    assert!(touched[1].impulse_normal.abs() < 2e-10, "{}", touched[1].impulse_normal);
}

/// Recorded contacts are those whose surfaces overlap, at any time inside the steps.
#[test]
fn recorded_contacts_overlap() {
    let mut model = volley(RESTITUTION, None, 1e-4);
    model.output.every = Some(3.1e-5);
    let (_, keeper) = run(&model);
    let mut seen = 0;
    for frame in &keeper.frames {
        for pair in 0..PAIRS {
            let [a, b] = [0, 1].map(|side| frame.bodies[2 * pair + side].position);
            let gap = (b - a).norm() - 2.0 * RADIUS;
            let sample = frame.contacts.iter().find(|sample| (sample.position.y - a.y).abs() < RADIUS);
            assert_eq!(sample.is_some(), gap < 0.0, "{} {pair}: {gap}", frame.time);
            let Some(sample) = sample else { continue };
            assert!((sample.gap - gap).abs() < 1e-14);
            assert!(sample.mode == ContactMode::Closed || sample.normal_force == 0.0);
            seen += 1;
        }
    }
    assert!(seen > 1000, "{seen}");
}

/// The same bits after a restart, whatever the next recorder asks for, and up to the last step of a run that ends sooner.
#[test]
fn restarts_and_ends_change_no_bit() {
    let mut model = volley(RESTITUTION, Some(0.3), 1e-4);
    model.output.steps = true;
    let system = System::compile(&model).unwrap();
    let mut whole = Keeper { checkpoint_after: 1, ..Keeper::default() };
    let outcome = Simulation::new(&system).run(&mut whole).unwrap();
    let (image, frames, events) = &whole.checkpoints[0];
    assert!(*events > 4 && whole.events.len() > *events + 4, "{events}");
    let mut rest = Keeper::default();
    let resumed = Simulation::resume(&system, image).unwrap().run(&mut rest).unwrap();
    assert_eq!(
        (outcome.bodies, outcome.energy, outcome.pairs),
        (resumed.bodies, resumed.energy, resumed.pairs)
    );
    assert_eq!(whole.events[*events..], rest.events);
    assert_eq!(whole.frames[*frames..], rest.frames);
    for share in [0.13, 0.21, 0.34, 0.5] {
        let mut sooner = model.clone();
        sooner.solver.t_end *= share;
        sooner.output.every = Some(1e-4);
        let (_, keeper) = run(&sooner);
        let last = keeper.steps.len() - 1;
        assert_eq!(keeper.steps[..last], whole.steps[..last], "{share}");
        let until = keeper.steps[last - 1].time;
        let before =
            |keeper: &Keeper| keeper.events.iter().filter(|e| e.time <= until).copied().collect::<Vec<_>>();
        assert_eq!(before(&keeper), before(&whole), "{share}");
    }
}
