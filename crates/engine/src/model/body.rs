use carom_geometry::Shape;
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
}

impl BodyShape {
    /// Triangles of a shape whose model does not say.
    pub const FACETS: usize = 2000;
}
