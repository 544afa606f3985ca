//! The integrator with its tolerances, as a run uses them.

use carom_engine::model::{AxisElements, Formulation, IntegratorKind, Method, Model};
use carom_engine::{StateMeasure, System};
use carom_results::manifest::{SolverRecord, Tolerances};

/// The integrator of a model, with its finest absolute tolerances.
pub fn solver_of(model: &Model, system: &System) -> SolverRecord {
    let (method, reason) = method_of(model);
    SolverRecord {
        method: method.to_owned(),
        reason,
        others: Vec::new(),
        rtol: model.solver.rtol,
        atol: Tolerances {
            length_m: system.finest_tolerance(StateMeasure::Length),
            angle_rad: system.finest_tolerance(StateMeasure::Angle),
            velocity_m_s: system.finest_tolerance(StateMeasure::Velocity),
            angular_velocity_rad_s: system.finest_tolerance(StateMeasure::AngularVelocity),
            energy_j: system.energy_tolerance(),
        },
        t_end_s: model.solver.t_end,
        output_every_s: Some(system.output_every()),
    }
}

/// The integrator and why it was taken.
fn method_of(model: &Model) -> (&'static str, String) {
    let fixed = model.solver.fixed_step().map(|h| format!("fixed step {h:?} s"));
    match (model.solver.formulation, model.solver.method) {
        (Formulation::Ali3p { .. }, _) => {
            let of_model = std::iter::once("formulation of the model".to_owned());
            ("ali3p", of_model.chain(fixed).collect::<Vec<_>>().join(", "))
        }
        (Formulation::Kkt, IntegratorKind::Auto) => {
            let is_rigid = model.contact_lines.iter().any(|line| line.method == Method::Nonsmooth)
                || model.joints.iter().flat_map(|joint| &joint.elements).any(AxisElements::has_rigid_stop);
            let stiff = model.solver.stiff_method(is_rigid).name();
            let reason = if is_rigid {
                format!(
                    "auto: explicit from event to event of rigid contact, {stiff} where slow slips are stiff"
                )
            } else if model.joints.is_empty() {
                format!(
                    "auto: explicit while bodies fly and bounce, {stiff} where sustained contact is stiff"
                )
            } else {
                format!("auto: mechanism, explicit until it is stiff, then {stiff}")
            };
            (model.solver.first_method().name(), reason)
        }
        (Formulation::Kkt, kind) => (kind.name(), fixed.unwrap_or_default()),
    }
}
