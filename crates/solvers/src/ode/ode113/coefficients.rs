//! Coefficients of the formulas for the steps at hand (Shampine & Gordon, chapter 5). Indices here count from 0, those
//! of the book from 1.

/// Highest order.
pub(super) const ORDER_MAX: usize = 12;
/// Rows of differences: two more than the highest order.
pub(super) const ROWS: usize = ORDER_MAX + 2;

/// ψ_i = h_n + … + h_(n+1−i), before there are so many steps: infinite.
pub(super) type Psi = [f64; ORDER_MAX + 1];

/// Of one attempted step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coefficients {
    /// ψ with the attempted step.
    pub(super) psi: Psi,
    /// β: phi* = β phi.
    pub(super) beta: [f64; ROWS],
    /// g: y = y₀ + h Σ g phi*.
    pub(super) g: [f64; ROWS],
    /// σ, of the error estimates.
    pub(super) sigma: [f64; ROWS],
}

impl Coefficients {
    /// Before any step.
    pub(super) const NONE: Self =
        Self { psi: [f64::INFINITY; ORDER_MAX + 1], beta: [0.0; ROWS], g: [0.0; ROWS], sigma: [0.0; ROWS] };

    /// For a step h of the given order after steps with `before`.
    pub(super) fn new(h: f64, order: usize, before: &Psi) -> Self {
        let mut c = Self::NONE;
        c.psi[0] = h;
        for i in 1..c.psi.len() {
            c.psi[i] = before[i - 1] + h;
        }
        let alpha = |i: usize| h / c.psi[i];
        c.beta[0] = 1.0;
        c.sigma[0] = 1.0;
        for i in 1..=order {
            c.beta[i] = c.beta[i - 1] * (c.psi[i - 1] / before[i - 1]);
            c.sigma[i] = i as f64 * alpha(i - 1) * c.sigma[i - 1];
        }
        // g_{1,q} = 1/q, g_{2,q} = 1/(q (q + 1)), g_{i,q} = g_{i−1,q} − α_{i−1} g_{i−1,q+1}.
        let mut row = [0.0; ROWS + 1];
        for (q, value) in row.iter_mut().enumerate() {
            *value = 1.0 / ((q + 1) * (q + 2)) as f64;
        }
        c.g[0] = 1.0;
        for i in 1..=order {
            if i > 1 {
                for q in 0..=order + 1 - i {
                    row[q] -= alpha(i - 1) * row[q + 1];
                }
            }
            c.g[i] = row[0];
        }
        c
    }

    /// Weights w of the interpolant y(t) = y(t_end) + Σ w phi over `order + 1` rows of differences at the end, at
    /// `after` ≤ 0 from the end.
    pub(super) fn interpolant(&self, after: f64, order: usize) -> [f64; ROWS] {
        let mut row = [0.0; ROWS];
        for (q, value) in row.iter_mut().enumerate() {
            *value = 1.0 / (q + 1) as f64;
        }
        let mut weights = [0.0; ROWS];
        weights[0] = after;
        let mut reach = 0.0;
        for i in 1..=order {
            let (gamma, eta) = ((after + reach) / self.psi[i - 1], after / self.psi[i - 1]);
            reach = self.psi[i - 1];
            for q in 0..=order - i {
                row[q] = gamma * row[q] - eta * row[q + 1];
            }
            weights[i] = after * row[0];
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With equal steps g is γ of Adams–Bashforth: 1, 1/2, 5/12, 3/8, 251/720, 95/288.
    #[test]
    fn equal_steps_give_adams_bashforth() {
        let mut psi = Coefficients::NONE.psi;
        for _ in 0..6 {
            psi = Coefficients::new(0.1, 1, &psi).psi;
        }
        let c = Coefficients::new(0.1, 5, &psi);
        let want = [1.0, 1.0 / 2.0, 5.0 / 12.0, 3.0 / 8.0, 251.0 / 720.0, 95.0 / 288.0];
        assert!(c.g.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-14));
        assert!(c.beta[..6].iter().all(|b| (b - 1.0).abs() < 1e-14));
        // σ = 1, 1, 1, … with α_i = 1/i.
        assert!(c.sigma[..6].iter().all(|s| (s - 1.0).abs() < 1e-14));
    }
}
