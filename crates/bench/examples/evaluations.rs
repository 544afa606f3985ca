//! What examples cost with several integrators, in evaluations: a table of docs/performance.md (`cargo xtask figures`).
//! `cargo run --release -p carom-bench --example evaluations`
#![allow(clippy::print_stdout)] // this is what it is for

use carom_bench::{example, run};

/// Examples, an end, and the methods that are told.
const RUNS: [(&str, &str, &[&str]); 3] = [
    ("torus-sphere", "5 s", &["ode45", "auto", "radau5", "bdf"]),
    ("box-stack", "10 s", &["bdf"]),
    ("dominoes", "1 s", &["bdf"]),
];

fn main() {
    println!("| example | method | steps, rejected | evaluations | Jacobians |\n|---|---|---|---|---|");
    for (name, t_end, methods) in RUNS {
        for method in methods {
            let method_key = format!("solver.method=\"{method}\"");
            let t_end_key = format!("solver.t_end={t_end}");
            let outcome = run(example(name, &[&method_key, &t_end_key, "expect={}"]).system());
            let s = &outcome.statistics;
            println!(
                "| {name}, {t_end} | `{method}` | {}, {} | {} | {} |",
                s.steps, s.rejected, s.rhs, s.jacobians
            );
        }
    }
}
