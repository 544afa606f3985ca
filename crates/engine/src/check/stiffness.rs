//! How many steps stability will ask of an explicit method, from the rates of the contacts.

use crate::model::{Formulation, Model};
use crate::system::{ContactData, PairData, PairSource};
use crate::{Problem, StateMeasure, System};

/// More steps than this are worth a word: some ten seconds for one contact.
const MANY_STEPS: f64 = 1e6;
/// |λ|h that explicit methods are held to, nearly.
const REACH: f64 = 2.5;
/// Friction at the contact of a solid ball turns it too: 1 + m r²/J.
const ROLLING: f64 = 3.5;

/// W0501 where a stated explicit method would need very many steps while the stiffest contact lasts, or shorter ones than
/// those that are fixed.
pub(super) fn warn_of_stiffness(model: &Model, system: &System, problems: &mut Vec<Problem>) {
    let method = model.solver.method;
    if !method.is_explicit() || model.solver.formulation != Formulation::Kkt {
        return;
    }
    let gravity = model.gravity.norm();
    let seen = system.finest_tolerance(StateMeasure::Velocity).unwrap_or(0.0);
    let rates = system.table.contacts.iter().map(|contact| {
        let pair = &system.table.pairs[contact.pair];
        (contact.pair, fastest_rate(contact, pair, gravity * contact.nominal_mass, seen))
    });
    let Some((pair, rate)) = rates.max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
    let (step, steps) = (REACH / rate, rate * model.solver.t_end / REACH);
    let fixed = model.solver.fixed_step();
    if fixed.map_or(steps <= MANY_STEPS, |fixed| fixed <= step) {
        return;
    }
    let beyond = fixed.map(|fixed| format!(", which the fixed {fixed:.1e} s exceed")).unwrap_or_default();
    let message = format!(
        "{} needs some {steps:.0e} steps while \"{}\" lasts: stability holds them to {step:.1e} s{beyond}, as the contact \
         answers at a rate of {rate:.1e} 1/s",
        method.name(),
        system.table.pair_info[pair].name,
    );
    let help = match fixed {
        Some(_) => "method = \"radau5\" is stable there; a larger v_reg or a softer law lets steps be longer",
        None => {
            "method = \"auto\" or \"radau5\" takes long steps there; so does a larger v_reg or a softer law"
        }
    };
    problems.push(Problem::new("W0501", "solver.method", message).help(help));
}

/// Rate of the fastest mode (1/s) of a contact that carries a load (N) at rest: its oscillation √(F'/m), its damping, and its
/// regularised friction, 7/2 N μ(v)/(v m) of a solid ball, at speeds (m/s) that the tolerance sees.
fn fastest_rate(contact: &ContactData, pair: &PairData, load: f64, seen: f64) -> f64 {
    let is_point =
        matches!(pair.source, PairSource::Surfaces(_) | PairSource::Convex(_) | PairSource::Planar(_));
    if !is_point || pair.rigid.is_some() || load == 0.0 {
        return 0.0;
    }
    let (law, mass) = (&contact.law, contact.nominal_mass);
    let damping = law.frozen_damping(0.0, mass);
    let [by_depth, by_speed] = law.slopes(law.static_penetration(load), 0.0, damping);
    // Some laws have no friction at rest; all of them have risen where they slip.
    let slip = pair.friction.slip_speed().max(seen);
    let ratio = pair.friction.ratio(seen).max(pair.friction.ratio(slip));
    // A bristle is damped at 2 √(k_t/m), and twice as fast at the least.
    let bristle = pair.friction.bristle().map_or(0.0, |law| 4.0 * (ROLLING * law.stiffness / mass).sqrt());
    (by_depth / mass).sqrt().max(by_speed / mass).max(ROLLING * load * ratio / mass).max(bristle)
}
