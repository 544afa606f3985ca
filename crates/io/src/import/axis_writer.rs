//! What acts along the coordinates of a joint, as keys of the model file.

use std::fmt::Write;

use carom_math::Vec3;

use super::robot::{Axis, Joint, JointKind, Motion, Uniform};
use super::stop::Stop;
use super::toml_writer::{coordinate, number};

/// Regularisation velocities of joint friction.
const V_REG_TURN: &str = "0.01 rad/s";
const V_REG_SHIFT: &str = "1 mm/s";

/// Each kind of element that a coordinate of the joint has.
pub(super) fn write_all(out: &mut String, joint: &Joint) {
    let alike = alike(joint);
    let axes = if alike.is_empty() { &joint.axes } else { &alike };
    elements(out, "limit", axes, limit);
    elements(out, "spring", axes, spring);
    elements(out, "servo", axes, servo);
    elements(out, "friction", axes, friction);
    elements(out, "armature", axes, armature);
    elements(out, "actuators", axes, actuators);
    elements(out, "rating", axes, rating);
}

/// What acts alike along every freedom of a spherical or free joint, for each of them; empty for others.
fn alike(joint: &Joint) -> Vec<Axis> {
    let motions: &[Motion] = match joint.kind {
        JointKind::Spherical => &[Motion::Turn],
        JointKind::Free => &[Motion::Shift, Motion::Turn],
        _ => &[],
    };
    let Uniform { armature, friction } = joint.uniform;
    let along = |motion| Axis { armature, friction, ..Axis::new(motion, Vec3::x()) };
    motions.iter().flat_map(|motion| [*motion; 3]).map(along).collect()
}

/// One table, or a list with one for each coordinate where a joint has several.
fn elements(out: &mut String, key: &str, axes: &[Axis], table: fn(&Axis) -> Option<String>) {
    let tables: Vec<Option<String>> = axes.iter().map(table).collect();
    if tables.iter().all(Option::is_none) {
        return;
    }
    let tables: Vec<String> =
        tables.into_iter().map(|t| t.map_or("{}".to_owned(), |t| format!("{{ {t} }}"))).collect();
    let _ = match tables.as_slice() {
        [one] => writeln!(out, "{key} = {one}"),
        several => writeln!(out, "{key} = [{}]", several.join(", ")),
    };
}

fn limit(axis: &Axis) -> Option<String> {
    let side = |name: &str, q: Option<f64>| q.map(|q| format!("{name} = {}", coordinate(axis, q)));
    let mut keys: Vec<String> =
        [side("lower", axis.lower), side("upper", axis.upper)].into_iter().flatten().collect();
    if keys.is_empty() {
        return None;
    }
    if let Some(Stop { stiffness, exponent, restitution }) = axis.stop {
        keys.push(format!("stiffness = {}", number(stiffness)));
        keys.extend(exponent.map(|exponent| format!("exponent = {}", number(exponent))));
        keys.push(format!("restitution = {}", number(restitution)));
    }
    Some(keys.join(", "))
}

fn spring(axis: &Axis) -> Option<String> {
    let mut keys = Vec::new();
    if axis.stiffness != 0.0 {
        keys.push(format!("stiffness = {}", number(axis.stiffness)));
        if axis.rest != 0.0 {
            keys.push(format!("rest = {}", coordinate(axis, axis.rest)));
        }
    }
    if axis.damping != 0.0 {
        keys.push(format!("damping = {}", number(axis.damping)));
    }
    (!keys.is_empty()).then(|| keys.join(", "))
}

fn servo(axis: &Axis) -> Option<String> {
    let servo = axis.servo?;
    let mut keys = Vec::new();
    if servo.stiffness != 0.0 {
        keys.push(format!("stiffness = {}", number(servo.stiffness)));
    }
    if servo.damping != 0.0 {
        keys.push(format!("damping = {}", number(servo.damping)));
    }
    if servo.target != 0.0 {
        keys.push(format!("target = {}", coordinate(axis, servo.target)));
    }
    keys.extend(servo.effort.map(|effort| format!("{} = {}", effort_key(axis), number(effort))));
    Some(keys.join(", "))
}

fn effort_key(axis: &Axis) -> &'static str {
    match axis.motion {
        Motion::Turn => "torque",
        Motion::Shift => "force",
    }
}

fn friction(axis: &Axis) -> Option<String> {
    let v_reg = match axis.motion {
        Motion::Turn => V_REG_TURN,
        Motion::Shift => V_REG_SHIFT,
    };
    let key = effort_key(axis);
    (axis.friction != 0.0).then(|| format!("{key} = {}, v_reg = \"{v_reg}\"", number(axis.friction)))
}

fn armature(axis: &Axis) -> Option<String> {
    let key = match axis.motion {
        Motion::Turn => "inertia",
        Motion::Shift => "mass",
    };
    (axis.armature != 0.0).then(|| format!("{key} = {}", number(axis.armature)))
}

fn actuators(axis: &Axis) -> Option<String> {
    let [least, most] = axis.shared?;
    Some(format!("{} = [{}, {}]", effort_key(axis), number(least), number(most)))
}

fn rating(axis: &Axis) -> Option<String> {
    axis.rated_speed.map(|speed| format!("speed = {}", number(speed)))
}
