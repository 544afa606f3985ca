/// Sweeps over rows and columns; each takes the root of what is left to do.
const SWEEPS: usize = 5;

/// Factors of rows, columns and offset, powers of two but for β, so that they add no rounding.
#[derive(Clone, Debug)]
pub(super) struct Scaling {
    rows: Vec<f64>,
    columns: Vec<f64>,
    /// Size β of the scaled offset; 1 for an offset of zero.
    size: f64,
}

impl Scaling {
    /// Scales A to R A C by Ruiz' equilibration (RAL-TR-2001-034) and b to R b/β.
    pub(super) fn apply(matrix: &mut [f64], offset: &mut [f64]) -> Self {
        let n = offset.len();
        let (mut rows, mut columns) = (vec![1.0; n], vec![1.0; n]);
        let factor =
            |largest: f64| if largest > 0.0 { libm::exp2(-(0.5 * largest.log2()).round()) } else { 1.0 };
        for _ in 0..SWEEPS {
            let (mut by_row, mut by_column) = (vec![0.0_f64; n], vec![0.0_f64; n]);
            for (row, largest) in matrix.chunks_exact(n.max(1)).zip(&mut by_row) {
                for (x, in_column) in row.iter().zip(&mut by_column) {
                    *largest = largest.max(x.abs());
                    *in_column = in_column.max(x.abs());
                }
            }
            by_row.iter_mut().chain(&mut by_column).for_each(|largest| *largest = factor(*largest));
            for (i, row) in matrix.chunks_exact_mut(n.max(1)).enumerate() {
                row.iter_mut().zip(&by_column).for_each(|(x, c)| *x *= by_row[i] * c);
            }
            rows.iter_mut().zip(&by_row).for_each(|(r, f)| *r *= f);
            columns.iter_mut().zip(&by_column).for_each(|(c, f)| *c *= f);
        }
        offset.iter_mut().zip(&rows).for_each(|(b, r)| *b *= r);
        let size = offset.iter().fold(0.0_f64, |size, b| size.max(b.abs()));
        let size = if size > 0.0 { size } else { 1.0 };
        offset.iter_mut().for_each(|b| *b /= size);
        Self { rows, columns, size }
    }

    /// x̂ of x.
    pub(super) fn scaled(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.columns).map(|(x, c)| x / (c * self.size)).collect()
    }

    /// x of x̂.
    pub(super) fn unscaled(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.columns).map(|(x, c)| x * c * self.size).collect()
    }

    /// y of ŷ.
    pub(super) fn slacks(&self, y: &[f64]) -> Vec<f64> {
        y.iter().zip(&self.rows).map(|(y, r)| y * self.size / r).collect()
    }

    /// Unknowns x̂, as a direction, by the rows of Â: R⁻¹ C x̂ stands to Â as x = C x̂ to A.
    pub(super) fn as_row_weights(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(self.columns.iter().zip(&self.rows)).map(|(x, (c, r))| x * c / r).collect()
    }

    /// The same weights by the rows of A.
    pub(super) fn row_weights(&self, weights: &[f64]) -> Vec<f64> {
        weights.iter().zip(&self.rows).map(|(v, r)| v * r).collect()
    }
}
