//! Result quantities of joints, forces and constraints by name (docs/results.md).

use carom_engine::model::{AxisMeasure, ConstraintKind, ForceKind, Joint, Model, Sliding, Turning};

use super::joint::{coordinate, effort, velocity};
use crate::quantity::Dimension;

/// A quantity of a part with its dimension; `None`: the name does not tell.
pub(super) type Quantities = Vec<(String, Option<Dimension>)>;

/// Kinds of parts in the order in which a plain name is looked up, after bodies.
const KINDS: [&str; 3] = ["joint", "force", "constraint"];

/// A part that a quantity may be about.
pub(super) struct Part {
    /// `joint`, `force` or `constraint`.
    pub(super) kind: &'static str,
    /// Path of the part.
    pub(super) name: String,
    /// What it has.
    pub(super) quantities: Quantities,
}

/// Parts that the subject of a quantity can mean, the first one first: `knee`, or `joint.knee`.
pub(super) fn find_parts(subject: &str, model: &Model) -> Vec<Part> {
    let stated = KINDS.iter().find_map(|k| Some((*k, subject.strip_prefix(k)?.strip_prefix('.')?)));
    let found = |kind: &'static str, name: &str| {
        let quantities = match kind {
            "joint" => model.joints.iter().find(|j| j.name == name).map(of_joint),
            "force" => model.forces.iter().find(|f| f.name == name).map(|f| of_force(&f.kind)),
            _ => model.constraints.iter().find(|c| c.name == name).map(|c| of_constraint(&c.kind)),
        };
        Some(Part { kind, name: name.to_owned(), quantities: quantities? })
    };
    match stated.and_then(|(kind, name)| found(kind, name)) {
        Some(part) => vec![part],
        None => KINDS.iter().filter_map(|k| found(k, subject)).collect(),
    }
}

/// Names of all parts, for suggestions.
pub(super) fn part_names(model: &Model) -> impl Iterator<Item = &str> {
    let joints = model.joints.iter().map(|j| j.name.as_str());
    let forces = model.forces.iter().map(|f| f.name.as_str());
    joints.chain(forces).chain(model.constraints.iter().map(|c| c.name.as_str()))
}

/// Dimension of a column of contacts where the stops of angles are `subject`: `knee.limit`, or `leg.limit[1]`.
pub(super) fn dimension_at_stop(subject: &str, column: &str, model: &Model) -> Option<Dimension> {
    let axes = stopped_axes(subject, model);
    if axes.is_empty() || axes.contains(&AxisMeasure::Length) {
        return None;
    }
    match column {
        "fn" | "max_fn" => Some(Dimension::ENERGY),
        "gap" | "penetration" | "max_penetration" => Some(Dimension::ANGLE),
        "approach_speed" => Some(Dimension::ANGULAR_VELOCITY),
        _ => None,
    }
}

/// What the coordinates measure whose limits `subject` names; limits are pairs of contact, too.
pub(super) fn stopped_axes(subject: &str, model: &Model) -> Vec<AxisMeasure> {
    let Some((name, index)) = subject.rsplit_once(".limit") else { return Vec::new() };
    let Some(joint) = model.joints.iter().find(|j| j.name == name) else { return Vec::new() };
    let axes = joint.kind.axes().iter().zip(&joint.elements).enumerate();
    axes.filter(|(_, (_, elements))| elements.limit.is_some())
        .filter(|(k, _)| index.is_empty() || index == format!("[{k}]"))
        .map(|(_, (axis, _))| *axis)
        .collect()
}

fn named(names: &[&str], dimension: Dimension) -> Quantities {
    names.iter().map(|n| ((*n).to_owned(), Some(dimension))).collect()
}

fn force_on_b() -> Quantities {
    named(&["fx", "fy", "fz"], Dimension::FORCE)
}

fn torque_on_b() -> Quantities {
    named(&["mx", "my", "mz"], Dimension::ENERGY)
}

/// Coordinates, velocities, reaction and effort. Several scalar coordinates count from 0.
fn of_joint(joint: &Joint) -> Quantities {
    let axes = joint.kind.axes();
    let mut all = Quantities::new();
    for (k, measure) in axes.iter().enumerate() {
        let index = if axes.len() == 1 { String::new() } else { k.to_string() };
        all.push((format!("q{index}"), Some(coordinate(*measure))));
        all.push((format!("v{index}"), Some(velocity(*measure))));
        all.push((format!("effort{index}"), Some(effort(*measure))));
    }
    let turns_freely = matches!(joint.kind.turning(), Turning::Ball { .. });
    if turns_freely && joint.kind.sliding() != Sliding::None {
        all.extend(named(&["x", "y", "z"], Dimension::LENGTH));
        all.extend(named(&["vx", "vy", "vz"], Dimension::VELOCITY));
    }
    if turns_freely {
        all.extend(named(&["qw", "qx", "qy", "qz"], Dimension::NONE));
        all.extend(named(&["wx", "wy", "wz"], Dimension::ANGULAR_VELOCITY));
    }
    all.extend(force_on_b());
    all.extend(torque_on_b());
    // Magnitudes of the reaction.
    all.extend(named(&["f"], Dimension::FORCE));
    all.extend(named(&["m"], Dimension::ENERGY));
    all
}

fn of_force(kind: &ForceKind) -> Quantities {
    match kind {
        ForceKind::SpringDamper { .. } | ForceKind::Cable { .. } => {
            let mut all = named(&["length"], Dimension::LENGTH);
            all.extend(named(&["rate"], Dimension::VELOCITY));
            all.extend(named(&["value"], Dimension::FORCE));
            all.extend(force_on_b());
            all
        }
        ForceKind::TorsionSpring { .. } => {
            let mut all = named(&["angle"], Dimension::ANGLE);
            all.extend(named(&["rate"], Dimension::ANGULAR_VELOCITY));
            all.extend(named(&["value"], Dimension::ENERGY));
            all.extend(torque_on_b());
            all
        }
        // What a sum of coordinates measures depends on its factors.
        ForceKind::Actuator(_) => ["length", "rate", "value"].map(|name| (name.to_owned(), None)).to_vec(),
        ForceKind::Force { .. } => [named(&["value"], Dimension::FORCE), force_on_b()].concat(),
        ForceKind::Torque { .. } => [named(&["value"], Dimension::ENERGY), torque_on_b()].concat(),
        ForceKind::Bushing { .. } | ForceKind::Drag { .. } => {
            [named(&["value"], Dimension::FORCE), force_on_b(), torque_on_b()].concat()
        }
    }
}

fn of_constraint(kind: &ConstraintKind) -> Quantities {
    let (violation, effort) = match kind {
        // What a sum of coordinates measures depends on its factors.
        ConstraintKind::Coupling { .. } => (None, None),
        _ => (Some(Dimension::LENGTH), Some(Dimension::FORCE)),
    };
    vec![("violation".to_owned(), violation), ("effort".to_owned(), effort)]
}
