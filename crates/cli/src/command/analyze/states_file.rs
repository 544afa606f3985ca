//! States of joints from a JSON file.
//!
//! `{"joints": [NAME…], "states": [{"q": {NAME: X…}, "v": {NAME: X…}}…]}`: X is a number (m, rad, m/s, rad/s), or a
//! list of as many as the joint has coordinates or freedoms. Joints that a state does not name stay where the
//! model starts them, at rest. `joints` picks rows; without it all freedoms are asked for.

use std::path::Path;

use carom_engine::Problem;
use carom_engine::analysis::Dynamics;
use serde_json::{Map, Value};

use super::subject::Subject;
use crate::exit;
use crate::failure::Failure;

/// Deviation of a quaternion's length from 1 that rounding of its digits explains.
const UNIT: f64 = 1e-6;

/// What is asked for.
pub(super) struct Wanted {
    /// Freedoms, in the order asked for.
    pub(super) freedoms: Vec<usize>,
    /// States of the engine.
    pub(super) states: Vec<Vec<f64>>,
}

impl Wanted {
    /// All freedoms at the start of the model.
    pub(super) fn start(dynamics: &Dynamics<'_>) -> Self {
        Self { freedoms: (0..dynamics.freedoms().len()).collect(), states: vec![dynamics.state().to_vec()] }
    }

    pub(super) fn read(file: &Path, subject: &Subject, dynamics: &Dynamics<'_>) -> Result<Self, Failure> {
        let place = file.display();
        let text = carom_io::read_file(file, carom_io::MAX_FILE_SIZE)
            .and_then(carom_io::text_of)
            .map_err(|reason| bad(format!("cannot read \"{place}\": {reason}")))?;
        let object: Value =
            serde_json::from_str(&text).map_err(|error| bad(format!("\"{place}\" is not JSON: {error}")))?;
        let freedoms = match &object["joints"] {
            Value::Null => (0..dynamics.freedoms().len()).collect(),
            Value::Array(names) => picked(names, subject, dynamics)?,
            other => return Err(bad(format!("\"joints\" must be a list of names, got {other}"))),
        };
        let Value::Array(list) = &object["states"] else {
            return Err(bad(format!("\"{place}\" has no list \"states\"")));
        };
        let states = list.iter().enumerate().map(|(k, state)| state_of(k, state, subject, dynamics));
        Ok(Self { freedoms, states: states.collect::<Result<_, _>>()? })
    }
}

/// Freedoms of joints by name.
fn picked(names: &[Value], subject: &Subject, dynamics: &Dynamics<'_>) -> Result<Vec<usize>, Failure> {
    let mut rows = Vec::new();
    for name in names {
        let name = name.as_str().ok_or_else(|| bad(format!("\"joints\" must be names, got {name}")))?;
        let joint = joint_of(name, subject, dynamics)?;
        let all = dynamics.freedoms().iter().enumerate();
        rows.extend(all.filter(|(_, f)| f.joint == Some(joint)).map(|(row, _)| row));
    }
    Ok(rows)
}

/// A joint whose coordinates are states.
fn joint_of(name: &str, subject: &Subject, dynamics: &Dynamics<'_>) -> Result<usize, Failure> {
    let joints = &subject.scene.joints;
    let carries = |joint: &usize| dynamics.joint_position(*joint).is_some();
    match joints.iter().position(|joint| joint.name == name) {
        Some(joint) if carries(&joint) => Ok(joint),
        Some(_) => {
            Err(bad(format!("joint \"{name}\" closes a loop: its coordinates follow from the others'")))
        }
        None => {
            let all = joints.iter().enumerate().filter(|(index, _)| carries(index));
            let names: Vec<&str> = all.map(|(_, joint)| joint.name.as_str()).collect();
            Err(bad(format!("there is no joint \"{name}\"; there are: {}", names.join(", "))))
        }
    }
}

fn state_of(
    number: usize,
    state: &Value,
    subject: &Subject,
    dynamics: &Dynamics<'_>,
) -> Result<Vec<f64>, Failure> {
    let none = Map::new();
    let part = |key: &str| match &state[key] {
        Value::Null => Ok(&none),
        Value::Object(map) => Ok(map),
        other => Err(bad(format!("states[{number}].{key} must be an object by joints, got {other}"))),
    };
    let (q, v) = (part("q")?, part("v")?);
    let mut numbers = dynamics.state().to_vec();
    for (joint, data) in subject.scene.joints.iter().enumerate() {
        let Some(start) = dynamics.joint_position(joint) else { continue };
        let values = |map: &Map<String, Value>, key: &str, otherwise: &[f64]| match map.get(&data.name) {
            None => Ok(otherwise.to_vec()),
            Some(value) => list_of(value, otherwise.len())
                .map_err(|what| bad(format!("states[{number}].{key}.{}: {what}", data.name))),
        };
        let position = values(q, "q", start)?;
        let velocity = values(v, "v", &vec![0.0; data.kind.freedoms()])?;
        if data.kind.coordinates() > data.kind.freedoms() {
            // Its last four coordinates are a quaternion.
            let length = position.iter().rev().take(4).map(|x| x * x).sum::<f64>().sqrt();
            if (length - 1.0).abs() > UNIT {
                let what =
                    format!("states[{number}].q.{}: the quaternion has length {length}, not 1", data.name);
                return Err(bad(what));
            }
        }
        dynamics.write_joint(&mut numbers, joint, &position, &velocity);
    }
    for name in q.keys().chain(v.keys()) {
        joint_of(name, subject, dynamics)?;
    }
    Ok(numbers)
}

/// A number, or a list of `count` numbers.
fn list_of(value: &Value, count: usize) -> Result<Vec<f64>, String> {
    let one = std::slice::from_ref(value);
    let list = value.as_array().map_or(one, Vec::as_slice);
    let numbers: Option<Vec<f64>> = list.iter().map(Value::as_f64).collect();
    match numbers {
        Some(numbers) if numbers.len() == count => Ok(numbers),
        Some(numbers) => Err(format!("expected {count} numbers, got {}", numbers.len())),
        None => Err(format!("expected {count} numbers, got {value}")),
    }
}

/// E0610.
fn bad(message: String) -> Failure {
    let help = "give {\"states\": [{\"q\": {JOINT: NUMBER}, \"v\": {JOINT: NUMBER}}]}; carom explain E0610 tells more";
    Failure::Coded {
        exit: exit::NOT_STARTED,
        problem: Box::new(Problem::new("E0610", "", message).help(help)),
    }
}
