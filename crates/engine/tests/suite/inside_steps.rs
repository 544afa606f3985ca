//! What begins and ends within one step: cables that are taut for a moment, contacts that open for a moment.

use carom_engine::function::{Op, Program, TimeFunction};
use carom_engine::law::NormalKind;
use carom_engine::model::{CableElasticity, CableLength, Force, ForceAxes, ForceKind, IntegratorKind};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model};
use carom_math::{Pose, Vec3};

use crate::mechanism::{at, ground, mechanism, part};
use crate::scene::{ball, floor, law, model, point, run, run_any};

const G: f64 = 9.81;

/// A body thrown up on a rope that is fixed where it starts, with the default step limits.
fn thrown(start: Vec3, velocity: Vec3, length: f64, elasticity: Option<CableElasticity>) -> Model {
    let mut bob = part("bob", 1.0, Vec3::new(0.01, 0.01, 0.01));
    (bob.position, bob.velocity) = (start, velocity);
    let path = vec![at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0)];
    let length = CableLength { initial: Some(length), rate: None };
    let mut m = mechanism(vec![ground(), bob], Vec::new(), G, 10.0, 1e-6);
    m.forces.push(Force { name: "rope".to_owned(), kind: ForceKind::Cable { path, length, elasticity } });
    m
}

/// The rope is a little shorter than the crest is high: steps over the whole throw, whose path is a parabola, see it at neither
/// of their ends.
#[test]
fn a_rope_that_is_taut_at_the_crest_alone_goes_taut() {
    let (start, velocity) = (Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.3, 0.0, 10.0));
    let reach = |t: f64| (start + velocity * t - Vec3::new(0.0, 0.0, 0.5 * G * t * t)).norm();
    let places = (0..200_000).map(|k| 1e-5 * f64::from(k));
    let top = places.max_by(|&a, &b| reach(a).total_cmp(&reach(b))).unwrap();
    for kind in IntegratorKind::SMOOTH {
        for beyond in [0.3, 1e-3, 1e-5] {
            let length = reach(top) - beyond;
            let mut m = thrown(start, velocity, length, None);
            m.solver.method = kind;
            m.solver.t_end = 3.0;
            m.solver.rtol = 1e-8;
            let (mut low, mut high) = (0.0, top);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if reach(middle) > length { high = middle } else { low = middle }
            }
            let (outcome, keeper) = run_any(&m);
            assert_eq!(outcome.end, EndReason::Finished, "{} {beyond}", kind.name());
            let begin = keeper.times(EventKind::ContactBegin)[0];
            // Some ten errors of a step at rtol 1e-8 of 5 m, over the speed with which it is reached.
            let late = (begin - high) * (2.0 * G * beyond).sqrt();
            assert!(late.abs() < 1e-6, "{} {beyond}: {begin} for {high}", kind.name());
        }
    }
}

/// A body flies straight past the post that a rope so soft that it pulls nothing ties it to: steps over the whole flight see it
/// taut at both of their ends.
#[test]
fn a_rope_that_is_slack_near_the_post_alone_goes_slack() {
    let (aside, length) = (0.5_f64, 0.6_f64);
    for half in [2.0, 20.0] {
        for kind in IntegratorKind::SMOOTH {
            let elasticity = Some(CableElasticity { stiffness: 1e-15, damping: 0.0 });
            let mut m = thrown(Vec3::new(-half, aside, 0.0), Vec3::x(), length, elasticity);
            m.gravity = Vec3::zeros();
            m.solver.method = kind;
            m.solver.t_end = 2.0 * half;
            let (outcome, keeper) = run_any(&m);
            assert_eq!(outcome.end, EndReason::Finished);
            let within = (length * length - aside * aside).sqrt();
            let [end] = keeper.times(EventKind::ContactEnd)[..] else { panic!("{}: no end", kind.name()) };
            let [begin] = keeper.times(EventKind::ContactBegin)[..] else { panic!("no begin") };
            // To the tolerance of a flight that nothing disturbs.
            assert!((end - (half - within)).abs() < 1e-9 && (begin - (half + within)).abs() < 1e-9);
        }
    }
}

/// A stiff bungee is stretched at the crest for 9 ms of 2 s: the way back is the way up. Up to the crest 10 m/s and 1 mm too long
/// a throw; then a harmonic half-swing e(t) = A cos(ω t − φ) − g/ω² with tan φ = ω v/g, which lasts 2φ/ω. Not seen, it would be
/// 0.2 m farther down.
#[test]
fn a_bungee_that_is_stretched_at_the_crest_alone_throws_back() {
    let (speed, stiffness) = (10.0_f64, 1e5_f64);
    let length = speed * speed / (2.0 * G) - 1e-3;
    let at_length = (speed * speed - 2.0 * G * length).sqrt();
    let omega = stiffness.sqrt();
    let taut = 2.0 / omega * libm::atan2(omega * at_length, G);
    let back = 2.0 * (speed - at_length) / G + taut;
    for kind in IntegratorKind::SMOOTH {
        let elasticity = Some(CableElasticity { stiffness, damping: 0.0 });
        let mut m = thrown(Vec3::zeros(), speed * Vec3::z(), length, elasticity);
        m.solver.method = kind;
        m.solver.rtol = 1e-8;
        m.solver.t_end = back;
        let (outcome, keeper) = run(&m);
        let body = &outcome.bodies[1];
        let episode = &keeper.episodes[0];
        let lasted = episode.end.unwrap() - episode.begin;
        assert!((lasted / taut - 1.0).abs() < 1e-4, "{}: {lasted} s for {taut} s", kind.name());
        assert!(
            body.position.z.abs() < 1e-3 && (body.velocity.z + speed).abs() < 1e-3,
            "{}: {} m, {} m/s",
            kind.name(),
            body.position.z,
            body.velocity.z
        );
    }
}

/// A ball pressed with P (1 − 1.002 sin ω t) on a stiff floor: once in each period it is pulled off for four milliseconds, which
/// implicit methods step over. Its openings are those of a run with steps of 50 µs, for laws that let go at zero force too.
#[test]
fn a_ball_that_is_pulled_off_for_a_moment_lets_go() {
    let (press, stiffness, omega) = (1.0, 1e6, 30.0);
    let load = {
        use Op::{Add, Constant, Mul, Sin, Time};
        let ops = vec![Constant(omega), Time, Mul, Sin, Constant(1.002 * press), Mul, Constant(-press), Add];
        TimeFunction::Program(Program::new(ops).unwrap())
    };
    let pulled = |normal, kind, h_max| {
        let at_rest = Vec3::new(0.0, 0.0, 0.1 - press / stiffness);
        let mut l = law(normal, 0.3);
        point(&mut l).exponent = 1.0;
        point(&mut l).stiffness = Some(stiffness);
        let mut m = model(vec![floor(), ball("ball", 0.3, 0.1, at_rest)], l, 0.0, 0.4, 1e-4);
        let zero = || TimeFunction::Constant(0.0);
        m.forces.push(Force {
            name: "press".to_owned(),
            kind: ForceKind::Force {
                on: carom_engine::model::Attachment { body: 1, pose: Pose::identity() },
                components: [zero(), zero(), load.clone()],
                axes: ForceAxes::World,
            },
        });
        m.solver.method = kind;
        m.solver.h_max = h_max;
        let (outcome, keeper) = run(&m);
        (outcome.statistics.steps, keeper.times(EventKind::ContactEnd))
    };
    // Without damping radau5 alone follows the trembling that is left from one period to the next.
    for (normal, kind) in [
        (NormalKind::None, IntegratorKind::Radau5),
        (NormalKind::Anagnostopoulos, IntegratorKind::Radau5),
        (NormalKind::Anagnostopoulos, IntegratorKind::Bdf),
        (NormalKind::Anagnostopoulos, IntegratorKind::Rodas3),
    ] {
        let (many, expected) = pulled(normal, kind, Some(5e-5));
        let (steps, found) = pulled(normal, kind, None);
        assert!(!expected.is_empty() && 5 * steps < many, "{steps}");
        let count = if normal == NormalKind::None { 1 } else { expected.len().max(found.len()) };
        let off = |k: usize| Some((found.get(k)? - expected.get(k)?).abs());
        let are_near = (0..count).all(|k| off(k).is_some_and(|off| off < 5e-4));
        assert!(are_near, "{normal:?} {} {steps}: {found:?} for {expected:?}", kind.name());
    }
}

/// A winch at rest in space hauls in a slack rope at the speed w. As the rope goes taut the load at its end has that speed at once:
/// of the work m w² of the winch half is lost. Left alone the load would come to the winch later, where a rope has no direction: a
/// step that tries to go beyond that place is too long, and no failure of the model.
#[test]
fn a_winch_takes_up_the_slack_and_hauls() {
    let (start, slack, speed, mass, end) = (3.0, 0.3, 0.5, 2.0, 2.0);
    let mut load = part("load", mass, Vec3::new(1.0, 1.0, 1.0));
    load.position = Vec3::new(start, 0.0, 0.0);
    let mut m = mechanism(vec![ground(), load], Vec::new(), 0.0, end, 1e-6);
    let path = vec![at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0)];
    let rate = Some(TimeFunction::Constant(-speed));
    let length = CableLength { initial: Some(start + slack), rate };
    m.forces
        .push(Force { name: "rope".to_owned(), kind: ForceKind::Cable { path, length, elasticity: None } });
    for kind in IntegratorKind::SMOOTH {
        m.solver.method = kind;
        let (outcome, keeper) = run_any(&m);
        assert_eq!(outcome.end, EndReason::Finished, "{}", kind.name());
        // The rope's length and the load's place are linear in time, which every method has to rounding.
        let taut = slack / speed;
        let begin = keeper.times(EventKind::ContactBegin)[0];
        assert!((begin - taut).abs() < 1e-12, "{}: {begin}", kind.name());
        let off = outcome.bodies[1].position.x - (start - speed * (end - taut));
        assert!(off.abs() < 1e-12, "{}: {off:e}", kind.name());
        let (work, lost) = (outcome.energy.work_motors, outcome.energy.dissipated_impact);
        let each = 0.5 * mass * speed * speed;
        assert!((work - 2.0 * each).abs() < 1e-12 && (lost - each).abs() < 1e-12, "{work} {lost}");
    }
}

/// A jumper leaves the very place that the rope is tied to: while it is slack it pulls in no direction, and needs none. It goes taut after
/// √(2 L/g), with all that the fall has given lost, and holds the weight.
#[test]
fn a_slack_rope_may_start_with_both_ends_at_one_place() {
    let length = 1.5;
    for kind in IntegratorKind::SMOOTH {
        let mut m = thrown(Vec3::zeros(), Vec3::zeros(), length, None);
        m.solver.method = kind;
        m.solver.t_end = 1.0;
        let (outcome, keeper) = run_any(&m);
        assert_eq!(outcome.end, EndReason::Finished, "{}", kind.name());
        let begin = keeper.times(EventKind::ContactBegin)[0];
        // A fall is quadratic in time, which every method has to rounding.
        assert!((begin - (2.0 * length / G).sqrt()).abs() < 1e-11, "{}: {begin}", kind.name());
        let body = &outcome.bodies[1];
        assert!((body.position.z + length).abs() < 1e-12 && body.velocity.norm() < 1e-12, "{}", kind.name());
        assert!((outcome.energy.dissipated_impact - G * length).abs() < 1e-9, "{}", kind.name());
    }
}
