//! Spatial tendons from site to site: ropes that pull, or springs between two points.

use carom_engine::Problem;

use super::super::context::{Context, help_for};
use super::super::robot::{Pull, Robot, Rope};
use super::super::xml::Element;
use super::actuator::range_of;
use super::body::Sites;
use super::compiler::Compiler;
use super::defaults::{Classes, View};
use super::tendon::refuse_reversed_lengths;

/// Attributes of spatial tendons that are read.
pub(super) const ATTRIBUTES: &[&str] = &[
    "class",
    "name",
    "stiffness",
    "damping",
    "springlength",
    "range",
    "limited",
    "margin",
    // Of actuators, which are not taken over and told.
    "actuatorfrcrange",
    "actuatorfrclimited",
];

/// Those of fixed ones that are not, with what holds where they are not stated; defaults of both are one.
const OF_FIXED_ONES: [(&str, &[f64]); 4] = [
    ("solreflimit", &[0.02, 1.0]),
    ("solimplimit", &[0.9, 0.95, 0.001, 0.5, 2.0]),
    ("frictionloss", &[0.0]),
    ("armature", &[0.0]),
];

/// Names of the sites that spatial tendons run over.
pub(super) fn sites_in_use(root: &Element) -> impl Iterator<Item = &str> {
    let sections = root.children.iter().filter(|c| c.name == "tendon");
    let tendons = sections.flat_map(|s| s.children.iter().filter(|c| c.name == "spatial"));
    let ends = tendons.flat_map(|t| t.children.iter().filter(|c| c.name == "site"));
    ends.filter_map(|end| Some(end.attributes.iter().find(|a| a.name == "site")?.value.trim()))
}

/// A tendon's springs, dampers and upper limit.
pub(super) fn read(
    element: &Element,
    classes: &Classes<'_>,
    sites: &Sites,
    compiler: &Compiler,
    robot: &mut Robot,
    context: &Context<'_>,
) {
    let view = classes.view(element, None, context);
    element.mark_attributes(ATTRIBUTES);
    for (key, unstated) in OF_FIXED_ONES {
        element.attribute(key);
        if view.numbers(key, context).is_some_and(|stated| !unstated.starts_with(&stated)) {
            let what = format!("`{key}` of a spatial tendon");
            let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
                .help("only fixed tendons have it here");
            let holder = view.holder(key).unwrap_or(element);
            context.warn_once(&what, problem, holder.place(key));
        }
    }
    let mut path = Some(Vec::new());
    for part in &element.children {
        let point = if part.name == "site" {
            part.mark();
            point(part, element, sites, context)
        } else {
            part.mark_all();
            let what = match part.name.as_str() {
                "pulley" => "over pulleys",
                _ => "that wraps a geom",
            };
            warn(
                &format!("a spatial tendon {what}"),
                "it runs from site to site here, as a rope",
                part,
                context,
            );
            None
        };
        path = path.zip(point).map(|(mut path, point)| {
            path.push(point);
            path
        });
    }
    let Some(path) = path else { return };
    if path.len() < 2 {
        let problem =
            Problem::new("E0804", "", format!("{} runs over fewer than two sites", element.title()));
        return context
            .report(problem.expected("<site site=\"…\"/> for each point of its path"), element.span);
    }
    let name = element.text("name").filter(|name| !name.is_empty()).unwrap_or("tendon").to_owned();
    let rope = |length: f64, pull: Pull| Rope {
        name: name.clone(),
        span: element.span,
        path: path.clone(),
        length,
        pull,
    };
    let [stiffness, damping] = ["stiffness", "damping"].map(|key| {
        let value = view.leading(key, context).unwrap_or(0.0);
        if value < 0.0 {
            let message = format!("{key} of {} must not be negative, got {value}", element.title());
            view.holder(key).unwrap_or(element).bad_value(key, message, "0 or more", context);
        }
        value
    });
    if stiffness > 0.0 || damping > 0.0 {
        let [low, high] = rest_lengths(&view, &path, robot, context);
        let (is_spring, is_loose) =
            (path.len() == 2 && (low == high || stiffness == 0.0), low == 0.0 && damping == 0.0);
        if !is_spring && (!is_loose || stiffness == 0.0) {
            let help = "it pulls beyond its rest length, with its damping there, and does not push";
            warn("what a spatial tendon does where it is slack", help, element, context);
        }
        if is_spring {
            robot.ropes.push(rope(high, Pull::Spring { stiffness, damping }));
        } else if stiffness > 0.0 {
            robot.ropes.push(rope(high, Pull::Elastic { stiffness, damping }));
        }
    }
    if let Some([low, high]) = range_of(&view, "range", Some("limited"), true, compiler, context) {
        if low > 0.0 {
            warn("the least length of a spatial tendon", "a rope does not push", element, context);
        }
        // As of joints, the limit pulls from there on.
        let margin = view.number("margin", context).unwrap_or(0.0);
        robot.ropes.push(rope(high - margin, Pull::Limit));
    }
}

/// Between which no spring acts; where none are stated, the length where the springs of all joints rest.
fn rest_lengths(
    view: &View<'_>,
    path: &[(usize, carom_math::Vec3)],
    robot: &Robot,
    context: &Context<'_>,
) -> [f64; 2] {
    let stated = view.numbers("springlength", context);
    let is_negative = |lengths: &Vec<f64>| lengths[..] != [-1.0] && lengths[..] != [-1.0; 2];
    if let Some(wrong) = stated.iter().filter(|l| is_negative(l)).flatten().find(|length| **length < 0.0) {
        let message = format!("`springlength` of {} must not be negative, got {wrong}", view.own().title());
        let holder = view.holder("springlength").unwrap_or(view.own());
        holder.bad_value(
            "springlength",
            message,
            "0 or more, or -1 for the length where springs rest",
            context,
        );
        return [0.0; 2];
    }
    match stated.as_deref() {
        Some([-1.0, ..]) | Some([]) | None => {
            let mut relaxed = robot.clone();
            relaxed.joints.iter_mut().flat_map(|j| &mut j.axes).for_each(|axis| axis.start = axis.rest);
            relaxed.update_poses();
            let place =
                |(link, at): &(usize, carom_math::Vec3)| relaxed.links[*link].pose.transform_point(at);
            [path.windows(2).map(|ends| (place(&ends[1]) - place(&ends[0])).norm()).sum(); 2]
        }
        Some([one]) => [*one; 2],
        Some([low, high, ..]) => {
            if low > high {
                refuse_reversed_lengths(view, [*low, *high], context);
            }
            [*low, *high]
        }
    }
}

fn point(
    part: &Element,
    tendon: &Element,
    sites: &Sites,
    context: &Context<'_>,
) -> Option<(usize, carom_math::Vec3)> {
    let name = part.required_text("site", context)?;
    let found = sites.get(name).copied();
    if found.is_none() {
        let message = format!("{} runs over the site \"{name}\", which is not there", tendon.title());
        let mut problem = Problem::new("E0807", "", message);
        problem.help = help_for(name, sites.keys().map(String::as_str));
        context.report(problem, part.place("site"));
    }
    found.map(|(link, frame)| (link, frame.translation))
}

fn warn(what: &str, help: &str, element: &Element, context: &Context<'_>) {
    let problem = Problem::new("W0801", "", format!("{what} is not taken over")).help(help);
    context.warn_once(what, problem, element.span);
}
