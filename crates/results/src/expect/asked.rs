//! One expectation while its run is read.

use carom_engine::model::{Expectation, Moment};

use super::events::Events;
use super::{Error, RunData};
use crate::tables::{Columns, Table};

/// An expectation, and what has been seen of its value.
pub(super) struct Asked<'a> {
    expectation: &'a Expectation,
    source: Source,
    unit: String,
    value: Option<f64>,
    /// Rows that count.
    rows: u64,
}

/// Where a value comes from.
enum Source {
    /// It is known without a look at any row that grows with the run.
    Known,
    /// The event log.
    Events(Events),
    /// A quantity over time, and the tables that it is made of.
    Series { name: String, tables: Vec<Table> },
}

impl<'a> Asked<'a> {
    /// Nothing is read yet but what a run has few of: totals, probes.
    pub(super) fn new(data: &RunData, expectation: &'a Expectation) -> Result<Self, Error> {
        let asked =
            |source, unit: &str, value| Self { expectation, source, unit: unit.to_owned(), value, rows: 0 };
        let moment = &expectation.moment;
        if let (Moment::Event { .. } | Moment::Count, Some(events)) =
            (moment, Events::named(data.scene(), &expectation.quantity))
        {
            let log = Columns::new(Table::Events.columns(data.scene()));
            let column = if let Moment::Event { column, .. } = moment { log.find(column) } else { None };
            let unit = column.map_or("", |column| log.columns()[column].unit);
            return Ok(asked(Source::Events(events), unit, None));
        }
        let quantity = data.scene().quantity(&expectation.quantity)?;
        if let Some(value) = at_once(data, &quantity.name, moment)? {
            return Ok(asked(Source::Known, quantity.unit, Some(value)));
        }
        match data.tables_of(&quantity.name) {
            Ok(tables) => Ok(asked(Source::Series { name: quantity.name, tables }, quantity.unit, None)),
            // Rates are made of one output time and the one before, wherever a block ends.
            Err(Error::NoValue { .. }) => {
                let mut asked = asked(Source::Known, quantity.unit, None);
                match data.series(&quantity.name) {
                    Ok(series) => asked.take(&series.time, &series.values),
                    Err(Error::NoValue { .. }) => {}
                    Err(error) => return Err(error),
                }
                Ok(asked)
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn expectation(&self) -> &'a Expectation {
        self.expectation
    }

    pub(super) fn is_of_events(&self) -> bool {
        matches!(self.source, Source::Events(_))
    }

    /// Tables over time whose rows it has to see.
    pub(super) fn tables(&self) -> &[Table] {
        if let Source::Series { tables, .. } = &self.source { tables } else { &[] }
    }

    /// Takes the next rows of the event log.
    pub(super) fn take_events(&mut self, log: &Columns) {
        let Source::Events(events) = &self.source else { return };
        let (Some(kinds), Some(pairs)) = (log.words("kind"), log.words("pair")) else { return };
        for (row, (kind, pair)) in kinds.zip(pairs).enumerate() {
            if !events.contain(kind, pair) {
                continue;
            }
            if let Moment::Event { index, column } = &self.expectation.moment
                && self.rows == *index as u64
            {
                self.value = log.floats(column).map(|values| values[row]);
            }
            self.rows += 1;
        }
    }

    /// Takes the next block of the run.
    pub(super) fn take_block(&mut self, block: &RunData) -> Result<(), Error> {
        if let Source::Series { name, .. } = &self.source {
            let series = block.series(name)?;
            self.take(&series.time, &series.values);
        }
        Ok(())
    }

    /// Takes the next values over time.
    fn take(&mut self, times: &[f64], values: &[f64]) {
        let now = values.iter().copied();
        let all = self.value.into_iter().chain(now.clone());
        self.value = match self.expectation.moment {
            Moment::End => all.last(),
            Moment::Max => all.reduce(greater),
            Moment::Min => all.reduce(smaller),
            Moment::At(wanted) => self
                .value
                .or_else(|| times.iter().zip(now).find(|(time, _)| **time == wanted).map(|(_, value)| value)),
            Moment::Count | Moment::Event { .. } => None,
        };
        self.rows += values.len() as u64;
    }

    /// The value and its unit, or why there is none.
    pub(super) fn measured(self) -> Result<(f64, String), String> {
        let name = &self.expectation.quantity;
        let value = match &self.expectation.moment {
            Moment::Count => Some(self.rows as f64),
            _ => self.value,
        };
        value.map(|value| (value, self.unit)).ok_or_else(|| match &self.expectation.moment {
            Moment::Event { index, .. } => {
                format!("there is no {name}[{index}]: the run has {} of them", self.rows)
            }
            Moment::At(time) => format!("\"{name}\" has no value at {time:?} s"),
            Moment::End => format!("\"{name}\" has no value at the end"),
            Moment::Max | Moment::Min | Moment::Count => format!("\"{name}\" has no value at all"),
        })
    }
}

/// What no row over time is needed for: the residual of the whole run, located extremes, probes.
fn at_once(data: &RunData, name: &str, moment: &Moment) -> Result<Option<f64>, Error> {
    if name == "energy.residual_relative" && matches!(moment, Moment::End | Moment::Max) {
        // The definition takes the greatest over all accepted steps already.
        return Ok(Some(data.manifest().energy.map_or(f64::NAN, |e| e.residual_relative)));
    }
    if let Moment::At(time) = moment {
        return data.probe(*time, name);
    }
    Ok(located(data, name, moment))
}

/// An extreme of a pair or line that the engine has located.
fn located(data: &RunData, name: &str, moment: &Moment) -> Option<f64> {
    let (owner, quantity) = name.rsplit_once('.')?;
    let pairs = data.scene().pairs_of(owner);
    let totals = || pairs.iter().filter_map(|&pair| data.manifest().totals.get(pair));
    let line = data.manifest().lines.iter().find(|line| line.name == owner && pairs.len() > 1);
    match (moment, quantity) {
        // Of force elements cables alone are pairs too.
        (Moment::Max, "value") => totals().map(|t| t.max_fn_n).next(),
        (Moment::Max, "penetration") => totals().map(|t| t.max_penetration_m).reduce(greater),
        (Moment::Max, "pressure") => totals().map(|t| t.max_pressure_pa).reduce(greater),
        // Of several pairs the sum has a peak of its own.
        (Moment::Max, "fn") => line.map(|l| l.max_fn_n).or_else(|| totals().map(|t| t.max_fn_n).next()),
        (Moment::Min, "fn") => line.map(|l| l.min_fn_n).or_else(|| totals().map(|t| t.min_fn_n).next()),
        _ => None,
    }
}

/// The greater one; not a number wins, so that it cannot hide.
fn greater(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The smaller one; not a number wins, so that it cannot hide.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_a_number_cannot_hide_among_extremes() {
        assert!([1.0, f64::NAN, 2.0].into_iter().reduce(greater).is_some_and(f64::is_nan));
        assert!([f64::NAN, 2.0].into_iter().reduce(smaller).is_some_and(f64::is_nan));
        assert_eq!([1.0, 3.0, 2.0].into_iter().reduce(greater), Some(3.0));
    }
}
