//! Stops of joint coordinates, and cables that can go taut: what has events like contacts, and a place among them.

use std::sync::Arc;

use super::stop_stiffness::StopStiffness;
use super::{CableSource, ContactData, PairData, PairSource, Scales, StopData, System};
use crate::Note;
use crate::law::{Damping, Exponent, NormalKind, NormalLaw, RESTITUTION_MIN, RigidLaw, damping_factor};
use crate::mechanics::constraint::cables;
use crate::mechanics::{ForceData, JointRole};
use crate::model::{AxisLimit, AxisMeasure, CableElasticity, Model, Stop};
use crate::record::PairInfo;

/// Lower limit of the approach speed that restitution is measured against (rad/s or m/s).
const V_SMALL: f64 = 0.01;

/// Joints that a note names; it counts the others.
const NAMED: usize = 3;

/// A stop that states no stiffness, and the one that it has.
struct Taken<'a> {
    joint: &'a str,
    stiffness: f64,
    unit: String,
}

/// Stops of joint coordinates become pairs with two contacts.
pub(super) fn add_stops(system: &mut System, model: &Model, scales: &Scales) {
    let mut taken = Vec::new();
    let mechanics = Arc::clone(&system.mechanics);
    let mut start = StopStiffness::at_start(model, &mechanics);
    for (index, joint) in model.joints.iter().enumerate() {
        for (axis, element) in joint.elements.iter().enumerate() {
            if let Some(limit) = &element.limit {
                taken.extend(add_stop(system, &mut start, model, [index, axis], limit, scales));
            }
        }
    }
    note_taken(&mut system.notes, &taken);
}

/// Says which stiffnesses stops have that state none: a robot has dozens, in one note for those of one unit. Each has its own in the
/// law of its pair.
fn note_taken(notes: &mut Vec<Note>, taken: &[Taken<'_>]) {
    let mut units: Vec<&str> = Vec::new();
    for stop in taken {
        if !units.contains(&stop.unit.as_str()) {
            units.push(&stop.unit);
        }
    }
    for unit in units {
        let of: Vec<&Taken<'_>> = taken.iter().filter(|stop| stop.unit == unit).collect();
        if let [one] = of.as_slice() {
            let message = format!(
                "limit of joint \"{}\": no stiffness given, {:.3e} {unit} taken",
                one.joint, one.stiffness
            );
            notes.push(Note::new("N0306", message));
            continue;
        }
        let least = of.iter().map(|stop| stop.stiffness).fold(f64::INFINITY, f64::min);
        let most = of.iter().map(|stop| stop.stiffness).fold(0.0, f64::max);
        let mut names = of.iter().take(NAMED).map(|stop| stop.joint).collect::<Vec<_>>().join(", ");
        if of.len() > NAMED {
            names.push_str(&format!(" and {} more", of.len() - NAMED));
        }
        let message = format!(
            "{} limits of joints: no stiffness given, {least:.3e} to {most:.3e} {unit} taken: {names}",
            of.len()
        );
        notes.push(Note::new("N0306", message));
    }
}

/// Rounding of a coordinate that is measured over that of one which is a state: it is known to what the constraints of its bodies are met to,
/// some 1e-11.
const MEASURED: f64 = 4096.0;

/// Adds a stop. Returns what is taken for a stiffness that it does not state.
fn add_stop<'a>(
    system: &mut System,
    start: &mut StopStiffness<'_>,
    model: &'a Model,
    [joint, axis]: [usize; 2],
    limit: &AxisLimit,
    scales: &Scales,
) -> Option<Taken<'a>> {
    let (data, name) = (&system.mechanics.joints[joint], &model.joints[joint].name);
    let measure = data.kind.axes()[axis];
    let mass = start.inertia_along(joint, axis);
    let mut taken = None;
    let (law, rigid, described) = match limit.stop {
        Stop::Rigid { restitution, impact } => {
            let law = RigidLaw::of_stop(restitution, impact);
            (NormalLaw::NONE, Some(law), law.describe_impact())
        }
        Stop::Compliant { stiffness, exponent, restitution } => {
            let stiffness = stiffness.unwrap_or_else(|| {
                let stiffness = start.of([joint, axis], limit, exponent, mass);
                let unit = format!("{}^{exponent}", unit_of(measure));
                taken = Some(Taken { joint: name, stiffness, unit });
                stiffness
            });
            let (law, described) = compliant(stiffness, exponent, restitution, measure);
            (law, None, described)
        }
    };
    let bounds = [limit.lower.unwrap_or(f64::NEG_INFINITY), limit.upper.unwrap_or(f64::INFINITY)];
    let data = &system.mechanics.joints[joint];
    let (operands, arm) = match measure {
        AxisMeasure::Angle => (1.0, scales.length),
        AxisMeasure::Length => (scales.length, 1.0),
    };
    let operands = if matches!(data.role, JointRole::Closes) { MEASURED * operands } else { operands };
    let axis_in_f = data.kind.axis_in_f(axis);
    let source = PairSource::Stop(StopData { joint, axis, axis_in_f, bounds, arm, operands });
    let several = data.kind.axes().len() > 1;
    let suffix = if several { format!("[{axis}]") } else { String::new() };
    let info = PairInfo {
        name: format!("{name}.limit{suffix}"),
        line: format!("{name}.limit"),
        a: model.bodies[data.a.body].name.clone(),
        b: model.bodies[data.b.body].name.clone(),
        kernel: "joint limit",
        law: described,
    };
    let data = PairData { rigid, ..PairData::frictionless(source, [data.a.body, data.b.body]) };
    let pair = system.table.add_pair(data, info);
    for (feature, name) in ["lower", "upper"].into_iter().enumerate() {
        if bounds[feature].is_finite() {
            system.table.add_contact(ContactData { pair, feature, law, nominal_mass: mass }, name.into());
        }
    }
    taken
}

/// Unit of an effort per unit of a coordinate.
fn unit_of(measure: AxisMeasure) -> &'static str {
    match measure {
        AxisMeasure::Angle => "N m/rad",
        AxisMeasure::Length => "N/m",
    }
}

/// The law of a stop that gives, and its words.
fn compliant(stiffness: f64, exponent: f64, restitution: f64, measure: AxisMeasure) -> (NormalLaw, String) {
    let restitution = restitution.max(RESTITUTION_MIN);
    let chi = damping_factor(NormalKind::Exact, restitution).unwrap_or(0.0);
    let law = NormalLaw {
        stiffness,
        exponent: Exponent::new(exponent),
        damping: Damping::Factor { chi },
        v_small: V_SMALL,
    };
    let unit = unit_of(measure);
    (law, format!("K = {stiffness:.6e} {unit}^{exponent}, restitution {restitution}"))
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
        let group = cables(&system.mechanics).find(|(_, of)| *of == force).map(|(group, _)| group);
        let source = PairSource::Cable(CableSource { force, group });
        let pair = system.table.add_pair(PairData::frictionless(source, [a, b]), info);
        let contact = ContactData { pair, feature: 0, law: NormalLaw::NONE, nominal_mass: 0.0 };
        system.table.add_contact(contact, "".into());
    }
}
