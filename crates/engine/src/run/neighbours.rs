//! Pairs that come up while a run goes on.

use super::advance::LEAST_SHORTENING;
use super::peak::UNTOUCHED;
use super::{Leave, Simulation};
use crate::contact::{LEDGER_QUADRATURES, QUADRATURES, add_wide_pair};
use crate::record::Recorder;
use crate::system::PairSource;

impl Simulation<'_> {
    /// Finds pairs of wide lines that can meet in the attempted step, at whose end the evaluator is, and makes room for them.
    /// False if they are so many that a shorter step has to come first.
    pub(super) fn meet_neighbours(&mut self, recorder: &mut dyn Recorder) -> Result<bool, Leave> {
        let step = self.stepper.step();
        let can_shorten = LEAST_SHORTENING * step >= self.smallest_step();
        let Self { evaluator, observer, neighbours, .. } = self;
        let pairs = evaluator.table.pairs.len();
        let contacts = evaluator.table.contacts.len();
        let bodies = &observer.step.bodies;
        let reach = |body: usize| bodies[body].travel();
        let crowd = neighbours.update(evaluator, &observer.path, can_shorten, reach);
        if let Some(share) = crowd.map_err(|_| self.failure_of_right_hand_side())? {
            self.next_step = share.max(LEAST_SHORTENING) * step;
            return Ok(false);
        }
        if self.evaluator.table.pairs.len() == pairs {
            return Ok(true);
        }
        self.make_room();
        self.timed(|s| {
            let table = &s.evaluator.table;
            recorder.pairs_added(&table.pair_info[pairs..], &table.contact_info[contacts..])
        })?;
        Ok(true)
    }

    /// Tells the recorder of pairs that came up before a restart.
    pub(super) fn announce_late_pairs(&mut self, recorder: &mut dyn Recorder) -> Result<(), Leave> {
        let (known, table) = (&self.system.table, &self.evaluator.table);
        if table.pairs.len() == known.pairs.len() {
            return Ok(());
        }
        let (pairs, contacts) = (known.pairs.len(), known.contacts.len());
        self.timed(|s| {
            let table = &s.evaluator.table;
            recorder.pairs_added(&table.pair_info[pairs..], &table.contact_info[contacts..])
        })
    }

    /// Surfaces of the pairs that have come up, two numbers a pair.
    pub(super) fn late_pairs(&self) -> Vec<f64> {
        let late = &self.evaluator.table.pairs[self.system.table.pairs.len()..];
        let surfaces = late.iter().filter_map(|pair| match &pair.source {
            PairSource::Surfaces(surfaces) => Some(surfaces.kernel_order),
            PairSource::Convex(convex) => Some(convex.surfaces),
            PairSource::Areal(_) | PairSource::Stop(_) | PairSource::Cable(_) => None,
        });
        surfaces.flatten().map(|s| s as f64).collect()
    }

    /// Makes the pairs that came up before a restart, unless they are there; false if they cannot be those of this system.
    pub(super) fn recall_pairs(&mut self, surfaces: &[f64]) -> bool {
        let known = self.evaluator.table.pairs.len() - self.system.table.pairs.len();
        let keys = surfaces.chunks_exact(2).map(|two| (two[0] as usize, two[1] as usize));
        for (s, t) in keys.clone().skip(known) {
            let count = self.system.surfaces.len();
            if s >= count
                || t >= count
                || add_wide_pair(&self.system, &mut self.evaluator.table, (s, t)).is_err()
            {
                return false;
            }
        }
        self.neighbours.note_pairs(keys);
        let table = &self.evaluator.table;
        self.evaluator.contacts.grow(table.contacts.len(), table.pairs.len());
        self.make_room();
        surfaces.len() == 2 * (self.evaluator.table.pairs.len() - self.system.table.pairs.len())
    }

    /// Buffers as long as the table of pairs asks for.
    pub(super) fn make_room(&mut self) {
        let table = &self.evaluator.table;
        let contacts = table.contacts.len();
        self.totals.resize(table.pairs.len(), UNTOUCHED);
        self.peaks.grow(table);
        self.growth.resize(LEDGER_QUADRATURES + QUADRATURES * contacts, 0.0);
        self.log.reserve(contacts + 1);
        self.contact_samples.reserve(contacts);
        self.evaluator.forces.reserve(contacts);
    }
}
