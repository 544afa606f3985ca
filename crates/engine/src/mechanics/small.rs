//! Small symmetric positive definite matrices, row by row in flat slices.

/// Replaces an n × n symmetric positive definite matrix by its inverse (Gauss–Jordan without pivoting, which
/// such matrices do not need). False if a pivot is not positive.
#[inline]
pub(crate) fn invert(m: &mut [f64], n: usize) -> bool {
    if n == 1 {
        let ok = m[0] > 0.0;
        m[0] = 1.0 / m[0];
        return ok;
    }
    for k in 0..n {
        let pivot = m[n * k + k];
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        let inverse = 1.0 / pivot;
        m[n * k + k] = 1.0;
        for j in 0..n {
            m[n * k + j] *= inverse;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = m[n * i + k];
            m[n * i + k] = 0.0;
            for j in 0..n {
                m[n * i + j] -= factor * m[n * k + j];
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::invert;

    #[test]
    fn inverse_of_a_positive_definite_matrix() {
        let m = [4.0, 1.0, -0.5, 1.0, 3.0, 0.7, -0.5, 0.7, 2.0];
        let mut inverse = m;
        assert!(invert(&mut inverse, 3));
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| m[3 * i + k] * inverse[3 * k + j]).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-15);
            }
        }
        assert!(!invert(&mut [0.0, 0.0, 0.0, 1.0], 2));
    }
}
