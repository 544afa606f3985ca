//! Fewer output times in memory than a run has recorded: what charts need does not grow with the run.

use std::path::Path;

use super::{Rows, RunData};
use crate::Error;
use crate::tables::{Columns, Table, states};

/// Numbers of states that are kept (32 MB).
const MOST_CELLS: u64 = 1 << 22;
/// Output times that are kept however many bodies there are.
const LEAST_TIMES: u64 = 1000;
/// Groups of steps of which a chart shows the shortest and the longest: more than it has pixels.
const GROUPS: u64 = 10_000;

impl RunData {
    /// Opens a run for charts: of very many output times every k-th, see [`Self::every`].
    pub fn open_for_charts(dir: &Path) -> Result<Self, Error> {
        let mut data = Self::open(dir)?;
        let times = data.output_times();
        let cells = times * states::numbers(data.scene()) as u64;
        let most = times.max(LEAST_TIMES) / LEAST_TIMES;
        let every = usize::try_from(cells.div_ceil(MOST_CELLS).clamp(1, most)).unwrap_or(1);
        data.rows = Rows::ForCharts { every };
        Ok(data)
    }

    /// Every how manieth output time is in the tables of this: 1 unless they were opened for charts.
    pub fn every(&self) -> usize {
        if let Rows::ForCharts { every } = self.rows { every } else { 1 }
    }

    /// Number of output times that the run has recorded; 0 while it is running.
    pub fn output_times(&self) -> u64 {
        if self.rows == Rows::AtTimes {
            return self.times().map_or(0, |times| times.len() as u64);
        }
        let rows = self.counted(Table::States);
        if self.scene().is_long() { rows / self.scene().bodies.len() as u64 } else { rows }
    }

    /// Rows of a table as `run.json` counts them; 0 while the run goes on.
    fn counted(&self, table: Table) -> u64 {
        let found = self.manifest().tables.iter().find(|record| record.name == table.name());
        found.map_or(0, |record| record.rows)
    }

    /// A table with every k-th output time. That of states says which; the others have rows at some or all of them.
    pub(super) fn load_thinned(&self, table: Table, every: usize) -> Result<Columns, Error> {
        let mut kept = Columns::new(table.columns(self.scene()));
        let times = if table == Table::States { &[][..] } else { self.times()? };
        let (mut last, mut number, mut next) = (f64::NAN, 0, 0);
        self.scan(table, &mut |batch| {
            let mut is_kept = |time: f64| {
                if table == Table::States {
                    number += usize::from(time != last);
                    last = time;
                    return (number - 1) % every == 0;
                }
                while times.get(next).is_some_and(|kept| *kept < time) {
                    next += 1;
                }
                times.get(next) == Some(&time)
            };
            for (row, time) in batch.floats("time").unwrap_or_default().iter().enumerate() {
                if is_kept(*time) {
                    kept.append(batch, row..row + 1);
                }
            }
            Ok(())
        })?;
        Ok(kept)
    }

    /// Of every so many steps in a row the shortest and the longest.
    pub(super) fn load_thinned_steps(&self) -> Result<Columns, Error> {
        let group = usize::try_from(self.counted(Table::Steps) / GROUPS).unwrap_or(usize::MAX).max(1);
        let mut kept = Columns::new(Table::Steps.columns(self.scene()));
        self.scan(Table::Steps, &mut |batch| {
            let lengths = batch.floats("h").unwrap_or_default();
            for (start, steps) in (0..).step_by(group).zip(lengths.chunks(group)) {
                let by_length = |a: &(usize, &f64), b: &(usize, &f64)| a.1.total_cmp(b.1);
                let shortest = steps.iter().enumerate().min_by(by_length);
                let longest = steps.iter().enumerate().max_by(by_length);
                let mut rows = [shortest, longest].map(|step| start + step.map_or(0, |(index, _)| index));
                rows.sort_unstable();
                kept.append(batch, rows[0]..rows[0] + 1);
                if rows[1] != rows[0] {
                    kept.append(batch, rows[1]..rows[1] + 1);
                }
            }
            Ok(())
        })?;
        Ok(kept)
    }
}
