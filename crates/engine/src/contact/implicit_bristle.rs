//! Bristles by the trapezoidal rule inside a step whose positions and velocities Newton's method is still looking for.

use carom_math::{Mat3, Vec3};

use super::bristle::Bending;
use crate::law::Bristle;

/// Newton iterations for three numbers; a bristle that needs more makes the step fail.
const ITERATIONS: usize = 40;
/// Last change of a deflection, as a share of the scale of deflections, with which it is found.
const ARRIVED: f64 = 1e-12;
/// Increment of the differences, as the same share.
const INCREMENT: f64 = 1e-7;
/// Halvings of a change that brings it no nearer.
const HALVINGS: usize = 4;
/// What may be missing, as the same share, where rounding keeps changes from becoming smaller.
const NEARLY: f64 = 1e-9;
/// Iterations for a dwell.
const DWELL_ITERATIONS: usize = 4;

/// Where the step begins, of all bristles.
#[derive(Debug, Default)]
pub(super) struct ImplicitBristles {
    /// Bristles are found, and not taken from the state.
    pub(super) acts: bool,
    /// h/2 (s).
    half: f64,
    /// s + h/2 ṡ at the start of the step (m).
    base: Vec<f64>,
    start: Vec<f64>,
}

impl ImplicitBristles {
    /// A step of length h from these deflections and rates.
    pub(super) fn begin(&mut self, h: f64, deflections: &[f64], rates: &[f64]) {
        self.half = 0.5 * h;
        self.start.clear();
        self.start.extend_from_slice(deflections);
        self.base.clear();
        self.base.extend(deflections.iter().zip(rates).map(|(s, rate)| s + self.half * rate));
    }

    /// The bristle s with s = s₀ + h/2 (ṡ₀ + ṡ(s)) whose states begin there; not a number if it is not found.
    pub(super) fn find(&self, first: usize, bending: &Bending<'_>) -> Bristle {
        let states = first..first + bending.friction.states();
        let [start, base] = [&self.start, &self.base].map(|all| Bristle::from_state(&all[states.clone()]));
        let deflection = self.find_deflection(bending, [&start, &base]);
        let dwell = if states.len() > 3 { self.find_dwell(bending, [&start, &base]) } else { 0.0 };
        Bristle { deflection, dwell }
    }

    /// Newton's method from the start of the step. Deflections do not depend on the dwell.
    fn find_deflection(&self, bending: &Bending<'_>, [start, base]: [&Bristle; 2]) -> Vec3 {
        let mut s = start.deflection;
        let rest = |s: Vec3| {
            s - base.deflection - bending.rate(&Bristle { deflection: s, ..*start }).deflection * self.half
        };
        let scale = bending.friction.bristle().map_or(1.0, |law| law.scale);
        let mut miss = rest(s);
        for _ in 0..ITERATIONS {
            let size = s.norm().max(scale);
            let step = INCREMENT * size;
            let columns = [0, 1, 2]
                .map(|k| (rest(s + Vec3::ith(k, step)) - rest(s - Vec3::ith(k, step))) / (2.0 * step));
            let Some(inverse) = Mat3::from_columns(&columns).try_inverse() else { break };
            let mut change = -(inverse * miss);
            let mut next = rest(s + change);
            // Kinks where the bristle yields are passed by halves.
            for _ in 0..HALVINGS {
                if next.norm() <= miss.norm() {
                    break;
                }
                change *= 0.5;
                next = rest(s + change);
            }
            s += change;
            miss = next;
            if change.norm() <= ARRIVED * size {
                return s;
            }
        }
        if miss.norm() <= NEARLY * s.norm().max(scale) { s } else { Vec3::repeat(f64::NAN) }
    }

    /// Its rate is a falling line with one kink: Newton's method meets it in a few steps.
    fn find_dwell(&self, bending: &Bending<'_>, [start, base]: [&Bristle; 2]) -> f64 {
        let rate = |dwell: f64| bending.rate(&Bristle { dwell, ..*start }).dwell;
        let mut dwell = base.dwell;
        for _ in 0..DWELL_ITERATIONS {
            let slope = (rate(dwell + INCREMENT) - rate(dwell)) / INCREMENT;
            dwell -= (dwell - base.dwell - self.half * rate(dwell)) / (1.0 - self.half * slope);
        }
        dwell
    }
}
