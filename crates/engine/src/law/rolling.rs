use carom_math::Vec3;

use super::friction::response_regularisation;

/// Resistance of a point contact to rolling and drilling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RollingResistance {
    /// None.
    None,
    /// Rolling −μ_r R N ω_t/|ω_t| and drilling −μ_spin r_c N ω_n/|ω_n|, regularised by tanh(|ω|/ω_reg);
    /// the radius of the contact disc is r_c = √(R δ).
    Separate {
        /// Rolling resistance μ_r.
        mu_roll: f64,
        /// Drilling resistance μ_spin.
        mu_spin: f64,
        /// Reduced radius R (m).
        radius: f64,
        /// Regularisation angular velocity (rad/s).
        w_reg: f64,
    },
    /// −μ_r R N ω/reg(|ω|, ω_small), rolling and drilling alike (`elastic-response`).
    Response {
        /// Rolling resistance μ_r.
        mu_roll: f64,
        /// Reduced radius R (m).
        radius: f64,
        /// Regularisation angular velocity (rad/s).
        w_small: f64,
    },
}

impl RollingResistance {
    /// Torque on B (N m) from the angular velocity ω of B against A (rad/s), the normal n, the normal
    /// force N ≥ 0 and the penetration.
    #[inline]
    pub fn torque(&self, omega: &Vec3, normal: &Vec3, normal_force: f64, penetration: f64) -> Vec3 {
        match *self {
            Self::None => Vec3::zeros(),
            Self::Separate { mu_roll, mu_spin, radius, w_reg } => {
                let spin = normal.dot(omega);
                let rolling = omega - normal * spin;
                let disc = (radius * penetration.max(0.0)).sqrt();
                let about_normal = normal * (mu_spin * disc * saturate(spin, w_reg));
                let speed = rolling.norm();
                let about_tangent = if speed > 0.0 {
                    rolling * (mu_roll * radius * saturate(speed, w_reg) / speed)
                } else {
                    Vec3::zeros()
                };
                -normal_force * (about_tangent + about_normal)
            }
            Self::Response { mu_roll, radius, w_small } => {
                omega * (-mu_roll * radius * normal_force / response_regularisation(omega.norm(), w_small))
            }
        }
    }
}

fn saturate(speed: f64, scale: f64) -> f64 {
    libm::tanh(speed / scale)
}
