//! Mass properties and topology of solids, on shapes and on meshes of them.

mod mass;
mod meshes;
mod topology;
