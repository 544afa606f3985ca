//! Joints as the file has them, one freedom each but for ball and free.

use carom_engine::Problem;
use carom_math::{Pose, Vec3};

use super::super::context::Context;
use super::super::effective_inertia::{Inertia, greatest_load};
use super::super::robot::{Axis, Motion, Robot, Term, Uniform};
use super::super::stop::Stop;
use super::super::touch::Softness;
use super::actuator::range_of;
use super::compiler::Compiler;
use super::contact;
use super::defaults::View;
use crate::source::Span;

/// Attributes that are read, or that say nothing beside others.
pub(super) const ATTRIBUTES: &[&str] = &[
    "class",
    "type",
    "pos",
    "axis",
    "range",
    "limited",
    "solreflimit",
    "solimplimit",
    "stiffness",
    "damping",
    "springref",
    "margin",
    "springdamper",
    "frictionloss",
    "armature",
    "ref",
    "actuatorfrcrange",
    "actuatorfrclimited",
    "actuatorgravcomp",
];

/// A joint in its body's frame.
#[derive(Clone, Debug)]
pub(super) struct ReadJoint {
    pub(super) name: String,
    pub(super) span: Span,
    /// Attachments that it came by.
    pub(super) attachments: Vec<String>,
    pub(super) kind: ReadKind,
    /// Point of the axis, or centre.
    pub(super) anchor: Vec3,
    /// Coordinate of the file where ours is zero.
    pub(super) reference: f64,
    /// Range of the file's coordinate, whether it limits the joint or not.
    pub(super) range: Option<[f64; 2]>,
    /// Stiffness and damping of a ball or free joint, the same along and about all axes.
    pub(super) elastic: [f64; 2],
    /// Its armature and friction, likewise.
    pub(super) uniform: Uniform,
}

#[derive(Clone, Debug)]
pub(super) enum ReadKind {
    /// A hinge or slide; its direction in the body's frame.
    Single(Axis),
    Ball,
    Free,
}

/// Reads a joint; `frame` is that of a <frame> around it. Something stands in for what is wrong.
pub(super) fn read(view: &View<'_>, frame: &Pose, compiler: &Compiler, context: &Context<'_>) -> ReadJoint {
    let own = view.own();
    own.mark_attributes(ATTRIBUTES);
    let name = own.text("name").unwrap_or("").to_owned();
    let (span, attachments) = (own.place("name"), own.attachments.clone());
    let anchor = frame.transform_point(&view.vector("pos", context).unwrap_or_else(Vec3::zeros));
    let kind = if own.name == "freejoint" { "free" } else { view.text("type").unwrap_or("hinge") };
    let motion = match kind {
        "hinge" => Motion::Turn,
        "slide" => Motion::Shift,
        "ball" | "free" => {
            let kind = if kind == "ball" { ReadKind::Ball } else { ReadKind::Free };
            warn_of_others(view, matches!(kind, ReadKind::Ball), compiler, context);
            let elastic = ["stiffness", "damping"].map(|key| coefficient(view, key, context));
            let [armature, friction] =
                ["armature", "frictionloss"].map(|key| coefficient(view, key, context));
            let uniform = Uniform { armature, friction };
            return ReadJoint {
                name,
                span,
                attachments,
                kind,
                anchor,
                reference: 0.0,
                range: None,
                elastic,
                uniform,
            };
        }
        other => {
            super::compiler::bad_word(own, "type", other, "hinge, slide, ball or free", context);
            // Its other mistakes are told, too.
            Motion::Turn
        }
    };
    let stated = view.vector("axis", context).unwrap_or_else(Vec3::z);
    let direction = stated.try_normalize(0.0).unwrap_or_else(|| {
        let problem = Problem::new("E0315", "", format!("the axis of {} has no length", own.title()))
            .expected("a direction, such as axis=\"0 0 1\"");
        let holder = view.holder("axis").unwrap_or(own);
        context.report(problem, holder.place("axis"));
        Vec3::z()
    });
    let mut axis = Axis::new(motion, frame.rotation * direction);
    let scale = |x: f64| if motion == Motion::Turn { compiler.to_radians(x) } else { x };
    let reference = scale(view.number("ref", context).unwrap_or(0.0));
    let range = view.stated_range("range", context).map(|ends| ends.map(scale));
    let limits = range_of(view, "range", Some("limited"), true, compiler, context);
    let ends = limits.map(|limits| limits.map(|end| scale(end) - reference));
    if let Some(ends) = ends.filter(|[lower, upper]| lower < upper) {
        let [lower, upper] = within_margin(view, ends, context);
        (axis.lower, axis.upper) = (Some(lower), Some(upper));
        axis.range = Some(ends);
        let words = ["solreflimit", "solimplimit"];
        axis.softness = Some(contact::softness_by(view, words, Softness::DEFAULT, context));
    } else if limits.is_some() || limits_are_equal(view, compiler, context) {
        context.choice("a joint whose limits are equal has none, as in MuJoCo", Some(own.place("name")));
    }
    for (key, value) in [
        ("stiffness", &mut axis.stiffness),
        ("damping", &mut axis.damping),
        ("frictionloss", &mut axis.friction),
        ("armature", &mut axis.armature),
    ] {
        *value = coefficient(view, key, context);
    }
    axis.effort = range_of(view, "actuatorfrcrange", Some("actuatorfrclimited"), true, compiler, context);
    axis.takes_weights = view.text("actuatorgravcomp") == Some("true");
    axis.rest = scale(view.number("springref", context).unwrap_or(0.0)) - reference;
    axis.swing = read_swing(view, context);
    let (elastic, uniform) = ([0.0; 2], Uniform::default());
    ReadJoint {
        name,
        span,
        attachments,
        kind: ReadKind::Single(axis),
        anchor,
        reference,
        range,
        elastic,
        uniform,
    }
}

/// Where limits act: `margin`, in radians whatever the file's angles are, before the ends of the range, from where on MuJoCo pushes as it does
/// beyond an end.
pub(super) fn within_margin(view: &View<'_>, ends: [f64; 2], context: &Context<'_>) -> [f64; 2] {
    let margin = view.number("margin", context).unwrap_or(0.0);
    let [lower, upper] = [ends[0] + margin, ends[1] - margin];
    if lower < upper {
        return [lower, upper];
    }
    let own = view.own();
    let message =
        format!("the margin of {} is not taken over: it leaves no room within the range", own.title());
    let problem = Problem::new("W0801", "", message)
        .help("MuJoCo pushes from both ends at once there; here they act where they are");
    context.report(problem, view.holder("margin").unwrap_or(own).place("margin"));
    ends
}

/// What acts along a joint, 0 if it is not stated.
fn coefficient(view: &View<'_>, key: &str, context: &Context<'_>) -> f64 {
    let is_polynomial = ["stiffness", "damping"].contains(&key);
    let stated = if is_polynomial { view.leading(key, context) } else { view.number(key, context) };
    let value = stated.unwrap_or(0.0);
    if value < 0.0 {
        let own = view.own();
        let message = format!("{key} of {} must not be negative, got {value}", own.title());
        view.holder(key).unwrap_or(own).bad_value(key, message, "0 or more", context);
    }
    value
}

/// Limits that are equal hold for none where they are there alone.
fn limits_are_equal(view: &View<'_>, compiler: &Compiler, context: &Context<'_>) -> bool {
    let is_auto = compiler.auto_limits && matches!(view.text("limited"), None | Some("auto"));
    is_auto && view.stated_range("range", context).is_some_and(|[lower, upper]| lower == upper)
}

/// `springdamper`: time constant and damping ratio, both above 0, or both 0 for none.
fn read_swing(view: &View<'_>, context: &Context<'_>) -> Option<[f64; 2]> {
    let own = view.own();
    let swing = <[f64; 2]>::try_from(view.numbers("springdamper", context)?);
    match swing {
        Ok([0.0, 0.0]) => None,
        Ok([time, ratio]) if time > 0.0 && ratio > 0.0 => Some([time, ratio]),
        _ => {
            let message = format!("`springdamper` of {} is no time constant and damping ratio", own.title());
            let holder = view.holder("springdamper").unwrap_or(own);
            holder.bad_value("springdamper", message, "two numbers above 0", context);
            None
        }
    }
}

/// Stiffness and damping of joints from a time constant T and a damping ratio ζ: k = M/(T ζ)², c = 2 M/T, in place of stated ones,
/// with the inertia M that the joint feels at the pose of the file, 1/(M⁻¹)ₖₖ.
pub(super) fn resolve_swings(robot: &mut Robot) {
    let matrix = Inertia::of(robot);
    for joint in 0..robot.joints.len() {
        for axis in 0..robot.joints[joint].axes.len() {
            let Some([time, ratio]) = robot.joints[joint].axes[axis].swing else { continue };
            let inertia = matrix.felt_by(&[Term { joint, axis, factor: 1.0 }]);
            let axis = &mut robot.joints[joint].axes[axis];
            axis.stiffness = inertia / (time * ratio).powi(2);
            axis.damping = 2.0 * inertia / time;
        }
    }
}

/// Stiffness of stops: MuJoCo's constraint at a limit gives by what `solreflimit` and `solimplimit` say for the acceleration that it
/// keeps from the coordinate. Under the greatest load that the weight of what the joint carries is for it, stops give as far.
pub(super) fn resolve_stops(robot: &mut Robot) {
    let matrix = Inertia::of(robot);
    let gravity = robot.gravity_or_earths();
    for joint in 0..robot.joints.len() {
        for axis in 0..robot.joints[joint].axes.len() {
            let Some(softness) = robot.joints[joint].axes[axis].softness else { continue };
            let term = Term { joint, axis, factor: 1.0 };
            let inertia = matrix.felt_by(std::slice::from_ref(&term));
            // What has no lever is taken to have one of a metre.
            let load = greatest_load(robot, &term, gravity).max(inertia * gravity);
            if inertia > 0.0 {
                robot.joints[joint].axes[axis].stop = Some(Stop::giving(softness, load, inertia));
            }
        }
    }
}

/// `actuatorgravcomp`: what bears weights counts towards the range of the joint's effort. Here it acts on the bodies, whatever the range is.
pub(super) fn tell_borne_weights(robot: &Robot, lifted: &[(usize, f64)], context: &Context<'_>) {
    if lifted.iter().all(|(_, share)| *share == 0.0) {
        return;
    }
    for joint in &robot.joints {
        if joint.axes.iter().any(|axis| axis.takes_weights && axis.effort.is_some()) {
            let message = "`actuatorgravcomp` of a joint with a range of effort is not taken over";
            let problem = Problem::new("W0801", "", message)
                .help("weights are borne in full, and the range holds for the actuators alone");
            context.warn_once(message, problem, joint.span);
        }
    }
}

/// Limits, and springs by time constants, belong to scalar coordinates, which ball and free joints do not have. MuJoCo limits the angle of
/// balls alone, from 0 on: without a range, one that is said to be limited cannot turn.
fn warn_of_others(view: &View<'_>, is_ball: bool, compiler: &Compiler, context: &Context<'_>) {
    if view.numbers("springdamper", context).is_some_and(|all| all.iter().any(|x| *x != 0.0)) {
        warn("springdamper", view, context);
    }
    if !is_ball {
        return;
    }
    let is_said = view.text("limited") == Some("true");
    match view.range("range", "limited", compiler.auto_limits, context) {
        Some((lower, upper)) if lower > upper => {
            range_of(view, "range", Some("limited"), true, compiler, context);
        }
        Some((lower, upper)) if lower < upper || is_said => warn("range", view, context),
        None if is_said => warn("limited", view, context),
        _ => {}
    }
}

fn warn(key: &str, view: &View<'_>, context: &Context<'_>) {
    let kind = view.text("type").unwrap_or("free");
    let problem = Problem::new("W0801", "", format!("`{key}` of a {kind} joint is not taken over"))
        .help("limits belong to joints of one freedom, and so do springs by a time constant");
    context.warn_once(key, problem, view.own().span);
}
