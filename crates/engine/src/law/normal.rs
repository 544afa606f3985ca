//! Normal force of a closed contact.

use super::kelvin_voigt;

/// Power of the penetration, with the cheap cases told apart once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exponent {
    /// n = 1.
    Linear,
    /// n = 3/2, Hertz.
    ThreeHalves,
    /// n = 2.
    Square,
    /// Any other n > 0.
    Other(f64),
}

impl Exponent {
    /// From the number.
    pub fn new(n: f64) -> Self {
        match n {
            1.0 => Self::Linear,
            1.5 => Self::ThreeHalves,
            2.0 => Self::Square,
            n => Self::Other(n),
        }
    }

    /// The number n.
    pub fn value(self) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::ThreeHalves => 1.5,
            Self::Square => 2.0,
            Self::Other(n) => n,
        }
    }

    /// xⁿ for x ≥ 0.
    #[inline]
    fn power(self, x: f64) -> f64 {
        match self {
            Self::Linear => x,
            Self::ThreeHalves => x * x.sqrt(),
            Self::Square => x * x,
            Self::Other(n) => libm::pow(x, n),
        }
    }

    /// Derivative n xⁿ⁻¹ for x ≥ 0.
    #[inline]
    fn slope(self, x: f64) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::ThreeHalves => 1.5 * x.sqrt(),
            Self::Square => 2.0 * x,
            Self::Other(n) => n * libm::pow(x, n - 1.0),
        }
    }
}

/// How damping enters the force, and how it is frozen when a contact begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// F = K δⁿ (1 + c δ̇), c = χ/δ̇⁻.
    Factor {
        /// Damping factor χ(e).
        chi: f64,
    },
    /// F = K δⁿ (1 + c δ̇), c = min(d_max, 8(1−e)/(5 e δ̇⁻)); e counts as 0 below v_small.
    Response {
        /// Coefficient of restitution e.
        restitution: f64,
        /// Limit d_max (s/m).
        damping_max: f64,
    },
    /// F = K δ + c δ̇, c = 2 ξ √(K m).
    Additive {
        /// Damping ratio ξ(e).
        ratio: f64,
    },
}

/// Normal force and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalForce {
    /// F (N), pushing apart when positive.
    pub total: f64,
    /// Elastic share −∂U/∂gap (N).
    pub elastic: f64,
    /// Stored energy U (J).
    pub potential: f64,
}

/// Normal law of one contact: numbers only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalLaw {
    /// Stiffness K (N/mⁿ).
    pub stiffness: f64,
    /// Exponent n.
    pub exponent: Exponent,
    /// Damping.
    pub damping: Damping,
    /// Lower limit of δ̇⁻ (m/s).
    pub v_small: f64,
}

impl NormalLaw {
    /// Of contacts whose forces no law makes.
    pub(crate) const NONE: Self = Self {
        stiffness: 0.0,
        exponent: Exponent::Linear,
        damping: Damping::Factor { chi: 0.0 },
        v_small: 0.0,
    };

    /// Does the force jump when a contact begins?
    pub fn jumps_at_touch(&self) -> bool {
        matches!(self.damping, Damping::Additive { .. })
    }

    /// The approach speed that the law keeps for a contact which begins at `approach` (m/s).
    pub fn frozen_approach(&self, approach: f64) -> f64 {
        approach.max(self.v_small)
    }

    /// Damping coefficient c of a contact that begins at `approach` (m/s) between bodies of effective mass
    /// m = (w_Nᵀ M⁻¹ w_N)⁻¹ (kg): s/m for the factor forms, N s/m for the additive one.
    pub fn frozen_damping(&self, approach: f64, effective_mass: f64) -> f64 {
        match self.damping {
            // Without damping no v_small keeps the speed from zero.
            Damping::Factor { chi: 0.0 } => 0.0,
            Damping::Factor { chi } => chi / self.frozen_approach(approach),
            Damping::Response { restitution: e, damping_max } => {
                if approach < self.v_small || e <= 0.0 {
                    damping_max
                } else {
                    damping_max.min(1.6 * (1.0 - e) / (e * approach))
                }
            }
            // Bodies that only a given motion moves have no finite mass.
            Damping::Additive { ratio: 0.0 } => 0.0,
            Damping::Additive { ratio } => 2.0 * ratio * (self.stiffness * effective_mass).sqrt(),
        }
    }

    /// Force at penetration δ and approach speed δ̇ with the frozen damping c. Unclamped: below δ = 0 the
    /// elastic force continues as −K|δ|ⁿ, so that a step may look past the end of a contact.
    #[inline]
    pub fn force(&self, penetration: f64, approach: f64, damping: f64) -> NormalForce {
        let depth = penetration.abs();
        let elastic = (self.stiffness * self.exponent.power(depth)).copysign(penetration);
        let total = match self.damping {
            Damping::Additive { .. } => elastic + damping * approach,
            _ => elastic * (1.0 + damping * approach),
        };
        let potential = elastic * penetration / (self.exponent.value() + 1.0);
        NormalForce { total, elastic, potential }
    }

    /// Derivatives of the unclamped force: ∂F/∂δ (N/m) and ∂F/∂δ̇ (N s/m). The elastic force is odd in δ, so that its
    /// slope n K |δ|ⁿ⁻¹ is even.
    #[inline]
    pub fn slopes(&self, penetration: f64, approach: f64, damping: f64) -> [f64; 2] {
        let depth = penetration.abs();
        let elastic = self.stiffness * self.exponent.slope(depth);
        match self.damping {
            Damping::Additive { .. } => [elastic, damping],
            _ => {
                let force = (self.stiffness * self.exponent.power(depth)).copysign(penetration);
                [elastic * (1.0 + damping * approach), force * damping]
            }
        }
    }

    /// Falls through zero where the force of a penetrating contact does. The factor forms use the factor
    /// itself, which does not vanish with the penetration.
    #[inline]
    pub fn release_function(&self, penetration: f64, approach: f64, damping: f64) -> f64 {
        match self.damping {
            Damping::Additive { .. } => self.force(penetration, approach, damping).total,
            _ => 1.0 + damping * approach,
        }
    }

    /// Greatest penetration (m) of an undamped impact at the given speed (m/s) and effective mass (kg):
    /// δ_m = ((n+1) m v²/(2K))^(1/(n+1)).
    pub fn impact_penetration(&self, speed: f64, effective_mass: f64) -> f64 {
        let n1 = self.exponent.value() + 1.0;
        libm::pow(0.5 * n1 * effective_mass * speed * speed / self.stiffness, 1.0 / n1)
    }

    /// Penetration (m) at which the elastic force carries `load` (N).
    pub fn static_penetration(&self, load: f64) -> f64 {
        libm::pow(load / self.stiffness, 1.0 / self.exponent.value())
    }

    /// Larger of the penetration under `load` (N) and that of an impact of the effective mass (kg) at v_small (m).
    pub fn expected_penetration(&self, load: f64, effective_mass: f64) -> f64 {
        self.static_penetration(load).max(self.impact_penetration(self.v_small, effective_mass))
    }

    /// Coefficient of restitution that an isolated impact at `speed` (m/s) delivers.
    pub fn delivered(&self, speed: f64) -> f64 {
        match self.damping {
            Damping::Additive { ratio } => kelvin_voigt::restitution(ratio),
            _ => super::delivered_restitution(self.frozen_damping(speed, 1.0) * speed),
        }
    }
}
