//! A system as M(q) v̇ + Φ_qᵀ λ = Q(t, q, v): the mechanics' equations under the forces of contacts.

use carom_solvers::Fault;
use carom_solvers::dae::{ConstraintRows, SecondOrderDae};

use super::bristle::{write_bristle_rates, write_bristles};
use super::energy::write_quadratures;
use super::{Culprit, Evaluator};
use crate::mechanics::joint;

impl SecondOrderDae for Evaluator<'_> {
    fn freedoms(&self) -> usize {
        self.system.freedoms()
    }

    /// Trees, together where a contact, a force element or the elements of a joint act between them.
    fn blocks(&self, block: &mut [usize]) {
        let mechanics = &self.system.mechanics;
        mechanics.label_blocks(block);
        for &contact in &self.contacts.active {
            let pair = &self.table.pairs[self.table.contacts[contact].pair];
            mechanics.join_blocks(pair.bodies, block);
        }
    }

    fn velocities(&self, y: &[f64], v: &mut [f64]) {
        for link in &self.system.mechanics.links {
            v[link.freedoms()].copy_from_slice(&y[link.velocities()]);
        }
    }

    fn set_velocities(&self, v: &[f64], y: &mut [f64]) {
        for link in &self.system.mechanics.links {
            y[link.velocities()].copy_from_slice(&v[link.freedoms()]);
        }
    }

    fn displace(&self, y0: &[f64], d: &[f64], y: &mut [f64]) {
        for link in &self.system.mechanics.links {
            let q = &mut y[link.coordinates()];
            q.copy_from_slice(&y0[link.coordinates()]);
            joint::displace(link.kind, q, &d[link.freedoms()]);
        }
    }

    fn begin_step(&mut self, h: f64, y0: &[f64], rates: &[f64]) {
        let first = self.system.states();
        self.implicit.begin(h, &y0[first..], &rates[first..]);
    }

    fn write_found(&self, y: &mut [f64]) {
        write_bristles(self, y);
    }

    fn residual(&mut self, t: f64, y: &[f64], acceleration: &[f64], out: &mut [f64]) -> Result<(), Fault> {
        self.evaluations += 1;
        self.implicit.acts = true;
        self.update(t, y);
        self.implicit.acts = false;
        self.add_contacts()?;
        self.workspace.residual(acceleration, out).map_err(|body| {
            self.culprit = Some(Culprit::Body(body));
            Fault::Recoverable
        })
    }

    fn mass(&mut self, visit: &mut dyn FnMut(usize, usize, f64)) {
        self.workspace.mass(visit);
    }

    fn constraints(&mut self, out: &mut ConstraintRows) {
        self.workspace.constraint_rows(out);
    }

    fn rates(&mut self, acceleration: &[f64], multipliers: &[f64], dydt: &mut [f64], dqdt: &mut [f64]) {
        self.workspace.rates(acceleration, multipliers, dydt);
        write_bristle_rates(self, dydt);
        write_quadratures(self, dqdt);
    }
}
