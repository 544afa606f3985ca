//! The scene of a run with its motion as one binary glTF file, for Blender, three.js and others.
//!
//! Metres and seconds. glTF's y axis is up: a node at the root turns the world so that its axes stay what they are in the tables
//! below it. Contact forces are arrows that change at output times.

mod document;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use carom_geometry::surface::{Resolution, cylinder, sphere};
use carom_math::{Quaternion, Vec3};

use super::Stage;
use super::draw::round_up;
use super::solid::Solid;
use crate::palette::{self, Colour};
use document::{Between, Document, Place};

/// How much of a clear body is seen.
const CLEAR: f64 = 0.3;
/// Triangles of a bar and of a joint's ball.
const FACETS: usize = 48;
/// Half the thickness of bars, of joints' balls and of arrows, in parts of the scene's size.
const BAR: f64 = 0.003;
const BALL: f64 = 0.008;
const ARROW: f64 = 0.003;
/// Length of the longest arrow, likewise.
const LONGEST: f64 = 0.25;
/// Half the side of the square that stands for a half-space, likewise.
const GROUND: f64 = 1.0;
/// Arrows of normal forces at most, and of friction.
const MOST_ARROWS: usize = 64;

/// The file, and what was left out in sentences.
pub fn glb(stage: &Stage) -> (Vec<u8>, Vec<String>) {
    let mut scene = Scene::new(stage);
    let mut children: Vec<usize> = (0..stage.bodies.len()).map(|body| scene.put_body(body)).collect();
    children.extend(scene.put_lines());
    children.extend(scene.put_arrows());
    let upright = Quaternion::between(&stage.up, &Vec3::y());
    let root = scene.document.node("world", Place::new(Vec3::zeros(), upright), None, children);
    (scene.document.into_bytes(&stage.name, root), scene.notes)
}

struct Scene<'a> {
    stage: &'a Stage,
    document: Document,
    /// Accessor of the output times.
    times: usize,
    /// Diagonal of what the motion takes (m).
    size: f64,
    /// Middle of it.
    middle: Vec3,
    materials: HashMap<(Colour, bool), usize>,
    meshes: HashMap<(Form, usize), usize>,
    notes: Vec<String>,
}

/// What triangles a mesh of the document has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Solid(usize),
    /// A square in z = 0.
    Ground,
    /// Along z from 0 to 1, of radius 1.
    Bar,
    /// Of radius 1.
    Ball,
}

impl<'a> Scene<'a> {
    fn new(stage: &'a Stage) -> Self {
        let extent = stage.extent();
        let count = extent.points.len().max(1) as f64;
        let mut document = Document::default();
        Self {
            times: document.times(stage.times()),
            document,
            size: extent.size,
            middle: extent.points.iter().sum::<Vec3>() / count,
            stage,
            materials: HashMap::new(),
            meshes: HashMap::new(),
            notes: Vec::new(),
        }
    }

    /// A body with its surfaces, or with bars to where something takes hold of it, and the joints that begin on it.
    fn put_body(&mut self, body: usize) -> usize {
        let stage = self.stage;
        let colour = stage.colour(body);
        let clear = stage.is_clear(body);
        let mut children = Vec::new();
        for surface in stage.surfaces.iter().filter(|surface| surface.body == body) {
            let pose = surface.pose();
            let place = Place::new(pose.translation, Quaternion::from_matrix(&pose.rotation));
            let (form, place) = match surface.mesh {
                Some(mesh) => (Form::Solid(mesh), place),
                None => (Form::Ground, self.ground(body, place)),
            };
            let mesh = self.mesh(form, colour, clear || surface.mesh.is_none());
            children.push(self.document.node(&surface.name, place, Some(mesh), Vec::new()));
        }
        if children.is_empty() && !stage.bodies[body].fixed {
            let centre = stage.centre(body);
            for end in stage.attachments(body) {
                children.push(self.bar("bar", centre, end, 2.0 * BAR * self.size, colour));
            }
            children.push(self.ball("centre of mass", centre, 2.0 * BALL * self.size, colour));
        }
        for link in stage.links.iter().filter(|link| link.kind == "joint") {
            let Some(first) = link.points.first().filter(|first| first.body == body) else { continue };
            let at = Vec3::from(first.at_m);
            children.push(self.ball("joint", at, BALL * self.size, palette::JOINT));
            if let Some(axis) = link.axis {
                let half = 0.03 * self.size * Vec3::from(axis).normalize();
                children.push(self.bar("axis", at - half, at + half, BAR * self.size, palette::JOINT));
            }
        }
        let places = self.places(body);
        let node = self.document.node(&stage.bodies[body].name, places[0], None, children);
        if stage.bodies[body].moves {
            self.document.animate(node, self.times, &places, Between::Linear, false);
        }
        node
    }

    /// Of a body at the output times. Where it is nowhere it stays where it was.
    fn places(&self, body: usize) -> Vec<Place> {
        let mut last = Place::new(Vec3::zeros(), Quaternion::IDENTITY);
        let mut place = |time: &f64| {
            if let Some(pose) = self.stage.pose(body, *time) {
                last = Place::new(pose.translation, Quaternion::from_matrix(&pose.rotation));
            }
            last
        };
        let times = self.stage.times();
        let count = if self.stage.bodies[body].moves { times.len() } else { 1 };
        times[..count].iter().map(&mut place).collect()
    }

    /// Place of the square for a half-space: beside the middle of the motion as the body is at the start.
    fn ground(&self, body: usize, place: Place) -> Place {
        let middle = match self.stage.pose(body, self.stage.times()[0]) {
            Some(pose) => pose.inverse_transform_point(&self.middle),
            None => Vec3::zeros(),
        };
        let normal = place.rotation.to_matrix().column(2).into_owned();
        let foot = middle - normal.dot(&(middle - place.translation)) * normal;
        let scale = Vec3::repeat(round_up(GROUND * self.size));
        Place { translation: foot, scale, ..place }
    }

    /// Springs, cables and rods, which go from body to body.
    fn put_lines(&mut self) -> Vec<usize> {
        let stage = self.stage;
        let mut nodes = Vec::new();
        for link in stage.links.iter().filter(|link| link.kind != "joint") {
            let colour = palette::of_line(&link.kind);
            for ends in link.points.windows(2) {
                let at = |time: f64, end: usize| {
                    let point = Vec3::from(ends[end].at_m);
                    stage.pose(ends[end].body, time).map_or(point, |pose| pose.transform_point(&point))
                };
                let radius = BAR * self.size;
                let place = |time: &f64| Place::of_bar(at(*time, 0), at(*time, 1), radius);
                let places: Vec<Place> = stage.times().iter().map(place).collect();
                let mesh = self.mesh(Form::Bar, colour, false);
                let node = self.document.node(&link.kind, places[0], Some(mesh), Vec::new());
                self.document.animate(node, self.times, &places, Between::Linear, true);
                nodes.push(node);
            }
        }
        nodes
    }

    /// Normal forces and friction of the contacts: as many arrows as there are at one time, without length where not needed.
    fn put_arrows(&mut self) -> Vec<usize> {
        let stage = self.stage;
        let frames = 0..stage.times().len();
        let most = frames.clone().map(|frame| stage.forces(frame).count()).max().unwrap_or(0);
        let greatest = frames.clone().map(|frame| stage.greatest_force(frame)).fold(0.0, f64::max);
        if most > MOST_ARROWS {
            let note = format!("Of {most} contacts at one time {MOST_ARROWS} have arrows of their forces.");
            self.notes.push(note);
        }
        if greatest == 0.0 {
            return Vec::new();
        }
        let metres_per_newton = LONGEST * self.size / greatest;
        self.notes.push(format!("The longest arrow is a force of {greatest:.3e} N."));
        let kinds = [("normal force", palette::NORMAL), ("friction", palette::TANGENTIAL)];
        let mut nodes = Vec::new();
        for (kind, (name, colour)) in kinds.into_iter().enumerate() {
            for slot in 0..most.min(MOST_ARROWS) {
                let place = |frame: usize| match stage.forces(frame).nth(slot) {
                    Some(force) => {
                        let vector = metres_per_newton * [force.normal, force.tangential][kind];
                        let radius = if vector.norm() > 0.0 { ARROW * self.size } else { 0.0 };
                        Place::of_bar(force.point, force.point + vector, radius)
                    }
                    None => Place::of_bar(Vec3::zeros(), Vec3::zeros(), 0.0),
                };
                let places: Vec<Place> = frames.clone().map(place).collect();
                if places.iter().all(|place| place.scale.z == 0.0) {
                    continue;
                }
                let mesh = self.mesh(Form::Bar, colour, false);
                let node = self.document.node(name, places[0], Some(mesh), Vec::new());
                self.document.animate(node, self.times, &places, Between::Step, true);
                nodes.push(node);
            }
        }
        nodes
    }

    fn bar(&mut self, name: &str, from: Vec3, to: Vec3, radius: f64, colour: Colour) -> usize {
        let mesh = self.mesh(Form::Bar, colour, false);
        self.document.node(name, Place::of_bar(from, to, radius), Some(mesh), Vec::new())
    }

    fn ball(&mut self, name: &str, at: Vec3, radius: f64, colour: Colour) -> usize {
        let mesh = self.mesh(Form::Ball, colour, false);
        let place = Place { scale: Vec3::repeat(radius), ..Place::new(at, Quaternion::IDENTITY) };
        self.document.node(name, place, Some(mesh), Vec::new())
    }

    /// Triangles in a colour: the same are one mesh.
    fn mesh(&mut self, form: Form, colour: Colour, clear: bool) -> usize {
        let document = &mut self.document;
        let material = *self.materials.entry((colour, clear)).or_insert_with(|| {
            document.material(&colour.hex(), colour.rgb(), if clear { CLEAR } else { 1.0 })
        });
        let stage = self.stage;
        *self.meshes.entry((form, material)).or_insert_with(|| match form {
            Form::Solid(mesh) => put_solid(document, &stage.solids[mesh], material),
            Form::Ground => put_solid(document, &square(), material),
            Form::Bar => put_solid(document, &bar(), material),
            Form::Ball => put_solid(document, &ball(), material),
        })
    }
}

fn square() -> Solid {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    Solid::new(corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(), vec![[0, 1, 2], [0, 2, 3]])
}

fn bar() -> Solid {
    let mesh = cylinder(1.0, 0.5, Resolution::Facets(FACETS));
    let mesh = mesh.unwrap_or_else(|fault| unreachable!("a unit cylinder has triangles: {fault}"));
    let vertices = mesh.vertices.iter().map(|v| v + Vec3::new(0.0, 0.0, 0.5)).collect();
    Solid::new(vertices, mesh.triangles)
}

fn ball() -> Solid {
    let mesh = sphere(1.0, Resolution::Facets(FACETS));
    let mesh = mesh.unwrap_or_else(|fault| unreachable!("a unit sphere has triangles: {fault}"));
    Solid::new(mesh.vertices, mesh.triangles)
}

/// Vertices are those of the solid once for each normal that they have.
fn put_solid(document: &mut Document, solid: &Solid, material: usize) -> usize {
    let (mut vertices, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    let mut known: HashMap<[u64; 6], u32> = HashMap::new();
    for (corners, own) in solid.faces() {
        triangles.push(std::array::from_fn(|k| {
            let (p, n) = (corners[k], own[k]);
            *known.entry([p.x, p.y, p.z, n.x, n.y, n.z].map(f64::to_bits)).or_insert_with(|| {
                vertices.push(p);
                normals.push(n);
                vertices.len() as u32 - 1
            })
        }));
    }
    document.mesh(&vertices, &normals, &triangles, material)
}
