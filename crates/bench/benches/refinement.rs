//! Areal contact against the size of the target's triangles: whole runs of the example `bubbles`, its container of four
//! triangles cut into four up to six times. `cargo bench -p carom-bench --bench refinement [-- ROUNDS]`, 100 unless stated.
//!
//! All levels run in turn, round by round, so that other work on the machine meets them alike; of each the least counts.
#![allow(missing_docs, clippy::print_stdout)] // this is what it is for

use carom::Study;
use carom_bench::{example, run};
use carom_engine::EndReason;

const SUBDIVISIONS: u32 = 6;

/// Wall time over right-hand sides of a run (µs), and their number.
fn cost(study: &Study) -> (f64, u64) {
    let outcome = run(study.system());
    assert!(matches!(outcome.end, EndReason::Finished), "{:?}", outcome.end);
    let rhs = outcome.statistics.rhs;
    (1e6 * outcome.statistics.wall_s / rhs as f64, rhs)
}

fn main() {
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(100);
    let levels: Vec<Study> = (0..=SUBDIVISIONS)
        .map(|times| example("bubbles", &["expect={}", &format!("body.funnel.shape.subdivide={times}")]))
        .collect();
    let mut least = vec![(f64::INFINITY, 0); levels.len()];
    for _ in 0..rounds {
        for (least, study) in least.iter_mut().zip(&levels) {
            let (micros, rhs) = cost(study);
            *least = (least.0.min(micros), rhs);
        }
    }
    println!("triangles  right-hand sides  least of {rounds} (µs each)");
    for (times, (micros, rhs)) in least.iter().enumerate() {
        println!("{:>9}  {rhs:>16}  {micros:>10.2}", 4_u32 << (2 * times));
    }
    let (low, high) =
        least.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), l| (low.min(l.0), high.max(l.0)));
    println!("largest over least: {:.2}", high / low);
}
