//! Joints, forces and constraints, once all bodies are known.

use std::collections::BTreeSet;

use carom_engine::law::Law;
use carom_engine::model::{Body, Constraint, Force, Joint};

use super::Section;
use super::constraint::{Coordinates, read_constraint};
use super::element::LawPoints;
use super::force::read_force;
use super::joint::{read_joint, read_weld};
use super::names::{BodyNames, JointNames};

/// A part as the walk over scopes found it.
pub(crate) struct Part<'c, 'a> {
    pub(crate) kind: PartKind,
    pub(crate) section: Section<'c, 'a>,
    /// Path, such as `leg[2].knee`.
    pub(crate) name: String,
    /// Start of the paths of the scope it is in: `leg[2].`, empty for the model.
    pub(crate) prefix: String,
}

pub(crate) enum PartKind {
    Joint,
    /// The fixed joint of an instance whose paths start so.
    Weld(String),
    Force,
    Constraint,
}

/// What was read.
#[derive(Default)]
pub(crate) struct Mechanism {
    pub(crate) joints: Vec<Joint>,
    pub(crate) forces: Vec<Force>,
    pub(crate) constraints: Vec<Constraint>,
}

/// Reads all parts, joints first, since constraints and actuators name them. Appends the body "world" if a part names it
/// and the model does not declare it.
pub(crate) fn read_mechanism(parts: &[Part<'_, '_>], bodies: &mut Vec<Body>, laws: &[Law]) -> Mechanism {
    let names = BodyNames::new(bodies);
    let mut mechanism = Mechanism::default();
    let mut joints = JointNames::default();
    let laws = LawPoints(laws);
    for part in parts {
        let read = match &part.kind {
            PartKind::Joint => read_joint(part, &names, &laws),
            PartKind::Weld(instance) => read_weld(part, &names, instance),
            PartKind::Force | PartKind::Constraint => continue,
        };
        if joints.contains(&part.name) {
            report_second(part);
            continue;
        }
        match read {
            Some(joint) => {
                joints.add(&joint, mechanism.joints.len());
                mechanism.joints.push(joint);
            }
            None => joints.add_broken(&part.name),
        }
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for part in parts {
        let coordinates = Coordinates { joints: &mechanism.joints, names: &joints };
        match part.kind {
            PartKind::Force => mechanism.forces.extend(read_force(part, &names, &coordinates)),
            PartKind::Constraint => {
                mechanism.constraints.extend(read_constraint(part, &names, &coordinates));
            }
            PartKind::Joint | PartKind::Weld(_) => continue,
        }
        debug_assert!(seen.insert(&part.section.path), "{} is there once", part.section.path);
    }
    bodies.extend(names.undeclared_world());
    mechanism
}

/// The weld of an instance is a joint by the name `weld`.
fn report_second(part: &Part<'_, '_>) {
    let message = format!("a second joint \"{}\": the weld of an instance has this name", part.name);
    let problem = carom_engine::Problem::new("E0206", part.section.path.clone(), message);
    let problem = problem.help("rename the joint of the component");
    part.section.context.findings.push(crate::finding::Finding::at(problem, part.section.key_span));
}
