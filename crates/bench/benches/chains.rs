//! Forward dynamics of chains, from a state to its rates: the peers are in peers/chains.py. The norms of the
//! accelerations are checked first.
#![allow(missing_docs)]

use carom_bench::chain;
use carom_engine::analysis::Rates;

fn main() {
    divan::main();
}

#[divan::bench(args = [7, 30, 100], sample_size = 100)]
fn chain_forward_dynamics(bencher: divan::Bencher<'_, '_>, joints: usize) {
    let (system, state) = chain(joints);
    let mut rates = Rates::new(&system);
    let mut out = vec![0.0; state.len()];
    rates.update(0.0, &state, &mut out).expect("a sound state");
    let norm = out.chunks(2).map(|q| q[1] * q[1]).sum::<f64>().sqrt();
    let want = match joints {
        7 => 64.751249884,
        30 => 102.992229239,
        _ => 152.268752193,
    };
    assert!((norm - want).abs() < 1e-8, "norm of the accelerations {norm}, peers {want}");
    bencher.bench_local(|| rates.update(0.0, divan::black_box(&state), &mut out));
}
