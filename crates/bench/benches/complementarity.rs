//! Frictionless normal problems of piles of discs between two walls: Lemke's method from the slacks. A residual above 1e-10 is
//! no answer.
#![allow(missing_docs, clippy::print_stdout)]

use carom_solvers::complementarity::{Lcp, lemke};

fn main() {
    divan::main();
}

/// Discs of mass 1 and radius ½ in layers of `width` and `width − 1` by turns, all neighbours touching, under gravity: the
/// first `count` contacts from the floor up. y are normal accelerations, x forces.
fn pile(width: usize, count: usize) -> Lcp {
    let mut places: Vec<[f64; 2]> = Vec::new();
    // Directions in which a contact pushes its upper (or right) and its other disc.
    let mut contacts: Vec<[(usize, [f64; 2]); 2]> = Vec::new();
    for layer in 0.. {
        let short = layer % 2;
        for k in 0..width - short {
            let (disc, place) =
                (places.len(), [k as f64 + 0.5 * short as f64, 0.75_f64.sqrt() * layer as f64]);
            let mut wall = |push: [f64; 2]| contacts.push([(disc, push), (disc, [0.0; 2])]);
            if layer == 0 {
                wall([0.0, 1.0]);
            }
            if short == 0 && k == 0 {
                wall([1.0, 0.0]);
            }
            if short == 0 && k == width - 1 {
                wall([-1.0, 0.0]);
            }
            for (below, other) in places.iter().enumerate() {
                let apart = [place[0] - other[0], place[1] - other[1]];
                if apart[0].hypot(apart[1]) < 1.01 {
                    contacts.push([(disc, apart), (below, apart.map(|x| -x))]);
                }
            }
            places.push(place);
        }
        if contacts.len() >= count {
            break;
        }
    }
    contacts.truncate(count);
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let shared = |a: &[(usize, [f64; 2])], b: &[(usize, [f64; 2])]| -> f64 {
        let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| a.0 == b.0).map(|(a, b)| dot(a.1, b.1)).sum()
    };
    let matrix = contacts.iter().flat_map(|a| contacts.iter().map(move |b| shared(a, b))).collect();
    let offset = contacts.iter().map(|c| c.iter().map(|(_, push)| -9.81 * push[1]).sum()).collect();
    Lcp::new(matrix, offset).expect("a sound problem")
}

#[divan::bench(args = [(7, 77), (10, 274), (15, 564)], sample_count = 20, sample_size = 1)]
fn normal_forces(bencher: divan::Bencher<'_, '_>, (width, count): (usize, usize)) {
    let problem = pile(width, count);
    let solution = lemke(&problem, None).expect("semidefinite and feasible");
    println!("{count} contacts: {} pivots, residual {:.1e}", solution.iterations, solution.residual);
    bencher.bench_local(|| lemke(&problem, None).map(|solution| solution.iterations));
}
