use carom_math::Vec3;

use super::friction::{response_regularisation, response_slope, tanh_ratio, tanh_ratio_slope};

/// Resistance of a point contact to rolling and drilling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RollingResistance {
    /// None.
    None,
    /// Rolling −(μ_r R + b_r) N ω_t/|ω_t| and drilling −(μ_spin r_c + b_s) N ω_n/|ω_n|, regularised by tanh(|ω|/ω_reg);
    /// the radius of the contact disc is r_c = √(R δ).
    Separate {
        /// Arm of the normal force against rolling, μ_r R + b_r (m).
        roll: f64,
        /// Arm against drilling without a disc, b_s (m).
        spin: f64,
        /// Drilling resistance μ_spin.
        mu_spin: f64,
        /// Reduced radius R (m); 0 of flat surfaces.
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
            Self::Separate { roll, spin: least, mu_spin, radius, w_reg } => {
                let spin = normal.dot(omega);
                let rolling = omega - normal * spin;
                let arm = mu_spin * (radius * penetration.max(0.0)).sqrt() + least;
                let about_normal = normal * (arm * saturate(spin, w_reg));
                let about_tangent = rolling * (roll * tanh_ratio(rolling.norm(), w_reg));
                -normal_force * (about_tangent + about_normal)
            }
            Self::Response { mu_roll, radius, w_small } => {
                omega * (-mu_roll * radius * normal_force / response_regularisation(omega.norm(), w_small))
            }
        }
    }

    /// Change of [`Self::torque`] with small changes of its arguments, in their order.
    pub(crate) fn torque_change(
        &self,
        (omega, normal, normal_force, penetration): (&Vec3, &Vec3, f64, f64),
        (d_omega, d_normal, d_force, d_penetration): (&Vec3, &Vec3, f64, f64),
    ) -> Vec3 {
        match *self {
            Self::None => Vec3::zeros(),
            Self::Separate { roll, spin: least, mu_spin, radius, w_reg } => {
                let spin = normal.dot(omega);
                let d_spin = d_normal.dot(omega) + normal.dot(d_omega);
                let rolling = omega - normal * spin;
                let d_rolling = d_omega - d_normal * spin - normal * d_spin;
                let (rise, d_rise) = change_along(&rolling, &d_rolling, |w| {
                    [tanh_ratio(w, w_reg), tanh_ratio_slope(w, w_reg)]
                });
                let deep = penetration.max(0.0);
                let disc = mu_spin * (radius * deep).sqrt();
                let d_arm = if deep > 0.0 { 0.5 * disc / deep * d_penetration } else { 0.0 };
                let arm = disc + least;
                let saturated = saturate(spin, w_reg);
                let d_saturated = (1.0 - saturated * saturated) / w_reg * d_spin;
                let unit = rolling * (roll * rise) + normal * (arm * saturated);
                let d_unit = (d_rolling * rise + rolling * d_rise) * roll
                    + d_normal * (arm * saturated)
                    + normal * (d_arm * saturated + arm * d_saturated);
                -(unit * d_force + d_unit * normal_force)
            }
            Self::Response { mu_roll, radius, w_small } => {
                let (rise, d_rise) = change_along(omega, d_omega, |w| {
                    [1.0 / response_regularisation(w, w_small), response_slope(w, w_small)]
                });
                let d_unit = d_omega * rise + omega * d_rise;
                (omega * (rise * d_force) + d_unit * normal_force) * (-mu_roll * radius)
            }
        }
    }
}

/// A function of the norm of v, and its change with v, from value and slope.
fn change_along(v: &Vec3, d_v: &Vec3, function: impl Fn(f64) -> [f64; 2]) -> (f64, f64) {
    let norm = v.norm();
    let [value, slope] = function(norm);
    (value, if norm > 0.0 { slope * v.dot(d_v) / norm } else { 0.0 })
}

fn saturate(speed: f64, scale: f64) -> f64 {
    libm::tanh(speed / scale)
}
