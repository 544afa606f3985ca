//! What the pairs of a run amount to, in short: `run.json` stays small however many there are.

use serde::{Deserialize, Serialize};

use super::{TotalsRecord, number};
use crate::Scene;

/// Pairs listed.
const WORST: usize = 10;

/// Totals of all pairs, and the worst of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairsRecord {
    /// Number of pairs.
    pub count: usize,
    /// Of these, pairs that have touched.
    pub touched: usize,
    /// Contacts begun.
    pub begins: u64,
    /// Energy lost in them.
    #[serde(deserialize_with = "number::one")]
    pub dissipated_j: f64,
    /// Energy that they have stored beyond the work that went into their contacts.
    #[serde(deserialize_with = "number::one")]
    pub model_defect_j: f64,
    /// Those with the greatest penetrations, the greatest first; all are in the table of pairs.
    pub worst: Vec<WorstPair>,
}

/// A pair with its totals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorstPair {
    /// Name.
    pub pair: String,
    /// Totals.
    #[serde(flatten)]
    pub totals: TotalsRecord,
}

impl PairsRecord {
    /// Of the pairs of a scene, which have these totals, or none yet.
    pub(crate) fn new(scene: &Scene, totals: &[TotalsRecord]) -> Self {
        let mut touched: Vec<_> = scene
            .pairs
            .iter()
            .zip(totals)
            .filter(|(_, t)| t.begins > 0 || t.max_penetration_m > 0.0)
            .collect();
        // The sort is stable: of equal ones the first.
        touched.sort_by(|a, b| b.1.max_penetration_m.total_cmp(&a.1.max_penetration_m));
        let worst = touched.iter().take(WORST);
        Self {
            count: scene.pairs.len(),
            touched: touched.len(),
            begins: totals.iter().map(|t| t.begins).sum(),
            dissipated_j: totals.iter().map(|t| t.dissipated_j).sum(),
            model_defect_j: totals.iter().map(|t| t.model_defect_j).sum(),
            worst: worst.map(|(pair, t)| WorstPair { pair: pair.name.clone(), totals: **t }).collect(),
        }
    }
}
