//! The integrator that chooses: what it costs against every other, its rows, its checkpoints.

use carom_engine::law::NormalKind;
use carom_engine::model::{IntegratorKind, Method};
use carom_engine::record::SwitchReason;
use carom_engine::{Model, Simulation, System};
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

fn system(kind: IntegratorKind, mut model: Model) -> System {
    model.solver.method = kind;
    System::compile(&model).expect("a sound model")
}

/// Evaluations, Jacobians counted as one each. The table is printed with `--nocapture`.
#[test]
fn costs_at_most_half_more_than_the_best() {
    for (name, model) in scenes() {
        if std::env::var("ONLY").is_ok_and(|o| !name.contains(&o)) { continue }
        let mut line = format!("{name:20}");
        let (mut best, mut auto) = (u64::MAX, 0);
        for kind in IntegratorKind::ALL {
            let mut m = model.clone();
            m.solver.method = kind;
            let clock = std::time::Instant::now();
            let (outcome, keeper) = run(&m);
            let cost = outcome.statistics.rhs + outcome.statistics.jacobians;
            line += &format!("  {} {cost} ({} switches, {:.1} ms)", kind.name(), keeper.switches.len(), 1e3 * clock.elapsed().as_secs_f64());
            if kind == IntegratorKind::Auto {
                for s in &keeper.switches { println!("   {s}"); }
                auto = cost;
            } else {
                best = best.min(cost);
            }
        }
        println!("{line}");
        println!("RATIO {name} {}", auto as f64 / best as f64);
    }
}
