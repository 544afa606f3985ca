//! Motors of sites and free joints, such as propellers: forces and torques on one body.

use carom_math::{Pose, Vec3};

use super::super::context::{Context, help_for};
use super::super::load::Load;
use super::super::robot::Robot;
use super::super::xml::Element;
use super::FileKind;
use super::actuator::{ATTRIBUTES, Law, range_of};
use super::compiler::Compiler;
use super::defaults::View;
use super::transmission::{Transmissions, gear_of, tell_unknown, warn};

/// Names of the sites that actuators act on.
pub(super) fn sites_in_use(root: &Element) -> impl Iterator<Item = &str> {
    let actuators = root.children.iter().filter(|c| c.name == "actuator").flat_map(|s| &s.children);
    actuators.filter_map(|e| Some(e.attributes.iter().find(|a| a.name == "site")?.value.trim()))
}

/// Does an actuator act on a site or a free joint? Between two sites it pulls, which is not read.
pub(super) fn is_one(own: &Element, transmissions: &Transmissions<'_>) -> bool {
    let value = |key: &str| own.attributes.iter().find(|a| a.name == key).map(|a| a.value.trim());
    let joint = value("joint").or_else(|| value("jointinparent"));
    let is_free =
        |name: &str| transmissions.joints.iter().any(|j| j.name == name && j.kind == FileKind::Free);
    value("site").is_some() && value("refsite").is_none() || joint.is_some_and(is_free)
}

/// Its load. What depends on lengths and speeds is told, and nothing acts then.
pub(super) fn read(
    view: &View<'_>,
    number: usize,
    compiler: &Compiler,
    transmissions: &Transmissions<'_>,
    robot: &Robot,
    context: &Context<'_>,
) -> Option<Load> {
    let own = view.own();
    own.mark_attributes(ATTRIBUTES);
    let gear = gear_of(view, context);
    let law = Law::read(view, context);
    let affine = law.affine(own, context);
    let control_range = range_of(view, "ctrlrange", Some("ctrllimited"), true, compiler, context);
    let effort_range = range_of(view, "forcerange", Some("forcelimited"), true, compiler, context);
    let (named, at, in_world) = place(own, transmissions, robot, context)?;
    let (gain, bias) = affine?;
    if bias[1..] != [0.0, 0.0] {
        warn(&format!("a <{}> on a site or a free joint", own.name), own, context);
        return None;
    }
    law.tell_lag(own, context);
    let [force, torque] = [0, 3].map(|k| Vec3::new(gear[k], gear[k + 1], gear[k + 2]));
    if force.amax().max(torque.amax()) == 0.0 {
        context.left_out(format!("a <{}> with a gear of 0 exerts nothing", own.name), own.span);
        return None;
    }
    let name = own.text("name").filter(|n| !n.is_empty()).map_or_else(|| named.to_owned(), str::to_owned);
    let span = own.place("name");
    let number = Some(number);
    let load = Load {
        name,
        span,
        number,
        at,
        force,
        torque,
        in_world,
        control: 0.0,
        control_range,
        gain,
        bias: bias[0],
        effort_range,
    };
    let text = "motors of sites and free joints are forces and torques at the control of the start, which is 0 without a keyframe";
    context.choice(text, Some(span));
    Some(load)
}

/// Where: in the axes of the site, or at the origin of the free body, its force in world axes and its torque in those of the body,
/// with `jointinparent` in world axes, too.
fn place<'e>(
    own: &'e Element,
    transmissions: &Transmissions<'_>,
    robot: &Robot,
    context: &Context<'_>,
) -> Option<(&'e str, (usize, Pose), [bool; 2])> {
    if let Some(name) = own.text("site") {
        let found = transmissions.sites.get(name);
        if found.is_none() {
            let help = help_for(name, transmissions.sites.keys().map(String::as_str));
            tell_unknown(own, "site", help, context);
        }
        return found.map(|&at| (name, at, [false; 2]));
    }
    let (key, turns_in_world) =
        if own.text("joint").is_some() { ("joint", false) } else { ("jointinparent", true) };
    let name = own.text(key)?;
    let joint = transmissions.joints.iter().find(|j| j.name == name)?;
    Some((name, (robot.joints[joint.joint].b, Pose::identity()), [true, turns_in_world]))
}
