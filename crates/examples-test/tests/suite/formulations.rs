//! The problems of the IFToMM library of multibody benchmarks (A01 to A05) and the gripper with both formulations, in both
//! coordinates, with small and large penalties, fixed steps and controlled ones.
//!
//! The suite runs what is quick. All of it, in a release build: `FORMULATIONS=all cargo test --release -p carom-examples-test
//! --test suite formulations -- --nocapture`, which prints a table; the name of a problem in place of `all` runs that one.

use std::fmt::Write;
use std::fs;

use carom_engine::model::{Condition, Moment};
use carom_engine::{EndReason, Simulation, System};
use carom_examples_test::{RunFolder, load, run_and_judge};
use carom_io::{LoadedModel, Overrides};

/// Problem A02 with any number of windows.
const WINDOWS: [(&str, usize); 2] = [("A02-1", 1), ("A02-40", 40)];

/// A problem with what errors may be.
struct Problem {
    name: &'static str,
    /// Fixed step.
    step: &'static str,
    /// Where the comparison ends (s), if before the run.
    until: Option<f64>,
    /// How many times the tolerances of its expectations with `ali3p`: by the fixed step, which is of second order; with
    /// controlled steps, whose tolerance is that of the model a step, not in the end. With `kkt` they are met.
    loose: [f64; 2],
    /// Residual of the energy, likewise: the trapezoidal rule balances to its own error.
    energy: [f64; 2],
}

impl Problem {
    const fn new(name: &'static str, loose: [f64; 2]) -> Self {
        Self { name, step: "1 ms", until: None, loose, energy: [1e-5, 1e-5] }
    }
}

/// With 1e4, expectations to 1e-8 m are met to 0.1 mm. Errors that were found are three to ten times smaller. The ball of the
/// gripper meets fingers and table within fixed steps, where little of its energy balances.
const PROBLEMS: [Problem; 8] = [
    Problem::new("pendulum", [3e4, 1e3]),
    Problem::new("A02-1", [2e4, 2e2]),
    Problem::new("four-bar", [2e4, 5e3]),
    Problem::new("A02-40", [2e4, 5e3]),
    Problem { step: "10 us", until: Some(0.03), ..Problem::new("andrews", [1e3, 1e2]) },
    Problem::new("bricard", [1e2, 1e2]),
    Problem::new("governor", [5e4, 1e2]),
    Problem { energy: [1e-2, 1e-6], ..Problem::new("gripper", [3e3, 1e1]) },
];

/// What a problem was solved with.
#[derive(Clone, Copy)]
struct Setting {
    coordinates: &'static str,
    /// `None`: kkt.
    penalty: Option<&'static str>,
    is_fixed: bool,
}

fn settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for coordinates in ["joint", "body"] {
        settings.push(Setting { coordinates, penalty: None, is_fixed: false });
        for penalty in ["1e3", "1e7"] {
            for is_fixed in [true, false] {
                settings.push(Setting { coordinates, penalty: Some(penalty), is_fixed });
            }
        }
    }
    settings
}

/// An expectation as a multiple of its tolerance, or of its limit; 0 or infinity for those without.
fn excess(condition: &Condition, measured: f64) -> f64 {
    match *condition {
        Condition::Near { value, tol } => (measured - value).abs() / tol,
        Condition::Below(limit) if measured < limit => 0.0,
        Condition::Below(_) => f64::INFINITY,
        Condition::Above(limit) => {
            if measured > limit {
                0.0
            } else {
                f64::INFINITY
            }
        }
        Condition::Between(low, high) => {
            if (low..=high).contains(&measured) {
                0.0
            } else {
                f64::INFINITY
            }
        }
    }
}

/// Runs a problem; returns a row of the table and whether all held.
fn solve(problem: &Problem, setting: Setting) -> (String, bool) {
    let formulation = match setting.penalty {
        None => "\"kkt\"".to_owned(),
        Some(penalty) if setting.is_fixed => {
            format!("{{ type = \"ali3p\", penalty = {penalty}, step = \"{}\" }}", problem.step)
        }
        Some(penalty) => format!("{{ type = \"ali3p\", penalty = {penalty} }}"),
    };
    let changes = [
        format!("solver.coordinates=\"{}\"", setting.coordinates),
        format!("solver.formulation={formulation}"),
    ];
    let mut loaded = load_problem(problem.name, &changes.each_ref().map(String::as_str));
    if let Some(until) = problem.until {
        loaded.model.solver.t_end = until;
        loaded.expectations.retain(|e| !matches!(e.moment, Moment::At(t) if t > until));
    }
    let (outcome, judged) = run_and_judge(&loaded, |recorder| {
        let system = System::compile(&loaded.model).expect("a sound model");
        Simulation::new(&system).run(recorder).expect("the recording works")
    });
    let kind = usize::from(!setting.is_fixed);
    let (allowed, energy) = match setting.penalty {
        None => (1.0, 0.0),
        Some(_) => (problem.loose[kind], problem.energy[kind]),
    };
    let worst = loaded.expectations.iter().zip(&judged).fold((0.0, ""), |worst: (f64, &str), (e, judged)| {
        let excess = judged.measured.map_or(f64::INFINITY, |x| match e.condition {
            // As a share of what is allowed of the residual.
            Condition::Below(limit) => allowed * x / limit.max(energy),
            _ => excess(&e.condition, x),
        });
        if excess > worst.0 || excess.is_nan() { (excess, judged.text.as_str()) } else { worst }
    });
    let holds = outcome.end == EndReason::Finished && worst.0 <= allowed;
    let statistics = &outcome.statistics;
    let mut row = format!(
        "| {} | {} | {formulation} | {} | {} | {} | {:.1} | {:.1e} of {allowed:e} | {} |",
        problem.name,
        setting.coordinates,
        statistics.steps,
        statistics.rejected,
        statistics.rhs,
        statistics.wall_s,
        worst.0,
        worst.1,
    );
    if let EndReason::Failed(error) = &outcome.end {
        let _ = write!(row, " {} at {} s", error.code, error.time);
    }
    (row, holds)
}

fn load_problem(name: &str, changes: &[&str]) -> LoadedModel {
    let Some(&(_, count)) = WINDOWS.iter().find(|(known, _)| *known == name) else {
        return load(name, changes);
    };
    let folder = RunFolder::new(name);
    fs::create_dir_all(folder.path()).expect("a folder for the model");
    let file = folder.path().join("windows.toml");
    fs::write(&file, windows(count)).expect("the model is written");
    let set = changes.iter().map(|&change| change.to_owned()).collect();
    let overrides = Overrides { set, ..Overrides::default() };
    carom_io::load(&file, &overrides).unwrap_or_else(|report| panic!("{:#?}", report.diagnostics))
}

/// The model `four-bar` with other numbers of windows. What to expect is the turning pendulum of one angle that the
/// uprights make while they are parallel.
fn windows(count: usize) -> String {
    let [(x1, y1), (x10, y10)] = [1.0, 10.0].map(|time| upper_end(count, time));
    let mut text = format!(
        r#"format = 1
name = "windows"
[world]
gravity = [0, "-9.81 m/s^2", 0]
[default.body]
mass = "1 kg"
inertia = "1/12*(1 kg*m^2)"
[solver]
t_end = "10 s"
rtol = 1e-11
[output]
every = "50 ms"
[expect]
"upright0.x @ 1 s" = {{ value = "{x1:.12} m", tol = "1e-8 m" }}
"upright0.y @ 1 s" = {{ value = "{y1:.12} m", tol = "1e-8 m" }}
"upright{count}.x @ 10 s" = {{ value = "{:.12} m", tol = "1e-8 m" }}
"upright0.y @ 10 s" = {{ value = "{y10:.12} m", tol = "1e-8 m" }}
"energy.residual_relative final" = {{ below = 1e-9 }}
"#,
        x10 + count as f64
    );
    for k in 0..=count {
        let _ = write!(
            text,
            r#"[body.upright{k}]
com = [0, "-0.5 m", 0]
[joint.foot{k}]
type = "revolute"
a = {{ body = "world", at = ["{k} m", 0, 0] }}
b = {{ body = "upright{k}", at = [0, "-1 m", 0] }}
velocity = "-1 rad/s"
"#
        );
    }
    for k in 0..count {
        let _ = write!(
            text,
            r#"[body.coupler{k}]
[joint.head{k}]
type = "revolute"
a = {{ body = "upright{k}" }}
b = {{ body = "coupler{k}", at = ["-0.5 m", 0, 0] }}
velocity = "1 rad/s"
[joint.close{k}]
type = "revolute"
a = {{ body = "coupler{k}", at = ["0.5 m", 0, 0] }}
b = {{ body = "upright{}" }}
cut = true
"#,
            k + 1
        );
    }
    text
}

/// Upper end of the first upright, by Runge and Kutta's method on its angle ψ from upright: with n windows
/// ((n + 1)/3 + n) ψ̈ = g/l ((n + 1)/2 + n) sin ψ.
fn upper_end(count: usize, time: f64) -> (f64, f64) {
    let n = count as f64;
    let k = 9.81 * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n);
    let steps = 100_000;
    let h = time / f64::from(steps);
    let (mut angle, mut speed) = (0.0_f64, 1.0);
    for _ in 0..steps {
        let a = (speed, k * angle.sin());
        let b = (speed + 0.5 * h * a.1, k * (angle + 0.5 * h * a.0).sin());
        let c = (speed + 0.5 * h * b.1, k * (angle + 0.5 * h * b.0).sin());
        let d = (speed + h * c.1, k * (angle + h * c.0).sin());
        angle += h / 6.0 * (a.0 + 2.0 * (b.0 + c.0) + d.0);
        speed += h / 6.0 * (a.1 + 2.0 * (b.1 + c.1) + d.1);
    }
    (angle.sin(), angle.cos())
}

/// Fixed steps of all but the largest problem, in joint coordinates; with `kkt` the examples' own tests run
/// them.
fn is_quick(problem: &Problem, setting: Setting) -> bool {
    problem.name != "A02-40"
        && setting.coordinates == "joint"
        && setting.penalty.is_some()
        && setting.is_fixed
}

#[allow(clippy::print_stdout)]
fn check(problems: &[Problem]) {
    let asked = std::env::var("FORMULATIONS").unwrap_or_default();
    let mut missed = Vec::new();
    for problem in problems.iter().filter(|problem| ["", "all", problem.name].contains(&asked.as_str())) {
        for setting in settings().into_iter().filter(|&s| !asked.is_empty() || is_quick(problem, s)) {
            let (row, holds) = solve(problem, setting);
            println!("{row}");
            if !holds {
                missed.push(row);
            }
        }
    }
    assert!(missed.is_empty(), "\n{}", missed.join("\n"));
}

#[test]
fn benchmarks_hold_with_every_formulation() {
    check(&PROBLEMS);
}
