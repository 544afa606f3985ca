use libm::{exp, tanh};

/// Coulomb friction, regularised: μ(v) = [μ_d + (μ_s − μ_d) exp(−(v/v_s)²)] · s(v), where s is tanh(v/v_reg) or
/// the smooth step (v/v_reg)(2 − v/v_reg) that ends at v_reg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    /// Dynamic coefficient μ_d.
    pub mu: f64,
    /// Static coefficient μ_s ≥ μ_d.
    pub mu_static: f64,
    /// Stribeck velocity v_s (m/s).
    pub v_stribeck: f64,
    /// Regularisation velocity (m/s).
    pub v_reg: f64,
    /// Smooth step in place of tanh.
    pub smooth_step: bool,
}

impl Coulomb {
    #[inline]
    pub(super) fn ratio(&self, speed: f64) -> f64 {
        let x = speed / self.v_reg;
        let rise = if self.smooth_step {
            if x < 1.0 { (2.0 - x) / self.v_reg } else { 1.0 / speed }
        } else if x < 1e-5 {
            // tanh(x)/x = 1 − x²/3: one to rounding.
            1.0 / self.v_reg
        } else {
            tanh(x) / speed
        };
        rise * self.coefficient(speed)
    }

    fn coefficient(&self, speed: f64) -> f64 {
        if self.mu_static == self.mu {
            return self.mu;
        }
        let s = speed / self.v_stribeck;
        self.mu + (self.mu_static - self.mu) * exp(-s * s)
    }
}
