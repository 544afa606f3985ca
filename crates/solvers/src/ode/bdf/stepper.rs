use std::ops::Range;

use super::control::{FAILURES_TO_FORGET, start_weight};
use super::step::Bdf;
use crate::ode::start::find_first_order_step;
use crate::ode::{Assessment, Fault, Motion, Ode, Stepper, Tolerances, Work, WrongMemory};

impl Stepper for Bdf {
    fn reserve(&mut self, quadratures: usize) {
        let n = self.motion.n();
        self.rows().for_each(|row| row.reserve((n + quadratures).saturating_sub(row.len())));
        self.jacobian.reserve(quadratures);
        self.newton.reserve(quadratures);
        self.explicit.reserve(quadratures);
    }

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        self.resize(ode.dimension(), ode.quadratures());
        self.start(t, y);
        self.differences.iter_mut().for_each(|row| row.fill(0.0));
        self.differences[0][..y.len()].copy_from_slice(y);
        self.forget_past(ode)
    }

    fn starting_step(&mut self, ode: &mut dyn Ode, tolerances: &Tolerances) -> Result<f64, Fault> {
        let here = (self.motion.time, &*self.motion.state, &self.differences[1][..self.motion.n()]);
        let [dydt, dqdt] = self.newton.scratch();
        let (step, sizes) =
            find_first_order_step(ode, here, tolerances, [&mut self.motion.trial, dydt, dqdt])?;
        let first = step / start_weight(1).sqrt();
        Ok(if first.is_finite() { self.choose_leap(sizes, first) } else { first })
    }

    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        if self.history.failures == FAILURES_TO_FORGET {
            self.forget_past(ode)?;
        }
        self.motion.step = h;
        self.next_order = None;
        self.diverged = false;
        self.dense_is_current = false;
        self.next_leap = 0.0;
        self.is_leap = self.leaps_over(h);
        if self.is_leap {
            return self.leap(ode, tolerances);
        }
        self.order = self.history.order;
        self.predict();
        if !self.solve(ode, tolerances)? {
            self.diverged = true;
            return Err(Fault::NotConverged);
        }
        let states = self.assess_states(ode, tolerances, self.order, None);
        if states.error > 1.0 || states.error.is_nan() {
            return Ok(states);
        }
        if self.rates.len() > self.motion.n() {
            self.evaluate_end(ode)?;
        }
        self.update_neighbours(ode, tolerances);
        Ok(self.assess_quadrature(states, tolerances, self.order, None))
    }

    fn passed(&mut self, error: f64) -> f64 {
        if self.is_leap { self.land(error) } else { self.choose_next(error) }
    }

    fn failed(&mut self, error: f64) -> f64 {
        if self.is_leap { self.leap_less(error) } else { self.choose_smaller(error) }
    }

    fn prepare_dense(&mut self, _ode: &mut dyn Ode) -> Result<bool, Fault> {
        self.update_dense();
        Ok(false)
    }

    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        self.dense_is_current = false;
        if self.is_leap {
            return self.explicit.refresh_at(ode, &self.motion.trial);
        }
        self.evaluate_end(ode)
    }

    fn accept(&mut self, t: f64) {
        if self.is_leap && self.next_leap > 0.0 {
            self.dense_is_current = false;
            return self.leap_on(t);
        }
        self.update_dense();
        self.dense_is_current = false;
        std::mem::swap(&mut self.differences, &mut self.dense);
        self.differences[0][self.motion.n()..].fill(0.0);
        self.motion.accept(t);
        self.differences[0][..self.motion.n()].copy_from_slice(&self.motion.state);
        let equal = self.equal_steps();
        let history = &mut self.history;
        let order = self.next_order.unwrap_or(self.order);
        history.starting = if order < self.order { 0 } else { history.starting.saturating_sub(1) };
        history.equal = if order == self.order { equal } else { 0 };
        history.order = order;
        history.step = self.motion.step;
        history.failures = 0;
        history.leap = 0.0;
        history.jacobian_is_current = false;
    }

    fn motion(&self) -> &Motion {
        &self.motion
    }

    fn motion_mut(&mut self) -> &mut Motion {
        &mut self.motion
    }

    fn trial_mut(&mut self) -> &mut [f64] {
        self.dense_is_current = false;
        &mut self.motion.trial
    }

    fn degree(&self) -> usize {
        self.order
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        self.combine(theta, range.clone(), out);
        out.iter_mut().zip(&self.motion.trial[range]).for_each(|(out, trial)| *out += trial);
    }

    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        let range = self.motion.n()..self.motion.n() + out.len();
        self.combine(theta, range.clone(), out);
        out.iter_mut().zip(&self.dense[0][range]).for_each(|(out, last)| *out += last);
    }

    fn fastest_rate(&mut self) -> f64 {
        self.jacobian.spectral_radius()
    }

    fn is_explicit_step(&self) -> bool {
        self.is_leap
    }

    fn work(&self) -> Work {
        self.work
    }

    fn rates(&self) -> &[f64] {
        &self.differences[1][..self.motion.n()]
    }

    fn memory(&self, out: &mut Vec<f64>) {
        self.write_memory(out);
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        self.read_memory(quadratures, t, y, memory)
    }
}
