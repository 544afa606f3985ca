use super::dictionary::Dictionary;
use super::{BasisSolver, Failure, Lcp, Solution, TOLERANCE};

/// Pivots allowed for each unknown: Lemke's method takes about one, in theory up to 2ⁿ.
const PIVOTS_EACH: usize = 50;
/// Residual that the dictionary's rounding may leave: above it the basis is factored anew.
const CLEAN: f64 = 1e-13;
/// Rounds from factored bases before rounding is said to win.
const ROUNDS: usize = 3;

/// Solves by Lemke's method with the covering vector 1 and the lexicographic ratio test (Cottle, Pang & Stone, 1992, algorithm
/// 4.4.5 with 4.9), from the basis with the unknowns `warm` or from that of the slacks. It finds a solution for P and strictly
/// copositive matrices; for copositive-plus ones, semidefinite ones among them, it finds one or proves that there is none.
pub fn lemke(lcp: &Lcp, warm: Option<&[bool]>) -> Result<Solution, Failure> {
    let n = lcp.n;
    let cold = vec![false; n];
    let mut start =
        warm.filter(|warm| warm.len() == n && warm.contains(&true)).map_or(cold.clone(), <[bool]>::to_vec);
    let (mut pivots, mut last) = (0, Failure::Inexact { residual: f64::INFINITY });
    for _ in 0..ROUNDS {
        let (ended, active) = match path(lcp, &start, &mut pivots) {
            Some(Ok(dictionary)) => {
                let active: Vec<bool> = (n..2 * n).map(|x| dictionary.basic().contains(&x)).collect();
                let mut x = dictionary.unknowns();
                if lcp.scaled_residual(&x) > CLEAN {
                    refine(lcp, &active, &mut x);
                }
                (lcp.solution(&x, pivots), active)
            }
            // What does not end well from a guess is tried from the slacks.
            Some(Err(failure)) => (Err(failure), cold.clone()),
            None => (Err(last.clone()), cold.clone()),
        };
        match ended {
            Ok(solution) => return Ok(solution),
            Err(failure) if active == start => return Err(failure),
            Err(failure) => last = failure,
        }
        start = active;
    }
    Err(last)
}

/// Follows the path to a complementary basis. None if the start has none.
fn path(lcp: &Lcp, start: &[bool], pivots: &mut usize) -> Option<Result<Dictionary, Failure>> {
    let n = lcp.n;
    let complement = |variable: usize| (variable + n) % (2 * n);
    let mut dictionary = Dictionary::new(lcp, start)?;
    let (mut row, mut column) = match dictionary.most_negative() {
        Some(row) => (row, n),
        None => return Some(Ok(dictionary)),
    };
    for _ in 0..PIVOTS_EACH * n {
        *pivots += 1;
        let left = dictionary.exchange(row, column);
        if left == 2 * n {
            return Some(Ok(dictionary));
        }
        column = dictionary.column(complement(left))?;
        row = match dictionary.blocking(column) {
            Some(row) => row,
            None => {
                let ray = dictionary.ray(column);
                return Some(Err(infeasible(lcp, &ray).unwrap_or(Failure::Ray { iterations: *pivots })));
            }
        };
    }
    let residual = lcp.scaled_residual(&dictionary.unknowns());
    Some(Err(Failure::Exhausted { iterations: *pivots, residual }))
}

/// The ray's unknowns v ≥ 0 prove that there is no feasible point if Aᵀ v ≤ 0 and bᵀ v < 0 (ibid., theorem 4.4.11).
fn infeasible(lcp: &Lcp, ray: &[f64]) -> Option<Failure> {
    let n = lcp.n;
    let v = lcp.scaling.as_row_weights(ray);
    let size = v.iter().sum::<f64>();
    let falls = crate::dot::dot(&v, &lcp.offset) < -TOLERANCE * size;
    let rises = |j: usize| (0..n).map(|i| v[i] * lcp.matrix[n * i + j]).sum::<f64>() > TOLERANCE * size;
    (falls && !(0..n).any(rises)).then(|| Failure::Infeasible { certificate: lcp.scaling.row_weights(&v) })
}

/// Solves the equations of a basis from a fresh factorisation; keeps `x` if that is no better.
fn refine(lcp: &Lcp, active: &[bool], x: &mut [f64]) {
    let (mut refined, mut slacks) = (vec![0.0; lcp.n], vec![0.0; lcp.n]);
    let problem = [&lcp.matrix[..], &lcp.offset];
    if !BasisSolver::default().solve(problem, active, [&mut refined, &mut slacks]) {
        return;
    }
    refined.iter_mut().for_each(|x| *x = x.max(0.0));
    if lcp.scaled_residual(&refined) < lcp.scaled_residual(x) {
        x.copy_from_slice(&refined);
    }
}
