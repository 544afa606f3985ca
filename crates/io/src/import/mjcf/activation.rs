//! What follows the control of an actuator and acts in its place.

use carom_engine::Problem;
use carom_engine::model::{Activation, ActivationKind};

use super::super::context::Context;
use super::actuator::{Law, is_taken_back, range_of};
use super::compiler::Compiler;
use super::defaults::View;

/// In the range of activations, which inherited ones of integrators are; `None` after an error. Dynamics that are not known are told.
pub(super) fn read(
    law: &Law<'_>,
    view: &View<'_>,
    inherited: Option<[f64; 2]>,
    compiler: &Compiler,
    context: &Context<'_>,
) -> Option<Option<Activation>> {
    let own = view.own();
    let kind = match law.dynamics {
        "filterexact" if law.time_constant == 0.0 => return Some(None),
        // MuJoCo's two filters differ by how they are stepped.
        "filter" | "filterexact" => ActivationKind::Filter,
        "integrator" => ActivationKind::Integrator,
        _ => {
            law.tell_lag(own, context);
            return Some(None);
        }
    };
    let time_constant = law.time_constant;
    if kind == ActivationKind::Filter && time_constant <= 0.0 {
        let message = format!("the time constant of {} must be positive, got {time_constant}", own.title());
        let key = ["timeconst", "dynprm"].into_iter().find(|key| view.holder(key).is_some());
        let place = key.and_then(|key| Some(view.holder(key)?.place(key))).unwrap_or(own.span);
        context.report(Problem::new("E0805", "", message).expected("a time above 0"), place);
        return None;
    }
    // MuJoCo holds an intvelocity to its range whatever else says whether it is limited.
    let limited = (law.kind != "intvelocity").then_some("actlimited");
    let range = match inherited.filter(|_| kind == ActivationKind::Integrator) {
        Some(inherited) => {
            Some(inherited).filter(|_| limited.and_then(|key| view.text(key)) != Some("false"))
        }
        None => {
            range_of(view, "actrange", limited, !is_taken_back(view, "actrange", context), compiler, context)
        }
    };
    let started = Activation { kind, time_constant, range, initial: 0.0 };
    Some(Some(Activation { initial: started.within_range(0.0), ..started }))
}
