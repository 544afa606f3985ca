//! Clearance of triangle surfaces: against brute force over all pairs of triangles.
#![allow(missing_docs)]

mod inside;
mod kit;
mod nearest;
mod scenes;
mod separation;
mod triangles;
