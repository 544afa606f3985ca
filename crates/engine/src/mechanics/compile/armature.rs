//! Armature is inertia along a coordinate of the state: a joint whose coordinate is none has no place for it.

use crate::Problem;
use crate::mechanics::{JointRole, Mechanics};
use crate::model::{Coordinates, Joint, Model};

/// Joints with armature must carry a body.
pub(super) fn check_armature(mechanics: &Mechanics, model: &Model) -> Result<(), Vec<Problem>> {
    let closing = mechanics.joints.iter().zip(&model.joints).filter(|(data, joint)| {
        data.role == JointRole::Closes && joint.elements.iter().any(|element| element.armature != 0.0)
    });
    let problems: Vec<Problem> =
        closing.map(|(_, joint)| describe(joint, model.solver.coordinates)).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn describe(joint: &Joint, coordinates: Coordinates) -> Problem {
    let name = &joint.name;
    let (why, help) = match coordinates {
        Coordinates::Joint => (
            "closes a loop",
            "let another joint of the loop close it, with `cut = true`, or give the rotor a body of its own and a gear",
        ),
        Coordinates::Body => (
            "has no coordinate with coordinates = \"body\"",
            "write coordinates = \"joint\", or give the rotor a body of its own and a gear",
        ),
    };
    let message = format!("joint \"{name}\" has an armature, but {why}");
    Problem::new("E0336", format!("joint.{name}.armature"), message)
        .expected("a joint whose coordinate is a state")
        .help(help)
}
