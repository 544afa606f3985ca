//! Joints, force elements and constraints of the model, compiled.

use super::forest::in_com_frame;
use crate::Problem;
use crate::function::TimeFunction;
use crate::mechanics::constraint::joint_axes;
use crate::mechanics::force::torsion_angle;
use crate::mechanics::{
    ActuatorData, Anchor, CableData, ConstraintData, Equation, ForceData, JointData, JointRole, Mechanics,
    Owner, SharedRange, Workspace,
};
use crate::model::{
    Actuator, Attachment, ConstraintKind, ForceKind, JointCoordinate, JointKind, Model, Motor,
};

fn anchor(model: &Model, attachment: &Attachment) -> Anchor {
    Anchor { body: attachment.body, pose: in_com_frame(model, attachment) }
}

pub(super) fn compile_joints(mechanics: &mut Mechanics, model: &Model, roles: &[JointRole]) {
    let mut angles = 0;
    mechanics.joints = model
        .joints
        .iter()
        .zip(roles)
        .map(|(joint, &role)| {
            let first_angle = angles;
            if role == JointRole::Closes {
                angles += joint.kind.axes().len();
            }
            JointData {
                kind: joint.kind,
                a: anchor(model, &joint.a),
                b: anchor(model, &joint.b),
                role,
                elements: joint.elements.clone(),
                first_angle,
            }
        })
        .collect();
    mechanics.angles = angles;
}

/// Force elements; lengths that the start gives are zero until [`resolve_lengths`].
pub(super) fn compile_forces(mechanics: &mut Mechanics, model: &Model) -> Result<Vec<ForceData>, Problem> {
    let zero = || TimeFunction::Constant(0.0);
    let (mut forces, mut auxiliary) = (Vec::new(), 0);
    let link_states = mechanics.link_states();
    for force in &model.forces {
        let at = |a: &Attachment| anchor(model, a);
        forces.push(match &force.kind {
            ForceKind::SpringDamper { a, b, stiffness, damping, length, actuator } => {
                ForceData::SpringDamper {
                    a: at(a),
                    b: at(b),
                    stiffness: *stiffness,
                    damping: *damping,
                    length: length.unwrap_or(0.0),
                    actuator: actuator.clone().unwrap_or_else(zero),
                }
            }
            ForceKind::TorsionSpring { a, b, stiffness, damping, angle, actuator } => {
                let first_angle = mechanics.angles;
                mechanics.angles += 1;
                ForceData::TorsionSpring {
                    a: at(a),
                    b: at(b),
                    stiffness: *stiffness,
                    damping: *damping,
                    angle: angle.unwrap_or(0.0),
                    actuator: actuator.clone().unwrap_or_else(zero),
                    first_angle,
                }
            }
            ForceKind::Bushing { a, b, stiffness, damping } => {
                let first_angle = mechanics.angles;
                mechanics.angles += 4;
                ForceData::Bushing {
                    a: at(a),
                    b: at(b),
                    stiffness: stiffness.clone(),
                    damping: damping.clone(),
                    first_angle,
                }
            }
            ForceKind::Force { on, components, axes } => {
                ForceData::Force { on: at(on), components: components.clone(), axes: *axes }
            }
            ForceKind::Torque { on, components, axes } => {
                ForceData::Torque { on: at(on), components: components.clone(), axes: *axes }
            }
            ForceKind::Drag { on, linear, quadratic, angular } => {
                ForceData::Drag { on: at(on), linear: *linear, quadratic: *quadratic, angular: *angular }
            }
            ForceKind::Actuator(actuator) => {
                let activation = actuator.activation.map(|_| {
                    auxiliary += 1;
                    link_states + auxiliary - 1
                });
                ForceData::Actuator(ActuatorData { law: actuator.clone(), activation })
            }
            ForceKind::Cable { path, length, elasticity } => {
                let paid_out = length.rate.as_ref().map(|_| {
                    auxiliary += 1;
                    link_states + auxiliary - 1
                });
                ForceData::Cable(CableData {
                    path: path.iter().map(at).collect(),
                    length: length.initial.unwrap_or(0.0),
                    rate: length.rate.clone(),
                    paid_out,
                    elasticity: *elasticity,
                })
            }
        });
    }
    mechanics.auxiliary = auxiliary;
    Ok(forces)
}

/// Coordinates whose actuators share a range. An actuator that acts there twice counts with the sum.
pub(super) fn shared_ranges(model: &Model) -> Vec<SharedRange> {
    let along = |at: JointCoordinate| {
        let drives = model.forces.iter().enumerate().filter_map(move |(index, force)| match &force.kind {
            ForceKind::Actuator(own) if own.gain != 0.0 => Some((index, own)),
            _ => None,
        });
        let factor = move |own: &Actuator| {
            own.terms.iter().filter(|(on, _)| *on == at).map(|(_, factor)| factor).sum::<f64>()
        };
        drives.map(move |(index, own)| (index, factor(own))).filter(|(_, factor)| *factor != 0.0).collect()
    };
    let joints = model.joints.iter().enumerate();
    let ranged = joints.flat_map(|(joint, data)| {
        let axes = data.elements.iter().enumerate();
        axes.filter_map(move |(axis, own)| Some((JointCoordinate { joint, axis }, own.actuator_range?)))
    });
    ranged.map(|(at, range)| SharedRange { at, range, of: along(at) }).collect()
}

/// Closures of loops, motors that follow functions, constraints of the model. Those whose length or offset the start
/// gives are left to [`resolve_lengths`].
pub(super) fn compile_constraints(mechanics: &Mechanics, model: &Model) -> Vec<ConstraintData> {
    let mut constraints = Vec::new();
    for (joint, data) in mechanics.joints.iter().enumerate() {
        if data.role == JointRole::Closes && data.kind != JointKind::Free {
            constraints
                .push(ConstraintData { owner: Owner::Joint(joint), equation: Equation::Closure { joint } });
        }
        for (axis, element) in data.elements.iter().enumerate() {
            let (function, by_velocity) = match &element.motor {
                Some(Motor::Position(f)) => (f, false),
                Some(Motor::Velocity(f)) => (f, true),
                _ => continue,
            };
            let at = JointCoordinate { joint, axis };
            let equation = Equation::Drive { at, function: function.clone(), by_velocity };
            constraints.push(ConstraintData { owner: Owner::Motor(joint, axis), equation });
        }
    }
    for (index, constraint) in model.constraints.iter().enumerate() {
        let at = |a: &Attachment| anchor(model, a);
        let equation = match &constraint.kind {
            ConstraintKind::PointOnPoint { a, b } => Equation::Point { a: at(a), b: at(b) },
            ConstraintKind::Distance { a, b, length: Some(length) } => {
                Equation::Distance { a: at(a), b: at(b), length: *length }
            }
            ConstraintKind::Coupling { terms, offset: Some(offset) } => {
                Equation::Coupling { terms: terms.clone(), offset: *offset }
            }
            ConstraintKind::Rolling { a, b, radius, axis } => {
                Equation::Rolling { a: at(a), b: at(b), radius: *radius, axis: *axis }
            }
            ConstraintKind::Distance { length: None, .. } | ConstraintKind::Coupling { offset: None, .. } => {
                continue;
            }
        };
        constraints.push(ConstraintData { owner: Owner::Constraint(index), equation });
    }
    constraints
}

/// A length of zero has no direction to act in.
fn coincident_ends(part: &str, name: &str) -> Problem {
    let message = format!("the points that {part} \"{name}\" keeps apart coincide at the start");
    Problem::new("E0330", format!("{part}.{name}"), message)
        .expected("points that are apart")
        .help("state positions where they are apart; type = \"point\" holds points together")
}

/// Lengths, angles and offsets that are those of the start, and the cables, whose lengths these are.
pub(super) fn resolve_lengths(mechanics: &mut Mechanics, model: &Model) -> Result<(), Problem> {
    let at_start = Workspace::at_start(mechanics);
    let bodies = at_start.bodies.clone();
    let axes: Vec<[f64; 3]> =
        (0..model.joints.len()).map(|joint| joint_axes(&at_start.here(), joint).0).collect();
    let mut turns = Vec::new();
    for data in &mechanics.forces {
        if let ForceData::TorsionSpring { a, b, .. } = data {
            // Whole turns of the relaxed angle are wound: the start has none.
            turns.push(torsion_angle(&at_start.here(), [a, b], 0.0));
        }
    }
    drop(at_start);
    let position = |a: &Anchor| bodies[a.body].pose.transform_point(&a.pose.translation);
    let path_of = |path: &[Anchor]| -> f64 {
        path.windows(2).map(|s| (position(&s[1]) - position(&s[0])).norm()).sum()
    };
    let mut turns = turns.into_iter();
    let mut cables = Vec::new();
    for (index, (data, force)) in mechanics.forces.iter_mut().zip(&model.forces).enumerate() {
        match (data, &force.kind) {
            (ForceData::SpringDamper { a, b, length, .. }, ForceKind::SpringDamper { length: None, .. }) => {
                *length = (position(b) - position(a)).norm();
            }
            (
                ForceData::TorsionSpring { angle, first_angle, .. },
                ForceKind::TorsionSpring { angle: stated, .. },
            ) => {
                let now = turns.next().unwrap_or_default();
                mechanics.initial_angles[*first_angle] = now;
                *angle = stated.unwrap_or(now);
            }
            (ForceData::Cable(cable), ForceKind::Cable { length, .. }) => {
                let path = path_of(&cable.path);
                cable.length = length.initial.unwrap_or(path);
                if cable.elasticity.is_none() {
                    let excess = path - cable.length;
                    // A slack one pulls in no direction.
                    let is_slack = excess < -1e-9 * cable.length;
                    if !is_slack && cable.path.windows(2).any(|s| position(&s[0]) == position(&s[1])) {
                        return Err(coincident_ends("force", &force.name));
                    }
                    if excess > 1e-9 * path {
                        return Err(Problem::new(
                            "E0330",
                            format!("force.{}.length", force.name),
                            format!(
                                "cable \"{}\" is {} m long, but its path at the start is {path} m",
                                force.name, cable.length
                            ),
                        )
                        .help("length = \"auto\" makes it taut at the start"));
                    }
                    cables.push(index);
                }
            }
            _ => {}
        }
    }
    for (index, constraint) in model.constraints.iter().enumerate() {
        let equation = match &constraint.kind {
            ConstraintKind::Distance { a, b, length: None } => {
                let (a, b) = (anchor(model, a), anchor(model, b));
                let length = (position(&b) - position(&a)).norm();
                if length == 0.0 {
                    return Err(coincident_ends("constraint", &constraint.name));
                }
                Equation::Distance { a, b, length }
            }
            ConstraintKind::Coupling { terms, offset: None } => {
                let offset = terms.iter().map(|(at, k)| k * axes[at.joint][at.axis]).sum();
                Equation::Coupling { terms: terms.clone(), offset }
            }
            _ => continue,
        };
        mechanics.constraints.push(ConstraintData { owner: Owner::Constraint(index), equation });
    }
    mechanics.constraints.extend(
        cables
            .into_iter()
            .map(|force| ConstraintData { owner: Owner::Cable(force), equation: Equation::Cable { force } }),
    );
    Ok(())
}
