use crate::dot::dot;

/// A matrix whose pattern is symmetric and near the diagonal, and its factors L U without pivots: of matrices whose
/// symmetric part is positive definite, as those of a mass with stiffness, damping and penalties are. Rows of the lower and
/// columns of the upper triangle are kept from the first element that may not be zero (George & Liu, Computer
/// Solution of Large Sparse Positive Definite Systems, 1981, chapter 4).
#[derive(Clone, Debug, Default)]
pub(super) struct EnvelopeLu {
    first: Vec<usize>,
    start: Vec<usize>,
    /// By row left of the diagonal, by column above it, and the diagonal, which the first has room for.
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// Pivots below this share of the diagonal that they come from are rounding.
const SMALLEST_PIVOT: f64 = 1e-15;

impl EnvelopeLu {
    /// Takes the first column of each row, which is at most its own number. The matrix is zero.
    pub(super) fn shape(&mut self, first: &[usize]) {
        self.first.clear();
        self.first.extend_from_slice(first);
        self.start.clear();
        let mut end = 0;
        for (row, first) in first.iter().enumerate() {
            self.start.push(end);
            end += row + 1 - first;
        }
        self.lower.resize(end, 0.0);
        self.upper.resize(end, 0.0);
        self.clear();
    }

    pub(super) fn clear(&mut self) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
    }

    /// Takes over another matrix of the same shape.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.lower.copy_from_slice(&other.lower);
        self.upper.copy_from_slice(&other.upper);
    }

    /// Adds to an element within the shape.
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        if column <= row {
            self.lower[self.start[row] + column - self.first[row]] += value;
        } else {
            self.upper[self.start[column] + row - self.first[column]] += value;
        }
    }

    /// Replaces the matrix by its factors. False if a pivot is lost, or not positive.
    pub(super) fn factor(&mut self) -> bool {
        for row in 0..self.first.len() {
            let (first, start) = (self.first[row], self.start[row]);
            let (lower_above, lower) = self.lower.split_at_mut(start);
            let (upper_above, upper) = self.upper.split_at_mut(start);
            for column in first..row {
                let at = self.first[column];
                let from = first.max(at);
                let begin = self.start[column];
                let (l, u) = (&lower_above[begin..], &upper_above[begin..]);
                let own = from - first..column - first;
                let other = from - at..column - at;
                let above = dot(&l[other.clone()], &upper[own.clone()]);
                upper[column - first] -= above;
                let left = dot(&lower[own], &u[other]);
                lower[column - first] = (lower[column - first] - left) / l[column - at];
            }
            let given = lower[row - first];
            let pivot = given - dot(&lower[..row - first], &upper[..row - first]);
            if pivot.is_nan() || pivot <= SMALLEST_PIVOT * given.abs() {
                return false;
            }
            lower[row - first] = pivot;
        }
        true
    }

    /// Solves in place.
    pub(super) fn solve(&self, b: &mut [f64]) {
        for row in 0..self.first.len() {
            let (first, lower) = (self.first[row], &self.lower[self.start[row]..]);
            b[row] -= dot(&lower[..row - first], &b[first..row]);
        }
        for row in (0..self.first.len()).rev() {
            let (first, start) = (self.first[row], self.start[row]);
            b[row] /= self.lower[start + row - first];
            let x = b[row];
            for (b, u) in b[first..row].iter_mut().zip(&self.upper[start..]) {
                *b -= u * x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_without_symmetry_is_solved() {
        let first = [0, 0, 1, 0, 2, 4];
        let mut lu = EnvelopeLu::default();
        lu.shape(&first);
        let mut full = [[0.0; 6]; 6];
        for i in 0..6 {
            for j in first[i]..=i {
                let value = ((5 * i + 3 * j) % 7) as f64 / 7.0 - 0.4;
                let pairs =
                    if i == j { vec![(i, i, 4.0 + value)] } else { vec![(i, j, value), (j, i, 0.3 - value)] };
                for (i, j, value) in pairs {
                    full[i][j] = value;
                    lu.add(i, j, value);
                }
            }
        }
        assert!(lu.factor());
        let want = [1.0, -2.0, 0.5, 3.0, -1.5, 0.25];
        let mut x: Vec<f64> = (0..6).map(|i| (0..6).map(|j| full[i][j] * want[j]).sum()).collect();
        lu.solve(&mut x);
        assert!(x.iter().zip(want).all(|(x, w)| (x - w).abs() < 1e-14), "{x:?}");
    }

    #[test]
    fn a_lost_pivot_is_told() {
        let mut lu = EnvelopeLu::default();
        lu.shape(&[0, 0]);
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            lu.add(i, j, 1.0);
        }
        assert!(!lu.factor());
    }
}
