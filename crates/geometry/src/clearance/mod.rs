//! Clearance of triangle surfaces: how far two of them are apart, whether they touch, and whether one is inside the other.

mod descent;
mod fit;
mod inside;
mod intersect;
mod lanes;
mod near;
mod separation;
mod tree;
mod triangles;

pub use descent::ClearanceWorkspace;
pub use inside::{Contained, contained};
pub use intersect::intersects;
pub use near::{near_triangles, touching};
pub use separation::{NearestTriangles, Separation, separation};
pub use tree::ClearanceTree;
pub use triangles::{TriangleSeparation, triangle_separation};
