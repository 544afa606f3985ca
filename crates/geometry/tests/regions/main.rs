//! Contact regions against closed forms, brute force, finite differences and themselves.
#![allow(missing_docs)]

mod borders;
mod boxes;
mod closed_forms;
mod differences;
mod grouping;
mod kept;
mod kit;
#[path = "../polygonal/meshes.rs"]
#[allow(dead_code)]
mod meshes;
mod random;
mod sliding;
mod triangles;
