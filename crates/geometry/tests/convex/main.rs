//! Convex solids: supports, hulls, distance, depth, manifolds and masses against independent methods.

mod curvature;
mod curved;
mod degenerate;
mod half_space;
mod kit;
mod manifold;
mod mpr;
mod polytopes;
mod solids;
