//! Convex solids: supports, hulls, distance, depth, manifolds and masses against independent methods.

mod curvature;
mod curved;
mod degenerate;
mod kit;
mod manifold;
mod mpr;
mod polytopes;
mod solids;
