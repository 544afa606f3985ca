//! A system as M(q) v̇ + Φ_qᵀ λ = Q(t, q, v), for integrators that treat constraints themselves.

use carom_math::Wrench;
use carom_solvers::Fault;
use carom_solvers::dae::{ConstraintRows, SecondOrderDae};

use crate::contact::{Culprit, Evaluator};
use crate::joint;
use crate::system::Owner;
use crate::tree::{mass_matrix, path_to_root, transmitted_wrenches};

impl SecondOrderDae for Evaluator<'_> {
    fn freedoms(&self) -> usize {
        self.system.freedoms()
    }

    fn velocities(&self, y: &[f64], v: &mut [f64]) {
        for link in &self.system.links {
            v[link.freedoms()].copy_from_slice(&y[link.velocities()]);
        }
    }

    fn set_velocities(&self, v: &[f64], y: &mut [f64]) {
        for link in &self.system.links {
            y[link.velocities()].copy_from_slice(&v[link.freedoms()]);
        }
    }

    fn displace(&self, y0: &[f64], d: &[f64], y: &mut [f64]) {
        for link in &self.system.links {
            let q = &mut y[link.coordinates()];
            q.copy_from_slice(&y0[link.coordinates()]);
            joint::displace(link.kind, q, &d[link.freedoms()]);
        }
    }

    /// M v̇ − Q by the recursive Newton–Euler algorithm, along every freedom.
    fn residual(&mut self, t: f64, y: &[f64], acceleration: &[f64], out: &mut [f64]) -> Result<(), Fault> {
        self.evaluations += 1;
        let system = self.system;
        self.update(t, y);
        self.add_contacts()?;
        let mechanism = &mut self.mechanism;
        let (links, bodies) = (&system.links, &self.bodies);
        mechanism.tree.accelerations_of(links, bodies, acceleration, &mut mechanism.acceleration);
        transmitted_wrenches(
            &mechanism.tree,
            links,
            &system.bodies,
            bodies,
            &mechanism.acceleration,
            |link| self.wrenches[links[link].body],
            &mut mechanism.transmitted,
        );
        for (index, link) in links.iter().enumerate() {
            let rotation = &bodies[link.body].pose.rotation;
            for (k, f) in link.freedoms().enumerate() {
                let along = mechanism.transmitted[index].dot(&mechanism.tree.column(link, k, rotation));
                out[f] = along - mechanism.efforts[f];
            }
            if !out[link.freedoms()].iter().sum::<f64>().is_finite() {
                self.culprit = Some(Culprit::Body(link.body));
                return Err(Fault::Recoverable);
            }
        }
        Ok(())
    }

    fn mass(&mut self, out: &mut [f64]) {
        let system = self.system;
        out.copy_from_slice(&mass_matrix(&self.mechanism.tree, &system.links, &system.bodies, &self.bodies));
    }

    fn constraints(&mut self, out: &mut ConstraintRows) {
        let (system, n) = (self.system, self.system.freedoms());
        self.with_scene(|mechanism, scene, _| {
            let holds = &mechanism.holds;
            mechanism.solver.write(scene, &system.constraints, |group| holds[group]);
        });
        let mechanism = &self.mechanism;
        let rows = &mechanism.solver.rows;
        out.violation.clear();
        out.speed.clear();
        out.acceleration.clear();
        out.jacobian.clear();
        out.jacobian.resize(rows.len() * n, 0.0);
        for (index, row) in rows.rows.iter().enumerate() {
            out.violation.push(row.violation);
            out.speed.push(row.speed);
            // Less the part of G v̇ that comes with the velocities.
            let bias = rows.product(index, &mechanism.tree.bias, &mechanism.zero);
            out.acceleration.push(row.acceleration - bias);
            let g = &mut out.jacobian[n * index..n * (index + 1)];
            for term in rows.terms(index) {
                let mut dual: Wrench = term.dual;
                for link in path_to_root(&system.links, term.link) {
                    let data = &system.links[link];
                    let rotation = &self.bodies[data.body].pose.rotation;
                    for (k, f) in data.freedoms().enumerate() {
                        g[f] += dual.dot(&mechanism.tree.column(data, k, rotation));
                    }
                    dual = dual.shifted_back(&mechanism.tree.arm[link]);
                }
            }
            for &(freedom, k) in rows.freedoms(index) {
                g[freedom] += k;
            }
        }
    }

    fn rates(&mut self, acceleration: &[f64], multipliers: &[f64], dydt: &mut [f64], dqdt: &mut [f64]) {
        let system = self.system;
        for link in &system.links {
            let (q, v) = (&self.state[link.coordinates()], &self.state[link.velocities()]);
            let (q_rate, v_rate) = dydt[link.states()].split_at_mut(link.kind.coordinates());
            joint::coordinate_rates(link.kind, q, v, q_rate);
            v_rate.copy_from_slice(&acceleration[link.freedoms()]);
        }
        system.write_auxiliary_rates(self.time, dydt);
        let rows = self.mechanism.solver.rows.rows.iter().zip(multipliers);
        let drives = rows.filter(|(row, _)| {
            matches!(system.constraints[row.group].owner, Owner::Motor(..) | Owner::Cable(_))
        });
        self.mechanism.account.motors -= drives.map(|(row, lambda)| row.speed * lambda).sum::<f64>();
        self.write_quadratures(dqdt);
    }
}
