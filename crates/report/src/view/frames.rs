//! Which output times a page has.

use carom_results::{Error, RunData};

/// Output times of a page.
#[derive(Default)]
pub(super) struct Frames {
    /// Their numbers among those of the data, ascending.
    pub(super) rows: Vec<usize>,
    /// Times (s).
    pub(super) times: Vec<f64>,
}

/// Events whose neighbourhood is kept, at most; of more every k-th.
const EVENTS: usize = 10_000;

impl Frames {
    /// All, or `most`: the first and the last, those beside events and of the peaks of contacts, which are half of
    /// them at most, and the rest evenly.
    pub(super) fn choose(data: &RunData, most: usize) -> Result<Self, Error> {
        let all = data.times()?;
        let mut kept = vec![all.len() <= most; all.len()];
        if all.len() > most {
            let special = special(data, all);
            let step = special.len().div_ceil((most / 2).max(1)).max(1);
            special.iter().step_by(step).for_each(|&row| kept[row] = true);
            let spare = most.saturating_sub(special.len().div_ceil(step)).max(2) - 1;
            for k in 0..=spare {
                kept[(all.len() - 1) * k / spare] = true;
            }
        }
        let rows: Vec<usize> = (0..all.len()).filter(|row| kept[*row]).collect();
        let times = rows.iter().map(|&row| all[row]).collect();
        Ok(Self { rows, times })
    }

    /// The kept part of a column over all output times, as singles.
    pub(super) fn of<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.rows.iter().map(|&row| values.get(row).copied().unwrap_or(f64::NAN))
    }

    /// Number of the kept output time at exactly this time.
    pub(super) fn at(&self, time: f64) -> Option<usize> {
        let index = self.times.partition_point(|t| *t < time);
        (self.times.get(index) == Some(&time)).then_some(index)
    }

    /// Says what was left out.
    pub(super) fn note(&self, data: &RunData) -> Option<String> {
        let (kept, all) = (self.times.len() as u64, data.output_times());
        (kept < all).then(|| {
            format!("{kept} of {all} output times are shown; those beside events and at the greatest forces are among them.")
        })
    }
}

/// Rows beside events and peaks, ascending.
fn special(data: &RunData, all: &[f64]) -> Vec<usize> {
    let mut rows = Vec::new();
    let mut beside = |time: f64| {
        let next = all.partition_point(|t| *t < time);
        rows.extend([next.checked_sub(1), Some(next)].into_iter().flatten().filter(|row| *row < all.len()));
    };
    // Who asks for the events themselves is told that they cannot be read.
    let events = data.first_events(EVENTS).map(|(events, _)| events).unwrap_or_default();
    events.iter().for_each(|event| beside(event.time));
    for totals in &data.manifest().totals {
        [totals.max_fn_time_s, totals.max_penetration_time_s, totals.max_pressure_time_s]
            .into_iter()
            .filter(|time| time.is_finite())
            .for_each(&mut beside);
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}
