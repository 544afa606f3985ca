use super::{BasisSolver, Failure, Lcp, Solution, TOLERANCE};

/// Most unknowns that [`enumerate`] takes: 65 536 bases.
pub const MAX_ENUMERATED: usize = 16;

/// All solutions at complementary bases that are not singular, each once, in the order of the bases. A problem whose every such basis fails
/// may still have solutions at singular ones.
pub fn enumerate(lcp: &Lcp) -> Result<Vec<Solution>, Failure> {
    let n = lcp.n;
    if n > MAX_ENUMERATED {
        return Err(Failure::Unsuited);
    }
    let (mut solver, mut solutions) = (BasisSolver::default(), Vec::<Solution>::new());
    let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
    for basis in 0..1_usize << n {
        let active: Vec<bool> = (0..n).map(|i| basis >> i & 1 == 1).collect();
        if !solver.solve([&lcp.matrix, &lcp.offset], &active, [&mut x, &mut y]) {
            continue;
        }
        if x.iter().any(|&x| x < -TOLERANCE) {
            continue;
        }
        x.iter_mut().for_each(|x| *x = x.max(0.0));
        if let Ok(solution) = lcp.solution(&x, basis + 1)
            && !solutions.iter().any(|other| is_same(lcp, &other.x, &x))
        {
            solutions.push(solution);
        }
    }
    if solutions.is_empty() { Err(Failure::NoBasis) } else { Ok(solutions) }
}

/// Are the unknowns `known` those of the scaled `x` up to rounding?
fn is_same(lcp: &Lcp, known: &[f64], x: &[f64]) -> bool {
    let largest = x.iter().fold(1.0_f64, |largest, x| largest.max(*x));
    lcp.scaling.scaled(known).iter().zip(x).all(|(a, b)| (a - b).abs() <= 1e-8 * largest)
}
