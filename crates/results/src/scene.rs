//! Names behind the numbers of a run: bodies, pairs and contacts.

use carom_engine::record::RunInfo;
use serde::{Deserialize, Serialize};

/// A body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneBody {
    /// Path, such as `rack[3].ball`.
    pub name: String,
    /// Cannot move.
    pub fixed: bool,
}

/// A pair of surfaces that may touch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenePair {
    /// Result name, `line` or `line[a|b]`.
    pub name: String,
    /// Contact line.
    pub line: String,
    /// Surface A; the normal points away from it.
    pub a: String,
    /// Surface B; reported forces act on it.
    pub b: String,
    /// Kernel that serves the pair.
    pub kernel: String,
    /// Law in words and numbers, as resolved.
    pub law: String,
}

/// A contact: a feature of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneContact {
    /// Index of the pair.
    pub pair: usize,
    /// Name of the feature; empty if the pair has one.
    pub feature: String,
}

/// Everything a run has names for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    /// Bodies, in the order of the model.
    pub bodies: Vec<SceneBody>,
    /// Pairs.
    pub pairs: Vec<ScenePair>,
    /// Contacts.
    pub contacts: Vec<SceneContact>,
}

impl Scene {
    /// Names as the engine gives them.
    pub fn new(info: &RunInfo) -> Self {
        let fixed = |i: usize| info.fixed.get(i).copied().unwrap_or(false);
        Self {
            bodies: info
                .bodies
                .iter()
                .enumerate()
                .map(|(i, name)| SceneBody { name: name.clone(), fixed: fixed(i) })
                .collect(),
            pairs: info
                .pairs
                .iter()
                .map(|p| ScenePair {
                    name: p.name.clone(),
                    line: p.line.clone(),
                    a: p.a.clone(),
                    b: p.b.clone(),
                    kernel: p.kernel.to_owned(),
                    law: p.law.clone(),
                })
                .collect(),
            contacts: info
                .contacts
                .iter()
                .map(|c| SceneContact { pair: c.pair, feature: c.feature_name.to_owned() })
                .collect(),
        }
    }

    /// Indices of the pairs that `owner` names: one pair, or all pairs of a contact line.
    pub fn pairs_of(&self, owner: &str) -> Vec<usize> {
        let named = |test: &dyn Fn(&ScenePair) -> bool| -> Vec<usize> {
            self.pairs.iter().enumerate().filter(|(_, p)| test(p)).map(|(i, _)| i).collect()
        };
        let exact = named(&|p| p.name == owner);
        if exact.is_empty() { named(&|p| p.line == owner) } else { exact }
    }

    /// Names of the contact lines, each once.
    pub fn lines(&self) -> Vec<&str> {
        let mut lines: Vec<&str> = Vec::new();
        for pair in &self.pairs {
            if !lines.contains(&pair.line.as_str()) {
                lines.push(&pair.line);
            }
        }
        lines
    }
}
