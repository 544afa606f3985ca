//! A robot as one table: what its bodies weigh, where its joints end, what touches, and what an import left out.

use std::fmt::Write;

use carom_engine::model::{
    AxisElements, AxisMeasure, Body, Force, ForceKind, Joint, JointCoordinate, Model, ShapeRef,
};
use carom_geometry::mass::check_inertia;
use carom_io::LoadedModel;

/// Two moments whose sum is not above the third one by more than this share: all mass is in a plane, or on a line.
const FLAT: f64 = 1e-3;
/// Names that are listed.
const NAMED: usize = 3;

/// Bodies, joints, contacts, and what was left out by how much it matters.
pub(crate) fn robot(loaded: &LoadedModel) -> String {
    let model = &loaded.model;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  {:<24} {:>10}  {:<32} {:>9}  {:<18} shapes",
        "body", "mass kg", "principal moments kg m^2", "radius mm", "inertia"
    );
    for (k, body) in model.bodies.iter().enumerate() {
        let _ = writeln!(text, "  {}", body_row(model, k, body).trim_end());
    }
    if (model.joints.iter().enumerate()).any(|(k, joint)| shown_axes(model, k, joint).next().is_some()) {
        let _ = writeln!(
            text,
            "  {:<24} {:<12} {:>10} {:>10} {:>10}  along it",
            "joint", "kind", "start", "lower", "upper"
        );
    }
    for (k, joint) in model.joints.iter().enumerate() {
        for axis in shown_axes(model, k, joint) {
            let _ = writeln!(text, "  {}", joint_row(model, k, joint, axis).trim_end());
        }
    }
    text.push_str(&left_out(loaded));
    text
}

/// Scalar coordinates, and of other freedoms those along which something acts.
fn shown_axes<'m>(model: &'m Model, number: usize, joint: &'m Joint) -> impl Iterator<Item = usize> + 'm {
    let is_scalar = !joint.kind.axes().is_empty();
    let is_driven =
        move |axis: usize| drives_of(model, JointCoordinate { joint: number, axis }).next().is_some();
    (0..joint.elements.len())
        .filter(move |&axis| is_scalar || joint.elements[axis] != AxisElements::default() || is_driven(axis))
}

/// Actuators along a freedom.
fn drives_of(model: &Model, at: JointCoordinate) -> impl Iterator<Item = &Force> {
    model.forces.iter().filter(move |force| match &force.kind {
        ForceKind::Actuator(actuator) => actuator.terms.iter().any(|(term, _)| *term == at),
        _ => false,
    })
}

fn body_row(model: &Model, number: usize, body: &Body) -> String {
    let shapes = shapes_of(model, number, body);
    if body.fixed {
        return format!("{:<24} {:>10}  {:<32} {:>9}  {:<18} {shapes}", body.name, "fixed", "", "", "");
    }
    let (moments, word) = match check_inertia(&body.inertia) {
        Ok(moments) => (moments, sanity(body, moments.as_slice())),
        Err(_) => (body.inertia.diagonal(), "not a rigid body's"),
    };
    let radius = 1e3 * (moments.max() / body.mass).sqrt();
    let listed: Vec<String> = moments.iter().map(|m| format!("{m:.3e}")).collect();
    format!(
        "{:<24} {:>10}  {:<32} {radius:>9.1}  {word:<18} {shapes}",
        body.name,
        short(body.mass),
        listed.join("  ")
    )
}

/// Ascending moments. The greatest radius of gyration is at most the distance of the farthest point.
fn sanity(body: &Body, moments: &[f64]) -> &'static str {
    let of_shape = |s: &carom_engine::model::BodyShape| {
        (s.pose.translation - body.com).norm() + s.shape.bounding_radius()
    };
    let reach = body.shapes.iter().map(of_shape).reduce(f64::max);
    if reach.is_some_and(|reach| moments[2] > body.mass * reach * reach) {
        "beyond its shapes"
    } else if moments[0] + moments[1] - moments[2] < FLAT * moments[2] {
        "flat or thin"
    } else {
        "ok"
    }
}

/// How many shapes touch, in how many pairs, and how many are only drawn.
fn shapes_of(model: &Model, number: usize, body: &Body) -> String {
    let is_on = |s: &ShapeRef| s.body == number;
    let pairs = model.pairs.iter().filter(|p| is_on(&p.a) || is_on(&p.b)).count();
    let touches = |shape: usize| {
        let it = ShapeRef { body: number, shape };
        let in_wide = || {
            model.wide_lines.iter().any(|w| w.line.is_some() && w.sides.iter().flatten().any(|s| *s == it))
        };
        model.pairs.iter().any(|p| p.a == it || p.b == it) || in_wide()
    };
    let touching = (0..body.shapes.len()).filter(|shape| touches(*shape)).count();
    let drawn = body.shapes.len() - touching;
    let touching = (touching > 0).then(|| format!("{touching} touch in {pairs} pairs"));
    let drawn = (drawn > 0).then(|| format!("{drawn} only drawn"));
    let said: Vec<String> = [touching, drawn].into_iter().flatten().collect();
    if said.is_empty() { "none".to_owned() } else { said.join(", ") }
}

fn joint_row(model: &Model, number: usize, joint: &Joint, axis: usize) -> String {
    let is_scalar = !joint.kind.axes().is_empty();
    let (freedom, measure) = joint.kind.freedom_names()[axis];
    let coordinate = |q: f64| match measure {
        AxisMeasure::Angle => format!("{:.1} deg", q.to_degrees()),
        AxisMeasure::Length => format!("{:.1} mm", 1e3 * q),
    };
    let element = &joint.elements[axis];
    let bound = |q: Option<f64>| q.map_or("-".to_owned(), coordinate);
    let start = joint.position.as_ref().and_then(|q| q.get(axis).copied()).unwrap_or(0.0);
    let start = if is_scalar { coordinate(start) } else { "-".to_owned() };
    let name = match (joint.elements.len(), is_scalar) {
        (1, _) => joint.name.clone(),
        (_, true) => format!("{}[{axis}]", joint.name),
        (_, false) => format!("{}.{freedom}", joint.name),
    };
    let mut along = Vec::new();
    along.extend((element.armature != 0.0).then(|| format!("armature {}", short(element.armature))));
    along.extend(
        element.spring.filter(|s| s.stiffness != 0.0).map(|s| format!("spring {}", short(s.stiffness))),
    );
    along
        .extend(element.spring.filter(|s| s.damping != 0.0).map(|s| format!("damping {}", short(s.damping))));
    along.extend(element.friction.map(|f| format!("friction {}", short(f.force))));
    along.extend(element.servo.as_ref().map(|servo| match servo.effort {
        Some(most) => format!("servo up to {}", short(most)),
        None => "servo".to_owned(),
    }));
    along.extend(element.motor.is_some().then(|| "motor".to_owned()));
    let drives = drives_of(model, JointCoordinate { joint: number, axis });
    along.extend(drives.map(|force| format!("force \"{}\"", force.name)));
    along.extend(
        element.actuator_range.map(|[least, most]| format!("together {} to {}", short(least), short(most))),
    );
    format!(
        "{name:<24} {:<12} {:>10} {:>10} {:>10}  {}",
        joint.kind.name(),
        start,
        bound(element.limit.and_then(|l| l.lower)),
        bound(element.limit.and_then(|l| l.upper)),
        along.join(", ")
    )
}

/// Warnings change the motion, what was left out beside them does not.
fn left_out(loaded: &LoadedModel) -> String {
    let lost = loaded.warnings.iter().filter(|w| matches!(w.problem.code, "W0801" | "W0802" | "W0804"));
    let lost: Vec<&str> = lost.map(|w| w.problem.message.as_str()).collect();
    let without: Vec<&str> = loaded.left_out.iter().map(String::as_str).collect();
    let mut text = String::new();
    for (all, what) in [(lost, "changes the motion"), (without, "does not change the motion")] {
        let named = all.iter().take(NAMED).copied().collect::<Vec<_>>().join("; ");
        let rest = if all.len() > NAMED { "; …" } else { "" };
        let said =
            if all.is_empty() { "nothing".to_owned() } else { format!("{}: {named}{rest}", all.len()) };
        let _ = writeln!(text, "  left out, {what}: {said}");
    }
    text
}

/// Four digits.
fn short(x: f64) -> String {
    let text = format!("{x:.3e}").parse::<f64>().map_or_else(|_| x.to_string(), |x| format!("{x:?}"));
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
