//! Constraints in matrices, for analyses: Jacobian, null space, multipliers.

use carom_math::Twist;
use nalgebra::{DMatrix, DVector};

use super::Dynamics;
use crate::mechanics::Owner;

/// Singular values of the constraints with rows of length one below which a direction is free.
const RANK: f64 = 1e-9;
/// Length of a row, over that of the longest, below which it is rounding: redundant constraints, such as those of a
/// planar loop across its plane, have such rows, which must not be taken for directions.
const NO_ROW: f64 = 1e-12;

impl Dynamics<'_> {
    /// Jacobian G of the constraints (rows × freedoms) at the state: joints that close loops, constraints, taut
    /// cables without elasticity, and, if `drives`, motors that prescribe a motion.
    pub fn constraint_jacobian(&mut self, drives: bool) -> DMatrix<f64> {
        let n = self.freedoms.len();
        let (mechanism, here, _) = self.evaluator.workspace.parts();
        let mechanics = here.mechanics;
        let holds = &mechanism.holds;
        let kept = |group: usize| {
            holds[group] && (drives || !matches!(mechanics.constraints[group].owner, Owner::Motor(..)))
        };
        mechanism.solver.write(&here, &mechanics.constraints, kept);
        let rows = &mechanism.solver.rows;
        let mut jacobian = DMatrix::zeros(rows.len(), n);
        let (mut unit, mut motions) = (vec![0.0; n], vec![Twist::ZERO; mechanics.links.len()]);
        for f in 0..n {
            unit[f] = 1.0;
            mechanism.tree.motions_of(&mechanics.links, here.bodies, &unit, &mut motions);
            for row in 0..rows.len() {
                jacobian[(row, f)] = rows.product(row, &motions, &unit);
            }
            unit[f] = 0.0;
        }
        jacobian
    }

    /// Orthonormal basis N of the velocities that all constraints allow: G N = 0 (freedoms × what is left).
    pub fn free_directions(&mut self) -> DMatrix<f64> {
        let jacobian = self.constraint_jacobian(true);
        null_space(&jacobian)
    }
}

/// Orthonormal basis of the null space, by singular values of the matrix with rows of length one.
pub(super) fn null_space(g: &DMatrix<f64>) -> DMatrix<f64> {
    let (m, n) = g.shape();
    // Zero rows make all right singular vectors come out.
    let mut square = DMatrix::zeros(m.max(n), n);
    let longest = g.row_iter().map(|row| row.norm()).fold(0.0, f64::max);
    for (i, row) in g.row_iter().enumerate() {
        let length = row.norm();
        if length > NO_ROW * longest {
            square.row_mut(i).copy_from(&(row / length));
        }
    }
    let svd = square.svd(false, true);
    let right = svd.v_t.expect("right singular vectors were asked for");
    let free: Vec<usize> = (0..n).filter(|&k| svd.singular_values[k] <= RANK).collect();
    DMatrix::from_fn(n, free.len(), |i, k| right[(free[k], i)])
}

/// x of least norm with the least |A x − b|, and what is left of b.
pub(super) fn least_squares(a: DMatrix<f64>, b: &DVector<f64>) -> (DVector<f64>, DVector<f64>) {
    if a.ncols() == 0 || a.nrows() == 0 {
        return (DVector::zeros(a.ncols()), b.clone());
    }
    let svd = a.clone().svd(true, true);
    let cut = RANK * svd.singular_values.max();
    let x = svd.solve(b, cut).unwrap_or_else(|_| DVector::zeros(a.ncols()));
    let rest = b - a * &x;
    (x, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_no_constraint() {
        let g = DMatrix::from_row_slice(3, 3, &[1.0, 1.0, 0.0, 0.0, 1e-17, 2e-17, 1e-3, 0.0, 0.0]);
        let free = null_space(&g);
        assert_eq!(free.ncols(), 1);
        assert!((free[(2, 0)].abs() - 1.0).abs() < 1e-15 && (g * free).amax() < 1e-16);
    }
}
