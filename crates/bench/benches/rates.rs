//! Right-hand sides of shipped examples at their start, before any contact: free bodies, and mechanisms with loops.
#![allow(missing_docs)]

use carom_bench::example;
use carom_engine::analysis::{Dynamics, Rates};

fn main() {
    divan::main();
}

#[divan::bench(args = ["billiard", "four-bar", "andrews", "bricard"], sample_size = 100)]
fn rates(bencher: divan::Bencher<'_, '_>, name: &str) {
    let system = example(name, &[]);
    let state = Dynamics::new(&system).state().to_vec();
    let mut rates = Rates::new(&system);
    let mut out = vec![0.0; state.len()];
    bencher.bench_local(|| rates.update(0.0, divan::black_box(&state), &mut out));
}
