//! Equality constraints: connect, weld, and linear couplings of joints and fixed tendons.

use carom_engine::Problem;
use carom_math::{Pose, Quaternion, Vec3};

use super::super::context::{Context, help_for};
use super::super::robot::{Constraint, ConstraintKind, Joint, JointKind, Robot, Term, WORLD};
use super::super::touch::Softness;
use super::super::xml::Element;
use super::defaults::Classes;
use super::tendon::FixedTendon;
use super::{FileJoint, contact};

/// Attributes of equalities that defaults may hold.
pub(super) const ATTRIBUTES: &[&str] = &["class", "active"];

/// Equalities that are read.
pub(super) const KINDS: &[&str] = &["connect", "weld", "joint", "tendon"];

pub(super) fn read_all(
    root: &Element,
    classes: &Classes<'_>,
    joints: &[FileJoint],
    tendons: &[FixedTendon],
    robot: &mut Robot,
    context: &Context<'_>,
) {
    for section in root.all("equality") {
        for element in &section.children {
            let has = |name: &str| element.attributes.iter().any(|a| a.name == name);
            let is_known = match element.name.as_str() {
                "connect" | "weld" => has("body1"),
                "joint" | "tendon" => true,
                _ => false,
            };
            if !is_known {
                continue;
            }
            let view = classes.view(element, None, context);
            let name = element.text("name").unwrap_or("").to_owned();
            if view.holder("active").and_then(|e| e.flag("active", context)) == Some(false) {
                element.mark_all();
                context.left_out("an equality that is not active", element.span);
                continue;
            }
            match element.name.as_str() {
                "connect" => connect(element, name, robot, context),
                "weld" => {
                    weld(element, name, robot, context);
                    let softness = contact::softness(&view, Softness::DEFAULT, context);
                    robot.welds.push((element.span, softness));
                }
                "joint" => couple(element, name, |key| joint(element, key, joints, context), robot, context),
                _ => couple(element, name, |key| tendon(element, key, tendons, context), robot, context),
            }
        }
    }
}

fn connect(element: &Element, name: String, robot: &mut Robot, context: &Context<'_>) {
    let (Some(a), Some(b)) = (body(element, "body1", robot, context), body(element, "body2", robot, context))
    else {
        return;
    };
    let Some(anchor) =
        element.required_text("anchor", context).and_then(|_| element.vector("anchor", context))
    else {
        return;
    };
    let x_ba = robot.links[b].pose.inverse().compose(&robot.links[a].pose);
    let kind = ConstraintKind::Point { a: (a, anchor), b: (b, x_ba.transform_point(&anchor)) };
    let name = if name.is_empty() { "connect".to_owned() } else { name };
    robot.constraints.push(Constraint { name, kind });
}

/// A fixed joint that closes a loop. Without `relpose` it keeps the pose of the file.
fn weld(element: &Element, name: String, robot: &mut Robot, context: &Context<'_>) {
    let (Some(a), Some(b)) = (body(element, "body1", robot, context), body(element, "body2", robot, context))
    else {
        return;
    };
    let mut x_ab = robot.links[a].pose.inverse().compose(&robot.links[b].pose);
    if let Some(v) = element.numbers_in("relpose", 7..=7, context) {
        let q = Quaternion::new(v[3], v[4], v[5], v[6]);
        // A quaternion of zeros asks for the pose of the file.
        if q.norm() > 0.0 {
            x_ab = Pose { rotation: q.to_matrix(), translation: Vec3::new(v[0], v[1], v[2]) };
        }
    }
    // Where the point is that `anchor` names makes no difference for a rigid weld.
    element.attribute("anchor");
    let name = if name.is_empty() { "weld".to_owned() } else { name };
    let bare = Joint::bare(name, element.span, JointKind::Fixed, [a, b]);
    robot.joints.push(Joint { frame_a: x_ab, cut: true, ..bare });
}

/// l₁ = a₀ + a₁ l₂ of joint coordinates or lengths of tendons, which `read` has as sums of coordinates; all count from the pose of the file.
fn couple(
    element: &Element,
    name: String,
    read: impl Fn(&str) -> Option<Vec<Term>>,
    robot: &mut Robot,
    context: &Context<'_>,
) {
    let [first, second] = ["1", "2"].map(|number| element.name.clone() + number);
    let has_second = element.text(&second).is_some();
    let Some(mut terms) = read(&first) else { return };
    let Some(others) = (if has_second { read(&second) } else { Some(Vec::new()) }) else { return };
    let stated = element.numbers_in("polycoef", 1..=5, context).unwrap_or_default();
    // A shorter list leaves the others at their defaults.
    let at = |k: usize| stated.get(k).copied().unwrap_or(if k == 1 { 1.0 } else { 0.0 });
    if has_second && (2..5).any(|k| at(k) != 0.0) {
        let what = format!("an equality of two {}s that is not linear", element.name);
        let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
            .help("couplings are linear: q1 = a0 + a1 q2");
        return context.warn_once(&what, problem, element.place("polycoef"));
    }
    for other in others {
        match terms.iter_mut().find(|t| (t.joint, t.axis) == (other.joint, other.axis)) {
            Some(known) => known.factor -= at(1) * other.factor,
            None => terms.push(Term { factor: -at(1) * other.factor, ..other }),
        }
    }
    terms.retain(|term| term.factor != 0.0);
    if terms.is_empty() {
        let what = format!("an equality of {}s that asks for nothing", element.name);
        return context.left_out(what, element.span);
    }
    let name = if name.is_empty() { "coupling".to_owned() } else { name };
    robot.constraints.push(Constraint { name, kind: ConstraintKind::Coupling { terms, offset: at(0) } });
}

/// A body that an equality names; the world if it names no second one.
fn body(element: &Element, key: &str, robot: &Robot, context: &Context<'_>) -> Option<usize> {
    let Some(name) = element.text(key) else { return Some(WORLD) };
    let found = robot.links.iter().position(|l| l.name == name);
    if found.is_none() {
        let mut problem = Problem::new(
            "E0807",
            "",
            format!("{} names the body \"{name}\", which is not there", element.title()),
        );
        problem.help = help_for(name, robot.links.iter().map(|l| l.name.as_str()));
        context.report(problem, element.place(key));
    }
    found
}

/// The coordinate of a joint; where it has none, that is told.
fn joint(element: &Element, key: &str, joints: &[FileJoint], context: &Context<'_>) -> Option<Vec<Term>> {
    let named = joints.iter().map(|j| (j.name.as_str(), j));
    let name = element.required_text(key, context)?;
    let found = named_by(element, key, named, context)?;
    if found.coordinate.is_none() {
        let problem =
            Problem::new("W0801", "", format!("an equality of the joint \"{name}\" is not taken over"))
                .help("the joint has no scalar coordinate, or was combined with others");
        context.report(problem, element.place(key));
    }
    found.coordinate.map(|(joint, axis)| vec![Term { joint, axis, factor: 1.0 }])
}

/// The sum of coordinates that the length of a fixed tendon is.
fn tendon(element: &Element, key: &str, tendons: &[FixedTendon], context: &Context<'_>) -> Option<Vec<Term>> {
    let named = tendons.iter().map(|t| (t.name.as_str(), t));
    let found = named_by(element, key, named, context)?;
    if found.along.is_none() {
        let problem = Problem::new(
            "W0801",
            "",
            format!("an equality of the tendon \"{}\" is not taken over", found.name),
        )
        .help("it is spatial, or one of its joints has no scalar coordinate");
        context.report(problem, element.place(key));
    }
    found.along.as_ref().map(|(terms, _)| terms.clone())
}

/// What an attribute names, which must be there.
fn named_by<'a, T>(
    element: &Element,
    key: &str,
    mut named: impl Iterator<Item = (&'a str, T)> + Clone,
    context: &Context<'_>,
) -> Option<T> {
    let name = element.required_text(key, context)?;
    let known = named.clone();
    let found = named.find(|(n, _)| *n == name).map(|(_, found)| found);
    if found.is_none() {
        let message =
            format!("{} names the {} \"{name}\", which is not there", element.title(), element.name);
        let mut problem = Problem::new("E0807", "", message);
        problem.help = help_for(name, known.map(|(n, _)| n));
        context.report(problem, element.place(key));
    }
    found
}
