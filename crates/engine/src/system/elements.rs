//! Joints, force elements and constraints of the model, compiled.

use carom_math::Vec3;

use super::forest::in_com_frame;
use super::mechanism::{Anchor, CableData, ConstraintData, Equation, ForceData, JointData, Owner};
use super::{ContactData, JointRole, PairData, PairSource, Scales, StopData, System};
use crate::constraint::joint_axes;
use crate::contact::Evaluator;
use crate::force::torsion_angle;
use crate::function::TimeFunction;
use crate::law::{Damping, Exponent, NormalKind, NormalLaw, RESTITUTION_MIN, damping_factor};
use crate::model::{
    Attachment, AxisLimit, AxisMeasure, ConstraintKind, ForceKind, JointCoordinate, JointKind, Model, Motor,
};
use crate::record::PairInfo;
use crate::{Note, Problem};

/// Indentation of a stop without stiffness of its own: under the impact at the model's speed, a hundredth of a radian
/// or of the model's length.
const STOP_INDENTATION: f64 = 0.01;

fn anchor(model: &Model, attachment: &Attachment) -> Anchor {
    Anchor { body: attachment.body, pose: in_com_frame(model, attachment) }
}

pub(super) fn compile_joints(system: &mut System, model: &Model, roles: &[JointRole]) {
    let mut angles = 0;
    system.joints = model
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
    system.angles = angles;
}

/// Force elements; lengths that the start gives are zero until [`resolve_lengths`].
pub(super) fn compile_forces(system: &mut System, model: &Model) -> Result<Vec<ForceData>, Problem> {
    let zero = || TimeFunction::Constant(0.0);
    let (mut forces, mut auxiliary) = (Vec::new(), 0);
    let link_states = system.link_states();
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
                let first_angle = system.angles;
                system.angles += 1;
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
            ForceKind::Bushing { a, b, stiffness, damping } => ForceData::Bushing {
                a: at(a),
                b: at(b),
                stiffness: stiffness.clone(),
                damping: damping.clone(),
            },
            ForceKind::Force { on, components, axes } => {
                ForceData::Force { on: at(on), components: components.clone(), axes: *axes }
            }
            ForceKind::Torque { on, components, axes } => {
                ForceData::Torque { on: at(on), components: components.clone(), axes: *axes }
            }
            ForceKind::Drag { on, linear, quadratic, angular } => {
                ForceData::Drag { on: at(on), linear: *linear, quadratic: *quadratic, angular: *angular }
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
    system.auxiliary = auxiliary;
    Ok(forces)
}

/// Closures of loops, motors that follow functions, constraints of the model. Those whose length or offset the start
/// gives are left to [`resolve_lengths`].
pub(super) fn compile_constraints(system: &System, model: &Model) -> Vec<ConstraintData> {
    let mut constraints = Vec::new();
    for (joint, data) in system.joints.iter().enumerate() {
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
pub(super) fn resolve_lengths(system: &mut System, model: &Model) -> Result<(), Problem> {
    let initial = system.initial.clone();
    let mut evaluator = Evaluator::new(system);
    evaluator.update(0.0, &initial);
    let bodies = evaluator.bodies.clone();
    let axes: Vec<[f64; 3]> =
        (0..model.joints.len()).map(|joint| joint_axes(&evaluator.scene(), joint).0).collect();
    let mut turns = Vec::new();
    for data in &system.forces {
        if let ForceData::TorsionSpring { a, b, angle, .. } = data {
            turns.push(torsion_angle(&evaluator.scene(), [a, b], *angle));
        }
    }
    drop(evaluator);
    let position = |a: &Anchor| bodies[a.body].pose.transform_point(&a.pose.translation);
    let path_of = |path: &[Anchor]| -> f64 {
        path.windows(2).map(|s| (position(&s[1]) - position(&s[0])).norm()).sum()
    };
    let mut turns = turns.into_iter();
    let mut cables = Vec::new();
    for (index, (data, force)) in system.forces.iter_mut().zip(&model.forces).enumerate() {
        match (data, &force.kind) {
            (ForceData::SpringDamper { a, b, length, .. }, ForceKind::SpringDamper { length: None, .. }) => {
                *length = (position(b) - position(a)).norm();
            }
            (
                ForceData::TorsionSpring { angle, first_angle, .. },
                ForceKind::TorsionSpring { angle: stated, .. },
            ) => {
                let now = turns.next().unwrap_or_default();
                system.initial_angles[*first_angle] = now;
                *angle = stated.unwrap_or(now);
            }
            (ForceData::Cable(cable), ForceKind::Cable { length, .. }) => {
                let path = path_of(&cable.path);
                cable.length = length.initial.unwrap_or(path);
                if cable.elasticity.is_none() {
                    if cable.path.windows(2).any(|s| position(&s[0]) == position(&s[1])) {
                        return Err(coincident_ends("force", &force.name));
                    }
                    let excess = path - cable.length;
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
        system.constraints.push(ConstraintData { owner: Owner::Constraint(index), equation });
    }
    system.constraints.extend(
        cables
            .into_iter()
            .map(|force| ConstraintData { owner: Owner::Cable(force), equation: Equation::Cable { force } }),
    );
    Ok(())
}

/// Cables are told apart by their names only.
const NO_LAW: NormalLaw = NormalLaw {
    stiffness: 0.0,
    exponent: Exponent::Linear,
    damping: Damping::Factor { chi: 0.0 },
    v_small: 1.0,
};

impl System {
    /// Stops of joint coordinates become pairs with two contacts.
    pub(super) fn add_stops(&mut self, model: &Model, scales: &Scales) {
        for (index, joint) in model.joints.iter().enumerate() {
            for (axis, element) in joint.elements.iter().enumerate() {
                if let Some(limit) = &element.limit {
                    self.add_stop(model, index, axis, limit, scales);
                }
            }
        }
    }

    fn add_stop(&mut self, model: &Model, joint: usize, axis: usize, limit: &AxisLimit, scales: &Scales) {
        let (data, name) = (&self.joints[joint], &model.joints[joint].name);
        let measure = data.kind.axes()[axis];
        let mass = self.inertia_along(joint, axis);
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
            self.notes.push(Note::new("N0306", message));
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
        let data = &self.joints[joint];
        let operands = match measure {
            AxisMeasure::Angle => 1.0,
            AxisMeasure::Length => scales.length,
        };
        let axis_in_f = axis_in_f(data.kind, axis);
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
        let pair = self.table.add_pair(PairData::frictionless(source, [data.a.body, data.b.body]), info);
        for (feature, name) in ["lower", "upper"].into_iter().enumerate() {
            if bounds[feature].is_finite() {
                self.table.add_contact(ContactData { pair, feature, law, nominal_mass: mass }, name);
            }
        }
    }

    /// Inextensible cables have events like contacts, and so have names among them.
    pub(super) fn name_cables(&mut self, model: &Model) {
        for (group, data) in self.constraints.iter().enumerate() {
            let Owner::Cable(force) = data.owner else { continue };
            let ForceData::Cable(cable) = &self.forces[force] else { continue };
            let [Some(a), Some(b)] = [cable.path.first(), cable.path.last()].map(|end| end.map(|e| e.body))
            else {
                continue;
            };
            let info = PairInfo {
                name: model.forces[force].name.clone(),
                line: model.forces[force].name.clone(),
                a: model.bodies[a].name.clone(),
                b: model.bodies[b].name.clone(),
                kernel: "cable",
                law: "inextensible; begins when taut, ends when slack".to_owned(),
            };
            let pair = self.table.add_pair(PairData::frictionless(PairSource::Cable(group), [a, b]), info);
            self.table.add_contact(ContactData { pair, feature: 0, law: NO_LAW, nominal_mass: 0.0 }, "");
        }
    }

    /// Inertia that resists along a joint coordinate at the start (kg or kg m²).
    fn inertia_along(&self, joint: usize, axis: usize) -> f64 {
        let mut evaluator = Evaluator::new(self);
        evaluator.update(0.0, &self.initial);
        let inverse = evaluator.inverse_mass_of_axis(joint, axis);
        if inverse > 0.0 { 1.0 / inverse } else { 1.0 }
    }
}

/// Direction of a coordinate in F at zero.
fn axis_in_f(kind: JointKind, axis: usize) -> Vec3 {
    match (kind, axis) {
        (JointKind::Planar, 0) => Vec3::x(),
        (JointKind::Planar, 1) => Vec3::y(),
        (JointKind::Universal { second }, 1) => second,
        _ => Vec3::z(),
    }
}
