//! `run.json`: where a run comes from, what it did and what it amounts to. Units end the names.

mod clock;
mod file_record;
mod host;
mod number;
mod outcome;
mod pairs;
mod provenance;
mod seal;
mod totals;

use std::path::Path;
use std::time::Instant;

use carom_engine::Outcome;
use serde::{Deserialize, Serialize};

pub use clock::{now, utc};
pub use file_record::FileRecord;
pub use outcome::{EndRecord, EnergyRecord, FinalBody, FinalJoint, Problem, StatisticsRecord, Verdict};
pub use pairs::{PairsRecord, WorstPair};
pub use provenance::{Command, Host, ModelRecord, Program, Provenance, SolverRecord, Tolerances};
pub use totals::{JumpRecord, LineRecord, PeakRecord, TotalsRecord};

use crate::store::{load_table, vouched};
use crate::tables::{Table, pairs as table_of_pairs};
use crate::{Error, SCHEMA_VERSION, Scene, checkpoint, files, layout};

/// Largest `run.json` that is read (bytes).
const MOST: u64 = 1 << 30;

/// The oldest schema that is read: 2 has the pairs with their totals in `run.json`, and states of any number of bodies
/// wide.
pub(crate) const OLDEST_SCHEMA: u64 = 2;
/// The first with a table of pairs, and with checksums.
const TABLE_OF_PAIRS: u64 = 3;

/// Units of everything that does not say its own.
const UNITS: &str = "SI: m, kg, s, rad, N, J, W";

/// When a run happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Start, UTC, RFC 3339.
    pub started: String,
    /// End; the last known moment of a killed run.
    pub ended: Option<String>,
    /// Wall time with output (s), all parts of a resumed run together.
    pub wall_s: f64,
    /// How often the run was resumed.
    pub resumed: u32,
}

/// A table that the folder holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRecord {
    /// Name, such as `states`.
    pub name: String,
    /// File in the run folder.
    pub file: String,
    /// Number of rows.
    pub rows: u64,
}

/// Contents of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the result schema.
    pub schema: u32,
    /// Name of the model.
    pub name: String,
    /// Where the run comes from.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Units.
    pub units: String,
    /// When.
    pub timing: Timing,
    /// How it ended.
    pub end: EndRecord,
    /// Counters; absent while running and after a kill.
    pub statistics: Option<StatisticsRecord>,
    /// Energy accounts at the end; absent while running and after a kill.
    pub energy: Option<EnergyRecord>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// Expectations of the model, if they were asked for.
    #[serde(default)]
    pub expectations: Vec<Verdict>,
    /// Names of bodies, joints, forces, constraints, pairs and contacts.
    pub scene: Scene,
    /// Bodies at the end, in the order of the scene; empty while running and after a kill.
    pub final_bodies: Vec<FinalBody>,
    /// Joints at the end, in the order of the scene; empty if the end was not an output time.
    #[serde(default)]
    pub final_joints: Vec<FinalJoint>,
    /// Totals of the pairs, in the order of the scene; empty while running and after a kill. They are in the table of
    /// pairs.
    #[serde(skip_serializing, default)]
    pub totals: Vec<TotalsRecord>,
    /// What the pairs amount to.
    #[serde(default)]
    pub pairs: PairsRecord,
    /// Totals of the contact lines, limits of joints and cables among them; empty while running and after a kill.
    pub lines: Vec<LineRecord>,
    /// Tables in the folder.
    pub tables: Vec<TableRecord>,
    /// Checksums of the files that do not change any more.
    #[serde(default)]
    pub files: Vec<FileRecord>,
}

/// Code of the notice about pairs that never touched.
const NEVER_TOUCHED: &str = "N0601";

/// Pairs named of those that never touched.
const NAMED: usize = 5;

impl Manifest {
    /// The pairs of a finished run that never touched, as a notice with its code. Stops of joints and cables
    /// are not counted.
    pub(crate) fn never_touched(&self) -> Option<String> {
        if self.end.reason != "finished" {
            return None;
        }
        let surfaces = self.scene.pairs.iter().zip(&self.totals).filter(|(pair, _)| pair.is_of_surfaces());
        let (mut all, mut untouched) = (0, Vec::new());
        for (pair, totals) in surfaces {
            all += 1;
            if totals.begins == 0 && totals.max_penetration_m == 0.0 {
                untouched.push(pair.name.as_str());
            }
        }
        let named = untouched.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = match untouched.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let count = untouched.len();
        (count > 0).then(|| format!("{NEVER_TOUCHED}: {count} of {all} pairs never touched: {named}{more}"))
    }

    pub(crate) fn started(name: &str, provenance: Provenance, scene: Scene) -> Self {
        Self {
            schema: SCHEMA_VERSION,
            name: name.to_owned(),
            provenance,
            units: UNITS.to_owned(),
            timing: Timing { started: now(), ..Timing::default() },
            end: EndRecord::running(),
            statistics: None,
            energy: None,
            warnings: Vec::new(),
            expectations: Vec::new(),
            scene,
            final_bodies: Vec::new(),
            final_joints: Vec::new(),
            totals: Vec::new(),
            pairs: PairsRecord::default(),
            lines: Vec::new(),
            tables: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Takes what a run amounts to; `scene` has the pairs that came up in it, too.
    pub(crate) fn note_outcome(&mut self, outcome: &Outcome, scene: &Scene) {
        self.totals = outcome.pairs.iter().map(TotalsRecord::new).collect();
        self.pairs = PairsRecord::new(scene, &self.totals);
        self.end = EndRecord::new(outcome);
        self.statistics = Some(StatisticsRecord::new(outcome));
        self.energy = Some(EnergyRecord::new(outcome));
        self.final_bodies = outcome.bodies.iter().map(FinalBody::new).collect();
        self.scene.clone_from(scene);
        self.lines = LineRecord::of_run(outcome, scene);
        self.warnings.clone_from(&outcome.warnings);
        self.warnings.extend(self.never_touched());
    }

    /// Takes the time since this part of the run was started.
    pub(crate) fn note_clock(&mut self, started: Instant) {
        self.timing.wall_s += started.elapsed().as_secs_f64();
        self.timing.ended = Some(now());
    }

    /// Reads the manifest of a run folder.
    pub fn read(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(layout::RUN_JSON);
        let text = match files::read_text(&path, MOST) {
            Err(Error::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NotARun { dir: dir.to_owned() });
            }
            other => other?,
        };
        let damaged = |error| Error::damaged(&path, error);
        let changed = || Error::damaged(&path, "it has been changed after it was written");
        if seal::is_sealed(&text) && !seal::is_whole(&text) {
            return Err(changed());
        }
        let value: serde_json::Value = serde_json::from_str(&text).map_err(damaged)?;
        // The version first: another schema need not have the same fields.
        let schema = value.get("schema").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if !(OLDEST_SCHEMA..=u64::from(SCHEMA_VERSION)).contains(&schema) {
            return Err(Error::OtherSchema {
                dir: dir.to_owned(),
                found: u32::try_from(schema).unwrap_or(u32::MAX),
            });
        }
        if schema >= TABLE_OF_PAIRS && !seal::is_sealed(&text) {
            return Err(changed());
        }
        let mut manifest: Self = serde_json::from_value(value).map_err(damaged)?;
        if schema >= TABLE_OF_PAIRS {
            manifest.read_pairs(dir)?;
        } else {
            manifest.scene.always_wide = true;
            manifest.pairs = PairsRecord::new(&manifest.scene, &manifest.totals);
            manifest.trust_files(dir)?;
        }
        if let Some(contact) = manifest.scene.contacts.iter().find(|c| c.pair >= manifest.scene.pairs.len()) {
            return Err(Error::damaged(&path, format!("there is no pair {}", contact.pair)));
        }
        Ok(manifest)
    }

    /// Takes the pairs from their table.
    fn read_pairs(&mut self, dir: &Path) -> Result<(), Error> {
        let table = load_table(dir, Table::Pairs, &self.scene, &self.files)?;
        let found = table.as_ref().map(table_of_pairs::read).transpose()?;
        let table_of_pairs::Contents { pairs, contacts, totals } = found.unwrap_or_default();
        // A run that has ended has counted them.
        if self.statistics.is_some() {
            if pairs.len() != self.pairs.count {
                let message = format!("{} pairs, but run.json counts {}", pairs.len(), self.pairs.count);
                return Err(Error::damaged(&dir.join(Table::Pairs.parquet_file()), message));
            }
            self.totals = totals;
        }
        (self.scene.pairs, self.scene.contacts) = (pairs, contacts);
        Ok(())
    }

    /// Is the run under way, or was it killed and not recovered since?
    pub fn is_running(&self) -> bool {
        self.end.reason == EndRecord::RUNNING
    }

    /// Writes it into a run folder, all or nothing.
    pub fn write(&self, dir: &Path) -> Result<(), Error> {
        let path = dir.join(layout::RUN_JSON);
        let value = serde_json::to_value(self).map(|value| self.with_pairs_of_old(value));
        let text = value.and_then(|value| serde_json::to_string_pretty(&value));
        let text = text.map_err(|e| Error::write(&path)(std::io::Error::other(e)))?;
        files::write_atomically(&path, &[seal::seal(&(text + "\n")).as_bytes()])
    }

    /// Holds all files of the folder against their checksums, those of a run that goes on too.
    pub fn verify(&self, dir: &Path) -> Result<(), Error> {
        self.files.iter().try_for_each(|record| record.verify(dir))?;
        for table in Table::ALL {
            let stream = dir.join(table.stream_file());
            let is_kept = self.files.iter().any(|record| record.file == table.parquet_file());
            if !is_kept && stream.is_file() {
                vouched(&stream)?.damage.map_or(Ok(()), Err)?;
            }
        }
        if dir.join(layout::CHECKPOINT).exists() { checkpoint::read(dir).map(|_| ()) } else { Ok(()) }
    }

    /// Takes the checksums of the model's files, which the run has just written.
    pub(crate) fn note_model_files(&mut self, dir: &Path) -> Result<(), Error> {
        let records = layout::MODEL_FILES.iter().map(|name| FileRecord::of(dir, name));
        self.files = records.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Takes the checksums of the tables as they are now. The model's files keep theirs: what was done to them since
    /// the run wrote them stays seen.
    pub(crate) fn note_tables(&mut self, dir: &Path) -> Result<(), Error> {
        self.files.retain(|record| layout::MODEL_FILES.contains(&record.file.as_str()));
        for table in &self.tables {
            self.files.push(FileRecord::of(dir, &table.file)?);
        }
        Ok(())
    }

    /// Takes the tables of a run whose schema has no checksums for what was written.
    fn trust_files(&mut self, dir: &Path) -> Result<(), Error> {
        let there = self.tables.iter().filter(|table| dir.join(&table.file).is_file());
        self.files = there.map(|table| FileRecord::of(dir, &table.file)).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// A run of an older schema, which is recovered or judged, keeps its pairs where its schema has them.
    fn with_pairs_of_old(&self, mut value: serde_json::Value) -> serde_json::Value {
        if u64::from(self.schema) < TABLE_OF_PAIRS {
            value["scene"]["pairs"] = serde_json::json!(self.scene.pairs);
            value["scene"]["contacts"] = serde_json::json!(self.scene.contacts);
            value["totals"] = serde_json::json!(self.totals);
        }
        value
    }

    /// The short provenance that every table repeats, so that a lone file can be traced. It holds nothing
    /// that differs between two runs of the same model by the same version.
    pub fn about(&self) -> Vec<(String, String)> {
        let p = &self.provenance;
        let mut about = vec![
            ("carom.schema".to_owned(), self.schema.to_string()),
            ("carom.version".to_owned(), p.program.version.clone()),
            ("carom.model".to_owned(), self.name.clone()),
            ("carom.model_hash".to_owned(), p.model.hash.clone()),
            ("carom.solver".to_owned(), p.solver.describe()),
            ("carom.units".to_owned(), self.units.clone()),
        ];
        if let Some(hash) = &p.program.git_hash {
            about.push(("carom.git_hash".to_owned(), hash.clone()));
        }
        about
    }
}
