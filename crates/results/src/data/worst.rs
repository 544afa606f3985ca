//! The worst moments of areal contact: when all patches of a pair together have their greatest pressure, force and area.

use std::sync::Arc;

use super::{RunData, missing};
use crate::Error;
use crate::tables::{Columns, Table, patches};

/// What is greatest at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worst {
    /// The pressure on any element.
    Pressure,
    /// The force of all patches together.
    Force,
    /// The area of all patches together.
    Area,
}

impl Worst {
    const ALL: [Self; 3] = [Self::Pressure, Self::Force, Self::Area];
}

/// A recorded moment at which something of a pair is greatest.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstMoment {
    /// Name of the pair.
    pub pair: String,
    /// When (s).
    pub time: f64,
    /// What is.
    pub of: Vec<Worst>,
}

/// A time and whether it is an output or a peak.
type Moment = (f64, bool);

/// A row of a table of patches.
struct PatchRow<'a> {
    batch: &'a Columns,
    row: usize,
    /// Number of its pair among those that are asked for.
    pair: usize,
    moment: Moment,
}

/// All patches of a pair at one moment.
#[derive(Clone, Copy)]
struct Together {
    moment: Moment,
    pressure: f64,
    force: [f64; 3],
    area: f64,
}

impl Together {
    fn value(&self, of: Worst) -> f64 {
        match of {
            Worst::Pressure => self.pressure,
            Worst::Force => self.force.iter().map(|x| x * x).sum::<f64>().sqrt(),
            Worst::Area => self.area,
        }
    }
}

/// What is known of a pair so far: its rows of one moment follow each other.
#[derive(Clone, Default)]
struct Pair {
    now: Option<Together>,
    best: [Option<(f64, Moment)>; Worst::ALL.len()],
}

impl Pair {
    fn take(&mut self, patch: Together) {
        match &mut self.now {
            Some(now) if now.moment == patch.moment => {
                now.pressure = now.pressure.max(patch.pressure);
                now.area += patch.area;
                now.force = [0, 1, 2].map(|axis| now.force[axis] + patch.force[axis]);
            }
            _ => {
                self.close();
                self.now = Some(patch);
            }
        }
    }

    fn close(&mut self) {
        let Some(now) = self.now.take() else { return };
        for (best, of) in self.best.iter_mut().zip(Worst::ALL) {
            let value = now.value(of);
            // Of equal ones the first.
            if best.is_none_or(|(most, _)| value > most) {
                *best = Some((value, now.moment));
            }
        }
    }
}

impl RunData {
    /// The worst recorded moments of these pairs, those of a pair together and each once, and the run with nothing in its tables but
    /// patches and elements of them: they are read some at a time, so that a long run needs no more memory than a short one.
    pub fn worst_moments(&self, names: &[&str]) -> Result<(Self, Vec<WorstMoment>), Error> {
        let mut pairs = vec![Pair::default(); names.len()];
        self.scan_patches(Table::Patches, names, &mut |patch| {
            let number = |name: &str| patch.batch.floats(name).map(|values| values[patch.row]);
            let number = |name: &str| number(name).ok_or_else(|| missing(Table::Patches, name));
            let force = [number("fx")?, number("fy")?, number("fz")?];
            let (pressure, area) = (number("pressure")?, number("area")?);
            pairs[patch.pair].take(Together { moment: patch.moment, pressure, force, area });
            Ok(())
        })?;
        pairs.iter_mut().for_each(Pair::close);
        let mut moments: Vec<(usize, Moment, Vec<Worst>)> = Vec::new();
        for (number, pair) in pairs.iter().enumerate() {
            for (best, of) in pair.best.iter().zip(Worst::ALL) {
                let Some((_, moment)) = *best else { continue };
                match moments.iter_mut().find(|own| (own.0, own.1) == (number, moment)) {
                    Some(own) => own.2.push(of),
                    None => moments.push((number, moment, vec![of])),
                }
            }
        }
        let mut found = self.without_rows();
        for table in [Table::Patches, Table::Elements] {
            let mut kept = Columns::new(table.columns(self.scene()));
            self.scan_patches(table, names, &mut |patch| {
                if moments.iter().any(|own| (own.0, own.1) == (patch.pair, patch.moment)) {
                    kept.append(patch.batch, patch.row..patch.row + 1);
                }
                Ok(())
            })?;
            found.tables[table as usize] = Arc::new(kept).into();
        }
        let named = moments.into_iter().map(|(pair, (time, _), of)| WorstMoment {
            pair: names[pair].to_owned(),
            time,
            of,
        });
        Ok((found, named.collect()))
    }

    /// Feeds the rows of these pairs to `each`.
    fn scan_patches(
        &self,
        table: Table,
        names: &[&str],
        each: &mut dyn FnMut(&PatchRow<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.scan(table, &mut |batch| {
            let word = |name: &str| batch.word_keys(name).ok_or_else(|| missing(table, name));
            let ((pairs, words), (moments, kinds)) = (word("pair")?, word("moment")?);
            let times = batch.floats("time").ok_or_else(|| missing(table, "time"))?;
            let own: Vec<_> = words.iter().map(|word| names.iter().position(|name| name == word)).collect();
            for row in 0..batch.rows() {
                if let Some(pair) = own[pairs[row] as usize] {
                    let is_output = kinds[moments[row] as usize] == patches::OUTPUT;
                    each(&PatchRow { batch, row, pair, moment: (times[row], is_output) })?;
                }
            }
            Ok(())
        })
    }
}
