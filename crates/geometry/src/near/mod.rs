//! Which lines come near which triangles: trees of boxes around both, the descent through them, the placements that it is
//! made at, and how far surfaces may move until what was found is out of date.
//!
//! Areal contact ([`crate::polygonal`]) asks it about penetration lines, contours ([`crate::intersection`]) about edges.

pub(crate) mod corners;
mod element;
mod fault;
mod leaves;
mod list;
mod motion;
mod placement;
mod plane;
pub(crate) mod simd;
mod skin;
mod tree;

pub use element::BaseElement;
pub(crate) use element::make_element;
pub use fault::{Degenerate, SearchFault, SurfaceFault};
pub use leaves::{Cell, EdgeLine, MOST_BISECTIONS, MOST_LEAVES};
pub(crate) use leaves::{KnownClusters, LeafWalk, Leaves, OpenedParts, Part, Parts, whole_cells};
pub(crate) use list::{NearList, visit_count};
pub(crate) use motion::{Reference, Sizes};
pub(crate) use placement::{Placement, cross, dot, minus};
pub(crate) use plane::{GROWTH, TargetTriangle, TrianglePlane};
pub use simd::SimdLevel;
pub(crate) use skin::{ListCosts, SkinChoice};
pub(crate) use tree::{BaseNode, BaseTree, Cluster, Descent, Found, Line, Near, Patch, TargetTree};

/// Rounding of positions, relative to their size.
pub(crate) const POSITION_ROUNDING: f64 = 1e-13;
