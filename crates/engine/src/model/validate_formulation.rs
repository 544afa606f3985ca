//! Whether formulation, integrator and fixed steps go together.

use super::{
    AxisElements, Family, Force, ForceKind, Formulation, IntegratorKind, Method, Model, SolverSettings,
};
use crate::Problem;

/// E0502 for numbers that are not positive, E0509 for a fixed step of an integrator that has none.
pub(super) fn check_formulation(solver: &SolverSettings, problems: &mut Vec<Problem>) {
    let (penalty, is_ali3p) = match solver.formulation {
        Formulation::Ali3p { penalty } => (Some(penalty), true),
        Formulation::Kkt => (None, false),
    };
    let fixed = solver.fixed_step();
    if fixed.is_some() && !is_ali3p && !solver.method.traits().is_one_step {
        problems.push(no_fixed_steps(solver.method));
    }
    for (key, value, unit) in [("penalty", penalty, ""), ("step", fixed, " s")] {
        if let Some(value) = value.filter(|v| !(v.is_finite() && *v > 0.0)) {
            let message = format!("{key} must be positive, got {value}{unit}");
            let problem = Problem::new("E0502", format!("solver.formulation.{key}"), message);
            problems.push(problem.expected(format!("{key} > 0")));
        }
    }
}

/// E0510: rigid contact takes the formulation of constraints that it is one of, and states that follow others take methods that
/// integrate all states alike.
pub(super) fn check_kkt_only(model: &Model, problems: &mut Vec<Problem>) {
    if model.solver.formulation == Formulation::Kkt {
        return;
    }
    let line = model.contact_lines.iter().find(|line| line.method == Method::Nonsmooth);
    let joint = model.joints.iter().find(|joint| joint.elements.iter().any(AxisElements::has_rigid_stop));
    let activated =
        |force: &&Force| matches!(&force.kind, ForceKind::Actuator(own) if own.activation.is_some());
    if let Some(force) = model.forces.iter().find(activated) {
        let message = format!(
            "actuator \"{}\" has an activation, which the formulation ali3p does not know",
            force.name
        );
        let problem = Problem::new("E0510", "solver.formulation", message);
        problems.push(problem.expected("formulation = \"kkt\"").help("remove `formulation`"));
    }
    let named = line.map(|line| format!("contact \"{}\"", line.name));
    if let Some(name) = named.or(joint.map(|joint| format!("the limit of joint \"{}\"", joint.name))) {
        let message = format!(
            "{name} is rigid, and the formulation ali3p has no rigid contact: its multipliers lag behind impacts"
        );
        let problem = Problem::new("E0510", "solver.formulation", message);
        problems.push(
            problem.expected("formulation = \"kkt\"").help("remove `formulation`, or use a compliant method"),
        );
    }
}

/// E0509: the integrator chooses its steps by what was before.
fn no_fixed_steps(method: IntegratorKind) -> Problem {
    let name = method.name();
    let message = if method.traits().family == Family::Changing {
        format!(
            "a fixed step needs an integrator by name: `{name}` changes between several by the steps that they make"
        )
    } else {
        format!("`{name}` has no fixed steps: order and step follow from the steps before")
    };
    let one_step = IntegratorKind::ALL.into_iter().filter(|kind| kind.traits().is_one_step);
    let words: Vec<_> = one_step.map(|kind| format!("\"{}\"", kind.name())).collect();
    Problem::new("E0509", "solver.formulation.step", message)
        .expected(format!("solver.method = {}, or the formulation ali3p", words.join(", ")))
        .help("state one of them, or remove `step`")
}
