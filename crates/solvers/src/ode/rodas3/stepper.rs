use std::ops::Range;

use super::step::Rodas3;
use crate::ode::{Assessment, Fault, Motion, Ode, Stepper, Tolerances, Work, WrongMemory};

/// Scalars at the start of a memory.
const NUMBERS: usize = 4;

impl Stepper for Rodas3 {
    fn reserve(&mut self, quadratures: usize) {
        self.quadratures.iter_mut().for_each(|q| q.reserve(quadratures.saturating_sub(q.len())));
        self.jacobian.reserve(quadratures);
    }

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        self.resize(ode.dimension(), ode.quadratures());
        self.start(t, y);
        ode.rhs(t, y, &mut self.rates[0], &mut self.quadratures[0])
    }

    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        self.motion.step = h;
        self.update_jacobian(ode, tolerances)?;
        self.factor()?;
        self.solve(ode)?;
        self.probe.copy_from_slice(&self.stages[3]);
        ode.filter_error(&self.motion.trial, &mut self.probe);
        let states = tolerances.assess(&self.probe, &self.motion.state, &self.motion.trial);
        if states.error > 1.0 || states.error.is_nan() {
            return Ok(states);
        }
        self.evaluate_middle(ode)?;
        self.evaluate_end(ode)?;
        Ok(self.assess_quadrature(states, tolerances))
    }

    fn passed(&mut self, error: f64) -> f64 {
        self.controller.passed(self.motion.step, error)
    }

    fn failed(&mut self, error: f64) -> f64 {
        self.controller.failed(self.motion.step, error)
    }

    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        self.evaluate_end(ode)
    }

    fn accept(&mut self, t: f64) {
        self.motion.accept(t);
        self.rates.swap(0, 1);
        self.evaluated.swap(0, 1);
        self.quadratures.swap(0, 2);
        self.jacobian_is_current = false;
    }

    fn motion(&self) -> &Motion {
        &self.motion
    }

    fn motion_mut(&mut self) -> &mut Motion {
        &mut self.motion
    }

    fn degree(&self) -> usize {
        3
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        out.iter_mut().zip(range).for_each(|(out, i)| *out = self.dense(theta, i));
    }

    /// The integral of the parabola through the three rates: Simpson's rule at the end.
    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        let [start, middle, end] = &self.quadratures;
        for (i, out) in out.iter_mut().enumerate() {
            let slope = 4.0 * middle[i] - 3.0 * start[i] - end[i];
            let curvature = 2.0 * (start[i] - 2.0 * middle[i] + end[i]);
            *out = self.motion.step * theta * (start[i] + theta * (slope / 2.0 + theta * curvature / 3.0));
        }
    }

    fn work(&self) -> Work {
        self.work
    }

    fn rates(&self) -> &[f64] {
        &self.rates[0]
    }

    fn memory(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(&self.controller.memory());
        out.extend_from_slice(&self.work.memory()[..2]);
        out.extend_from_slice(&self.rates[0]);
        out.extend_from_slice(&self.evaluated[0]);
        out.extend_from_slice(&self.quadratures[0]);
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        let n = y.len();
        if memory.len() != NUMBERS + 2 * n + quadratures {
            return Err(WrongMemory);
        }
        self.resize(n, quadratures);
        self.start(t, y);
        let (numbers, rest) = memory.split_at(NUMBERS);
        let (rates, rest) = rest.split_at(n);
        let (evaluated, rates_of_quadratures) = rest.split_at(n);
        self.controller.resume([numbers[0], numbers[1]]);
        self.work = Work::resume([numbers[2], numbers[3], 0.0]);
        self.rates[0].copy_from_slice(rates);
        self.evaluated[0].copy_from_slice(evaluated);
        self.quadratures[0].copy_from_slice(rates_of_quadratures);
        Ok(())
    }
}
