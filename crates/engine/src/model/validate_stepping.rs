//! What time stepping takes: rigid contacts, and a step.

use super::{ForceKind, Formulation, IntegratorKind, Method, Model};
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
        if joint.elements.iter().any(|elements| elements.limit.is_some()) {
            let message =
                format!("moreau does not know limits of joints, and joint \"{}\" has one", joint.name);
            refuse(
                format!("joint.{}.limit", joint.name),
                message,
                "remove the limit, or choose another integrator",
            );
        }
    }
    for force in &model.forces {
        if matches!(force.kind, ForceKind::Cable { elasticity: None, .. }) {
            let message =
                format!("moreau does not know cables that do not stretch, and \"{}\" is one", force.name);
            refuse(
                format!("force.{}", force.name),
                message,
                "give the cable a stiffness, or choose another integrator",
            );
        }
    }
}
