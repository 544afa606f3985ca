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

/// All forces at the present state, and the multipliers with which the constraints take most of them.
pub(super) fn balance(dynamics: &mut Dynamics<'_>) -> Balance {
    let forces = -dynamics.bias_forces(Loads::All);
    let (multipliers, left) = least_squares(dynamics.constraint_jacobian(true).transpose(), &-forces);
    Balance { rest: -left, multipliers }
}

/// Q − h + Gᵀ λ with given multipliers.
fn forces_with(dynamics: &mut Dynamics<'_>, multipliers: &DVector<f64>) -> DVector<f64> {
    let held = dynamics.constraint_jacobian(true).tr_mul(multipliers);
    held - dynamics.bias_forces(Loads::All)
}

/// What one unit of each freedom is worth: the model's length, or a radian.
pub(super) fn unit(dynamics: &Dynamics<'_>, freedom: usize) -> f64 {
    match dynamics.freedoms[freedom].measure {
        AxisMeasure::Angle => 1.0,
        AxisMeasure::Length => dynamics.system().scales().length,
    }
}

/// Largest component of a displacement, in units of the freedoms.
pub(super) fn size(dynamics: &Dynamics<'_>, displacement: &DVector<f64>) -> f64 {
    displacement.iter().enumerate().map(|(f, d)| d.abs() / unit(dynamics, f)).fold(0.0, f64::max)
}

/// Stiffness K = −Nᵀ ∂(Q + Gᵀ λ)/∂q N along the columns of N, geometric stiffness of the constraints included.
pub(super) fn stiffness(
    dynamics: &mut Dynamics<'_>,
    basis: &DMatrix<f64>,
    multipliers: &DVector<f64>,
) -> DMatrix<f64> {
    let depths = dynamics.evaluator.forces.iter().map(|f| -f.point.gap);
    let overlap = depths.filter(|depth| *depth > 0.0).fold(f64::INFINITY, f64::min);
    let in_contact = STEP_IN_CONTACT * overlap / dynamics.system().scales().length;
    let step = STEP.min(in_contact.max(1e-9));
    difference(dynamics, basis, multipliers, step, |dynamics, d| dynamics.displaced_state(d))
}

/// Damping C = −Nᵀ ∂(Q − h)/∂v N along the columns of N, at rest.
pub(super) fn damping(
    dynamics: &mut Dynamics<'_>,
    basis: &DMatrix<f64>,
    multipliers: &DVector<f64>,
) -> DMatrix<f64> {
    let scales = dynamics.system().scales();
    let step = SPEED * scales.velocity / scales.length;
    difference(dynamics, basis, multipliers, step, |dynamics, v| dynamics.state_with_velocities(v))
}

fn difference(
    dynamics: &mut Dynamics<'_>,
    basis: &DMatrix<f64>,
    multipliers: &DVector<f64>,
    step: f64,
    moved: impl Fn(&Dynamics, &DVector<f64>) -> Vec<f64>,
) -> DMatrix<f64> {
    let (time, state) = (dynamics.time(), dynamics.state().to_vec());
    let r = basis.ncols();
    let mut matrix = DMatrix::zeros(r, r);
    for column in 0..r {
        let direction = basis.column(column).into_owned();
        let h = step / size(dynamics, &direction);
        let mut slope = DVector::zeros(direction.len());
        for (times, weight) in WEIGHTS {
            let there = moved(dynamics, &(&direction * (h * times)));
            dynamics.go(time, &there);
            slope += forces_with(dynamics, multipliers) * (weight / h);
            dynamics.go(time, &state);
        }
        matrix.set_column(column, &-basis.tr_mul(&slope));
    }
    matrix
}
