use std::fmt::Write;

use carom_engine::analysis::{Dynamics, Equilibrium, EquilibriumLimits, Stability, StabilityKind};
use carom_engine::record::JointSample;
use carom_results::manifest::{FinalBody, FinalJoint};
use carom_results::tables::{joints, states, with_unit};
use serde_json::{Map, Value, json};

use super::answer::{Answer, OutputArgs};
use super::layout::{cells, columns, exact};
use super::subject::{Subject, SubjectArgs, not_finished};
use crate::console::Console;
use crate::digits::short;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct EquilibriumArgs {
    #[command(flatten)]
    pub(super) search: SearchArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    subject: SubjectArgs,
}

/// When the search ends.
#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// Steps of the search
    #[arg(long, value_name = "N", default_value_t = EquilibriumLimits::default().iterations)]
    max_iterations: usize,
    /// Unbalanced force that may be left, over the sum of all loads
    #[arg(long, value_name = "SHARE", default_value_t = EquilibriumLimits::default().tolerance,
          value_parser = share)]
    tolerance: f64,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err("not a number between 0 and 1".to_owned()),
    }
}

impl SearchArgs {
    /// Goes to an equilibrium.
    pub(super) fn find(&self, dynamics: &mut Dynamics<'_>) -> Result<Equilibrium, Failure> {
        let limits = EquilibriumLimits { iterations: self.max_iterations, tolerance: self.tolerance };
        dynamics.find_equilibrium(&limits).map_err(|error| not_finished(&error))
    }
}

pub(super) fn find(args: &EquilibriumArgs, console: &Console) -> Result<Answer, Failure> {
    let subject = args.subject.open(console)?;
    let mut dynamics = Dynamics::new(&subject.system);
    let found = args.search.find(&mut dynamics)?;
    let samples = dynamics.joint_samples().map_err(|error| not_finished(&error))?;
    let (bodies, joints) = records(&subject, &dynamics, &samples);
    Ok(Answer {
        text: text(&subject, (&found, &dynamics), &bodies, &joints),
        json: json!({
            "schema": 1,
            "name": subject.name,
            "equilibrium": to_json(&found, &dynamics),
            "bodies": named(subject.scene.bodies.iter().map(|b| &b.name), bodies.iter().map(|b| json!(b))),
            "joints": named(subject.scene.joints.iter().map(|j| &j.name), joints.iter().map(|j| json!(j))),
        }),
        table: table(&subject, &dynamics, &samples),
    })
}

/// The search as JSON.
pub(super) fn to_json(found: &Equilibrium, dynamics: &Dynamics<'_>) -> Value {
    let stability = &found.stability;
    let name = |f: usize| &dynamics.freedoms()[f].name;
    let direction = stability.direction.iter().enumerate().map(|(f, x)| (name(f).clone(), json!(x)));
    json!({
        "iterations": found.iterations,
        "residual_n": found.residual,
        "residual_relative": found.residual_relative,
        "contacts": found.contacts,
        "stable": stability.kind == StabilityKind::Stable,
        "stability": stability.kind.name(),
        "indifferent": stability.indifferent.iter().map(|&f| name(f)).collect::<Vec<_>>(),
        "smallest_1_s2": stability.smallest,
        "direction": direction.collect::<Map<_, _>>(),
    })
}

fn named<'a>(names: impl Iterator<Item = &'a String>, records: impl Iterator<Item = Value>) -> Value {
    Value::Object(names.cloned().zip(records).collect::<Map<_, _>>())
}

fn records(
    subject: &Subject,
    dynamics: &Dynamics<'_>,
    samples: &[JointSample],
) -> (Vec<FinalBody>, Vec<FinalJoint>) {
    let bodies = dynamics.bodies().iter().map(FinalBody::new).collect();
    let joints = subject.scene.joints.iter().zip(samples);
    (bodies, joints.map(|(joint, sample)| FinalJoint::new(joint.kind, sample)).collect())
}

/// One row with the columns that bodies and joints have in the results.
fn table(subject: &Subject, dynamics: &Dynamics<'_>, samples: &[JointSample]) -> Vec<Vec<String>> {
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for (body, state) in subject.scene.bodies.iter().zip(dynamics.bodies()) {
        let columns = states::body_quantities();
        names.extend(columns.map(|(base, unit)| with_unit(&format!("{}.{base}", body.name), unit)));
        values.extend(states::values(&state).map(exact));
    }
    for (joint, sample) in subject.scene.joints.iter().zip(samples) {
        names.extend(joints::columns(joint).iter().map(|column| column.name()));
        values.extend(joints::values(joint.kind, sample).map(|&value| exact(value)));
    }
    vec![names, values]
}

/// Components of a direction that are shown, against the largest.
const SHOWN: f64 = 0.1;

/// What an equilibrium does when it is pushed.
fn kind_of(found: &Equilibrium, dynamics: &Dynamics<'_>) -> String {
    let Stability { kind, smallest, direction, indifferent } = &found.stability;
    let name = |f: usize| dynamics.freedoms()[f].name.as_str();
    match kind {
        StabilityKind::Stable => "stable equilibrium".to_owned(),
        StabilityKind::Indifferent => {
            let names: Vec<_> = indifferent.iter().map(|&f| name(f)).collect();
            format!("equilibrium that nothing holds along {}", names.join(", "))
        }
        StabilityKind::Unstable => {
            let shown = direction.iter().enumerate().filter(|(_, x)| x.abs() >= SHOWN);
            let shown: Vec<_> = shown.map(|(f, x)| format!("{} {}", name(f), short(*x))).collect();
            let rate = short((-smallest).sqrt());
            format!("unstable equilibrium, left at {rate}/s along {}", shown.join(", "))
        }
    }
}

fn text(
    subject: &Subject,
    (found, dynamics): (&Equilibrium, &Dynamics<'_>),
    bodies: &[FinalBody],
    joints: &[FinalJoint],
) -> String {
    let mut text = String::new();
    let kind = kind_of(found, dynamics);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}  {kind}, after {} steps", subject.name, found.iterations);
    let _ = writeln!(
        text,
        "  unbalanced {:.1e} N, {:.1e} of all loads; {} contacts carry\n",
        found.residual, found.residual_relative, found.contacts
    );
    let mut rows = vec![cells(["body", "x (m)", "y (m)", "z (m)", "qw", "qx", "qy", "qz"])];
    for (body, state) in subject.scene.bodies.iter().zip(bodies).filter(|(body, _)| !body.fixed) {
        let numbers = state.position_m.iter().chain(&state.quaternion_wxyz);
        rows.push([body.name.clone()].into_iter().chain(numbers.map(|&x| short(x))).collect());
    }
    text.push_str(&columns(&rows));
    if !joints.is_empty() {
        text.push('\n');
        text.push_str(&columns(&joint_rows(subject, joints)));
    }
    text
}

/// Scalar coordinates with their efforts, then the reactions.
fn joint_rows(subject: &Subject, joints: &[FinalJoint]) -> Vec<Vec<String>> {
    let mut rows = vec![cells(["joint", "coordinate", "effort", "reaction (N)", "(N m)"])];
    for (joint, state) in subject.scene.joints.iter().zip(joints) {
        let size = |v: &[f64; 3]| short(v.iter().map(|x| x * x).sum::<f64>().sqrt());
        let (force, torque) = (size(&state.force_n), size(&state.torque_n_m));
        if joint.kind.axes().is_empty() {
            rows.push(vec![joint.name.clone(), String::new(), String::new(), force, torque]);
            continue;
        }
        let axes = joint.kind.axes().iter().enumerate();
        rows.extend(axes.map(|(k, axis)| {
            use carom_engine::model::AxisMeasure::{Angle, Length};
            let (unit, effort) = match axis {
                Angle => ("rad", "N m"),
                Length => ("m", "N"),
            };
            let first = k == 0;
            vec![
                if first { joint.name.clone() } else { String::new() },
                format!("{} {unit}", short(state.position[k])),
                format!("{} {effort}", short(state.effort[k])),
                if first { force.clone() } else { String::new() },
                if first { torque.clone() } else { String::new() },
            ]
        }));
    }
    rows
}
