//! A run that is too long to be sent whole: a page gets few of its output times at first, then those around the time that is
//! looked at, and curves as the least and the greatest values of as many parts as it has pixels.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use carom_results::tables::Table;
use carom_results::{Array, Error, Shapes, TimedRun};
use flate2::Compression;
use serde_json::json;

use super::frames::Frames;
use super::{Contents, Limits, Output, bodies, compressed, contacts, contents, plots, pressure, regions};

/// A run of fewer output times and fewer numbers (256 MB) is sent whole.
const WHOLE_TIMES: usize = 20_000;
const WHOLE_CELLS: usize = 1 << 25;
/// Numbers that are read for the first picture, and output times that it comes with, at least and at most.
const OPENING_CELLS: usize = 1 << 25;
const OPENING_TIMES: [usize; 2] = [24, 2000];
/// Quantities that can be plotted: with very many pairs each takes its time to be found.
const PLOTS: usize = 240;
/// Numbers of the output times that are sent together (16 MB), and how many these are.
const PART_CELLS: usize = 1 << 21;
const PART_TIMES: [usize; 2] = [8, 4000];
/// Parts of a curve, each of which has a least and a greatest value.
const CURVE_PARTS: usize = 1000;

/// A run of which a page asks for parts.
pub struct Stream {
    run: TimedRun,
    shapes: Option<Shapes>,
    opening: Arc<Vec<u8>>,
    notes: Vec<String>,
    /// Where positions count from (m).
    origin: [f64; 3],
    part_times: usize,
    /// Names of the quantities that can be plotted, and their values over all output times once they were asked for.
    curves: Vec<(String, OnceLock<Vec<f32>>)>,
    /// Those that the page shows from the start: they are read together.
    first_curves: Vec<usize>,
    reads: Mutex<()>,
}

impl Stream {
    /// Of the run in a folder; `None` of one that is sent whole, as it is short or has not ended.
    pub fn open(run_dir: &Path) -> Result<Option<Self>, Error> {
        let Some(run) = TimedRun::open(run_dir)? else { return Ok(None) };
        let (times, cells) = (run.times().len(), run.cells()?);
        if times == 0 || (times <= WHOLE_TIMES && cells <= WHOLE_CELLS) {
            return Ok(None);
        }
        let [least, most] = OPENING_TIMES;
        let few = OPENING_CELLS / run.cells_of_one_time()?.max(1);
        let first = if cells <= OPENING_CELLS { most } else { few.clamp(least, most) };
        let part = PART_CELLS / (cells / times).max(1);
        Self::new(run, first, part.clamp(PART_TIMES[0], PART_TIMES[1])).map(Some)
    }

    /// With so many output times at first, and so many at once from then on.
    pub(super) fn new(run: TimedRun, first_times: usize, part_times: usize) -> Result<Self, Error> {
        let all = run.times();
        let last = all.len().saturating_sub(1);
        let spare = first_times.clamp(2, all.len().max(2)) - 1;
        let mut first: Vec<f64> = (0..=spare).filter_map(|k| all.get(last * k / spare)).copied().collect();
        first.dedup();
        let data = run.at(&|time| first.binary_search_by(|own| own.total_cmp(&time)).is_ok())?;
        let limits = Limits { bytes: usize::MAX, frames: usize::MAX, plots: PLOTS, ..Limits::SERVED };
        let Contents { mut container, mut notes, .. } = contents(&data, &limits);
        let peaks: Vec<_> = contacts::peaks(&data).zip(&data.scene().pairs).collect();
        let forces = peaks.iter().filter(|(_, pair)| pair.is_of_surfaces()).map(|([force, _], _)| *force);
        let pressures = peaks.iter().map(|([_, p], pair)| if pair.is_areal() { *p } else { 0.0 });
        let (has_pressure, has_contours) = (run.has(Table::Elements)?, run.has(Table::Contours)?);
        if has_contours {
            // They are, at other times.
            notes.retain(|note| note != regions::NOT_RECORDED);
        }
        let header = &mut container.header;
        let stream = json!({
            "part": part_times,
            "greatest_fn_n": forces.filter(|force| force.is_finite()).fold(0.0, f64::max),
            "pressure": has_pressure,
            "contours": has_contours,
            // Of the whole run: colours stay as they are when parts come.
            "pressure_scale_pa": pressures.collect::<Vec<f64>>(),
        });
        let origin = serde_json::from_value(header["origin_m"].clone()).unwrap_or_default();
        let plots = header["plots"].as_array().into_iter().flatten();
        let names = plots.filter_map(|plot| Some(plot["name"].as_str()?.to_owned()));
        let curves: Vec<(String, OnceLock<_>)> = names.map(|name| (name, OnceLock::new())).collect();
        let panels: Vec<Vec<String>> = serde_json::from_value(header["panels"].clone()).unwrap_or_default();
        let of_panels = panels.iter().flatten();
        let first_curves =
            of_panels.filter_map(|name| curves.iter().position(|(own, _)| own == name)).collect();
        header.insert("stream".to_owned(), stream);
        header.insert("times_of_run".to_owned(), json!(all.len()));
        header.insert("notes".to_owned(), json!(notes));
        container.arrays.insert("all_times".to_owned(), Array::F64(all.to_vec()));
        let opening = Arc::new(compressed(&container.to_bytes(), Compression::fast()));
        let shapes = data.shapes()?;
        Ok(Self {
            run,
            shapes,
            opening,
            notes,
            origin,
            part_times,
            curves,
            first_curves,
            reads: Mutex::new(()),
        })
    }

    /// What the page begins with.
    pub fn opening(&self) -> Arc<Vec<u8>> {
        self.opening.clone()
    }

    /// What was left out, in sentences.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A part of the output times with all that is shown at them, as a container; `None` if there is no such part. It ends with
    /// the first time of the next part, so that what is between them is known.
    pub fn part(&self, number: usize) -> Result<Option<Vec<u8>>, Error> {
        let times = self.run.times();
        let Some(rest) = number.checked_mul(self.part_times).and_then(|first| times.get(first..)) else {
            return Ok(None);
        };
        let own = &rest[..rest.len().min(self.part_times + 1)];
        let [Some(&first), Some(&last)] = [own.first(), own.last()] else { return Ok(None) };
        let data = self.run.only(&|time| (first..=last).contains(&time))?;
        let mut out = Output::default();
        let frames = Frames::choose(&data, usize::MAX)?;
        out.array("times", Array::F64(frames.times.clone()));
        let poses = bodies::put_poses(&mut out, &data, &frames, Some(self.origin));
        contacts::put_rows(&mut out, &data, &frames, self.origin)?;
        regions::put(&mut out, &data, &frames, self.origin)?;
        pressure::put(&mut out, &data, &frames, self.shapes.as_ref(), &poses)?;
        // Those that the page shows from the start: of others there may be very many.
        out.set("plots", self.first_curves.clone());
        let first = self.first_curves.iter().map(|&plot| &self.curves[plot].0);
        let values = first.flat_map(|name| plots::values_at(&data, &frames, name));
        out.array("plot_values", Array::F32(values.collect()));
        Ok(Some(out.container.to_bytes()))
    }

    /// A quantity at the output times `first..end` as a container of times and values: all of them, or of each of many parts the
    /// least and the greatest, in the order in which they come. `None` if there is no such quantity.
    pub fn curve(&self, plot: usize, first: usize, end: usize) -> Result<Option<Vec<u8>>, Error> {
        let Some((_, known)) = self.curves.get(plot) else { return Ok(None) };
        self.read(plot)?;
        let times = self.run.times();
        let end = end.min(times.len());
        let Some((times, values)) =
            times.get(first..end).zip(known.get().and_then(|all| all.get(first..end)))
        else {
            return Ok(None);
        };
        let (times, values) = extremes(times, values);
        let mut out = Output::default();
        out.array("time", Array::F64(times));
        out.array("value", Array::F32(values));
        Ok(Some(out.container.to_bytes()))
    }

    /// Reads the values of a quantity, once; those of the first plots with each other.
    fn read(&self, plot: usize) -> Result<(), Error> {
        let _alone = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        if self.curves[plot].1.get().is_some() {
            return Ok(());
        }
        let together = if self.first_curves.contains(&plot) { &self.first_curves[..] } else { &[plot] };
        let names: Vec<&str> = together.iter().map(|&plot| self.curves[plot].0.as_str()).collect();
        for (&plot, values) in together.iter().zip(self.run.values(&names)?) {
            // One that was read alone before is the same.
            let _ = self.curves[plot].1.set(values.into_iter().map(|value| value as f32).collect());
        }
        Ok(())
    }
}

/// Of each part of a curve its first and last time, with the least and the greatest value in the order in which they come; all of
/// a short one. What is not a number is not counted.
pub(super) fn extremes(times: &[f64], values: &[f32]) -> (Vec<f64>, Vec<f32>) {
    let step = times.len().div_ceil(CURVE_PARTS);
    if step <= 2 {
        return (times.to_vec(), values.to_vec());
    }
    let (mut at, mut of) = (Vec::new(), Vec::new());
    for (times, values) in times.chunks(step).zip(values.chunks(step)) {
        let (mut low, mut high) = (0, 0);
        for (k, value) in values.iter().enumerate() {
            // A comparison with what is no number is false.
            low = if *value < values[low] || values[low].is_nan() { k } else { low };
            high = if *value > values[high] || values[high].is_nan() { k } else { high };
        }
        at.extend([times[0], times[times.len() - 1]]);
        of.extend([values[low.min(high)], values[low.max(high)]]);
    }
    (at, of)
}
