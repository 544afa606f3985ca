//! The equations of motion of the trees, and the accelerations of the whole mechanism.

use carom_math::{Twist, Vec3, Wrench};
use nalgebra::{DMatrix, DVector};

use super::{Dynamics, Loads};
use crate::contact::samples::{add_stop, normal_forces};
use crate::mechanics::tree::{mass_matrix, transmitted_wrenches};
use crate::outcome::RunError;
use crate::record::JointSample;

impl Dynamics<'_> {
    /// Mass matrix M of the trees (kg, kg m, kg m²), symmetric: kinetic energy ½ vᵀ M v. Composite rigid bodies,
    /// Featherstone 2008, table 6.2.
    pub fn mass_matrix(&self) -> DMatrix<f64> {
        let n = self.freedoms.len();
        let (system, evaluator) = (self.system(), &self.evaluator);
        let flat = mass_matrix(
            &evaluator.workspace.mechanism.tree,
            &system.mechanics.links,
            &system.mechanics.bodies,
            &evaluator.workspace.bodies,
        );
        DMatrix::from_row_slice(n, n, &flat)
    }

    /// Bias h(q, v) of M v̇ + h = τ: Coriolis, centrifugal and gyroscopic terms, less the given loads.
    pub fn bias_forces(&self, loads: Loads) -> DVector<f64> {
        self.inverse_dynamics(&DVector::zeros(self.freedoms.len()), loads)
    }

    /// Efforts τ = M v̇ + h along the freedoms that the accelerations v̇ (m/s², rad/s², by freedom) take beside the
    /// given loads (N, N m). Of a root: force in world axes, torque in body axes about the centre of mass. Recursive
    /// Newton–Euler, Featherstone 2008, table 5.1. Loops count as open: [`Self::driving_efforts`] closes them.
    ///
    /// # Panics
    /// If there are not as many accelerations as freedoms.
    pub fn inverse_dynamics(&self, accelerations: &DVector<f64>, loads: Loads) -> DVector<f64> {
        let (system, evaluator) = (self.system(), &self.evaluator);
        let (links, bodies) = (&system.mechanics.links, &evaluator.workspace.bodies);
        let tree = &evaluator.workspace.mechanism.tree;
        let (wrenches, efforts) = self.known_loads(loads);
        let mut motions = vec![Twist::ZERO; links.len()];
        let mut transmitted = vec![Wrench::ZERO; links.len()];
        tree.accelerations_of(links, bodies, accelerations.as_slice(), &mut motions);
        let acting = |link: usize| wrenches[links[link].body];
        transmitted_wrenches(
            tree,
            links,
            &system.mechanics.bodies,
            bodies,
            &motions,
            acting,
            &mut transmitted,
        );
        let mut needed = DVector::zeros(self.freedoms.len());
        for (link, wrench) in links.iter().zip(&transmitted) {
            let rotation = &bodies[link.body].pose.rotation;
            for (k, f) in link.freedoms().enumerate() {
                let along = wrench.dot(&tree.column(link, k, rotation));
                needed[f] = along + link.armature[k] * accelerations[f] - efforts[f];
            }
        }
        needed
    }

    /// Accelerations v̇ by freedom (m/s², rad/s²) under the given loads and efforts τ along the freedoms, with all
    /// constraints: articulated bodies (Featherstone 2008, table 7.1), then multipliers. E0605 if a body's inertia
    /// is not positive or a load is not finite.
    ///
    /// # Panics
    /// If there are not as many efforts as freedoms.
    pub fn forward_dynamics(
        &mut self,
        efforts: &DVector<f64>,
        loads: Loads,
    ) -> Result<DVector<f64>, RunError> {
        let system = self.held();
        let (mut wrenches, known) = self.known_loads(loads);
        let evaluator = &mut self.evaluator;
        for (slot, (own, known)) in
            evaluator.workspace.mechanism.efforts.iter_mut().zip(efforts.iter().zip(&known))
        {
            *slot = own + known;
        }
        for link in system.mechanics.links.iter().filter(|link| link.lone) {
            let own = &efforts.as_slice()[link.freedoms()];
            let torque =
                evaluator.workspace.bodies[link.body].pose.rotation * Vec3::new(own[3], own[4], own[5]);
            wrenches[link.body] += Wrench::new(torque, Vec3::new(own[0], own[1], own[2]));
        }
        let mut rates = vec![0.0; system.states()];
        std::mem::swap(&mut evaluator.workspace.wrenches, &mut wrenches);
        let result = evaluator.workspace.accelerate(&mut rates);
        std::mem::swap(&mut evaluator.workspace.wrenches, &mut wrenches);
        evaluator.culprit = result.err().map(crate::contact::Culprit::Body);
        evaluator.workspace.mechanism.efforts.copy_from_slice(&self.efforts);
        if self.evaluator.culprit.is_some() {
            return Err(self.failure_of_evaluation());
        }
        let all = system.mechanics.links.iter().flat_map(|l| rates[l.velocities()].iter().copied());
        Ok(DVector::from_iterator(self.freedoms.len(), all))
    }

    /// Coordinates, reactions and efforts of all joints under all loads, as a run records them. E0605 as for
    /// [`Self::forward_dynamics`].
    pub fn joint_samples(&mut self) -> Result<Vec<JointSample>, RunError> {
        self.forward_dynamics(&DVector::zeros(self.freedoms.len()), Loads::All)?;
        let mut samples = Vec::new();
        let (mechanism, here, _) = self.evaluator.workspace.parts();
        mechanism.sample_joints(&here, &self.wrenches, &mut samples);
        for (contact, push) in normal_forces(&self.evaluator) {
            add_stop(&self.evaluator, contact, push, &mut samples);
        }
        Ok(samples)
    }
}
