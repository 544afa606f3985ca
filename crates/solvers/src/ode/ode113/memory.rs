//! All that the next steps need beside time and state, as numbers.

use super::coefficients::ORDER_MAX;
use super::step::{History, Ode113};
use crate::ode::WrongMemory;

impl Ode113 {
    /// What [`crate::Stepper::memory`] gives.
    pub(super) fn write_memory(&self, out: &mut Vec<f64>) {
        let h = &self.history;
        out.extend_from_slice(&[h.order as f64, h.equal as f64, h.step]);
        out.push(f64::from(u8::from(h.starting)));
        out.extend_from_slice(&self.psi);
        self.phi[..=h.order].iter().for_each(|row| out.extend_from_slice(row));
    }

    /// Takes it; see [`crate::Stepper::resume`].
    pub(super) fn read_memory(
        &mut self,
        quadratures: usize,
        t: f64,
        y: &[f64],
        memory: &[f64],
    ) -> Result<(), WrongMemory> {
        let width = y.len() + quadratures;
        let order = memory.first().map_or(0, |&order| order as usize);
        if !(1..=ORDER_MAX).contains(&order) || memory.len() != 4 + ORDER_MAX + 1 + (order + 1) * width {
            return Err(WrongMemory);
        }
        self.resize(y.len(), quadratures);
        self.start(t, y);
        let (numbers, rest) = memory.split_at(4);
        let (psi, rows) = rest.split_at(ORDER_MAX + 1);
        self.history = History {
            order,
            equal: numbers[1] as usize,
            step: numbers[2],
            starting: numbers[3] != 0.0,
            failures: 0,
        };
        self.psi.copy_from_slice(psi);
        for (phi, row) in self.phi.iter_mut().zip(rows.chunks_exact(width.max(1))) {
            phi.copy_from_slice(row);
        }
        Ok(())
    }
}
