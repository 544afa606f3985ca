use super::{Failure, Lcp, Solution};

/// Solves by projected Gauss–Seidel sweeps xᵢ ← max(0, xᵢ − yᵢ/aᵢᵢ) from `start`, until the residual is at most `tolerance`,
/// which is no more than [`super::TOLERANCE`]. It converges for symmetric positive definite and diagonally dominant matrices (Cottle, Pang &
/// Stone, 1992, theorem 5.3.12), slowly for ill-conditioned ones.
pub fn projected_gauss_seidel(
    lcp: &Lcp,
    start: &[f64],
    tolerance: f64,
    sweeps: usize,
) -> Result<Solution, Failure> {
    let n = lcp.n;
    let diagonal = |i: usize| lcp.matrix[n * i + i];
    if start.len() != n || (0..n).any(|i| diagonal(i) <= 0.0) {
        return Err(Failure::Unsuited);
    }
    let mut x = lcp.scaling.scaled(start);
    x.iter_mut().for_each(|x| *x = x.max(0.0));
    let mut residual = lcp.scaled_residual(&x);
    for sweep in 0..=sweeps {
        if residual <= tolerance {
            return lcp.solution(&x, sweep);
        }
        for i in 0..n {
            x[i] = (x[i] - lcp.row(i, &x) / diagonal(i)).max(0.0);
        }
        residual = lcp.scaled_residual(&x);
    }
    Err(Failure::Exhausted { iterations: sweeps, residual })
}
