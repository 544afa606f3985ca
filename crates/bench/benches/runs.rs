//! Whole runs of shipped examples. The billiard's target is 1 s for 5 s simulated at rtol 1e-6.
#![allow(missing_docs)]

use carom_bench::{example, run};

fn main() {
    divan::main();
}

#[divan::bench(args = ["1e-4", "1e-6", "1e-9"], sample_count = 5)]
fn billiard(bencher: divan::Bencher<'_, '_>, rtol: &str) {
    let study = example("billiard", &[&format!("solver.rtol={rtol}")]);
    bencher.bench(|| run(study.system()).statistics.rhs);
}

#[divan::bench(args = ["bouncing-ball", "rolling-ball", "stairs", "bearing-planar", "bearing-axial"], sample_count = 5)]
fn examples(bencher: divan::Bencher<'_, '_>, name: &str) {
    let study = example(name, &[]);
    bencher.bench(|| run(study.system()).statistics.rhs);
}

/// Model file to compiled system.
#[divan::bench]
fn load_billiard() -> usize {
    example("billiard", &[]).system().states()
}
