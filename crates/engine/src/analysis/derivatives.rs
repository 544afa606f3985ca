use nalgebra::{DMatrix, DVector};

use super::{Dynamics, Loads};
use crate::contact::TangentWorkspace;
use crate::contact::tangent::jacobian::{has_tangent, is_tree_like, write_slopes};
use crate::outcome::RunError;

/// Derivatives of forward dynamics v̇(q, v, τ) at a state, by [`super::Freedom`]: rows are accelerations, columns what they are
/// derived by.
#[derive(Clone, Debug)]
pub struct Derivatives {
    /// v̇ (m/s², rad/s²).
    pub accelerations: DVector<f64>,
    /// ∂v̇/∂q along displacements as [`Dynamics::displaced_state`] makes them: of rotations, by the rotation vector in body axes.
    pub by_position: DMatrix<f64>,
    /// ∂v̇/∂v.
    pub by_velocity: DMatrix<f64>,
    /// ∂v̇/∂τ = M⁻¹, of what no motor moves.
    pub by_effort: DMatrix<f64>,
}

impl Dynamics<'_> {
    /// Forward dynamics under the given loads and efforts, with its derivatives in closed form: M ∂v̇/∂x = ∂Q/∂x − ∂(M a + h)/∂x
    /// at a = v̇, as in Carpentier & Mansard (Robotics: Science and Systems 2018). `None` where there is no closed form: with joints
    /// that close loops, constraints, cables, and friction with bristles. E0605 as for [`Self::forward_dynamics`].
    ///
    /// # Panics
    /// If there are not as many efforts as freedoms.
    pub fn derivatives(
        &mut self,
        efforts: &DVector<f64>,
        loads: Loads,
    ) -> Result<Option<Derivatives>, RunError> {
        let accelerations = self.forward_dynamics(efforts, loads)?;
        if !has_tangent(&self.evaluator) || !is_tree_like(&self.evaluator) {
            return Ok(None);
        }
        let system = self.held();
        let mut work = self.tangents.take().unwrap_or_else(|| TangentWorkspace::new(&system));
        let (n, states) = (self.freedoms.len(), system.states());
        let mut slopes = vec![0.0; states * states];
        let mut inverse = vec![0.0; states * n];
        for link in &system.mechanics.links {
            self.evaluator.rates[link.velocities()]
                .copy_from_slice(&accelerations.as_slice()[link.freedoms()]);
        }
        self.evaluator.has_rates = false;
        let written = write_slopes(
            &mut self.evaluator,
            &mut work,
            loads != Loads::Nothing,
            loads == Loads::All,
            &mut slopes,
        );
        if written.is_err() {
            self.tangents = Some(work);
            return Err(self.failure_of_evaluation());
        }
        work.write_inverse_mass(&system, &mut inverse);
        self.tangents = Some(work);
        let mut found = Derivatives {
            accelerations,
            by_position: DMatrix::zeros(n, n),
            by_velocity: DMatrix::zeros(n, n),
            by_effort: DMatrix::zeros(n, n),
        };
        // Rotations have three slopes in the first places of their quaternions.
        let places = || {
            system.mechanics.links.iter().flat_map(|l| {
                l.freedoms()
                    .enumerate()
                    .map(move |(k, freedom)| (freedom, l.first_state + k, l.velocities().start + k))
            })
        };
        for (i, _, row) in places() {
            let slopes = &slopes[states * row..][..states];
            for (j, coordinate, velocity) in places() {
                found.by_position[(i, j)] = slopes[coordinate];
                found.by_velocity[(i, j)] = slopes[velocity];
                found.by_effort[(i, j)] = inverse[n * row + j];
            }
        }
        Ok(Some(found))
    }
}
