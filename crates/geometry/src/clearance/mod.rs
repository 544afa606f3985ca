//! Clearance of triangle surfaces: how far two of them are apart, whether they touch, whether one is inside the other, which
//! way leads out, and how thick a body is.
//!
//! Surfaces are any triangles: open, closed, crossing themselves, degenerate. A pose `x_ab` is that of B in A; triangles of B
//! are moved into A's frame, rounded once, and what is said about them there is exact where it is yes or no, by signs of
//! determinants ([`intersects`]), and right to rounding where it is a number ([`triangle_separation`]).
//!
//! - [`separation`] is the least distance of all pairs of triangles, in every bit, or a proven lower bound that is enough.
//! - [`separation_bound`] is what surfaces that are on their way need of it: a bound that is not much less, faster.
//! - [`near_triangles`] lists the pairs within a reach, [`touching`] finds one that intersects.
//! - [`contained`] and [`ClearanceTree::is_inside`] count how often closed shells wind around a point; distances do not see that a
//!   part lies wholly within the other surface.
//! - [`Borders`] tells which lines come in beside an open surface, where nothing is behind its triangles.
//! - [`escape`] ends an overlap by a translation, [`ClearanceTree::thinnest_wall`] and [`ClearanceTree::thinnest_sheet`] measure through a body.
//!
//! A [`ClearanceTree`] has eight oriented boxes a node and eight triangles a leaf. The larger of two boxes is opened, and the other
//! held against all eight at once along a few directions (`lanes.rs`): the gap of two extents is never more than the
//! distance. Distances and bounds depend neither on hints nor on what was asked before, and nothing is allocated once
//! buffers are there.
//!
//! ```
//! use carom_geometry::clearance::{ClearanceTree, ClearanceWorkspace, separation, touching};
//! use carom_geometry::surface::{Resolution, block, sphere};
//! use carom_math::{Pose, Vec3};
//!
//! let cube = ClearanceTree::new(&block(Vec3::repeat(0.5), Resolution::Divisions(1)).unwrap()).unwrap();
//! let ball = ClearanceTree::new(&sphere(0.5, Resolution::Facets(500)).unwrap()).unwrap();
//! let mut workspace = ClearanceWorkspace::new();
//!
//! let x_ab = Pose::from_translation(Vec3::new(0.0, 0.0, 1.25));
//! let apart = separation(&cube, &ball, &x_ab, f64::INFINITY, None, &mut workspace);
//! let nearest = apart.nearest.unwrap();
//! assert!((apart.distance - 0.25).abs() < 0.01 && nearest.direction == Vec3::z());
//! // A bound, if that is enough; the nearest triangles make the next search fast.
//! let bound = separation(&cube, &ball, &x_ab, 0.1, Some(nearest.triangles), &mut workspace);
//! assert!(bound.nearest.is_none() && bound.distance >= 0.1);
//!
//! let closer = Pose::from_translation(Vec3::new(0.0, 0.0, 0.9));
//! assert!(touching(&cube, &ball, &closer, None, &mut workspace).is_some());
//! ```

mod about;
mod along;
mod borders;
mod descent;
mod escape;
mod fit;
mod inside;
mod intersect;
mod lanes;
mod near;
mod nearest;
mod separation;
mod thickness;
mod tree;
mod triangles;

pub use borders::Borders;
pub use descent::ClearanceWorkspace;
pub use escape::escape;
pub use inside::{Contained, contained};
pub use intersect::intersects;
pub(crate) use intersect::meets_segment;
pub use near::{near_triangles, touching};
pub use nearest::NearestWorkspace;
pub use separation::{NearestTriangles, Separation, separation, separation_bound};
pub use thickness::Wall;
pub use tree::ClearanceTree;
pub use triangles::{TriangleSeparation, triangle_separation};
