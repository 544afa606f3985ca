//! Values at the probe times of expectations.

use super::RunData;
use crate::Error;
use crate::tables::{Table, derived};

impl RunData {
    /// Value of a quantity at a probe time, to the last bit of which it must agree; `None` if nothing was
    /// probed then, or not this.
    pub fn probe(&self, time: f64, name: &str) -> Result<Option<f64>, Error> {
        let quantity = self.scene().quantity(name)?.name;
        let (owner, base) = quantity.rsplit_once('.').unwrap_or((&quantity, ""));
        if (owner, base) == ("energy", "residual_relative") {
            return Ok(match self.probe(time, "energy.residual")? {
                Some(residual) => Some(self.relative(residual)?),
                None => None,
            });
        }
        let probes = self.table(Table::Probes)?;
        let times = self.floats(Table::Probes, "time")?;
        let values = self.floats(Table::Probes, "value_si")?;
        let (keys, words) = probes.word_keys("quantity").unwrap_or_default();
        let mut rows = (0..times.len()).filter(|&i| times[i] == time).peekable();
        let was_probed = rows.peek().is_some();
        let found = rows.find(|&i| words[keys[i] as usize] == quantity).map(|i| values[i]);
        // A pair that does not touch has no rows, and no forces.
        let is_of_contacts = derived::SEARCHES.iter().all(|d| d.0 != base);
        let is_idle = was_probed && is_of_contacts && self.scene().contact_owners().any(|o| o == owner);
        Ok(found.or(is_idle.then_some(0.0)))
    }
}
