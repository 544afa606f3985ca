//! What acts along freedoms that must be those of the state: a joint that closes a loop has no place for it.

use crate::Problem;
use crate::mechanics::{JointRole, Mechanics};
use crate::model::{AxisElements, Coordinates, Joint, Model};

/// Joints with armature must carry a body, and those with friction along the freedoms of a rotation.
pub(super) fn check_freedoms_of_state(mechanics: &Mechanics, model: &Model) -> Result<(), Vec<Problem>> {
    let closing =
        mechanics.joints.iter().zip(&model.joints).filter(|(data, _)| data.role == JointRole::Closes);
    let problems: Vec<Problem> = closing
        .flat_map(|(_, joint)| found_on(joint).map(|key| describe(joint, key, model.solver.coordinates)))
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Keys of what asks for freedoms of the state.
fn found_on(joint: &Joint) -> impl Iterator<Item = &'static str> {
    let has = |acts: fn(&AxisElements) -> bool| joint.elements.iter().any(acts);
    let armature = has(|element| element.armature != 0.0).then_some("armature");
    let friction =
        (joint.kind.axes().is_empty() && has(|element| element.friction.is_some())).then_some("friction");
    armature.into_iter().chain(friction)
}

fn describe(joint: &Joint, key: &str, coordinates: Coordinates) -> Problem {
    let name = &joint.name;
    let (why, other) = match coordinates {
        Coordinates::Joint => ("closes a loop", "let another joint of the loop close it, with `cut = true`"),
        Coordinates::Body => {
            ("has no coordinate with coordinates = \"body\"", "write coordinates = \"joint\"")
        }
    };
    let instead = if key == "armature" { ", or give the rotor a body of its own and a gear" } else { "" };
    let article = if key == "armature" { "an armature" } else { "friction of a rotation" };
    Problem::new("E0336", format!("joint.{name}.{key}"), format!("joint \"{name}\" has {article}, but {why}"))
        .expected("a joint whose coordinate is a state")
        .help(format!("{other}{instead}"))
}
