//! Vectors, rotations, rigid poses and special functions, on `nalgebra`.
//!
//! Conventions (docs/notation.md): SI units and radians; a rotation `R_WB` takes components in B to
//! components in W; quaternions are scalar first, w, x, y, z.

mod elliptic;
mod frame;
mod pose;
mod quaternion;
mod spatial;

pub use elliptic::{complete_elliptic, elliptic_e, elliptic_k};
pub use frame::{orthonormal_basis, tangents_at};
pub use pose::Pose;
pub use quaternion::Quaternion;
pub use spatial::{SpatialInertia, Twist, Wrench};

/// Vector of two components, in a plane.
pub type Vec2 = nalgebra::Vector2<f64>;
/// Vector of three components.
pub type Vec3 = nalgebra::Vector3<f64>;
/// Matrix of three rows and columns.
pub type Mat3 = nalgebra::Matrix3<f64>;
