//! A run whose tables stay in memory.

use std::time::Instant;

use carom_engine::record::{
    ContactInfo, ElementSample, Episode, Event, Frame, PairInfo, PatchSample, RecordError, RunInfo, StepRow,
    Switch,
};
use carom_engine::{Outcome, Recorder};

use super::rows::{self, LastJoints, Pending};
use crate::manifest::{Manifest, Provenance};
use crate::tables::{Columns, Table, episodes, events, pairs, patches, probes, steps};
use crate::{RunData, Scene};

/// Receives a run from the engine and keeps what a run folder would.
pub struct MemoryWriter {
    manifest: Manifest,
    scene: Scene,
    /// Pairs and contacts at the start.
    first: [usize; 2],
    tables: Tables,
    last_joints: LastJoints,
    started: Instant,
}

/// How far a run in memory has come.
#[derive(Clone, Default)]
pub struct MemoryMark {
    rows: Vec<usize>,
    last_joints: LastJoints,
}

impl MemoryMark {
    /// Is everything there that is recorded up to here in what is recorded up to `end`?
    pub fn is_within(&self, end: &Self) -> bool {
        self.rows.iter().zip(&end.rows).all(|(rows, end)| rows <= end)
    }
}

/// One per table, in the order of [`Table::ALL`].
struct Tables(Vec<Columns>);

impl Pending for Tables {
    fn pending(&mut self, table: Table) -> &mut Columns {
        &mut self.0[table as usize]
    }
}

impl MemoryWriter {
    /// Nothing is recorded yet.
    pub fn new(info: &RunInfo, provenance: Provenance) -> Self {
        let scene = Scene::new(info);
        let tables = Tables(Table::ALL.iter().map(|table| Columns::new(table.columns(&scene))).collect());
        let manifest = Manifest::started(&info.model, provenance, scene.clone());
        let first = [scene.pairs.len(), scene.contacts.len()];
        let (last_joints, started) = (LastJoints::default(), Instant::now());
        Self { manifest, scene, first, tables, last_joints, started }
    }

    /// What is recorded so far.
    pub fn mark(&self) -> MemoryMark {
        let rows = self.tables.0.iter().map(Columns::rows).collect();
        MemoryMark { rows, last_joints: self.last_joints.clone() }
    }

    /// Forgets what was recorded since a mark. Pairs that have come up since the start come up again when the engine goes on
    /// from there.
    pub fn rewind(&mut self, mark: &MemoryMark) {
        self.tables.0.iter_mut().zip(&mark.rows).for_each(|(table, rows)| table.truncate(*rows));
        self.last_joints = mark.last_joints.clone();
        self.scene.pairs.truncate(self.first[0]);
        self.scene.contacts.truncate(self.first[1]);
    }

    /// Names of bodies, joints, pairs and contacts, those that have come up among them.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What is recorded so far of a table.
    pub fn table(&self, table: Table) -> &Columns {
        &self.tables.0[table as usize]
    }

    /// The run as it is read from a folder, with what it amounts to.
    pub fn finish(mut self, outcome: &Outcome) -> RunData {
        self.manifest.note_outcome(outcome, &self.scene);
        self.manifest.final_joints = self.last_joints.at(outcome.time, &self.scene);
        self.manifest.note_clock(self.started);
        pairs::push(self.tables.pending(Table::Pairs), &self.scene, 0, &self.manifest.totals);
        RunData::in_memory(self.manifest, self.tables.0)
    }
}

impl Recorder for MemoryWriter {
    fn pairs_added(&mut self, pairs: &[PairInfo], contacts: &[ContactInfo]) -> Result<(), RecordError> {
        self.scene.add_pairs(pairs, contacts);
        Ok(())
    }

    fn switch(&mut self, switch: &Switch) -> Result<(), RecordError> {
        self.manifest.provenance.solver.take(switch.to.name());
        Ok(())
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.last_joints.keep(frame);
        rows::push_frame(&mut self.tables, &self.scene, frame);
        Ok(())
    }

    fn probe(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        probes::push(self.tables.pending(Table::Probes), &self.scene, frame);
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), RecordError> {
        events::push(self.tables.pending(Table::Events), &self.scene, event);
        Ok(())
    }

    fn episode(&mut self, episode: &Episode) -> Result<(), RecordError> {
        episodes::push(self.tables.pending(Table::Episodes), &self.scene, episode);
        Ok(())
    }

    fn peak_patches(
        &mut self,
        time: f64,
        of_patches: &[PatchSample],
        of_elements: &[ElementSample],
    ) -> Result<(), RecordError> {
        rows::push_patches(&mut self.tables, &self.scene, (time, patches::PEAK), of_patches, of_elements);
        Ok(())
    }

    fn step(&mut self, step: &StepRow) -> Result<(), RecordError> {
        steps::push(self.tables.pending(Table::Steps), step);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, FakeRun, TempDir};

    #[test]
    fn in_memory_a_run_is_what_it_is_in_a_folder() {
        for run in [
            FakeRun::single_ball(),
            FakeRun { frames: 100, ..FakeRun::billiard() },
            FakeRun { balls: 320, frames: 5, ..FakeRun::mechanism() },
        ] {
            let dir = TempDir::new("memory");
            let written = fixture::finished(dir.path(), &run);
            let folder = RunData::open(dir.path()).unwrap();
            let mut writer = MemoryWriter::new(&run.info(), fixture::provenance("3f9a1c22d4e5f607"));
            let outcome = run.run(&mut writer, None);
            let memory = writer.finish(&outcome);
            for table in Table::ALL {
                let name = table.name();
                assert_eq!(folder.table(table).unwrap(), memory.table(table).unwrap(), "{name}");
            }
            let m = memory.manifest();
            assert_eq!((&m.scene, &m.totals, &m.lines), (&written.scene, &written.totals, &written.lines));
            assert_eq!((&m.energy, &m.end), (&written.energy, &written.end));
            assert_eq!((&m.final_bodies, &m.final_joints), (&written.final_bodies, &written.final_joints));
            assert_eq!(m.warnings, written.warnings);
            assert_eq!(folder.events().unwrap(), memory.events().unwrap());
            assert_eq!(folder.episodes().unwrap(), memory.episodes().unwrap());
        }
    }
}
