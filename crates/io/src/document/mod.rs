//! The document: files of a model read to one tree whose every value knows its place.
//!
//! Order of work: text to tree, defaults of the file, included files, base of a variant, overrides of
//! the command line, and a walk that holds every key against the schema.

mod check_keys;
mod defaults;
mod files;
mod merge;
mod node;
mod overrides;
mod toml_text;

pub(crate) use check_keys::check_keys;
pub(crate) use defaults::is_named_shapes;
pub(crate) use files::{Document, MainText, near_file, open, read_text, shown_folder};
pub use files::{MAX_FILE_SIZE, text_of};
pub(crate) use node::{Entry, Node, Table, Value};
pub(crate) use overrides::apply as apply_overrides;
pub(crate) use toml_text::parse as parse_toml;
