//! Fixed tendons: sums of joint coordinates, along which springs and actuators act.

use carom_engine::Problem;

use super::super::context::{Context, help_for};
use super::super::robot::{Actuator, Robot, Term};
use super::super::xml::Element;
use super::body::Sites;
use super::defaults::{Classes, View};
use super::{FileJoint, spatial};

/// Attributes of fixed tendons that are read.
pub(super) const ATTRIBUTES: &[&str] =
    &["class", "name", "stiffness", "damping", "springlength", "range", "limited"];

/// A tendon over joints.
pub(super) struct FixedTendon {
    pub(super) name: String,
    /// Coordinates, and the length where all of ours are zero; `None` where a joint has no coordinate.
    pub(super) along: Option<(Vec<Term>, f64)>,
    /// Range of MuJoCo's length, whether it limits the tendon or not.
    pub(super) range: Option<[f64; 2]>,
}

/// All tendons: springs and dampers of fixed ones are drives without control, spatial ones are ropes along which no actuator acts.
pub(super) fn read_all(
    root: &Element,
    classes: &Classes<'_>,
    (joints, sites, auto_limits): (&[FileJoint], &Sites, bool),
    robot: &mut Robot,
    context: &Context<'_>,
) -> Vec<FixedTendon> {
    let mut tendons = Vec::new();
    for section in root.all("tendon") {
        for element in section.children.iter().filter(|e| e.name == "spatial") {
            spatial::read(element, classes, sites, auto_limits, robot, context);
            let name = element.text("name").unwrap_or("").to_owned();
            tendons.push(FixedTendon { name, along: None, range: None });
        }
        for element in section.children.iter().filter(|e| e.name == "fixed") {
            let view = classes.view(element, None, context);
            let name = element.text("name").unwrap_or("").to_owned();
            let along = read_terms(element, joints, context);
            tell_limits(&view, auto_limits, context);
            let range = view.stated_range("range", context);
            if let Some((terms, reference)) = along.as_ref().filter(|(terms, _)| !terms.is_empty()) {
                let at_rest = |t: &Term| t.factor * robot.joints[t.joint].axes[t.axis].rest;
                let lengths = [*reference, reference + terms.iter().map(at_rest).sum::<f64>()];
                robot.actuators.extend(spring(&view, &name, terms, lengths, context));
            }
            tendons.push(FixedTendon { name, along, range });
        }
    }
    tendons
}

/// Nothing stops a fixed tendon at the ends of its range: that is told where the range limits it.
fn tell_limits(view: &View<'_>, auto_limits: bool, context: &Context<'_>) {
    if view.range("range", "limited", auto_limits, context).is_some() {
        let what = "the `range` of a fixed tendon as a limit";
        let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
            .help("limit its joints, or actuators along it");
        context.warn_once(what, problem, view.holder("range").unwrap_or(view.own()).place("range"));
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

/// −k (l − l₀) − c l̇ with one rest length. `lengths` are those where our coordinates are zero, and where the joints' springs rest,
/// which is MuJoCo's where none is stated.
fn spring(
    view: &View<'_>,
    name: &str,
    terms: &[Term],
    [reference, relaxed]: [f64; 2],
    context: &Context<'_>,
) -> Option<Actuator> {
    let own = view.own();
    own.mark_attributes(ATTRIBUTES);
    let [stiffness, damping] = ["stiffness", "damping"].map(|key| {
        let value = view.leading(key, context).unwrap_or(0.0);
        if value < 0.0 {
            let message = format!("{key} of {} must not be negative, got {value}", own.title());
            view.holder(key).unwrap_or(own).bad_value(key, message, "0 or more", context);
        }
        value
    });
    let rest = view.numbers("springlength", context).unwrap_or_else(|| vec![-1.0]);
    let rest = match rest.as_slice() {
        [low, high, ..] if low != high && stiffness != 0.0 => {
            let problem = Problem::new("W0801", "", "the dead band of a fixed tendon is not taken over")
                .help("it acts as a spring about the middle of its two rest lengths");
            context.warn_once("springlength", problem, own.span);
            0.5 * (low + high)
        }
        // MuJoCo's word for none stated.
        [-1.0, ..] | [] => relaxed,
        [one, ..] => *one,
    };
    if stiffness == 0.0 && damping == 0.0 {
        return None;
    }
    context.choice(
        "springs and dampers of fixed tendons are drives: their work is booked as that of motors",
        Some(own.span),
    );
    Some(Actuator {
        name: if name.is_empty() { "tendon".to_owned() } else { name.to_owned() },
        span: own.place("name"),
        number: None,
        terms: terms.to_vec(),
        control: 0.0,
        control_range: None,
        gain: 0.0,
        bias: stiffness * (rest - reference),
        stiffness,
        damping,
        damping_ratio: None,
        effort_range: None,
    })
}
