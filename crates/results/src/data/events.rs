//! The event log, row by row.

use super::RunData;
use crate::Error;
use crate::tables::Table;

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
        let float = |name: &str| self.floats(Table::Events, name);
        let kinds = self.words(Table::Events, "kind")?;
        let pairs = self.words(Table::Events, "pair")?;
        let features = self.words(Table::Events, "feature")?;
        let (time, gap, approach) = (float("time")?, float("gap")?, float("approach_speed")?);
        let (px, py, pz) = (float("px")?, float("py")?, float("pz")?);
        let (impulse, depth) = (float("impulse_normal")?, float("max_penetration")?);
        let (force, pressure) = (float("max_fn")?, float("max_pressure")?);
        Ok((0..time.len())
            .map(|i| EventRow {
                time: time[i],
                kind: kinds[i].to_owned(),
                pair: pairs[i].to_owned(),
                feature: features[i].to_owned(),
                gap: gap[i],
                position: [px[i], py[i], pz[i]],
                approach_speed: approach[i],
                impulse_normal: impulse[i],
                max_penetration: depth[i],
                max_force: force[i],
                max_pressure: pressure[i],
            })
            .collect())
    }
}
