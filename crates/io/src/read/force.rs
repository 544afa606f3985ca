use carom_engine::function::{Interpolation, TimeFunction};
use carom_engine::model::{Attachment, CableElasticity, CableLength, Force, ForceAxes, ForceKind};
use nalgebra::Matrix6;

use super::actuator::read_actuator;
use super::attachment::{Frames, turned};
use super::constraint::Coordinates;
use super::mechanism::Part;
use super::names::BodyNames;
use super::rotation::rotation_of_z;
use super::{Section, unread};
use crate::document::Value;
use crate::quantity::Dimension;

/// N m/rad.
const TORSION: Dimension = Dimension::TORSIONAL_STIFFNESS;
/// N m s/rad.
const TORSION_DAMPING: Dimension = Dimension::TORSIONAL_DAMPING;

/// Reads a force element; `None` after an error.
pub(crate) fn read_force(
    part: &Part<'_, '_>,
    bodies: &BodyNames,
    coordinates: &Coordinates<'_>,
) -> Option<Force> {
    let section = &part.section;
    let frames = Frames { section, bodies, prefix: &part.prefix };
    let kind = match section.word_or_default("type")? {
        "spring-damper" => {
            let ends = frames.pair();
            let stiffness = section.quantity_in_or_default("stiffness", Dimension::LINE_STIFFNESS);
            let damping = section.quantity_in_or_default("damping", Dimension::VISCOUS);
            let length = automatic(section, "length", Dimension::LENGTH);
            let actuator = actuator(section, "force", Dimension::FORCE);
            section.needs_one(&["stiffness", "damping", "force"])?;
            let (a, b) = ends?;
            ForceKind::SpringDamper {
                a,
                b,
                stiffness: stiffness?,
                damping: damping?,
                length: length?,
                actuator: actuator?,
            }
        }
        "torsion-spring" => {
            let ends = frames.pair();
            let axis = section.direction_or_default("axis");
            let stiffness = section.quantity_in_or_default("stiffness", TORSION);
            let damping = section.quantity_in_or_default("damping", TORSION_DAMPING);
            let angle = automatic(section, "angle", Dimension::ANGLE);
            let actuator = actuator(section, "torque", Dimension::ENERGY);
            section.needs_one(&["stiffness", "damping", "torque"])?;
            let (mut a, mut b) = ends?;
            if section.has("axis") {
                let rotation = rotation_of_z(&axis?);
                (a, b) = (turned(a, &rotation), turned(b, &rotation));
            }
            ForceKind::TorsionSpring {
                a,
                b,
                stiffness: stiffness?,
                damping: damping?,
                angle: angle?,
                actuator: actuator?,
            }
        }
        "actuator" => ForceKind::Actuator(read_actuator(section, &part.prefix, coordinates)?),
        "bushing" => {
            let ends = frames.pair();
            section.needs_one(&["stiffness", "damping"])?;
            let stiffness = matrix(section, "stiffness", Dimension::LINE_STIFFNESS);
            let damping = matrix(section, "damping", Dimension::VISCOUS);
            let (a, b) = ends?;
            ForceKind::Bushing { a, b, stiffness: Box::new(stiffness?), damping: Box::new(damping?) }
        }
        "force" => {
            let (on, components) = (frames.read("on"), section.functions("force", Dimension::FORCE));
            let axes = read_axes(section);
            ForceKind::Force { on: on?, components: components?, axes: axes? }
        }
        "torque" => {
            let (on, components) = (frames.read("on"), section.functions("torque", Dimension::ENERGY));
            let axes = read_axes(section);
            ForceKind::Torque { on: on?, components: components?, axes: axes? }
        }
        "drag" => {
            let on = frames.read("on");
            section.needs_one(&["linear", "quadratic", "angular"])?;
            let linear = section.quantity_in_or_default("linear", Dimension::VISCOUS);
            let quadratic =
                section.quantity_in_or_default("quadratic", Dimension::VISCOUS.times(Dimension::SLOWNESS));
            let angular = section.quantity_in_or_default("angular", TORSION_DAMPING);
            ForceKind::Drag { on: on?, linear: linear?, quadratic: quadratic?, angular: angular? }
        }
        "cable" => read_cable(section, &frames)?,
        other => unread("type", other),
    };
    Some(Force { name: part.name.clone(), kind })
}

/// A quantity that is `None` inside if it is not given or `"auto"`.
pub(crate) fn automatic(section: &Section<'_, '_>, key: &str, dimension: Dimension) -> Option<Option<f64>> {
    match section.node(key) {
        None => Some(None),
        Some(node) if node.as_text() == Some("auto") => Some(None),
        Some(_) => section.quantity_in(key, dimension).map(Some),
    }
}

fn actuator(section: &Section<'_, '_>, key: &str, dimension: Dimension) -> Option<Option<TimeFunction>> {
    if !section.has(key) {
        return Some(None);
    }
    section.function(key, dimension, Interpolation::Linear).map(Some)
}

fn read_axes(section: &Section<'_, '_>) -> Option<ForceAxes> {
    section.kind_or_default("axes", &ForceAxes::ALL, ForceAxes::name, &[])
}

/// Six numbers of a diagonal, or six rows of six. `base` is the dimension of the part that acts on
/// displacements; each rotation among the two coordinates of an element is a length more.
fn matrix(section: &Section<'_, '_>, key: &str, base: Dimension) -> Option<Matrix6<f64>> {
    let Some(node) = section.node(key) else { return Some(Matrix6::zeros()) };
    let path = section.path_of(key);
    let dimension = |i: usize, j: usize| {
        let rotations = f64::from(u8::from(i > 2) + u8::from(j > 2));
        base.times(Dimension::LENGTH.power(rotations))
    };
    let wrong = |got: String| {
        let message = format!("{path} must be 6 numbers or 6 rows of 6, got {got}");
        let problem = section.problem("E0106", key, message);
        section.report(key, problem.expected("[kx, ky, kz, about x, about y, about z], or 6 rows of 6"));
    };
    let items = match &node.value {
        Value::Array(items) if items.len() == 6 => items,
        Value::Array(items) => {
            wrong(format!("{} entries", items.len()));
            return None;
        }
        Value::Broken => return None,
        other => {
            wrong(other.type_name().to_owned());
            return None;
        }
    };
    if items.iter().any(|i| matches!(i.value, Value::Array(_))) {
        let rows: Vec<Option<Vec<f64>>> = items
            .iter()
            .enumerate()
            .map(|(i, row)| {
                let dimensions: Vec<Dimension> = (0..6).map(|j| dimension(i, j)).collect();
                section.list_of(row, &format!("{path}[{i}]"), &dimensions)
            })
            .collect();
        let rows = rows.into_iter().collect::<Option<Vec<_>>>()?;
        return Some(Matrix6::from_row_slice(&rows.concat()));
    }
    let dimensions: Vec<Dimension> = (0..6).map(|i| dimension(i, i)).collect();
    let diagonal = section.list_of(node, &path, &dimensions)?;
    Some(Matrix6::from_diagonal(&nalgebra::Vector6::from_row_slice(&diagonal)))
}

fn read_cable(section: &Section<'_, '_>, frames: &Frames<'_, '_, '_>) -> Option<ForceKind> {
    let path = read_path(section, frames);
    let initial = automatic(section, "length", Dimension::LENGTH);
    let rate = actuator(section, "rate", Dimension::VELOCITY);
    let ideal = section.flag_or_default("ideal");
    let elasticity = read_elasticity(section, ideal);
    Some(ForceKind::Cable {
        path: path?,
        length: CableLength { initial: initial?, rate: rate? },
        elasticity: elasticity?,
    })
}

/// `Some(None)`: it does not stretch.
fn read_elasticity(section: &Section<'_, '_>, ideal: bool) -> Option<Option<CableElasticity>> {
    if ideal {
        for key in ["stiffness", "damping"] {
            if section.has(key) {
                let message = format!("{} is ideal and has no {key}", section.path);
                let problem = section.problem("E0212", key, message).expected("one of the two");
                section.report(key, problem.help(format!("remove `ideal` or `{key}`")));
                return None;
            }
        }
        return Some(None);
    }
    if !section.has("stiffness") {
        let message = format!("{} does not say how it stretches", section.path);
        let problem = section.problem("E0202", "stiffness", message);
        let problem = problem.expected("stiffness = quantity in N/m, or ideal = true");
        let help = "ideal = true makes it a constraint while taut";
        section.context.findings.push(crate::finding::Finding::at(problem.help(help), section.key_span));
        return None;
    }
    let stiffness = section.quantity_in("stiffness", Dimension::LINE_STIFFNESS);
    let damping = section.quantity_in_or_default("damping", Dimension::VISCOUS);
    Some(Some(CableElasticity { stiffness: stiffness?, damping: damping? }))
}

fn read_path(section: &Section<'_, '_>, frames: &Frames<'_, '_, '_>) -> Option<Vec<Attachment>> {
    if !section.has("path") {
        section.report_missing("path");
        return None;
    }
    let points = section.tables("path");
    let Some(Value::Array(items)) = section.node("path").map(|n| &n.value) else { return None };
    let last = items.len().saturating_sub(1);
    let mut path = Vec::new();
    let mut complete = points.len() == items.len();
    for (k, point) in points.iter().enumerate() {
        let is_end = k == 0 || k == last;
        match point.flag("eyelet") {
            Some(true) if is_end => {
                let message = format!("{} is an end of the cable and cannot be an eyelet", point.path);
                let problem = point.problem("E0328", "eyelet", message).expected("eyelets between the ends");
                point.report("eyelet", problem.help("remove `eyelet`, or add the end of the cable"));
                complete = false;
            }
            Some(false) if !is_end => {
                let message = format!("{} is between the ends, where the cable slides", point.path);
                let problem = point.problem("E0328", "eyelet", message).expected("eyelet = true");
                point.report("eyelet", problem.help("for a fixed point write two cables that end there"));
                complete = false;
            }
            _ => {}
        }
        match frames.of(point) {
            Some(frame) => path.push(frame),
            None => complete = false,
        }
    }
    complete.then_some(path)
}
