//! Located peaks of forces and depths: closed forms, runs with dense output, independence of what is recorded, cost.

use std::f64::consts::PI;

use carom_engine::law::{NormalKind, damping_ratio};
use carom_engine::model::{
    AxisLimit, CableElasticity, CableLength, Force, ForceKind, IntegratorKind, JointKind, Stop,
};
use carom_engine::record::{EventKind, Peaks};
use carom_engine::{EndReason, Model, Outcome, Simulation, System};
use carom_math::{Pose, Vec3};

use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene::{Keeper, ball, block, floor, law, model, point, run};

const KINDS: [IntegratorKind; 6] = [
    IntegratorKind::Ode45,
    IntegratorKind::Dop853,
    IntegratorKind::Ode113,
    IntegratorKind::Radau5,
    IntegratorKind::Bdf,
    IntegratorKind::Rodas3,
];

const MASS: f64 = 0.3;
const SPEED: f64 = 1.7;
const STIFFNESS: f64 = 1e8;

/// A ball that hits a floor without gravity.
fn impact(kind: NormalKind, restitution: f64, rtol: f64) -> Model {
    let mut b = ball("ball", MASS, 0.1, Vec3::new(0.0, 0.0, 0.101));
    b.velocity.z = -SPEED;
    let mut l = law(kind, restitution);
    if kind == NormalKind::Anagnostopoulos {
        point(&mut l).exponent = 1.0;
        point(&mut l).stiffness = Some(1e6);
    }
    let mut m = model(vec![floor(), b], l, 0.0, 0.02, rtol);
    m.solver.h_max = Some(1e-3);
    m.output.every = Some(0.02);
    m
}

fn with(mut m: Model, kind: IntegratorKind) -> Model {
    m.solver.method = kind;
    m
}

/// δ_m = (5 m v²/(4 K))^(2/5) and F = K δ_m^(3/2), halfway between begin and end. rtol 1e-9 over some fifty steps leaves 1e-7.
#[test]
fn an_elastic_impact_has_the_peaks_of_its_closed_form() {
    let deepest = libm::pow(1.25 * MASS * SPEED * SPEED / STIFFNESS, 0.4);
    let force = STIFFNESS * libm::pow(deepest, 1.5);
    for kind in KINDS {
        let (outcome, keeper) = run(&with(impact(NormalKind::None, 1.0, 1e-9), kind));
        let peaks = outcome.pairs[0].peaks;
        for (what, ratio) in
            [("depth", peaks.penetration.value / deepest), ("force", peaks.force.value / force)]
        {
            assert!((ratio - 1.0).abs() < 1e-6, "{} {what}: {:e}", kind.name(), ratio - 1.0);
        }
        let [begin, end] = [EventKind::ContactBegin, EventKind::ContactEnd].map(|e| keeper.times(e)[0]);
        let turn = (peaks.force.time - begin) / (end - begin);
        assert!((turn - 0.5).abs() < 1e-3, "{}: {turn}", kind.name());
        let [episode] = &keeper.episodes[..] else { panic!("one impact") };
        assert_eq!((episode.begin, episode.end), (begin, Some(end)));
        assert_eq!((episode.peaks.force, episode.peaks.penetration), (peaks.force, peaks.penetration));
        assert_eq!(episode.peaks, keeper.events[1].peaks);
        let impulse = 2.0 * MASS * SPEED;
        assert!((episode.impulse_normal / impulse - 1.0).abs() < 1e-6, "{}", kind.name());
        assert_eq!(episode.separation_speed, Some(-keeper.events[1].approach_speed));
    }
}

/// The linear oscillator in closed form, whose force jumps at the begin: with much damping that is its peak, with little it
/// comes later, but before the depth's.
#[test]
fn kelvin_voigt_has_its_peak_inside_or_at_the_begin() {
    for kind in [IntegratorKind::Ode45, IntegratorKind::Radau5, IntegratorKind::Dop853] {
        for e in [0.9, 0.5, 0.2] {
            let (outcome, keeper) = run(&with(impact(NormalKind::Anagnostopoulos, e, 1e-9), kind));
            let omega = (1e6_f64 / MASS).sqrt();
            let xi = damping_ratio(e);
            let turn = omega * (1.0 - xi * xi).sqrt();
            // F/m = ω² x + 2 ξ ω ẋ of x = v/ω_d e^(−ξ ω t) sin ω_d t.
            let force = |t: f64| {
                let (decay, s, c) = (libm::exp(-xi * omega * t), libm::sin(turn * t), libm::cos(turn * t));
                let x = SPEED / turn * decay * s;
                let v = SPEED * decay * c - xi * omega * x;
                MASS * (omega * omega * x + 2.0 * xi * omega * v)
            };
            let n = 200_000;
            let greatest =
                (0..=n).map(|i| force(PI / turn * f64::from(i) / f64::from(n))).fold(0.0, f64::max);
            let peaks = outcome.pairs[0].peaks;
            let ratio = peaks.force.value / greatest;
            assert!((ratio - 1.0).abs() < 1e-6, "{} {e}: {:e}", kind.name(), ratio - 1.0);
            assert!(peaks.force.time < peaks.penetration.time, "{} {e}", kind.name());
            let is_at_begin = peaks.force.time == keeper.events[0].time;
            assert_eq!(is_at_begin, xi > 0.5, "{} {e}", kind.name());
        }
    }
}

/// A ball that bounces with damping, and rests at last if it has the time.
fn bouncing(kind: NormalKind, e: f64, t_end: f64, every: f64) -> Model {
    let b = ball("ball", 0.5, 0.05, Vec3::new(0.0, 0.0, 0.052));
    let mut m = model(vec![floor(), b], law(kind, e), 9.81, t_end, 1e-9);
    m.solver.h_max = Some(1e-3);
    m.output.every = Some(every);
    m.output.steps = false;
    m
}

fn same(a: &Peaks, b: &Peaks, tolerance: f64) -> bool {
    let near = |x: f64, y: f64| (x - y).abs() <= tolerance * x.abs().max(y.abs());
    near(a.force.value, b.force.value) && near(a.penetration.value, b.penetration.value)
}

/// Rows every microsecond never exceed the peaks, whose run knows nothing of them, by more than 1e-9, and come near.
#[test]
fn peaks_do_not_depend_on_rows_or_on_the_end() {
    for (kind, e) in [(NormalKind::HuntCrossley, 0.5), (NormalKind::Exact, 0.05), (NormalKind::Exact, 0.8)] {
        let coarse = run(&bouncing(kind, e, 0.06, 0.06)).1;
        let (outcome, dense) = run(&bouncing(kind, e, 0.06, 1e-6));
        let longer = run(&bouncing(kind, e, 0.1, 0.1)).1;
        assert!(coarse.episodes.len() >= if e < 0.1 { 1 } else { 2 });
        for ((one, other), later) in coarse.episodes.iter().zip(&dense.episodes).zip(&longer.episodes) {
            assert!(same(&one.peaks, &other.peaks, 1e-9), "{} {e} {one:?} {other:?}", kind.name());
            if let (Some(end), true) = (one.end, later.end.is_some()) {
                assert_eq!(one.peaks, later.peaks, "{} {e} to {end}", kind.name());
            }
            let until = one.until;
            let rows = dense.frames.iter().filter(|f| f.time >= one.begin && f.time <= until);
            let rows: Vec<_> = rows.flat_map(|f| &f.contacts).collect();
            let force = rows.iter().map(|c| c.normal_force).fold(0.0, f64::max);
            let depth = rows.iter().map(|c| -c.gap).fold(0.0, f64::max);
            for (row, peak, reported) in [
                (force, one.peaks.force.value, other.peaks.force.value),
                (depth, one.peaks.penetration.value, other.peaks.penetration.value),
            ] {
                assert!(row <= reported && row <= peak * (1.0 + 1e-9), "{row} {peak}");
                // A microsecond of an impact of more than 100: (π/200)²/8 at most.
                assert!(row >= peak * (1.0 - 1e-3), "{row} {peak}");
            }
        }
        let greatest = dense.episodes.iter().map(|e| e.peaks.force.value).fold(0.0, f64::max);
        assert_eq!(outcome.pairs[0].peaks.force.value, greatest);
        assert_eq!(outcome.lines[0].force, outcome.pairs[0].peaks.force);
    }
}

/// A spring that never lets go: F = m g ± K a, at its lowest as at its greatest.
#[test]
fn a_contact_that_holds_has_a_least_force_and_an_open_episode() {
    let (mass, k, g, amplitude) = (2.0, 1e6, 10.0, 1e-5);
    let sag = mass * g / k;
    let b = ball("ball", mass, 0.1, Vec3::new(0.0, 0.0, 0.1 - sag - amplitude));
    let mut l = law(NormalKind::None, 1.0);
    (point(&mut l).exponent, point(&mut l).stiffness) = (1.0, Some(k));
    for kind in KINDS {
        let mut m = model(vec![floor(), b.clone()], l.clone(), g, 0.0301, 1e-10);
        m.output.every = Some(0.0301);
        let (outcome, keeper) = run(&with(m, kind));
        let totals = outcome.pairs[0];
        let [greatest, least] = [mass * g + k * amplitude, mass * g - k * amplitude];
        // The oscillation of 1e-5 m is integrated to 1e-10 of some length scale of the model, over some hundred steps.
        assert!((totals.peaks.force.value / greatest - 1.0).abs() < 1e-6, "{}: {totals:?}", kind.name());
        assert!((totals.least_force.value / least - 1.0).abs() < 1e-6, "{}: {totals:?}", kind.name());
        assert_eq!(outcome.lines[0].least_force, totals.least_force);
        let [episode] = &keeper.episodes[..] else { panic!("one episode") };
        assert_eq!((episode.end, episode.until, episode.begin), (None, 0.0301, 0.0));
        assert_eq!(episode.peaks, totals.peaks);
    }
}

/// A block that falls flat on its four corners: the pair has the force of all, of four times the stiffness. Two balls at slightly
/// different times: the line has the greatest sum, which neither end of a step nor a single ball shows.
#[test]
fn sums_over_pairs_and_lines_have_peaks_of_their_own() {
    let speed = 1.0;
    let mut b =
        block("block", MASS, Vec3::new(0.1, 0.1, 0.1), Pose::from_translation(Vec3::new(0.0, 0.0, 0.0501)));
    b.velocity.z = -speed;
    let mut m = model(vec![floor(), b], law(NormalKind::None, 1.0), 0.0, 0.01, 1e-9);
    m.output.every = Some(0.01);
    let (outcome, keeper) = run(&m);
    let deepest = libm::pow(1.25 * MASS * speed * speed / (4.0 * STIFFNESS), 0.4);
    let force = 4.0 * STIFFNESS * libm::pow(deepest, 1.5);
    assert!((outcome.pairs[0].peaks.force.value / force - 1.0).abs() < 1e-6);
    assert_eq!(keeper.episodes.len(), 4);
    assert!(keeper.episodes.iter().all(|e| (4.0 * e.peaks.force.value / force - 1.0).abs() < 1e-6));

    let falling = |name: &str, x: f64, height: f64| {
        let mut b = ball(name, MASS, 0.1, Vec3::new(x, 0.0, 0.1 + height));
        b.velocity.z = -SPEED;
        b
    };
    let sums = |every: f64| {
        let bodies = vec![floor(), falling("a", 0.0, 1e-3), falling("b", 1.0, 1.05e-3)];
        let mut m = model(bodies, law(NormalKind::HuntCrossley, 0.7), 0.0, 0.003, 1e-9);
        m.solver.h_max = Some(1e-4);
        m.output.every = Some(every);
        run(&m)
    };
    let (coarse, _) = sums(0.003);
    let (dense, keeper) = sums(1e-7);
    let rows = keeper.frames.iter().map(|f| f.contacts.iter().map(|c| c.normal_force).sum::<f64>());
    let row = rows.fold(0.0, f64::max);
    let [peak, alone] = [coarse.lines[0].force.value, coarse.pairs[0].peaks.force.value];
    assert!(peak > 1.2 * alone && peak < 2.0 * alone, "{peak} {alone}");
    assert!(row <= dense.lines[0].force.value && row <= peak * (1.0 + 1e-9));
    assert!(row > peak * (1.0 - 1e-6), "{row} {peak}");
}

/// A door of inertia I hits its stop at ω: without damping the torque reaches ω √(K I), at an angle of ω √(I/K).
#[test]
fn a_door_stop_takes_its_closed_form() {
    let (inertia, omega, k) = (5.0, 3.0, 1e6);
    let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    hinge.velocity = Some(vec![omega]);
    let stop = Stop::Compliant { stiffness: Some(k), exponent: 1.0, restitution: 1.0 };
    hinge.elements[0].limit = Some(AxisLimit { lower: None, upper: Some(0.5), stop });
    let door = part("door", 10.0, Vec3::new(inertia, inertia, inertia));
    for kind in KINDS {
        let mut m = mechanism(vec![ground(), door.clone()], vec![hinge.clone()], 0.0, 0.3, 1e-9);
        m.output.every = Some(0.3);
        let (outcome, keeper) = run(&with(m, kind));
        let peaks = outcome.pairs[0].peaks;
        let torque = omega * (k * inertia).sqrt();
        assert!((peaks.force.value / torque - 1.0).abs() < 1e-6, "{}: {peaks:?}", kind.name());
        assert!((peaks.penetration.value / (torque / k) - 1.0).abs() < 1e-6, "{}: {peaks:?}", kind.name());
        assert_eq!(keeper.episodes.len(), 1);
        assert_eq!(outcome.lines[0].name, "hinge.limit");
    }
}

/// A pendulum on a rope that starts level: 3 m g at its lowest point.
#[test]
fn a_rope_has_its_greatest_tension() {
    let (mass, g, length) = (2.0, 10.0, 1.0);
    let mut bob = part("bob", mass, Vec3::new(0.01, 0.01, 0.01));
    bob.position = Vec3::new(length, 0.0, -1e-3);
    let path = vec![at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0)];
    let length = CableLength { initial: None, rate: None };
    let rope = Force { name: "rope".to_owned(), kind: ForceKind::Cable { path, length, elasticity: None } };
    for kind in [IntegratorKind::Ode45, IntegratorKind::Dop853, IntegratorKind::Radau5] {
        let mut m = mechanism(vec![ground(), bob.clone()], Vec::new(), g, 0.9, 1e-9);
        m.forces.push(rope.clone());
        m.output.every = Some(0.9);
        let (outcome, keeper) = run(&with(m, kind));
        // From 1 mm below: v² = 2 g (L − 1 mm) where L is the distance at the start.
        let reach = (1.0_f64 + 1e-6).sqrt();
        let tension = mass * g + mass * 2.0 * g * (reach - 1e-3) / reach;
        let peak = outcome.pairs[0].peaks.force.value;
        assert!((peak / tension - 1.0).abs() < 1e-6, "{}: {peak} {tension}", kind.name());
        let [episode] = &keeper.episodes[..] else { panic!("it stays taut") };
        assert_eq!((episode.end, episode.peaks.force.value), (None, peak));
    }
}

/// A weight falls 0.4 m onto its elastic rope: e = v/ω sin ωt − g/ω² (cos ωt − 1), greatest stretch g/ω² + √((g/ω²)² + (v/ω)²), and slack
/// again after 2 (π − φ)/ω with tan φ = v ω/g, as fast as it came.
#[test]
fn an_elastic_rope_has_its_peaks_and_its_episodes() {
    let (mass, g, rope_length, fall, k) = (2.0_f64, 10.0, 1.0, 0.4, 5e3);
    let mut bob = part("bob", mass, Vec3::new(0.01, 0.01, 0.01));
    bob.position = Vec3::new(0.0, 0.0, fall - rope_length);
    let path = vec![at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0)];
    let length = CableLength { initial: Some(rope_length), rate: None };
    let elasticity = Some(CableElasticity { stiffness: k, damping: 0.0 });
    let rope = Force { name: "rope".to_owned(), kind: ForceKind::Cable { path, length, elasticity } };
    let (omega, speed, begin) = ((k / mass).sqrt(), (2.0 * g * fall).sqrt(), (2.0 * fall / g).sqrt());
    let sag = g / (omega * omega);
    let stretch = sag + sag.hypot(speed / omega);
    let lasts = 2.0 / omega * (PI - (speed * omega / g).atan());
    for kind in KINDS {
        for (t_end, every) in [(0.6, 0.6), (0.5, 1e-4)] {
            let mut m = mechanism(vec![ground(), bob.clone()], Vec::new(), g, t_end, 1e-9);
            m.forces.push(rope.clone());
            m.output.every = Some(every);
            let (outcome, keeper) = run(&with(m, kind));
            let near = |found: f64, wanted: f64| {
                assert!((found / wanted - 1.0).abs() < 1e-6, "{} {every}: {found} {wanted}", kind.name());
            };
            let peaks = outcome.pairs[0].peaks;
            near(peaks.force.value, k * stretch);
            near(peaks.penetration.value, stretch);
            near(peaks.force.time, begin + 0.5 * lasts);
            let [episode] = &keeper.episodes[..] else { panic!("{}: one episode", kind.name()) };
            near(episode.begin, begin);
            near(episode.approach_speed, speed);
            near(episode.end.unwrap(), begin + lasts);
            near(episode.separation_speed.unwrap(), speed);
            near(episode.impulse_normal, mass * (2.0 * speed + g * lasts));
            assert_eq!(episode.impulse_normal, outcome.pairs[0].impulse_normal);
            assert_eq!((episode.peaks.force, outcome.pairs[0].begins), (peaks.force, 1));
        }
    }
}

/// Looks at single contacts are cheaper than right-hand sides, and few beside them.
#[test]
fn peaks_cost_little() {
    let count = |outcome: &Outcome| outcome.statistics.looks as f64 / outcome.statistics.rhs as f64;
    let bouncing = run(&bouncing(NormalKind::HuntCrossley, 0.8, 0.3, 0.3)).0;
    let mut pile = vec![floor()];
    pile.extend(
        (0..6).map(|i| ball(&format!("b{i}"), 0.2, 0.05, Vec3::new(0.0, 0.0, 0.06 + 0.11 * f64::from(i)))),
    );
    let mut m = model(pile, law(NormalKind::HuntCrossley, 0.5), 9.81, 0.5, 1e-6);
    m.output.steps = false;
    let pile = run(&m).0;
    assert!(bouncing.statistics.looks > 0 && count(&bouncing) < 0.02, "{}", count(&bouncing));
    assert!(count(&pile) < 0.05, "{}", count(&pile));
}

/// What holds where a run is interrupted is no episode yet; what has run on has the same bits.
#[test]
fn episodes_go_on_over_a_restart() {
    let m = bouncing(NormalKind::Exact, 0.5, 0.06, 0.01);
    let system = System::compile(&m).unwrap();
    let (whole, all) = run(&m);
    for after in 1..8 {
        let mut first = Keeper { checkpoint_after: after, ..Keeper::default() };
        Simulation::new(&system).run(&mut first).unwrap();
        let Some((image, ..)) = first.checkpoints.pop() else { continue };
        let mut second = Keeper::default();
        let resumed = Simulation::resume(&system, &image).unwrap().run(&mut second).unwrap();
        assert_eq!(resumed.end, EndReason::Finished);
        assert_eq!((&resumed.pairs, &resumed.lines), (&whole.pairs, &whole.lines));
        assert!(!second.episodes.is_empty() && all.episodes.ends_with(&second.episodes));
        assert_eq!(resumed.statistics.looks, whole.statistics.looks);
    }
}

/// A start in the overlap counts from its first moment.
#[test]
fn an_overlap_at_the_start_is_a_peak_at_zero() {
    let mut b = ball("ball", MASS, 0.1, Vec3::new(0.0, 0.0, 0.0999));
    b.velocity.z = 0.1;
    let (outcome, _) = run(&model(vec![floor(), b], law(NormalKind::None, 1.0), 0.0, 0.01, 1e-6));
    let peaks = outcome.pairs[0].peaks;
    assert_eq!((peaks.force.time, peaks.penetration.time), (0.0, 0.0));
    assert!((peaks.force.value - STIFFNESS * libm::pow(1e-4, 1.5)).abs() < 1e-9 * peaks.force.value);
}
