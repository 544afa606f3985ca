//! Friction of a point contact: one file a law.
//!
//! v_t is the tangential velocity of B against A. Laws without memory are F_t = −N μ(|v_t|) v_t/|v_t| with a
//! coefficient μ(v) that vanishes with v; [`Friction::ratio`] gives μ(v)/v, finite at rest. Those that stick have bristles,
//! whose deflections are states of the integrator; [`Friction::hold`] gives their force and rates.

mod ambrosio;
mod bengisu_akay;
mod coulomb;
mod dwelling;
mod grip;
mod lugre;
mod stick_slip;
mod tanh_ratio;
mod threlfall;

pub use coulomb::Coulomb;
pub use dwelling::Dwelling;
pub use grip::{Bristle, BristleLaw, Grip, Hold};
pub(super) use tanh_ratio::{tanh_ratio, tanh_ratio_slope};

/// Friction law of a pair: numbers only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// No friction.
    None,
    /// Coulomb with Stribeck effect, regularised.
    Coulomb(Coulomb),
    /// Ambrósio: no friction below v₀, full above v₁.
    Ambrosio {
        /// Coefficient c_f.
        mu: f64,
        /// v₀ (m/s).
        v0: f64,
        /// v₁ (m/s).
        v1: f64,
    },
    /// Threlfall: exponential rise up to v_r.
    Threlfall {
        /// Coefficient.
        mu: f64,
        /// v_r (m/s).
        v_reg: f64,
    },
    /// Bengisu & Akay: parabola to μ_s at v₀, exponential decay to μ_k.
    BengisuAkay {
        /// Static coefficient.
        mu_s: f64,
        /// Kinetic coefficient.
        mu_k: f64,
        /// v₀ (m/s).
        v_reg: f64,
        /// Decay ξ (s/m).
        decay: f64,
    },
    /// Sliding friction of `elastic-response`: −μ N v_t/reg(|v_t|, v_small).
    Response {
        /// Coefficient.
        mu: f64,
        /// Regularisation speed (m/s).
        v_small: f64,
    },
    /// Bristle that holds, and friction of sliding.
    StickSlip(BristleLaw),
    /// Gonthier: bristle, with static friction that builds up with the time of rest.
    Dwelling(Dwelling),
    /// LuGre: bristles that give way as they slide.
    Lugre(BristleLaw),
}

impl Friction {
    /// μ(v)/v in s/m at the sliding speed v ≥ 0 (m/s); 0 for laws with bristles.
    #[inline]
    pub fn ratio(&self, speed: f64) -> f64 {
        match *self {
            Self::None | Self::StickSlip(_) | Self::Dwelling(_) | Self::Lugre(_) => 0.0,
            Self::Coulomb(law) => law.ratio(speed),
            Self::Ambrosio { mu, v0, v1 } => ambrosio::ratio(mu, v0, v1, speed),
            Self::Threlfall { mu, v_reg } => threlfall::ratio(mu, v_reg, speed),
            Self::BengisuAkay { mu_s, mu_k, v_reg, decay } => {
                bengisu_akay::ratio(mu_s, mu_k, v_reg, decay, speed)
            }
            Self::Response { mu, v_small } => mu / response_regularisation(speed, v_small),
        }
    }

    /// Derivative of [`Self::ratio`] by the speed (s²/m²); from above where the law has a kink.
    #[inline]
    pub fn slope(&self, speed: f64) -> f64 {
        match *self {
            Self::None | Self::StickSlip(_) | Self::Dwelling(_) | Self::Lugre(_) => 0.0,
            Self::Coulomb(law) => law.slope(speed),
            Self::Ambrosio { mu, v0, v1 } => ambrosio::slope(mu, v0, v1, speed),
            Self::Threlfall { mu, v_reg } => threlfall::slope(mu, v_reg, speed),
            Self::BengisuAkay { mu_s, mu_k, v_reg, decay } => {
                bengisu_akay::slope(mu_s, mu_k, v_reg, decay, speed)
            }
            Self::Response { mu, v_small } => mu * response_slope(speed, v_small),
        }
    }

    /// Speed above which a contact counts as slipping (m/s): where the regularisation has run out.
    pub fn slip_speed(&self) -> f64 {
        match *self {
            Self::None => 0.0,
            Self::Coulomb(law) => law.v_reg,
            Self::Ambrosio { v1, .. } => v1,
            Self::Threlfall { v_reg, .. } | Self::BengisuAkay { v_reg, .. } => v_reg,
            Self::Response { v_small, .. } => v_small,
            Self::StickSlip(law) | Self::Lugre(law) => law.v_stick,
            Self::Dwelling(law) => law.bristle.v_stick,
        }
    }
}

/// reg(v, s) = v for v ≥ s, else (v²/s)(1 − v/(3s)) + s/3: smooth, and s/3 at rest (docs/laws.md).
#[inline]
pub(super) fn response_regularisation(speed: f64, small: f64) -> f64 {
    if speed >= small { speed } else { speed * speed / small * (1.0 - speed / (3.0 * small)) + small / 3.0 }
}

/// Derivative of 1/reg(v, s) by v.
#[inline]
pub(super) fn response_slope(speed: f64, small: f64) -> f64 {
    let reg = response_regularisation(speed, small);
    let x = (speed / small).min(1.0);
    let rate = if x < 1.0 { x * (2.0 - x) } else { 1.0 };
    -rate / (reg * reg)
}
