//! URDF, the robot description of ROS: links, joints, and a tree of them.
//!
//! Frames: a joint's <origin> is the pose of the child's frame in the parent's at coordinate 0; the axis is in
//! the child's frame. Roll, pitch and yaw are about the fixed axes x, y, z, as in model files.

mod gazebo;
mod joint;
mod link;
mod mujoco;
mod srdf;
mod tree;

use std::collections::BTreeMap;

use carom_engine::Problem;
use carom_math::{Pose, Quaternion, Vec3};

use super::context::{Context, Effect, list_unread};
use super::options::Base;
use super::robot::{Held, Link, Robot, WORLD};
use super::xacro;
use super::xml::Element;
use crate::finding::Finding;
use crate::suggest;

/// Name of the first element.
pub(super) const ROOT: &str = "robot";

/// Link names by index, as the joints look them up.
type LinkIndex = BTreeMap<String, usize>;

/// Reads a robot. Findings say what is wrong with it; then the robot is only good for finding more.
pub(super) fn read(root: &Element, context: &Context<'_>) -> Option<Robot> {
    root.mark();
    if refuse_xacro(root, context) {
        return None;
    }
    let name = root.text("name").unwrap_or("robot").to_owned();
    root.attribute("version");
    if let Some(name) = &context.options.keyframe {
        let message = format!("URDF has no keyframes, and --keyframe names \"{name}\"");
        let help = "joints start at 0; `position` of a joint in the model file starts it elsewhere";
        context.report(Problem::new("E0807", "", message).help(help), root.span);
    }
    let mut robot = Robot::new(name, "URDF", root.span);
    let index = read_links(root, &mut robot, context);
    if index.is_empty() {
        let problem =
            Problem::new("E0804", "", "the robot has no link").expected("<link name=\"…\"> in <robot>");
        context.report(problem, root.span);
        return None;
    }
    let mimics = joint::read_all(root, &index, &mut robot, context);
    let joints = root.children.iter().filter(|c| c.name == "joint").count();
    let complete = robot.joints.len() == joints;
    tree::check(&mut robot, &index, complete, context);
    let complete = robot.joints.len() == joints;
    joint::add_mimics(mimics, &mut robot, complete, context);
    hold_root(&mut robot, context);
    gazebo::read(root, &index, &mut robot, context);
    mujoco::tell(root, context);
    if let Some(path) = &context.options.srdf {
        srdf::read(path, &mut robot, root.span, context);
    }
    list_unread(root, context, &SINGLES, &effect);
    Some(robot)
}

/// Links; the first one named `world` is the world of the model.
fn read_links(root: &Element, robot: &mut Robot, context: &Context<'_>) -> LinkIndex {
    let mut index: LinkIndex = BTreeMap::new();
    for element in root.all("link") {
        let Some(name) = element.required_text("name", context) else { continue };
        if let Some(&first) = index.get(name) {
            let problem = Problem::new("E0806", "", format!("there are two links \"{name}\""))
                .help("rename one; joints name links");
            let finding = Finding::at(problem, element.place("name"));
            context.findings.push(finding.related(robot.links[first].span, "the first"));
            continue;
        }
        let mut link = Link::new(name, element.place("name"));
        link::read(element, &mut link, robot.links.len(), context);
        if name == "world" && !is_child(root, name) {
            link.held = Held::Fixed;
            link.shapes.iter_mut().for_each(|shape| shape.of = WORLD);
            robot.links[WORLD] = link;
            index.insert(name.to_owned(), WORLD);
        } else {
            index.insert(name.to_owned(), robot.links.len());
            robot.links.push(link);
        }
    }
    index
}

fn is_child(root: &Element, name: &str) -> bool {
    let mut children = root.children.iter().filter(|c| c.name == "joint").flat_map(|j| &j.children);
    children.any(|c| c.name == "child" && c.attributes.iter().any(|a| a.name == "link" && a.value == name))
}

/// The first link is free, unless it is the world.
fn hold_root(robot: &mut Robot, context: &Context<'_>) {
    let roots: Vec<usize> = (1..robot.links.len()).filter(|&k| robot.holder(k).is_none()).collect();
    for k in roots {
        let link = &mut robot.links[k];
        link.held = if context.options.base == Base::Fixed { Held::Fixed } else { Held::Free };
        let how = if link.held == Held::Free { "is free (a floating base)" } else { "is fixed" };
        context.choice(format!("the first link, \"{}\", {how}", link.name), Some(link.span));
    }
}

/// Templates of xacro must have been expanded.
fn refuse_xacro(root: &Element, context: &Context<'_>) -> bool {
    let Some((what, span)) = xacro::find(root) else { return false };
    let problem = Problem::new("E0803", "", format!("this is a xacro template: it has {what}"))
        .expected("a URDF with all templates expanded")
        .help("expand it first: xacro robot.urdf.xacro > robot.urdf; or install xacro, which `carom` calls then");
    context.report(problem, span);
    true
}

/// Pose of an <origin>; that of the parent if there is none.
fn origin(element: &Element, context: &Context<'_>) -> Pose {
    let Some(origin) = element.child("origin") else { return Pose::identity() };
    let translation = origin.vector("xyz", context).unwrap_or_else(Vec3::zeros);
    let rpy = origin.vector("rpy", context).unwrap_or_else(Vec3::zeros);
    let rotation = Quaternion::from_roll_pitch_yaw(rpy.x, rpy.y, rpy.z).to_matrix();
    Pose { rotation, translation }
}

/// What other programs read and would have things move otherwise: PyBullet, OpenRAVE, Drake's older names.
const MOTION: [&str; 5] = ["contact", "contact_coefficients", "joint_properties", "loop_joint", "loop"];

/// Elements of which there is one.
const SINGLES: [&str; 9] =
    ["inertial", "mass", "inertia", "origin", "geometry", "axis", "limit", "dynamics", "mimic"];

/// What URDF files have beside the mechanism.
const WITHOUT_EFFECT: [&str; 15] = [
    "material",
    "gazebo",
    "transmission",
    "visual",
    "calibration",
    "safety_controller",
    "sensor",
    "ros2_control",
    "group_state",
    "verbose",
    "origin",
    "link",
    "joint",
    "inertial",
    "collision",
];

/// Attributes of elements that are taken over.
const ATTRIBUTES_WITHOUT_EFFECT: [(&str, &str); 8] = [
    ("limit", "effort"),
    ("limit", "velocity"),
    ("collision", "name"),
    ("visual", "name"),
    ("link", "type"),
    ("joint", "type"),
    ("robot", "author"),
    ("robot", "email"),
];

/// Does a transmission give its joint the inertia of a rotor, which Drake reads?
fn has_rotor(element: &Element) -> bool {
    element.name == "drake:rotor_inertia" || element.children.iter().any(has_rotor)
}

fn effect(element: &Element, attribute: Option<&str>) -> Effect {
    // URDF 1.2 turns frames by it; what reads 1.0 does not.
    if (element.name.as_str(), attribute) == ("origin", Some("quat_xyzw")) {
        return Effect::Motion;
    }
    // Springs of SDF, armatures: what some programs read in URDF, too.
    if let ("dynamics", Some(name)) = (element.name.as_str(), attribute) {
        let is_slip = suggest::nearest(name, ["damping", "friction"]).is_some();
        return if is_slip { Effect::Unknown } else { Effect::Motion };
    }
    let Some(attribute) = attribute else {
        let name = element.name.as_str();
        // Elements of other programs, often with a prefix.
        if MOTION.contains(&name) || name.starts_with("drake:") || has_rotor(element) {
            return Effect::Motion;
        }
        let is_foreign = name.contains(':') || suggest::nearest(name, KNOWN).is_none();
        return if WITHOUT_EFFECT.contains(&name) || is_foreign { Effect::None } else { Effect::Unknown };
    };
    let is_known = ATTRIBUTES_WITHOUT_EFFECT.contains(&(element.name.as_str(), attribute))
        || attribute.starts_with("xmlns")
        || attribute.contains(':');
    // Robots carry attributes of their makers; only what resembles one of the format is a slip.
    if is_known || suggest::nearest(attribute, KNOWN_ATTRIBUTES).is_none() {
        Effect::None
    } else {
        Effect::Unknown
    }
}

/// Names that a misspelt attribute could mean.
const KNOWN_ATTRIBUTES: [&str; 24] = [
    "name",
    "type",
    "xyz",
    "rpy",
    "value",
    "ixx",
    "iyy",
    "izz",
    "ixy",
    "ixz",
    "iyz",
    "link",
    "lower",
    "upper",
    "damping",
    "friction",
    "joint",
    "multiplier",
    "offset",
    "filename",
    "scale",
    "radius",
    "length",
    "size",
];

/// Names that a misspelt element could mean.
const KNOWN: [&str; 12] = [
    "link",
    "joint",
    "inertial",
    "inertia",
    "mass",
    "collision",
    "geometry",
    "origin",
    "axis",
    "limit",
    "dynamics",
    "mimic",
];
