//! Derivatives of a robot's accelerations by its coordinates and velocities: how far from differences, and how long they take.
//! `cargo run --release -p carom-bench --example robot_derivatives -- ROBOT.urdf...`; beside it `peers/robot_derivatives.py`.
//!
//! Bases are held, nothing touches. Differences are of the fourth order with steps of 1e-3. Times are those of the right-hand side ẏ
//! and of ∂ẏ/∂y with it, the least of several rounds at random states.
#![allow(clippy::print_stdout)] // this is what it is for

use std::path::Path;
use std::time::Instant;

use carom_engine::analysis::Rates;
use carom_io::Overrides;
use carom_io::import::{Base, Inertia, Meshes, Options, load_robot};

const ROUNDS: usize = 20;
const CALLS: usize = 200;
const STEP: f64 = 1e-3;

fn main() {
    let options = Options {
        base: Base::Fixed,
        meshes: Meshes::Skip,
        floor: false,
        inertia: Inertia::Repair,
        ..Options::default()
    };
    println!("| robot | freedoms | off differences | ẏ (µs) | ẏ and ∂ẏ/∂y (µs) |\n|---|---|---|---|---|");
    for file in std::env::args().skip(1) {
        let path = Path::new(&file);
        let Ok(loaded) = load_robot(path, &options, &Overrides::default()) else {
            println!("| {file} | does not import | | | |");
            continue;
        };
        let mut rates = Rates::new(&loaded.system);
        let n = rates.initial().len();
        // Any numbers that are not round.
        let state: Vec<f64> = (0..n).map(|k| 0.5 * (1.3 + 2.1 * k as f64).sin()).collect();
        let mut slopes = vec![0.0; n * n];
        let mut y = vec![0.0; n];
        if !matches!(rates.jacobian(0.0, &state, &mut slopes), Ok(true)) {
            println!("| {file} | has no closed form | | | |");
            continue;
        }
        let off = difference(&mut rates, &state, &slopes);
        let least = |call: &mut dyn FnMut()| {
            let round = |_| {
                let start = Instant::now();
                (0..CALLS).for_each(|_| call());
                1e6 * start.elapsed().as_secs_f64() / CALLS as f64
            };
            (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
        };
        let right = least(&mut || {
            let _ = rates.update(0.0, &state, &mut y);
        });
        let both = least(&mut || {
            let _ = rates.jacobian(0.0, &state, &mut slopes);
        });
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        println!("| {name} | {} | {off:.1e} | {right:.2} | {both:.2} |", n / 2);
    }
}

/// Greatest difference of a column from that of differences, as a share of its norm.
fn difference(rates: &mut Rates<'_>, state: &[f64], slopes: &[f64]) -> f64 {
    let n = state.len();
    let mut at = |k: usize, step: f64| {
        let (mut moved, mut y) = (state.to_vec(), vec![0.0; n]);
        moved[k] += step;
        let _ = rates.update(0.0, &moved, &mut y);
        y
    };
    let column = |k: usize, at: &mut dyn FnMut(usize, f64) -> Vec<f64>| {
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|share| at(k, share * STEP));
        let (mut wrong, mut norm) = (0.0, 0.0);
        for i in 0..n {
            let want = (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * STEP);
            wrong += (slopes[i * n + k] - want).powi(2);
            norm += want * want;
        }
        (wrong / f64::max(norm, 1.0)).sqrt()
    };
    (0..n).map(|k| column(k, &mut at)).fold(0.0, f64::max)
}
