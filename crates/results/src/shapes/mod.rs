//! Shapes of a run's bodies as triangles, for pictures of it: file `shapes.bin` of the run folder.
//!
//! Surfaces in areal contact have the triangles of that contact in their order, so that `element` of the table of
//! elements is an index into them. All others are drawn from as many as a picture needs.

mod file;
mod links;
mod make;
mod tube;

use std::sync::Arc;

use carom_geometry::TriangleMesh;
use serde::{Deserialize, Serialize};

use crate::Scene;

pub use file::write_shapes;
pub(crate) use file::{from_bytes, read, to_bytes};

/// Surfaces of the bodies of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Shapes {
    /// Gravity in world axes (m/s²).
    pub gravity: [f64; 3],
    /// Triangle surfaces; equal ones are one.
    pub meshes: Vec<Arc<TriangleMesh>>,
    /// Surfaces, body by body, in the order of the model.
    pub surfaces: Vec<Surface>,
    /// Centre of mass of each body, in its frame (m).
    pub centres: Vec<[f64; 3]>,
    /// Joints, and what acts along lines.
    pub links: Vec<Link>,
}

/// A surface on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Path, such as `table.cloth`; the body's path if it has one unnamed shape.
    pub name: String,
    /// Index into the bodies of the scene.
    pub body: usize,
    /// Origin of the shape's frame in the body's frame (m).
    pub position: [f64; 3],
    /// Orientation of the shape's frame in the body's: a unit quaternion, scalar part first.
    pub orientation: [f64; 4],
    /// Its triangles.
    pub form: Form,
    /// A contact line names it: else it is for drawing alone.
    pub touches: bool,
    /// It is in areal contact, which has these very triangles.
    pub areal: bool,
}

/// A joint, force element or constraint that takes hold at points of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Path, such as `leg[2].knee`.
    pub name: String,
    /// What it is, to a picture.
    pub kind: LinkKind,
    /// Where it takes hold, one after the other: bodies and points in their frames (m).
    pub points: Vec<(usize, [f64; 3])>,
    /// Axis of a joint in the frame of its first body, if it has one.
    pub axis: Option<[f64; 3]>,
}

/// What a link is, to a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// Joint, at its first point.
    Joint,
    /// Spring and damper between two points.
    Spring,
    /// Cable over all points.
    Cable,
    /// Rod without mass between two points.
    Rod,
}

/// What a surface is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Triangles: index into [`Shapes::meshes`].
    Mesh(usize),
    /// The plane z = 0 of its frame, solid below.
    HalfSpace,
}

impl Shapes {
    /// Are they of bodies that this scene has?
    fn fits(&self, scene: &Scene) -> bool {
        let bodies = scene.bodies.len();
        self.centres.len() == bodies
            && self.surfaces.iter().all(|surface| surface.body < bodies)
            && self.links.iter().all(|link| link.points.iter().all(|(body, _)| *body < bodies))
    }
}
