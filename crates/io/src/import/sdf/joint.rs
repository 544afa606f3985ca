//! Joints with their limits, springs, damping and friction, and the couplings of mimicking ones.

use std::f64::consts::TAU;

use carom_engine::Problem;
use carom_math::{Mat3, Pose, Vec3};

use super::super::context::{Context, help_for};
use super::super::robot::{
    Axis, Constraint, ConstraintKind, Held, Hold, Joint, JointKind, Motion, Robot, Term, WORLD,
};
use super::super::xml::{Element, NO_LIMIT, is_no_limit};
use super::frames::{Carrier, Frames, Scope};
use super::pose::Stated;
use super::{Reader, Version, shown};
use crate::finding::Finding;
use crate::source::Span;
use crate::suggest;

const TYPES: [&str; 9] =
    ["revolute", "continuous", "prismatic", "fixed", "ball", "universal", "revolute2", "screw", "gearbox"];
/// How far a screw moves for each revolution where the file does not say so (m).
const PLAIN_PITCH: f64 = 1.0;
/// Axes of a universal joint are at right angles to this (rad); files have as many digits.
const PERPENDICULAR: f64 = 1e-4;
/// Those that are off by less are left as they are.
const ROUNDING: f64 = 1e-9;

/// A joint whose frames are not known yet.
pub(super) struct ReadJoint {
    key: String,
    span: Span,
    kind: JointKind,
    parent: (String, Span),
    child: (String, Span),
    axes: Vec<ReadAxis>,
    /// Of a ball joint, of its angular velocity (N m s/rad).
    damping: f64,
}

struct ReadAxis {
    axis: Axis,
    direction: Direction,
    mimic: Option<Mimic>,
}

/// Of an axis, as the file has it.
pub(super) struct Direction {
    unit: Vec3,
    pub(super) span: Span,
    /// Whole name of the frame that it is in.
    frame: (String, Span),
}

/// q = multiplier (q of the leader − reference) + offset.
struct Mimic {
    leader: String,
    axis: usize,
    multiplier: f64,
    offset: f64,
    reference: f64,
    span: Span,
}

impl Reader<'_> {
    pub(super) fn joint(&mut self, element: &Element, scope: &Scope, version: Version) {
        let context = self.context;
        element.mark();
        let name = element.required_text("name", context);
        let end = |side: &str| {
            let child = element.required_child(side, context)?;
            let name = child.content.trim();
            Some((scope.key(name), child.span))
        };
        let (parent, child) = (end("parent"), end("child"));
        let kind = read_kind(element, context);
        if let (Some(name), None) = (name, kind) {
            // Its other mistakes are told, too.
            let own = (scope.key(name), element.place("name"));
            for axis in element.all("axis") {
                read_axis(axis, element, JointKind::Revolute, &own, scope, version, context);
            }
        }
        let (Some(name), Some(parent), Some(child), Some(kind)) = (name, parent, child, kind) else { return };
        let (key, span) = (scope.key(name), element.place("name"));
        let stated = element.child("pose").and_then(|pose| Stated::read(pose, context)).unwrap_or_default();
        let place = stated.within(scope, &child.0);
        if !self.frames.add(key.clone(), span, place, Carrier::Attached(child.clone()), None, context) {
            return;
        }
        let own = (key.clone(), span);
        let damping = if kind == JointKind::Spherical { read_ball_damping(element, context) } else { 0.0 };
        let axes = read_axes(element, kind, &own, scope, version, context);
        self.joints.push(ReadJoint { key, span, kind, parent, child, axes, damping });
    }
}

fn read_kind(element: &Element, context: &Context<'_>) -> Option<JointKind> {
    let word = element.required_text("type", context)?;
    Some(match word {
        "revolute" | "continuous" => JointKind::Revolute,
        "prismatic" => JointKind::Prismatic,
        "fixed" => JointKind::Fixed,
        "ball" => JointKind::Spherical,
        "universal" | "revolute2" => JointKind::Universal,
        "screw" => JointKind::Threaded,
        other => {
            let message = format!("{} has the type \"{other}\", which SDF does not have", element.title());
            let mut problem = Problem::new("E0805", "", message).expected(TYPES.join(", "));
            problem.help = suggest::nearest(other, TYPES).map(|near| format!("did you mean \"{near}\"?"));
            context.report(problem, element.place("type"));
            return None;
        }
    })
}

fn read_axes(
    element: &Element,
    kind: JointKind,
    own: &(String, Span),
    scope: &Scope,
    version: Version,
    context: &Context<'_>,
) -> Vec<ReadAxis> {
    let names: &[&str] = match kind {
        JointKind::Revolute | JointKind::Prismatic | JointKind::Threaded => &["axis"],
        JointKind::Universal => &["axis", "axis2"],
        _ => &[],
    };
    for part in ["axis", "axis2"].iter().filter(|p| !names.contains(p)).filter_map(|p| element.child(p)) {
        part.mark_tree();
        let text = match kind {
            JointKind::Spherical => {
                format!("<{}> of a ball joint has no meaning but for its damping", part.name)
            }
            _ => format!("<{}> of a {} joint has no meaning", part.name, kind.name()),
        };
        context.left_out(text, part.span);
    }
    let holders: Option<Vec<&Element>> =
        names.iter().map(|name| element.required_child(name, context)).collect();
    let one = |holder: &Element| read_axis(holder, element, kind, own, scope, version, context);
    holders.unwrap_or_default().into_iter().filter_map(one).collect()
}

impl Direction {
    /// That of an `<axis>`.
    pub(super) fn read(
        holder: &Element,
        joint: &Element,
        own: &(String, Span),
        scope: &Scope,
        version: Version,
        context: &Context<'_>,
    ) -> Option<Self> {
        let xyz = holder.child("xyz");
        let direction = xyz.map_or_else(|| Some(Vec3::z()), |xyz| xyz.content_vector(context));
        let in_model = holder.child("use_parent_model_frame").and_then(|u| u.content_flag(context));
        let expressed = xyz.and_then(|xyz| {
            Some((xyz.text("expressed_in").filter(|f| !f.is_empty())?, xyz.place("expressed_in")))
        });
        // Before version 1.5 axes were in the model's frame.
        let frame = match expressed {
            Some((name, span)) => (scope.key(name), span),
            None if in_model.unwrap_or(version < (1, 5)) => (scope.model.clone(), holder.span),
            None => own.clone(),
        };
        let span = xyz.map_or(holder.span, |xyz| xyz.span);
        let unit = direction.and_then(|direction| direction.try_normalize(0.0));
        if direction.is_some() && unit.is_none() {
            let problem = Problem::new("E0315", "", format!("the axis of {} has no length", joint.title()));
            context.report(problem.expected("a direction, such as <xyz>0 0 1</xyz>"), span);
        }
        unit.map(|unit| Self { unit, span, frame })
    }

    /// In the axes of a frame that is so turned in the world.
    pub(super) fn seen_from(&self, rotation: &Mat3, frames: &Frames, context: &Context<'_>) -> Option<Vec3> {
        let (name, span) = &self.frame;
        let frame = frames.pose(name, *span, context)?;
        Some(rounded(rotation.transpose() * (frame.rotation * self.unit)))
    }
}

fn read_axis(
    holder: &Element,
    joint: &Element,
    kind: JointKind,
    own: &(String, Span),
    scope: &Scope,
    version: Version,
    context: &Context<'_>,
) -> Option<ReadAxis> {
    let direction = Direction::read(holder, joint, own, scope, version, context);
    let motion = if kind == JointKind::Prismatic { Motion::Shift } else { Motion::Turn };
    let mut axis = Axis::new(motion, Vec3::z());
    if kind == JointKind::Threaded {
        axis.lead = read_lead(joint, context);
    }
    axis.armature = read_rotor(holder, joint, context);
    let has_limits = joint.text("type") != Some("continuous");
    limits(holder, has_limits, &mut axis, joint, context);
    dynamics(holder, &mut axis, joint, context);
    let mimic = holder.child("mimic").and_then(|mimic| read_mimic(mimic, scope, context));
    direction.map(|direction| ReadAxis { axis, direction, mimic })
}

/// Metres per radian of a screw. `thread_pitch`, which `screw_thread_pitch` has replaced, is in radians per metre of a thread that is
/// left-handed where it is positive.
fn read_lead(joint: &Element, context: &Context<'_>) -> f64 {
    let value = |name: &str| joint.child(name).and_then(|c| Some((c.content_number(context)?, c.span)));
    let old = value("thread_pitch");
    if let Some((pitch, span)) = value("screw_thread_pitch") {
        if pitch == 0.0 {
            let problem = Problem::new("E0805", "", format!("screw_thread_pitch of {} is 0", joint.title()));
            context.report(problem.expected("metres per revolution, such as 0.001"), span);
        }
        return pitch / TAU;
    }
    let Some((turns, span)) = old else { return PLAIN_PITCH / TAU };
    if turns == 0.0 {
        let problem = Problem::new("E0805", "", format!("thread_pitch of {} is 0", joint.title()));
        context.report(
            problem.expected("radians per metre, such as -6283 for a right-handed thread of 1 mm"),
            span,
        );
        return 0.0;
    }
    -1.0 / turns
}

/// Inertia of the rotor that drives a joint through a gear, as Drake's parser has it: none where the limit of the effort is 0, which
/// leaves the joint without a drive.
fn read_rotor(holder: &Element, joint: &Element, context: &Context<'_>) -> f64 {
    let value = |name: &str| joint.child(name).and_then(|c| Some((c.content_number(context)?, c.span)));
    let inertia = value("drake:rotor_inertia");
    if let Some((inertia, span)) = inertia.filter(|(inertia, _)| *inertia < 0.0) {
        let message = format!("drake:rotor_inertia of {} must not be negative, got {inertia}", joint.title());
        context.report(Problem::new("E0805", "", message).expected("kg m^2, 0 or more"), span);
    }
    let [inertia, ratio] = [inertia, value("drake:gear_ratio")].map(|stated| stated.map(|(value, _)| value));
    let effort = holder.child("limit").and_then(|limit| limit.child("effort"));
    let is_driven = effort.is_none_or(|effort| effort.content.trim().parse() != Ok(0.0));
    if is_driven { inertia.unwrap_or(0.0) * ratio.unwrap_or(1.0).powi(2) } else { 0.0 }
}

/// Drake's meaning of it: against the angular velocity, about any axis.
fn read_ball_damping(joint: &Element, context: &Context<'_>) -> f64 {
    let mut about = Axis::new(Motion::Turn, Vec3::z());
    if let Some(holder) = joint.child("axis") {
        dynamics(holder, &mut about, joint, context);
    }
    about.damping
}

fn limits(holder: &Element, counts: bool, axis: &mut Axis, joint: &Element, context: &Context<'_>) {
    let Some(limit) = holder.child("limit") else { return };
    let value = |name: &str| {
        limit.child(name).filter(|l| !is_no_limit(&l.content)).and_then(|l| l.content_number(context))
    };
    // An infinite end on the wrong side would let the joint be nowhere.
    for (name, wrong) in [("lower", 1.0), ("upper", -1.0)] {
        let stated = limit
            .child(name)
            .filter(|l| counts && l.content.trim().parse::<f64>().is_ok_and(|x| x * wrong >= NO_LIMIT));
        if let Some(stated) = stated {
            let message = format!("the {name} limit of {} is {}", joint.title(), stated.content.trim());
            let none = if wrong > 0.0 { "-inf" } else { "inf" };
            let problem =
                Problem::new("E0810", "", message).expected(format!("a number, or {none} for none"));
            return context.report(problem, stated.span);
        }
    }
    let (lower, upper) = (value("lower"), value("upper"));
    axis.rated_speed = value("velocity").filter(|most| *most > 0.0);
    if context.options.hold {
        axis.effort = value("effort").filter(|most| *most > 0.0).map(|most| [-most, most]);
    }
    if !counts {
        return;
    }
    match (lower, upper) {
        (Some(low), Some(high)) if low > high => {
            let message = format!("the limits of {} are reversed: {low} > {high}", joint.title());
            let problem =
                Problem::new("E0810", "", message).expected("lower <= upper").help("exchange the two");
            context.report(problem, limit.span);
        }
        (Some(low), Some(high)) if low == high => {
            context.warn_of_no_room(&joint.title(), low, limit.span);
        }
        _ => (axis.lower, axis.upper) = (lower, upper),
    }
}

fn dynamics(holder: &Element, axis: &mut Axis, joint: &Element, context: &Context<'_>) {
    let Some(dynamics) = holder.child("dynamics") else { return };
    let of = [
        ("damping", &mut axis.damping),
        ("friction", &mut axis.friction),
        ("spring_stiffness", &mut axis.stiffness),
    ];
    for (name, value) in of {
        let Some((element, x)) = dynamics.child(name).and_then(|e| Some((e, e.content_number(context)?)))
        else {
            continue;
        };
        if x < 0.0 {
            let message = format!("{name} of {} must not be negative, got {x}", joint.title());
            context.report(Problem::new("E0805", "", message).expected("0 or more"), element.span);
        }
        *value = x;
    }
    axis.rest = dynamics.child("spring_reference").and_then(|r| r.content_number(context)).unwrap_or(0.0);
}

fn read_mimic(element: &Element, scope: &Scope, context: &Context<'_>) -> Option<Mimic> {
    let leader = scope.key(element.required_text("joint", context)?);
    let axis = usize::from(element.text("axis") == Some("axis2"));
    let value = |name: &str| element.child(name).and_then(|l| l.content_number(context));
    Some(Mimic {
        leader,
        axis,
        multiplier: value("multiplier").unwrap_or(0.0),
        offset: value("offset").unwrap_or(0.0),
        reference: value("reference").unwrap_or(0.0),
        span: element.place("joint"),
    })
}

/// Joints between the links that their ends are fixed to, with both frames where the joint's is.
pub(super) fn connect(
    joints: &[ReadJoint],
    robot: &mut Robot,
    frames: &Frames,
    is_single: bool,
    context: &Context<'_>,
) {
    for read in joints {
        let ends = [&read.parent, &read.child].map(|(name, span)| frames.link(name, *span, context));
        let [Some(a), Some(b)] = ends else { continue };
        let name = shown(&read.key, is_single);
        if a == b {
            let message = format!("joint \"{name}\" leads from \"{}\" to itself", robot.links[a].name);
            let problem = Problem::new("E0808", "", message).help("its parent and its child are two links");
            context.report(problem, read.span);
            continue;
        }
        if [a, b].iter().all(|&link| robot.links[link].held == Held::Fixed) {
            context.left_out("a joint between links that do not move", read.span);
            continue;
        }
        let Some(x) = frames.pose(&read.key, read.span, context) else { continue };
        let directions = read.axes.iter().map(|axis| axis.direction.seen_from(&x.rotation, frames, context));
        let Some(mut directions) = directions.collect::<Option<Vec<Vec3>>>() else { continue };
        if let [first, second] = &mut directions[..] {
            let off = first.dot(second);
            if (ROUNDING..PERPENDICULAR).contains(&off.abs()) {
                *second = (*second - *first * off).normalize();
                let text = format!(
                    "the second axis of joint \"{name}\" is put across the first, by {:.1e} rad",
                    off.abs()
                );
                context.choice(text, Some(read.span));
            }
        }
        let axes: Vec<Axis> = read
            .axes
            .iter()
            .zip(&directions)
            .map(|(axis, &direction)| Axis { direction, ..axis.axis.clone() })
            .collect();
        if let [first, second] = directions[..]
            && first.dot(&second).abs() > PERPENDICULAR
        {
            let [first_place, second_place] = [0, 1].map(|k| read.axes[k].direction.span);
            let message = format!("the axes of joint \"{name}\" are not at right angles");
            let problem = Problem::new("E0805", "", message).expected("two directions across each other");
            context.findings.push(Finding::at(problem, second_place).related(first_place, "the first axis"));
            continue;
        }
        let frame_in = |link: usize| robot.links[link].pose.inverse().compose(&x);
        let (frame_a, frame_b): (Pose, Pose) = (frame_in(a), frame_in(b));
        if read.damping > 0.0 {
            robot.holds.push(Hold {
                name: format!("{name}_damper"),
                span: read.span,
                a: (a, frame_a),
                b: (b, frame_b),
                stiffness: [0.0; 2],
                damping: [0.0, read.damping],
            });
        }
        if ![a, b].contains(&WORLD) {
            robot.families.join(a, b);
        }
        let bare = Joint::bare(name, read.span, read.kind, [a, b]);
        robot.joints.push(Joint { frame_a, frame_b, axes, ..bare });
    }
}

/// Of length one; one that is so to rounding stays as it is.
fn rounded(v: Vec3) -> Vec3 {
    if (v.norm() - 1.0).abs() < 1e-15 { v } else { v.normalize() }
}

/// q − multiplier q_leader = offset − multiplier · reference.
pub(super) fn add_mimics(joints: &[ReadJoint], robot: &mut Robot, is_single: bool, context: &Context<'_>) {
    let find = |robot: &Robot, span: Span| robot.joints.iter().position(|j| j.span == span);
    for read in joints {
        for (axis, mimic) in
            read.axes.iter().enumerate().filter_map(|(k, axis)| Some((k, axis.mimic.as_ref()?)))
        {
            let is_leader =
                |j: &&ReadJoint| j.key == mimic.leader && j.axes.len() > mimic.axis && j.span != read.span;
            let found = joints.iter().find(is_leader).and_then(|leader| find(robot, leader.span));
            // What is wrong with a joint that is not there has been said.
            let Some(own) = find(robot, read.span) else { continue };
            let Some(leader) = found else {
                let message = format!(
                    "joint \"{}\" mimics \"{}\", which is no other joint with that axis",
                    read.key, mimic.leader
                );
                let mut problem = Problem::new("E0807", "", message);
                let names: Vec<String> = joints.iter().map(|j| j.key.clone()).collect();
                problem.help = help_for(&mimic.leader, names.iter().map(String::as_str));
                context.report(problem, mimic.span);
                continue;
            };
            let term = |joint, axis, factor| Term { joint, axis, factor };
            let follows = (mimic.multiplier != 0.0).then(|| term(leader, mimic.axis, -mimic.multiplier));
            let terms = [term(own, axis, 1.0)].into_iter().chain(follows).collect();
            let offset = mimic.offset - mimic.multiplier * mimic.reference;
            let name = shown(&read.key, is_single);
            robot.constraints.push(Constraint { name, kind: ConstraintKind::Coupling { terms, offset } });
        }
    }
}
