//! Equality constraints: connect, weld, and linear couplings of joints and fixed tendons.

use carom_engine::Problem;
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use super::super::context::{Context, help_for};
use super::super::robot::{Constraint, ConstraintKind, Joint, JointKind, Robot, Term, WORLD, Weld};
use super::super::scene::are_apart;
use super::super::touch::Softness;
use super::super::xml::Element;
use super::body::Sites;
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
    (tendons, sites): (&[FixedTendon], &Sites),
    robot: &mut Robot,
    context: &Context<'_>,
) {
    for section in root.all("equality") {
        for element in &section.children {
            let is_known = KINDS.contains(&element.name.as_str());
            let view = is_known.then(|| classes.view(element, None, context));
            let stated = view.as_ref().map_or(Some(element), |view| view.holder("active"));
            if stated.and_then(|e| e.flag("active", context)) == Some(false) {
                element.mark_tree();
                context.left_out("an equality that is not active", element.span);
                continue;
            }
            let Some(view) = view else { continue };
            let name = element.text("name").unwrap_or("").to_owned();
            match element.name.as_str() {
                "connect" => connect(element, name, sites, robot, context),
                "weld" => {
                    let softness = contact::softness(&view, Softness::DEFAULT, context);
                    weld(element, name, softness, sites, robot, context);
                }
                "joint" => couple(element, name, |key| joint(element, key, joints, context), robot, context),
                _ => couple(element, name, |key| tendon(element, key, tendons, context), robot, context),
            }
        }
    }
}

/// Names of the sites that equalities hold together.
pub(super) fn sites_in_use(root: &Element) -> impl Iterator<Item = &str> {
    let equalities = root.children.iter().filter(|c| c.name == "equality").flat_map(|s| &s.children);
    let named = equalities.flat_map(|e| e.attributes.iter().filter(|a| SITES.contains(&a.name.as_str())));
    named.map(|a| a.value.trim())
}

const SITES: [&str; 2] = ["site1", "site2"];

/// What `connect` and `weld` hold together: links, and frames in them.
type Ends = [(usize, Pose); 2];

/// Ends that two sites are; `None` where that is told.
fn at_sites(element: &Element, sites: &Sites, context: &Context<'_>) -> Option<Ends> {
    let bodies = ["body1", "body2", "anchor", "relpose"];
    if let Some(other) = element.attributes.iter().find(|a| bodies.contains(&a.name.as_str())) {
        let message = format!("{} has sites and `{}`", element.title(), other.name);
        let problem = Problem::new("E0805", "", message).expected("sites alone, or bodies");
        context.report(problem.help("MuJoCo refuses this too: two sites say all"), other.span);
        element.mark_all();
        return None;
    }
    let [a, b] = SITES.map(|key| {
        let Some(name) = element.text(key) else {
            let problem = Problem::new("E0804", "", format!("{} names one site alone", element.title()));
            let problem = problem.expected(format!("<{} site1=\"…\" site2=\"…\">", element.name));
            context.report(problem.help("a site of the world stands for what does not move"), element.span);
            return None;
        };
        let found = sites.get(name).copied();
        if found.is_none() {
            let message = format!("{} names the site \"{name}\", which is not there", element.title());
            let mut problem = Problem::new("E0807", "", message);
            problem.help = help_for(name, sites.keys().map(String::as_str));
            context.report(problem, element.place(key));
        }
        found
    });
    Some([a?, b?])
}

fn is_by_sites(element: &Element) -> bool {
    element.attributes.iter().any(|a| SITES.contains(&a.name.as_str()))
}

/// The points of two sites, or the one that `anchor` is of both bodies in the pose of the file.
fn connect(element: &Element, name: String, sites: &Sites, robot: &mut Robot, context: &Context<'_>) {
    let ends = if is_by_sites(element) {
        at_sites(element, sites, context)
    } else {
        at_anchor(element, robot, context)
    };
    let Some([a, b]) = ends.map(|ends| ends.map(|(link, x)| (link, x.translation))) else { return };
    let name = if name.is_empty() { "connect".to_owned() } else { name };
    robot.constraints.push(Constraint { name, kind: ConstraintKind::Point { a, b } });
}

fn at_anchor(element: &Element, robot: &Robot, context: &Context<'_>) -> Option<Ends> {
    element.required_text("body1", context)?;
    let (a, b) = (body(element, "body1", robot, context)?, body(element, "body2", robot, context)?);
    element.required_text("anchor", context)?;
    let x_a = Pose { rotation: Mat3::identity(), translation: element.vector("anchor", context)? };
    let x_ba = robot.links[b].pose.inverse().compose(&robot.links[a].pose);
    Some([(a, x_a), (b, x_ba.compose(&x_a))])
}

/// A fixed joint that closes a loop. Of two sites the frames become one; bodies have `relpose`, or keep the pose of the file.
fn weld(
    element: &Element,
    name: String,
    softness: Softness,
    sites: &Sites,
    robot: &mut Robot,
    context: &Context<'_>,
) -> Option<()> {
    let [a, b] = if is_by_sites(element) {
        at_sites(element, sites, context)?
    } else {
        element.required_text("body1", context)?;
        let (a, b) = (body(element, "body1", robot, context)?, body(element, "body2", robot, context)?);
        // Where the point is that `anchor` names makes no difference for a rigid weld.
        element.attribute("anchor");
        let stated = element.numbers_in("relpose", 7..=7, context).map(|v| {
            let turn = Quaternion::new(v[3], v[4], v[5], v[6]);
            (turn, Vec3::new(v[0], v[1], v[2]))
        });
        // A quaternion of zeros asks for the pose of the file.
        let x_ab = match stated.filter(|(turn, _)| turn.norm() > 0.0) {
            Some((turn, translation)) => Pose { rotation: turn.to_matrix(), translation },
            None => robot.links[a].pose.inverse().compose(&robot.links[b].pose),
        };
        [(a, x_ab), (b, Pose::identity())]
    };
    let name = if name.is_empty() { "weld".to_owned() } else { name };
    let bare = Joint::bare(name, element.span, JointKind::Fixed, [a.0, b.0]);
    robot.joints.push(Joint { frame_a: a.1, frame_b: b.1, cut: true, ..bare });
    let [x, y] = [a, b].map(|(link, x)| robot.links[link].pose.compose(&x));
    robot.welds.push(Weld { span: element.span, softness, is_open: are_apart(&x, &y) });
    Some(())
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
