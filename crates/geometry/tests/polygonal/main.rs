//! Areal contact against brute force, closed forms and itself on every path.
#![allow(missing_docs)]

mod accuracy;
mod closed_forms;
mod contours;
mod meshes;
mod paths;
mod refined;
mod zones;
