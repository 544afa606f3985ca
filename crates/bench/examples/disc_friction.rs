//! Friction problems of heaps of discs, each at rest but for small velocities drawn at random: `disc_friction [N...]`. Prints a row each:
//! the least time of several solutions from nothing, and the residual. `crates/bench/peers/disc_friction.py` has Siconos' side.
#![allow(missing_docs, clippy::print_stdout)]

use std::time::Instant;

use carom_solvers::friction::{BlockMatrix, FrictionProblem, Options};
use carom_testkit::SplitMix64;

const RADIUS: f64 = 0.05;
const FRICTION: f64 = 0.3;
const STEP: f64 = 1e-3;
const ROUNDS: usize = 3;

/// A contact's rows on one disc: disc, and what the normal and the tangent do to (x, y, φ).
type Rows = (usize, [[f64; 3]; 2]);

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).map(|n| n.parse().expect("a number")).collect();
    let sizes = if sizes.is_empty() { vec![30, 100, 200] } else { sizes };
    println!("| discs | contacts | time (ms) | residual | sweeps, Newton steps |\n|---|---|---|---|---|");
    for count in sizes {
        let problem = heap(count);
        let solve = || problem.solve(None, &Options::DEFAULT).expect("a solution");
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let _ = solve();
            least = least.min(start.elapsed().as_secs_f64());
        }
        let found = solve();
        println!(
            "| {count} | {} | {:.3} | {:.1e} | {}, {} |",
            problem.len(),
            1e3 * least,
            found.residual,
            found.sweeps,
            found.newton_steps
        );
    }
}

/// A pyramid of discs of 1 kg, all neighbours touching, on a floor.
fn heap(count: usize) -> FrictionProblem {
    let rows = (((8 * count + 1) as f64).sqrt() - 1.0) / 2.0;
    let rows = rows.ceil() as usize;
    let of_row = |row: usize| (0..rows - row).map(move |k| (row, k));
    let at = |(row, k): (usize, usize)| {
        [RADIUS * (2 * k + row) as f64, RADIUS * (1.0 + row as f64 * 3.0_f64.sqrt())]
    };
    let places: Vec<[f64; 2]> = (0..rows).flat_map(of_row).take(count).map(at).collect();
    let mut contacts: Vec<Vec<Rows>> = Vec::new();
    let rows_of = |disc: usize, n: [f64; 2], sign: f64| -> Rows {
        let t = [-n[1], n[0]];
        (disc, [[sign * n[0], sign * n[1], 0.0], [sign * t[0], sign * t[1], -RADIUS]])
    };
    for (i, p) in places.iter().enumerate() {
        if i < rows {
            contacts.push(vec![rows_of(i, [0.0, 1.0], 1.0)]);
        }
        for (j, q) in places.iter().enumerate().skip(i + 1) {
            let apart = [q[0] - p[0], q[1] - p[1]];
            if apart[0].hypot(apart[1]) < 2.0 * RADIUS * (1.0 + 1e-9) {
                let n = apart.map(|x| x / (2.0 * RADIUS));
                contacts.push(vec![rows_of(j, n, 1.0), rows_of(i, n, -1.0)]);
            }
        }
    }
    let mobility = [1.0, 1.0, 2.0 / (RADIUS * RADIUS)];
    let mut random = SplitMix64::new(5);
    let mut velocities = vec![[0.0; 3]; count];
    for v in &mut velocities {
        let drawn = [random.uniform(0.0, 1.0), random.uniform(0.0, 1.0)].map(|x| 0.1 * (x - 0.5));
        *v = [drawn[0], drawn[1] - 9.81 * STEP, 0.0];
    }
    let mut delassus = BlockMatrix::default();
    let mut free = Vec::new();
    for own in &contacts {
        for (column, other) in contacts.iter().enumerate() {
            let mut block = [0.0; 9];
            let mut met = false;
            for (a, by_a) in own {
                for (_, by_b) in other.iter().filter(|(b, _)| a == b) {
                    met = true;
                    for (r, row) in by_a.iter().enumerate() {
                        for (c, of) in by_b.iter().enumerate() {
                            block[3 * r + c] += (0..3).map(|k| row[k] * mobility[k] * of[k]).sum::<f64>();
                        }
                    }
                }
            }
            if met {
                delassus.push(column, block);
            }
        }
        delassus.end_row();
        let mut q = [0.0; 3];
        for (disc, rows) in own {
            for (q, row) in q.iter_mut().zip(rows) {
                *q += row.iter().zip(&velocities[*disc]).map(|(h, v)| h * v).sum::<f64>();
            }
        }
        free.push(q);
    }
    let friction = vec![FRICTION; contacts.len()];
    FrictionProblem::new(delassus, free, friction).expect("a sound problem")
}
