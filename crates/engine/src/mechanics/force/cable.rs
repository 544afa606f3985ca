use carom_math::{Vec3, Wrench};

use super::{Account, QUIET, origin};
use crate::mechanics::CableData;
use crate::mechanics::Configuration;
use crate::mechanics::constraint::cable_geometry;
use crate::record::ForceSample;

/// The tension is the same in all segments. Reeling in works against the tension. An
/// inextensible cable is a constraint and has no force here.
pub(super) fn elastic_cable(
    here: &Configuration<'_>,
    cable: &CableData,
    wrenches: &mut [Wrench],
    account: &mut Account,
) -> ForceSample {
    let geometry = cable_geometry(here, cable);
    let quiet = ForceSample { length: geometry.path, rate: geometry.path_rate, ..QUIET };
    let Some(elasticity) = cable.elasticity else { return quiet };
    let [excess, rate] = geometry.stretch();
    if excess <= 0.0 {
        return quiet;
    }
    let elastic = elasticity.stiffness * excess;
    let tension = cable.tension(excess, rate);
    account.potential += 0.5 * elastic * excess;
    account.viscous += (tension - elastic) * rate;
    account.motors -= tension * geometry.length_rate;
    let force = pull(here, cable, tension, wrenches);
    ForceSample { value: tension, force, ..quiet }
}

/// Puts a tension on all points of the path; returns the force on the last.
fn pull(here: &Configuration<'_>, cable: &CableData, tension: f64, wrenches: &mut [Wrench]) -> Vec3 {
    let mut last = Vec3::zeros();
    for segment in cable.path.windows(2) {
        let ((arm_a, at_a, _), (arm_b, at_b, _)) = (origin(here, &segment[0]), origin(here, &segment[1]));
        let force = (at_a - at_b).normalize() * tension;
        wrenches[segment[0].body] -= Wrench::of_force(force, &arm_a);
        wrenches[segment[1].body] += Wrench::of_force(force, &arm_b);
        last = force;
    }
    last
}
