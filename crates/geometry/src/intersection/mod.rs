//! Where two closed surfaces cut each other: contours that close without a tolerance, and what of each surface lies
//! inside the other.
//!
//! A node is an edge of one surface that pierces a triangle of the other. Which do is decided by the signs of
//! determinants, exactly and as if no four points were in one plane ([`sign_of_volume`]), of coordinates that are rounded
//! once. Then two triangles share two nodes or none, an edge has two triangles, and so the nodes form closed loops by
//! their indices alone.

mod contours;
mod fault;
mod flood;
mod nodes;
mod predicates;
mod surface;
mod workspace;

pub use contours::{Contours, Segment};
pub use fault::{IntersectionFault, ManifoldFault};
pub(crate) use nodes::pierces;
pub use nodes::{Node, Side};
pub use predicates::sign_of_volume;
pub use surface::ClosedSurface;
pub(crate) use workspace::{ContourCosts, ContourWorkspace};
