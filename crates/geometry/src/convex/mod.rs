//! Convex solids: rounded cores, their distance and penetration, contact manifolds.
//!
//! A solid is a core (block, frustum, ellipsoid, hull of points, …) and a rounding radius. Two cores apart
//! have a distance (GJK), two that overlap a minimum translation (expanding polytope); both end in a Newton
//! iteration where surfaces are curved. Normals point from A to B, gap < 0 in penetration.

mod contact;
mod core;
mod curvature;
mod difference;
mod discs;
mod expand;
mod gjk;
mod hull;
mod manifold;
mod mass;
mod mpr;
mod polish;
mod shape;
mod simplex;
mod superellipsoid;

pub use contact::{ConvexCache, ConvexContact, ConvexFault, ConvexWorkspace, find_convex_contact};
pub use core::Core;
pub use curvature::find_curvature;
pub use hull::{ConvexHull, HullDefect, HullFace, HullFault};
pub use manifold::{Manifold, ManifoldPoint, find_manifold};
pub use mass::ConvexMassFault;
pub use mpr::{MprFault, MprOptions, find_contact_mpr};
pub use shape::ConvexShape;
