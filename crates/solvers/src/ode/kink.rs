//! What a step makes of a force that sets in, or ends, somewhere inside it.
//!
//! Beside the smooth force there is then d(t) = A (t − t₁)ᵖ from t₁ on, which the error estimate sees by chance only: it depends on where t₁
//! falls between the stages. What the method makes of d is known beforehand. Its integral over the step, and the integral
//! of that, differ from ∫d and ∬d by A hᵖ⁺¹ and A hᵖ⁺² times functions of t₁ (Peano kernels), whose largest values are here.

/// An explicit method's errors of the first integral of d, a velocity, and of the second, a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kinks {
    /// Nodes, and the weights of first and second integrals.
    pub nodes: &'static [f64],
    /// See [`Self::nodes`].
    pub weights: [&'static [f64]; 2],
    /// Largest errors over A hᵖ⁺¹ and A hᵖ⁺², wherever d sets in, for any p ≥ 1.
    pub from_linear: [f64; 2],
    /// The same for p ≥ 3/2.
    pub from_three_halves: [f64; 2],
    /// Largest errors over d(h) h and d(h) h², the force at the end of the step, for any p ≥ 1.
    pub at_end: [f64; 2],
}

impl Kinks {
    /// Bounds of the errors over d(h) h and d(h) h² for a force that sets in as a power `power` ≥ 1 of time and is there for the share
    /// `left` of the step.
    pub fn bounds(&self, power: f64, left: f64) -> [f64; 2] {
        let anywhere = if power >= 1.5 { self.from_three_halves } else { self.from_linear };
        let growth = libm::pow(left, power);
        [0, 1].map(|k| (anywhere[k] / growth).min(self.at_end[k]))
    }

    /// The errors themselves, what is made less what is, over d(h) h and d(h) h².
    pub fn errors(&self, power: f64, left: f64) -> [f64; 2] {
        let exact = [left / (power + 1.0), left * left / ((power + 1.0) * (power + 2.0))];
        [0, 1].map(|k| {
            let stages = self.nodes.iter().zip(self.weights[k]);
            let share = |node: f64| libm::pow((node - (1.0 - left)).max(0.0) / left, power);
            stages.map(|(&node, weight)| weight * share(node)).sum::<f64>() - exact[k]
        })
    }
}

/// Bound of what an explicit method with so many weights can make of a force of size 1 that comes and goes inside the step, beside what
/// it is: between stages all of it is missed, at them it counts with their weights.
pub const PULSE: f64 = 2.0;

#[cfg(test)]
pub(crate) mod tests {
    use super::Kinks;
    use crate::ode::{Fault, Ode, Stepper, ToleranceGroup, Tolerances};

    /// x'' = (t − t₁)ᵖ from t₁ on.
    struct Onset {
        start: f64,
        power: f64,
    }

    impl Ode for Onset {
        fn dimension(&self) -> usize {
            2
        }
        fn quadratures(&self) -> usize {
            0
        }
        fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64], _dqdt: &mut [f64]) -> Result<(), Fault> {
            dydt.copy_from_slice(&[y[1], (t - self.start).max(0.0).powf(self.power)]);
            Ok(())
        }
    }

    /// Compares what is said of a method with its own steps of length 1 over forces that set in anywhere.
    pub(crate) fn check(kinks: &Kinks, mut stepper: impl Stepper) {
        const PLACES: usize = 2000;
        let groups = vec![ToleranceGroup { start: 0, len: 2, atol: 1.0, rtol: 0.0 }];
        let tolerances = Tolerances { groups, ..Tolerances::default() };
        for power in [1.0, 1.25, 1.5, 2.0, 3.0] {
            let mut tightest = [f64::INFINITY; 2];
            for place in 0..PLACES {
                let start = place as f64 / PLACES as f64;
                let left = 1.0 - start;
                let mut ode = Onset { start, power };
                stepper.restart(&mut ode, 0.0, &[0.0, 0.0]).unwrap();
                stepper.attempt(&mut ode, 1.0, &tolerances).unwrap();
                let exact = [
                    left.powf(power + 1.0) / (power + 1.0),
                    left.powf(power + 2.0) / ((power + 1.0) * (power + 2.0)),
                ];
                let (errors, bounds) = (kinks.errors(power, left), kinks.bounds(power, left));
                for k in 0..2 {
                    let at_end = left.powf(power);
                    let error = stepper.trial()[1 - k] - exact[k];
                    assert!((error - errors[k] * at_end).abs() < 1e-14, "t^{power} from {start}: {error}");
                    assert!(error.abs() <= bounds[k] * at_end + 1e-14, "t^{power} from {start}: {error}");
                    tightest[k] = tightest[k].min(bounds[k] * at_end / error.abs());
                }
            }
            // A bound that is far off would end steps for nothing.
            let is_least = power == 1.0 || power == 1.5;
            assert!(!is_least || tightest.iter().all(|&t| t < 1.02), "{power}: {tightest:?}");
        }
    }
}
