//! Joint stops and inextensible cables: motions of one coordinate, and throws, in closed form.

use carom_engine::model::{
    Attachment, AxisLimit, AxisSpring, CableLength, Force, ForceKind, IntegratorKind, JointKind, Method, Stop,
};
use carom_engine::{StateMeasure, System};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::build::{at, fixed, joint, model, point_law, round};
use crate::flight::{allowance, stopped};
use crate::part::{pick, spread};
use crate::referee::{Judgement, Verdict};
use crate::watch::run_system;

/// Motion of a coordinate before it meets its stop.
#[derive(Clone, Copy, Debug)]
enum Course {
    /// v t
    Coast(f64),
    /// v t − g t²/2
    Throw { speed: f64, gravity: f64 },
    /// a sin(ω t)
    Swing { amplitude: f64, omega: f64 },
}

impl Course {
    /// Highest value.
    fn crest(self) -> f64 {
        match self {
            Self::Coast(_) => f64::INFINITY,
            Self::Throw { speed, gravity } => speed * speed / (2.0 * gravity),
            Self::Swing { amplitude, .. } => amplitude,
        }
    }

    /// When it reaches a value for the first time, and its rate there.
    fn reaches(self, value: f64) -> (f64, f64) {
        match self {
            Self::Coast(speed) => (value / speed, speed),
            Self::Throw { speed, gravity } => {
                let rate = (speed * speed - 2.0 * gravity * value).sqrt();
                ((speed - rate) / gravity, rate)
            }
            Self::Swing { amplitude, omega } => {
                let share = value / amplitude;
                (libm::asin(share) / omega, amplitude * omega * (1.0 - share * share).sqrt())
            }
        }
    }
}

/// A joint with a stop, beyond the crest of its motion or a little below it.
pub(crate) fn judge_stop(seed: u64) -> Judgement {
    let mut rng = SplitMix64::new(0x7374_6f70 ^ (seed << 20));
    let course = match rng.index(3) {
        0 => Course::Coast(spread(&mut rng, 0.01, 1000.0)),
        1 => Course::Throw { speed: spread(&mut rng, 0.3, 100.0), gravity: 9.81 },
        _ => Course::Swing { amplitude: spread(&mut rng, 0.01, 3.0), omega: spread(&mut rng, 0.1, 1000.0) },
    };
    let scale = if course.crest().is_finite() { course.crest() } else { spread(&mut rng, 1e-3, 100.0) };
    let share = spread(&mut rng, 1e-8, 0.5);
    let beyond = rng.index(4) == 0 && course.crest().is_finite();
    let limit = scale * if beyond { 1.0 + share } else { 1.0 - share };
    let turns = rng.index(2) == 0 && !matches!(course, Course::Throw { .. });
    let (mass, inertia) = (spread(&mut rng, 0.01, 100.0), spread(&mut rng, 1e-3, 10.0));
    let behind = if turns { inertia } else { mass };
    let mut bob = round("bob", mass, (2.5 * inertia / mass).sqrt(), None);
    bob.pose_stated = false;
    bob.velocity_stated = false;
    let kind = if turns { JointKind::Revolute } else { JointKind::Prismatic };
    let mut guide = joint("guide", kind, at(0, Pose::identity()), at(1, Pose::identity()));
    let (speed, gravity) = match course {
        Course::Coast(speed) => (speed, 0.0),
        Course::Throw { speed, gravity } => (speed, gravity),
        Course::Swing { amplitude, omega } => {
            let stiffness = behind * omega * omega;
            guide.elements[0].spring = Some(AxisSpring { stiffness, damping: 0.0, rest: 0.0 });
            (amplitude * omega, 0.0)
        }
    };
    guide.position = Some(vec![0.0]);
    guide.velocity = Some(vec![speed]);
    // As deep as a hundredth of the way, if all of the first speed is left.
    let stiffness = 2.5 * 0.5 * behind * speed * speed / (0.01 * scale).powf(2.5);
    let stop =
        Stop::Compliant { stiffness: Some(stiffness), exponent: 1.5, restitution: rng.uniform(0.3, 1.0) };
    guide.elements[0].limit = Some(AxisLimit { lower: None, upper: Some(limit), stop });
    let mut model = model(vec![fixed("ground", None), bob], point_law(1.0, 1.0), Method::Auto);
    model.joints.push(guide);
    model.gravity = Vec3::new(0.0, 0.0, -gravity);
    model.solver.method = pick(&mut rng, &IntegratorKind::SMOOTH);
    let (touch, approach) = course.reaches(limit.min(scale));
    let period = match course {
        Course::Swing { omega, .. } => 3.0 * std::f64::consts::TAU / omega,
        Course::Throw { .. } | Course::Coast(_) => 2.0 * scale / speed,
    };
    model.solver.t_end = touch + period * spread(&mut rng, 0.1, 30.0);
    let system = System::compile(&model).expect("a sound model");
    let measure = if turns { StateMeasure::Angle } else { StateMeasure::Length };
    let tolerance = system.finest_tolerance(measure).expect("a joint") + 8.0 * f64::EPSILON * scale;
    let words = format!(
        "{course:?}, stop at {limit:.6e}, {share:.1e} of the way {}, {}, {}, t_end {:.3e}",
        if beyond { "beyond" } else { "below" },
        kind.name(),
        model.solver.method.name(),
        model.solver.t_end
    );
    let expected = (!beyond).then_some((touch, approach));
    let deep = share * scale;
    let (verdict, happened) = compare(
        &system,
        expected,
        deep,
        tolerance,
        |value| value > limit + 0.1 * scale,
        |state| {
            if turns { 0.0 } else { state.z }
        },
    );
    Judgement { verdict, kind: "stop".to_owned(), words: format!("{words}: {happened}") }
}

/// A body on an inextensible cable, thrown so that it would leave the cable's reach for a while.
pub(crate) fn judge_cable(seed: u64) -> Judgement {
    let mut rng = SplitMix64::new(0x6361_626c ^ (seed << 20));
    let size = spread(&mut rng, 0.3, 30.0);
    let fall = (2.0 * 9.81 * size).sqrt();
    // Half of them are thrown up, and only their crest is out of reach; in some the cable tightens soon.
    let up = rng.index(2) == 0;
    let gravity = if up || rng.index(3) > 0 { 9.81 } else { 0.0 };
    let start = rng.unit_vector() * (size * if up { rng.uniform(0.01, 0.3) } else { rng.uniform(0.1, 0.9) });
    let slant = rng.unit_vector() * 0.2;
    let (velocity, duration) = if up {
        ((Vec3::z() + slant) * fall, 2.0 * fall / 9.81)
    } else {
        (rng.unit_vector() * (fall * spread(&mut rng, 0.1, 30.0)), spread(&mut rng, 0.1, 10.0) * size / fall)
    };
    let acceleration = Vec3::new(0.0, 0.0, -gravity);
    let radius = |t: f64| (start + velocity * t + acceleration * (0.5 * t * t)).norm();
    // The farthest place within the duration, finely sampled: the cable is shorter than that by a share.
    let count = 4000;
    let until = if up { 0.7 } else { 1.0 } * duration;
    let far = (0..=count).map(|k| radius(until * f64::from(k) / f64::from(count))).fold(0.0, f64::max);
    let share = spread(&mut rng, 1e-4, 0.3);
    let length = far * (1.0 - share);
    let mass = spread(&mut rng, 0.01, 100.0);
    let mut bob = round("bob", mass, 0.1 * size, None);
    bob.position = start;
    bob.velocity = velocity;
    let mut model = model(vec![fixed("ground", None), bob], point_law(1.0, 1.0), Method::Auto);
    model.gravity = acceleration;
    let ends = [0, 1].map(|body| Attachment { body, pose: Pose::identity() });
    let cable = CableLength { initial: Some(length), rate: None };
    model.forces.push(Force {
        name: "rope".to_owned(),
        kind: ForceKind::Cable { path: ends.to_vec(), length: cable, elasticity: None },
    });
    model.solver.method = pick(&mut rng, &IntegratorKind::SMOOTH);
    model.solver.t_end = duration * spread(&mut rng, 1.0, 300.0);
    let words = format!(
        "from {:.3e} m with {:.3e} m/s, g {gravity}, cable of {length:.6e} m, {share:.1e} of the way short, {}, t_end {:.3e}",
        start.norm(),
        velocity.norm(),
        model.solver.method.name(),
        model.solver.t_end
    );
    let judged = |verdict, happened: &str| Judgement {
        verdict,
        kind: "cable".to_owned(),
        words: format!("{words}: {happened}"),
    };
    if radius(0.0) >= length * (1.0 - 1e-3) {
        return judged(Verdict::Unclear, "taut at the start");
    }
    // The first sample beyond the length, then bisection.
    let times = (0..=count).map(|k| duration * f64::from(k) / f64::from(count));
    let Some(beyond) = times.clone().find(|&t| radius(t) > length) else {
        return judged(Verdict::Unclear, "not reached");
    };
    let (mut low, mut high) = (beyond - duration / f64::from(count), beyond);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if radius(middle) > length { high = middle } else { low = middle }
    }
    let position = start + velocity * high + acceleration * (0.5 * high * high);
    let approach = position.dot(&(velocity + acceleration * high)) / position.norm();
    let system = System::compile(&model).expect("a sound model");
    let tolerance = system.finest_tolerance(StateMeasure::Length).expect("a body") + 8.0 * f64::EPSILON * far;
    let deep = far - length;
    let outside = |value: f64| value > length * (1.0 + 1e-5) + 100.0 * tolerance;
    let (verdict, happened) =
        compare(&system, Some((high, approach)), deep, tolerance, outside, |position| position.norm());
    judged(verdict, &happened)
}

/// Runs, and compares the first begin with time and approach of the touch, if there is one that goes `deep`; nothing may
/// ever be outside afterwards.
fn compare(
    system: &System,
    expected: Option<(f64, f64)>,
    deep: f64,
    tolerance: f64,
    outside: impl Fn(f64) -> bool,
    value: impl Fn(&Vec3) -> f64,
) -> (Verdict, String) {
    let (outcome, watch) = run_system(system);
    if deep < 3.0 * allowance(&watch) * tolerance {
        return (Verdict::Unclear, "too close to call".to_owned());
    }
    if let Some(stopped) = stopped(&outcome) {
        return stopped;
    }
    match (expected, watch.begin()) {
        (None, None) => (Verdict::Right, String::new()),
        (None, Some(event)) => (Verdict::Phantom, format!("begins at {:.6e} s", event.time)),
        (Some((touch, _)), None) => {
            (Verdict::Unseen, format!("reached at {touch:.9e} s, {} steps", watch.steps))
        }
        (Some((touch, approach)), Some(event)) => {
            let allowed = allowance(&watch) * tolerance / approach + 16.0 * f64::EPSILON * touch;
            let off = event.time - touch;
            if off.abs() > allowed {
                let verdict = if off > 0.0 { Verdict::Late } else { Verdict::Early };
                return (
                    verdict,
                    format!("reached at {touch:.9e} s, begins {off:.2e} s off, {allowed:.2e} allowed"),
                );
            }
            let far = watch.frames.iter().find(|(_, bodies)| outside(value(&bodies[1].position)));
            match far {
                Some((time, _)) => {
                    (Verdict::Passed, format!("reached at {touch:.9e} s, outside at {time:.6e} s"))
                }
                None => (Verdict::Right, String::new()),
            }
        }
    }
}
