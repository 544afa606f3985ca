use carom_solvers::{Fault, Ode};

use crate::contact::Evaluator;
use crate::system::System;

/// The right-hand side alone, as an integrator calls it before any contact has begun.
pub struct Rates<'a> {
    evaluator: Evaluator<'a>,
    quadratures: Vec<f64>,
}

impl<'a> Rates<'a> {
    /// With all buffers made.
    pub fn new(system: &'a System) -> Self {
        let evaluator = Evaluator::new(system);
        let quadratures = vec![0.0; evaluator.quadratures()];
        Self { evaluator, quadratures }
    }

    /// Rates ẏ of all states at a time (s) and state. It fails where forces or accelerations are not finite.
    ///
    /// # Panics
    /// If the slices have not [`System::states`] numbers.
    pub fn update(&mut self, time: f64, state: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        self.evaluator.rhs(time, state, rates, &mut self.quadratures)
    }
}
