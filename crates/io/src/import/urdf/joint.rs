//! Joints with their limits, damping and friction, and the couplings of mimicking ones.

use std::collections::BTreeMap;

use carom_engine::Problem;
use carom_math::{Mat3, Pose, Vec3};

use super::super::context::{Context, help_for};
use super::super::robot::{Axis, Constraint, ConstraintKind, Joint, JointKind, Motion, Robot, Term};
use super::super::xml::{Element, is_no_limit};
use super::{LinkIndex, origin};
use crate::finding::Finding;
use crate::source::Span;
use crate::suggest;

const TYPES: [&str; 6] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"];

/// A joint that follows another.
pub(super) struct Mimic {
    /// Place of its own name, by which it is found again: what breaks the tree is taken out of the joints.
    joint: Span,
    leader: String,
    multiplier: f64,
    offset: f64,
    span: Span,
}

/// Reads all joints whose links are known.
pub(super) fn read_all(
    root: &Element,
    index: &LinkIndex,
    robot: &mut Robot,
    context: &Context<'_>,
) -> Vec<Mimic> {
    let mut names: BTreeMap<String, Span> = BTreeMap::new();
    let mut mimics = Vec::new();
    for element in root.all("joint") {
        let Some(name) = element.required_text("name", context) else { continue };
        if let Some(first) = names.insert(name.to_owned(), element.place("name")) {
            let problem =
                Problem::new("E0806", "", format!("there are two joints \"{name}\"")).help("rename one");
            context.findings.push(Finding::at(problem, element.place("name")).related(first, "the first"));
        }
        let (a, b) = (link(element, "parent", index, context), link(element, "child", index, context));
        let joint = read(element, name, context);
        let mimic = element.child("mimic").and_then(|mimic| read_mimic(mimic, joint.span, context));
        let (Some(a), Some(b)) = (a, b) else { continue };
        mimics.extend(mimic);
        robot.joints.push(Joint { a, b, ..joint });
    }
    mimics
}

fn link(element: &Element, side: &str, index: &LinkIndex, context: &Context<'_>) -> Option<usize> {
    let child = element.required_child(side, context)?;
    let name = child.required_text("link", context)?;
    let found = index.get(name).copied();
    if found.is_none() {
        let message =
            format!("{} names the link \"{name}\" as its {side}, which is not there", element.title());
        let mut problem = Problem::new("E0807", "", message);
        problem.help = help_for(name, index.keys().map(String::as_str));
        context.report(problem, child.place("link"));
    }
    found
}

/// A joint without its links. One of no known type counts as one that turns, so that its other mistakes are told, too.
fn read(element: &Element, name: &str, context: &Context<'_>) -> Joint {
    let frame_a = origin(element, context);
    let stated = element.required_text("type", context);
    let known = stated.filter(|kind| TYPES.contains(kind));
    if let Some(kind) = stated.filter(|_| known.is_none()) {
        let message = format!("joint \"{name}\" has the type \"{kind}\", which URDF does not have");
        let mut problem = Problem::new("E0805", "", message).expected(TYPES.join(", "));
        problem.help = suggest::nearest(kind, TYPES).map(|near| format!("did you mean \"{near}\"?"));
        context.report(problem, element.place("type"));
    }
    let bare = Joint::bare(name.to_owned(), element.place("name"), JointKind::Fixed, [0, 0]);
    let mut joint = Joint { frame_a, ..bare };
    match known {
        Some(kind @ ("fixed" | "floating")) => {
            joint.kind = if kind == "fixed" { JointKind::Fixed } else { JointKind::Free };
            // Files often give them an axis and limits, which mean nothing.
            for part in ["axis", "limit", "dynamics", "mimic"].into_iter().filter_map(|p| element.child(p)) {
                part.mark_all();
                let text = format!("<{}> of a {kind} joint has no meaning", part.name);
                context.left_out(text, part.span);
            }
        }
        Some("planar") => {
            plane(&mut joint, &axis(element, name, context));
            limits_of_plane(element, &mut joint, context);
        }
        _ => {
            let slides = known == Some("prismatic");
            let motion = if slides { Motion::Shift } else { Motion::Turn };
            joint.kind = if slides { JointKind::Prismatic } else { JointKind::Revolute };
            let mut one = Axis::new(motion, axis(element, name, context));
            limits(element, known, &mut one, context);
            one.effort = effort(element, context).map(|most| [-most, most]);
            speed(element, &mut one, context);
            dynamics(element, &mut one, context);
            joint.axes.push(one);
        }
    }
    joint
}

/// Direction of the axis; x if none is given, or after an error.
fn axis(element: &Element, name: &str, context: &Context<'_>) -> Vec3 {
    let Some(child) = element.child("axis") else { return Vec3::x() };
    let Some(v) = child.vector("xyz", context) else { return Vec3::x() };
    let length = v.norm();
    if length == 0.0 {
        let problem = Problem::new("E0315", "", format!("the axis of joint \"{name}\" has no length"))
            .expected("a direction, such as xyz=\"0 0 1\"")
            .help("a joint without an axis is of type fixed or floating");
        context.report(problem, child.place("xyz"));
        return Vec3::x();
    }
    // A unit vector stays as it is, bit for bit.
    if (length - 1.0).abs() < 1e-12 { v } else { v / length }
}

/// The plane across `normal`: its z axis; both frames are turned alike.
fn plane(joint: &mut Joint, normal: &Vec3) {
    let (x, y) = carom_math::orthonormal_basis(normal);
    let turn = Pose { rotation: Mat3::from_columns(&[x, y, *normal]), translation: Vec3::zeros() };
    joint.kind = JointKind::Planar;
    joint.frame_a = joint.frame_a.compose(&turn);
    joint.frame_b = joint.frame_b.compose(&turn);
    joint.axes = vec![
        Axis::new(Motion::Shift, Vec3::x()),
        Axis::new(Motion::Shift, Vec3::y()),
        Axis::new(Motion::Turn, Vec3::z()),
    ];
}

/// Damping and friction act on all three coordinates; limits have no meaning.
fn limits_of_plane(element: &Element, joint: &mut Joint, context: &Context<'_>) {
    for axis in &mut joint.axes {
        dynamics(element, axis, context);
    }
    if let Some(limit) = element.child("limit") {
        limit.mark_all();
        context.left_out("<limit> of a planar joint has no meaning", limit.span);
    }
}

/// Of a joint of any known kind, or of none.
fn limits(element: &Element, kind: Option<&str>, axis: &mut Axis, context: &Context<'_>) {
    let Some(limit) = element.child("limit") else {
        let Some(kind) = kind.filter(|kind| *kind != "continuous") else { return };
        let problem = Problem::new("E0804", "", format!("{} has no <limit>", element.title()))
            .expected(format!("<limit lower=\"…\" upper=\"…\"/> in a {kind} joint"))
            .help("a revolute joint without limits is of type continuous");
        return context.report(problem, element.span);
    };
    let is_none = |name: &str| limit.text(name).is_some_and(is_no_limit);
    let [lower, upper] =
        ["lower", "upper"].map(|name| (!is_none(name)).then(|| limit.number(name, context).unwrap_or(0.0)));
    if kind == Some("continuous") {
        return;
    }
    // No limit on the wrong side would leave the joint no place.
    for (name, sign) in [("lower", "-"), ("upper", "")] {
        let is_wrong = limit
            .text(name)
            .is_some_and(|text| is_no_limit(text) && text.starts_with('-') == sign.is_empty());
        if is_wrong {
            let message =
                format!("the {name} limit of {} is {}", element.title(), limit.text(name).unwrap_or(""));
            let problem =
                Problem::new("E0810", "", message).expected(format!("a number, or {sign}1e16 for none"));
            return context.report(problem, limit.place(name));
        }
    }
    let (Some(lower), Some(upper)) = (lower, upper) else {
        return (axis.lower, axis.upper) = (lower, upper);
    };
    if lower > upper {
        let message = format!("the limits of {} are reversed: {lower} > {upper}", element.title());
        let problem = Problem::new("E0810", "", message).expected("lower <= upper").help("exchange the two");
        return context.report(problem, limit.place("lower"));
    }
    if lower == upper {
        return context.warn_of_no_room(&element.title(), lower, limit.span);
    }
    (axis.lower, axis.upper) = (Some(lower), Some(upper));
}

/// Greatest speed that a controller may ask for. Nothing in a joint brakes it there: a run that is faster says so. Files write 0 for
/// what they do not know.
fn speed(element: &Element, axis: &mut Axis, context: &Context<'_>) {
    let Some(limit) = element.child("limit") else { return };
    if limit.text("velocity").is_some_and(is_no_limit) {
        return;
    }
    let Some(speed) = limit.number("velocity", context) else { return };
    if speed < 0.0 {
        let message = format!("velocity of {} must not be negative, got {speed}", element.title());
        return limit.bad_value("velocity", message, "0 or more", context);
    }
    axis.rated_speed = Some(speed).filter(|speed| *speed > 0.0);
}

/// Greatest effort of the joint's drive, where something drives it. Files write 0 for what they do not know.
fn effort(element: &Element, context: &Context<'_>) -> Option<f64> {
    let limit = element.child("limit")?;
    if limit.text("effort").is_some_and(is_no_limit) {
        return None;
    }
    let effort = limit.number("effort", context)?;
    if effort < 0.0 {
        let message = format!("effort of {} must not be negative, got {effort}", element.title());
        limit.bad_value("effort", message, "0 or more", context);
    }
    if !context.options.hold {
        context.left_out("`effort` of <limit>", limit.place("effort"));
        return None;
    }
    if effort == 0.0 {
        context.choice(
            "a joint's effort of 0 is taken for none stated: its servo has no limit",
            Some(limit.span),
        );
    }
    (effort > 0.0).then_some(effort)
}

fn dynamics(element: &Element, axis: &mut Axis, context: &Context<'_>) {
    let Some(dynamics) = element.child("dynamics") else { return };
    for (name, value) in [("damping", &mut axis.damping), ("friction", &mut axis.friction)] {
        let Some(x) = dynamics.number(name, context) else { continue };
        if x < 0.0 {
            let message = format!("{name} of {} must not be negative, got {x}", element.title());
            dynamics.bad_value(name, message, "0 or more", context);
        }
        *value = x;
    }
}

fn read_mimic(element: &Element, joint: Span, context: &Context<'_>) -> Option<Mimic> {
    Some(Mimic {
        joint,
        leader: element.required_text("joint", context)?.to_owned(),
        multiplier: element.number("multiplier", context).unwrap_or(1.0),
        offset: element.number("offset", context).unwrap_or(0.0),
        span: element.place("joint"),
    })
}

/// q − multiplier · q_leader = offset. `complete` says that all joints of the file are there to be named.
pub(super) fn add_mimics(mimics: Vec<Mimic>, robot: &mut Robot, complete: bool, context: &Context<'_>) {
    for Mimic { joint, leader, multiplier, offset, span } in mimics {
        let Some(joint) = robot.joints.iter().position(|j| j.span == joint) else { continue };
        let own = robot.joints[joint].name.clone();
        if robot.joints[joint].axes.len() != 1 {
            continue;
        }
        let found = robot.joints.iter().position(|j| j.name == leader);
        let usable = found.filter(|&k| k != joint && robot.joints[k].axes.len() == 1);
        let Some(leading) = usable else {
            // What is wrong with the joint that it names has been said.
            if found.is_none() && !complete {
                continue;
            }
            let mut problem = Problem::new(
                "E0807",
                "",
                match found {
                    None => format!("joint \"{own}\" mimics \"{leader}\", which is not there"),
                    Some(k) if k == joint => format!("joint \"{own}\" mimics itself"),
                    Some(_) => format!("joint \"{own}\" mimics \"{leader}\", which has not one coordinate"),
                },
            );
            let movable = robot.joints.iter().filter(|j| j.axes.len() == 1 && j.name != own);
            let names: Vec<&str> = movable.map(|j| j.name.as_str()).collect();
            problem.help = help_for(&leader, names.iter().copied());
            context.report(problem, span);
            continue;
        };
        let term = |joint, factor| Term { joint, axis: 0, factor };
        // Without a multiplier it stays where the offset puts it.
        let follows = (multiplier != 0.0).then(|| term(leading, -multiplier));
        let terms = [term(joint, 1.0)].into_iter().chain(follows).collect();
        robot.constraints.push(Constraint { name: own, kind: ConstraintKind::Coupling { terms, offset } });
    }
}
