use carom_solvers::{Fault, Ode};

use crate::contact::Evaluator;
use crate::contact::{areal, commit, meshes};
use crate::system::System;

/// The right-hand side alone, as an integrator calls it.
pub struct Rates<'a> {
    evaluator: Evaluator<'a>,
    quadratures: Vec<f64>,
}

impl<'a> Rates<'a> {
    /// With all buffers made, before any contact has begun.
    pub fn new(system: &'a System) -> Self {
        let evaluator = Evaluator::new(system);
        let quadratures = vec![0.0; evaluator.quadratures()];
        Self { evaluator, quadratures }
    }

    /// The same with the contacts that begin at the start of a run; areal ones act wherever their surfaces overlap.
    pub fn in_contact(system: &'a System) -> Self {
        let mut rates = Self::new(system);
        rates.evaluator.update(0.0, &system.mechanics.initial);
        commit::commit_start(&mut rates.evaluator, 0.0, &mut Vec::new());
        meshes::approach::watch_meshes(&mut rates.evaluator);
        rates.quadratures.resize(rates.evaluator.quadratures(), 0.0);
        rates
    }

    /// Takes the motion at a state for that in which the areal contacts began, which restitution is measured against. Before
    /// that they are not damped by it.
    ///
    /// # Panics
    /// If the state has not [`System::states`] numbers.
    pub fn begin_areal_at(&mut self, time: f64, state: &[f64]) {
        self.evaluator.update(time, state);
        areal::begin::begin_all_areal(&mut self.evaluator);
    }

    /// State at the start of a run.
    pub fn initial(&self) -> &[f64] {
        &self.evaluator.system.mechanics.initial
    }

    /// Rates ẏ of all states at a time (s) and state. It fails where forces or accelerations are not finite.
    ///
    /// # Panics
    /// If the slices have not [`System::states`] numbers.
    pub fn update(&mut self, time: f64, state: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        self.evaluator.rhs(time, state, rates, &mut self.quadratures)
    }

    /// ∂ẏ/∂y row by row, as implicit integrators take it, and true; or false where they take differences: if there are
    /// joints that close loops, constraints other than motors of a model without them, or cables. Exact for pairs of
    /// shapes with a kernel; of convex solids all but the curvature and clipping of the manifold.
    ///
    /// # Panics
    /// If the state has not [`System::states`] numbers, or the matrix not their square.
    pub fn jacobian(&mut self, time: f64, state: &[f64], matrix: &mut [f64]) -> Result<bool, Fault> {
        self.evaluator.jacobian(time, state, matrix)
    }
}
