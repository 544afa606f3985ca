//! A robot as the text of a model file: TOML 1.0, numbers in SI, angles with their unit.

use std::fmt::Write;
use std::path::Path;

use carom_math::{Mat3, Pose, Quaternion, Vec3};

use super::axis_writer;
use super::context::{Context, Note, NoteKind, line_of};
use super::drive_writer;
use super::law_writer;
use super::link_contacts::LinkContact;
use super::mass::total;
use super::mesh;
use super::names::Names;
use super::robot::{
    Axis, ConstraintKind, Geometry, Held, Joint, JointKind, Link, LinkShape, Motion, Robot, Term, WORLD,
};
use super::scene::{Floor, FloorContact};
use super::touch::Grip;
use crate::diagnostic::Diagnostic;

/// Body for shapes of the world itself.
const SCENE: &str = "scene";

/// Names in the model file, by index.
#[derive(Default)]
struct Book {
    links: Vec<String>,
    shapes: Vec<Vec<String>>,
    joints: Vec<String>,
    /// Of the free joints of free links, by link.
    carriers: Vec<String>,
    actuators: Vec<String>,
    ropes: Vec<String>,
    holds: Vec<String>,
    /// Of force and torque.
    loads: Vec<[String; 2]>,
    constraints: Vec<String>,
}

/// Everything that the text shows.
pub(super) struct Scene<'a> {
    pub(super) robot: &'a Robot,
    pub(super) floors: &'a [Floor],
    pub(super) contacts: &'a [FloorContact],
    pub(super) link_contacts: &'a [LinkContact],
    /// Folder where the paths of meshes start.
    pub(super) folder: &'a Path,
}

/// The model file without the comments above it.
pub(super) fn write(scene: &Scene<'_>, context: &Context<'_>) -> String {
    let book = name_all(scene.robot, context);
    let mut out = String::new();
    head(&mut out, scene);
    let grips = law_writer::grips(scene);
    law_writer::write(&mut out, &grips);
    floors(&mut out, scene);
    for (k, link) in scene.robot.links.iter().enumerate() {
        body(&mut out, scene, &book, k, link);
    }
    for (k, joint) in scene.robot.joints.iter().enumerate() {
        write_joint(&mut out, &book, &book.joints[k], joint);
    }
    for (link, name) in scene.robot.links.iter().zip(&book.carriers) {
        if let Some(joint) = carrier_of(link) {
            write_joint(&mut out, &book, name, joint);
        }
    }
    for (actuator, name) in scene.robot.actuators.iter().zip(&book.actuators) {
        drive_writer::write(&mut out, name, actuator, scene.robot, &book.joints);
    }
    for (rope, name) in scene.robot.ropes.iter().zip(&book.ropes) {
        drive_writer::write_rope(&mut out, name, rope, &book.links);
    }
    for (hold, name) in scene.robot.holds.iter().zip(&book.holds) {
        drive_writer::write_hold(&mut out, name, hold, &book.links);
    }
    for (load, names) in scene.robot.loads.iter().zip(&book.loads) {
        drive_writer::write_load(&mut out, names, load, &book.links);
    }
    constraints(&mut out, scene, &book);
    contacts(&mut out, scene, &book, &grips);
    out
}

/// Notes and warnings as comments, to stand above the model.
pub(super) fn notes_as_comments(
    notes: &[Note],
    problems: &[Diagnostic],
    source: &str,
    format: &str,
) -> String {
    let mut out = format!("# Imported from {source} ({format}). Numbers are in SI units.\n");
    let mut list = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let _ = writeln!(out, "#\n# {title}");
        }
        for line in lines {
            let _ = writeln!(out, "#   {}", comment(&line));
        }
    };
    let of_kind = |kind| notes.iter().filter(|n| n.kind == kind).map(Note::to_string).collect();
    let warning = |d: &Diagnostic| format!("{}{}", d.problem.message, line_of(d.location.as_ref()));
    list("Choices:", of_kind(NoteKind::Choice));
    list("Not taken over:", problems.iter().map(warning).collect());
    list("Not taken over, without effect on the motion:", of_kind(NoteKind::LeftOut));
    out.push('\n');
    out
}

/// Text within a comment: control characters would end it.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn name_all(robot: &Robot, context: &Context<'_>) -> Book {
    let mut bodies = Names::reserving(&["world", "floor"]);
    let mut joints = Names::default();
    let mut constraints = Names::default();
    let pick = |names: &mut Names, wanted: &str, what: &str, span| {
        let name = names.pick(wanted, what);
        if name != wanted && !wanted.is_empty() {
            context.choice(format!("{what} \"{wanted}\" is named \"{name}\""), span);
        }
        name
    };
    let mut book = Book::default();
    for (k, link) in robot.links.iter().enumerate() {
        let used = link.held != Held::Merged;
        let name = match k {
            WORLD if link.shapes.is_empty() => "world".to_owned(),
            WORLD => bodies.pick(SCENE, SCENE),
            _ if used => pick(&mut bodies, &link.name, "body", Some(link.span)),
            _ => String::new(),
        };
        let mut own = Names::reserving(&["rot", "at"]);
        book.shapes.push(link.shapes.iter().map(|s| own.pick(&s.name, "shape")).collect());
        book.links.push(name);
    }
    for joint in &robot.joints {
        book.joints.push(pick(&mut joints, &joint.name, "joint", Some(joint.span)));
    }
    for link in &robot.links {
        let name = carrier_of(link).map(|joint| pick(&mut joints, &joint.name, "joint", Some(joint.span)));
        book.carriers.push(name.unwrap_or_default());
    }
    let mut forces = Names::default();
    for actuator in &robot.actuators {
        book.actuators.push(pick(&mut forces, &actuator.name, "actuator", Some(actuator.span)));
    }
    for rope in &robot.ropes {
        book.ropes.push(pick(&mut forces, &rope.name, "tendon", Some(rope.span)));
    }
    for hold in &robot.holds {
        book.holds.push(pick(&mut forces, &hold.name, "bushing", Some(hold.span)));
    }
    for load in &robot.loads {
        let [has_force, has_torque] = [load.force, load.torque].map(|own| own.amax() > 0.0);
        let torque = if has_force { format!("{}_torque", load.name) } else { load.name.clone() };
        let mut name = |has_one: bool, wanted: &str| {
            if has_one { pick(&mut forces, wanted, "force", Some(load.span)) } else { String::new() }
        };
        book.loads.push([name(has_force, &load.name), name(has_torque, &torque)]);
    }
    for constraint in &robot.constraints {
        book.constraints.push(pick(&mut constraints, &constraint.name, "constraint", None));
    }
    book
}

fn head(out: &mut String, scene: &Scene<'_>) {
    let robot = scene.robot;
    let _ = write!(
        out,
        "format = 1\nname = {}\n# Links overlap at their joints.\nallow = [\"W0420\"]\n\n",
        quoted(&robot.name)
    );
    let _ = write!(out, "[world]\ngravity = {}\n\n", vector(&robot.gravity));
    out.push_str("[solver]\nrtol = 1.5e-5\nt_end = \"2 s\"\n\n[output]\nevery = \"10 ms\"\n");
}

fn floors(out: &mut String, scene: &Scene<'_>) {
    for floor in scene.floors.iter().filter(|f| f.shape.is_none()) {
        out.push_str("\n[body.floor]\nfixed = true\n");
        if floor.height != 0.0 {
            let _ = writeln!(out, "pos = [0, 0, {}]", number(floor.height));
        }
        out.push_str("shape = { type = \"half-space\", normal = \"+z\" }\n");
    }
}

fn body(out: &mut String, scene: &Scene<'_>, book: &Book, k: usize, link: &Link) {
    if link.held == Held::Merged || (k == WORLD && link.shapes.is_empty()) {
        return;
    }
    let _ = writeln!(out, "\n[body.{}]", book.links[k]);
    for (name, pose) in &link.frames {
        let at = pose_keys(pose, "at").join(", ");
        let _ = writeln!(
            out,
            "# with {}{}",
            comment(name),
            if at.is_empty() { String::new() } else { format!(": {at}") }
        );
    }
    if link.held == Held::Fixed {
        out.push_str("fixed = true\n");
    } else {
        let solid = total(link);
        let _ = writeln!(out, "mass = {}", number(solid.mass));
        if solid.com.amax() > TINY {
            let _ = writeln!(out, "com = {}", vector(&solid.com));
        }
        let _ = writeln!(out, "inertia = {}", inertia(&solid.inertia));
    }
    if link.held != Held::Joint {
        for key in pose_keys(&link.pose, "pos") {
            let _ = writeln!(out, "{key}");
        }
    }
    for (key, rate) in [("vel", link.velocity), ("omega", link.angular_velocity)] {
        if rate.amax() > 0.0 {
            let _ = writeln!(out, "{key} = {}", vector(&rate));
        }
    }
    let is_single = has_single_shape(link);
    for (shape, name) in link.shapes.iter().zip(&book.shapes[k]) {
        let key = if is_single { "shape".to_owned() } else { format!("shape.{name}") };
        let _ = writeln!(out, "{key} = {{ {} }}", shape_keys(shape, scene.folder).join(", "));
    }
}

/// A single shape needs no name of its own.
fn has_single_shape(link: &Link) -> bool {
    link.shapes.len() == 1 && link.frames.is_empty()
}

fn shape_keys(shape: &LinkShape, folder: &Path) -> Vec<String> {
    let mut keys = match &shape.geometry {
        Geometry::Sphere { radius } => {
            vec!["type = \"sphere\"".to_owned(), format!("radius = {}", number(*radius + shape.margin))]
        }
        Geometry::Box { size } => vec!["type = \"box\"".to_owned(), format!("size = {}", vector(size))],
        Geometry::Cylinder { radius, length } => round("cylinder", *radius, *length),
        Geometry::Capsule { radius, length } => round("capsule", *radius + shape.margin, *length),
        Geometry::HalfSpace => vec!["type = \"half-space\"".to_owned(), "normal = \"+z\"".to_owned()],
        Geometry::Ellipsoid { semi_axes } => {
            vec!["type = \"ellipsoid\"".to_owned(), format!("semi_axes = {}", vector(semi_axes))]
        }
        Geometry::Hull { points } => {
            let points: Vec<String> = points.iter().map(vector).collect();
            vec!["type = \"hull\"".to_owned(), format!("points = [{}]", points.join(", "))]
        }
        Geometry::Mesh { file, scale, hull, .. } => {
            let (kind, file) =
                (if hull.is_some() { "hull" } else { "mesh" }, quoted(&mesh::relative(file, folder)));
            let mut keys =
                vec![format!("type = \"{kind}\""), format!("file = {file}"), "unit = \"m\"".to_owned()];
            if *scale != 1.0 {
                keys.push(format!("scale = {}", number(*scale)));
            }
            if hull.is_none() {
                keys.push("open = true".to_owned());
            }
            keys
        }
    };
    if shape.margin > 0.0 && shape.is_rounded_by_margin() {
        keys.push(format!("rounding = {}", number(shape.margin)));
    }
    let mut pose = shape.pose;
    if shape.geometry == Geometry::HalfSpace {
        pose.translation += shape.margin * pose.rotation.column(2);
    }
    keys.extend(pose_keys(&pose, "at"));
    keys
}

fn round(kind: &str, radius: f64, length: f64) -> Vec<String> {
    vec![
        format!("type = \"{kind}\""),
        "axis = \"z\"".to_owned(),
        format!("radius = {}", number(radius)),
        format!("length = {}", number(length)),
    ]
}

/// The free joint that a link hangs on which is free still.
fn carrier_of(link: &Link) -> Option<&Joint> {
    link.carrier.as_ref().filter(|_| link.held == Held::Free)
}

fn write_joint(out: &mut String, book: &Book, name: &str, joint: &Joint) {
    let _ = writeln!(out, "\n[joint.{name}]\ntype = \"{}\"", joint.kind.name());
    if joint.cut {
        out.push_str("cut = true\n");
    }
    for (key, link, frame) in [("a", joint.a, &joint.frame_a), ("b", joint.b, &joint.frame_b)] {
        let body = if link == WORLD { "world" } else { &book.links[link] };
        let keys: Vec<String> =
            [format!("body = {}", quoted(body))].into_iter().chain(pose_keys(frame, "at")).collect();
        let _ = writeln!(out, "{key} = {{ {} }}", keys.join(", "));
    }
    match joint.kind {
        JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical => {
            let _ = writeln!(out, "axis = {}", vector(&joint.axes[0].direction));
        }
        JointKind::Threaded => {
            let axis = &joint.axes[0];
            let _ = writeln!(out, "axis = {}\nlead = {}", vector(&axis.direction), number(axis.lead));
        }
        JointKind::Universal => {
            let axes: Vec<String> = joint.axes.iter().map(|a| vector(&a.direction)).collect();
            let _ = writeln!(out, "axes = [{}]", axes.join(", "));
        }
        JointKind::Fixed | JointKind::Planar | JointKind::Spherical | JointKind::Free => {}
    }
    axis_writer::write_all(out, joint);
    if let Some(turn) = &joint.start_turn {
        let parts: Vec<String> = [turn.w, turn.x, turn.y, turn.z].iter().map(|c| number(*c)).collect();
        let _ = writeln!(out, "position = [{}]", parts.join(", "));
    }
    if joint.axes.iter().any(|a| a.speed != 0.0) {
        let speeds: Vec<String> = joint.axes.iter().map(|a| number(a.speed)).collect();
        let _ = match speeds.as_slice() {
            [one] => writeln!(out, "velocity = {one}"),
            several => writeln!(out, "velocity = [{}]", several.join(", ")),
        };
    }
    if let Some(spin) = joint.start_spin.filter(|spin| spin.amax() > 0.0) {
        let _ = writeln!(out, "velocity = {}", vector(&spin));
    }
    if joint.axes.iter().any(|a| a.start != 0.0) {
        let starts: Vec<String> = joint.axes.iter().map(|a| coordinate(a, a.start)).collect();
        let _ = writeln!(
            out,
            "position = {}",
            if starts.len() == 1 { starts[0].clone() } else { format!("[{}]", starts.join(", ")) }
        );
    }
}

fn constraints(out: &mut String, scene: &Scene<'_>, book: &Book) {
    for (k, constraint) in scene.robot.constraints.iter().enumerate() {
        let _ = writeln!(out, "\n[constraint.{}]", book.constraints[k]);
        match &constraint.kind {
            ConstraintKind::Coupling { terms, offset } => {
                let axis = |t: &Term| &scene.robot.joints[t.joint].axes[t.axis];
                // Where angles meet lengths, factors and offset are plain numbers.
                let is_mixed = terms.iter().any(|t| axis(t).motion != axis(&terms[0]).motion);
                let offset = if is_mixed { number(*offset) } else { coordinate(axis(&terms[0]), *offset) };
                let terms = drive_writer::terms(terms, scene.robot, &book.joints);
                let _ = write!(out, "type = \"coupling\"\nterms = {terms}\noffset = {offset}\n");
            }
            ConstraintKind::Point { a, b } => {
                out.push_str("type = \"point\"\n");
                for (key, (link, at)) in [("a", a), ("b", b)] {
                    let body = if *link == WORLD { "world" } else { &book.links[*link] };
                    let _ = writeln!(out, "{key} = {{ body = {}, at = {} }}", quoted(body), vector(at));
                }
            }
        }
    }
}

fn contacts(out: &mut String, scene: &Scene<'_>, book: &Book, grips: &[Grip]) {
    if scene.contacts.is_empty() && scene.link_contacts.is_empty() {
        return;
    }
    out.push_str("\n[contact]\n");
    let path = |link: usize, shape: usize| {
        let body = &book.links[link];
        if has_single_shape(&scene.robot.links[link]) {
            body.clone()
        } else {
            format!("{body}.{}", book.shapes[link][shape])
        }
    };
    let mut names = Names::default();
    for contact in scene.contacts {
        let floor = match scene.floors[contact.floor].shape {
            Some((link, shape)) => path(link, shape),
            None => "floor".to_owned(),
        };
        let b = path(contact.link, contact.shape);
        let shape = &scene.robot.links[contact.link].shapes[contact.shape];
        let is_searched = shape.margin > 0.0 && shape.is_rounded_by_margin()
            || matches!(
                shape.geometry,
                Geometry::Ellipsoid { .. } | Geometry::Mesh { .. } | Geometry::Hull { .. }
            );
        let method = if is_searched { "convex" } else { "analytic" };
        let _ = writeln!(
            out,
            "{} = {{ a = {}, b = {}, method = \"{method}\", law = {} }}",
            names.pick(&b, "contact"),
            quoted(&floor),
            quoted(&b),
            quoted(&law_writer::name(grips, &contact.grip))
        );
    }
    for grip in grips {
        let own = scene.link_contacts.iter().filter(|c| c.grip == *grip);
        let pairs: Vec<String> = own
            .map(|c| format!("[{}, {}]", quoted(&path(c.a.0, c.a.1)), quoted(&path(c.b.0, c.b.1))))
            .collect();
        if !pairs.is_empty() {
            let law = quoted(&law_writer::name(grips, grip));
            let name = names.pick("links", "links");
            let _ = writeln!(
                out,
                "{name} = {{ method = \"auto\", law = {law}, pairs = [\n    {}\n] }}",
                pairs.join(",\n    ")
            );
        }
    }
}

/// Below this, positions (m) and components of unit vectors are rounding.
const TINY: f64 = 1e-15;

/// `at` and `rot` of a frame, as far as they are not zero.
pub(super) fn pose_keys(pose: &Pose, at: &str) -> Vec<String> {
    let mut keys = Vec::new();
    if pose.translation.amax() > TINY {
        keys.push(format!("{at} = {}", vector(&pose.translation)));
    }
    let q = Quaternion::from_matrix(&pose.rotation);
    if Vec3::new(q.x, q.y, q.z).amax() > TINY {
        let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
        let parts: Vec<String> = [q.w, q.x, q.y, q.z].iter().map(|c| number(clean(sign * c, TINY))).collect();
        keys.push(format!("rot = {{ quat = [{}] }}", parts.join(", ")));
    }
    keys
}

/// Coordinate of a joint with its unit.
pub(super) fn coordinate(axis: &Axis, q: f64) -> String {
    match axis.motion {
        Motion::Turn if q != 0.0 => format!("\"{} rad\"", number(q)),
        _ => number(q),
    }
}

fn inertia(i: &Mat3) -> String {
    let noise = 1e-16 * i.amax();
    let parts = [i[(0, 0)], i[(1, 1)], i[(2, 2)], i[(0, 1)], i[(0, 2)], i[(1, 2)]];
    format!("[{}]", parts.iter().map(|x| number(clean(*x, noise))).collect::<Vec<_>>().join(", "))
}

pub(super) fn vector(v: &Vec3) -> String {
    format!(
        "[{}]",
        v.iter().map(|x| number(clean(*x, TINY * v.amax().min(1.0)))).collect::<Vec<_>>().join(", ")
    )
}

fn clean(x: f64, noise: f64) -> f64 {
    if x.abs() <= noise { 0.0 } else { x }
}

/// Shortest decimal that is this number.
pub(super) fn number(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{x:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Basic string of TOML.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
