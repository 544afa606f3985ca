use std::ops::Range;

use super::motion::Motion;
use super::{Assessment, Fault, Ode, Stepper, Tolerances, WrongMemory};

/// Steps that their caller makes: it writes the end of a step and what the quadratures have grown by. Between the ends all goes along
/// straight lines.
#[derive(Clone, Debug, Default)]
pub struct GivenSteps {
    motion: Motion,
    growth: Vec<f64>,
    rates: Vec<f64>,
}

impl GivenSteps {
    /// Nowhere yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn start(&mut self, quadratures: usize, t: f64, y: &[f64]) {
        self.motion.resize(y.len());
        self.motion.start(t, y);
        self.growth.clear();
        self.growth.resize(quadratures, 0.0);
        self.rates.clear();
        self.rates.resize(y.len(), 0.0);
    }
}

impl Stepper for GivenSteps {
    fn reserve(&mut self, quadratures: usize) {
        self.growth.reserve(quadratures);
    }

    fn restart(&mut self, ode: &mut dyn Ode, t: f64, y: &[f64]) -> Result<(), Fault> {
        self.start(ode.quadratures(), t, y);
        Ok(())
    }

    /// Has no formula of its own: a step stays where it is until its caller has written it.
    fn attempt(&mut self, _ode: &mut dyn Ode, h: f64, _tolerances: &Tolerances) -> Result<Assessment, Fault> {
        let Motion { state, trial, step, .. } = &mut self.motion;
        trial.copy_from_slice(state);
        *step = h;
        Ok(Assessment::PASSED)
    }

    fn passed(&mut self, _error: f64) -> f64 {
        self.motion.step
    }

    fn failed(&mut self, _error: f64) -> f64 {
        0.5 * self.motion.step
    }

    fn refresh(&mut self, _ode: &mut dyn Ode) -> Result<(), Fault> {
        Ok(())
    }

    fn accept(&mut self, t: f64) {
        self.motion.accept(t);
    }

    fn motion(&self) -> &Motion {
        &self.motion
    }

    fn motion_mut(&mut self) -> &mut Motion {
        &mut self.motion
    }

    fn interpolate(&self, theta: f64, range: Range<usize>, out: &mut [f64]) {
        let Motion { state, trial, .. } = &self.motion;
        for (out, index) in out.iter_mut().zip(range) {
            *out = state[index] + theta * (trial[index] - state[index]);
        }
    }

    fn degree(&self) -> usize {
        1
    }

    fn quadrature(&self, theta: f64, out: &mut [f64]) {
        out.iter_mut().zip(&self.growth).for_each(|(out, growth)| *out = theta * growth);
    }

    fn take_growth(&mut self, growth: &[f64]) {
        self.growth.clear();
        self.growth.extend_from_slice(growth);
    }

    fn rates(&self) -> &[f64] {
        &self.rates
    }

    fn memory(&self, _out: &mut Vec<f64>) {}

    fn resume(&mut self, quadratures: usize, t: f64, y: &[f64], memory: &[f64]) -> Result<(), WrongMemory> {
        if !memory.is_empty() {
            return Err(WrongMemory);
        }
        self.start(quadratures, t, y);
        Ok(())
    }
}
