//! Clearance of triangle surfaces: against brute force over all pairs of triangles.
#![allow(missing_docs)]

mod kit;
mod separation;
mod triangles;
