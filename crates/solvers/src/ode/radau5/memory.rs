//! All that the next steps need beside time and state, as numbers.

use super::step::{History, Radau5};
use crate::ode::{Work, WrongMemory};

/// Scalars at the start of a memory.
const NUMBERS: usize = 12;

impl Radau5 {
    /// What [`crate::Stepper::memory`] gives.
    pub(super) fn write_memory(&self, out: &mut Vec<f64>) {
        let h = &self.history;
        let flags = [h.after_rejection, h.jacobian_is_current, h.wants_jacobian, self.jacobian.is_costly];
        out.extend_from_slice(&[h.step, h.controlled[0], h.controlled[1], h.factored_step]);
        out.extend(flags.map(|flag| f64::from(u8::from(flag))));
        out.push(self.newton.rest);
        out.extend_from_slice(&self.work.memory());
        out.extend_from_slice(&self.rates[0]);
        self.past.terms().iter().for_each(|term| out.extend_from_slice(term));
        out.extend_from_slice(&self.quadratures[0]);
        out.extend_from_slice(&self.jacobian.matrix);
    }

    /// Takes it; see [`crate::Stepper::resume`].
    pub(super) fn read_memory(
        &mut self,
        quadratures: usize,
        t: f64,
        y: &[f64],
        memory: &[f64],
    ) -> Result<(), WrongMemory> {
        let n = y.len();
        if memory.len() != NUMBERS + 4 * n + quadratures + n * n {
            return Err(WrongMemory);
        }
        self.resize(n, quadratures);
        self.start(t, y);
        let (numbers, rest) = memory.split_at(NUMBERS);
        let flag = |index: usize| numbers[index] != 0.0;
        self.history = History {
            step: numbers[0],
            controlled: [numbers[1], numbers[2]],
            factored_step: numbers[3],
            after_rejection: flag(4),
            jacobian_is_current: flag(5),
            wants_jacobian: flag(6),
        };
        self.jacobian.is_costly = flag(7);
        self.newton.rest = numbers[8];
        self.work = Work::resume([numbers[9], numbers[10], numbers[11]]);
        let (rates, rest) = rest.split_at(n);
        let (terms, rest) = rest.split_at(3 * n);
        let (rates_of_quadratures, jacobian) = rest.split_at(quadratures);
        self.rates[0].copy_from_slice(rates);
        for (term, memory) in self.past.terms_mut().iter_mut().zip(terms.chunks_exact(n.max(1))) {
            term.copy_from_slice(memory);
        }
        self.quadratures[0].copy_from_slice(rates_of_quadratures);
        self.jacobian.restore(jacobian);
        // The factors are not kept: the same matrix gives the same ones.
        let factored = self.history.factored_step;
        if factored != 0.0 && self.factor(factored).is_err() {
            return Err(WrongMemory);
        }
        Ok(())
    }
}
