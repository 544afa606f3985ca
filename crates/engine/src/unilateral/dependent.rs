use carom_solvers::PivotedCholesky;

/// Eigenvalues of the scaled rows' products below which rows depend on each other.
const RIDGE: f64 = 1e-14;
/// What may be left of an equation, over its largest term: more has no solution.
const LEFT: f64 = 1e-9;
/// Solutions: the second takes what rounding leaves of the first.
const ROUNDS: usize = 2;

/// Solves a complementary basis whose rows depend on each other, as those of a sleeve that jams do: of all its solutions the one nearest to
/// an anchor. Allocates nothing where it has been as large before.
#[derive(Clone, Debug, Default)]
pub(super) struct NearestSolver {
    set: Vec<usize>,
    square: Vec<f64>,
    metric: Vec<f64>,
    right: Vec<f64>,
    change: Vec<f64>,
    factor: PivotedCholesky,
}

impl NearestSolver {
    /// Writes x and y = A x + b at the basis of the unknowns `active`; false if its equations contradict each other.
    pub(super) fn solve(
        &mut self,
        [a, b]: [&[f64]; 2],
        active: &[bool],
        anchor: &[f64],
        [x, y]: [&mut [f64]; 2],
    ) -> bool {
        let n = b.len();
        let Self { set, square, metric, right, change, factor } = self;
        set.clear();
        set.extend((0..n).filter(|&i| active[i]));
        let m = set.len();
        square.clear();
        for &i in &*set {
            square.extend(set.iter().map(|&j| set.iter().map(|&k| a[n * i + k] * a[n * j + k]).sum::<f64>()));
        }
        // Rows have units of their own.
        metric.clear();
        metric.extend((0..m).map(|k| square[k * (m + 1)].max(f64::MIN_POSITIVE)));
        factor.factor(square, m, Some(metric), RIDGE);
        for (i, x) in x.iter_mut().enumerate() {
            *x = if active[i] { anchor[i] } else { 0.0 };
        }
        change.resize(m, 0.0);
        let row = |i: usize, x: &[f64]| (0..n).map(|j| a[n * i + j] * x[j]).sum::<f64>() + b[i];
        for _ in 0..ROUNDS {
            right.clear();
            right.extend(set.iter().map(|&i| -row(i, x)));
            factor.solve(right, change);
            for &k in &*set {
                x[k] += set.iter().zip(&*change).map(|(&i, z)| a[n * i + k] * z).sum::<f64>();
            }
        }
        for i in 0..n {
            y[i] = if active[i] { 0.0 } else { row(i, x) };
        }
        let largest = |i: usize| (0..n).map(|j| (a[n * i + j] * x[j]).abs()).fold(b[i].abs(), f64::max);
        set.iter().all(|&i| row(i, x).abs() <= LEFT * largest(i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two equal rows: the nearest of all pairs with the sum asked for; two that contradict each other have none.
    #[test]
    fn of_many_solutions_it_is_the_nearest() {
        let (mut x, mut y) = ([0.0; 3], [0.0; 3]);
        let matrix = [1.0, 1.0, 0.0, 2.0, 2.0, 0.0, 1.0, 0.0, 1.0];
        let active = [true, true, false];
        let mut solver = NearestSolver::default();
        let solved = solver.solve([&matrix, &[-4.0, -8.0, 1.0]], &active, &[3.0, 2.0, 9.0], [&mut x, &mut y]);
        assert!(solved && (x[0] - 2.5).abs() < 1e-14 && (x[1] - 1.5).abs() < 1e-14 && x[2] == 0.0, "{x:?}");
        assert_eq!([y[0], y[1]], [0.0; 2]);
        assert!((y[2] - 3.5).abs() < 1e-14);
        assert!(!solver.solve([&matrix, &[-4.0, -7.0, 1.0]], &active, &[0.0; 3], [&mut x, &mut y]));
    }
}
