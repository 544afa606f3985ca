//! Mass properties and topology of solids, on shapes and on meshes of them; broken meshes and their repair.

mod mass;
mod meshes;
mod repairs;
mod resolution;
mod thin_hulls;
mod topology;
