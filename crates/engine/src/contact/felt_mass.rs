//! The mass that a contact feels when it begins, which some dampings take.

use carom_math::{Vec3, Wrench};

use super::convex::points_within;
use super::{Evaluator, PointMotion};
use crate::system::PairSource;

/// Damping of the bristle of a contact that begins (N s/m), with the mass that resists along the surface: by 1/m = ½ tr(W_T),
/// the mean over its directions.
pub(super) fn grip_damping(evaluator: &mut Evaluator<'_>, contact: usize, point: &PointMotion) -> f64 {
    let data = &evaluator.table.contacts[contact];
    let (friction, nominal_mass) = (evaluator.table.pairs[data.pair].friction, data.nominal_mass);
    if friction.bristle().is_none() {
        return 0.0;
    }
    let least = point.normal.iamin();
    let first = point.normal.cross(&Vec3::ith(least, 1.0)).normalize();
    let inverse: f64 = [first, point.normal.cross(&first)]
        .map(|normal| 0.5 / effective_mass(evaluator, contact, &PointMotion { normal, ..*point }))
        .iter()
        .sum();
    // Bodies that only a given motion moves have no finite mass.
    friction.grip_damping(if inverse > 0.0 { 1.0 / inverse } else { nominal_mass })
}

/// The mass that a contact has to accelerate where it carries in the impact that begins (kg): of a manifold, whose corners all come to, in the middle of
/// those that come to touch.
pub(super) fn carried_mass(evaluator: &mut Evaluator<'_>, contact: usize, point: &PointMotion) -> f64 {
    let mass = effective_mass(evaluator, contact, point);
    let Some(convex) = evaluator.table.searched(contact) else { return mass };
    let depth = evaluator.table.contacts[contact].law.impact_penetration(point.approach, mass);
    let points = points_within(evaluator, contact, convex, point, depth);
    let weight: f64 = points.iter().map(|p| p.weight).sum();
    if weight <= 0.0 {
        return mass;
    }
    let sum = points.iter().map(|p| p.motion.position * p.weight).sum::<Vec3>();
    effective_mass(evaluator, contact, &PointMotion { position: sum / weight, ..*point })
}

/// m = (w_Nᵀ M⁻¹ w_N)⁻¹ (kg): what the contact has to accelerate along its normal.
fn effective_mass(evaluator: &mut Evaluator<'_>, contact: usize, point: &PointMotion) -> f64 {
    let data = &evaluator.table.contacts[contact];
    let pair = &evaluator.table.pairs[data.pair];
    let lone = |body: &usize| {
        evaluator.system.mechanics.bodies[*body].link.is_none_or(|l| evaluator.system.mechanics.links[l].lone)
    };
    if evaluator.workspace.mechanism.is_constrained() || !pair.bodies.iter().all(lone) {
        return 1.0 / inverse_mass_in_mechanism(evaluator, contact, point);
    }
    let inverse: f64 = pair
        .bodies
        .iter()
        .filter(|&&b| evaluator.system.mechanics.bodies[b].link.is_some())
        .map(|&b| {
            let (data, body) = (&evaluator.system.mechanics.bodies[b], &evaluator.workspace.bodies[b]);
            let arm = (point.position - body.pose.translation).cross(&point.normal);
            let arm_body = body.pose.rotation.tr_mul(&arm);
            1.0 / data.mass + arm_body.dot(&(data.inverse_inertia * arm_body))
        })
        .sum();
    1.0 / inverse
}

/// The same through the joints and constraints that hold the bodies.
fn inverse_mass_in_mechanism(evaluator: &mut Evaluator<'_>, contact: usize, point: &PointMotion) -> f64 {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    if let PairSource::Stop(stop) = &pair.source {
        return evaluator.workspace.inverse_mass_of_axis(stop.joint, stop.axis);
    }
    let mut wrenches = vec![Wrench::ZERO; evaluator.system.mechanics.bodies.len()];
    for (body, sign) in [(pair.bodies[0], -1.0), (pair.bodies[1], 1.0)] {
        let arm = point.position - evaluator.workspace.bodies[body].pose.translation;
        wrenches[body] += Wrench::of_force(point.normal * sign, &arm);
    }
    evaluator.workspace.inverse_mass_under(&wrenches, &[])
}
