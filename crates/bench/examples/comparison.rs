//! Billiard and bearings with every integrator: right-hand sides, wall time, error of the last positions.
//! `cargo run --release -p carom-bench --example comparison`
//!
//! The table is that of docs/integrators.md (`cargo xtask figures`); times go to the error output. The error is the largest
//! distance of a body from where `dop853` puts it at rtol 1e-13; how far `ode113` at that tolerance is off it is said first.
#![allow(clippy::print_stdout, clippy::print_stderr)] // this is what it is for

use carom_bench::{example, run};
use carom_engine::model::IntegratorKind;
use carom_engine::{EndReason, Outcome};

/// Examples, and an end before their collisions have magnified any error beyond comparison.
const SCENES: [(&str, &str); 3] =
    [("billiard", "0.6 s"), ("bearing-planar", "25 ms"), ("bearing-axial", "60 ms")];

fn solve(name: &str, t_end: &str, kind: IntegratorKind, rtol: &str) -> Outcome {
    let method = format!("solver.method=\"{}\"", kind.name());
    let (rtol, t_end) = (format!("solver.rtol={rtol}"), format!("solver.t_end={t_end}"));
    run(example(name, &[&method, &rtol, &t_end, "expect={}"]).system())
}

/// Largest distance between the same body in two outcomes (m).
fn distance(a: &Outcome, b: &Outcome) -> f64 {
    a.bodies.iter().zip(&b.bodies).map(|(a, b)| (a.position - b.position).norm()).fold(0.0, f64::max)
}

fn main() {
    let columns: Vec<String> = SCENES.iter().map(|(name, t_end)| format!("{name}, {t_end}")).collect();
    println!("| | rtol | {} |\n|---|---|{}", columns.join(" | "), "---|".repeat(columns.len()));
    let references = SCENES.map(|(name, t_end)| {
        let reference = solve(name, t_end, IntegratorKind::Dop853, "1e-13");
        let other = solve(name, t_end, IntegratorKind::Ode113, "1e-13");
        eprintln!("{name}: ode113 is {:.0e} m off dop853 at 1e-13", distance(&reference, &other));
        reference
    });
    for kind in IntegratorKind::SMOOTH.into_iter().filter(|&kind| kind != IntegratorKind::Auto) {
        for rtol in ["1e-5", "1e-7", "1e-9"] {
            let cells: Vec<String> = SCENES
                .iter()
                .zip(&references)
                .map(|((name, t_end), reference)| {
                    let outcome = solve(name, t_end, kind, rtol);
                    let s = &outcome.statistics;
                    eprintln!("{name}  {}  {rtol}  {:.0} ms", kind.name(), 1e3 * s.wall_s);
                    match &outcome.end {
                        EndReason::Finished => format!("{} · {:.0e}", s.rhs, distance(reference, &outcome)),
                        end => format!("{end:?}"),
                    }
                })
                .collect();
            println!("| `{}` | {rtol} | {} |", kind.name(), cells.join(" | "));
        }
    }
}
