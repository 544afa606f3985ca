//! A subset of MJCF, MuJoCo's model format: bodies, joints, geoms, defaults, simple servos, equalities.
//!
//! Frames: a body's `pos` and orientation are its pose in its parent at joint coordinates `ref`; joints and geoms are
//! in their body's frame. Coordinates here are zero in the pose the file shows: q = q_MuJoCo − ref.

mod activation;
mod actuator;
mod attach;
mod attached;
mod body;
mod bounds;
mod combine;
mod compiler;
mod contact;
mod defaults;
mod equality;
mod fit;
mod geom;
mod include;
mod joint;
mod keyframe;
mod left_out;
mod mesh_asset;
mod mesh_mass;
mod option;
mod orientation;
mod replicate;
mod spatial;
mod tendon;
mod tendon_length;
mod thrust;
mod transmission;

use std::collections::{BTreeMap, BTreeSet};

use carom_engine::Problem;

use super::context::{Context, list_unread};
use super::lift;
use super::massless::FRACTION;
use super::robot::{Axis, Robot, WORLD};
use super::xml::Element;

use attach::Whole;
use body::Reader;
use compiler::Compiler;
use defaults::Classes;

/// Reads a model. Findings say what is wrong with it; then the robot is only good for finding more.
pub(super) fn read(root: &Element, context: &Context<'_>) -> Option<Robot> {
    let Whole { root, compilers, mains } = attach::expand(root.clone(), context);
    let root = &root;
    root.mark();
    if context.options.srdf.is_some() {
        let problem = Problem::new("E0807", "", "--srdf is for URDF: its links are not those of this file");
        context.report(problem.help("<exclude> keeps bodies of MJCF from touching"), root.span);
    }
    let classes = Classes::read(root, &mains, context);
    let name = root.text("model").unwrap_or("model").to_owned();
    let mut robot = Robot::new(name, "MJCF", root.span);
    let disabled = option::read(root, &mut robot, context);
    let meshes = mesh_asset::read_all(root, &classes, context);
    let mut reader = Reader {
        context,
        compilers: &compilers,
        classes: &classes,
        meshes: &meshes,
        robot,
        joints: Vec::new(),
        used: joints_in_use(root),
        paired: contact::paired_geoms(root).collect(),
        placed: spatial::sites_in_use(root)
            .chain(thrust::sites_in_use(root))
            .chain(equality::sites_in_use(root))
            .collect(),
        has_ropes: spatial::sites_in_use(root).next().is_some(),
        sites: body::Sites::new(),
        names: BTreeMap::new(),
        lifted: Vec::new(),
        keeps_coordinates: context.options.keyframe.is_some(),
    };
    for world in root.all("worldbody") {
        reader.read_world(world);
    }
    let Reader { mut robot, joints, sites, lifted, .. } = reader;
    robot.update_poses();
    let (tendons, restraints) =
        tendon::read_all(root, &classes, &compilers, (&joints, &sites), &mut robot, context);
    let transmissions = transmission::Transmissions { joints: &joints, tendons: &tendons, sites: &sites };
    actuator::read_all(root, &classes, &compilers, &transmissions, &mut robot, context);
    if disabled.equality {
        root.all("equality").for_each(Element::mark_tree);
    } else {
        equality::read_all(root, &classes, &joints, (&tendons, &sites), &mut robot, context);
    }
    contact::read_all(root, &classes, &mut robot, context);
    bounds::apply(&mut robot, &compilers, context);
    add_fractions(&mut robot);
    scale_mass(&mut robot, compilers.own());
    joint::resolve_swings(&mut robot);
    joint::resolve_stops(&mut robot);
    actuator::resolve_damping(&mut robot);
    lift::apply(&mut robot, &lifted, "gravcomp", context);
    joint::tell_borne_weights(&robot, &lifted, context);
    disabled.apply(&mut robot);
    tendon_length::apply(restraints, disabled, &mut robot, context);
    keyframe::apply(root, &joints, &mut robot, context);
    actuator::tell_idle(&robot, context);
    list_unread(root, context, &[], &left_out::judge(root));
    Some(robot)
}

/// Joints that actuators, equalities and tendons name.
fn joints_in_use(root: &Element) -> BTreeSet<&str> {
    let names_joints = |e: &&Element| ["actuator", "equality", "tendon"].contains(&e.name.as_str());
    let mut open: Vec<&Element> = root.children.iter().filter(names_joints).collect();
    let mut names = BTreeSet::new();
    while let Some(element) = open.pop() {
        let named = element.attributes.iter().filter(|a| a.name.starts_with("joint"));
        names.extend(named.map(|a| a.value.as_str()));
        open.extend(&element.children);
    }
    names
}

/// What a joint of the file has for coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    /// One, of a hinge or slide.
    Single,
    /// A quaternion.
    Ball,
    /// Position and quaternion.
    Free,
}

impl FileKind {
    fn coordinates(self) -> usize {
        match self {
            Self::Single => 1,
            Self::Ball => 4,
            Self::Free => 7,
        }
    }

    fn freedoms(self) -> usize {
        match self {
            Self::Single => 1,
            Self::Ball => 3,
            Self::Free => 6,
        }
    }
}

/// A joint of the file and the coordinate it has become.
#[derive(Clone, Debug)]
struct FileJoint {
    name: String,
    /// Attachments that it came by.
    attachments: Vec<String>,
    kind: FileKind,
    /// Joint in the robot.
    joint: usize,
    /// Joint and axis in the robot; `None` where it became part of a joint without scalar coordinates.
    coordinate: Option<(usize, usize)>,
    /// Coordinate of MuJoCo where ours is zero.
    reference: f64,
    /// Range of MuJoCo's coordinate, whether it limits the joint or not.
    range: Option<[f64; 2]>,
}

impl FileJoint {
    fn axis<'a>(&self, robot: &'a mut Robot) -> Option<&'a mut Axis> {
        self.coordinate.map(|(joint, axis)| &mut robot.joints[joint].axes[axis])
    }
}

/// Bodies between two joints get their mass.
fn add_fractions(robot: &mut Robot) {
    for k in 0..robot.links.len() {
        let Some(of) = robot.links[k].fraction_of else { continue };
        let mut parts = robot.links[of].parts.clone();
        for part in &mut parts {
            part.solid.mass *= FRACTION;
            part.solid.inertia *= FRACTION;
        }
        robot.links[k].parts = parts;
    }
}

/// `settotalmass`: all masses and inertias by one factor.
fn scale_mass(robot: &mut Robot, compiler: &Compiler) {
    let parts = |robot: &Robot| {
        robot.links.iter().skip(WORLD + 1).flat_map(|l| &l.parts).map(|p| p.solid.mass).sum::<f64>()
    };
    let (Some(wanted), total) = (compiler.total_mass, parts(robot)) else { return };
    if total > 0.0 && wanted > 0.0 {
        for part in robot.links.iter_mut().skip(WORLD + 1).flat_map(|l| &mut l.parts) {
            part.solid.mass *= wanted / total;
            part.solid.inertia *= wanted / total;
        }
    }
}
