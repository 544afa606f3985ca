//! Billiard and bearings with every integrator: right-hand sides, wall time, error of the last positions.
//! `cargo run --release -p carom-bench --example comparison`
//!
//! The error is the largest distance of a body from where `dop853` puts it at rtol 1e-13. The row "itself" tells how far
//! `ode113` at the same tolerance is off that.
#![allow(clippy::print_stdout)] // this is what it is for

use carom_bench::{example, run};
use carom_engine::model::IntegratorKind;
use carom_engine::{EndReason, Outcome};

/// Examples, with an end before collisions in turn have magnified any error beyond comparison, and with the laws whose
/// contacts the comparison is about.
const SCENES: [(&str, &str, &[&str]); 4] = [
    ("billiard", "until 0.6 s", &["solver.t_end=0.6 s"]),
    (
        "billiard",
        "until 0.6 s, elastic cloth",
        &["solver.t_end=0.6 s", "law.cloth.point.normal=none", "params.mu_balls=0.06"],
    ),
    ("bearing-planar", "until 0.1 s", &["solver.t_end=0.1 s"]),
    ("bearing-axial", "until 0.1 s", &["solver.t_end=0.1 s"]),
];

fn solve(name: &str, changes: &[&str], kind: IntegratorKind, rtol: &str) -> Outcome {
    let (method, rtol) = (format!("solver.method=\"{}\"", kind.name()), format!("solver.rtol={rtol}"));
    run(&example(name, &[changes, &[&method, &rtol, "expect={}"]].concat()))
}

/// Largest distance between the same body in two outcomes (m).
fn distance(a: &Outcome, b: &Outcome) -> f64 {
    a.bodies.iter().zip(&b.bodies).map(|(a, b)| (a.position - b.position).norm()).fold(0.0, f64::max)
}

fn main() {
    println!("| scene | integrator | rtol | evaluations | time (ms) | error (m) |\n|---|---|---|---|---|---|");
    for (name, words, changes) in SCENES {
        let reference = solve(name, changes, IntegratorKind::Dop853, "1e-13");
        let other = solve(name, changes, IntegratorKind::Ode113, "1e-13");
        println!("| {name} {words} | itself | 1e-13 | | | {:.0e} |", distance(&reference, &other));
        for kind in IntegratorKind::ALL.into_iter().filter(|&kind| kind != IntegratorKind::Auto) {
            for rtol in ["1e-5", "1e-7", "1e-9"] {
                let outcome = solve(name, changes, kind, rtol);
                let error = match outcome.end {
                    EndReason::Finished => format!("{:.0e}", distance(&reference, &outcome)),
                    end => format!("{end:?}"),
                };
                let s = &outcome.statistics;
                println!("| | `{}` | {rtol} | {} | {:.0} | {error} |", kind.name(), s.rhs, 1e3 * s.wall_s);
            }
        }
    }
}
