//! Coefficients; a test checks the order conditions.

use crate::ode::Kinks;

/// Nodes c.
pub(super) const C: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

/// Stage weights a; the last row is also the fifth-order solution b.
pub(super) const A: [[f64; 6]; 7] = [
    [0.0; 6],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Fifth minus fourth order: weights of the error estimate.
pub(super) const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Weights of second integrals, Σᵢ bᵢ aᵢⱼ.
const TWICE: [f64; 6] = {
    let mut weights = [0.0; 6];
    let mut j = 0;
    while j < 6 {
        let mut i = j + 1;
        while i < 6 {
            weights[j] += A[6][i] * A[i][j];
            i += 1;
        }
        j += 1;
    }
    weights
};

/// Forces that set in inside a step; a test finds no larger errors.
pub(super) const KINKS: Kinks = Kinks {
    nodes: &C,
    weights: [&A[6], &TWICE],
    from_linear: [0.022_47, 0.013_16],
    from_three_halves: [0.0056, 0.003_56],
    at_end: [0.131, 0.022_6],
};

/// Dense output: weight of stage i at θ is Σ_j B[i][j] θ^(j+1).
const B: [[f64; 4]; 7] = [
    [1.0, -183.0 / 64.0, 37.0 / 12.0, -145.0 / 128.0],
    [0.0; 4],
    [0.0, 1500.0 / 371.0, -1000.0 / 159.0, 1000.0 / 371.0],
    [0.0, -125.0 / 32.0, 125.0 / 12.0, -375.0 / 64.0],
    [0.0, 9477.0 / 3392.0, -729.0 / 106.0, 25515.0 / 6784.0],
    [0.0, -11.0 / 7.0, 11.0 / 3.0, -55.0 / 28.0],
    [0.0, 3.0 / 2.0, -4.0, 5.0 / 2.0],
];

/// Weights of the seven stages at θ.
pub(super) fn dense_weights(theta: f64) -> [f64; 7] {
    B.map(|b| theta * (b[0] + theta * (b[1] + theta * (b[2] + theta * b[3]))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ode::DormandPrince45;
    use crate::ode::kink::tests::check;

    /// Weights and nodes satisfy the quadrature conditions Σ b c^(k−1) = 1/k up to order 5, and the rows
    /// sum to the nodes.
    #[test]
    fn order_conditions() {
        for (row, c) in A.iter().zip(C) {
            assert!((row.iter().sum::<f64>() - c).abs() < 1e-14);
        }
        for k in 1..=5 {
            let sum: f64 = A[6].iter().zip(C).map(|(b, c)| b * c.powi(k - 1)).sum();
            assert!((sum - 1.0 / f64::from(k)).abs() < 1e-14, "order {k}");
        }
        assert!(E.iter().sum::<f64>().abs() < 1e-15);
    }

    #[test]
    fn kinks_are_within_their_bounds() {
        check(&KINKS, DormandPrince45::new());
    }

    #[test]
    fn dense_output_ends_in_the_solution() {
        let end = dense_weights(1.0);
        for (w, b) in end.iter().zip(A[6].iter().chain(&[0.0])) {
            assert!((w - b).abs() < 1e-14);
        }
        // Order four: Σ b(θ) c^(k−1) = θ^k / k.
        for theta in [0.2, 0.5, 0.9_f64] {
            for k in 1..=4 {
                let sum: f64 = dense_weights(theta).iter().zip(C).map(|(b, c)| b * c.powi(k - 1)).sum();
                assert!((sum - theta.powi(k) / f64::from(k)).abs() < 1e-14);
            }
        }
    }
}
