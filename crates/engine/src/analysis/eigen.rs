//! Eigenvalues of M z̈ + C ż + K z = 0.

use nalgebra::{Complex, DMatrix, DVector, Schur, linalg::balancing};

/// Damping, over √(|K| |M|), and asymmetry of the stiffness, over |K|, that differences leave.
const NO_DAMPING: f64 = 1e-9;
const SYMMETRIC: f64 = 1e-7;
/// Sweeps of the QR algorithm for each eigenvalue.
const SWEEPS: usize = 1000;
/// Eigenvalues that differ by less than this share count as one.
const SAME: f64 = 1e-6;

/// An eigenvalue s (1/s) and its vector z.
pub(super) type EigenPair = (Complex<f64>, DVector<Complex<f64>>);

/// L⁻¹ K L⁻ᵀ of the symmetric part of K with M = L Lᵀ, and L; `None` if M is not positive.
fn standard_form(mass: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
    let l = mass.clone().cholesky()?.unpack();
    let symmetric = (stiffness + stiffness.transpose()) * 0.5;
    let half = l.solve_lower_triangular(&symmetric)?;
    let full = l.solve_lower_triangular(&half.transpose())?;
    Some(((&full + full.transpose()) * 0.5, l))
}

/// Stiffness over mass.
pub(super) struct Spectrum {
    /// λ (1/s²), in no order.
    pub(super) values: DVector<f64>,
    /// Columns x with K x = λ M x and xᵀ M x = 1.
    pub(super) modes: DMatrix<f64>,
}

impl Spectrum {
    /// Infinite without any freedom.
    pub(super) fn smallest(&self) -> f64 {
        self.values.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The largest in size.
    pub(super) fn largest(&self) -> f64 {
        self.values.amax()
    }
}

/// Eigenvalues of the symmetric part of K over M; `None` if M is not positive or something is not finite.
pub(super) fn spectrum(mass: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> Option<Spectrum> {
    if mass.nrows() == 0 {
        return Some(Spectrum { values: DVector::zeros(0), modes: DMatrix::zeros(0, 0) });
    }
    if !stiffness.iter().all(|k| k.is_finite()) {
        return None;
    }
    let (standard, l) = standard_form(mass, stiffness)?;
    let eigen = standard.symmetric_eigen();
    let modes = l.tr_solve_lower_triangular(&eigen.eigenvectors)?;
    Some(Spectrum { values: eigen.eigenvalues, modes })
}

/// Eigenvalues with Im s ≥ 0, slowest first, with their vectors. Without damping and with a symmetric stiffness they
/// are s = i √λ, or √−λ where λ < 0, of K z = λ M z. Else those of the first-order form; the vector is that of
/// the smallest singular value of s² M + s C + K. `None` if M is not positive or the iteration does not end.
pub(super) fn eigenpairs(
    mass: &DMatrix<f64>,
    damping: &DMatrix<f64>,
    stiffness: &DMatrix<f64>,
) -> Option<Vec<EigenPair>> {
    let asymmetry = (stiffness - stiffness.transpose()).amax();
    let undamped = damping.amax() <= NO_DAMPING * (stiffness.amax() * mass.amax()).sqrt();
    let mut pairs = if undamped && asymmetry <= SYMMETRIC * stiffness.amax() {
        symmetric_pairs(mass, stiffness)?
    } else {
        general_pairs(mass, damping, stiffness)?
    };
    pairs.sort_by(|(a, _), (b, _)| a.norm().total_cmp(&b.norm()).then(a.re.total_cmp(&b.re)));
    Some(pairs)
}

fn symmetric_pairs(mass: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> Option<Vec<EigenPair>> {
    let Spectrum { values, modes } = spectrum(mass, stiffness)?;
    let pairs = values.iter().enumerate().map(|(k, &lambda)| {
        let root = lambda.abs().sqrt();
        let s = if lambda >= 0.0 { Complex::new(0.0, root) } else { Complex::new(root, 0.0) };
        (s, modes.column(k).map(|z| Complex::new(z, 0.0)))
    });
    Some(pairs.collect())
}

fn general_pairs(
    mass: &DMatrix<f64>,
    damping: &DMatrix<f64>,
    stiffness: &DMatrix<f64>,
) -> Option<Vec<EigenPair>> {
    let n = mass.nrows();
    let factor = mass.clone().cholesky()?;
    let (k, c) = (factor.solve(stiffness), factor.solve(damping));
    // Time in units of the fastest mode, so that both halves of the matrix are of one size.
    let rate = k.amax().sqrt().max(c.amax());
    let mut first_order = DMatrix::zeros(2 * n, 2 * n);
    first_order.view_mut((0, n), (n, n)).fill_with_identity();
    first_order.view_mut((n, 0), (n, n)).copy_from(&(k / (-rate * rate)));
    first_order.view_mut((n, n), (n, n)).copy_from(&(c / -rate));
    let _ = balancing::balance_parlett_reinsch(&mut first_order);
    let schur = Schur::try_new(first_order, f64::EPSILON, SWEEPS * n)?;
    let mut values: Vec<Complex<f64>> = schur.complex_eigenvalues().iter().map(|s| s * rate).collect();
    values.retain(|s| s.im >= 0.0);
    let mut pairs: Vec<EigenPair> = Vec::with_capacity(values.len());
    for s in values {
        let again = pairs.iter().filter(|(other, _)| (other - s).norm() <= SAME * s.norm()).count();
        let complex = |m: &DMatrix<f64>, factor: Complex<f64>| m.map(|x| factor * x);
        let pencil = complex(mass, s * s) + complex(damping, s) + complex(stiffness, Complex::new(1.0, 0.0));
        let right = pencil.svd(false, true).v_t?;
        let row = n - 1 - again.min(n - 1);
        pairs.push((s, right.row(row).transpose().map(|z| z.conj())));
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_damped_oscillator() {
        let one = |x| DMatrix::from_element(1, 1, x);
        let pairs = eigenpairs(&one(2.0), &one(0.8), &one(18.0)).unwrap();
        let want = Complex::new(-0.2, (9.0_f64 - 0.04).sqrt());
        assert!(pairs.len() == 1 && (pairs[0].0 - want).norm() < 1e-14);
        let over = eigenpairs(&one(1.0), &one(5.0), &one(4.0)).unwrap();
        assert!((over[0].0.re + 1.0).abs() < 1e-13 && (over[1].0.re + 4.0).abs() < 1e-13);
    }

    #[test]
    fn repeated_eigenvalues_have_independent_vectors() {
        let mass = DMatrix::identity(2, 2);
        let pairs = eigenpairs(&mass, &(&mass * 0.2), &(&mass * 4.0)).unwrap();
        assert_eq!(pairs.len(), 2);
        let inner = pairs[0].1.dotc(&pairs[1].1).norm();
        assert!(inner < 1e-10, "{inner}");
    }
}
