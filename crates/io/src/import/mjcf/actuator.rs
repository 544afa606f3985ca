//! Actuators at control 0: what simple servos do then is a spring and a damper of their joint, or its servo where their force is
//! limited.

use carom_engine::Problem;

use super::super::context::{Context, help_for};
use super::super::robot::{Robot, Servo};
use super::super::xml::Element;
use super::FileJoint;
use super::compiler::Compiler;
use super::defaults::{Classes, View};

/// Attributes that are read, or that say nothing at control 0.
pub(super) const ATTRIBUTES: &[&str] = &[
    "class",
    "name",
    "joint",
    "gear",
    "kp",
    "kv",
    "ctrlrange",
    "ctrllimited",
    "forcerange",
    "forcelimited",
    "gaintype",
    "biastype",
    "gainprm",
    "biasprm",
    "group",
    "dyntype",
    "dynprm",
    "user",
    "lengthrange",
];

/// Force along the transmission's length l: gain · control + bias₀ + bias₁ l + bias₂ l̇.
#[derive(Clone, Copy, Debug)]
struct Affine {
    gain: f64,
    bias: [f64; 3],
}

pub(super) fn read_all(
    root: &Element,
    classes: &Classes<'_>,
    compiler: &Compiler,
    joints: &[FileJoint],
    robot: &mut Robot,
    context: &Context<'_>,
) {
    for section in root.all("actuator") {
        for element in &section.children {
            let is_simple = ["motor", "position", "velocity", "general"].contains(&element.name.as_str());
            let is_on_joint = element.attributes.iter().any(|a| a.name == "joint");
            if is_simple && is_on_joint {
                let view = classes.view(element, None, context);
                read(&view, compiler, joints, robot, context);
            } else if is_simple {
                element.mark_all();
                warn(&format!("a <{}> that does not act on a joint", element.name), element, context);
            }
        }
    }
}

fn read(
    view: &View<'_>,
    compiler: &Compiler,
    joints: &[FileJoint],
    robot: &mut Robot,
    context: &Context<'_>,
) {
    let own = view.own();
    own.mark_attributes(ATTRIBUTES);
    let name = view.text("joint").unwrap_or("");
    let Some(joint) = joints.iter().find(|j| j.name == name) else {
        let mut problem = Problem::new(
            "E0807",
            "",
            format!("{} acts on the joint \"{name}\", which is not there", own.title()),
        );
        problem.help = help_for(name, joints.iter().map(|j| j.name.as_str()));
        return context.report(problem, own.place("joint"));
    };
    let Some(affine) = affine(view, context) else { return };
    let gear = view.numbers("gear", context).and_then(|v| v.first().copied()).unwrap_or(1.0);
    let control = view
        .range("ctrlrange", "ctrllimited", compiler.auto_limits, context)
        .map_or(0.0, |(low, high)| 0.0_f64.min(high).max(low));
    // With l = gear (q + ref): F = constant − stiffness q − damping q̇.
    let constant = gear * (affine.gain * control + affine.bias[0] + affine.bias[1] * gear * joint.reference);
    let stiffness = -affine.bias[1] * gear * gear;
    let damping = -affine.bias[2] * gear * gear;
    let forces = view.range("forcerange", "forcelimited", compiler.auto_limits, context);
    let allows_none = forces.is_none_or(|(low, high)| low <= 0.0 && high >= 0.0);
    if constant == 0.0 && stiffness == 0.0 && damping == 0.0 && allows_none {
        return context.choice(format!("a <{}> has control 0 and exerts nothing", own.name), Some(own.span));
    }
    let Some(axis) = joint.axis(robot) else {
        return warn(&format!("a <{}> on a joint that was combined with others", own.name), own, context);
    };
    let limit = forces.and_then(|range| greatest(range, "forcerange", own, context)).map(|f| f * gear.abs());
    if let Some(effort) = [limit, axis.effort].into_iter().flatten().reduce(f64::min) {
        if axis.servo.is_some() {
            return warn(
                &format!("a <{}> with limited force, beside another of its joint,", own.name),
                own,
                context,
            );
        }
        if stiffness < 0.0 || damping < 0.0 || (stiffness == 0.0 && (constant != 0.0 || damping == 0.0)) {
            return warn(&drives_away(own), own, context);
        }
        let target = if stiffness > 0.0 { constant / stiffness } else { 0.0 };
        axis.servo = Some(Servo { stiffness, damping, target, effort: Some(effort) });
        let text =
            format!("a <{}> has control 0 and became a servo of its joint with its greatest force", own.name);
        return context.choice(text, Some(own.span));
    }
    let total = axis.stiffness + stiffness;
    if total < 0.0 || axis.damping + damping < 0.0 || (total == 0.0 && constant != 0.0) {
        return warn(&drives_away(own), own, context);
    }
    if total > 0.0 {
        axis.rest = (axis.stiffness * axis.rest + constant) / total;
    }
    axis.stiffness = total;
    axis.damping += damping;
    context.choice(
        format!("a <{}> has control 0 and became spring and damper of its joint", own.name),
        Some(own.span),
    );
}

fn drives_away(own: &Element) -> String {
    format!("a <{}> with a constant force, or that drives away from rest,", own.name)
}

/// What a range of forces allows either way. One that is not symmetric is told and left out.
pub(super) fn greatest(
    (low, high): (f64, f64),
    key: &str,
    own: &Element,
    context: &Context<'_>,
) -> Option<f64> {
    if low == -high && high > 0.0 {
        return Some(high);
    }
    warn(&format!("a `{key}` that is not the same both ways"), own, context);
    None
}

/// The actuator's force; `None` where it is not of this form, which is told.
fn affine(view: &View<'_>, context: &Context<'_>) -> Option<Affine> {
    let own = view.own();
    let first = |key: &str, default: f64| {
        view.numbers(key, context).and_then(|v| v.first().copied()).unwrap_or(default)
    };
    Some(match own.name.as_str() {
        "position" => {
            let (kp, kv) = (first("kp", 1.0), first("kv", 0.0));
            Affine { gain: kp, bias: [0.0, -kp, -kv] }
        }
        "velocity" => {
            let kv = first("kv", 1.0);
            Affine { gain: kv, bias: [0.0, 0.0, -kv] }
        }
        "general" => {
            let simple = matches!(view.text("gaintype"), None | Some("fixed"))
                && matches!(view.text("biastype"), None | Some("none" | "affine"));
            if !simple {
                warn("a <general> with a gain or bias other than affine", own, context);
                return None;
            }
            let bias = match view.text("biastype") {
                Some("affine") => view.numbers("biasprm", context).unwrap_or_default(),
                _ => Vec::new(),
            };
            let at = |k: usize| bias.get(k).copied().unwrap_or(0.0);
            Affine { gain: first("gainprm", 1.0), bias: [at(0), at(1), at(2)] }
        }
        _ => Affine { gain: 1.0, bias: [0.0; 3] },
    })
}

fn warn(what: &str, element: &Element, context: &Context<'_>) {
    let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
        .help("add a force or a motor to the model file");
    context.warn_once(what, problem, element.span);
}
