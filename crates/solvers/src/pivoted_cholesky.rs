//! Symmetric positive semidefinite systems of any rank, solved by the solution of least norm.

/// Pivots of the scaled matrix at or below this are rounding, which is some 1e-15.
const DEPENDENT: f64 = 1e-13;
/// So are those at or below this share of the ridge, which would fade them out.
const FADED: f64 = 1e-3;
/// Pivots above this are so far from the ridge that it does not count.
const SOUND: f64 = 1e-3;

/// Factor P A Pᵀ = L Lᵀ of a symmetric positive semidefinite matrix that is scaled first, to a unit diagonal or so, with the
/// largest remaining pivot taken next. It stops where the pivots are rounding: the rows left over depend on
/// those taken.
#[derive(Clone, Debug, Default)]
pub struct PivotedCholesky {
    n: usize,
    rank: usize,
    /// Scaled matrix, then L in the lower triangle of its first `rank` columns; rows in pivot order.
    l: Vec<f64>,
    /// 1/√aᵢᵢ of the row at each place.
    scale: Vec<f64>,
    order: Vec<usize>,
    /// Is the matrix far from losing rank?
    sound: bool,
    /// Cholesky factors of Lᵀ L and of Lᵀ L + ridge, where it is not.
    gram: Vec<f64>,
    ridged: Vec<f64>,
    work: Vec<f64>,
    half: Vec<f64>,
}

impl PivotedCholesky {
    /// With room for matrices of n rows.
    pub fn with_room(n: usize) -> Self {
        Self {
            l: Vec::with_capacity(n * n),
            scale: Vec::with_capacity(n),
            order: Vec::with_capacity(n),
            gram: Vec::with_capacity(n * n),
            ridged: Vec::with_capacity(n * n),
            work: Vec::with_capacity(n),
            half: Vec::with_capacity(n),
            ..Self::default()
        }
    }

    /// Factors the n × n matrix `a`, of which only the upper triangle is read, scaled by a metric: a positive number for each
    /// row, by default its diagonal. Pivots of the scaled matrix at or below 1e-13, or 1e-3 of the ridge if that is more, of its largest
    /// element (or of 1) count as zero, eigenvalues below `ridge` are faded out.
    pub fn factor(&mut self, a: &[f64], n: usize, metric: Option<&[f64]>, ridge: f64) {
        self.n = n;
        let metric_of = |i: usize| metric.map_or(a[n * i + i], |metric| metric[i]);
        self.scale.clear();
        self.scale.extend((0..n).map(|i| if metric_of(i) > 0.0 { 1.0 / metric_of(i).sqrt() } else { 0.0 }));
        self.order.clear();
        self.order.extend(0..n);
        self.l.clear();
        self.l.resize(n * n, 0.0);
        for i in 0..n {
            for j in 0..=i {
                self.l[n * i + j] = a[n * j + i] * self.scale[i] * self.scale[j];
            }
        }
        let largest = (0..n).fold(1.0_f64, |m, i| m.max(self.l[n * i + i]));
        let rounding = DEPENDENT.max(FADED * ridge);
        let dependent = if metric.is_some() { rounding * largest } else { rounding };
        self.rank = n;
        self.sound = true;
        for k in 0..n {
            let pivot = (k..n).fold(k, |p, i| if self.l[n * i + i] > self.l[n * p + p] { i } else { p });
            let largest = self.l[n * pivot + pivot];
            self.sound &= largest > SOUND;
            if largest.is_nan() || largest <= dependent {
                self.rank = k;
                break;
            }
            if pivot != k {
                self.exchange(k, pivot);
            }
            let root = self.l[n * k + k].sqrt();
            self.l[n * k + k] = root;
            let inverse = 1.0 / root;
            for i in k + 1..n {
                self.l[n * i + k] *= inverse;
            }
            // In one piece, so that rows are updated by what lies beside each other.
            self.work.clear();
            self.work.extend((k + 1..n).map(|i| self.l[n * i + k]));
            for (i, factor) in (k + 1..n).zip(&self.work) {
                let row = &mut self.l[n * i + k + 1..=n * i + i];
                row.iter_mut().zip(&self.work).for_each(|(a, b)| *a -= factor * b);
            }
        }
        if !self.sound {
            self.factor_gram(ridge);
        }
    }

    /// Exchanges rows and columns k < p of the symmetric matrix that is stored by its lower triangle.
    fn exchange(&mut self, k: usize, p: usize) {
        let n = self.n;
        self.order.swap(k, p);
        self.scale.swap(k, p);
        for j in 0..k {
            self.l.swap(n * k + j, n * p + j);
        }
        for j in k + 1..p {
            self.l.swap(n * j + k, n * p + j);
        }
        for i in p + 1..n {
            self.l.swap(n * i + k, n * i + p);
        }
        self.l.swap(n * k + k, n * p + p);
    }

    /// Cholesky factor of Lᵀ L (rank × rank).
    fn factor_gram(&mut self, ridge: f64) {
        let (n, r) = (self.n, self.rank);
        self.gram.clear();
        self.gram.resize(r * r, 0.0);
        for k in 0..n {
            let row = &self.l[n * k..][..r.min(k + 1)];
            for (i, factor) in row.iter().enumerate() {
                let sums = &mut self.gram[r * i..=r * i + i];
                sums.iter_mut().zip(row).for_each(|(sum, other)| *sum += factor * other);
            }
        }
        self.ridged.clear();
        self.ridged.extend_from_slice(&self.gram);
        for i in 0..r {
            self.ridged[r * i + i] += ridge;
        }
        cholesky(&mut self.gram, r);
        cholesky(&mut self.ridged, r);
    }

    /// Number of independent rows.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Smallest pivot of the scaled matrix that counts; 1 for no rows.
    pub fn smallest_pivot(&self) -> f64 {
        self.rank.checked_sub(1).map_or(1.0, |last| self.l[self.n * last + last].powi(2))
    }

    /// Rows that depend on the others.
    pub fn dependent(&self) -> &[usize] {
        &self.order[self.rank..]
    }

    /// Writes the x with A x = b of least norm in the metric, ‖diag(A)^½ x‖ by default; if b is not in the range of A, of least residual in
    /// the norm of the scaled rows. Where A is about to lose rank the ridge bounds x: it goes smoothly to the
    /// solution of the lower rank and back.
    pub fn solve(&mut self, b: &[f64], x: &mut [f64]) {
        let (n, r) = (self.n, self.rank);
        self.work.clear();
        self.work.extend((0..n).map(|k| self.scale[k] * b[self.order[k]]));
        if self.sound {
            forward(&self.l, n, n, &mut self.work);
            backward(&self.l, n, n, &mut self.work);
        } else {
            // A⁺ = L (LᵀL)⁻¹ (LᵀL)⁻¹ Lᵀ, the second inverse with the ridge.
            self.half.clear();
            self.half.extend((0..r).map(|j| (j..n).map(|i| self.l[n * i + j] * self.work[i]).sum::<f64>()));
            for factor in [&self.gram, &self.ridged] {
                forward(factor, r, r, &mut self.half);
                backward(factor, r, r, &mut self.half);
            }
            for i in 0..n {
                self.work[i] = (0..r.min(i + 1)).map(|j| self.l[n * i + j] * self.half[j]).sum();
            }
        }
        for k in 0..n {
            x[self.order[k]] = self.scale[k] * self.work[k];
        }
    }
}

/// Cholesky factor in the lower triangle, in place.
fn cholesky(m: &mut [f64], n: usize) {
    for k in 0..n {
        let root = m[n * k + k].sqrt();
        m[n * k + k] = root;
        for i in k + 1..n {
            m[n * i + k] /= root;
        }
        for i in k + 1..n {
            for j in k + 1..=i {
                m[n * i + j] -= m[n * i + k] * m[n * j + k];
            }
        }
    }
}

/// L y = b in place, for the leading n × n part of rows of length `stride`.
fn forward(l: &[f64], stride: usize, n: usize, b: &mut [f64]) {
    for i in 0..n {
        let sum: f64 = (0..i).map(|j| l[stride * i + j] * b[j]).sum();
        b[i] = (b[i] - sum) / l[stride * i + i];
    }
}

/// Lᵀ x = b in place.
fn backward(l: &[f64], stride: usize, n: usize, b: &mut [f64]) {
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| l[stride * j + i] * b[j]).sum();
        b[i] = (b[i] - sum) / l[stride * i + i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = G Gᵀ with rows of G from a small generator, some of them repeated.
    fn system(rows: &[[f64; 4]]) -> Vec<f64> {
        let n = rows.len();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                a[n * i + j] = (0..4).map(|k| rows[i][k] * rows[j][k]).sum();
            }
        }
        a
    }

    const ROWS: [[f64; 4]; 5] = [
        [1.0, 0.2, -0.3, 0.5],
        [0.1, 2.0, 0.4, -0.2],
        [1.1, 2.2, 0.1, 0.3], // the sum of both above
        [-0.6, 0.3, 30.0, 1.0],
        [2.0, 0.4, -0.6, 1.0], // twice the first
    ];

    #[test]
    fn full_rank_solves_exactly() {
        let rows = [ROWS[0], ROWS[1], ROWS[3]];
        let a = system(&rows);
        let want = [0.3, -1.2, 0.7];
        let b: Vec<f64> = (0..3).map(|i| (0..3).map(|j| a[3 * i + j] * want[j]).sum()).collect();
        let mut factor = PivotedCholesky::default();
        factor.factor(&a, 3, None, 1e-11);
        let mut x = [0.0; 3];
        factor.solve(&b, &mut x);
        assert!(factor.rank() == 3 && x.iter().zip(want).all(|(x, w)| (x - w).abs() < 1e-13));
    }

    /// The solution is consistent, and in the range of A in the scaled metric: the mark of least norm.
    #[test]
    fn short_rank_gives_the_least_norm() {
        let a = system(&ROWS);
        let n = 5;
        let y = [0.3, -1.2, 0.7, 0.1, -0.4];
        let b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[n * i + j] * y[j]).sum()).collect();
        let mut factor = PivotedCholesky::default();
        factor.factor(&a, n, None, 1e-11);
        assert_eq!(factor.rank(), 3);
        let mut x = [0.0; 5];
        factor.solve(&b, &mut x);
        for i in 0..n {
            let row: f64 = (0..n).map(|j| a[n * i + j] * x[j]).sum();
            assert!((row - b[i]).abs() < 1e-9 * (1.0 + b[i].abs()), "row {i}");
        }
        // Null vectors of A: they must be orthogonal to x in the metric diag(A).
        for null in [[1.0, 1.0, -1.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0, -1.0]] {
            let product: f64 = (0..n).map(|i| null[i] * a[n * i + i] * x[i]).sum();
            assert!(product.abs() < 1e-10);
        }
    }
}
