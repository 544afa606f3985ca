use std::ops::Range;

use crate::dot::dot;
use crate::wide::{Wide, run_wide};

/// LU factors with partial pivoting of a dense matrix, row by row in place. Zeros left and right of what a row holds are
/// not looked at: blocks of states that do not see each other cost what they cost alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lu {
    n: usize,
    pub(crate) matrix: Vec<f64>,
    pivots: Vec<usize>,
    /// Columns of each row of the factors that are not zero, and those between them.
    columns: Vec<Range<usize>>,
}

impl Lu {
    pub(crate) fn resize(&mut self, n: usize) {
        self.n = n;
        self.matrix.resize(n * n, 0.0);
        self.pivots.resize(n, 0);
        self.columns.resize(n, 0..0);
    }

    /// Factors what is in `matrix`; false if it is singular or not finite.
    pub(crate) fn factor(&mut self) -> bool {
        run_wide(Eliminate(self))
    }

    #[inline(always)]
    fn eliminate(&mut self) -> bool {
        let n = self.n;
        for k in 0..n {
            let size = |row: usize| self.matrix[n * row + k].abs();
            let pivot = (k + 1..n).fold(k, |p, i| if size(i) > size(p) { i } else { p });
            let value = self.matrix[n * pivot + k];
            if value == 0.0 || !value.is_finite() {
                return false;
            }
            self.pivots[k] = pivot;
            if pivot != k {
                for j in 0..n {
                    self.matrix.swap(n * k + j, n * pivot + j);
                }
            }
            let (above, below) = self.matrix.split_at_mut(n * (k + 1));
            let row_k = &above[n * k..];
            let end = extent(n, |j| row_k[j] != 0.0).end;
            for row in below.chunks_exact_mut(n) {
                if row[k] == 0.0 {
                    continue;
                }
                let factor = row[k] / value;
                row[k] = factor;
                for (x, y) in row[k + 1..end].iter_mut().zip(&row_k[k + 1..end]) {
                    *x -= factor * y;
                }
            }
        }
        for (row, columns) in self.columns.iter_mut().enumerate() {
            *columns = extent(n, |j| self.matrix[n * row + j] != 0.0);
        }
        true
    }

    /// Solves in place.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        run_wide(Substitute(self, b));
    }

    #[inline(always)]
    fn substitute(&self, b: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for i in 0..n {
            let left = self.columns[i].start..i;
            b[i] -= dot(&self.matrix[n * i..][left.clone()], &b[left]);
        }
        for i in (0..n).rev() {
            let right = i + 1..self.columns[i].end;
            let sum = dot(&self.matrix[n * i..][right.clone()], &b[right]);
            b[i] = (b[i] - sum) / self.matrix[n * i + i];
        }
    }
}

struct Eliminate<'a>(&'a mut Lu);

impl Wide for Eliminate<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.0.eliminate()
    }
}

struct Substitute<'a>(&'a Lu, &'a mut [f64]);

impl Wide for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.substitute(self.1);
    }
}

/// From the first to the last of n places at which something holds.
pub(crate) fn extent(n: usize, holds: impl Fn(usize) -> bool) -> Range<usize> {
    let start = (0..n).find(|&j| holds(j)).unwrap_or(n);
    let end = (start..n).rev().find(|&j| holds(j)).map_or(start, |last| last + 1);
    start..end
}

#[cfg(test)]
mod tests {
    use super::Lu;

    #[test]
    fn solves_what_needs_pivots() {
        let a = [0.0, 2.0, 1.0, 1.0, -1.0, 0.5, 3.0, 0.2, -2.0];
        let want = [0.3, -1.0, 2.0];
        let mut b: Vec<f64> = (0..3).map(|i| (0..3).map(|j| a[3 * i + j] * want[j]).sum()).collect();
        let mut lu = Lu::default();
        lu.resize(3);
        lu.matrix.copy_from_slice(&a);
        assert!(lu.factor());
        lu.solve(&mut b);
        assert!(b.iter().zip(want).all(|(x, w)| (x - w).abs() < 1e-14));
        lu.matrix.fill(0.0);
        assert!(!lu.factor());
    }

    /// Two blocks in turn, (0, 2) and (1, 3), of which one needs a pivot.
    #[test]
    fn blocks_that_do_not_see_each_other() {
        let a = [0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, -1.0, 1.0, 0.0, 4.0, 0.0, 0.0, 1.0, 0.0, 5.0];
        let want = [0.3, -1.0, 2.0, 0.7];
        let mut b: Vec<f64> = (0..4).map(|i| (0..4).map(|j| a[4 * i + j] * want[j]).sum()).collect();
        let mut lu = Lu::default();
        lu.resize(4);
        lu.matrix.copy_from_slice(&a);
        assert!(lu.factor());
        lu.solve(&mut b);
        assert!(b.iter().zip(want).all(|(x, w)| (x - w).abs() < 1e-15));
    }

    /// Factors and solutions with the machine's widest vectors and with those of the build.
    #[test]
    fn wide_vectors_make_the_same_bits() {
        let n = 53;
        let mut wide = Lu::default();
        wide.resize(n);
        for (i, x) in wide.matrix.iter_mut().enumerate() {
            *x = libm::sin((i * i) as f64);
        }
        let mut plain = wide.clone();
        assert!(wide.factor() && plain.eliminate());
        let mut b: [Vec<f64>; 2] = std::array::from_fn(|_| (0..n).map(|i| libm::cos(i as f64)).collect());
        wide.solve(&mut b[0]);
        plain.substitute(&mut b[1]);
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&wide.matrix), bits(&plain.matrix));
        assert_eq!(bits(&b[0]), bits(&b[1]));
    }
}
