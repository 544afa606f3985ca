//! What steps cost, in evaluations of the right-hand side: estimates that decide on nothing but speed.

use carom_solvers::Ode;

use crate::contact::Evaluator;
use crate::contact::tangent::jacobian;
use crate::model::IntegratorKind;

/// Jacobians and factorisations per step of an implicit method.
const RENEWALS: [f64; 2] = [0.7, 0.7];
/// The same of `bdf`, which keeps both while they serve.
const RENEWALS_OF_BDF: [f64; 2] = [0.1, 0.3];
/// Time of a body, a contact of shapes with a kernel, and one of convex solids in an evaluation (s).
const BODY: f64 = 2e-7;
const CONTACT: f64 = 4e-7;
const CONVEX_CONTACT: f64 = 4e-6;
/// Time per n³ of one real and one complex factorisation (s), and of the real one of `bdf`, of half the size.
const FACTORS: f64 = 2e-9;
const FACTORS_OF_BDF: f64 = 2e-11;

/// Evaluations of a step of an implicit method with the contacts of now, the linear algebra counted as evaluations that take
/// as long.
pub(super) fn evaluations_of_implicit_step(kind: IntegratorKind, evaluator: &Evaluator<'_>) -> f64 {
    let system = &*evaluator.system;
    let contact = |&index: &usize| {
        if evaluator.table.searched(index).is_some() { CONVEX_CONTACT } else { CONTACT }
    };
    let contacts: f64 = evaluator.contacts.active.iter().map(contact).sum();
    let evaluation = BODY * system.mechanics.links.len() as f64 + contacts;
    let n = evaluator.dimension() as f64;
    let jacobian = if jacobian::has_tangent(evaluator) { 1.0 } else { n };
    let ([jacobians, factorisations], factors) = match kind {
        IntegratorKind::Bdf => (RENEWALS_OF_BDF, FACTORS_OF_BDF),
        _ => (RENEWALS, FACTORS),
    };
    kind.traits().evaluations + jacobians * jacobian + factorisations * factors * n * n * n / evaluation
}
