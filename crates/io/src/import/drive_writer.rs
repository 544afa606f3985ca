//! Actuators as force elements of the model file.

use std::fmt::Write;

use super::robot::{Actuator, Robot, Term};
use super::toml_writer::{number, quoted};

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
}

/// Coordinates with their factors, as couplings and actuators have them.
pub(super) fn terms(terms: &[Term], robot: &Robot, joints: &[String]) -> String {
    let term = |t: &Term| {
        let axis =
            if robot.joints[t.joint].axes.len() > 1 { format!(", axis = {}", t.axis) } else { String::new() };
        let factor = number(t.factor);
        format!("{{ joint = {}{axis}, factor = {factor} }}", quoted(&joints[t.joint]))
    };
    format!("[{}]", terms.iter().map(term).collect::<Vec<_>>().join(", "))
}
