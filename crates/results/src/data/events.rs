//! The event log, row by row.

use super::{RunData, floats_of, words_of};
use crate::Error;
use crate::tables::{Columns, Table};

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// Time (s).
    pub time: f64,
    /// Kind, such as `contact_begin`.
    pub kind: String,
    /// Pair.
    pub pair: String,
    /// Feature of the pair; empty if it has one.
    pub feature: String,
    /// Signed distance (m).
    pub gap: f64,
    /// Contact point (m).
    pub position: [f64; 3],
    /// Approach speed (m/s), positive while closing.
    pub approach_speed: f64,
    /// Normal impulse since the contact began (N s).
    pub impulse_normal: f64,
    /// Greatest penetration since the contact began (m).
    pub max_penetration: f64,
    /// Greatest normal force since then (N).
    pub max_force: f64,
    /// Greatest pressure since then (Pa); 0 if the contact is not areal.
    pub max_pressure: f64,
}

impl RunData {
    /// All events, in order.
    pub fn events(&self) -> Result<Vec<EventRow>, Error> {
        Ok(self.first_events(usize::MAX)?.0)
    }

    /// The first `most` events, and how many there are.
    pub fn first_events(&self, most: usize) -> Result<(Vec<EventRow>, u64), Error> {
        let (mut first, mut total) = (Vec::new(), 0);
        self.scan(Table::Events, &mut |batch| {
            total += batch.rows() as u64;
            first.extend(event_rows(batch)?.take(most - first.len()));
            Ok(())
        })?;
        Ok((first, total))
    }

    /// Times of contact begins (s); of those closer than `apart` (s) to the last one before that is listed, none.
    pub fn begins(&self, apart: f64) -> Result<Vec<f64>, Error> {
        let mut begins: Vec<f64> = Vec::new();
        self.scan(Table::Events, &mut |batch| {
            let times = floats_of(batch, Table::Events, "time")?;
            for (time, kind) in times.iter().zip(words_of(batch, Table::Events, "kind")?) {
                if kind == "contact_begin" && begins.last().is_none_or(|last| time - last >= apart) {
                    begins.push(*time);
                }
            }
            Ok(())
        })?;
        Ok(begins)
    }
}

/// Rows of the event log.
pub fn event_rows(batch: &Columns) -> Result<impl Iterator<Item = EventRow>, Error> {
    let float = |name: &str| floats_of(batch, Table::Events, name);
    let (time, gap, approach) = (float("time")?, float("gap")?, float("approach_speed")?);
    let (px, py, pz) = (float("px")?, float("py")?, float("pz")?);
    let (impulse, depth) = (float("impulse_normal")?, float("max_penetration")?);
    let (force, pressure) = (float("max_fn")?, float("max_pressure")?);
    let pairs = words_of(batch, Table::Events, "pair")?.zip(words_of(batch, Table::Events, "feature")?);
    let words = words_of(batch, Table::Events, "kind")?.zip(pairs).enumerate();
    Ok(words.map(move |(i, (kind, (pair, feature)))| EventRow {
        time: time[i],
        kind: kind.to_owned(),
        pair: pair.to_owned(),
        feature: feature.to_owned(),
        gap: gap[i],
        position: [px[i], py[i], pz[i]],
        approach_speed: approach[i],
        impulse_normal: impulse[i],
        max_penetration: depth[i],
        max_force: force[i],
        max_pressure: pressure[i],
    }))
}
