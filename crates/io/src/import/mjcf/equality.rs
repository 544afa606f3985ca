//! Equality constraints: connect, weld, and linear couplings of joints.

use carom_engine::Problem;
use carom_math::{Pose, Quaternion, Vec3};

use super::super::context::{Context, help_for};
use super::super::robot::{Constraint, ConstraintKind, Joint, JointKind, Robot, Term, WORLD};
use super::super::touch::Softness;
use super::super::xml::Element;
use super::defaults::Classes;
use super::{FileJoint, contact};

/// Attributes of equalities that defaults may hold.
pub(super) const ATTRIBUTES: &[&str] = &["class", "active"];

/// Equalities that are read.
pub(super) const KINDS: &[&str] = &["connect", "weld", "joint"];

pub(super) fn read_all(
    root: &Element,
    classes: &Classes<'_>,
    joints: &[FileJoint],
    robot: &mut Robot,
    context: &Context<'_>,
) {
    for section in root.all("equality") {
        for element in &section.children {
            let has = |name: &str| element.attributes.iter().any(|a| a.name == name);
            let is_known = match element.name.as_str() {
                "connect" | "weld" => has("body1"),
                "joint" => true,
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
                _ => couple(element, name, joints, robot, context),
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
    robot.joints.push(Joint {
        name,
        span: element.span,
        kind: JointKind::Fixed,
        a,
        b,
        frame_a: x_ab,
        frame_b: Pose::identity(),
        axes: Vec::new(),
        start_turn: None,
        start_spin: None,
        cut: true,
    });
}

/// q₁ = a₀ + a₁ q₂, both counted from the pose of the file.
fn couple(element: &Element, name: String, joints: &[FileJoint], robot: &mut Robot, context: &Context<'_>) {
    let Some(first) = joint(element, "joint1", joints, context) else { return };
    let second = match element.text("joint2") {
        Some(_) => match joint(element, "joint2", joints, context) {
            Some(joint) => Some(joint),
            None => return,
        },
        None => None,
    };
    let stated = element.numbers_in("polycoef", 1..=5, context).unwrap_or_default();
    // A shorter list leaves the others at their defaults.
    let at = |k: usize| stated.get(k).copied().unwrap_or(if k == 1 { 1.0 } else { 0.0 });
    if second.is_some() && (2..5).any(|k| at(k) != 0.0) {
        let problem =
            Problem::new("W0801", "", "an equality of two joints that is not linear is not taken over")
                .help("couplings are linear: q1 = a0 + a1 q2");
        return context.warn_once("polycoef", problem, element.place("polycoef"));
    }
    let term = |c: (usize, usize), factor| Term { joint: c.0, axis: c.1, factor };
    let mut terms = vec![term(first, 1.0)];
    terms.extend(second.filter(|_| at(1) != 0.0).map(|c| term(c, -at(1))));
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
fn joint(
    element: &Element,
    key: &str,
    joints: &[FileJoint],
    context: &Context<'_>,
) -> Option<(usize, usize)> {
    let name = element.required_text(key, context)?;
    let Some(found) = joints.iter().find(|j| j.name == name) else {
        let mut problem = Problem::new(
            "E0807",
            "",
            format!("{} names the joint \"{name}\", which is not there", element.title()),
        );
        problem.help = help_for(name, joints.iter().map(|j| j.name.as_str()));
        context.report(problem, element.place(key));
        return None;
    };
    if found.coordinate.is_none() {
        let problem =
            Problem::new("W0801", "", format!("an equality of the joint \"{name}\" is not taken over"))
                .help("the joint has no scalar coordinate, or was combined with others");
        context.report(problem, element.place(key));
    }
    found.coordinate
}
