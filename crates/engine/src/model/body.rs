use std::sync::Arc;

use carom_geometry::shape::ShapeFault;
use carom_geometry::surface::{Round, tessellate};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::law::ContactRadius;

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Path, such as `rack[3].ball`.
    pub name: String,
    /// Does not move; mass, inertia and velocities are not used.
    pub fixed: bool,
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass in the body's frame (m).
    pub com: Vec3,
    /// Inertia about the centre of mass, in body axes (kg m²).
    pub inertia: Mat3,
    /// Position of the body frame's origin in the world (m).
    pub position: Vec3,
    /// Orientation `R_WB`, of unit length.
    pub orientation: Quaternion,
    /// The pose is the file's word, rather than a default that a joint may replace.
    pub pose_stated: bool,
    /// Velocity of the body frame's origin, in world axes (m/s).
    pub velocity: Vec3,
    /// Angular velocity in world axes (rad/s).
    pub angular_velocity: Vec3,
    /// The velocities are the file's word.
    pub velocity_stated: bool,
    /// Surfaces, for contact and for drawing.
    pub shapes: Vec<BodyShape>,
}

/// A shape on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyShape {
    /// Path, such as `table.cloth`; the body's path if it has one unnamed shape.
    pub name: String,
    /// Pose of the shape's frame in the body's frame.
    pub pose: Pose,
    /// Geometry.
    pub shape: Shape,
    /// Index into [`crate::Model::materials`].
    pub material: Option<usize>,
    /// In place of the shape's own, for the law `elastic-response`.
    pub contact_radius: Option<ContactRadius>,
    /// Number of triangles, about, when the shape is in areal contact.
    pub facets: usize,
    /// Its triangles are moved out so far that they are on the surface in the mean ([`Round::balance`]), where its form is known.
    pub balanced: bool,
    /// Surface that a mesh stands for, where the program has made it.
    pub round: Option<Round>,
}

impl BodyShape {
    /// Triangles of a shape whose model does not say.
    pub const FACETS: usize = 2000;

    /// The surface that its triangles stand for, if that is known.
    pub fn round(&self) -> Option<Round> {
        self.round.or_else(|| Round::of_shape(&self.shape))
    }

    /// What it is as triangles, in its own frame; `None` if it has none, and of meshes, which are triangles.
    pub fn triangles(&self) -> Option<Result<TriangleMesh, ShapeFault>> {
        let mut mesh = tessellate(&self.shape, self.facets)?;
        if let (true, Ok(mesh), Some(round)) = (self.balanced, &mut mesh, self.round()) {
            round.balance(mesh);
        }
        Some(mesh)
    }

    /// Has another shape the same triangles, each in its own frame? Meshes are the same if they are one.
    pub(crate) fn has_triangles_of(&self, other: &Self) -> bool {
        let is_same = match (&self.shape, &other.shape) {
            (Shape::Mesh(own), Shape::Mesh(others)) => Arc::ptr_eq(own, others),
            (own, others) => own == others,
        };
        is_same && (self.facets, self.balanced, self.round) == (other.facets, other.balanced, other.round)
    }

    /// Radius about the origin of its frame that encloses it (m), as triangles if it is to be cut into some.
    pub(crate) fn enclosing_radius(&self, is_cut: bool) -> f64 {
        let radius = self.shape.bounding_radius();
        if !(is_cut && self.balanced) {
            return radius;
        }
        let Some(Ok(mesh)) = self.triangles() else { return radius };
        mesh.vertices.iter().map(Vec3::norm).fold(radius, f64::max)
    }
}
