//! All that the next steps need beside time and state, as numbers.

use super::formula::ROWS;
use super::step::{Bdf, History, START};
use crate::ode::{Work, WrongMemory};

/// Scalars at the start of a memory.
const NUMBERS: usize = 12;

impl Bdf {
    /// What [`crate::Stepper::memory`] gives.
    pub(super) fn write_memory(&self, out: &mut Vec<f64>) {
        let h = &self.history;
        out.extend_from_slice(&[h.order as f64, h.equal as f64, h.step, h.factored]);
        out.extend_from_slice(&[f64::from(h.starting), f64::from(u8::from(h.wants_jacobian))]);
        out.extend_from_slice(&[h.leap, h.first, self.newton.rate]);
        out.extend_from_slice(&self.work.memory());
        self.differences.iter().for_each(|row| out.extend_from_slice(row));
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
        let (n, width) = (y.len(), y.len() + quadratures);
        if memory.len() != NUMBERS + ROWS * width + n * n || !(1.0..=5.0).contains(&memory[0]) {
            return Err(WrongMemory);
        }
        self.resize(n, quadratures);
        self.start(t, y);
        let (numbers, rest) = memory.split_at(NUMBERS);
        let (rows, jacobian) = rest.split_at(ROWS * width);
        self.history = History {
            order: numbers[0] as usize,
            equal: numbers[1] as usize,
            step: numbers[2],
            factored: numbers[3],
            starting: numbers[4] as u32,
            wants_jacobian: numbers[5] != 0.0,
            leap: numbers[6],
            first: numbers[7],
            ..START
        };
        self.work = Work::resume([numbers[9], numbers[10], numbers[11]]);
        for (out, row) in self.differences.iter_mut().zip(rows.chunks_exact(width.max(1))) {
            out.copy_from_slice(row);
        }
        self.jacobian.restore(jacobian);
        // The factors are not kept: the same matrix gives the same ones.
        let factored = self.history.factored;
        if factored != 0.0 && !self.newton.factor(factored, &self.jacobian) {
            return Err(WrongMemory);
        }
        self.newton.rate = numbers[8];
        Ok(())
    }
}
