//! Shapes, triangle meshes, mass properties and contact pair kernels.
//!
//! Knows no bodies, materials, velocities or time: a kernel takes two shapes with their poses and gives
//! contact points. Signs (docs/notation.md): the normal points from A to B, gap < 0 in penetration.

pub mod broadphase;
pub mod clearance;
mod contact;
pub mod convex;
mod eigen;
pub mod intersection;
mod kept_speed;
pub mod mass;
pub mod mesh;
pub mod narrowphase;
mod near;
pub mod planar;
pub mod polygonal;
pub mod prepare;
mod rates;
pub mod shape;
pub mod surface;

pub use contact::{NoContact, contact};
pub use mass::{MassFault, MassProperties};
pub use mesh::TriangleMesh;
pub use narrowphase::{
    Cell, ContactPoint, Curvature, GapCourse, Height, OtherKind, PairKernel, accuracy_table_markdown,
    find_kernel,
};
pub use rates::{ContactRates, RigidMotion};
pub use shape::{Shape, ShapeKind};
