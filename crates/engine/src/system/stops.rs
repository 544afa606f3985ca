//! Stops of joint coordinates, and cables that can go taut: what has events like contacts, and a place among them.

use super::{ContactData, PairData, PairSource, Scales, StopData, System};
use crate::Note;
use crate::law::{Damping, Exponent, NormalKind, NormalLaw, RESTITUTION_MIN, damping_factor};
use crate::mechanics::{ForceData, Workspace};
use crate::model::{AxisLimit, AxisMeasure, CableElasticity, Model};
use crate::record::PairInfo;

/// Indentation of a stop without stiffness of its own: under the impact at the model's speed, a hundredth of a radian
/// or of the model's length.
const STOP_INDENTATION: f64 = 0.01;

/// Stops of joint coordinates become pairs with two contacts.
pub(super) fn add_stops(system: &mut System, model: &Model, scales: &Scales) {
    for (index, joint) in model.joints.iter().enumerate() {
        for (axis, element) in joint.elements.iter().enumerate() {
            if let Some(limit) = &element.limit {
                add_stop(system, model, index, axis, limit, scales);
            }
        }
    }
}

fn add_stop(
    system: &mut System,
    model: &Model,
    joint: usize,
    axis: usize,
    limit: &AxisLimit,
    scales: &Scales,
) {
    let (data, name) = (&system.mechanics.joints[joint], &model.joints[joint].name);
    let measure = data.kind.axes()[axis];
    let mass = inertia_along(system, joint, axis);
    let restitution = limit.stop.restitution.max(RESTITUTION_MIN);
    let unit = match measure {
        AxisMeasure::Angle => "N m/rad",
        AxisMeasure::Length => "N/m",
    };
    let exponent = Exponent::new(limit.stop.exponent);
    let stiffness = limit.stop.stiffness.unwrap_or_else(|| {
        let (speed, depth) = match measure {
            AxisMeasure::Angle => (scales.velocity / scales.length, STOP_INDENTATION),
            AxisMeasure::Length => (scales.velocity, STOP_INDENTATION * scales.length),
        };
        let n1 = limit.stop.exponent + 1.0;
        let k = 0.5 * n1 * mass * speed * speed / libm::pow(depth, n1);
        let message = format!(
            "limit of joint \"{name}\": no stiffness given, {k:.3e} {unit}^{} taken",
            limit.stop.exponent
        );
        system.notes.push(Note::new("N0306", message));
        k
    });
    let v_small = match measure {
        AxisMeasure::Angle => 0.01,
        AxisMeasure::Length => 0.01,
    };
    let law = NormalLaw {
        stiffness,
        exponent,
        damping: Damping::Factor { chi: damping_factor(NormalKind::Exact, restitution).unwrap_or(0.0) },
        v_small,
    };
    let bounds = [limit.lower.unwrap_or(f64::NEG_INFINITY), limit.upper.unwrap_or(f64::INFINITY)];
    let data = &system.mechanics.joints[joint];
    let operands = match measure {
        AxisMeasure::Angle => 1.0,
        AxisMeasure::Length => scales.length,
    };
    let axis_in_f = data.kind.axis_in_f(axis);
    let source = PairSource::Stop(StopData { joint, axis, axis_in_f, bounds, operands });
    let several = data.kind.axes().len() > 1;
    let suffix = if several { format!("[{axis}]") } else { String::new() };
    let info = PairInfo {
        name: format!("{name}.limit{suffix}"),
        line: format!("{name}.limit"),
        a: model.bodies[data.a.body].name.clone(),
        b: model.bodies[data.b.body].name.clone(),
        kernel: "joint limit",
        law: format!("K = {stiffness:.6e} {unit}^{}, restitution {restitution}", limit.stop.exponent),
    };
    let pair = system.table.add_pair(PairData::frictionless(source, [data.a.body, data.b.body]), info);
    for (feature, name) in ["lower", "upper"].into_iter().enumerate() {
        if bounds[feature].is_finite() {
            system.table.add_contact(ContactData { pair, feature, law, nominal_mass: mass }, name.into());
        }
    }
}

/// Cables have events like contacts, and so have names among them.
pub(super) fn name_cables(system: &mut System, model: &Model) {
    for (force, data) in system.mechanics.forces.iter().enumerate() {
        let ForceData::Cable(cable) = data else { continue };
        let [Some(a), Some(b)] = [cable.path.first(), cable.path.last()].map(|end| end.map(|e| e.body))
        else {
            continue;
        };
        let law = match &cable.elasticity {
            Some(CableElasticity { stiffness, damping }) => {
                format!(
                    "K = {stiffness:.6e} N/m, damping {damping:.6e} N s/m; begins when taut, ends when slack"
                )
            }
            None => "inextensible; begins when taut, ends when slack".to_owned(),
        };
        let info = PairInfo {
            name: model.forces[force].name.clone(),
            line: model.forces[force].name.clone(),
            a: model.bodies[a].name.clone(),
            b: model.bodies[b].name.clone(),
            kernel: "cable",
            law,
        };
        let pair = system.table.add_pair(PairData::frictionless(PairSource::Cable(force), [a, b]), info);
        let contact = ContactData { pair, feature: 0, law: NormalLaw::NONE, nominal_mass: 0.0 };
        system.table.add_contact(contact, "".into());
    }
}

/// Inertia that resists along a joint coordinate at the start (kg or kg m²).
fn inertia_along(system: &System, joint: usize, axis: usize) -> f64 {
    let inverse = Workspace::at_start(&system.mechanics).inverse_mass_of_axis(joint, axis);
    if inverse > 0.0 { 1.0 / inverse } else { 1.0 }
}
