//! Tables of a run: which there are, their columns, and how the engine's rows become theirs.
//!
//! Names carry their unit last; unit, frame and meaning are also in the metadata of each field.

mod column;
mod columns;
pub mod constraints;
pub mod contacts;
pub mod contours;
pub mod derived;
pub mod elements;
pub mod energy;
pub mod episodes;
pub mod events;
pub mod forces;
pub mod joints;
pub mod mechanism;
pub mod pairs;
pub mod patches;
pub mod probes;
pub mod regions;
pub mod resultants;
pub mod searches;
pub mod states;
pub mod steps;
mod vocabulary;

pub use column::{Column, Kind, with_unit};
pub use columns::{Columns, Row, Values};
pub use vocabulary::Vocabulary;

use crate::Scene;

/// A table of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Bodies, joints, force elements and constraints, one row per output time; of many bodies one row per body and
    /// output time.
    States,
    /// Contacts that are not open, one row per contact and output time.
    Contacts,
    /// The event log.
    Events,
    /// Energy accounts, one row per output time.
    Energy,
    /// Accepted steps, if the model asks for them.
    Steps,
    /// Quantities at the probe times of expectations.
    Probes,
    /// Patches of areal contacts: those at the greatest pressure of each episode, and if the model asks for them at output
    /// times.
    Patches,
    /// Their elements.
    Elements,
    /// Regions in which triangle surfaces cut each other, one row per region and output time.
    Regions,
    /// Their contours, if the model asks for patches.
    Contours,
    /// What finding them costs, if the model asks for it.
    Searches,
    /// Contacts from begin to end, with their located peaks.
    Episodes,
    /// Joints, force elements and constraints, where the states are long.
    Mechanism,
    /// Pairs that may touch, with their totals.
    Pairs,
}

impl Table {
    /// All tables, in the order of the documentation.
    pub const ALL: [Self; 14] = [
        Self::States,
        Self::Contacts,
        Self::Events,
        Self::Energy,
        Self::Steps,
        Self::Probes,
        Self::Patches,
        Self::Elements,
        Self::Regions,
        Self::Contours,
        Self::Searches,
        Self::Episodes,
        Self::Mechanism,
        Self::Pairs,
    ];

    /// Name without file extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::States => "states",
            Self::Contacts => "contacts",
            Self::Events => "events",
            Self::Energy => "energy",
            Self::Steps => "steps",
            Self::Probes => "probes",
            Self::Patches => "patches",
            Self::Elements => "elements",
            Self::Regions => "regions",
            Self::Contours => "contours",
            Self::Searches => "searches",
            Self::Episodes => "episodes",
            Self::Mechanism => "mechanism",
            Self::Pairs => "pairs",
        }
    }

    /// File while the run goes on.
    pub fn stream_file(self) -> String {
        format!("{}.arrows", self.name())
    }

    /// File when it has ended.
    pub fn parquet_file(self) -> String {
        format!("{}.parquet", self.name())
    }

    /// No file is kept if nothing was recorded.
    pub fn is_optional(self) -> bool {
        !matches!(self, Self::States | Self::Contacts | Self::Events | Self::Energy)
    }

    /// Are its rows those of output times, in their order?
    pub(crate) fn is_over_output_times(self) -> bool {
        matches!(self, Self::States | Self::Contacts | Self::Energy | Self::Searches | Self::Mechanism)
    }

    /// Columns for a run with these names.
    pub fn columns(self, scene: &Scene) -> Vec<Column> {
        match self {
            Self::States => states::columns(scene),
            Self::Contacts => contacts::columns(),
            Self::Events => events::columns(),
            Self::Energy => energy::columns(),
            Self::Steps => steps::columns(),
            Self::Probes => probes::columns(),
            Self::Patches => patches::columns(),
            Self::Elements => elements::columns(),
            Self::Regions => regions::columns(),
            Self::Contours => contours::columns(),
            Self::Searches => searches::columns(),
            Self::Episodes => episodes::columns(),
            Self::Mechanism => mechanism::columns(),
            Self::Pairs => pairs::columns(),
        }
    }
}

fn time_column() -> Column {
    Column::float("time", "s", "time since the start of the run")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn column_names_are_unique_and_documented() {
        for info in [fixture::info(), fixture::FakeRun::mechanism().info()] {
            let scene = Scene::new(&info);
            for table in Table::ALL {
                let columns = table.columns(&scene);
                let mut names: Vec<String> = columns.iter().map(Column::name).collect();
                names.sort();
                names.dedup();
                assert_eq!(names.len(), columns.len(), "{}", table.name());
                assert!(columns.iter().all(|c| !c.meaning.is_empty()), "{}", table.name());
                assert_eq!(columns[0].name(), if table == Table::Pairs { "pair" } else { "time_s" });
            }
        }
    }

    /// docs/results.md names every column, those of joints, force elements and constraints too.
    #[test]
    fn the_documentation_has_every_column() {
        let text = include_str!("../../../../docs/results.md");
        let scene = Scene::new(&fixture::FakeRun::mechanism().info());
        let words: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        for table in Table::ALL {
            for column in table.columns(&scene) {
                let name = column.name();
                let base = name.rsplit('.').next().unwrap_or(&name);
                assert!(words.contains(&base), "{} has {base}", table.name());
            }
        }
    }
}
