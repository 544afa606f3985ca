//! Derivatives of the generalised forces by central differences of fourth order.

use nalgebra::{DMatrix, DVector};

use super::constraints::least_squares;
use super::{Dynamics, Loads};
use crate::model::AxisMeasure;

/// Largest displacement of a difference, in the model's length or radians.
const STEP: f64 = 1e-3;
/// The same as a share of the smallest penetration, where contacts overlap.
const STEP_IN_CONTACT: f64 = 1e-2;
/// Largest velocity of a difference, in the model's velocity: a hundredth of what regularises friction.
const SPEED: f64 = 1e-5;
/// Weights of f(x ± h) and f(x ± 2h).
const WEIGHTS: [(f64, f64); 4] =
    [(1.0, 2.0 / 3.0), (-1.0, -2.0 / 3.0), (2.0, -1.0 / 12.0), (-2.0, 1.0 / 12.0)];

/// Balance of forces at rest.
pub(super) struct Balance {
    /// What the constraints leave of the forces on each freedom: Q + Gᵀ λ.
    pub(super) rest: DVector<f64>,
    pub(super) multipliers: DVector<f64>,
}

impl Dynamics<'_> {
    /// All forces at the present state, and the multipliers with which the constraints take most of them.
    pub(super) fn balance(&mut self) -> Balance {
        let forces = -self.bias_forces(Loads::All);
        let (multipliers, left) = least_squares(self.constraint_jacobian(true).transpose(), &-forces);
        Balance { rest: -left, multipliers }
    }

    /// Q − h + Gᵀ λ with given multipliers.
    fn forces_with(&mut self, multipliers: &DVector<f64>) -> DVector<f64> {
        let held = self.constraint_jacobian(true).tr_mul(multipliers);
        held - self.bias_forces(Loads::All)
    }

    /// What one unit of each freedom is worth: the model's length, or a radian.
    pub(super) fn unit(&self, freedom: usize) -> f64 {
        match self.freedoms[freedom].measure {
            AxisMeasure::Angle => 1.0,
            AxisMeasure::Length => self.system().scales().length,
        }
    }

    /// Largest component of a displacement, in units of the freedoms.
    pub(super) fn size(&self, displacement: &DVector<f64>) -> f64 {
        displacement.iter().enumerate().map(|(f, d)| d.abs() / self.unit(f)).fold(0.0, f64::max)
    }

    /// Stiffness K = −Nᵀ ∂(Q + Gᵀ λ)/∂q N along the columns of N, geometric stiffness of the constraints included.
    pub(super) fn stiffness(&mut self, basis: &DMatrix<f64>, multipliers: &DVector<f64>) -> DMatrix<f64> {
        let depths = self.evaluator.forces.iter().map(|f| -f.point.gap);
        let overlap = depths.filter(|depth| *depth > 0.0).fold(f64::INFINITY, f64::min);
        let in_contact = STEP_IN_CONTACT * overlap / self.system().scales().length;
        let step = STEP.min(in_contact.max(1e-9));
        self.difference(basis, multipliers, step, |dynamics, d| dynamics.displaced_state(d))
    }

    /// Damping C = −Nᵀ ∂(Q − h)/∂v N along the columns of N, at rest.
    pub(super) fn damping(&mut self, basis: &DMatrix<f64>, multipliers: &DVector<f64>) -> DMatrix<f64> {
        let scales = self.system().scales();
        let step = SPEED * scales.velocity / scales.length;
        self.difference(basis, multipliers, step, |dynamics, v| dynamics.state_with_velocities(v))
    }

    fn difference(
        &mut self,
        basis: &DMatrix<f64>,
        multipliers: &DVector<f64>,
        step: f64,
        moved: impl Fn(&Self, &DVector<f64>) -> Vec<f64>,
    ) -> DMatrix<f64> {
        let (time, state) = (self.time(), self.state().to_vec());
        let r = basis.ncols();
        let mut matrix = DMatrix::zeros(r, r);
        for column in 0..r {
            let direction = basis.column(column).into_owned();
            let h = step / self.size(&direction);
            let mut slope = DVector::zeros(direction.len());
            for (times, weight) in WEIGHTS {
                let there = moved(self, &(&direction * (h * times)));
                self.go(time, &there);
                slope += self.forces_with(multipliers) * (weight / h);
                self.go(time, &state);
            }
            matrix.set_column(column, &-basis.tr_mul(&slope));
        }
        matrix
    }
}
