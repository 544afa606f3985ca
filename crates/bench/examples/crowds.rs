//! What a crowd of spheres costs as it grows: the example `spheres-in-box` with so many spheres along each edge of the grid.
//! `cargo run --release -p carom-bench --example crowds [-- EDGES T_END RTOL]`
#![allow(clippy::print_stdout)] // this is what it is for

use carom_bench::{example, run};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let of = |k: usize, default: &str| arguments.get(k).cloned().unwrap_or_else(|| default.to_owned());
    let [edges, t_end, rtol] = [of(0, "5,7,10,15,22"), of(1, "0.1 s"), of(2, "1e-4")];
    println!(
        "| spheres | steps, rejected | events | evaluations | wall time (s) | a step (ms) | an evaluation (µs) | residual |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for edge in edges.split(',') {
        let set = [
            format!("params.n={edge}"),
            format!("solver.t_end={t_end}"),
            format!("solver.rtol={rtol}"),
            "expect={}".to_owned(),
        ];
        let outcome = run(example("spheres-in-box", &set.each_ref().map(String::as_str)).system());
        let s = &outcome.statistics;
        println!(
            "| {} | {}, {} | {} | {} | {:.2} | {:.3} | {:.0} | {:.1e} |",
            edge.parse::<u64>().map_or(0, |n| n * n * n),
            s.steps,
            s.rejected,
            s.events,
            s.rhs,
            s.wall_s,
            1e3 * s.wall_s / s.steps as f64,
            1e6 * s.wall_s / s.rhs as f64,
            outcome.residual_relative,
        );
    }
}
