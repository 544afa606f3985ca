//! Quantities by name: `ball.z`, `ball.speed`, `drop.fn_n`, `energy.residual_relative`, `steps.h`.

use std::collections::HashSet;

use super::RunData;
use crate::Error;
use crate::tables::derived::{self, Derived};
use crate::tables::resultants::{Combine, RESULTANTS};
use crate::tables::{Table, with_unit};

/// A quantity over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name without unit, such as `ball.z`.
    pub name: String,
    /// Unit, such as `m/s`; empty for pure numbers.
    pub unit: &'static str,
    /// What it says.
    pub meaning: &'static str,
    /// Times (s).
    pub time: Vec<f64>,
    /// Values at those times.
    pub values: Vec<f64>,
}

impl Series {
    /// Name with its unit last, as in the tables.
    pub fn full_name(&self) -> String {
        with_unit(&self.name, self.unit)
    }
}

fn find_derived(list: &[Derived], quantity: &str) -> Option<Derived> {
    list.iter().find(|d| d.0 == quantity).copied()
}

impl RunData {
    /// The quantity that `name` means, with or without its unit.
    pub fn series(&self, name: &str) -> Result<Series, Error> {
        let quantity = self.scene().quantity(name)?;
        let missing = || Error::NoValue { message: format!("the run has no values of \"{name}\"") };
        let (owner, base) = quantity.name.rsplit_once('.').ok_or_else(missing)?;
        self.find(owner, base)?.ok_or_else(missing)
    }

    fn find(&self, owner: &str, quantity: &str) -> Result<Option<Series>, Error> {
        if owner == "energy"
            && let Some(series) = self.energy_series(quantity)?
        {
            return Ok(Some(series));
        }
        if owner == "steps"
            && let Some(series) = self.column(Table::Steps, owner, quantity, quantity)?
        {
            return Ok(Some(series));
        }
        if self.scene().bodies.iter().any(|body| body.name == owner)
            && let Some(series) = self.body_series(owner, quantity)?
        {
            return Ok(Some(series));
        }
        if self.scene().mechanism_owners().any(|part| part == owner) {
            return self.mechanism_series(owner, quantity);
        }
        let pairs = self.scene().pairs_of(owner);
        // Of a wide line none may have come up.
        let is_contact = !pairs.is_empty() || self.scene().wide_lines.iter().any(|line| line == owner);
        if is_contact { self.pair_series(owner, &pairs, quantity) } else { Ok(None) }
    }

    /// A column as it stands in a table.
    fn column(&self, table: Table, owner: &str, quantity: &str, name: &str) -> Result<Option<Series>, Error> {
        let columns = self.table(table)?;
        let Some(index) = columns.find(name) else { return Ok(None) };
        let values = match (columns.floats(name), columns.counts(name)) {
            (Some(floats), _) => floats.to_vec(),
            (_, Some(counts)) => counts.iter().map(|&n| f64::from(n)).collect(),
            _ => return Ok(None),
        };
        let column = &columns.columns()[index];
        let base = if name == quantity { format!("{owner}.{}", column.base) } else { column.base.clone() };
        let time = self.floats(table, "time")?.to_vec();
        Ok(Some(Series { name: base, unit: column.unit, meaning: column.meaning, time, values }))
    }

    /// A column of states.
    fn state_series(&self, name: &str) -> Result<Option<Series>, Error> {
        let Some((column, values)) = self.state(name)? else { return Ok(None) };
        let time = self.times()?.to_vec();
        Ok(Some(Series { name: column.base, unit: column.unit, meaning: column.meaning, time, values }))
    }

    /// Its numbers alone.
    fn state_values(&self, name: &str) -> Result<Vec<f64>, Error> {
        let missing = || Error::NoValue { message: format!("states has no column {name}") };
        Ok(self.state(name)?.ok_or_else(missing)?.1)
    }

    fn body_series(&self, owner: &str, quantity: &str) -> Result<Option<Series>, Error> {
        let Some(d) = find_derived(&derived::BODY, quantity) else {
            return self.state_series(&format!("{owner}.{quantity}"));
        };
        let letter = if d.0 == "speed" { 'v' } else { 'w' };
        let component = |axis| self.state_values(&format!("{owner}.{letter}{axis}"));
        let values = norms([&component('x')?, &component('y')?, &component('z')?]);
        Ok(Some(new_series(owner, d, self.times()?, values)))
    }

    /// A column of a joint, force element or constraint, or what is derived from a joint's.
    fn mechanism_series(&self, owner: &str, quantity: &str) -> Result<Option<Series>, Error> {
        let Some(d) = find_derived(&derived::JOINT, quantity) else {
            return self.state_series(&format!("{owner}.{quantity}"));
        };
        let component = |axis| self.state_values(&format!("{owner}.{}{axis}", d.0));
        let values = norms([&component('x')?, &component('y')?, &component('z')?]);
        Ok(Some(new_series(owner, d, self.times()?, values)))
    }

    fn energy_series(&self, quantity: &str) -> Result<Option<Series>, Error> {
        let Some(d) = find_derived(&derived::ENERGY, quantity) else {
            return self.column(Table::Energy, "energy", quantity, quantity);
        };
        let time = self.floats(Table::Energy, "time")?;
        let values = match d.0 {
            "mechanical" => self.sum_accounts(&derived::MECHANICAL)?,
            "dissipated" => self.sum_accounts(&derived::DISSIPATED)?,
            _ => self.residual_relative()?,
        };
        Ok(Some(new_series("energy", d, time, values)))
    }

    fn sum_accounts(&self, names: &[&str]) -> Result<Vec<f64>, Error> {
        let mut sums = vec![0.0; self.floats(Table::Energy, "time")?.len()];
        for name in names {
            for (sum, value) in sums.iter_mut().zip(self.floats(Table::Energy, name)?) {
                *sum += value;
            }
        }
        Ok(sums)
    }

    fn residual_relative(&self) -> Result<Vec<f64>, Error> {
        self.floats(Table::Energy, "residual")?.iter().map(|residual| self.relative(*residual)).collect()
    }

    /// A residual over what that of the whole run is relative to; 0/0 is 0.
    pub(super) fn relative(&self, residual: f64) -> Result<f64, Error> {
        let Some(end) = &self.manifest().energy else {
            let message = "energy.residual_relative is known only when a run has ended".to_owned();
            return Err(Error::NoValue { message });
        };
        Ok(if residual == 0.0 { 0.0 } else { residual.abs() / end.reference() })
    }

    fn pair_series(&self, owner: &str, pairs: &[usize], quantity: &str) -> Result<Option<Series>, Error> {
        if let Some(d) = find_derived(&derived::PAIR, quantity) {
            let component = |base| self.resultant(pairs, base, Combine::Sum);
            let (x, y, z) = (component("ftx")?, component("fty")?, component("ftz")?);
            return Ok(Some(new_series(owner, d, self.times()?, norms([&x, &y, &z]))));
        }
        if let Some(d) = find_derived(&derived::SEARCHES, quantity) {
            let (time, values) = self.search_rate(pairs, d.0)?;
            return Ok(Some(new_series(owner, d, &time, values)));
        }
        let Some(r) = RESULTANTS.iter().find(|r| r.base == quantity) else { return Ok(None) };
        let values = self.resultant(pairs, r.base, r.combine)?;
        let unit = r.unit(self.scene().is_angular(owner));
        Ok(Some(new_series(owner, (r.base, unit, r.meaning), self.times()?, values)))
    }

    /// One number per output time from the contacts of `pairs`.
    fn resultant(&self, pairs: &[usize], column: &str, combine: Combine) -> Result<Vec<f64>, Error> {
        let times = self.times()?;
        let mut values = vec![0.0; times.len()];
        let rows = self.table(Table::Contacts)?;
        let (keys, words) = rows.word_keys("pair").unwrap_or_default();
        let wanted: HashSet<&str> = pairs.iter().map(|&p| self.scene().pairs[p].name.as_str()).collect();
        let wanted: Vec<bool> = words.iter().map(|word| wanted.contains(word.as_str())).collect();
        let (row_times, numbers) =
            (self.floats(Table::Contacts, "time")?, self.floats(Table::Contacts, column)?);
        let mut frame = 0;
        for ((&key, time), number) in keys.iter().zip(row_times).zip(numbers) {
            // Both tables are in the order of time, and a row has the very time of its frame.
            while frame < times.len() && times[frame] < *time {
                frame += 1;
            }
            if frame < times.len() && wanted[key as usize] {
                values[frame] = combine.add(values[frame], *number);
            }
        }
        Ok(values)
    }
}

fn new_series(owner: &str, (base, unit, meaning): Derived, time: &[f64], values: Vec<f64>) -> Series {
    Series { name: format!("{owner}.{base}"), unit, meaning, time: time.to_vec(), values }
}

fn norms([x, y, z]: [&[f64]; 3]) -> Vec<f64> {
    x.iter().zip(y).zip(z).map(|((x, y), z)| derived::norm([*x, *y, *z])).collect()
}
