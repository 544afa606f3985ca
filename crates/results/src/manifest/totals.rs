//! Totals of pairs and lines.

use std::fmt::Write;

use carom_engine::Outcome;
use carom_engine::record::{Jump, LineTotals, PairTotals, Peaks};
use serde::{Deserialize, Serialize};

use super::number;
use crate::{Scene, ScenePair};

/// Totals of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TotalsRecord {
    /// Greatest penetration, located.
    #[serde(deserialize_with = "number::one")]
    pub max_penetration_m: f64,
    /// When that was.
    #[serde(deserialize_with = "number::one")]
    pub max_penetration_time_s: f64,
    /// Greatest sum of the normal forces of its contacts, located; of a cable its tension.
    #[serde(deserialize_with = "number::one")]
    pub max_fn_n: f64,
    /// When that was.
    #[serde(deserialize_with = "number::one")]
    pub max_fn_time_s: f64,
    /// Least sum of the normal forces, located; 0 once nothing touches.
    #[serde(deserialize_with = "number::one")]
    pub min_fn_n: f64,
    /// When that was, first.
    #[serde(deserialize_with = "number::one")]
    pub min_fn_time_s: f64,
    /// Greatest pressure, located; 0 if the pair is not areal.
    #[serde(deserialize_with = "number::one")]
    pub max_pressure_pa: f64,
    /// When that was.
    #[serde(deserialize_with = "number::one")]
    pub max_pressure_time_s: f64,
    /// Normal impulse.
    #[serde(deserialize_with = "number::one")]
    pub impulse_n_s: f64,
    /// Energy lost.
    #[serde(deserialize_with = "number::one")]
    pub dissipated_j: f64,
    /// Contacts begun.
    pub begins: u64,
    /// Energy stored beyond the work that went into its contacts: its share of the ledger's `model_defect`.
    #[serde(default, deserialize_with = "number::one")]
    pub model_defect_j: f64,
    /// The step that added most to it.
    #[serde(default)]
    pub worst_jump: Option<JumpRecord>,
}

/// A step over which a pair stored or gave back energy that no work accounts for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JumpRecord {
    /// That energy.
    #[serde(deserialize_with = "number::one")]
    pub energy_j: f64,
    /// End of the step.
    #[serde(deserialize_with = "number::one")]
    pub time_s: f64,
    /// Base of the contact element with the largest share, `a` or `b`; none if the contact is not areal.
    pub base: Option<char>,
    /// That element, a triangle of the base.
    pub triangle: Option<u32>,
}

impl JumpRecord {
    /// In words, for the pair that it is of.
    pub fn describe(&self, pair: &ScenePair) -> String {
        let mut text = format!("{:.3e} J in the step to {:.6} s", self.energy_j, self.time_s);
        if let (Some(base), Some(triangle)) = (self.base, self.triangle) {
            let body = if base == 'a' { &pair.a } else { &pair.b };
            let _ = write!(text, ", triangle {triangle} of {body}");
        }
        text
    }

    fn new(jump: &Jump) -> Option<Self> {
        let triangle = jump.triangle;
        (jump.energy != 0.0).then(|| Self {
            energy_j: jump.energy,
            time_s: jump.time,
            base: triangle.map(|t| if t.on_a { 'a' } else { 'b' }),
            triangle: triangle.map(|t| t.triangle),
        })
    }
}

impl TotalsRecord {
    pub(crate) fn new(totals: &PairTotals) -> Self {
        let Peaks { force, penetration, pressure } = totals.peaks;
        Self {
            max_penetration_m: penetration.value,
            max_penetration_time_s: penetration.time,
            max_fn_n: force.value,
            max_fn_time_s: force.time,
            min_fn_n: totals.least_force.value,
            min_fn_time_s: totals.least_force.time,
            max_pressure_pa: pressure.value,
            max_pressure_time_s: pressure.time,
            impulse_n_s: totals.impulse_normal,
            dissipated_j: totals.dissipated,
            begins: totals.begins,
            model_defect_j: totals.model_defect,
            worst_jump: JumpRecord::new(&totals.worst_jump),
        }
    }
}

/// The greatest value among the pairs of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeakRecord {
    /// Value, in SI units.
    #[serde(deserialize_with = "number::one")]
    pub value: f64,
    /// When it was.
    #[serde(deserialize_with = "number::one")]
    pub time_s: f64,
    /// The pair.
    pub pair: String,
}

/// Totals of a contact line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineRecord {
    /// Name of the line.
    pub name: String,
    /// Greatest sum of the normal forces of its pairs, located.
    #[serde(deserialize_with = "number::one")]
    pub max_fn_n: f64,
    /// When that was.
    #[serde(deserialize_with = "number::one")]
    pub max_fn_time_s: f64,
    /// Least sum of the normal forces, located; 0 once nothing touches.
    #[serde(deserialize_with = "number::one")]
    pub min_fn_n: f64,
    /// When that was, first.
    #[serde(deserialize_with = "number::one")]
    pub min_fn_time_s: f64,
    /// Greatest normal force of a pair; none if no pair has touched.
    pub greatest_fn_n: Option<PeakRecord>,
    /// Greatest penetration.
    pub greatest_penetration_m: Option<PeakRecord>,
    /// Greatest pressure of areal contact.
    pub greatest_pressure_pa: Option<PeakRecord>,
}

impl LineRecord {
    pub(crate) fn of_run(outcome: &Outcome, scene: &Scene) -> Vec<Self> {
        outcome.lines.iter().map(|line| Self::new(line, outcome, scene)).collect()
    }

    fn new(line: &LineTotals, outcome: &Outcome, scene: &Scene) -> Self {
        let greatest = |of: fn(&Peaks) -> carom_engine::record::Peak| {
            let pairs = scene.pairs.iter().zip(&outcome.pairs).filter(|(pair, _)| pair.line == line.name);
            let peaks = pairs.map(|(pair, totals)| (pair, of(&totals.peaks)));
            // Of equal ones the first.
            let first = peaks.reduce(|best, next| if next.1.value > best.1.value { next } else { best });
            first.filter(|(_, peak)| peak.value > 0.0).map(|(pair, peak)| PeakRecord {
                value: peak.value,
                time_s: peak.time,
                pair: pair.name.clone(),
            })
        };
        Self {
            name: line.name.clone(),
            max_fn_n: line.force.value,
            max_fn_time_s: line.force.time,
            min_fn_n: line.least_force.value,
            min_fn_time_s: line.least_force.time,
            greatest_fn_n: greatest(|p| p.force),
            greatest_penetration_m: greatest(|p| p.penetration),
            greatest_pressure_pa: greatest(|p| p.pressure),
        }
    }
}
