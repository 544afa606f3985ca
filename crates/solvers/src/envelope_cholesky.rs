//! Symmetric positive semidefinite systems whose rows begin near the diagonal, solved by the solution of least norm.

use crate::dot::dot;

/// Corrections of a solution: each takes away what the ridge has left, ε/(ε + σ) of the part along an eigenvalue σ.
const CORRECTIONS: usize = 2;
/// A ridge is at least this share of the largest element, a hundred times rounding.
const LEAST_RIDGE: f64 = 1e-14;
/// Pivots up to so many ridges are those of rows that depend on others.
const DEPENDENT: f64 = 100.0;

/// Factor L Lᵀ = B + ε of a symmetric positive semidefinite matrix, scaled by a metric to B and lifted by a ridge ε. Row
/// by row from the first element that is not zero to the diagonal, where all of L is (George & Liu, Computer Solution of
/// Large Sparse Positive Definite Systems, 1981, chapter 4). It needs no pivots: rows that depend on others leave the
/// ridge. The cost goes with the rows times the square of their length.
#[derive(Clone, Debug, Default)]
pub struct EnvelopeCholesky {
    /// First column of each row.
    first: Vec<usize>,
    /// Where each row begins among the values.
    start: Vec<usize>,
    /// The matrix; scaled once it is factored.
    matrix: Vec<f64>,
    factor: Vec<f64>,
    ridge: f64,
    /// 1/√ of the metric.
    scale: Vec<f64>,
    right: Vec<f64>,
    rest: Vec<f64>,
    work: Vec<f64>,
    product: Vec<f64>,
}

impl EnvelopeCholesky {
    /// Takes the first column of each row, which is at most its own number. The matrix is zero.
    pub fn shape(&mut self, first: &[usize]) {
        self.first.clear();
        self.first.extend_from_slice(first);
        self.start.clear();
        let mut end = 0;
        for (row, first) in first.iter().enumerate() {
            self.start.push(end);
            end += row + 1 - first;
        }
        self.matrix.resize(end, 0.0);
        self.factor.resize(end, 0.0);
        for buffer in [&mut self.scale, &mut self.right, &mut self.rest, &mut self.work, &mut self.product] {
            buffer.resize(first.len(), 0.0);
        }
        self.clear();
    }

    /// Sets all elements to zero.
    pub fn clear(&mut self) {
        self.matrix.fill(0.0);
    }

    /// An element of the lower triangle, within the shape.
    pub fn element_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.matrix[self.start[row] + column - self.first[row]]
    }

    /// Scales by the metric, a positive number for each row, or zero for a row that is zero, and factors.
    pub fn factor(&mut self, metric: &[f64], ridge: f64) {
        for (scale, metric) in self.scale.iter_mut().zip(metric) {
            *scale = if *metric > 0.0 { 1.0 / metric.sqrt() } else { 0.0 };
        }
        let mut largest = 0.0_f64;
        for row in 0..self.first.len() {
            let (first, values) = (self.first[row], &mut self.matrix[self.start[row]..]);
            for (value, scale) in values.iter_mut().zip(&self.scale[first..=row]) {
                *value *= scale * self.scale[row];
            }
            largest = largest.max(values[row - first]);
        }
        self.ridge = ridge.max(LEAST_RIDGE * largest);
        for row in 0..self.first.len() {
            self.factor_row(row);
        }
    }

    fn factor_row(&mut self, row: usize) {
        let first = self.first[row];
        let (above, own) = self.factor.split_at_mut(self.start[row]);
        let values = &self.matrix[self.start[row]..];
        for column in first..row {
            let from = first.max(self.first[column]);
            let other = &above[self.start[column]..];
            let at = self.first[column];
            let sum = dot(&own[from - first..column - first], &other[from - at..column - at]);
            own[column - first] = (values[column - first] - sum) / other[column - at];
        }
        let lengths = dot(&own[..row - first], &own[..row - first]);
        let pivot = values[row - first] + self.ridge - lengths;
        // Rounding may leave less than the ridge; what is not a number stays so.
        own[row - first] = if pivot < self.ridge { self.ridge.sqrt() } else { pivot.sqrt() };
    }

    /// Pivots as they are without the ridge.
    fn pivots(&self) -> impl Iterator<Item = f64> {
        self.start.iter().zip(&self.first).enumerate().map(|(row, (start, first))| {
            let root = self.factor[start + row - first];
            root * root - self.ridge
        })
    }

    /// Rows that depend on those before them, to what the ridge can tell.
    pub fn dependent(&self) -> usize {
        self.pivots().filter(|pivot| *pivot <= DEPENDENT * self.ridge).count()
    }

    /// Rows that almost depend on those before them, by pivots of the scaled matrix below a limit; those that do
    /// depend are counted, too.
    pub fn nearly_dependent(&self, limit: f64) -> usize {
        self.pivots().filter(|pivot| *pivot < limit).count()
    }

    /// Replaces b by the x with A x = b of least norm in the metric; if b is not in the range of A, by that of least
    /// residual in the scaled rows. Where A is about to lose rank the ridge bounds x.
    ///
    /// With C = B + ε and P = B C⁻¹, the projector onto the range of B, it is P C⁻¹ P b: what b has across the range is
    /// taken away before it is divided by ε, and what rounding has put there afterwards. Corrections take from x
    /// what the ridge falsifies.
    pub fn solve(&mut self, b: &mut [f64]) {
        let n = b.len();
        let mut right = std::mem::take(&mut self.right);
        let mut rest = std::mem::take(&mut self.rest);
        for i in 0..n {
            right[i] = b[i] * self.scale[i];
        }
        rest.copy_from_slice(&right);
        b.fill(0.0);
        for correction in 0..=CORRECTIONS {
            self.work.copy_from_slice(&rest);
            self.substitute();
            self.multiply();
            self.substitute();
            self.substitute();
            self.multiply();
            b.iter_mut().zip(&self.work).for_each(|(x, change)| *x += change);
            if correction < CORRECTIONS {
                self.work.copy_from_slice(b);
                self.multiply();
                for i in 0..n {
                    rest[i] = right[i] - self.work[i];
                }
            }
        }
        b.iter_mut().zip(&self.scale).for_each(|(x, scale)| *x *= scale);
        self.right = right;
        self.rest = rest;
    }

    /// C⁻¹ on `work`.
    fn substitute(&mut self) {
        for row in 0..self.first.len() {
            let (first, values) = (self.first[row], &self.factor[self.start[row]..]);
            let sum = dot(&values[..row - first], &self.work[first..row]);
            self.work[row] = (self.work[row] - sum) / values[row - first];
        }
        for row in (0..self.first.len()).rev() {
            let (first, values) = (self.first[row], &self.factor[self.start[row]..]);
            let x = self.work[row] / values[row - first];
            self.work[row] = x;
            for (work, value) in self.work[first..row].iter_mut().zip(values) {
                *work -= value * x;
            }
        }
    }

    /// B on `work`.
    fn multiply(&mut self) {
        self.product.fill(0.0);
        for row in 0..self.first.len() {
            let (first, values) = (self.first[row], &self.matrix[self.start[row]..]);
            let x = self.work[row];
            self.product[row] += dot(&values[..=row - first], &self.work[first..=row]);
            for (product, value) in self.product[first..row].iter_mut().zip(values) {
                *product += value * x;
            }
        }
        std::mem::swap(&mut self.work, &mut self.product);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PivotedCholesky;

    /// G Gᵀ of rows that reach over four neighbours, every fifth the sum of the two before it.
    fn chain(n: usize) -> Vec<f64> {
        let width = 2 * n + 2;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for i in 0..n {
            let mut row = vec![0.0; width];
            if i % 5 == 4 {
                for j in 0..width {
                    row[j] = rows[i - 1][j] + rows[i - 2][j];
                }
            } else {
                for k in 0..4 {
                    row[2 * i + k] = ((7 * i + 3 * k) % 11) as f64 / 5.0 - 1.1;
                }
            }
            rows.push(row);
        }
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        (0..n * n).map(|at| product(&rows[at / n], &rows[at % n])).collect()
    }

    fn factored(a: &[f64], n: usize) -> EnvelopeCholesky {
        let first: Vec<usize> = (0..n).map(|i| (0..=i).find(|&j| a[n * i + j] != 0.0).unwrap_or(i)).collect();
        let mut sparse = EnvelopeCholesky::default();
        sparse.shape(&first);
        for i in 0..n {
            for j in first[i]..=i {
                *sparse.element_mut(i, j) = a[n * i + j];
            }
        }
        let metric: Vec<f64> = (0..n).map(|i| a[n * i + i]).collect();
        sparse.factor(&metric, 1e-10);
        sparse
    }

    /// The dense factors with pivots are the oracle: same rank, same solution of least norm.
    #[test]
    fn the_same_solution_as_with_pivots() {
        let n = 60;
        let a = chain(n);
        let y: Vec<f64> = (0..n).map(|i| ((13 * i) % 7) as f64 - 3.0).collect();
        let b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[n * i + j] * y[j]).sum()).collect();
        let mut dense = PivotedCholesky::default();
        dense.factor(&a, n, None, 1e-10);
        let mut want = vec![0.0; n];
        dense.solve(&b, &mut want);
        let mut sparse = factored(&a, n);
        let mut x = b.clone();
        sparse.solve(&mut x);
        assert_eq!((dense.rank(), sparse.dependent()), (n - n / 5, n / 5));
        let size = want.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for i in 0..n {
            // The dense solution keeps what the ridge takes of small eigenvalues, here of 1e-2: 1e-8.
            assert!((x[i] - want[i]).abs() < 1e-7 * size, "row {i}: {} and {}", x[i], want[i]);
            let row: f64 = (0..n).map(|j| a[n * i + j] * x[j]).sum();
            assert!((row - b[i]).abs() < 1e-12 * size, "row {i}: {row} and {}", b[i]);
        }
    }

    /// What contradicts itself is met as well as can be, without large numbers.
    #[test]
    fn a_contradiction_does_not_blow_up() {
        let n = 60;
        let a = chain(n);
        let mut sparse = factored(&a, n);
        let mut x = vec![0.0; n];
        x[9] = 1.0;
        sparse.solve(&mut x);
        assert!(x.iter().all(|x| x.abs() < 10.0), "{x:?}");
    }
}
