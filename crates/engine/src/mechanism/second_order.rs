//! A system as M(q) v̇ + Φ_qᵀ λ = Q(t, q, v), for integrators that treat constraints themselves.

use carom_math::Wrench;
use carom_solvers::Fault;
use carom_solvers::dae::{ConstraintRows, SecondOrderDae};

use crate::contact::{Culprit, Evaluator};
use crate::joint;
use crate::model::AxisElements;
use crate::system::{JointRole, Owner, PairSource, System};
use crate::tree::{path_to_root, transmitted_wrenches, visit_mass};

impl SecondOrderDae for Evaluator<'_> {
    fn freedoms(&self) -> usize {
        self.system.freedoms()
    }

    /// Trees, together where a contact, a force element or the elements of a joint act between them.
    fn blocks(&self, block: &mut [usize]) {
        let system = &*self.system;
        for (freedom, label) in block.iter_mut().enumerate() {
            *label = tree_of(system, system.link_of_freedom[freedom]);
        }
        for &contact in &self.contacts.active {
            let pair = &self.table.pairs[self.table.contacts[contact].pair];
            match &pair.source {
                PairSource::Stop(stop) => join_at(system, stop.joint, block),
                _ => join(system, pair.bodies, block),
            }
        }
        for force in &system.forces {
            let mut bodies = force.bodies();
            let first = bodies.next();
            bodies.for_each(|body| join(system, [first.unwrap_or(body), body], block));
        }
        for (joint, data) in system.joints.iter().enumerate() {
            let acts = data.elements.iter().any(|element| *element != AxisElements::default());
            if data.role == JointRole::Closes && acts {
                join_at(system, joint, block);
            }
        }
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
        let held = self.system.clone();
        let system = &*held;
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

    fn mass(&mut self, visit: &mut dyn FnMut(usize, usize, f64)) {
        let (system, mechanism) = (&self.system, &mut self.mechanism);
        let (links, data) = (&system.links, &system.bodies);
        visit_mass(&mechanism.tree, links, data, &self.bodies, &mut mechanism.composite, visit);
    }

    fn constraints(&mut self, out: &mut ConstraintRows) {
        let held = self.system.clone();
        let system = &*held;
        self.with_scene(|mechanism, scene, _| {
            let holds = &mechanism.holds;
            mechanism.solver.write(scene, &system.constraints, |group| holds[group]);
        });
        let mechanism = &self.mechanism;
        let rows = &mechanism.solver.rows;
        out.clear();
        for (index, row) in rows.rows.iter().enumerate() {
            for term in rows.terms(index) {
                let mut dual: Wrench = term.dual;
                for link in path_to_root(&system.links, term.link) {
                    let data = &system.links[link];
                    let rotation = &self.bodies[data.body].pose.rotation;
                    for (k, f) in data.freedoms().enumerate() {
                        out.add(f, dual.dot(&mechanism.tree.column(data, k, rotation)));
                    }
                    dual = dual.shifted_back(&mechanism.tree.arm[link]);
                }
            }
            for &(freedom, k) in rows.freedoms(index) {
                out.add(freedom, k);
            }
            // Less the part of G v̇ that comes with the velocities.
            let bias = rows.product(index, &mechanism.tree.bias, &mechanism.zero);
            out.close(row.violation, row.speed, row.acceleration - bias);
        }
    }

    fn rates(&mut self, acceleration: &[f64], multipliers: &[f64], dydt: &mut [f64], dqdt: &mut [f64]) {
        let system = &*self.system;
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

/// First freedom of the tree of a link.
fn tree_of(system: &System, link: usize) -> usize {
    let links = &system.links[system.tree_links(system.links[link].tree)];
    links.iter().map(|link| link.first_freedom).min().unwrap_or(0)
}

/// Gives the trees of two bodies one label.
fn join(system: &System, bodies: [usize; 2], block: &mut [usize]) {
    let [a, b] = bodies.map(|body| {
        let tree = system.links[system.bodies[body].link?].tree;
        // Trees without freedoms do not move.
        system.links[system.tree_links(tree)].iter().flat_map(|link| link.freedoms()).next().map(|f| block[f])
    });
    if let Some((a, b)) = a.zip(b).filter(|(a, b)| a != b) {
        block.iter_mut().filter(|label| **label == a.max(b)).for_each(|label| *label = a.min(b));
    }
}

fn join_at(system: &System, joint: usize, block: &mut [usize]) {
    let data = &system.joints[joint];
    join(system, [data.a.body, data.b.body], block);
}
