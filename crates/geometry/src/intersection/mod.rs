//! Where two triangle surfaces cut each other: contours that close without a tolerance, what of each surface lies inside the
//! other, and the contact regions that follow.
//!
//! A node is an edge of one surface that pierces a triangle of the other. Which do is decided by the signs of
//! determinants, exactly and as if no four points were in one plane ([`sign_of_volume`]), of coordinates that are rounded
//! once. Then two triangles share two nodes or none, an edge has two triangles, and so the nodes form closed loops by
//! their indices alone. At a border they end, and the chain is open.
//!
//! - [`triangle_segment`] is that for two triangles.
//! - [`PairSearch`] lists which triangles of two surfaces cut each other.
//! - [`find_regions`] takes two meshes at two poses, [`RegionSearch`] one pair of surfaces at many.
//! - [`contours_brute_force`] asks every edge about every triangle: what every faster way is measured by.

mod brute_force;
mod candidates;
mod contours;
mod cutting;
mod fault;
mod flood;
mod meeting;
mod nodes;
mod pair;
mod pair_search;

mod predicates;
mod regions;
mod surface;
mod workspace;

pub use brute_force::contours_brute_force;
pub use contours::{Contours, Segment};
pub use fault::{IntersectionFault, ManifoldFault};
pub(crate) use nodes::pierces;
pub use nodes::{Node, Side};
pub use pair::triangle_segment;
pub use pair_search::PairSearch;
pub use predicates::sign_of_volume;
pub use regions::{
    Contained, Overlap, PlaneFit, Region, RegionCounters, RegionFault, RegionSearch, Regions, find_regions,
};
pub use surface::{ClosedSurface, MeshSurface};
pub(crate) use workspace::{ContourCosts, ContourWorkspace};
