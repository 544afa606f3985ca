use std::ops::Range;

use super::newton::Convergence;
use super::polynomial::quadrature_weights;
use super::step::{GOOD_RATE, GOOD_RATE_COSTLY, Radau5};
use crate::ode::{Assessment, Fault, Motion, Ode, Stepper, Tolerances, Work, WrongMemory};

impl Stepper for Radau5 {
    fn reserve(&mut self, quadratures: usize) {
        self.quadratures.iter_mut().for_each(|q| q.reserve(quadratures.saturating_sub(q.len())));
        self.jacobian.reserve(quadratures);
        self.newton.reserve(quadratures);
    }

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        self.resize(ode.dimension(), ode.quadratures());
        self.start(t, y);
        ode.rhs(t, y, &mut self.rates[0], &mut self.quadratures[0])
    }

    fn attempt(&mut self, ode: &mut dyn Ode, h: f64, tolerances: &Tolerances) -> Result<Assessment, Fault> {
        self.motion.step = h;
        self.shrink = None;
        loop {
            self.prepare(ode, h, tolerances)?;
            self.predict(h);
            let newton = self.newton.iterate(ode, self.motion.time, h, &self.motion.state, tolerances);
            self.work.iterations += u64::from(self.newton.iterations);
            match newton? {
                Convergence::Reached => break,
                // With a Jacobian of this state the step may do as it is.
                Convergence::Missed(_) if !self.history.jacobian_is_current => {
                    self.history.wants_jacobian = true;
                }
                Convergence::Missed(factor) => {
                    self.shrink = Some(factor);
                    return Err(Fault::NotConverged);
                }
            }
        }
        self.motion.grow(&self.newton.z[2]);
        let states = self.assess(ode, tolerances)?;
        if states.error > 1.0 || states.error.is_nan() {
            return Ok(states);
        }
        self.evaluate_nodes(ode)?;
        Ok(self.assess_quadrature(states, tolerances))
    }

    fn passed(&mut self, error: f64) -> f64 {
        self.choose_next(error)
    }

    fn failed(&mut self, error: f64) -> f64 {
        self.choose_smaller(error)
    }

    fn prepare_dense(&mut self, _ode: &mut dyn Ode) -> Result<bool, Fault> {
        self.update_dense();
        Ok(false)
    }

    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), Fault> {
        self.evaluate_end(ode)
    }

    fn accept(&mut self, t: f64) {
        self.update_dense();
        std::mem::swap(&mut self.past, &mut self.dense);
        self.motion.accept(t);
        self.rates.swap(0, 1);
        self.quadratures.swap(0, 3);
        self.history.step = self.motion.step;
        self.history.after_rejection = false;
        self.history.jacobian_is_current = false;
        let good = if self.jacobian.is_costly { GOOD_RATE_COSTLY } else { GOOD_RATE };
        self.history.wants_jacobian = self.newton.rate > good;
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
        for (out, i) in out.iter_mut().zip(range) {
            *out = if theta == 0.0 {
                self.motion.state[i]
            } else {
                self.motion.trial[i] + self.dense.after_end(theta - 1.0, i)
            };
        }
    }

    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        let weights = quadrature_weights(theta);
        for (i, out) in out.iter_mut().enumerate() {
            *out =
                self.motion.step * self.quadratures.iter().zip(weights).map(|(q, w)| w * q[i]).sum::<f64>();
        }
    }

    fn fastest_rate(&mut self) -> f64 {
        self.jacobian.spectral_radius()
    }

    fn work(&self) -> Work {
        self.work
    }

    fn rates(&self) -> &[f64] {
        &self.rates[0]
    }

    fn memory(&self, out: &mut Vec<f64>) {
        self.write_memory(out);
    }

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        self.read_memory(quadratures, t, y, memory)
    }
}
