//! Regions in which triangle surfaces cut each other, at the output times: their forces, and the contours that bound them.

use carom_results::tables::{Columns, Table};
use carom_results::{Array, Error, RunData};

use super::Output;
use super::contacts::numbers_of_pairs;
use super::frames::Frames;

/// Columns of vectors: name in the page, and in the table.
const VECTORS: [(&str, [&str; 3]); 3] = [
    ("region_point", ["px", "py", "pz"]),
    ("region_force", ["fx", "fy", "fz"]),
    ("region_friction", ["ftx", "fty", "ftz"]),
];

/// What a page says of a run without contours.
pub(super) const NOT_RECORDED: &str =
    "Contours of regions are not recorded; `output.patches` in the model records them.";

/// Puts the regions' forces, and the segments of their contours; `region_start` and `contour_start` have for each output time where
/// its rows begin.
pub(super) fn put(out: &mut Output, data: &RunData, frames: &Frames, origin: [f64; 3]) -> Result<(), Error> {
    let mut regions = Rows::new(frames);
    let mut values: [Vec<f32>; 3] = Default::default();
    let mut pairs = Vec::new();
    let numbers = numbers_of_pairs(data);
    data.scan(Table::Regions, &mut |batch| {
        let times = batch.floats("time").unwrap_or_default();
        let (keys, words) = batch.word_keys("pair").unwrap_or_default();
        let vectors = VECTORS.map(|(_, names)| names.map(|name| batch.floats(name).unwrap_or_default()));
        for row in 0..batch.rows() {
            if !regions.take(times[row]) {
                continue;
            }
            pairs.push(numbers.get(words[keys[row] as usize].as_str()).copied().unwrap_or(0));
            for (number, (list, columns)) in values.iter_mut().zip(&vectors).enumerate() {
                let shift = if number == 0 { origin } else { [0.0; 3] };
                // Runs of an earlier version have no friction of regions.
                let component = |axis: usize| columns[axis].get(row).copied().unwrap_or(0.0) - shift[axis];
                list.extend([0, 1, 2].map(|axis| component(axis) as f32));
            }
        }
        Ok(())
    })?;
    if pairs.is_empty() {
        return Ok(());
    }
    for ((name, _), list) in VECTORS.into_iter().zip(values) {
        out.array(name, Array::F32(list));
    }
    out.array("region_pair", Array::U32(pairs));
    out.array("region_start", Array::U32(regions.starts()));
    put_contours(out, data, frames, origin)
}

fn put_contours(out: &mut Output, data: &RunData, frames: &Frames, origin: [f64; 3]) -> Result<(), Error> {
    let mut contours = Contours { rows: Rows::new(frames), ends: Vec::new(), chain: None };
    data.scan(Table::Contours, &mut |batch| {
        contours.take(batch, origin);
        Ok(())
    })?;
    contours.close();
    if contours.ends.is_empty() {
        out.notes.push(NOT_RECORDED.to_owned());
        return Ok(());
    }
    out.array("contour_ends", Array::F32(contours.ends));
    out.array("contour_start", Array::U32(contours.rows.starts()));
    Ok(())
}

/// Rows of a table that are in the page, by output time.
struct Rows<'a> {
    frames: &'a Frames,
    counts: Vec<u32>,
}

impl<'a> Rows<'a> {
    fn new(frames: &'a Frames) -> Self {
        Self { frames, counts: vec![0; frames.times.len()] }
    }

    /// Counts a row of a time; false if the page does not have the time.
    fn take(&mut self, time: f64) -> bool {
        let frame = self.frames.at(time);
        if let Some(frame) = frame {
            self.counts[frame] += 1;
        }
        frame.is_some()
    }

    /// First row of each output time, and the number of all.
    fn starts(self) -> Vec<u32> {
        let mut starts = vec![0];
        starts.extend(self.counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }));
        starts
    }
}

/// Segments of contours as their nodes come.
struct Contours<'a> {
    rows: Rows<'a>,
    /// Six numbers a segment.
    ends: Vec<f32>,
    chain: Option<Chain>,
}

/// A contour whose nodes are coming.
#[derive(Clone, Copy)]
struct Chain {
    time: f64,
    is_closed: bool,
    first: [f32; 3],
    last: [f32; 3],
}

impl Contours<'_> {
    /// Takes rows, which are in the order of time, contour and place.
    fn take(&mut self, batch: &Columns, origin: [f64; 3]) {
        let times = batch.floats("time").unwrap_or_default();
        let places = batch.counts("place").unwrap_or_default();
        let closed = batch.counts("closed").unwrap_or_default();
        let position = ["x", "y", "z"].map(|name| batch.floats(name).unwrap_or_default());
        for row in 0..batch.rows() {
            let node = [0, 1, 2].map(|axis| (position[axis][row] - origin[axis]) as f32);
            if places[row] == 0 {
                self.close();
                let (time, is_closed) = (times[row], closed[row] != 0);
                self.chain = Some(Chain { time, is_closed, first: node, last: node });
            } else if let Some(chain) = self.chain {
                self.segment(chain.time, chain.last, node);
                self.chain = Some(Chain { last: node, ..chain });
            }
        }
    }

    /// The last node of a closed contour joins the first.
    fn close(&mut self) {
        if let Some(chain) = self.chain.take().filter(|chain| chain.is_closed) {
            self.segment(chain.time, chain.last, chain.first);
        }
    }

    fn segment(&mut self, time: f64, from: [f32; 3], to: [f32; 3]) {
        if self.rows.take(time) {
            self.ends.extend(from);
            self.ends.extend(to);
        }
    }
}
