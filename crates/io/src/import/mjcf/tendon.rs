//! Fixed tendons: sums of joint coordinates, along which springs and actuators act.

use carom_engine::Problem;

use super::super::context::{Context, help_for};
use super::super::robot::{Actuator, Robot, Term};
use super::super::touch::Softness;
use super::super::xml::Element;
use super::actuator::range_of;
use super::body::Sites;
use super::compiler::{Compiler, Compilers};
use super::defaults::{Classes, View};
use super::tendon_length::Restraint;
use super::{FileJoint, contact, joint, spatial};

/// Attributes of fixed tendons that are read.
pub(super) const ATTRIBUTES: &[&str] = &[
    "class",
    "name",
    "stiffness",
    "damping",
    "springlength",
    "range",
    "limited",
    "solreflimit",
    "solimplimit",
    "margin",
    "frictionloss",
    "armature",
    "actuatorfrcrange",
    "actuatorfrclimited",
];

/// A tendon over joints.
pub(super) struct FixedTendon {
    pub(super) name: String,
    /// Coordinates, and the length where all of ours are zero; `None` where a joint has no coordinate.
    pub(super) along: Option<(Vec<Term>, f64)>,
    /// Range of MuJoCo's length, whether it limits the tendon or not.
    pub(super) range: Option<[f64; 2]>,
    /// Range of what its one actuator exerts, before the gear.
    pub(super) effort: Option<[f64; 2]>,
}

/// All tendons: springs and dampers of fixed ones are drives without control, spatial ones are ropes along which no actuator acts. What
/// else acts along fixed ones is handed back.
pub(super) fn read_all(
    root: &Element,
    classes: &Classes<'_>,
    compilers: &Compilers,
    (joints, sites): (&[FileJoint], &Sites),
    robot: &mut Robot,
    context: &Context<'_>,
) -> (Vec<FixedTendon>, Vec<Restraint>) {
    let (mut tendons, mut restraints) = (Vec::new(), Vec::new());
    for section in root.all("tendon") {
        let compiler = compilers.of(section.span);
        for element in section.children.iter().filter(|e| e.name == "spatial") {
            spatial::read(element, classes, sites, compiler, robot, context);
            let name = element.text("name").unwrap_or("").to_owned();
            tendons.push(FixedTendon { name, along: None, range: None, effort: None });
        }
        for element in section.children.iter().filter(|e| e.name == "fixed") {
            let view = classes.view(element, None, context);
            element.mark_attributes(ATTRIBUTES);
            let name = element.text("name").unwrap_or("").to_owned();
            let along = read_terms(element, joints, context);
            let limit = range_of(&view, "range", Some("limited"), true, compiler, context);
            let limit = limit.map(|ends| joint::within_margin(&view, ends, context));
            if let Some((terms, reference)) = along.as_ref().filter(|(terms, _)| !terms.is_empty()) {
                let title = if name.is_empty() { "tendon" } else { &name };
                let own = Own { view: &view, title, terms, reference: *reference };
                let (drive, slack) = spring(&own, robot, context);
                robot.actuators.extend(drive);
                restraints.push(restraint(&own, limit, slack, context));
            }
            let range = view.stated_range("range", context);
            let effort = range_of_effort(&view, &name, root, compiler, context);
            tendons.push(FixedTendon { name, along, range, effort });
        }
    }
    (tendons, restraints)
}

/// `actuatorfrcrange`: what all actuators of a tendon exert together, each before its gear. Of one alone it is its own range.
fn range_of_effort(
    view: &View<'_>,
    tendon: &str,
    root: &Element,
    compiler: &Compiler,
    context: &Context<'_>,
) -> Option<[f64; 2]> {
    let key = "actuatorfrcrange";
    let range = range_of(view, key, Some("actuatorfrclimited"), true, compiler, context)?;
    let actuators =
        root.children.iter().filter(|c| c.name == "actuator").flat_map(|section| &section.children);
    let names_it = |e: &&Element| e.attributes.iter().any(|a| a.name == "tendon" && a.value.trim() == tendon);
    if actuators.filter(names_it).count() <= 1 {
        return Some(range);
    }
    let what = "the `actuatorfrcrange` of a tendon with several actuators";
    let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
        .help("limit each with its own `forcerange`");
    context.warn_once(what, problem, view.holder(key).unwrap_or(view.own()).place(key));
    None
}

/// A tendon that is being read; `reference` is its length where all of our coordinates are zero.
struct Own<'a> {
    view: &'a View<'a>,
    title: &'a str,
    terms: &'a [Term],
    reference: f64,
}

impl Own<'_> {
    fn coefficient(&self, key: &str, value: Option<f64>, context: &Context<'_>) -> f64 {
        let (own, value) = (self.view.own(), value.unwrap_or(0.0));
        if value < 0.0 {
            let message = format!("{key} of {} must not be negative, got {value}", own.title());
            self.view.holder(key).unwrap_or(own).bad_value(key, message, "0 or more", context);
        }
        value
    }
}

fn restraint(
    own: &Own<'_>,
    limit: Option<[f64; 2]>,
    slack: Option<([f64; 2], f64)>,
    context: &Context<'_>,
) -> Restraint {
    let [friction, armature] =
        ["frictionloss", "armature"].map(|key| own.coefficient(key, own.view.number(key, context), context));
    let softness = contact::softness_by(own.view, ["solreflimit", "solimplimit"], Softness::DEFAULT, context);
    Restraint {
        name: own.title.to_owned(),
        span: own.view.own().place("name"),
        terms: own.terms.to_vec(),
        limit: limit.map(|ends| (ends.map(|end| end - own.reference), softness)),
        slack,
        friction,
        armature,
    }
}

fn read_terms(element: &Element, joints: &[FileJoint], context: &Context<'_>) -> Option<(Vec<Term>, f64)> {
    let (mut terms, mut reference): (Vec<Term>, f64) = (Vec::new(), 0.0);
    let mut complete = true;
    for part in element.all("joint") {
        let Some(name) = part.required_text("joint", context) else {
            complete = false;
            continue;
        };
        let factor = part.number("coef", context).unwrap_or(1.0);
        let Some(joint) = joints.iter().find(|j| j.name == name) else {
            let message = format!("{} names the joint \"{name}\", which is not there", element.title());
            let mut problem = Problem::new("E0807", "", message);
            problem.help = help_for(name, joints.iter().map(|j| j.name.as_str()));
            context.report(problem, part.place("joint"));
            complete = false;
            continue;
        };
        let Some((number, axis)) = joint.coordinate else {
            let what = "a fixed tendon over a joint without a scalar coordinate";
            let problem = Problem::new("W0801", "", format!("{what} is not taken over"));
            context.warn_once(what, problem.help("write its terms with --split-joints"), part.span);
            complete = false;
            continue;
        };
        if factor == 0.0 {
            continue;
        }
        reference += factor * joint.reference;
        match terms.iter_mut().find(|t| (t.joint, t.axis) == (number, axis)) {
            Some(known) => known.factor += factor,
            None => terms.push(Term { joint: number, axis, factor }),
        }
    }
    complete.then_some((terms, reference))
}

/// −k (l − l₀) − c l̇, where no rest length is stated with the one where the joints' springs rest, as in MuJoCo. Between two rest lengths
/// it is slack: these and k are handed back then.
fn spring(
    own: &Own<'_>,
    robot: &Robot,
    context: &Context<'_>,
) -> (Option<Actuator>, Option<([f64; 2], f64)>) {
    let Own { view, title, terms, reference } = *own;
    let [stiffness, damping] =
        ["stiffness", "damping"].map(|key| own.coefficient(key, view.leading(key, context), context));
    let stated = view.numbers("springlength", context).unwrap_or_default();
    let [low, high] = match stated.as_slice() {
        // MuJoCo's word for none stated.
        [] | [-1.0] | [-1.0, -1.0, ..] => {
            [terms.iter().map(|t| t.factor * robot.joints[t.joint].axes[t.axis].rest).sum::<f64>(); 2]
        }
        [one] => [one - reference; 2],
        [low, high, ..] => [low - reference, high - reference],
    };
    if low > high {
        refuse_reversed_lengths(view, [low + reference, high + reference], context);
    }
    let slack = (low < high && stiffness != 0.0).then_some(([low, high], stiffness));
    let stiffness = if slack.is_some() { 0.0 } else { stiffness };
    if stiffness == 0.0 && damping == 0.0 {
        return (None, slack);
    }
    let span = view.own().place("name");
    context.choice(
        "springs and dampers of fixed tendons are drives: their work is booked as that of motors",
        Some(span),
    );
    let drive = Actuator {
        name: title.to_owned(),
        span,
        number: None,
        terms: terms.to_vec(),
        control: 0.0,
        control_range: None,
        gain: 0.0,
        bias: stiffness * low,
        stiffness,
        damping,
        damping_ratio: None,
        effort_range: None,
        activation: None,
    };
    (Some(drive), slack)
}

/// MuJoCo refuses them too.
pub(super) fn refuse_reversed_lengths(view: &View<'_>, [low, high]: [f64; 2], context: &Context<'_>) {
    let message = format!("springlength of {} is reversed: {low} > {high}", view.own().title());
    let problem = Problem::new("E0810", "", message).expected("the shorter length first");
    context.report(problem, view.holder("springlength").unwrap_or(view.own()).place("springlength"));
}
