//! Quantities by name: `ball.z`, `ball.speed`, `drop.fn_n`, `energy.residual_relative`, `steps.h`.

use std::collections::HashSet;

use super::{RunData, suggest};
use crate::Error;
use crate::tables::resultants::{Combine, RESULTANTS};
use crate::tables::{Table, energy, states, with_unit};

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

/// A quantity that is computed from others: name, unit, meaning.
type Derived = (&'static str, &'static str, &'static str);

const BODY_DERIVED: [Derived; 2] = [
    ("speed", "m/s", "magnitude of the velocity of the body frame's origin"),
    ("angular_speed", "rad/s", "magnitude of the angular velocity"),
];
const PAIR_DERIVED: [Derived; 1] = [("ft", "N", "magnitude of the sum of the friction forces")];
const ENERGY_DERIVED: [Derived; 3] = [
    ("mechanical", "J", "kinetic and all potential energies"),
    ("dissipated", "J", "lost in damping, friction and impacts since the start"),
    ("residual_relative", "", "|residual| over the energy moved in the whole run"),
];

fn derived(list: &[Derived], quantity: &str) -> Option<Derived> {
    let answers = |d: &&Derived| quantity == d.0 || quantity == with_unit(d.0, d.1);
    list.iter().find(answers).copied()
}

impl RunData {
    /// The quantity that `name` means, with or without its unit.
    pub fn series(&self, name: &str) -> Result<Series, Error> {
        let found = match name.rsplit_once('.') {
            Some((owner, quantity)) => self.find(owner, quantity)?,
            None => None,
        };
        found.ok_or_else(|| self.unknown(name))
    }

    /// Every name that [`Self::series`] knows, without units.
    pub fn quantity_names(&self) -> Vec<String> {
        let scene = self.scene();
        let of = |owner: &str, bases: &mut dyn Iterator<Item = &'static str>| -> Vec<String> {
            bases.map(|base| format!("{owner}.{base}")).collect()
        };
        let mut names = Vec::new();
        for body in &scene.bodies {
            let derived = BODY_DERIVED.iter().map(|d| d.0);
            names.extend(of(&body.name, &mut states::body_quantities().chain(derived)));
        }
        let pairs = scene.pairs.iter().map(|p| p.name.as_str());
        let whole_lines =
            scene.lines().into_iter().filter(|line| scene.pairs.iter().all(|p| p.name != *line));
        for owner in whole_lines.chain(pairs) {
            let derived = PAIR_DERIVED.iter().map(|d| d.0);
            names.extend(of(owner, &mut RESULTANTS.iter().map(|r| r.base).chain(derived)));
        }
        let derived = ENERGY_DERIVED.iter().map(|d| d.0);
        names.extend(of("energy", &mut energy::ACCOUNTS.iter().map(|a| a.0).chain(derived)));
        names.extend(of("steps", &mut ["h", "error", "rejected", "rhs", "contacts"].into_iter()));
        names
    }

    fn unknown(&self, name: &str) -> Error {
        let names = self.quantity_names();
        let scene = self.scene();
        let owners = scene.bodies.iter().map(|b| b.name.as_str()).chain(scene.lines()).chain(["energy"]);
        Error::UnknownQuantity {
            name: name.to_owned(),
            similar: suggest::similar(name, names.iter().map(String::as_str)),
            owners: owners.map(str::to_owned).collect(),
        }
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
        let pairs = self.scene().pairs_of(owner);
        if pairs.is_empty() { Ok(None) } else { self.pair_series(owner, &pairs, quantity) }
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

    fn body_series(&self, owner: &str, quantity: &str) -> Result<Option<Series>, Error> {
        let Some(d) = derived(&BODY_DERIVED, quantity) else {
            return self.column(Table::States, owner, quantity, &format!("{owner}.{quantity}"));
        };
        let letter = if d.0 == "speed" { 'v' } else { 'w' };
        let component = |axis| self.floats(Table::States, &format!("{owner}.{letter}{axis}"));
        let values = norms([component('x')?, component('y')?, component('z')?]);
        Ok(Some(new_series(owner, d, self.times()?, values)))
    }

    fn energy_series(&self, quantity: &str) -> Result<Option<Series>, Error> {
        let Some(d) = derived(&ENERGY_DERIVED, quantity) else {
            return self.column(Table::Energy, "energy", quantity, quantity);
        };
        let time = self.floats(Table::Energy, "time")?;
        let values = match d.0 {
            "mechanical" => self.sum_accounts(&["kinetic", "gravity", "springs", "contact_elastic"])?,
            "dissipated" => self.sum_accounts(&[
                "dissipated_normal",
                "dissipated_friction",
                "dissipated_viscous",
                "dissipated_impact",
            ])?,
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
        let Some(end) = &self.manifest().energy else {
            let message = "energy.residual_relative is known only when a run has ended".to_owned();
            return Err(Error::NoValue { message });
        };
        let relative =
            |residual: &f64| if *residual == 0.0 { 0.0 } else { residual.abs() / end.energy_moved_j };
        Ok(self.floats(Table::Energy, "residual")?.iter().map(relative).collect())
    }

    fn pair_series(&self, owner: &str, pairs: &[usize], quantity: &str) -> Result<Option<Series>, Error> {
        if let Some(d) = derived(&PAIR_DERIVED, quantity) {
            let component = |base| self.resultant(pairs, base, Combine::Sum);
            let (x, y, z) = (component("ftx")?, component("fty")?, component("ftz")?);
            return Ok(Some(new_series(owner, d, self.times()?, norms([&x, &y, &z]))));
        }
        let answers = |base: &str, unit: &str| quantity == base || quantity == with_unit(base, unit);
        let Some(r) = RESULTANTS.iter().find(|r| answers(r.base, r.unit)) else { return Ok(None) };
        let values = self.resultant(pairs, r.base, r.combine)?;
        Ok(Some(new_series(owner, (r.base, r.unit, r.meaning), self.times()?, values)))
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
    x.iter().zip(y).zip(z).map(|((x, y), z)| (x * x + y * y + z * z).sqrt()).collect()
}
