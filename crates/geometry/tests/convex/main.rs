//! Convex solids: supports, hulls, distance, depth, manifolds and masses against independent methods.

mod aligned;
mod bounds;
mod chords;
mod convexity;
mod curvature;
mod curved;
mod degenerate;
mod exact;
mod facets;
mod fuzz;
mod half_space;
mod kit;
mod manifold;
mod mpr;
mod normals;
mod oracle;
mod parts;
mod polytopes;
mod rims;
mod rounded_facets;
mod solids;
mod touching;
