//! Equilibria on areal contact, whose elements sample the surfaces: along directions in which nothing but this
//! sampling resists, as a ball rolls from facet to facet, forces are chance.

use super::equilibrium::{Equilibrium, EquilibriumLimits, ROUNDED, no_step};
use super::stability::Stability;
use super::{Dynamics, eigen::spectrum};
use super::{differences, equilibrium};
use crate::outcome::RunError;
use crate::system::{PairData, PairSource};

/// Steps of Newton's method along stiff directions; it takes a few.
const STEPS: usize = 60;
/// Least and largest error of the sampling that is reckoned with, as a share of the force.
const ERRORS: [f64; 2] = [0.01, 0.1];

/// Estimated relative error of the forces of areal contacts that carry; `None` if none does.
pub(super) fn sampling_error(dynamics: &Dynamics<'_>) -> Option<f64> {
    sampled(dynamics).map(|(_, error)| error).reduce(f64::max)
}

/// Pairs whose areal contacts carry, with the estimated relative error of their forces.
pub(super) fn sampled<'d>(dynamics: &'d Dynamics<'_>) -> impl Iterator<Item = (&'d PairData, f64)> {
    let evaluator = &dynamics.evaluator;
    let carrying = evaluator.contacts.active.iter().zip(&evaluator.forces).filter(|(_, f)| f.normal > 0.0);
    carrying.filter_map(|(&contact, _)| {
        let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
        let PairSource::Areal(areal) = &pair.source else { return None };
        let error = areal.passes.iter().map(|pass| pass.error).fold(0.0, f64::max);
        Some((pair, error.clamp(ERRORS[0], ERRORS[1])))
    })
}

/// Goes to where the forces balance along the stiff directions, those with more than the `error`'s share of the
/// largest stiffness over mass, from nearby and without a motion along the others. `None` if they do not, or if
/// more than the error's share of all loads stays unbalanced along the others: something else than sampling pulls
/// there.
pub(super) fn settle(
    dynamics: &mut Dynamics<'_>,
    limits: &EquilibriumLimits,
    error: f64,
    before: usize,
) -> Result<Option<Equilibrium>, RunError> {
    let mut last_step = f64::INFINITY;
    for step in 0..STEPS {
        let balance = differences::balance(dynamics);
        let (residual, _) = equilibrium::largest(dynamics, &balance.rest);
        let scale = equilibrium::size_of_loads(dynamics);
        let basis = dynamics.free_directions();
        let stiffness = differences::stiffness(dynamics, &basis, &balance.multipliers);
        let mass = basis.tr_mul(&(dynamics.mass_matrix() * &basis));
        let Some(spectrum) = spectrum(&mass, &stiffness) else { return Ok(None) };
        let unbalanced = basis.tr_mul(&balance.rest);
        let mut parts = spectrum.modes.tr_mul(&unbalanced);
        for (part, &value) in parts.iter_mut().zip(&spectrum.values) {
            if value <= error * spectrum.largest() {
                *part = 0.0;
            }
        }
        let stiff = &basis * (&mass * (&spectrum.modes * &parts));
        let (left, _) = equilibrium::largest(dynamics, &stiff);
        let is_far = residual.is_nan() || residual > error * scale;
        if is_far && step > STEPS / 2 {
            return Ok(None);
        }
        if left <= limits.tolerance * scale || (last_step <= no_step(dynamics) && left <= ROUNDED * scale) {
            return Ok((!is_far).then(|| Equilibrium {
                state: dynamics.state().to_vec(),
                iterations: before + step,
                residual,
                residual_relative: residual / scale,
                contacts: dynamics.contacts(),
                stability: Stability::of(dynamics, &basis, &spectrum),
            }));
        }
        let scaled =
            parts.zip_map(&spectrum.values, |part, value| if part == 0.0 { 0.0 } else { part / value });
        let displacement = &basis * (&spectrum.modes * scaled);
        let mut state = dynamics.displaced_state(&displacement);
        equilibrium::close(dynamics, &mut state)?;
        last_step = differences::size(dynamics, &displacement);
    }
    Ok(None)
}
