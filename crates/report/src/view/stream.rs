//! A run that is too long to be sent whole: a page gets few of its output times at first, then those around the time that is
//! looked at, curves as the least and the greatest values of as many parts as it has pixels, and the greatest pressures when it asks
//! for them.

use std::ops::{Range, RangeInclusive};
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
/// What reading for the first picture may cost, in numbers that are unpacked, and output times that it comes with at most.
const OPENING_CELLS: usize = 1 << 25;
const OPENING_TIMES: usize = 2000;
/// Places of a very large run that are read for it, at least, and output times of each at most: what is packed together is read together.
const OPENING_PLACES: usize = 3;
const TIMES_OF_PLACE: usize = 24;
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
    /// The greatest pressures, once they were asked for.
    greatest: OnceLock<Arc<Vec<u8>>>,
    reads: Mutex<()>,
}

impl Stream {
    /// Of the run in a folder, of which a page asks by this number; `None` of one that is sent whole, as it is short or has not ended.
    pub fn open(run_dir: &Path, number: usize) -> Result<Option<Self>, Error> {
        let Some(run) = TimedRun::open(run_dir)? else { return Ok(None) };
        let (times, cells) = (run.times().len(), run.cells()?);
        if times == 0 || (times <= WHOLE_TIMES && cells <= WHOLE_CELLS) {
            return Ok(None);
        }
        Self::of(run, number).map(Some)
    }

    /// Two runs to be compared, numbers 0 and 1, if one of them is too long to be sent whole and both have ended.
    pub fn open_two(run_dirs: [&Path; 2]) -> Result<Option<[Self; 2]>, Error> {
        let [first, second] = run_dirs;
        let (own, other) = (Self::open(first, 0)?, Self::open(second, 1)?);
        if own.is_none() && other.is_none() {
            return Ok(None);
        }
        let or_short = |stream: Option<Self>, dir: &Path, number| match stream {
            Some(stream) => Ok(Some(stream)),
            None => match TimedRun::open(dir)?.filter(|run| !run.times().is_empty()) {
                Some(run) => Self::of(run, number).map(Some),
                None => Ok(None),
            },
        };
        let (own, other) = (or_short(own, first, 0)?, or_short(other, second, 1)?);
        Ok(own.zip(other).map(|(own, other)| [own, other]))
    }

    fn of(run: TimedRun, number: usize) -> Result<Self, Error> {
        let (times, cells) = (run.times().len(), run.cells()?);
        let first = if cells <= OPENING_CELLS {
            evenly(0..times, OPENING_TIMES)
        } else {
            let places = OPENING_CELLS / run.cost_of_one_time()?.max(1);
            places_of(&run.stretches()?, places.max(OPENING_PLACES))
        };
        let part = PART_CELLS / (cells / times).max(1);
        Self::new(run, number, &first, part.clamp(PART_TIMES[0], PART_TIMES[1]))
    }

    /// With these output times at first, and so many at once from then on.
    pub(super) fn new(
        run: TimedRun,
        number: usize,
        first: &[usize],
        part_times: usize,
    ) -> Result<Self, Error> {
        let all = run.times();
        let mut first: Vec<f64> = first.iter().filter_map(|&k| all.get(k)).copied().collect();
        first.sort_by(f64::total_cmp);
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
            "run": number,
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
            greatest: OnceLock::new(),
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
        let Some(span) = self.span(number) else { return Ok(None) };
        let data = self.run.only(&|time| span.contains(&time))?;
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

    /// First and last time of a part.
    fn span(&self, number: usize) -> Option<RangeInclusive<f64>> {
        let first = number.checked_mul(self.part_times)?;
        let own = self.run.times().get(first..)?;
        Some(*own.first()?..=*own.get(self.part_times).or(own.last())?)
    }

    /// The elements of areal contact, each with the greatest pressure that it has at any output time, as a container; they are read
    /// when this is first asked for.
    pub fn greatest(&self) -> Result<Arc<Vec<u8>>, Error> {
        if let Some(known) = self.greatest.get() {
            return Ok(known.clone());
        }
        let mut greatest = pressure::Greatest::default();
        if let Some(shapes) = &self.shapes {
            for span in (0..).map_while(|number| self.span(number)) {
                let is_own = |time: f64| span.contains(&time);
                if self.run.has_at(Table::Elements, &is_own)? {
                    greatest.take(&self.run.only_of(&pressure::Greatest::TABLES, &is_own)?, shapes)?;
                }
            }
        }
        let mut out = Output::default();
        greatest.put(&mut out);
        Ok(self.greatest.get_or_init(|| Arc::new(out.container.to_bytes())).clone())
    }

    /// By how much a quantity of another run is greater, at the output times `first..end` of this one as [`Self::curve`] has them;
    /// between the other's by interpolation, no number outside of it.
    pub fn difference(
        &self,
        plot: usize,
        other: &Self,
        of_other: usize,
        span: Range<usize>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let (Some(own), Some(theirs)) = (self.values(plot)?, other.values(of_other)?) else {
            return Ok(None);
        };
        let (times, others) = (self.run.times(), other.run.times());
        let span = span.start..span.end.min(times.len());
        let Some((times, own)) = times.get(span.clone()).zip(own.get(span)) else { return Ok(None) };
        let differences = times.iter().zip(own).map(|(time, own)| at(others, theirs, *time) - own);
        Ok(Some(curve_of(times, &differences.collect::<Vec<f32>>())))
    }

    /// A quantity at the output times `first..end` as a container of times and values: all of them, or of each of many parts the
    /// least and the greatest, in the order in which they come. `None` if there is no such quantity.
    pub fn curve(&self, plot: usize, first: usize, end: usize) -> Result<Option<Vec<u8>>, Error> {
        let Some(values) = self.values(plot)? else { return Ok(None) };
        let times = self.run.times();
        let span = first..end.min(times.len());
        let own = times.get(span.clone()).zip(values.get(span));
        Ok(own.map(|(times, values)| curve_of(times, values)))
    }

    /// Values of a quantity at all output times; `None` if there is no such quantity.
    fn values(&self, plot: usize) -> Result<Option<&[f32]>, Error> {
        let Some((_, known)) = self.curves.get(plot) else { return Ok(None) };
        self.read(plot)?;
        Ok(known.get().map(Vec::as_slice))
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

/// So many of these numbers, the first and the last among them; all of fewer.
fn evenly(numbers: Range<usize>, most: usize) -> Vec<usize> {
    let count = numbers.len();
    if count <= most.max(2) {
        return numbers.collect();
    }
    let spare = most.max(2) - 1;
    (0..=spare).map(|k| numbers.start + (count - 1) * k / spare).collect()
}

/// Output times of so many of the stretches, evenly over the run, and the first and the last of all.
pub(super) fn places_of(stretches: &[Range<usize>], places: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = evenly(0..stretches.len(), places)
        .into_iter()
        .flat_map(|place| evenly(stretches[place].clone(), TIMES_OF_PLACE))
        .collect();
    numbers.extend(stretches.last().map(|last| last.end - 1));
    numbers
}

/// A value at a time, between two of `times` by interpolation.
fn at(times: &[f64], values: &[f32], time: f64) -> f32 {
    let next = times.partition_point(|own| *own < time);
    match (next.checked_sub(1), times.get(next)) {
        (_, Some(&own)) if own == time => values[next],
        (Some(last), Some(&own)) => {
            let part = ((time - times[last]) / (own - times[last])) as f32;
            values[last] + part * (values[next] - values[last])
        }
        _ => f32::NAN,
    }
}

fn curve_of(times: &[f64], values: &[f32]) -> Vec<u8> {
    let (times, values) = extremes(times, values);
    let mut out = Output::default();
    out.array("time", Array::F64(times));
    out.array("value", Array::F32(values));
    out.container.to_bytes()
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
