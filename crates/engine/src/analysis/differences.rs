//! Derivatives of the generalised forces by central differences of fourth order.

use nalgebra::{DMatrix, DVector};

use super::constraints::least_squares;
use super::regime::Regime;
use super::{Dynamics, Loads};
use crate::model::AxisMeasure;

/// Largest displacement of a difference, in the model's length or radians.
const STEP: f64 = 1e-3;
/// The same as a share of the smallest penetration, where contacts overlap.
const STEP_IN_CONTACT: f64 = 1e-2;
/// Largest velocity of a difference, in the model's velocity: a hundredth of what regularises friction.
const SPEED: f64 = 1e-5;
/// What a step is shortened by where something comes to touch on the way, and the shortest.
const SHORTER: f64 = 0.1;
const SHORTEST: f64 = 1e-8;
/// Weights of f(x ± h) and f(x ± 2h); and of f(x) to f(x + 4h), to one side.
const CENTRAL: [(f64, f64); 4] =
    [(1.0, 2.0 / 3.0), (-1.0, -2.0 / 3.0), (2.0, -1.0 / 12.0), (-2.0, 1.0 / 12.0)];
const FORWARD: [(f64, f64); 5] =
    [(0.0, -25.0 / 12.0), (1.0, 4.0), (2.0, -3.0), (3.0, 4.0 / 3.0), (4.0, -0.25)];

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

/// Stiffness K = −Nᵀ ∂(Q + Gᵀ λ)/∂q N along the columns of N, geometric stiffness of the constraints included. Forces have kinks where
/// something touches, or a cable becomes taut: steps are so short that nothing does. At such a place what is open stays out, by steps to
/// the one side.
pub(super) fn stiffness(
    dynamics: &mut Dynamics<'_>,
    basis: &DMatrix<f64>,
    multipliers: &DVector<f64>,
) -> DMatrix<f64> {
    let depths = dynamics.evaluator.forces.iter().map(|f| -f.point.gap);
    let overlap = depths.filter(|depth| *depth > 0.0).fold(f64::INFINITY, f64::min);
    let in_contact = STEP_IN_CONTACT * overlap / dynamics.system().scales().length;
    let step = STEP.min(in_contact.max(1e-9));
    let regime = Regime::of(dynamics);
    let mut along = |dynamics: &mut Dynamics<'_>, direction: &DVector<f64>| {
        let unit = 1.0 / size(dynamics, direction);
        let lengths = || {
            std::iter::successors(Some(step), |h| Some(SHORTER * h)).take_while(|h| *h >= SHORTEST.min(step))
        };
        let mut tried = None;
        let central = lengths().map(|h| (h, &CENTRAL[..]));
        let one_sided = lengths().flat_map(|h| [(h, &FORWARD[..]), (-h, &FORWARD[..])]);
        for (h, weights) in central.chain(one_sided) {
            let mut stays = true;
            let moved = |dynamics: &Dynamics<'_>, d: &DVector<f64>| dynamics.displaced_state(d);
            let found = slope(dynamics, direction, multipliers, (h * unit, weights), moved, &mut |there| {
                stays &= regime.holds(there);
            });
            if stays {
                return found;
            }
            tried = Some(tried.unwrap_or(found));
        }
        tried.expect("a step has been tried")
    };
    matrix(dynamics, basis, &mut along)
}

/// Damping C = −Nᵀ ∂(Q − h)/∂v N along the columns of N, at rest.
pub(super) fn damping(
    dynamics: &mut Dynamics<'_>,
    basis: &DMatrix<f64>,
    multipliers: &DVector<f64>,
) -> DMatrix<f64> {
    let scales = dynamics.system().scales();
    let step = SPEED * scales.velocity / scales.length;
    matrix(dynamics, basis, &mut |dynamics, direction| {
        let h = step / size(dynamics, direction);
        let moved = |dynamics: &Dynamics<'_>, v: &DVector<f64>| dynamics.state_with_velocities(v);
        slope(dynamics, direction, multipliers, (h, &CENTRAL), moved, &mut |_| {})
    })
}

/// −Nᵀ times the slopes along the columns of N.
fn matrix(
    dynamics: &mut Dynamics<'_>,
    basis: &DMatrix<f64>,
    slope_along: &mut dyn FnMut(&mut Dynamics<'_>, &DVector<f64>) -> DVector<f64>,
) -> DMatrix<f64> {
    let r = basis.ncols();
    let mut matrix = DMatrix::zeros(r, r);
    for column in 0..r {
        let direction = basis.column(column).into_owned();
        let slope = slope_along(dynamics, &direction);
        matrix.set_column(column, &-basis.tr_mul(&slope));
    }
    matrix
}

/// Slope of the forces along a direction, from states that are `h` times as far along it as the weights say; `look` is shown each.
fn slope(
    dynamics: &mut Dynamics<'_>,
    direction: &DVector<f64>,
    multipliers: &DVector<f64>,
    (h, weights): (f64, &[(f64, f64)]),
    moved: impl Fn(&Dynamics<'_>, &DVector<f64>) -> Vec<f64>,
    look: &mut dyn FnMut(&Dynamics<'_>),
) -> DVector<f64> {
    let (time, state) = (dynamics.time(), dynamics.state().to_vec());
    let mut slope = DVector::zeros(direction.len());
    for &(times, weight) in weights {
        let there = moved(dynamics, &(direction * (h * times)));
        dynamics.go(time, &there);
        look(dynamics);
        slope += forces_with(dynamics, multipliers) * (weight / h);
        dynamics.go(time, &state);
    }
    slope
}
