//! What a step makes of a force that sets in, or ends, somewhere inside it.
//!
//! Beside the smooth force there is then d(t) = A (t − t₁)ᵖ from t₁ on, which the error estimate sees by chance only: it depends on where t₁
//! falls between the stages. What the method makes of d is known beforehand. Its integral over the step, and the integral
//! of that, differ from ∫d and ∬d by A hᵖ⁺¹ and A hᵖ⁺² times functions of t₁ (Peano kernels), whose largest values are here.

/// Bounds of the errors of the first integral of d, a velocity, and of the second, a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KinkBound {
    /// Over A hᵖ⁺¹ and A hᵖ⁺², wherever d sets in, for any p ≥ 1.
    pub from_linear: [f64; 2],
    /// The same for p ≥ 3/2.
    pub from_three_halves: [f64; 2],
    /// Over d(h) h and d(h) h², the force at the end of the step, for any p ≥ 1.
    pub at_end: [f64; 2],
}

impl KinkBound {
    /// The bounds over d(h) h and d(h) h² for a force that sets in as a power `power` ≥ 1 of time and is there for the share
    /// `left` of the step.
    pub fn errors(&self, power: f64, left: f64) -> [f64; 2] {
        let anywhere = if power >= 1.5 { self.from_three_halves } else { self.from_linear };
        let growth = libm::pow(left, power);
        [0, 1].map(|k| (anywhere[k] / growth).min(self.at_end[k]))
    }
}

/// Bound of what an explicit method with so many weights can make of a force of size 1 that comes and goes inside the step, beside what
/// it is: between stages all of it is missed, at them it counts with their weights.
pub const PULSE: f64 = 2.0;

#[cfg(test)]
pub(crate) mod tests {
    use super::KinkBound;

    /// Compares bounds with the kernels of a method with nodes c, weights b of first and β of second integrals.
    pub(crate) fn check_bounds(bound: &KinkBound, nodes: &[f64], weights: [&[f64]; 2]) {
        const PLACES: usize = 20_000;
        for power in [1.0, 1.25, 1.5, 2.0, 3.0] {
            let mut tightest = [f64::INFINITY; 2];
            for place in 0..PLACES {
                let start = place as f64 / PLACES as f64;
                let left = 1.0 - start;
                let exact = [
                    left.powf(power + 1.0) / (power + 1.0),
                    left.powf(power + 2.0) / ((power + 1.0) * (power + 2.0)),
                ];
                let errors = bound.errors(power, left);
                for k in 0..2 {
                    let stages = nodes.iter().zip(weights[k]);
                    let made: f64 = stages.map(|(c, b)| b * (c - start).max(0.0).powf(power)).sum();
                    let (error, allowed) = ((exact[k] - made).abs(), errors[k] * left.powf(power));
                    assert!(error <= allowed + 1e-15, "t^{power} from {start}: {error} {allowed}");
                    tightest[k] = tightest[k].min(allowed / error);
                }
            }
            // A bound that is far off would end steps for nothing.
            if power == 1.0 || power == 1.5 {
                assert!(tightest.iter().all(|&t| t < 1.02), "{power}: {tightest:?}");
            }
        }
    }
}
