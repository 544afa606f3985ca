//! Fixed steps of the integrators that have them: order, events, restarts, and what stops them.

use carom_engine::law::NormalKind;
use carom_engine::model::{Attachment, Force, ForceKind, Formulation, IntegratorKind, StepControl};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model, Simulation, System};
use carom_math::{Pose, Vec3};

use crate::scene::{Keeper, ball, floor, law, model, run, run_any};

fn one_step() -> impl Iterator<Item = IntegratorKind> {
    IntegratorKind::SMOOTH.into_iter().filter(|kind| kind.traits().is_one_step)
}

fn with(kind: IntegratorKind, step: f64, mut model: Model) -> Model {
    model.solver.method = kind;
    model.solver.step = StepControl::Fixed(step);
    model
}

/// A ball of 1 kg on a spring of no length and 100 N/m, on an ellipse about where it is held: x = cos ωt, y = ½ sin ωt with
/// ω = 10/s.
fn orbit() -> Model {
    let mut b = ball("ball", 1.0, 0.1, Vec3::new(1.0, 0.0, 2.0));
    b.velocity.y = 5.0;
    let mut m = model(vec![floor(), b], law(NormalKind::None, 1.0), 0.0, 1.0, 1e-12);
    let at = |body, z| Attachment { body, pose: Pose::from_translation(Vec3::new(0.0, 0.0, z)) };
    m.forces = vec![Force {
        name: "spring".to_owned(),
        kind: ForceKind::SpringDamper {
            a: at(0, 2.0),
            b: at(1, 0.0),
            stiffness: 100.0,
            damping: 0.0,
            length: Some(0.0),
            actuator: None,
        },
    }];
    m
}

/// Falls to the floor from 0.25 m and bounces.
fn bouncing() -> Model {
    let l = law(NormalKind::HuntCrossley, 0.8);
    let mut b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.35));
    b.velocity.x = 0.3;
    model(vec![floor(), b], l, 9.81, 0.6, 1e-6)
}

/// Halving the step divides the error at the end by 2 to the order; 0.4 allows for the next term at these steps. Every step is
/// whole but for what rounding leaves of the last, and none is tried twice.
#[test]
fn errors_fall_with_the_order() {
    for kind in one_step() {
        let order = kind.traits().order;
        let steps = match order {
            ..4 => 400,
            4..7 => 64,
            _ => 16,
        };
        let [coarse, fine] = [steps, 2 * steps].map(|n| {
            let h = 1.0 / f64::from(n);
            let (outcome, keeper) = run(&with(kind, h, orbit()));
            let statistics = outcome.statistics;
            let whole = keeper.steps.iter().filter(|row| (row.step - h).abs() < 1e-12).count();
            assert!(statistics.rejected == 0 && whole >= n as usize - 1, "{}: {whole}", kind.name());
            let want = Vec3::new(libm::cos(10.0), 0.5 * libm::sin(10.0), 2.0);
            (outcome.bodies[1].position - want).norm()
        });
        let observed = (coarse / fine).log2();
        let name = kind.name();
        assert!((observed - f64::from(order)).abs() < 0.4, "{name}: {observed}, {coarse:e} and {fine:e}");
    }
}

/// Free fall is in the methods' span: contacts begin when they should, to rounding, and what comes between events has the
/// step that is asked for.
#[test]
fn events_cut_steps() {
    let h = 2e-4;
    for kind in one_step() {
        let (_, keeper) = run(&with(kind, h, bouncing()));
        let begin = keeper.times(EventKind::ContactBegin)[0];
        let late = begin - (2.0 * 0.25_f64 / 9.81).sqrt();
        assert!(late.abs() < 1e-10, "{}: {late:e}", kind.name());
        let whole = keeper.steps.iter().filter(|row| (row.step / h - 1.0).abs() < 1e-9).count();
        let share = whole as f64 / keeper.steps.len() as f64;
        assert!(share > 0.98, "{}: {share} of {}", kind.name(), keeper.steps.len());
        assert!(keeper.steps.iter().all(|row| row.step < 1.1001 * h), "{}", kind.name());
    }
}

/// A run that goes on from a checkpoint, in flight or in contact, has the bits of the whole one.
#[test]
fn resumed_runs_are_bit_equal() {
    for kind in one_step() {
        let m = with(kind, 2e-4, bouncing());
        let system = System::compile(&m).unwrap();
        let (whole, all) = run(&m);
        for after in [2, 40, 90] {
            let mut first = Keeper { checkpoint_after: after, ..Keeper::default() };
            Simulation::new(&system).run(&mut first).unwrap();
            let (image, frames, _) = first.checkpoints.remove(0);
            let mut second = Keeper::default();
            let resumed = Simulation::resume(&system, &image).unwrap().run(&mut second).unwrap();
            assert_eq!(resumed.bodies, whole.bodies, "{} after {after}", kind.name());
            assert_eq!(resumed.energy, whole.energy);
            assert_eq!(second.frames, all.frames[frames..]);
        }
    }
}

/// An integrator that chooses its steps by those before is refused, with those that do not; so is a step of no length.
#[test]
fn what_has_no_fixed_steps_says_so() {
    for kind in IntegratorKind::SMOOTH.into_iter().filter(|kind| !kind.traits().is_one_step) {
        let mut m = with(kind, 1e-3, orbit());
        let problems = m.validate();
        assert_eq!(problems.len(), 1, "{}", kind.name());
        assert_eq!((problems[0].code, problems[0].path.as_str()), ("E0509", "solver.formulation.step"));
        assert!(problems[0].message.contains(kind.name()));
        assert!(problems[0].expected.as_ref().is_some_and(|text| text.contains("rodas3")));
        m.solver.formulation = Formulation::Ali3p { penalty: 1e5 };
        assert!(m.validate().iter().all(|problem| problem.code != "E0509"), "{}", kind.name());
    }
    let problems = with(IntegratorKind::Ode45, 0.0, orbit()).validate();
    assert_eq!((problems[0].code, problems[0].path.as_str()), ("E0502", "solver.formulation.step"));
}

/// A step in which Newton's method finds no solution is not made of shorter ones.
#[test]
fn newton_that_fails_stops_the_run() {
    let mut l = law(NormalKind::HuntCrossley, 0.0);
    l.mu = Some(0.3);
    l.v_reg = Some(1e-9);
    let mut b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1));
    b.velocity = Vec3::new(1e-3, 2e-3, 0.0);
    let m = with(IntegratorKind::Radau5, 0.1, model(vec![floor(), b], l, 9.81, 2.0, 1e-4));
    let (outcome, _) = run_any(&m);
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(error.code, "E0612", "{}", error.message);
    assert!(error.message.contains("fixed step of 1.000e-1 s"), "{}", error.message);
    assert_eq!(outcome.statistics.rejected, 1);
}

/// An explicit method beyond its limit of stability grows; where a step's error is as large as the state, the run stops by name.
#[test]
fn unstable_steps_end_by_name() {
    let mut m = with(IntegratorKind::Ode45, 1.0, orbit());
    m.solver.t_end = 1e4;
    let (outcome, _) = run_any(&m);
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!((error.code, error.body.as_deref()), ("E0620", Some("ball")), "{}", error.message);
    assert!(error.message.contains("fixed step of 1.000e0 s"), "{}", error.message);
    // What is kept was not yet beyond all sense: ten times as far as it began.
    assert!(outcome.bodies[1].position.norm() < 10.0 * m.bodies[1].position.norm(), "{:?}", outcome.bodies);
}

/// With steps as long as its impact lasts, some 1.5 ms, and longer, explicit methods throw a ball to the stars or through the
/// floor: no such run ends as finished with the ball outside the half a metre where it can be.
#[test]
fn no_ball_is_thrown_through_the_floor() {
    let mut stopped = 0;
    for kind in one_step() {
        for step in [1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2] {
            let (outcome, _) = run_any(&with(kind, step, bouncing()));
            let height = outcome.bodies[1].position.z;
            match outcome.end {
                EndReason::Finished => {
                    assert!((0.09..0.6).contains(&height), "{}, {step} s: {height}", kind.name());
                }
                EndReason::Failed(error) => {
                    assert!(
                        ["E0601", "E0612", "E0620"].contains(&error.code),
                        "{}, {step} s: {error}",
                        kind.name()
                    );
                    stopped += 1;
                }
                EndReason::Interrupted => unreachable!("nothing interrupts it"),
            }
        }
    }
    assert!(stopped > 0, "steps of 50 ms cannot be finished");
}

/// Errors are estimated all the same: a ball in stiff contact is told of, and
/// steps that are short enough are not.
#[test]
fn steps_beyond_the_tolerances_are_told() {
    let warned = |step: f64, model: Model| {
        let (outcome, keeper) = run_any(&with(IntegratorKind::Ode45, step, model));
        let beyond = keeper.steps.iter().filter(|row| row.error > 1.0).count();
        let told = outcome.warnings.iter().filter(|text| text.contains("error estimates beyond")).count();
        let says = |count: usize| outcome.warnings.iter().any(|text| text.contains(&format!("{count} of ")));
        (beyond, told, beyond == 0 || says(beyond))
    };
    let (beyond, told, counted) = warned(2e-4, bouncing());
    assert!(beyond > 0 && told == 1 && counted, "{beyond} {told}");
    let mut loose = orbit();
    loose.solver.rtol = 1e-3;
    assert_eq!(warned(1e-3, loose), (0, 0, true));
}
