use std::ops::Range;

use super::coefficients::Coefficients;
use super::control::Estimates;
use super::step::{History, Ode113};
use crate::ode::start::find_first_order_step;
use crate::ode::{Assessment, Fault, Motion, Ode, Stepper, Tolerances, WrongMemory};

impl Stepper for Ode113 {
    fn reserve(&mut self, quadratures: usize) {
        let n = self.motion.n();
        self.rows().for_each(|row| row.reserve((n + quadratures).saturating_sub(row.len())));
    }

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        self.resize(ode.dimension(), ode.quadratures());
        self.start(t, y);
        self.phi[1].fill(0.0);
        let (dydt, dqdt) = self.phi[0].split_at_mut(self.motion.n());
        ode.rhs(t, y, dydt, dqdt)
    }

    fn starting_step(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Result<f64, Fault> {
        let (dydt, dqdt) = self.rates.split_at_mut(self.motion.n());
        let here = (self.motion.time, &*self.motion.state, &self.phi[0][..self.motion.n()]);
        find_first_order_step(ode, here, tolerances, [&mut self.motion.trial, dydt, dqdt])
            .map(|(step, _)| step)
    }

    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        self.motion.step = h;
        self.order = self.history.order;
        self.estimates = Estimates { order: self.order, ..Estimates::default() };
        self.next_order = None;
        self.coefficients = Coefficients::new(h, self.order, &self.psi);
        self.predict();
        self.evaluate_end(ode)?;
        let assessment = self.assess(ode, tolerances);
        if assessment.error > 1.0 || assessment.error.is_nan() {
            return Ok(assessment);
        }
        let weight = h * self.coefficients.g[self.order];
        let rates = self.rates.iter().zip(&self.extrapolated[0]);
        self.growth.iter_mut().zip(rates).for_each(|(growth, (f, e))| *growth += weight * (f - e));
        self.update_trial();
        self.evaluate_end(ode)?;
        if !self.history.starting && self.order < self.equal_steps() {
            self.estimate_above(tolerances);
        }
        Ok(assessment)
    }

    fn passed(&mut self, _error: f64) -> f64 {
        self.choose_next()
    }

    fn failed(&mut self, error: f64) -> f64 {
        self.choose_smaller(error)
    }

    /// The polynomial starts at the end of the step; where it misses the start, a cubic with flat ends makes up for it.
    fn prepare_dense(&mut self, _ode: &mut dyn Ode) -> Result<bool, Fault> {
        let (weights, _) = self.interpolant(0.0);
        for i in 0..self.mismatch.len() {
            let change = if i < self.motion.n() {
                self.motion.trial[i] - self.motion.state[i]
            } else {
                self.growth[i]
            };
            self.mismatch[i] = -(change + self.after_end(&weights, i));
        }
        Ok(false)
    }

    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        self.evaluate_end(ode)
    }

    fn accept(&mut self, t: f64) {
        let k = self.order;
        let star = self.coefficients.beta[k];
        // Two more differences than the order: phi_{k+1} and phi_{k+2}.
        for i in 0..self.rates.len() {
            let correction = self.rates[i] - self.extrapolated[0][i];
            let [next, last] = [correction, correction - star * self.phi[k][i]];
            self.extrapolated[..k].iter_mut().for_each(|row| row[i] += correction);
            self.extrapolated[k][i] = next;
            self.extrapolated[k + 1][i] = last;
        }
        std::mem::swap(&mut self.phi, &mut self.extrapolated);
        self.motion.accept(t);
        self.psi = self.coefficients.psi;
        let order = self.next_order.unwrap_or(k);
        self.history = History {
            order,
            equal: self.equal_steps(),
            step: self.motion.step,
            starting: self.history.starting && order > k,
            failures: 0,
        };
    }

    fn motion(&self) -> &Motion {
        &self.motion
    }

    fn motion_mut(&mut self) -> &mut Motion {
        &mut self.motion
    }

    fn degree(&self) -> usize {
        (self.order + 1).max(3)
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let (weights, blend) = self.interpolant(theta);
        for (out, i) in out.iter_mut().zip(range) {
            *out = self.motion.trial[i] + self.after_end(&weights, i) + blend * self.mismatch[i];
        }
    }

    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        let (weights, blend) = self.interpolant(theta);
        for (out, i) in out.iter_mut().zip(self.motion.n()..) {
            *out = self.growth[i] + self.after_end(&weights, i) + blend * self.mismatch[i];
        }
    }

    fn rates(&self) -> &[f64] {
        &self.phi[0][..self.motion.n()]
    }

    fn memory(&self, out: &mut Vec<f64>) {
        self.write_memory(out);
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        self.read_memory(quadratures, t, y, memory)
    }
}
