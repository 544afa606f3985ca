//! Actuators, loads, ropes and bushings as force elements of the model file.

use std::fmt::Write;

use carom_engine::model::{Activation, ActivationKind};
use carom_math::{Pose, Vec3};

use super::load::Load;
use super::robot::{Actuator, Hold, Pull, Robot, Rope, Term, WORLD};
use super::toml_writer::{number, pose_keys, quoted, vector};

/// An actuator under its name in the model file; `joints` are the names of the joints there.
pub(super) fn write(out: &mut String, name: &str, actuator: &Actuator, robot: &Robot, joints: &[String]) {
    let _ = write!(
        out,
        "\n[force.{name}]\ntype = \"actuator\"\nterms = {}\n",
        terms(&actuator.terms, robot, joints)
    );
    let default_gain = if actuator.gain == 1.0 { None } else { Some(actuator.gain) };
    let unless_zero = |x: f64| Some(x).filter(|x| *x != 0.0);
    for (key, value) in [
        ("control", unless_zero(actuator.control)),
        ("gain", default_gain),
        ("bias", unless_zero(actuator.bias)),
        ("stiffness", unless_zero(actuator.stiffness)),
        ("damping", unless_zero(actuator.damping)),
    ] {
        if let Some(value) = value {
            let _ = writeln!(out, "{key} = {}", number(value));
        }
    }
    for (key, range) in [("control_range", actuator.control_range), ("effort_range", actuator.effort_range)] {
        if let Some([least, most]) = range {
            let _ = writeln!(out, "{key} = [{}, {}]", number(least), number(most));
        }
    }
    if let Some(activation) = &actuator.activation {
        write_activation(out, activation);
    }
}

/// What follows an actuator's control.
fn write_activation(out: &mut String, own: &Activation) {
    let _ = writeln!(out, "activation = \"{}\"", own.kind.name());
    if own.kind == ActivationKind::Filter {
        let _ = writeln!(out, "time_constant = {}", number(own.time_constant));
    }
    if let Some([least, most]) = own.range {
        let _ = writeln!(out, "activation_range = [{}, {}]", number(least), number(most));
    }
    if own.initial != 0.0 {
        let _ = writeln!(out, "initial_activation = {}", number(own.initial));
    }
}

/// A load as a force, a torque or both; `links` are the names of the bodies.
pub(super) fn write_load(out: &mut String, names: &[String; 2], load: &Load, links: &[String]) {
    let on = attachment(&load.at, links);
    let effort = load.effort();
    let parts = [("force", load.force), ("torque", load.torque)];
    for ((name, (kind, own)), in_world) in names.iter().zip(parts).zip(load.in_world) {
        if own.amax() > 0.0 {
            let axes = if in_world { "world" } else { "body" };
            let value = vector(&(own * effort));
            let _ = write!(
                out,
                "\n[force.{name}]\ntype = \"{kind}\"\non = {on}\naxes = \"{axes}\"\n{kind} = {value}\n"
            );
        }
    }
}

/// A frame of a link.
fn attachment((link, frame): &(usize, Pose), links: &[String]) -> String {
    let body = if *link == WORLD { "world" } else { &links[*link] };
    let keys: Vec<String> =
        [format!("body = {}", quoted(body))].into_iter().chain(pose_keys(frame, "at")).collect();
    format!("{{ {} }}", keys.join(", "))
}

/// A rope as a cable, or a spring; `links` are the names of the bodies.
pub(super) fn write_rope(out: &mut String, name: &str, rope: &Rope, links: &[String]) {
    let point = |(link, at): &(usize, Vec3)| {
        let body = if *link == WORLD { "world" } else { &links[*link] };
        format!("{{ body = {}, at = {} }}", quoted(body), vector(at))
    };
    let _ = match rope.pull {
        Pull::Spring { .. } => write!(
            out,
            "\n[force.{name}]\ntype = \"spring-damper\"\na = {}\nb = {}\n",
            point(&rope.path[0]),
            point(&rope.path[1])
        ),
        Pull::Limit | Pull::Elastic { .. } => {
            let path: Vec<String> = rope.path.iter().map(point).collect();
            write!(out, "\n[force.{name}]\ntype = \"cable\"\npath = [{}]\n", path.join(", "))
        }
    };
    let _ = writeln!(out, "length = {}", number(rope.length));
    match rope.pull {
        Pull::Limit => out.push_str("ideal = true\n"),
        Pull::Elastic { stiffness, damping } | Pull::Spring { stiffness, damping } => {
            let _ = write!(out, "stiffness = {}\ndamping = {}\n", number(stiffness), number(damping));
        }
    }
}

/// A bushing; `links` are the names of the bodies.
pub(super) fn write_hold(out: &mut String, name: &str, hold: &Hold, links: &[String]) {
    let _ = writeln!(out, "\n[force.{name}]\ntype = \"bushing\"");
    for (key, end) in [("a", &hold.a), ("b", &hold.b)] {
        let _ = writeln!(out, "{key} = {}", attachment(end, links));
    }
    for (key, [along, about]) in [("stiffness", hold.stiffness), ("damping", hold.damping)] {
        let (along, about) = (number(along), number(about));
        let _ = writeln!(out, "{key} = [{along}, {along}, {along}, {about}, {about}, {about}]");
    }
}

/// Coordinates with their factors, as couplings and actuators have them.
pub(super) fn terms(terms: &[Term], robot: &Robot, joints: &[String]) -> String {
    let term = |t: &Term| {
        let is_only = robot.joints[t.joint].axes.len() == 1;
        let axis = if is_only { String::new() } else { format!(", axis = {}", t.axis) };
        let factor = number(t.factor);
        format!("{{ joint = {}{axis}, factor = {factor} }}", quoted(&joints[t.joint]))
    };
    format!("[{}]", terms.iter().map(term).collect::<Vec<_>>().join(", "))
}
