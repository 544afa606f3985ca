//! What a crowd of spheres costs as it grows: the example `spheres-in-box` with so many spheres along each edge of the floor, and so
//! many layers. `cargo run --release -p carom-bench --example crowds [-- EDGES T_END RTOL LAYERS]`
#![allow(clippy::print_stdout)] // this is what it is for

use carom_bench::{example, processor_time, run};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let of = |k: usize, default: &str| arguments.get(k).cloned().unwrap_or_else(|| default.to_owned());
    let [edges, t_end, rtol] = [of(0, "3,6,10,18,32"), of(1, "0.1 s"), of(2, "1e-4")];
    let layers: u64 = of(3, "10").parse().expect("a number of layers");
    println!(
        "| spheres | steps, rejected | events | evaluations | time (s) | a step (ms) | a sphere (µs) | residual |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for edge in edges.split(',') {
        let set = [
            format!("params.n={edge}"),
            format!("use.sphere.count={layers}*n^2"),
            format!("solver.t_end={t_end}"),
            format!("solver.rtol={rtol}"),
            "expect={}".to_owned(),
        ];
        let study = example("spheres-in-box", &set.each_ref().map(String::as_str));
        let start = processor_time();
        let outcome = run(study.system());
        let time = processor_time() - start;
        let spheres = edge.parse::<u64>().map_or(0, |n| layers * n * n);
        let s = &outcome.statistics;
        println!(
            "| {spheres} | {}, {} | {} | {} | {time:.2} | {:.3} | {:.2} | {:.1e} |",
            s.steps,
            s.rejected,
            s.events,
            s.rhs,
            1e3 * time / s.steps as f64,
            1e6 * time / s.steps as f64 / spheres as f64,
            outcome.residual_relative,
        );
    }
}
