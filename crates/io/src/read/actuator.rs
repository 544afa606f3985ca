//! Actuators along coordinates of joints.

use carom_engine::function::{Interpolation, TimeFunction};
use carom_engine::model::{Activation, ActivationKind, Actuator, JointKind};

use super::Section;
use super::constraint::{Coordinates, read_terms};
use crate::quantity::Dimension;

/// Reads an actuator; `None` after an error. Numbers are plain where its length is neither an angle nor a length.
pub(super) fn read_actuator(
    section: &Section<'_, '_>,
    prefix: &str,
    coordinates: &Coordinates<'_>,
) -> Option<Actuator> {
    let (terms, sum) = read_terms(section, prefix, coordinates, JointKind::freedoms)?;
    let [effort, stiffness, damping] = match sum {
        Some(d) if d.equals(Dimension::ANGLE) => {
            [Dimension::ENERGY, Dimension::TORSIONAL_STIFFNESS, Dimension::TORSIONAL_DAMPING]
        }
        Some(d) if d.equals(Dimension::LENGTH) => {
            [Dimension::FORCE, Dimension::LINE_STIFFNESS, Dimension::VISCOUS]
        }
        _ => [Dimension::NONE; 3],
    };
    let control = match section.has("control") {
        true => section.function("control", Dimension::NONE, Interpolation::Linear),
        false => Some(TimeFunction::Constant(0.0)),
    };
    let range = |key: &str, dimension: Dimension| match section.node(key) {
        Some(node) => {
            let both = section.list_of(node, &section.path_of(key), &[dimension; 2])?;
            Some(Some([both[0], both[1]]))
        }
        None => Some(None),
    };
    let (control_range, effort_range) =
        (range("control_range", Dimension::NONE), range("effort_range", effort));
    let activation = read_activation(section, range("activation_range", Dimension::NONE));
    let gain = section.quantity_in_or_default("gain", effort);
    let bias = section.quantity_in_or_default("bias", effort);
    let stiffness = section.quantity_in_or_default("stiffness", stiffness);
    let damping = section.quantity_in_or_default("damping", damping);
    Some(Actuator {
        terms,
        control: control?,
        control_range: control_range?,
        gain: gain?,
        bias: bias?,
        stiffness: stiffness?,
        damping: damping?,
        effort_range: effort_range?,
        activation: activation?,
    })
}

/// What follows the control, if anything does; `None` after an error.
fn read_activation(section: &Section<'_, '_>, range: Option<Option<[f64; 2]>>) -> Option<Option<Activation>> {
    let keys = ["time_constant", "activation_range", "initial_activation"];
    if !section.has("activation") {
        let Some(idle) = keys.into_iter().find(|key| section.has(key)) else { return Some(None) };
        let message = format!("{} has an actuator without activation", section.path_of(idle));
        let problem = section.problem("E0406", idle, message);
        section.report(idle, problem.help("add activation = \"filter\" or \"integrator\", or remove it"));
        return None;
    }
    let kind = section.kind_or_default("activation", &ActivationKind::ALL, ActivationKind::name, &[])?;
    let time_constant = match kind {
        ActivationKind::Filter => section.required_quantity("time_constant"),
        ActivationKind::Integrator if section.has("time_constant") => {
            let message = format!("{} is a filter's, not an integrator's", section.path_of("time_constant"));
            let problem = section.problem("E0406", "time_constant", message);
            section.report("time_constant", problem.help("scale `gain` for a slower one, or remove it"));
            None
        }
        ActivationKind::Integrator => Some(0.0),
    };
    let initial = section.quantity_or_default("initial_activation");
    Some(Some(Activation { kind, time_constant: time_constant?, range: range?, initial }))
}
