//! What acts along freedoms that must be those of the state: a joint that closes a loop has no place for it.

use crate::Problem;
use crate::mechanics::{JointRole, Mechanics};
use crate::model::{AxisElements, Coordinates, ForceKind, Joint, Model};

/// Joints with armature must carry a body, and those with friction or an actuator along the freedoms of a rotation.
pub(super) fn check_freedoms_of_state(mechanics: &Mechanics, model: &Model) -> Result<(), Vec<Problem>> {
    let coordinates = model.solver.coordinates;
    let closing =
        mechanics.joints.iter().zip(&model.joints).filter(|(data, _)| data.role == JointRole::Closes);
    let on_joints = closing.flat_map(|(_, joint)| {
        found_on(joint).map(|key| describe(joint, format!("joint.{}.{key}", joint.name), key, coordinates))
    });
    let on_forces = model.forces.iter().filter_map(|force| {
        let ForceKind::Actuator(actuator) = &force.kind else { return None };
        let joint = actuator.terms.iter().map(|(at, _)| at.joint).find(|&joint| {
            model.joints[joint].kind.axes().is_empty() && mechanics.joints[joint].role == JointRole::Closes
        })?;
        let path = format!("force.{}.terms", force.name);
        Some(describe(&model.joints[joint], path, "actuator", coordinates))
    });
    let problems: Vec<Problem> = on_joints.chain(on_forces).collect();
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

fn describe(joint: &Joint, path: String, key: &str, coordinates: Coordinates) -> Problem {
    let name = &joint.name;
    let (why, other) = match coordinates {
        Coordinates::Joint => ("closes a loop", "let another joint of the loop close it, with `cut = true`"),
        Coordinates::Body => {
            ("has no coordinate with coordinates = \"body\"", "write coordinates = \"joint\"")
        }
    };
    let instead = if key == "armature" { ", or give the rotor a body of its own and a gear" } else { "" };
    let what = match key {
        "armature" => "an armature",
        "actuator" => "an actuator of a rotation",
        _ => "friction of a rotation",
    };
    Problem::new("E0336", path, format!("joint \"{name}\" has {what}, but {why}"))
        .expected("a joint whose coordinate is a state")
        .help(format!("{other}{instead}"))
}
