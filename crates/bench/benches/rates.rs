//! Right-hand sides of shipped examples at their start, before any contact: free bodies, and mechanisms with loops. Right-hand
//! side and Jacobian of the rover on its feet.
#![allow(missing_docs)]

use carom_bench::example;
use carom_engine::System;
use carom_engine::analysis::{Dynamics, Rates};

fn main() {
    divan::main();
}

#[divan::bench(args = ["billiard", "four-bar", "andrews", "bricard"], sample_size = 100)]
fn rates(bencher: divan::Bencher<'_, '_>, name: &str) {
    let study = example(name, &[]);
    let state = Dynamics::new(study.system()).state().to_vec();
    let mut rates = Rates::new(study.system());
    let mut out = vec![0.0; state.len()];
    bencher.bench_local(|| rates.update(0.0, divan::black_box(&state), &mut out));
}

/// Step of the explicit method that brings the rover to its feet, within its stability (s), and how many of them.
const STEP: f64 = 1e-4;
const STEPS: u32 = 10_000;

/// The rover after a second, by the classical Runge–Kutta method.
fn walking(system: &System) -> (Rates<'_>, Vec<f64>) {
    let mut rates = Rates::in_contact(system);
    let mut state = rates.initial().to_vec();
    let mut slopes = [(); 4].map(|()| vec![0.0; state.len()]);
    for _ in 0..STEPS {
        for stage in 0..4 {
            let ahead = [0.0, 0.5, 0.5, 1.0][stage] * STEP;
            let there: Vec<f64> = match stage {
                0 => state.clone(),
                _ => state.iter().zip(&slopes[stage - 1]).map(|(y, k)| y + ahead * k).collect(),
            };
            rates.update(0.0, &there, &mut slopes[stage]).expect("a sound state");
        }
        for (k, weight) in slopes.iter().zip([1.0, 2.0, 2.0, 1.0]) {
            state.iter_mut().zip(k).for_each(|(y, k)| *y += STEP / 6.0 * weight * k);
        }
    }
    (rates, state)
}

#[divan::bench(sample_size = 20)]
fn rover_rates(bencher: divan::Bencher<'_, '_>) {
    let study = example("rover", &[]);
    let (mut rates, state) = walking(study.system());
    let mut out = vec![0.0; state.len()];
    bencher.bench_local(|| rates.update(0.0, divan::black_box(&state), &mut out));
}

#[divan::bench(sample_size = 20)]
fn rover_jacobian(bencher: divan::Bencher<'_, '_>) {
    let study = example("rover", &[]);
    let (mut rates, state) = walking(study.system());
    let mut matrix = vec![0.0; state.len() * state.len()];
    bencher.bench_local(|| rates.jacobian(0.0, divan::black_box(&state), &mut matrix));
}
