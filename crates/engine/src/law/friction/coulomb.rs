use libm::exp;

use super::tanh_ratio::{tanh_ratio, tanh_ratio_slope};

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
        self.rise(speed) * self.coefficient(speed)
    }

    /// Derivative of [`Self::ratio`] by the speed.
    #[inline]
    pub(super) fn slope(&self, speed: f64) -> f64 {
        let s = speed / self.v_stribeck;
        let falling = -2.0 * s / self.v_stribeck * (self.coefficient(speed) - self.mu);
        self.rise_slope(speed) * self.coefficient(speed) + self.rise(speed) * falling
    }

    /// s(v)/v.
    #[inline]
    fn rise(&self, speed: f64) -> f64 {
        if !self.smooth_step {
            return tanh_ratio(speed, self.v_reg);
        }
        let x = speed / self.v_reg;
        if x < 1.0 { (2.0 - x) / self.v_reg } else { 1.0 / speed }
    }

    fn rise_slope(&self, speed: f64) -> f64 {
        if !self.smooth_step {
            return tanh_ratio_slope(speed, self.v_reg);
        }
        let v = speed.max(self.v_reg);
        -1.0 / (v * v)
    }

    fn coefficient(&self, speed: f64) -> f64 {
        if self.mu_static == self.mu {
            return self.mu;
        }
        let s = speed / self.v_stribeck;
        self.mu + (self.mu_static - self.mu) * exp(-s * s)
    }
}
