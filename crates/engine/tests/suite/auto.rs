//! The integrator that chooses: what it costs against every other, its rows, its checkpoints.

use carom_engine::law::NormalKind;
use carom_engine::model::{IntegratorKind, Method};
use carom_engine::record::{EventKind, SwitchReason};
use carom_engine::{Model, Outcome, Simulation, System};
use carom_geometry::Shape;
use carom_math::{Pose, Vec3};

use crate::scene::{Keeper, ball, block, fixed, floor, law, model, point, run};

/// A ball that bounces on the floor, with damping and friction.
fn bouncing() -> Model {
    let mut l = law(NormalKind::HuntCrossley, 0.8);
    l.mu = Some(0.3);
    let mut b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.35));
    b.velocity.x = 0.3;
    b.angular_velocity.y = 5.0;
    model(vec![floor(), b], l, 9.81, 1.2, 1e-6)
}

/// A ball that slides to rolling under strongly regularised friction.
fn sliding() -> Model {
    let mut l = law(NormalKind::HuntCrossley, 0.0);
    l.mu = Some(0.3);
    l.v_reg = Some(1e-4);
    let mut b = ball("ball", 1.0, 0.1, Vec3::new(0.0, 0.0, 0.1));
    b.velocity.x = 1.0;
    model(vec![floor(), b], l, 9.81, 2.0, 1e-4)
}

/// Six balls on a table, the first of which is pushed into the others.
fn billiard() -> Model {
    let mut l = law(NormalKind::HuntCrossley, 0.9);
    l.mu = Some(0.1);
    l.v_reg = Some(0.01);
    point(&mut l).stiffness = Some(1e7);
    let mut balls = vec![ball("cue", 0.2, 0.03, Vec3::new(-0.3, 0.002, 0.03))];
    balls[0].velocity.x = 2.0;
    for row in 0..3 {
        for k in 0..=row {
            let at = Vec3::new(0.053 * f64::from(row), 0.061 * (f64::from(k) - 0.5 * f64::from(row)), 0.03);
            balls.push(ball(&format!("b{row}{k}"), 0.2, 0.03, at));
        }
    }
    model(std::iter::once(floor()).chain(balls).collect(), l, 9.81, 0.5, 1e-6)
}

/// Three cubes, one on the other, as convex solids.
fn stack() -> Model {
    let mut l = law(NormalKind::HuntCrossley, 0.3);
    l.mu = Some(0.5);
    point(&mut l).stiffness = Some(1e6);
    let cube = |k: u32| {
        let at = Vec3::new(0.0, 0.0, 0.1 + 0.2 * f64::from(k));
        block(&format!("box{k}"), 1.0, Vec3::new(0.2, 0.2, 0.2), Pose::from_translation(at))
    };
    let bodies = std::iter::once(floor()).chain((0..3).map(cube)).collect();
    let mut m = model(bodies, l, 9.81, 2.0, 1e-6);
    m.contact_lines[0].method = Method::Auto;
    m.pairs.retain(|pair| pair.b.body == pair.a.body + 1);
    m
}

/// A ball that turns between eight others in a spherical cavity, with clearance: a bearing in the plane.
fn bearing() -> Model {
    let mut l = law(NormalKind::Exact, 0.7);
    l.mu = Some(0.05);
    l.v_reg = Some(1e-3);
    point(&mut l).stiffness = Some(1e9);
    let (inner, roller, clearance) = (0.02, 0.008, 2e-4);
    let pitch = inner + roller + 0.5 * clearance;
    let cavity = Shape::Sphere { radius: inner + 2.0 * roller + clearance, hollow: true };
    let mut race = ball("race", 0.26, inner, Vec3::zeros());
    race.angular_velocity.z = 20.0;
    let rollers = (0..8).map(|k| {
        let (s, c) = libm::sincos(f64::from(k) * std::f64::consts::FRAC_PI_4);
        ball(&format!("r{k}"), 0.017, roller, Vec3::new(pitch * c, pitch * s, 0.0))
    });
    let bodies = [fixed("outer", cavity, Pose::identity()), race].into_iter().chain(rollers).collect();
    let mut m = model(bodies, l, 0.0, 0.1, 1e-6);
    m.gravity = Vec3::new(0.0, -9.81, 0.0);
    m.pairs.retain(|pair| [pair.a.body, pair.b.body] != [0, 1]);
    m
}

fn scenes() -> [(&'static str, Model); 5] {
    [
        ("bouncing ball", bouncing()),
        ("sliding to rolling", sliding()),
        ("billiard", billiard()),
        ("stack of boxes", stack()),
        ("bearing", bearing()),
    ]
}

fn with(kind: IntegratorKind, model: &Model) -> Model {
    let mut model = model.clone();
    model.solver.method = kind;
    model
}

/// Evaluations, Jacobians counted as one each.
fn cost(outcome: &Outcome) -> u64 {
    outcome.statistics.rhs + outcome.statistics.jacobians
}

/// On scenes for which now the explicit and now the implicit method is the better, to a factor of hundreds. Both are too
/// cheap to try where the other wins, but for the steps that it takes to tell.
#[test]
fn costs_at_most_half_more_than_the_better() {
    for (name, mut model) in scenes() {
        if name == "stack of boxes" {
            model.solver.t_end = 0.5;
        }
        let [auto, explicit, implicit] =
            [IntegratorKind::Auto, IntegratorKind::Ode45, IntegratorKind::Radau5]
                .map(|kind| cost(&run(&with(kind, &model)).0));
        let better = explicit.min(implicit);
        assert!(2 * auto <= 3 * better, "{name}: {auto} for {better}");
    }
    if std::env::var_os("TABLE_OF_COSTS").is_some() {
        print_table();
    }
}

/// The same against all methods, as docs/integrators.md has it, and wall times beside the table: a minute.
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the table is what it is for")]
fn print_table() {
    let kinds = || IntegratorKind::SMOOTH.into_iter().rev();
    let words: Vec<String> = kinds().map(|kind| format!("`{}`", kind.name())).collect();
    println!("\n| | {} |\n|---|{}", words.join(" | "), "---|".repeat(words.len()));
    for (name, model) in scenes() {
        let mut best = f64::INFINITY;
        let mut cells = Vec::new();
        for kind in kinds() {
            let outcome = run(&with(kind, &model)).0;
            let seconds = outcome.statistics.wall_s;
            best = best.min(seconds);
            eprintln!("{name}  {:8}{:9.2} ms  {:.2}", kind.name(), 1e3 * seconds, seconds / best);
            cells.push(cost(&outcome).to_string());
        }
        println!("| {name} | {} |", cells.join(" | "));
    }
}

/// Each change is a row with its reason: stiff in contact, back in flight.
#[test]
fn changes_are_rows() {
    let (outcome, keeper) = run(&bouncing());
    assert!(outcome.statistics.jacobians > 0 && keeper.switches.len() >= 4);
    let mut before = IntegratorKind::Ode45;
    for switch in &keeper.switches {
        assert_eq!(switch.from, before);
        before = switch.to;
        let is_begun = |kind| keeper.times(kind).iter().filter(|&&t| t <= switch.time).count();
        let [begins, ends] = [EventKind::ContactBegin, EventKind::ContactEnd].map(is_begun);
        match switch.reason {
            SwitchReason::Stiff { steps, step, .. } => {
                assert!(begins == ends + 1 && steps >= 4 && step > 0.0, "{switch}");
                assert_eq!(switch.to, IntegratorKind::Radau5);
            }
            SwitchReason::Flight => assert!(begins == ends && switch.to == IntegratorKind::Ode45, "{switch}"),
            _ => panic!("{switch}"),
        }
    }
    assert!(keeper.switches[0].to_string().contains("ode45 to radau5, stiff"));
    // Tight tolerances begin with order eight, and a stated method stays.
    let mut tight = sliding().solver;
    tight.rtol = 1e-12;
    assert_eq!(tight.first_method(), IntegratorKind::Dop853);
    assert!(run(&with(IntegratorKind::Ode45, &bouncing())).1.switches.is_empty());
}

/// The same bits twice, and after restarts in either regime.
#[test]
fn restarts_are_bit_equal() {
    let model = bouncing();
    let system = System::compile(&model).expect("a sound model");
    let (whole, all) = run(&model);
    let mut regimes = [false; 2];
    for after in 1..12 {
        let mut first = Keeper { checkpoint_after: after, ..Keeper::default() };
        let again = Simulation::new(&system).run(&mut first).unwrap();
        assert_eq!(again.bodies, whole.bodies);
        assert_eq!(first.switches, all.switches);
        let Some((image, frames, events)) = first.checkpoints.pop() else { break };
        let mut second = Keeper::default();
        let resumed = Simulation::resume(&system, &image).unwrap().run(&mut second).unwrap();
        assert_eq!(resumed.bodies, whole.bodies, "after {after}");
        assert_eq!(resumed.energy, whole.energy);
        assert_eq!(second.frames, all.frames[frames..]);
        assert_eq!(second.events, all.events[events..]);
        let left = second.switches.len();
        assert_eq!(second.switches, all.switches[all.switches.len() - left..]);
        let counts = |o: &Outcome| [o.statistics.steps, o.statistics.rhs, o.statistics.jacobians];
        assert_eq!(counts(&resumed), counts(&whole));
        regimes[left % 2] = true;
    }
    assert_eq!(regimes, [true; 2], "checkpoints fell into one regime only");
}
