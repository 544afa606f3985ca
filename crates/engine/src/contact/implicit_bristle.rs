//! Bristles by the trapezoidal rule inside a step whose positions and velocities Newton's method is still looking for.

use carom_math::{Mat3, Vec3};

use crate::law::{Friction, Grip};

/// Newton iterations for three numbers; a bristle that needs more makes the step fail.
const ITERATIONS: usize = 40;
/// Last change of a deflection, as a share of the scale of deflections, with which it is found.
const ARRIVED: f64 = 1e-12;
/// Increment of the differences, as the same share.
const INCREMENT: f64 = 1e-7;

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

    /// The deflection s with s = s₀ + h/2 (ṡ₀ + ṡ(s)) of the bristle whose states begin there; not a number if it is not
    /// found. Newton's method, from the start of the step.
    pub(super) fn find(&self, first: usize, friction: &Friction, grip: &Grip, turning: &Vec3) -> Vec3 {
        let base = Vec3::from_column_slice(&self.base[first..first + 3]);
        let mut s = Vec3::from_column_slice(&self.start[first..first + 3]);
        let rest = |s: Vec3| s - base - (friction.hold(grip, s).rate + turning.cross(&s)) * self.half;
        let scale = friction.deflection_scale();
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
            for _ in 0..4 {
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
        if miss.norm() <= 1e-9 * s.norm().max(scale) { s } else { Vec3::repeat(f64::NAN) }
    }
}
