//! SDF, the format of Gazebo and Drake: models of links and joints in a world, nested and included.
//!
//! Frames: every link, joint, model and `<frame>` has a pose in another of them; `frames` finds where they all are. A joint's axis is in
//! the joint's frame, which is the child's unless a pose says otherwise. Poses are x y z roll pitch yaw about fixed axes.

mod auto_inertia;
mod frames;
mod gearbox;
mod geometry;
mod include;
mod joint;
mod left_out;
mod link;
mod pose;
mod tree;

use std::path::PathBuf;

use carom_engine::Problem;
use carom_math::Vec3;

use super::context::{Context, list_unread};
use super::lift;
use super::options::{Base, SelfContact};
use super::robot::{Held, Robot, WORLD};
use super::xml::Element;
use crate::finding::Finding;
use crate::source::Span;
use frames::{Carrier, Frames, Scope};
use left_out::{blows, effect};
use pose::Stated;

/// Gravity of a world that states none (m/s²).
const PLAIN_GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.8);
/// Deepest nesting of models.
const MAX_DEPTH: usize = 64;

/// What is read so far.
struct Reader<'c> {
    context: &'c Context<'c>,
    robot: Robot,
    frames: Frames,
    joints: Vec<joint::ReadJoint>,
    gearboxes: Vec<gearbox::Gearbox>,
    /// Links of static models.
    fixed: Vec<usize>,
    /// Links with the share of their weight that something bears.
    lifted: Vec<(usize, f64)>,
    /// Shapes whose poses are in other frames than their link's.
    displaced: Vec<link::Displaced>,
    /// Links whose mass comes from their collisions.
    weighed: Vec<auto_inertia::Weighed>,
    /// Models that are not merged into others.
    families: usize,
    /// Some links may touch each other.
    links_touch: bool,
    /// Names of a single model go without its own.
    is_single: bool,
    /// The world has a wind.
    has_wind: bool,
}

/// What an `<include>` says of the model that it brings.
#[derive(Default)]
struct Placed {
    name: Option<String>,
    pose: Option<Stated>,
    placement: Option<(String, Span)>,
    is_static: bool,
    merges: bool,
}

/// Reads a file. Findings say what is wrong with it; then the robot is only good for finding more.
pub(super) fn read(root: &Element, context: &Context<'_>) -> Option<Robot> {
    root.mark();
    if let Some(name) = &context.options.keyframe {
        let message = format!("SDF has no keyframes, and --keyframe names \"{name}\"");
        let help = "joints start at 0; `position` of a joint in the model file starts it elsewhere";
        context.report(Problem::new("E0807", "", message).help(help), root.span);
    }
    if context.options.srdf.is_some() {
        let problem = Problem::new("E0807", "", "--srdf is for URDF: its links are not those of this file");
        context.report(problem.help("--self-contact none keeps all links of SDF from touching"), root.span);
    }
    let version = read_version(root, context);
    let worlds: Vec<&Element> = root.all("world").collect();
    let within = worlds.first().copied().unwrap_or(root);
    for second in worlds.iter().skip(1) {
        let problem = Problem::new("E0812", "", "there are two worlds in the file").help("keep one of them");
        context.findings.push(Finding::at(problem, second.span).related(worlds[0].span, "the first"));
    }
    let models = within.children.iter().filter(|c| c.name == "model" || c.name == "include").count();
    let name = within.text("name").or_else(|| root.children.first().and_then(|m| m.text("name")));
    let mut reader = Reader {
        context,
        robot: Robot::new(name.unwrap_or("robot"), "SDF", root.span),
        frames: Frames::new(root.span),
        joints: Vec::new(),
        gearboxes: Vec::new(),
        fixed: Vec::new(),
        lifted: Vec::new(),
        displaced: Vec::new(),
        weighed: Vec::new(),
        families: 0,
        links_touch: links_touch(root, context),
        is_single: models == 1,
        has_wind: within.children.iter().any(blows),
    };
    // That of the world.
    reader.robot.families.add(0, false);
    let folder = context.folder.clone();
    reader.world(within, version, &folder);
    let has_wind = reader.has_wind;
    let mut robot = reader.finish()?;
    hold_roots(&mut robot, context);
    list_unread(root, context, &SINGLES, &|element, attribute| effect(element, attribute, has_wind));
    Some(robot)
}

/// May links touch each other, as far as the file itself shows: those of several models, or of one that has `self_collide`?
fn links_touch(root: &Element, context: &Context<'_>) -> bool {
    let (mut open, mut models) = (vec![root], 0);
    let mut has_flag = false;
    while let Some(element) = open.pop() {
        let is_on = ["1", "true", "True"].contains(&element.content.trim());
        has_flag |= element.name == "self_collide" && is_on;
        models += usize::from(["model", "include"].contains(&element.name.as_str()));
        open.extend(&element.children);
    }
    let by_file = context.options.self_contact == SelfContact::Auto && (has_flag || models > 1);
    by_file || context.options.links_touch()
}

/// Major and minor version: 1.10 is later than 1.9.
type Version = (u32, u32);

fn read_version(root: &Element, context: &Context<'_>) -> Version {
    const NEWEST: Version = (1, 12);
    let Some(text) = root.required_text("version", context) else { return NEWEST };
    let read = text.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    read.unwrap_or_else(|| {
        root.bad_value(
            "version",
            format!("`version` of <sdf> is \"{text}\""),
            "two numbers, such as 1.9",
            context,
        );
        NEWEST
    })
}

impl Reader<'_> {
    fn world(&mut self, world: &Element, version: Version, folder: &std::path::Path) {
        if let Some(gravity) = world.child("gravity") {
            self.robot.gravity = gravity.content_vector(self.context).unwrap_or(self.robot.gravity);
        } else if world.name == "world" {
            self.robot.gravity = PLAIN_GRAVITY;
        }
        let scope = Scope::world();
        self.contents(world, &scope, version, folder, &mut Vec::new(), false);
    }

    /// Models, links, joints and frames of a scope.
    fn contents(
        &mut self,
        element: &Element,
        scope: &Scope,
        version: Version,
        folder: &std::path::Path,
        stack: &mut Vec<PathBuf>,
        is_static: bool,
    ) {
        for child in &element.children {
            match child.name.as_str() {
                "model" => {
                    let placed = Placed { is_static, ..Placed::default() };
                    self.model(child, scope, placed, version, folder, stack);
                }
                "include" => self.include(child, scope, folder, stack, is_static),
                "link" => self.link(child, scope, is_static, folder),
                "joint" if child.text("type") == Some("gearbox") => self.gearbox(child, scope, version),
                "joint" => self.joint(child, scope, version),
                "drake:joint" => self.refuse_drakes_joint(child),
                "frame" => self.frame(child, scope),
                _ => {}
            }
        }
    }

    /// A model within a scope.
    fn model(
        &mut self,
        model: &Element,
        outer: &Scope,
        placed: Placed,
        version: Version,
        folder: &std::path::Path,
        stack: &mut Vec<PathBuf>,
    ) {
        model.mark();
        let own = model.required_text("name", self.context).map(str::to_owned);
        let Some(name) = placed.name.clone().or(own) else { return };
        if outer.depth >= MAX_DEPTH {
            let message = format!("models are nested more than {MAX_DEPTH} levels deep");
            return self
                .context
                .report(Problem::new("E0801", "", message).help("no robot is that deep"), model.span);
        }
        let scope = if placed.merges {
            outer.merged(&name)
        } else {
            let flag = model.child("self_collide").and_then(|s| s.content_flag(self.context));
            self.families += 1;
            let scope = outer.inner(&name, self.families, flag == Some(true));
            self.frames.enlist_model(&outer.models, &scope.model);
            scope
        };
        let own_pose = model.child("pose").and_then(|pose| Stated::read(pose, self.context));
        let stated = placed.pose.or(own_pose).unwrap_or_default();
        let placement = placed.placement.or_else(|| {
            let name = model.text("placement_frame").filter(|name| !name.is_empty())?;
            Some((name.to_owned(), model.place("placement_frame")))
        });
        let canonical = model.text("canonical_link").filter(|name| !name.is_empty());
        let canonical = canonical.map(|name| (scope.key(name), model.place("canonical_link")));
        let span = model.place("name");
        let placement = placement.map(|(name, span)| (scope.key(&name), span));
        let carrier = Carrier::Model { canonical };
        self.frames.add(
            scope.model.clone(),
            span,
            stated.within(outer, &outer.model),
            carrier,
            placement,
            self.context,
        );
        let flag = model.child("static").and_then(|s| s.content_flag(self.context));
        let is_static = placed.is_static || flag == Some(true);
        self.contents(model, &scope, version, folder, stack, is_static);
    }

    /// A joint that SDF itself does not have.
    fn refuse_drakes_joint(&self, element: &Element) {
        element.mark_tree();
        let message = format!("{} is Drake's own, which is not read", element.title());
        let problem = Problem::new("E0812", "", message)
            .help("write it in the model file, such as a joint of type planar");
        self.context.report(problem, element.span);
    }

    fn frame(&mut self, element: &Element, scope: &Scope) {
        element.mark();
        let Some(name) = element.required_text("name", self.context) else { return };
        let attached = element.text("attached_to").filter(|a| !a.is_empty());
        let attached = attached.map(|to| (scope.key(to), element.place("attached_to")));
        let to = attached.unwrap_or_else(|| (scope.model.clone(), element.span));
        let stated = element.child("pose").and_then(|p| Stated::read(p, self.context)).unwrap_or_default();
        let mut place = stated.within(scope, &to.0);
        self.frames.expect(to.clone());
        place.span = place.span.or(Some(to.1));
        self.frames.add(
            scope.key(name),
            element.place("name"),
            place,
            Carrier::Attached(to),
            None,
            self.context,
        );
    }

    /// The robot, with its joints in a tree.
    fn finish(mut self) -> Option<Robot> {
        if self.robot.links.len() == 1 {
            let problem =
                Problem::new("E0804", "", "the file has no link").expected("<link name=\"…\"> in <model>");
            self.context.report(problem, self.robot.links[WORLD].span);
            return None;
        }
        self.frames.resolve(&mut self.robot, self.context);
        link::place_shapes(&self.displaced, &mut self.robot, &self.frames, self.context);
        auto_inertia::weigh(&self.weighed, &mut self.robot, self.context);
        lift::apply(&mut self.robot, &self.lifted, "gravity", self.context);
        for &link in &self.fixed {
            self.robot.links[link].held = Held::Fixed;
        }
        joint::connect(&self.joints, &mut self.robot, &self.frames, self.is_single, self.context);
        joint::add_mimics(&self.joints, &mut self.robot, self.is_single, self.context);
        gearbox::couple(&self.gearboxes, &mut self.robot, &self.frames, self.context);
        tree::grow(&mut self.robot, self.context);
        Some(self.robot)
    }

    /// A whole name as the model file has it.
    fn shown(&self, key: &str) -> String {
        shown(key, self.is_single)
    }
}

/// Without the model's name where there is one model; those of nested ones stand before the name, with two underscores.
fn shown(key: &str, is_single: bool) -> String {
    let name = key.split_once("::").filter(|_| is_single).map_or(key, |(_, rest)| rest);
    name.replace("::", "__")
}

/// Links that no joint holds are free, but for those of static models.
fn hold_roots(robot: &mut Robot, context: &Context<'_>) {
    let roots =
        (1..robot.links.len()).filter(|&k| robot.holder(k).is_none() && robot.links[k].held != Held::Fixed);
    for k in roots.collect::<Vec<_>>() {
        let link = &mut robot.links[k];
        link.held = if context.options.base == Base::Fixed { Held::Fixed } else { Held::Free };
        let how = if link.held == Held::Free { "is free (a floating base)" } else { "is fixed" };
        context.choice(format!("\"{}\", which no joint holds, {how}", link.name), Some(link.span));
    }
}

/// Elements of which there is one.
const SINGLES: [&str; 12] = [
    "inertial", "mass", "inertia", "pose", "geometry", "axis", "axis2", "limit", "dynamics", "lower",
    "upper", "static",
];
