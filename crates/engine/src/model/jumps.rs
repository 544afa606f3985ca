//! Forces that jump where no event is located, under an integrator of many steps.

use super::{Method, Model};
use crate::Problem;
use crate::law::ArealForm;

/// W0502 where an explicit method of many steps is to integrate areal damping that begins at once on every element. All other laws jump at located
/// events, after which the method starts anew.
pub(crate) fn warn_of_jumps(model: &Model, problems: &mut Vec<Problem>) {
    let method = model.solver.method;
    if !method.is_explicit() || method.traits().is_one_step {
        return;
    }
    for line in model.contact_lines.iter().filter(|line| line.method == Method::Pcm) {
        let law = &model.laws[line.law];
        let Some(areal) = &law.areal else { continue };
        if areal.damping == [0.0; 2] || matches!(areal.form, ArealForm::Ramped(_)) {
            continue;
        }
        let message = format!(
            "{} meets jumps in \"{}\": the damping of law \"{}\", {} N s/m^3, begins at once on each element that comes \
             to touch, and a method of many steps falls back to short ones of low order there",
            method.name(),
            line.name,
            law.name,
            areal.damping[0].max(areal.damping[1])
        );
        let help = "pcm.damping_form = \"ramped\", the default, grows with the depth; \"ode45\", \"auto\" and \"radau5\" take jumps better";
        problems.push(Problem::new("W0502", "solver.method", message).help(help));
    }
}
