//! Contact regions of two triangle surfaces (Dopico, Luaces, Lugrís and Cuadrado 2010, "A general contact algorithm for
//! multibody system dynamics with complex non-conforming 3D geometry", section IV).
//!
//! A region is a connected part of what bounds the overlap of both solids, with all contours on it: the ring in which a sphere
//! sits in a torus has two. What belongs together is decided by topology: by segments of two triangles, by stretches of edges
//! inside the other surface, and by who surrounds a contour that meets no edge of its triangle.

mod covered;
mod extents;
mod groups;
mod layout;
mod plane;
mod result;
mod search;
mod sums;

pub use plane::PlaneFit;
pub use result::{Contained, Overlap, Region, RegionFault};
pub use search::{RegionCounters, RegionSearch, Regions, find_regions};
