//! Elastic foundation: the law of areal contact, element by element (Hippmann, Multibody Syst. Dyn. 12, 2004, eq. 1–4).

/// Damping of areal contact: pressure d_l w, where w is the speed at which the element's surfaces approach each other
/// along its penetration line.
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
    /// d_l (N s/m³).
    pub damping: f64,
    /// Its form.
    pub form: ArealDamping,
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
    /// Pressure at penetration u ≥ 0 (m) and approach speed w (m/s).
    #[inline]
    pub fn pressure(&self, u: f64, w: f64) -> Pressure {
        let elastic = self.stiffness * u;
        let damping = self.damping * w;
        let total = match self.form {
            ArealDamping::Plain => elastic + damping,
            ArealDamping::NoTension => (elastic + damping).max(0.0),
            ArealDamping::Ramped { depth } => (elastic + smooth_step(u / depth) * damping).max(0.0),
        };
        Pressure { total, elastic }
    }

    /// Slopes of the total pressure by u (Pa/m) and by w (Pa s/m); zero where it does not act.
    #[inline]
    pub fn slopes(&self, u: f64, w: f64) -> [f64; 2] {
        if self.form != ArealDamping::Plain && self.pressure(u, w).total <= 0.0 {
            return [0.0; 2];
        }
        let (scale, growth) = match self.form {
            ArealDamping::Ramped { depth } => (smooth_step(u / depth), smooth_step_slope(u / depth) / depth),
            ArealDamping::Plain | ArealDamping::NoTension => (1.0, 0.0),
        };
        [self.stiffness + growth * self.damping * w, scale * self.damping]
    }

    /// Is the pressure continuous where an element begins to touch?
    pub fn starts_smoothly(&self) -> bool {
        self.damping == 0.0 || matches!(self.form, ArealDamping::Ramped { .. })
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
        ArealLaw { stiffness: 2e8, base_share: 1.0, damping: 1e4, form }
    }

    #[test]
    fn modulus_of_a_layer_is_that_of_confined_compression() {
        // ν = 0: Young's modulus; ν = 0.4: 15/7 of it.
        assert_eq!(layer_modulus(3e6, 0.0), 3e6);
        assert!((layer_modulus(7.0, 0.4) - 15.0).abs() < 1e-14);
    }

    #[test]
    fn only_the_plain_form_pulls_and_jumps() {
        let parting = -10.0;
        assert!(law(ArealDamping::Plain).pressure(1e-6, parting).total < 0.0);
        assert_eq!(law(ArealDamping::NoTension).pressure(1e-6, parting).total, 0.0);
        let ramped = law(ArealDamping::Ramped { depth: 1e-3 });
        assert_eq!(ramped.pressure(1e-3, parting).total, 1e5);
        // Closing at 1 m/s: continuous from zero, and the whole damping at the depth.
        assert!(ramped.pressure(1e-9, 1.0).total < 1.0);
        assert_eq!(law(ArealDamping::NoTension).pressure(0.0, 1.0).total, 1e4);
        assert_eq!(ramped.pressure(2e-3, 1.0).total, 4e5 + 1e4);
    }

    #[test]
    fn slopes_are_derivatives() {
        for form in [ArealDamping::Plain, ArealDamping::NoTension, ArealDamping::Ramped { depth: 5e-3 }] {
            let law = law(form);
            let (u, w, h) = (3e-3, 0.7, 1e-6);
            let at = |u: f64, w: f64| law.pressure(u, w).total;
            let differences =
                [(at(u + h, w) - at(u - h, w)) / (2.0 * h), (at(u, w + h) - at(u, w - h)) / (2.0 * h)];
            for (slope, difference) in law.slopes(u, w).into_iter().zip(differences) {
                assert!((slope / difference - 1.0).abs() < 1e-6, "{form:?} {slope} {difference}");
            }
        }
    }

    #[test]
    fn pressure_is_the_gradient_of_the_potential() {
        let law = law(ArealDamping::Plain);
        let (u, h) = (3e-3, 1e-6);
        let slope = (law.potential(u + h) - law.potential(u - h)) / (2.0 * h);
        assert!((slope / law.pressure(u, 0.0).elastic - 1.0).abs() < 1e-9);
    }
}
