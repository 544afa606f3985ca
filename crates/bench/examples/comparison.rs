//! Billiard and bearings with every integrator: right-hand sides, wall time, error of the last positions.
//! `cargo run --release -p carom-bench --example comparison`
//!
//! The error is the largest distance of a body from where `dop853` puts it at rtol 1e-13. The row "itself" tells how far
//! `ode113` at the same tolerance is off that.
#![allow(clippy::print_stdout)] // this is what it is for

use carom_bench::{example, run};
use carom_engine::model::IntegratorKind;
use carom_engine::{EndReason, Outcome};

/// Examples, and an end before their collisions have magnified any error beyond comparison.
const SCENES: [(&str, &str); 3] =
    [("billiard", "0.6 s"), ("bearing-planar", "25 ms"), ("bearing-axial", "60 ms")];

fn solve(name: &str, t_end: &str, kind: IntegratorKind, rtol: &str) -> Outcome {
    let method = format!("solver.method=\"{}\"", kind.name());
    let (rtol, t_end) = (format!("solver.rtol={rtol}"), format!("solver.t_end={t_end}"));
    run(&example(name, &[&method, &rtol, &t_end, "expect={}"]))
}

/// Largest distance between the same body in two outcomes (m).
fn distance(a: &Outcome, b: &Outcome) -> f64 {
    a.bodies.iter().zip(&b.bodies).map(|(a, b)| (a.position - b.position).norm()).fold(0.0, f64::max)
}

fn main() {
    println!(
        "| until | integrator | rtol | evaluations | time (ms) | error (m) |\n|---|---|---|---|---|---|"
    );
    for (name, t_end) in SCENES {
        let reference = solve(name, t_end, IntegratorKind::Dop853, "1e-13");
        let other = solve(name, t_end, IntegratorKind::Ode113, "1e-13");
        println!("| {name}, {t_end} | itself | 1e-13 | | | {:.0e} |", distance(&reference, &other));
        for kind in IntegratorKind::ALL.into_iter().filter(|&kind| kind != IntegratorKind::Auto) {
            for rtol in ["1e-5", "1e-7", "1e-9"] {
                let outcome = solve(name, t_end, kind, rtol);
                let error = match &outcome.end {
                    EndReason::Finished => format!("{:.0e}", distance(&reference, &outcome)),
                    end => format!("{end:?}"),
                };
                let (word, s) = (kind.name(), &outcome.statistics);
                println!(
                    "| {name}, {t_end} | `{word}` | {rtol} | {} | {:.0} | {error} |",
                    s.rhs,
                    1e3 * s.wall_s
                );
            }
        }
    }
}
