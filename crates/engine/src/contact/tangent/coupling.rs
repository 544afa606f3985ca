//! Couplings of coordinates, and motors that are rows beside them: constraints G v̇ = c(t) whose G is constant.
//!
//! Of M v̇ + C = Q + Gᵀ λ it is M δv̇ = δ(Q − M a − C) + Gᵀ δλ with G δv̇ = 0. So with D = M⁻¹ ∂(Q − M a − C)/∂x, which `jacobian`
//! makes, ∂v̇/∂x = D − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G D.

use carom_solvers::PivotedCholesky;

use super::TangentWorkspace;
use crate::contact::Evaluator;
use crate::mechanics::constraint::Rows;
use crate::mechanics::{ConstraintData, Equation, Mechanics};

/// Is G of the constraint constant? The joints whose coordinates it names must carry bodies.
pub(super) fn has_tangent(data: &ConstraintData) -> bool {
    matches!(data.equation, Equation::Coupling { .. } | Equation::Drive { .. })
}

/// What the correction is made in. Sized when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct CouplingWorkspace {
    /// M⁻¹ Gᵀ, a row for each state, whose velocities are filled, by rows of G; and it times (G M⁻¹ Gᵀ)⁻¹.
    response: Vec<f64>,
    shares: Vec<f64>,
    /// G M⁻¹ Gᵀ.
    matrix: Vec<f64>,
    factor: PivotedCholesky,
    /// G D.
    demanded: Vec<f64>,
}

/// All trees that rows touch see each other's states.
pub(super) fn join_trees(evaluator: &Evaluator<'_>, work: &mut TangentWorkspace) {
    let mechanics = &evaluator.system.mechanics;
    let Some(rows) = rows_of(evaluator) else { return };
    let trees =
        || freedoms_of(rows).map(|(freedom, _)| mechanics.links[mechanics.link_of_freedom[freedom]].tree);
    // The first learns of all others, and then they of it.
    for _ in 0..2 {
        let Some(first) = trees().next() else { return };
        trees().for_each(|tree| work.join_reach([first, tree]));
    }
}

/// Rows of the last evaluation, if there are any; motors whose motion links make need none.
fn rows_of<'a>(evaluator: &'a Evaluator<'_>) -> Option<&'a Rows> {
    let rows = &evaluator.workspace.mechanism.solver.rows;
    (rows.len() > 0 && !evaluator.system.mechanics.is_driven_only).then_some(rows)
}

fn freedoms_of(rows: &Rows) -> impl Iterator<Item = (usize, f64)> + '_ {
    (0..rows.len()).flat_map(|row| rows.freedoms(row)).copied()
}

/// Makes of D, a row for each state by `n` columns, what the constraints leave of it.
pub(super) fn correct(evaluator: &Evaluator<'_>, work: &mut TangentWorkspace, matrix: &mut [f64], n: usize) {
    let mechanics = &evaluator.system.mechanics;
    let Some(rows) = rows_of(evaluator) else { return };
    let m = rows.len();
    let TangentWorkspace { chain, mass, coupling, .. } = work;
    coupling.response.clear();
    coupling.response.resize(n * m, 0.0);
    let own =
        |row: usize| rows.freedoms(row).iter().map(|&(freedom, k)| (velocity_of(mechanics, freedom), k));
    for row in 0..m {
        own(row).for_each(|(velocity, k)| coupling.response[m * velocity + row] += k);
    }
    mass.solve(chain, &mut coupling.response, m, |_| 0..m);
    coupling.matrix.clear();
    coupling.matrix.resize(m * m, 0.0);
    coupling.demanded.clear();
    coupling.demanded.resize(m * n, 0.0);
    for row in 0..m {
        for (velocity, k) in own(row) {
            add(&mut coupling.matrix[m * row..][..m], k, &coupling.response[m * velocity..][..m]);
            add(&mut coupling.demanded[n * row..][..n], k, &matrix[n * velocity..][..n]);
        }
    }
    // G is constant: rows depend on others always, which pivots tell, or never. The ridge that the evaluation has is for positions
    // that are nearly singular, which these rows do not have.
    coupling.factor.factor(&coupling.matrix, m, None, 0.0);
    coupling.shares.clear();
    coupling.shares.resize(m, 0.0);
    for place in &chain.places {
        let response = &coupling.response[m * place.velocity..][..m];
        if response.iter().all(|x| *x == 0.0) {
            continue;
        }
        coupling.factor.solve(response, &mut coupling.shares);
        for (row, share) in coupling.shares.iter().enumerate().filter(|(_, share)| **share != 0.0) {
            add(&mut matrix[n * place.velocity..][..n], -share, &coupling.demanded[n * row..][..n]);
        }
    }
}

/// A freedom's velocity among the states.
fn velocity_of(mechanics: &Mechanics, freedom: usize) -> usize {
    let link = &mechanics.links[mechanics.link_of_freedom[freedom]];
    link.velocities().start + freedom - link.first_freedom
}

fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    for (x, y) in to.iter_mut().zip(from) {
        *x += factor * y;
    }
}
