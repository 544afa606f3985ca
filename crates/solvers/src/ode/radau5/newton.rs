//! Simplified Newton iterations on the three stages, in transformed variables W = T⁻¹ Z (Hairer & Wanner II, IV.8).

use super::control::looseness;
use super::method::{ALPHA, BETA, C, GAMMA, T, T_INVERSE};
use crate::elimination::Elimination;
use crate::ode::jacobian::Jacobian;
use crate::ode::{Fault, Ode, Tolerances};
use crate::reduced_lu::ReducedLu;
use crate::scalar::{COMPLEX, REAL};

/// Most iterations.
pub(super) const ITERATIONS: u32 = 7;
/// Iterate until what is left is this share of the tolerance. Errors of the step of order three are held to the
/// tolerance, those of its solution of order five are smaller by far.
const SHARE: f64 = 5e-3;

/// How the iterations ended.
pub(super) enum Convergence {
    /// The stages are found.
    Reached,
    /// They diverge or will not be done in time; the step should shrink by this factor.
    Missed(f64),
}

/// Stages, factors and what is known of the convergence.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    /// Growth to the three nodes.
    pub(super) z: [Vec<f64>; 3],
    w: [Vec<f64>; 3],
    /// Rates at the nodes, then the right-hand sides and solutions of the linear systems.
    f: [Vec<f64>; 3],
    /// At the nodes, as last evaluated.
    pub(super) rates_of_quadratures: [Vec<f64>; 3],
    stage: Vec<f64>,
    elimination: Elimination,
    real: ReducedLu<REAL>,
    complex: ReducedLu<COMPLEX>,
    /// Factor of the geometric series that remains after the last iteration.
    pub(super) rest: f64,
    /// Rate of convergence last seen.
    pub(super) rate: f64,
    /// Iterations of the last attempt.
    pub(super) iterations: u32,
    /// The last correction was smaller than what the iterations may leave.
    pub(super) is_settled: bool,
}

impl Newton {
    pub(super) fn resize(&mut self, n: usize, quadratures: usize) {
        for buffer in self.z.iter_mut().chain(&mut self.w).chain(&mut self.f).chain([&mut self.stage]) {
            buffer.resize(n, 0.0);
        }
        self.rates_of_quadratures.iter_mut().for_each(|q| q.resize(quadratures, 0.0));
        self.elimination.resize(n);
        self.real.resize(n);
        self.complex.resize(n);
    }

    pub(super) fn reserve(&mut self, quadratures: usize) {
        self.rates_of_quadratures.iter_mut().for_each(|q| q.reserve(quadratures.saturating_sub(q.len())));
    }

    /// Factors γ/h − J and (α + iβ)/h − J; false if one is singular.
    pub(super) fn factor(&mut self, h: f64, jacobian: &Jacobian) -> bool {
        // γ is less than |α + iβ|: what may go first from the one matrix may go from the other.
        self.elimination.choose(h / GAMMA, &jacobian.matrix, &jacobian.sparse);
        self.real.factor([GAMMA / h], -1.0, &jacobian.matrix, &self.elimination)
            && self.complex.factor([ALPHA / h, BETA / h], -1.0, &jacobian.matrix, &self.elimination)
    }

    /// Multiplies by (γ/h − J)⁻¹.
    pub(super) fn filter(&mut self, error: &mut [f64]) {
        self.real.solve([error], &self.elimination);
    }

    /// W of the start values in `z`.
    pub(super) fn transform(&mut self) {
        for (w, row) in self.w.iter_mut().zip(T_INVERSE) {
            for (i, w) in w.iter_mut().enumerate() {
                *w = row[0] * self.z[0][i] + row[1] * self.z[1][i] + row[2] * self.z[2][i];
            }
        }
    }

    /// Iterates from the start values in `z`.
    pub(super) fn iterate(
        &mut self,
        ode: &mut dyn Ode,
        t: f64,
        h: f64,
        y: &[f64],
        tolerances: &Tolerances,
    ) -> Result<Convergence, Fault> {
        let rounding = tolerances.rounding(y);
        let share = (SHARE * looseness(tolerances).sqrt()).max(rounding);
        self.rest = libm::pow(self.rest.max(f64::EPSILON), 0.8);
        // One iteration says nothing on the rate, but that it is good.
        self.rate = 0.0;
        let (mut previous, mut previous_ratio) = (0.0, 0.0);
        for iteration in 1..=ITERATIONS {
            self.iterations = iteration;
            self.evaluate_stages(ode, t, h, y)?;
            self.solve(h);
            let size = self.f.iter().map(|d| tolerances.ratio(d, y)).fold(0.0, f64::max);
            self.is_settled = size <= share;
            if !size.is_finite() {
                return Ok(Convergence::Missed(0.5));
            }
            if size <= rounding {
                self.add_correction();
                return Ok(Convergence::Reached);
            }
            if iteration > 1 {
                let ratio = size / previous;
                self.rate = if iteration == 2 { ratio } else { (ratio * previous_ratio).sqrt() };
                previous_ratio = ratio;
                if self.rate >= 0.99 {
                    return Ok(Convergence::Missed(0.5));
                }
                self.rest = self.rate / (1.0 - self.rate);
                let left = f64::from(ITERATIONS - iteration);
                let expected = self.rest * size * libm::pow(self.rate, left) / share;
                if expected >= 1.0 && iteration < ITERATIONS {
                    let power = -1.0 / (4.0 + left);
                    return Ok(Convergence::Missed(0.8 * libm::pow(expected.clamp(1e-4, 20.0), power)));
                }
            }
            previous = size.max(f64::EPSILON);
            self.add_correction();
            if self.rest * size <= share {
                return Ok(Convergence::Reached);
            }
        }
        Ok(Convergence::Missed(0.5))
    }

    fn evaluate_stages(&mut self, ode: &mut dyn Ode, t: f64, h: f64, y: &[f64]) -> Result<(), Fault> {
        let rates = self.f.iter_mut().zip(&mut self.rates_of_quadratures);
        for ((z, (f, q)), c) in self.z.iter().zip(rates).zip(C) {
            for (stage, (y, z)) in self.stage.iter_mut().zip(y.iter().zip(z)) {
                *stage = y + z;
            }
            ode.rhs(t + c * h, &self.stage, f, q)?;
        }
        Ok(())
    }

    /// Corrections of W, in place of the rates.
    fn solve(&mut self, h: f64) {
        let (gamma, alpha, beta) = (GAMMA / h, ALPHA / h, BETA / h);
        let [f1, f2, f3] = &mut self.f;
        for i in 0..f1.len() {
            let f = [f1[i], f2[i], f3[i]];
            let [g1, g2, g3] = T_INVERSE.map(|row| row[0] * f[0] + row[1] * f[1] + row[2] * f[2]);
            let [w1, w2, w3] = [self.w[0][i], self.w[1][i], self.w[2][i]];
            f1[i] = g1 - gamma * w1;
            f2[i] = g2 - (alpha * w2 - beta * w3);
            f3[i] = g3 - (alpha * w3 + beta * w2);
        }
        self.real.solve([f1], &self.elimination);
        self.complex.solve([f2, f3], &self.elimination);
    }

    fn add_correction(&mut self) {
        for i in 0..self.stage.len() {
            let w: [f64; 3] = std::array::from_fn(|k| self.w[k][i] + self.f[k][i]);
            for k in 0..3 {
                self.w[k][i] = w[k];
                self.z[k][i] = T[k][0] * w[0] + T[k][1] * w[1] + T[k][2] * w[2];
            }
        }
    }
}
