//! Model files of Carom: TOML to [`carom_engine::Model`], with diagnostics as the product.
//!
//! [`load`] reads a file, everything it includes and its meshes, evaluates all quantities, expands
//! components and contact lines, and gives a model that compiles, or a [`Report`] with all that is wrong:
//! each diagnostic has a code, a place, what was expected and a remedy.

pub mod codes;
mod diagnostic;
mod document;
mod finding;
pub mod import;
mod library;
mod load;
mod mesh_file;
mod pairs;
mod quantity;
mod read;
mod regular_file;
mod render;
mod resolved;
pub mod schema;
mod source;
pub mod study;
mod suggest;

pub use diagnostic::{Diagnostic, Location, Report};
pub use document::{MAX_FILE_SIZE, text_of};
pub use library::{shipped_material_pairs, shipped_materials};
pub use load::{LoadedModel, Overrides, load, load_str};
pub use mesh_file::{mesh_bytes, read_mesh_file};
pub use pairs::{PairRow, pair_table};
pub use quantity::{Dimension, Quantity, parse_length, parse_length_unit, parse_time};
pub use read::probe_times;
pub use regular_file::{read_at_most, read_file};
pub use render::{Style, render, render_report, report_to_json, summary, to_json};
