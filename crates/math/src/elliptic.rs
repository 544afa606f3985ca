use std::f64::consts::FRAC_PI_2;

/// Complete elliptic integrals (K(m), E(m)) of the first and second kind, parameter 0 ≤ m < 1, by the
/// arithmetic–geometric mean (Abramowitz & Stegun 17.6.3–17.6.4). Given m₁ = 1 − m too, so that neither
/// end loses digits.
pub fn complete_elliptic(m: f64, m1: f64) -> (f64, f64) {
    let (mut a, mut b) = (1.0, m1.sqrt());
    let mut power = 0.5;
    let mut sum = power * m;
    // Quadratic convergence: ten rounds pass any f64.
    for _ in 0..10 {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        power *= 2.0;
        sum += power * c * c;
    }
    let k = FRAC_PI_2 / a;
    (k, k * (1.0 - sum))
}

/// Complete elliptic integral of the first kind K(m).
pub fn elliptic_k(m: f64) -> f64 {
    complete_elliptic(m, 1.0 - m).0
}

/// Complete elliptic integral of the second kind E(m).
pub fn elliptic_e(m: f64) -> f64 {
    complete_elliptic(m, 1.0 - m).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabulated_values() {
        // Abramowitz & Stegun, table 17.1.
        assert!((elliptic_k(0.0) - FRAC_PI_2).abs() < 1e-15);
        assert!((elliptic_k(0.5) - 1.854_074_677_301_372).abs() < 1e-14);
        assert!((elliptic_e(0.5) - 1.350_643_881_047_675_5).abs() < 1e-14);
        assert!((elliptic_k(0.99) - 3.695_637_362_989_875).abs() < 1e-13);
        assert!((elliptic_e(0.99) - 1.015_993_545_025_224).abs() < 1e-13);
    }

    #[test]
    fn legendre_relation() {
        // E(m) K(1−m) + E(1−m) K(m) − K(m) K(1−m) = π/2.
        for m in [0.1, 0.3, 0.7, 0.95] {
            let (k, e) = complete_elliptic(m, 1.0 - m);
            let (k1, e1) = complete_elliptic(1.0 - m, m);
            assert!((e * k1 + e1 * k - k * k1 - FRAC_PI_2).abs() < 1e-14);
        }
    }
}
