//! What acts along freedoms that must be those of the state: a joint that closes a loop has no place for it.

use crate::Problem;
use crate::mechanics::{JointRole, Mechanics};
use crate::model::{AxisElements, Coordinates, ForceKind, Joint, Model};

/// Joints with armature must carry a body, and those with friction or an actuator along freedoms that are no scalar coordinates. In body
/// coordinates none does, whatever it carries while the start is found.
pub(super) fn check_freedoms_of_state(mechanics: &Mechanics, model: &Model) -> Result<(), Vec<Problem>> {
    let coordinates = model.solver.coordinates;
    let closes =
        |joint: usize| coordinates == Coordinates::Body || mechanics.joints[joint].role == JointRole::Closes;
    let closing = (0..model.joints.len()).filter(|&joint| closes(joint)).map(|joint| &model.joints[joint]);
    let on_joints = closing.flat_map(|joint| {
        found_on(joint).map(|key| {
            let what = if key == "armature" { "an armature" } else { "friction along its velocities" };
            describe(joint, format!("joint.{}.{key}", joint.name), what, coordinates)
        })
    });
    let on_forces = model.forces.iter().filter_map(|force| {
        let ForceKind::Actuator(actuator) = &force.kind else { return None };
        let mut joints = actuator.terms.iter().map(|(at, _)| at.joint);
        let joint = joints.find(|&joint| model.joints[joint].kind.axes().is_empty() && closes(joint))?;
        let path = format!("force.{}.terms", force.name);
        let what = "an actuator along its velocities";
        Some(describe(&model.joints[joint], path, what, coordinates))
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

fn describe(joint: &Joint, path: String, what: &str, coordinates: Coordinates) -> Problem {
    let name = &joint.name;
    let (why, other) = match coordinates {
        Coordinates::Joint => ("closes a loop", "let another joint of the loop close it, with `cut = true`"),
        Coordinates::Body => {
            ("has no coordinate with coordinates = \"body\"", "write coordinates = \"joint\"")
        }
    };
    let rotor = path.ends_with(".armature");
    let instead = if rotor { ", or give the rotor a body of its own and a gear" } else { "" };
    Problem::new("E0336", path, format!("joint \"{name}\" has {what}, but {why}"))
        .expected("a joint whose coordinate is a state")
        .help(format!("{other}{instead}"))
}
