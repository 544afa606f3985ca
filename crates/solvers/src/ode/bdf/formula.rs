//! Coefficients of the formulas, and differences at another step.

/// Highest order.
pub(super) const ORDER_MAX: usize = 5;
/// Rows of differences: orders 0 to 5, and two more.
pub(super) const ROWS: usize = ORDER_MAX + 3;

/// κ of the orders 0 to 5 (Shampine & Reichelt, table 1).
const KAPPA: [f64; ORDER_MAX + 1] = [0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// γ_k = Σ_{j ≤ k} 1/j.
pub(super) const GAMMA: [f64; ORDER_MAX + 1] = [0.0, 1.0, 3.0 / 2.0, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0];

/// α = (1 − κ) γ: the formula is Σ_{m ≤ k} γ_m ∇^m y + α (y − y_predicted) − Σ … = h f.
pub(super) fn alpha(order: usize) -> f64 {
    (1.0 - KAPPA[order]) * GAMMA[order]
}

/// Error of a step, in units of ∇^(k+1) y.
pub(super) fn error_constant(order: usize) -> f64 {
    if order > ORDER_MAX {
        1.0 / (order + 1) as f64
    } else {
        KAPPA[order] * GAMMA[order] + 1.0 / (order + 1) as f64
    }
}

type Square = [[f64; ORDER_MAX + 1]; ORDER_MAX + 1];

/// R with R_ij = Π_{l ≤ i} (l − 1 − ratio j)/l, from 0: R of the ratio times R of 1 turns differences at one step into
/// those at `ratio` times the step.
fn binomials(ratio: f64) -> Square {
    let mut r = [[0.0; ORDER_MAX + 1]; ORDER_MAX + 1];
    for j in 0..=ORDER_MAX {
        r[0][j] = 1.0;
        for i in 1..=ORDER_MAX {
            r[i][j] = r[i - 1][j] * ((i - 1) as f64 - ratio * j as f64) / i as f64;
        }
    }
    r
}

/// Matrix that takes the differences 0 … order at one step to those at `ratio` times the step: new_j = Σ_i W_ij old_i.
pub(super) fn rescaling(ratio: f64, order: usize) -> Square {
    let (r, u) = (binomials(ratio), binomials(1.0));
    let mut w = [[0.0; ORDER_MAX + 1]; ORDER_MAX + 1];
    for i in 0..=order {
        for j in 0..=order {
            w[i][j] = (0..=order).map(|m| r[i][m] * u[m][j]).sum();
        }
    }
    w
}

/// Weights of the differences 1 … order in y(θ) − y(1), for the polynomial through the points at θ = 1, 0, −1, ….
pub(super) fn interpolant(theta: f64, order: usize) -> [f64; ORDER_MAX + 1] {
    let mut weights = [0.0; ORDER_MAX + 1];
    let mut product = 1.0;
    for (j, weight) in weights.iter_mut().enumerate().take(order + 1).skip(1) {
        product *= (theta + (j as f64 - 2.0)) / j as f64;
        *weight = product;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Backward differences of t³ at another step, from the points themselves.
    #[test]
    fn rescaling_is_that_of_the_polynomial() {
        let differences = |h: f64| {
            let mut d = [0, 1, 2, 3].map(|i| (2.0 - h * f64::from(i)).powi(3));
            for k in 1..4 {
                for i in (k..4).rev() {
                    d[i] = d[i - 1] - d[i];
                }
            }
            d
        };
        let (old, want) = (differences(0.3), differences(0.3 * 0.7));
        let w = rescaling(0.7, 3);
        for j in 0..4 {
            let new: f64 = (0..4).map(|i| w[i][j] * old[i]).sum();
            assert!((new - want[j]).abs() < 1e-13, "{j}");
        }
        let weights = interpolant(0.4, 3);
        let value: f64 = old[0] + (1..4).map(|j| weights[j] * old[j]).sum::<f64>();
        assert!((value - (2.0_f64 - 0.6 * 0.3).powi(3)).abs() < 1e-13);
    }
}
