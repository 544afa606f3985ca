//! What time stepping takes: rigid contacts, and a step.

use super::{AxisElements, Formulation, IntegratorKind, Method, Model, Stop};
use crate::Problem;

/// E0511 for a model by `moreau` that has what it does not know.
pub(super) fn check_stepping(model: &Model, problems: &mut Vec<Problem>) {
    if model.solver.method != IntegratorKind::Moreau {
        return;
    }
    let mut refuse = |path: String, message: String, help: &str| {
        problems.push(Problem::new("E0511", path, message).help(help));
    };
    if model.solver.fixed_step().is_none() {
        let message = "moreau has steps of a fixed length, and the model states none".to_owned();
        refuse("solver.method".to_owned(), message, "add step = \"1 ms\" to [solver]");
    }
    if model.solver.formulation != Formulation::Kkt {
        let message =
            format!("moreau and the formulation {} are two integrators", model.solver.formulation.name());
        refuse("solver.formulation".to_owned(), message, "leave `formulation` out");
    }
    for line in model.contact_lines.iter().filter(|line| line.method != Method::Nonsmooth) {
        let (name, method) = (&line.name, line.method.name());
        let message =
            format!("moreau takes rigid contacts, and contact \"{name}\" is compliant (\"{method}\")");
        let help =
            "write method = \"nonsmooth\" and give its law a nonsmooth block, or choose another integrator";
        refuse(format!("contact.{name}.method"), message, help);
    }
    for joint in &model.joints {
        let gives = |elements: &AxisElements| {
            elements.limit.is_some_and(|limit| matches!(limit.stop, Stop::Compliant { .. }))
        };
        if joint.elements.iter().any(gives) {
            let message = format!(
                "moreau takes stops that do not give, and the limit of joint \"{}\" does",
                joint.name
            );
            let help = "write nonsmooth = { e_n = … } in the limit, or choose another integrator";
            refuse(format!("joint.{}.limit", joint.name), message, help);
        }
    }
}
