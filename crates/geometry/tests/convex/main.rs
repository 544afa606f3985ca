//! Convex solids: supports, hulls, distance, depth, manifolds and masses against independent methods.

mod curved;
mod degenerate;
mod kit;
mod manifold;
mod polytopes;
mod solids;
