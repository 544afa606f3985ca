//! Bodies, nested as in the file.

use std::collections::{BTreeMap, BTreeSet};

use carom_engine::Problem;
use carom_geometry::MassProperties;
use carom_math::{Mat3, Pose, Vec3};

use super::super::context::Context;
use super::super::mass::{solid, tensor};
use super::super::robot::{Hold, Joint, Link, Part, Robot, WORLD};
use super::super::xml::Element;
use super::combine::{Combined, combine, names};
use super::compiler::{Compiler, Compilers, InertiaFromGeom};
use super::defaults::{Classes, View};
use super::geom::{self, Place};
use super::joint::{self, ReadJoint, ReadKind};
use super::mesh_asset::MeshAsset;
use super::{FileJoint, FileKind, orientation};
use crate::finding::Finding;
use crate::source::Span;

/// Links and frames in them, by the names of sites.
pub(super) type Sites = BTreeMap<String, (usize, Pose)>;

/// Attributes of sites that are read, or that only draw.
pub(super) const SITE_ATTRIBUTES: &[&str] = &[
    "name",
    "class",
    "type",
    "size",
    "fromto",
    "pos",
    "quat",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
    "group",
    "material",
    "rgba",
    "user",
    "mesh",
];

pub(super) struct Reader<'a, 'c> {
    pub(super) context: &'a Context<'c>,
    pub(super) compilers: &'a Compilers,
    pub(super) classes: &'a Classes<'a>,
    pub(super) meshes: &'a BTreeMap<String, MeshAsset>,
    pub(super) robot: Robot,
    /// Joints of the file by their order.
    pub(super) joints: Vec<FileJoint>,
    /// Names of joints whose coordinates something asks for.
    pub(super) used: BTreeSet<&'a str>,
    /// Names of geoms that pairs name.
    pub(super) paired: BTreeSet<&'a str>,
    /// Names of sites that tendons run over, actuators act on or equalities hold.
    pub(super) placed: BTreeSet<&'a str>,
    /// There are tendons over sites.
    pub(super) has_ropes: bool,
    /// Those sites.
    pub(super) sites: Sites,
    /// Where the names of geoms and sites are.
    pub(super) names: BTreeMap<(&'static str, &'a str), Span>,
    /// Links with the share of their weight that something bears.
    pub(super) lifted: Vec<(usize, f64)>,
    /// A start is stated by coordinates: all joints keep theirs.
    pub(super) keeps_coordinates: bool,
}

/// Where the children of a body or frame are read.
#[derive(Clone, Copy)]
struct Inside<'a> {
    link: usize,
    /// Pose of a <frame> in the body.
    frame: Pose,
    class: Option<&'a str>,
    is_static: bool,
    has_mass: bool,
}

/// Spring and damper of a ball or free joint, which relax where the file shows it.
fn elastic(read: &ReadJoint, joint: &Joint) -> Option<Hold> {
    let [stiffness, damping] = read.elastic;
    let along = if matches!(read.kind, ReadKind::Free) { read.elastic } else { [0.0; 2] };
    let what = if stiffness > 0.0 { "spring" } else { "damper" };
    (read.elastic != [0.0; 2]).then(|| Hold {
        name: format!("{}_{what}", joint.name),
        span: read.span,
        a: (joint.a, joint.frame_a),
        b: (joint.b, joint.frame_b),
        stiffness: [along[0], stiffness],
        damping: [along[1], damping],
    })
}

impl<'a> Reader<'a, '_> {
    fn compiler(&self, element: &Element) -> &'a Compiler {
        self.compilers.of(element.span)
    }

    /// The world's own geoms, then all bodies.
    pub(super) fn read_world(&mut self, world: &'a Element) {
        let class = self.classes.named_by(world, "childclass", self.context);
        let inside = Inside { link: WORLD, frame: Pose::identity(), class, is_static: true, has_mass: false };
        self.children(world, inside);
    }

    /// Geoms first, so that links come in the order of the file.
    fn children(&mut self, element: &'a Element, inside: Inside<'a>) {
        for child in element.children.iter().filter(|c| c.name == "geom") {
            self.geom(child, inside);
        }
        for child in &element.children {
            match child.name.as_str() {
                "body" => self.body(child, inside),
                "site" => self.site(child, inside),
                "frame" => {
                    let view = self.classes.view(child, None, self.context);
                    let pose = orientation::pose(&view, self.compiler(child), self.context);
                    let class = self.classes.named_by(child, "childclass", self.context).or(inside.class);
                    self.children(child, Inside { frame: inside.frame.compose(&pose), class, ..inside });
                }
                "composite" | "flexcomp" => {
                    let message = format!("<{}> makes bodies, which is not built yet", child.name);
                    let problem = Problem::new("E0812", "", message)
                        .help("write the bodies out: MuJoCo's mj_saveLastXML saves them so");
                    child.mark_tree();
                    self.context.report(problem, child.span);
                }
                _ => {}
            }
        }
    }

    fn body(&mut self, element: &'a Element, outside: Inside<'a>) {
        let context = self.context;
        let view = self.classes.view(element, None, context);
        let x_ab = outside.frame.compose(&orientation::pose(&view, self.compiler(element), context));
        let name =
            element.text("name").map_or_else(|| format!("body{}", self.robot.links.len()), str::to_owned);
        if let Some(first) = self.robot.links.iter().skip(1).find(|l| l.name == name) {
            let problem =
                Problem::new("E0806", "", format!("there are two bodies \"{name}\"")).help("rename one");
            let finding = Finding::at(problem, element.place("name"));
            context.findings.push(finding.related(first.span, "the first"));
        }
        let link = self.robot.links.len();
        self.robot.links.push(Link::new(name.clone(), element.place("name")));
        self.lifted.extend(element.number("gravcomp", context).map(|share| (link, share)));
        let class = self.classes.named_by(element, "childclass", context).or(outside.class);
        let mut read = Vec::new();
        self.joints_of(element, &Pose::identity(), class, &mut read);
        let is_static = outside.is_static && read.is_empty();
        let inertial = element.child("inertial").map(|e| self.inertial(e, link));
        let has_mass = match self.compiler(element).inertia_from_geom {
            InertiaFromGeom::Auto => inertial.is_none(),
            InertiaFromGeom::Always => true,
            InertiaFromGeom::Never => false,
        };
        self.joint(read, link, outside.link, &x_ab);
        let inside = Inside { link, frame: Pose::identity(), class, is_static, has_mass };
        self.children(element, inside);
        // Also where no geom has mass that should have it.
        if self.robot.links[link].parts.is_empty() {
            let bounded = || self.compiler(element).bounds_all().then(|| self.bounded_part(&view, &name));
            let part = inertial.flatten().or_else(bounded);
            self.robot.links[link].parts.extend(part);
        }
    }

    /// Joints of a body, also within frames.
    fn joints_of(
        &mut self,
        element: &'a Element,
        frame: &Pose,
        class: Option<&'a str>,
        read: &mut Vec<ReadJoint>,
    ) {
        for child in &element.children {
            match child.name.as_str() {
                "joint" | "freejoint" => {
                    let view = self.classes.view(child, class, self.context);
                    read.push(joint::read(&view, frame, self.compiler(child), self.context));
                }
                "frame" => {
                    let view = self.classes.view(child, None, self.context);
                    let pose = orientation::pose(&view, self.compiler(child), self.context);
                    let class = self.classes.named_by(child, "childclass", self.context).or(class);
                    self.joints_of(child, &frame.compose(&pose), class, read);
                }
                _ => {}
            }
        }
    }

    /// The joint between a body and its parent, of all joints that the file gives it.
    fn joint(&mut self, read: Vec<ReadJoint>, link: usize, parent: usize, x_ab: &Pose) {
        let body = self.robot.links[link].name.clone();
        for joint in &read {
            if let Some(first) = self.joints.iter().find(|j| !j.name.is_empty() && j.name == joint.name) {
                let problem = Problem::new("E0806", "", format!("there are two joints \"{}\"", first.name));
                self.context.report(problem.help("rename one"), joint.span);
            }
            if matches!(joint.kind, ReadKind::Free) && read.len() > 1 {
                let message = format!("body \"{body}\" has a free joint beside others");
                let problem = Problem::new("E0811", "", message).expected("a free joint alone");
                self.context.report(problem.help("MuJoCo refuses this too"), joint.span);
            }
            if matches!(joint.kind, ReadKind::Free) && parent != WORLD {
                let message = format!("body \"{body}\" has a free joint within another body");
                let problem =
                    Problem::new("E0812", "", message).expected("free joints in bodies of <worldbody>");
                self.context.report(problem.help("MuJoCo refuses this too"), joint.span);
            }
        }
        // A tendon rests where all springs do.
        let rests_apart = |joint: &ReadJoint| {
            self.has_ropes && matches!(&joint.kind, ReadKind::Single(axis) if axis.rest != 0.0)
        };
        let is_used = |joint: &ReadJoint| {
            self.keeps_coordinates || self.used.contains(joint.name.as_str()) || rests_apart(joint)
        };
        let combined =
            combine(&read, is_used).filter(|_| !self.context.options.split_joints || read.len() < 2);
        let hold = |reader: &mut Self,
                    read: &[ReadJoint],
                    combined: Combined,
                    parent: usize,
                    link: usize,
                    x_ab: &Pose| {
            let index = reader.robot.joints.len();
            for (joint, axis) in read.iter().zip(&combined.coordinates) {
                reader.joints.push(FileJoint {
                    name: joint.name.clone(),
                    attachments: joint.attachments.clone(),
                    kind: match joint.kind {
                        ReadKind::Single(_) => FileKind::Single,
                        ReadKind::Ball => FileKind::Ball,
                        ReadKind::Free => FileKind::Free,
                    },
                    joint: index,
                    coordinate: axis.map(|axis| (index, axis)),
                    reference: joint.reference,
                    range: joint.range,
                });
            }
            let names: Vec<&str> = read.iter().map(|j| j.name.as_str()).filter(|n| !n.is_empty()).collect();
            let name = if names.is_empty() { body.clone() } else { names.join("_") };
            let span = read.first().map_or(reader.robot.links[link].span, |j| j.span);
            let joint = combined.into_joint(name, span, parent, link, x_ab);
            reader.robot.holds.extend(read.iter().filter_map(|read| elastic(read, &joint)));
            reader.robot.joints.push(joint);
        };
        if let Some(combined) = combined {
            if read.len() > 1 {
                let kind = combined.kind.name();
                let text = format!("joints {} of one body became one {kind} joint", names(&read));
                self.context.choice(text, Some(read[0].span));
            }
            return hold(self, &read, combined, parent, link, x_ab);
        }
        let alone = |joint: &ReadJoint| {
            combine(std::slice::from_ref(joint), |_| false).expect("a joint alone is one of ours")
        };
        let (last, before) = read.split_last().expect("two joints or more");
        let mut carrier = parent;
        for (k, joint) in before.iter().enumerate() {
            let between = self.robot.links.len();
            let mut small = Link::new(format!("{body}_{}", k + 1), joint.span);
            small.fraction_of = Some(link);
            self.robot.links.push(small);
            let x = if k == 0 { *x_ab } else { Pose::identity() };
            hold(self, std::slice::from_ref(joint), alone(joint), carrier, between, &x);
            carrier = between;
        }
        self.context.choice(
            "bodies of a billionth of the mass stand between the joints of one body",
            Some(last.span),
        );
        hold(self, std::slice::from_ref(last), alone(last), carrier, link, &Pose::identity());
    }

    /// What <compiler> gives a body that has neither mass nor inertia is as far from its origin as `pos` says that this is from its
    /// parent's: MuJoCo's rule.
    fn bounded_part(&self, view: &View<'_>, name: &str) -> Part {
        let com = view.vector("pos", self.context).unwrap_or_else(Vec3::zeros);
        let solid = MassProperties { mass: 0.0, com, inertia: Mat3::zeros() };
        Part { solid, span: view.own().span, of: name.to_owned() }
    }

    /// MuJoCo refuses two geoms or two sites of one name: what names it could mean either.
    fn refuse_second(&mut self, kind: &'static str, element: &'a Element) {
        let named = element.attributes.iter().find(|a| a.name == "name");
        let Some((name, span)) = named.map(|a| (a.value.trim(), a.span)).filter(|named| !named.0.is_empty())
        else {
            return;
        };
        let first = *self.names.entry((kind, name)).or_insert(span);
        if first != span {
            let problem =
                Problem::new("E0806", "", format!("there are two {kind}s \"{name}\"")).help("rename one");
            self.context.findings.push(Finding::at(problem, span).related(first, "the first"));
        }
    }

    /// A site that a tendon runs over, an actuator acts on or an equality holds; the others only mark places.
    fn site(&mut self, element: &'a Element, inside: Inside<'a>) {
        self.refuse_second("site", element);
        let named = element.attributes.iter().find(|a| a.name == "name").map(|a| a.value.trim());
        let Some(name) = named.filter(|name| self.placed.contains(name)) else { return };
        let view = self.classes.view(element, inside.class, self.context);
        let pose = inside.frame.compose(&geom::placed(&view, self.compiler(element), self.context).pose);
        element.mark_attributes(SITE_ATTRIBUTES);
        self.sites.insert(name.to_owned(), (inside.link, pose));
    }

    fn geom(&mut self, element: &'a Element, inside: Inside<'a>) {
        self.refuse_second("geom", element);
        let view = self.classes.view(element, inside.class, self.context);
        let name = self.robot.links[inside.link].name.clone();
        let place = Place {
            frame: &inside.frame,
            body: &name,
            link: inside.link,
            paired: &self.paired,
            is_static: inside.is_static,
            has_mass: inside.has_mass,
        };
        let Some(read) = geom::read(&view, &place, self.compiler(element), self.meshes, self.context) else {
            return;
        };
        let link = &mut self.robot.links[inside.link];
        link.shapes.extend(read.shape);
        link.parts.extend(read.solid.map(|solid| Part { solid, span: element.span, of: name }));
    }

    /// Mass, centre and inertia as the file states them. The outer `None` never comes: an error stands for mass.
    fn inertial(&self, element: &'a Element, link: usize) -> Option<Part> {
        let context = self.context;
        let view = self.classes.view(element, None, context);
        let frame = orientation::pose(&view, self.compiler(element), context);
        let name = &self.robot.links[link].name;
        element.required_text("pos", context);
        let mass = element.required_number("mass", context).unwrap_or(1.0);
        let full = element
            .numbers_in("fullinertia", 6..=6, context)
            .map(|v| tensor([v[0], v[1], v[2], v[3], v[4], v[5]]));
        let diagonal = element.vector("diaginertia", context).map(|v: Vec3| Mat3::from_diagonal(&v));
        if full.is_none()
            && diagonal.is_none()
            && !element.attributes.iter().any(|a| a.name.ends_with("inertia"))
        {
            let problem = Problem::new("E0804", "", format!("<inertial> of \"{name}\" has no inertia"))
                .expected("diaginertia=\"ixx iyy izz\" or fullinertia=\"ixx iyy izz ixy ixz iyz\"");
            context.report(problem, element.span);
        }
        let inertia = full.or(diagonal).unwrap_or_else(Mat3::identity);
        let span = element.place("mass");
        if mass < 0.0 {
            solid(mass, inertia, &frame, name, span, context);
        }
        let solid: Option<MassProperties> = solid(mass.abs(), inertia, &frame, name, span, context);
        solid.map(|solid| Part { solid, span: element.span, of: name.clone() })
    }
}
