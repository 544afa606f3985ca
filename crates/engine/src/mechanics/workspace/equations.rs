//! M(q) v̇ + Φ_qᵀ λ = Q(t, q, v), piece by piece, for integrators that treat constraints themselves.

use carom_math::Wrench;
use carom_solvers::dae::ConstraintRows;

use super::Workspace;
use crate::mechanics::joint;
use crate::mechanics::tree::{path_to_root, transmitted_wrenches, visit_mass};
use crate::mechanics::{JointRole, Mechanics, Owner};
use crate::model::AxisElements;

impl Workspace<'_> {
    /// M v̇ − Q by the recursive Newton–Euler algorithm, along every freedom, under the wrenches that have been added up; or
    /// the body where it is not finite.
    pub(crate) fn residual(&mut self, acceleration: &[f64], out: &mut [f64]) -> Result<(), usize> {
        let (mechanism, here, wrenches) = self.parts();
        let (links, bodies) = (&here.mechanics.links, here.bodies);
        mechanism.tree.accelerations_of(links, bodies, acceleration, &mut mechanism.acceleration);
        transmitted_wrenches(
            &mechanism.tree,
            links,
            &here.mechanics.bodies,
            bodies,
            &mechanism.acceleration,
            |link| wrenches[links[link].body],
            &mut mechanism.transmitted,
        );
        for (index, link) in links.iter().enumerate() {
            let rotation = &bodies[link.body].pose.rotation;
            for (k, f) in link.freedoms().enumerate() {
                let along = mechanism.transmitted[index].dot(&mechanism.tree.column(link, k, rotation));
                out[f] = along + link.armature[k] * acceleration[f] - mechanism.efforts[f];
            }
            if !out[link.freedoms()].iter().sum::<f64>().is_finite() {
                return Err(link.body);
            }
        }
        Ok(())
    }

    /// Entries (row, column, value) of the mass matrix M, one triangle of each block.
    pub(crate) fn mass(&mut self, visit: &mut dyn FnMut(usize, usize, f64)) {
        let (mechanism, here, _) = self.parts();
        let (links, data) = (&here.mechanics.links, &here.mechanics.bodies);
        visit_mass(&mechanism.tree, links, data, here.bodies, &mut mechanism.composite, visit);
    }

    /// Rows of the constraints that hold, along the freedoms, with violation, demanded speed, and demanded acceleration less
    /// the part of G v̇ that comes with the velocities.
    pub(crate) fn constraint_rows(&mut self, out: &mut ConstraintRows) {
        let (mechanism, here, _) = self.parts();
        let (mechanics, holds) = (here.mechanics, &mechanism.holds);
        mechanism.solver.write(&here, &mechanics.constraints, |group| holds[group]);
        let rows = &mechanism.solver.rows;
        out.clear();
        for (index, row) in rows.rows.iter().enumerate() {
            for term in rows.terms(index) {
                let mut dual: Wrench = term.dual;
                for link in path_to_root(&mechanics.links, term.link) {
                    let data = &mechanics.links[link];
                    let rotation = &here.bodies[data.body].pose.rotation;
                    for (k, f) in data.freedoms().enumerate() {
                        out.add(f, dual.dot(&mechanism.tree.column(data, k, rotation)));
                    }
                    dual = dual.shifted_back(&mechanism.tree.arm[link]);
                }
            }
            for &(freedom, k) in rows.freedoms(index) {
                out.add(freedom, k);
            }
            let bias = rows.product(index, &mechanism.tree.bias, &mechanism.zero);
            out.close(row.violation, row.speed, row.acceleration - bias);
        }
    }

    /// Rates of the states that come with accelerations along the freedoms; books the power of motors and reels with their
    /// multipliers.
    pub(crate) fn rates(&mut self, acceleration: &[f64], multipliers: &[f64], dydt: &mut [f64]) {
        let mechanics = &*self.mechanics;
        for link in &mechanics.links {
            let (q, v) = (&self.state[link.coordinates()], &self.state[link.velocities()]);
            let (q_rate, v_rate) = dydt[link.states()].split_at_mut(link.kind.coordinates());
            joint::coordinate_rates(link.kind, q, v, q_rate);
            v_rate.copy_from_slice(&acceleration[link.freedoms()]);
        }
        self.here().write_auxiliary_rates(dydt);
        let rows = self.mechanism.solver.rows.rows.iter().zip(multipliers);
        let drives = rows.filter(|(row, _)| {
            matches!(mechanics.constraints[row.group].owner, Owner::Motor(..) | Owner::Cable(_))
        });
        self.mechanism.account.motors -= drives.map(|(row, lambda)| row.speed * lambda).sum::<f64>();
    }
}

impl Mechanics {
    /// Labels the freedoms so that those of trees which force elements and joints act between have one.
    pub(crate) fn label_blocks(&self, block: &mut [usize]) {
        for (freedom, label) in block.iter_mut().enumerate() {
            *label = self.first_freedom_of_tree(self.link_of_freedom[freedom]);
        }
        for force in &self.forces {
            let mut bodies = force.bodies();
            let first = bodies.next();
            bodies.for_each(|body| self.join_blocks([first.unwrap_or(body), body], block));
        }
        for data in &self.joints {
            let acts = data.elements.iter().any(|element| *element != AxisElements::default());
            if data.role == JointRole::Closes && acts {
                self.join_blocks([data.a.body, data.b.body], block);
            }
        }
    }

    fn first_freedom_of_tree(&self, link: usize) -> usize {
        let links = &self.links[self.tree_links(self.links[link].tree)];
        links.iter().map(|link| link.first_freedom).min().unwrap_or(0)
    }

    /// Gives the trees of two bodies one label.
    pub(crate) fn join_blocks(&self, bodies: [usize; 2], block: &mut [usize]) {
        let [a, b] = bodies.map(|body| {
            let tree = self.links[self.bodies[body].link?].tree;
            // Trees without freedoms do not move.
            self.links[self.tree_links(tree)].iter().flat_map(|link| link.freedoms()).next().map(|f| block[f])
        });
        if let Some((a, b)) = a.zip(b).filter(|(a, b)| a != b) {
            block.iter_mut().filter(|label| **label == a.max(b)).for_each(|label| *label = a.min(b));
        }
    }
}
