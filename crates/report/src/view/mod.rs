//! What the page of the viewer shows of a run, as one piece of bytes; its header and arrays are in docs/viewer.md.

mod bodies;
mod coarsen;
mod contacts;
#[cfg(test)]
mod damage_tests;
mod events;
mod frames;
mod page;
mod plots;
mod pressure;
mod regions;
mod start;
mod stream;
#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod tests;

use std::io::{Error as IoError, Write};
use std::path::Path;

use carom_results::{Array, Container, Error, RunData};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use frames::Frames;

pub use page::{framed_page, has_page, page, page_that_asks};
pub use start::{Start, StartAxis, StartJoint, StartLine, StartOverlap};
pub use stream::Stream;

/// Version of header and arrays.
const FORMAT: u32 = 1;
/// How often the contents are halved to fit a size.
const HALVINGS: u32 = 8;

/// How much of a run a page has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Compressed data (bytes).
    pub bytes: usize,
    /// Output times.
    pub frames: usize,
    /// Quantities over time.
    pub plots: usize,
    /// Triangles of all shapes together.
    pub triangles: usize,
}

impl Limits {
    /// Of a page that is a file: `bytes` of it are data.
    pub fn of_file(bytes: usize) -> Self {
        Self { bytes, frames: 20_000, plots: 240, triangles: 300_000 }
    }

    /// Of the scene in a report, which every run writes.
    pub const REPORT: Self = Self { bytes: 3_000_000, frames: 2000, plots: 60, triangles: 120_000 };

    /// Of a page that is served to the machine it runs on.
    pub const SERVED: Self = Self { bytes: 100_000_000, frames: 100_000, plots: 1000, triangles: 2_000_000 };
}

/// Contents of a page.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The container, compressed by gzip.
    pub bytes: Vec<u8>,
    /// What was left out, in sentences.
    pub notes: Vec<String>,
    /// Were there shapes to show?
    pub has_shapes: bool,
}

/// Contents of a page about the run in a folder.
pub fn pack_run(run_dir: &Path, limits: &Limits) -> Result<Packed, Error> {
    pack(&RunData::open_for_charts(run_dir)?, limits)
}

/// The same of a run that is read already. Where it is more than the limits allow, output times are left out, but
/// those beside events and at the greatest forces; then shapes become coarser and quantities fewer.
pub fn pack(data: &RunData, limits: &Limits) -> Result<Packed, Error> {
    pack_with(data, None, limits)
}

/// Contents of a page about a model that has not run: `data` have its one output time, the start.
pub fn pack_start(data: &RunData, start: &Start, limits: &Limits) -> Result<Packed, Error> {
    // Over one time there is nothing to plot.
    pack_with(data, Some(start), &Limits { plots: 0, ..*limits })
}

fn pack_with(data: &RunData, start: Option<&Start>, limits: &Limits) -> Result<Packed, Error> {
    let mut tried = *limits;
    let mut halvings = 0;
    loop {
        let mut contents = contents(data, &tried);
        if let Some(start) = start {
            contents.container.header.insert("start".to_owned(), json!(start));
        }
        let bytes = compressed(&contents.container.to_bytes(), Compression::default());
        if bytes.len() <= limits.bytes || halvings == HALVINGS {
            let mut notes = contents.notes;
            if bytes.len() > limits.bytes {
                notes.push(format!(
                    "The data are {} bytes, more than the {} asked for.",
                    bytes.len(),
                    limits.bytes
                ));
            }
            return Ok(Packed { bytes, notes, has_shapes: contents.has_shapes });
        }
        // Straight to what the share of this try promises, a tenth below; at least halved.
        let share = (0.9 * limits.bytes as f64 / bytes.len() as f64).min(0.5);
        let part = |count: usize| (count as f64 * share) as usize;
        let frames = contents.frames.min(tried.frames);
        halvings += 1;
        tried.frames = part(frames).max(2);
        if halvings > 1 {
            tried.triangles = part(tried.triangles).max(100);
            tried.plots = part(tried.plots).max(3);
        }
    }
}

/// What one try has made.
pub(crate) struct Contents {
    pub(crate) container: Container,
    /// What could not be read: the rest is there.
    pub(crate) problems: Vec<Error>,
    notes: Vec<String>,
    has_shapes: bool,
    frames: usize,
}

/// What a page has, before it is compressed. What cannot be read of the run is left out and told.
pub(crate) fn contents(data: &RunData, limits: &Limits) -> Contents {
    let mut out = Output::default();
    let shapes = out.or_without("Shapes are", data.shapes()).flatten();
    let frames = out.or_without("Motion is", Frames::choose(data, limits.frames)).unwrap_or_default();
    let manifest = data.manifest();
    out.set("format", FORMAT);
    out.set("name", manifest.name.as_str());
    out.set("times_of_run", data.output_times());
    out.array("times", Array::F64(frames.times.clone()));
    if frames.times.is_empty() && out.problems.is_empty() {
        out.tell("The run has no output times: there is nothing to play.".to_owned());
    }
    if !frames.times.is_empty() {
        out.notes.extend(frames.note(data));
    }
    if shapes.is_none() && out.problems.is_empty() {
        out.tell("The run folder has no shapes of this run: bodies are shown as axes.".to_owned());
    }
    let poses = bodies::put_poses(&mut out, data, &frames, None);
    bodies::put_surfaces(&mut out, shapes.as_ref(), limits.triangles);
    contacts::put_pairs(&mut out, data);
    let done = contacts::put_rows(&mut out, data, &frames, poses.origin);
    out.or_without("Contacts are", done);
    let done = regions::put(&mut out, data, &frames, poses.origin);
    out.or_without("Regions are", done);
    let done = pressure::put(&mut out, data, &frames, shapes.as_ref(), &poses);
    out.or_without("Pressures are", done);
    let done = events::put(&mut out, data, poses.origin);
    out.or_without("Events are", done);
    let done = plots::put(&mut out, data, &frames, limits.plots);
    out.or_without("Quantities, or some, are", done);
    out.set("info", info(data));
    out.set("notes", out.notes.clone());
    out.set("missing", out.missing.clone());
    Contents {
        container: out.container,
        problems: out.problems,
        notes: out.notes,
        has_shapes: shapes.is_some(),
        frames: frames.times.len(),
    }
}

/// Header, arrays and notes as they come.
#[derive(Default)]
struct Output {
    container: Container,
    /// What is good to know of the page, in sentences.
    notes: Vec<String>,
    /// Those of them that have to be seen, as something is not shown that a run has.
    missing: Vec<String>,
    problems: Vec<Error>,
}

impl Output {
    fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.container.header.insert(key.to_owned(), value.into());
    }

    /// Says what is missing.
    fn tell(&mut self, note: String) {
        self.missing.push(note.clone());
        self.notes.push(note);
    }

    /// What was read; of what could not be, it says why.
    fn or_without<T>(&mut self, what: &str, read: Result<T, Error>) -> Option<T> {
        match read {
            Ok(read) => Some(read),
            Err(error) => {
                self.tell(format!("{what} missing: {error}."));
                self.problems.push(error);
                None
            }
        }
    }

    fn array(&mut self, name: &str, array: Array) {
        self.container.arrays.insert(name.to_owned(), array);
    }
}

/// `run.json` without what the page has elsewhere.
fn info(data: &RunData) -> Value {
    let mut value = json!(data.manifest());
    for key in ["scene", "final_bodies", "final_joints", "files", "tables"] {
        value.as_object_mut().map(|object| object.shift_remove(key));
    }
    value
}

/// By gzip, without name and time: equal contents are equal bytes.
fn compressed(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_else(|error: IoError| unreachable!("a vector takes everything: {error}"))
}
