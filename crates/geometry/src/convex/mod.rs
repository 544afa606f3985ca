//! Convex solids: rounded cores, their distance and penetration, contact manifolds.
//!
//! A solid is a core (block, frustum, ellipsoid, hull of points, …) and a rounding radius. Normals point from A to
//! B, gap < 0 in penetration. Three functions make a contact, from outside in:
//!
//! 1. [`find_convex_contact`]: gap, normal and nearest points of a pair, started from the pair's [`ConvexCache`];
//! 2. [`find_manifold`]: the points over which faces and edges share the force, with weights;
//! 3. [`find_curvature`]: what Hertz's law needs where smooth surfaces touch;
//! 4. [`Facets`]: vertices and edges of polyhedra, each as a contact of its own, for contact that does not give; [`Rims`]: round ends over a
//!    half-space, or over a face that is one to them ([`Grounds`]).
//!
//! With a half-space the first two are [`find_half_space_contact`] and [`find_half_space_manifold`].
//! [`find_contact_mpr`] is another definition of 1: portal refinement, along the line of centres.
//!
//! Two cores apart are searched by GJK, two that overlap by an expanding polytope; both end in a Newton iteration where
//! surfaces are curved, or in a descent where Newton's method leads away. What the gap is worth, with lengths of 1 m:
//!
//! | cores | apart | overlapping |
//! |---|---|---|
//! | polytopes | 10⁻¹³ m | 10⁻¹³ m, the least translation of all |
//! | with curved ones | 10⁻¹² m | 10⁻¹² m; of minima within 10⁻⁴ of each other's depth any one |
//! | superellipsoids with exponents below 0.3 or above 1.7 | 10⁻⁷ m | 10⁻⁷ m |
//!
//! Curved solids deeper in each other than a tenth of their size, on nearly one axis, have minima all around: any one within
//! 2·10⁻³ of the least. Closer than some 10⁻⁶ m apart the direction between corners and edges is only known to 10⁻¹⁶ m over
//! the distance.
//!
//! ```
//! use carom_geometry::convex::{ConvexCache, ConvexShape, ConvexWorkspace, Core, find_convex_contact};
//! use carom_math::{Pose, Vec3};
//!
//! let block = ConvexShape { core: Core::Box { half: Vec3::new(0.5, 0.5, 0.5) }, radius: 0.0 };
//! let (x_wa, x_wb) = (Pose::identity(), Pose::from_translation(Vec3::x() * 0.9));
//! let workspace = &mut ConvexWorkspace::new();
//! let contact = find_convex_contact(&block, &x_wa, &block, &x_wb, &ConvexCache::COLD, workspace)?;
//! assert!((contact.point.gap + 0.1).abs() < 1e-12);
//! # Ok::<(), carom_geometry::convex::ConvexFault>(())
//! ```

mod contact;
mod core;
mod curvature;
mod difference;
mod discs;
mod expand;
mod extent;
mod facets;
mod gjk;
mod grounds;
mod half_space;
mod hull;
mod lines;
mod manifold;
mod mass;
mod mpr;
mod polish;
mod rims;
mod shape;
mod simplex;
mod superellipsoid;
pub(crate) mod triangle;

pub use contact::{ConvexCache, ConvexContact, ConvexFault, ConvexWorkspace, find_convex_contact};
pub use core::Core;
pub use curvature::find_curvature;
pub use facets::{Arriving, FacetLooks, Facets, Polyhedron};
pub use grounds::{Circle, Footprint, Grounds, Side};
pub use half_space::find_half_space_contact;
pub use hull::{ConvexHull, HullDefect, HullFace, HullFault, NotConvex};
pub use manifold::{Manifold, ManifoldPoint, find_half_space_manifold, find_manifold};
pub use mpr::{MprFault, MprOptions, find_contact_mpr};
pub use rims::{About, Bound, Crossing, FlatPart, Lie, Lowest, Rims};
pub use shape::ConvexShape;
pub(crate) use simplex::on_triangle;
