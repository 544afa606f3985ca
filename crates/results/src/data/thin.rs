//! Fewer output times in memory than a run has recorded: what charts need does not grow with the run.

use std::path::Path;

use super::RunData;
use crate::Error;
use crate::store::read_table;
use crate::tables::{Columns, Table, states};

/// Numbers of states that are kept (32 MB).
const MOST_CELLS: u64 = 1 << 22;
/// Output times that are kept however many bodies there are.
const LEAST_TIMES: u64 = 1000;

impl RunData {
    /// Opens a run for charts: of very many output times every k-th, see [`Self::every`].
    pub fn open_for_charts(dir: &Path) -> Result<Self, Error> {
        let mut data = Self::open(dir)?;
        let times = data.output_times();
        let cells = times * states::numbers(data.scene()) as u64;
        let most = times.max(LEAST_TIMES) / LEAST_TIMES;
        data.every = usize::try_from(cells.div_ceil(MOST_CELLS).clamp(1, most)).unwrap_or(1);
        Ok(data)
    }

    /// Every how manieth output time is in the tables of this: 1 unless they were opened for charts.
    pub fn every(&self) -> usize {
        self.every
    }

    /// Number of output times that the run has recorded; 0 while it is running.
    pub fn output_times(&self) -> u64 {
        let rows = self.manifest().tables.iter().find(|table| table.name == Table::States.name());
        let rows = rows.map_or(0, |table| table.rows);
        if self.scene().is_long() { rows / self.scene().bodies.len() as u64 } else { rows }
    }

    /// A table with every k-th output time. That of states says which; the others have rows at some or all of them.
    pub(super) fn load_thinned(&self, table: Table) -> Result<Columns, Error> {
        let mut kept = Columns::new(table.columns(self.scene()));
        let times = if table == Table::States { &[][..] } else { self.times()? };
        let (mut last, mut number, mut next) = (f64::NAN, 0, 0);
        read_table(self.dir(), table, self.scene(), &self.manifest().files, &mut |batch| {
            let mut is_kept = |time: f64| {
                if table == Table::States {
                    number += usize::from(time != last);
                    last = time;
                    return (number - 1) % self.every == 0;
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
}
