//! Elastic foundation: the law of areal contact, element by element (Hippmann, Multibody Syst. Dyn. 12, 2004, eq. 1–4).
//!
//! Restitution comes on top as it does to points, p = c_l u (1 + χ r), where r is how fast the element's surfaces approach over
//! how fast they did when the contact began. In a central impact r = v/v⁻ on every element, whatever its direction, so that the
//! force is K(δ)(1 + χ v/v⁻) with some K, and the momentum balance behind χ (`damping_factor`) does not ask which.

/// Form of the damping of areal contact: pressure d_l w, where w is the speed at which the element's surfaces approach each
/// other along its penetration line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArealDamping {
    /// As it is. It jumps where a moving element begins to touch, and pulls where surfaces part quickly.
    Plain,
    /// The sum of layer and damping does not pull.
    NoTension,
    /// As before, and scaled from 0 where the element begins to touch to 1 at a depth, by a smooth step.
    Ramped {
        /// That depth (m).
        depth: f64,
    },
}

impl ArealDamping {
    /// Word in the model file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::NoTension => "no-tension",
            Self::Ramped { .. } => "ramped",
        }
    }
}

/// The numbers that an areal pair runs with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArealLaw {
    /// c_l (N/m³): 1/c_l = b_A/K_A + b_B/K_B with K = (1 − ν) E/((1 + ν)(1 − 2ν)) of each layer of thickness b.
    pub stiffness: f64,
    /// Share of the penetration that the base's layer takes: where on the penetration line the surfaces meet.
    pub base_share: f64,
    /// d_l (N s/m³) of surfaces that approach each other, and of ones that part.
    pub damping: [f64; 2],
    /// Its form.
    pub form: ArealDamping,
    /// Damping factor χ of restitution; 0 without.
    pub chi: f64,
    /// Least approach speed that restitution is measured against (m/s).
    pub v_small: f64,
}

/// Pressures of an element (Pa).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressure {
    /// With damping.
    pub total: f64,
    /// Of the layer alone: c_l u.
    pub elastic: f64,
}

impl ArealLaw {
    /// Pressure of the layer alone at penetration u (Pa).
    #[inline]
    pub fn elastic(&self, u: f64) -> f64 {
        self.stiffness * u
    }

    /// Pressure at penetration u ≥ 0 (m) and approach speed w (m/s) of an element whose surfaces approached each other at
    /// `began` (m/s) when the contact began; infinite of contacts without a beginning, which no restitution damps.
    #[inline]
    pub fn pressure(&self, u: f64, w: f64, began: f64) -> Pressure {
        let elastic = self.elastic(u);
        // Most laws have no restitution: the division is a large part of what an element costs.
        let share = if self.keeps_approach() { self.share_of_beginning(w, began) } else { 0.0 };
        let impact = elastic * (1.0 + self.chi * share);
        let damping = self.damping_at(w) * w;
        let total = match self.form {
            ArealDamping::Plain => impact + damping,
            ArealDamping::NoTension => (impact + damping).max(0.0),
            ArealDamping::Ramped { depth } => (impact + smooth_step(u / depth) * damping).max(0.0),
        };
        Pressure { total, elastic }
    }

    /// Slopes of the total pressure by u (Pa/m) and by w (Pa s/m); zero where it does not act.
    #[inline]
    pub fn slopes(&self, u: f64, w: f64, began: f64) -> [f64; 2] {
        if self.form != ArealDamping::Plain && self.pressure(u, w, began).total <= 0.0 {
            return [0.0; 2];
        }
        let (scale, growth) = match self.form {
            ArealDamping::Ramped { depth } => (smooth_step(u / depth), smooth_step_slope(u / depth) / depth),
            ArealDamping::Plain | ArealDamping::NoTension => (1.0, 0.0),
        };
        let damping = self.damping_at(w);
        let share = self.share_of_beginning(w, began);
        let share_by_w = if share < 1.0 { 1.0 / self.reference_speed(began) } else { 0.0 };
        [
            self.stiffness * (1.0 + self.chi * share) + growth * damping * w,
            self.stiffness * u * self.chi * share_by_w + scale * damping,
        ]
    }

    /// Speed that restitution is measured against (m/s). Its size counts: where surfaces parted at the beginning, damping
    /// by a negative one would put energy in.
    #[inline]
    pub fn reference_speed(&self, began: f64) -> f64 {
        began.abs().max(self.v_small)
    }

    /// r, 1 at most: what is hit harder than it began meets no stronger damper than at its beginning.
    #[inline]
    fn share_of_beginning(&self, w: f64, began: f64) -> f64 {
        (w / self.reference_speed(began)).min(1.0)
    }

    /// d_l at an approach speed; what it makes of it is continuous.
    #[inline]
    fn damping_at(&self, w: f64) -> f64 {
        self.damping[usize::from(w < 0.0)]
    }

    /// Does it measure against the approach speed at which a contact began?
    pub fn keeps_approach(&self) -> bool {
        self.chi > 0.0
    }

    /// Is the pressure continuous where an element begins to touch, and does it keep no approach speed?
    pub fn starts_smoothly(&self) -> bool {
        let is_continuous = self.damping == [0.0; 2] || matches!(self.form, ArealDamping::Ramped { .. });
        is_continuous && !self.keeps_approach()
    }

    /// Energy that a unit of area stores at penetration u (J/m²).
    #[inline]
    pub fn potential(&self, u: f64) -> f64 {
        0.5 * self.stiffness * u * u
    }
}

/// 0 below 0, 1 above 1, x²(3 − 2x) between.
#[inline]
fn smooth_step(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Its derivative.
#[inline]
fn smooth_step_slope(x: f64) -> f64 {
    if (0.0..1.0).contains(&x) { 6.0 * x * (1.0 - x) } else { 0.0 }
}

/// Modulus K of a layer that cannot widen (Pa).
pub fn layer_modulus(young_modulus: f64, poisson_ratio: f64) -> f64 {
    let nu = poisson_ratio;
    (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) * young_modulus
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(form: ArealDamping) -> ArealLaw {
        ArealLaw { stiffness: 2e8, base_share: 1.0, damping: [1e4; 2], form, chi: 0.0, v_small: 0.01 }
    }

    const NEVER: f64 = f64::INFINITY;

    #[test]
    fn modulus_of_a_layer_is_that_of_confined_compression() {
        // ν = 0: Young's modulus; ν = 0.4: 15/7 of it.
        assert_eq!(layer_modulus(3e6, 0.0), 3e6);
        assert!((layer_modulus(7.0, 0.4) - 15.0).abs() < 1e-14);
    }

    #[test]
    fn only_the_plain_form_pulls_and_jumps() {
        let parting = -10.0;
        assert!(law(ArealDamping::Plain).pressure(1e-6, parting, NEVER).total < 0.0);
        assert_eq!(law(ArealDamping::NoTension).pressure(1e-6, parting, NEVER).total, 0.0);
        let ramped = law(ArealDamping::Ramped { depth: 1e-3 });
        assert_eq!(ramped.pressure(1e-3, parting, NEVER).total, 1e5);
        // Closing at 1 m/s: continuous from zero, and the whole damping at the depth.
        assert!(ramped.pressure(1e-9, 1.0, NEVER).total < 1.0);
        assert_eq!(law(ArealDamping::NoTension).pressure(0.0, 1.0, NEVER).total, 1e4);
        assert_eq!(ramped.pressure(2e-3, 1.0, NEVER).total, 4e5 + 1e4);
    }

    #[test]
    fn slopes_are_derivatives() {
        for form in [ArealDamping::Plain, ArealDamping::NoTension, ArealDamping::Ramped { depth: 5e-3 }] {
            // Approaching and parting, slower than in the beginning and faster, which parts from the clamp.
            for (w, began) in [(0.7, NEVER), (0.7, 1.0), (0.7, -1.0), (0.7, 0.3), (-0.4, 1.0), (-0.4, 0.0)] {
                let law = ArealLaw { damping: [1e4, 3e3], chi: 0.9, ..law(form) };
                let (u, h) = (3e-3, 1e-6);
                let at = |u: f64, w: f64| law.pressure(u, w, began).total;
                let differences =
                    [(at(u + h, w) - at(u - h, w)) / (2.0 * h), (at(u, w + h) - at(u, w - h)) / (2.0 * h)];
                for (slope, difference) in law.slopes(u, w, began).into_iter().zip(differences) {
                    // Differences round to 1e-16 · 1e6 Pa over 2e-6 m.
                    let error = (slope - difference).abs();
                    assert!(error < 1e-6 * slope.abs() + 1e-3, "{form:?} {w} {began} {slope} {difference}");
                }
            }
        }
    }

    #[test]
    fn compression_and_expansion_are_damped_each_by_its_own() {
        let law = ArealLaw { damping: [1e4, 0.0], ..law(ArealDamping::Plain) };
        let elastic = law.stiffness * 1e-3;
        assert_eq!(law.pressure(1e-3, 0.5, NEVER).total, elastic + 5e3);
        assert_eq!(law.pressure(1e-3, -0.5, NEVER).total, elastic);
        let law = ArealLaw { damping: [0.0, 1e4], ..law };
        assert_eq!(law.pressure(1e-3, 0.5, NEVER).total, elastic);
        assert_eq!(law.pressure(1e-3, -0.5, NEVER).total, elastic - 5e3);
    }

    #[test]
    fn restitution_damps_by_the_share_of_the_beginning() {
        let law = ArealLaw { damping: [0.0; 2], chi: 0.8, ..law(ArealDamping::NoTension) };
        let elastic = law.stiffness * 1e-3;
        let ratio = |w: f64, began: f64| law.pressure(1e-3, w, began).total / elastic;
        let is = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-15, "{value} {expected}");
        is(ratio(0.5, 2.0), 1.2);
        is(ratio(-0.5, 2.0), 0.8);
        // Hit a hundred times harder than it began: the damper of the beginning, and no tension as it comes back.
        is(ratio(1.0, 0.01), 1.8);
        is(ratio(-1.0, 0.01), 0.0);
        // From rest v_small stands for the beginning, and what parted in the beginning is damped all the same.
        is(ratio(0.005, 0.0), 1.4);
        is(ratio(0.5, -2.0), 1.2);
        is(ratio(0.5, NEVER), 1.0);
    }

    #[test]
    fn what_keeps_an_approach_speed_ends_the_step_at_its_beginning() {
        let ramped = law(ArealDamping::Ramped { depth: 1e-3 });
        assert!(ramped.starts_smoothly() && !law(ArealDamping::NoTension).starts_smoothly());
        assert!(!ArealLaw { damping: [0.0, 1e4], ..law(ArealDamping::Plain) }.starts_smoothly());
        assert!(!ArealLaw { chi: 0.1, ..ramped }.starts_smoothly());
    }

    #[test]
    fn pressure_is_the_gradient_of_the_potential() {
        let law = law(ArealDamping::Plain);
        let (u, h) = (3e-3, 1e-6);
        let slope = (law.potential(u + h) - law.potential(u - h)) / (2.0 * h);
        assert!((slope / law.pressure(u, 0.0, NEVER).elastic - 1.0).abs() < 1e-9);
    }
}
