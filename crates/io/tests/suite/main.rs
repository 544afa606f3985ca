//! Reading, checking and writing models, and importing robots. One binary, one module a subject.
#![allow(missing_docs)]

mod bad;
mod defaults;
mod expectations;
mod forces;
mod growth;
mod import_activations;
mod import_attach;
mod import_bad;
mod import_contacts;
mod import_dig_out;
mod import_drives;
mod import_effects;
mod import_equalities;
mod import_kit;
mod import_left_out;
mod import_lenient;
mod import_loads;
mod import_margins;
mod import_massless;
mod import_meshes;
mod import_mjcf;
mod import_models;
mod import_mutations;
mod import_passive;
mod import_ranges;
mod import_ropes;
mod import_sdf;
mod import_slips;
mod import_starts;
mod import_tendons;
mod import_urdf;
#[cfg(unix)]
mod import_xacro;
mod joints;
mod kit;
mod load;
mod mutations;
mod planar;
mod round_trip;
mod shapes;
mod wide_lines;
mod words;
