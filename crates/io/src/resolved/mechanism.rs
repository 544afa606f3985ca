//! Joints, forces and constraints as tables of the model file, in SI units. What a coordinate measures
//! decides their units, so that they are named as in the file; angles carry theirs.

use carom_engine::Model;
use carom_engine::function::TimeFunction;
use carom_engine::model::{
    ActivationKind, Attachment, AxisElements, AxisMeasure, Constraint, ConstraintKind, Force, ForceKind,
    Joint, JointCoordinate, JointKind, Motor, Sliding, Stop, Turning,
};
use carom_math::{Mat3, Pose, Vec3};
use nalgebra::Matrix6;
use serde_json::{Map, Value, json};

use super::function::function;
use super::{vector, x};

/// A bare number is no angle.
pub(super) fn angle(value: f64) -> Value {
    if value == 0.0 { x(0.0) } else { json!(format!("{value:?} rad")) }
}

fn coordinate(measure: AxisMeasure) -> fn(f64) -> Value {
    match measure {
        AxisMeasure::Angle => angle,
        AxisMeasure::Length => x,
    }
}

/// The keys of a pose that differ from their defaults.
pub(super) fn put_pose(table: &mut Value, pose: &Pose) {
    if pose.translation != Vec3::zeros() {
        table["at"] = vector(&pose.translation);
    }
    if pose.rotation != Mat3::identity() {
        table["rot"] = rotation(&pose.rotation);
    }
}

fn rotation(r: &Mat3) -> Value {
    json!({ "matrix": r.transpose().iter().map(|c| x(*c)).collect::<Vec<_>>() })
}

fn attachment(a: &Attachment, model: &Model) -> Value {
    let mut table = json!({ "body": model.bodies[a.body].name });
    put_pose(&mut table, &a.pose);
    table
}

pub(super) fn joint(joint: &Joint, model: &Model) -> Value {
    let mut table = json!({ "type": joint.kind.name() });
    if let Sliding::Thread { lead } = joint.kind.sliding() {
        table["lead"] = x(lead);
    }
    if let Turning::Cardan { second } = joint.kind.turning() {
        table["axes"] = json!(["z", vector(&second)]);
    }
    // The frames have their axis in z; in planar models the reader would take the normal.
    if model.plane.is_some()
        && matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic | JointKind::Planar)
    {
        table["axis"] = json!("z");
    }
    table["a"] = attachment(&joint.a, model);
    table["b"] = attachment(&joint.b, model);
    if joint.cut {
        table["cut"] = json!(true);
    }
    let axes = joint.kind.axes();
    if let Some(position) = &joint.position {
        let measured = position.iter().enumerate();
        let values: Vec<Value> =
            measured.map(|(k, q)| axes.get(k).map_or(x(*q), |m| coordinate(*m)(*q))).collect();
        table["position"] = one_or_list(values);
    }
    if let Some(velocity) = &joint.velocity {
        table["velocity"] = one_or_list(velocity.iter().map(|v| x(*v)).collect());
    }
    put_elements(&mut table, joint.kind, &joint.elements);
    table
}

fn one_or_list(mut values: Vec<Value>) -> Value {
    if values.len() == 1 { values.remove(0) } else { Value::Array(values) }
}

fn put_elements(table: &mut Value, kind: JointKind, elements: &[AxisElements]) {
    type Write = fn(&AxisElements, AxisMeasure) -> Option<Value>;
    let kinds: [(&str, Write); 8] = [
        ("spring", spring),
        ("servo", servo),
        ("friction", friction),
        ("limit", limit),
        ("motor", motor),
        ("armature", armature),
        ("actuators", actuators),
        ("rating", rating),
    ];
    for (key, write) in kinds {
        let tables: Vec<Option<Value>> =
            elements.iter().enumerate().map(|(freedom, e)| write(e, kind.measure(freedom))).collect();
        if tables.iter().any(Option::is_some) {
            table[key] = one_or_list(tables.into_iter().map(|t| t.unwrap_or(json!({}))).collect());
        }
    }
}

fn spring(e: &AxisElements, measure: AxisMeasure) -> Option<Value> {
    let s = e.spring?;
    Some(json!({ "stiffness": x(s.stiffness), "damping": x(s.damping), "rest": coordinate(measure)(s.rest) }))
}

fn servo(e: &AxisElements, measure: AxisMeasure) -> Option<Value> {
    let s = e.servo.as_ref()?;
    let target = function(&s.target, coordinate(measure));
    let mut table = json!({ "stiffness": x(s.stiffness), "damping": x(s.damping), "target": target });
    if let Some(effort) = s.effort {
        table[effort_key(measure)] = x(effort);
    }
    Some(table)
}

fn effort_key(measure: AxisMeasure) -> &'static str {
    match measure {
        AxisMeasure::Angle => "torque",
        AxisMeasure::Length => "force",
    }
}

fn friction(e: &AxisElements, measure: AxisMeasure) -> Option<Value> {
    let f = e.friction?;
    let mut table = json!({});
    table[effort_key(measure)] = x(f.force);
    table["v_reg"] = x(f.v_reg);
    Some(table)
}

fn limit(e: &AxisElements, measure: AxisMeasure) -> Option<Value> {
    let l = e.limit?;
    let mut table = json!({});
    for (key, bound) in [("lower", l.lower), ("upper", l.upper)] {
        if let Some(bound) = bound {
            table[key] = coordinate(measure)(bound);
        }
    }
    match l.stop {
        Stop::Compliant { stiffness, exponent, restitution } => {
            if let Some(stiffness) = stiffness {
                table["stiffness"] = x(stiffness);
            }
            table["exponent"] = x(exponent);
            table["restitution"] = x(restitution);
        }
        Stop::Rigid { restitution, impact } => {
            table["nonsmooth"] = json!({ "e_n": x(restitution), "impact": impact.name() });
        }
    }
    Some(table)
}

fn actuators(e: &AxisElements, measure: AxisMeasure) -> Option<Value> {
    let ends = e.actuator_range?;
    let mut table = json!({});
    table[effort_key(measure)] = json!(ends.map(x));
    Some(table)
}

fn motor(e: &AxisElements, measure: AxisMeasure) -> Option<Value> {
    let mut table = json!({});
    match e.motor.as_ref()? {
        Motor::Position(f) => table["position"] = function(f, coordinate(measure)),
        Motor::Velocity(f) => table["speed"] = function(f, x),
        Motor::Force(f) => table[effort_key(measure)] = function(f, x),
    }
    Some(table)
}

/// As the coordinate feels it.
fn armature(e: &AxisElements, measure: AxisMeasure) -> Option<Value> {
    let key = match measure {
        AxisMeasure::Angle => "inertia",
        AxisMeasure::Length => "mass",
    };
    (e.armature != 0.0).then(|| json!({ key: x(e.armature) }))
}

fn rating(e: &AxisElements, _: AxisMeasure) -> Option<Value> {
    e.rated_speed.map(|speed| json!({ "speed": x(speed) }))
}

pub(super) fn force(force: &Force, model: &Model) -> Value {
    let mut table = json!({ "type": force.kind.name() });
    let ends = |table: &mut Value, a: &Attachment, b: &Attachment| {
        table["a"] = attachment(a, model);
        table["b"] = attachment(b, model);
    };
    let actuator = |table: &mut Value, key: &str, f: &Option<TimeFunction>| {
        if let Some(f) = f {
            table[key] = function(f, x);
        }
    };
    match &force.kind {
        ForceKind::SpringDamper { a, b, stiffness, damping, length, actuator: u } => {
            ends(&mut table, a, b);
            table["stiffness"] = x(*stiffness);
            table["damping"] = x(*damping);
            table["length"] = length.map_or(json!("auto"), x);
            actuator(&mut table, "force", u);
        }
        ForceKind::TorsionSpring { a, b, stiffness, damping, angle: rest, actuator: u } => {
            ends(&mut table, a, b);
            table["stiffness"] = x(*stiffness);
            table["damping"] = x(*damping);
            table["angle"] = rest.map_or(json!("auto"), angle);
            actuator(&mut table, "torque", u);
        }
        ForceKind::Bushing { a, b, stiffness, damping } => {
            ends(&mut table, a, b);
            table["stiffness"] = matrix(stiffness);
            table["damping"] = matrix(damping);
        }
        ForceKind::Force { on, components, axes } | ForceKind::Torque { on, components, axes } => {
            table["on"] = attachment(on, model);
            let key = force.kind.name();
            table[key] = Value::Array(components.iter().map(|f| function(f, x)).collect());
            table["axes"] = json!(axes.name());
        }
        ForceKind::Drag { on, linear, quadratic, angular } => {
            table["on"] = attachment(on, model);
            table["linear"] = x(*linear);
            table["quadratic"] = x(*quadratic);
            table["angular"] = x(*angular);
        }
        ForceKind::Actuator(actuator) => {
            table["terms"] = terms_table(&actuator.terms, model);
            table["control"] = function(&actuator.control, x);
            for (key, value) in [
                ("gain", actuator.gain),
                ("bias", actuator.bias),
                ("stiffness", actuator.stiffness),
                ("damping", actuator.damping),
            ] {
                table[key] = x(value);
            }
            for (key, range) in
                [("control_range", actuator.control_range), ("effort_range", actuator.effort_range)]
            {
                if let Some([least, most]) = range {
                    table[key] = json!([x(least), x(most)]);
                }
            }
            if let Some(activation) = &actuator.activation {
                table["activation"] = json!(activation.kind.name());
                if activation.kind == ActivationKind::Filter {
                    table["time_constant"] = x(activation.time_constant);
                }
                table["initial_activation"] = x(activation.initial);
                if let Some([least, most]) = activation.range {
                    table["activation_range"] = json!([x(least), x(most)]);
                }
            }
        }
        ForceKind::Cable { path, length, elasticity } => {
            table["path"] = Value::Array(path.iter().map(|a| attachment(a, model)).collect());
            table["length"] = length.initial.map_or(json!("auto"), x);
            actuator(&mut table, "rate", &length.rate);
            match elasticity {
                None => table["ideal"] = json!(true),
                Some(e) => {
                    table["stiffness"] = x(e.stiffness);
                    table["damping"] = x(e.damping);
                }
            }
        }
    }
    table
}

fn matrix(m: &Matrix6<f64>) -> Value {
    Value::Array((0..6).map(|i| Value::Array(m.row(i).iter().map(|c| x(*c)).collect())).collect())
}

fn terms_table(terms: &[(JointCoordinate, f64)], model: &Model) -> Value {
    let term = |(c, factor): &(JointCoordinate, f64)| json!({ "joint": model.joints[c.joint].name, "axis": c.axis, "factor": x(*factor) });
    Value::Array(terms.iter().map(term).collect())
}

pub(super) fn constraint(constraint: &Constraint, model: &Model) -> Value {
    let mut table = json!({ "type": constraint.kind.name() });
    match &constraint.kind {
        ConstraintKind::PointOnPoint { a, b } => {
            table["a"] = attachment(a, model);
            table["b"] = attachment(b, model);
        }
        ConstraintKind::Distance { a, b, length } => {
            table["a"] = attachment(a, model);
            table["b"] = attachment(b, model);
            table["length"] = length.map_or(json!("auto"), x);
        }
        ConstraintKind::Coupling { terms, offset } => {
            table["terms"] = terms_table(terms, model);
            let is_angle =
                |c: &JointCoordinate| model.joints[c.joint].kind.axes()[c.axis] == AxisMeasure::Angle;
            let write = if terms.iter().all(|t| is_angle(&t.0)) { angle } else { x };
            table["offset"] = offset.map_or(json!("auto"), write);
        }
        ConstraintKind::Rolling { a, b, radius, axis } => {
            table["a"] = attachment(a, model);
            table["b"] = attachment(b, model);
            table["radius"] = x(*radius);
            if let Some(axis) = axis {
                table["axis"] = vector(axis);
            }
        }
    }
    table
}

/// Tables by name.
pub(super) fn tables<T>(
    parts: &[T],
    name: impl Fn(&T) -> &str,
    write: impl Fn(&T) -> Value,
) -> Map<String, Value> {
    parts.iter().map(|p| (name(p).to_owned(), write(p))).collect()
}
