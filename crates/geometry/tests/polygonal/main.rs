//! Areal contact against brute force, closed forms and itself on every path.
#![allow(missing_docs)]

mod meshes;
mod paths;
