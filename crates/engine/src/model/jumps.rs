//! Forces that jump where no event is located, under an integrator of many steps.

use super::{IntegratorKind, Method, Model};
use crate::Problem;
use crate::law::ArealForm;

/// W0502 where `ode113` is to integrate areal damping that begins at once on every element. All other laws jump at located
/// events, after which the method starts anew.
pub(super) fn warn_of_jumps(model: &Model, problems: &mut Vec<Problem>) {
    if model.solver.method != IntegratorKind::Ode113 {
        return;
    }
    for line in model.contact_lines.iter().filter(|line| line.method == Method::Pcm) {
        let law = &model.laws[line.law];
        let Some(areal) = &law.areal else { continue };
        if areal.damping == [0.0; 2] || matches!(areal.form, ArealForm::Ramped(_)) {
            continue;
        }
        let message = format!(
            "ode113 meets jumps in \"{}\": the damping of law \"{}\", {} N s/m^3, begins at once on each element that comes \
             to touch, and a method of many steps falls back to short ones of low order there",
            line.name,
            law.name,
            areal.damping[0].max(areal.damping[1])
        );
        let help = "pcm.damping_form = \"ramped\", the default, grows with the depth; \"ode45\", \"auto\" and \"radau5\" take jumps better";
        problems.push(Problem::new("W0502", "solver.method", message).help(help));
    }
}
