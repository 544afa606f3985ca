//! Recordings of Carom: what a run leaves on disk, and how it is read back.
//!
//! Writing, from the front end:
//!
//! ```text
//! let dir = run_folder(Path::new("runs"), &info.model, &hash);         // or the folder of --out
//! let folder = RunFolder::claim(&dir, false)?;                          // empty or a run's, and nobody else's
//! let mut writer = RunWriter::create(RunRequest { folder: &folder, info: &info, provenance, model_toml, resolved_json })?;
//! writer.on_progress(|p| { bar.show(p); if stop { Break(()) } else { Continue(()) } });
//! let outcome = engine_runs(&mut writer);                               // RunWriter: carom_engine::Recorder
//! let manifest = writer.finish(&outcome)?;                              // Parquet, run.json
//! ```
//!
//! Going on: `let (writer, state) = RunWriter::resume(request)?`, then the engine goes on from `state`.
//! After a kill: [`recover`]. Reading: [`RunData::open`], [`RunData::series`], [`RunData::events`],
//! [`Manifest::read`]; [`judge`] compares with expectations, [`summary`] is the run in plain text,
//! [`convert_to_csv`] and [`convert_to_vtk`] export.
//!
//! A folder holds `run.json`, `model.toml`, `resolved.json`, `log.jsonl`, `checkpoint.bin`, `shapes.bin`
//! ([`Shapes`]) and the tables ([`tables::Table`]): Arrow streams `NAME.arrows` while the run goes on, whose complete batches survive
//! a kill, with their checksums in `NAME.sums`, and `NAME.parquet` when it has ended, with checksums in `run.json`. docs/results.md describes all of them.

mod checkpoint;
mod container;
mod csv;
mod csv_file;
mod data;
mod error;
mod expect;
mod files;
mod folder;
mod layout;
mod lock;
mod log;
pub mod manifest;
mod quantities;
mod scene;
mod shapes;
mod store;
mod suggest;
mod summary;
pub mod tables;
mod vtk;
mod writer;

#[cfg(any(test, feature = "fixture"))]
pub mod fixture;

pub use checkpoint::has_checkpoint;
pub use container::{Array, Container};
pub use csv::{convert_table_to_csv, convert_to_csv};
pub use csv_file::CsvFile;
pub use data::{
    Episode, EventRow, PatchData, PatchElement, PatchRequest, PatchTime, PeakAt, RegionContour, RegionData,
    RegionRequest, RunData, Series, TimedRun, Worst, WorstMoment, event_rows,
};
pub use error::Error;
pub use expect::{check_expectation, judge};
pub use files::write_result;
pub use folder::RunFolder;
pub use layout::{MODEL_TOML, REPORT_HTML, RESOLVED_JSON, RUN_JSON, read_model_file, run_folder};
pub use lock::{Held, Owner, held};
pub use log::Level;
pub use manifest::{Manifest, Provenance};
pub use quantities::Quantity;
pub use scene::{Scene, SceneBody, SceneContact, SceneElement, SceneJoint, SceneJointKind, ScenePair};
pub use shapes::{Form, Link, LinkKind, Shapes, Surface, write_shapes};
pub use store::{ArrowStream, arrow_stream, write_parquet};
pub use summary::summary;
pub use vtk::convert_to_vtk;
pub use writer::{MemoryMark, MemoryWriter, ProgressHook, Recovered, RunRequest, RunWriter, recover};

/// Version of the result schema that is written. Schema 2 is read, too; a reader refuses others.
pub const SCHEMA_VERSION: u32 = 3;
