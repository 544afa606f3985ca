//! Names behind the numbers of a run: bodies, joints, forces, constraints, pairs and contacts.

mod mechanism;

use carom_engine::record::{AREAL_KERNEL, ContactInfo, PairInfo, RunInfo};
use serde::{Deserialize, Serialize};

use crate::tables::states::MOST_WIDE;

pub use mechanism::{SceneElement, SceneJoint, SceneJointKind};

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
    /// A stop of an angle: gap and penetration are in rad, forces in N m.
    #[serde(default)]
    pub angular: bool,
}

impl ScenePair {
    /// Is it areal contact?
    pub fn is_areal(&self) -> bool {
        self.kernel == AREAL_KERNEL
    }

    /// Is it a cable?
    pub fn is_cable(&self) -> bool {
        self.kernel == mechanism::CABLE_KERNEL
    }

    /// Is it a pair of surfaces, and no stop of a joint or cable?
    pub fn is_of_surfaces(&self) -> bool {
        !self.is_cable() && self.kernel != mechanism::STOP_KERNEL
    }

    /// Unit of what is measured along the normal in `unit` where surfaces touch: N, m, m/s and N s become N m,
    /// rad, rad/s and N m s at a stop of an angle.
    pub fn unit(&self, unit: &'static str) -> &'static str {
        if self.angular { angular_unit(unit) } else { unit }
    }
}

/// Unit at a stop of an angle of what has `unit` where surfaces touch.
pub(crate) fn angular_unit(unit: &'static str) -> &'static str {
    match unit {
        "N" => "N m",
        "m" => "rad",
        "m/s" => "rad/s",
        "N s" => "N m s",
        other => other,
    }
}

/// A contact: a feature of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneContact {
    /// Index of the pair.
    pub pair: usize,
    /// Name of the feature; empty if the pair has one.
    pub feature: String,
}

impl ScenePair {
    fn new(pair: &PairInfo, angular: bool) -> Self {
        Self {
            name: pair.name.clone(),
            line: pair.line.clone(),
            a: pair.a.clone(),
            b: pair.b.clone(),
            kernel: pair.kernel.to_owned(),
            law: pair.law.clone(),
            angular,
        }
    }
}

impl SceneContact {
    fn new(contact: &ContactInfo) -> Self {
        Self { pair: contact.pair, feature: contact.feature_name.clone().into_owned() }
    }
}

/// Everything a run has names for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    /// Bodies, in the order of the model.
    pub bodies: Vec<SceneBody>,
    /// Joints.
    #[serde(default)]
    pub joints: Vec<SceneJoint>,
    /// Force elements.
    #[serde(default)]
    pub forces: Vec<SceneElement>,
    /// Constraints beside the joints.
    #[serde(default)]
    pub constraints: Vec<SceneElement>,
    /// Pairs; in the table of pairs, and before schema 3 here.
    #[serde(skip_serializing, default)]
    pub pairs: Vec<ScenePair>,
    /// Contacts, likewise.
    #[serde(skip_serializing, default)]
    pub contacts: Vec<SceneContact>,
    /// Contact lines whose pairs come up during the run.
    #[serde(default)]
    pub wide_lines: Vec<String>,
    /// States have one row per output time, however many bodies there are: as before schema 3.
    #[serde(skip)]
    pub(crate) always_wide: bool,
}

impl Scene {
    /// Names as the engine gives them.
    pub fn new(info: &RunInfo) -> Self {
        let (joints, forces, constraints) = mechanism::parts(info);
        let fixed = |i: usize| info.fixed.get(i).copied().unwrap_or(false);
        Self {
            bodies: info
                .bodies
                .iter()
                .enumerate()
                .map(|(i, name)| SceneBody { name: name.clone(), fixed: fixed(i) })
                .collect(),
            joints,
            forces,
            constraints,
            pairs: info.pairs.iter().map(|p| ScenePair::new(p, mechanism::is_angular(p, info))).collect(),
            contacts: info.contacts.iter().map(SceneContact::new).collect(),
            wide_lines: info.wide_lines.iter().map(|line| line.name.clone()).collect(),
            always_wide: false,
        }
    }

    /// Are states recorded with one row per body and time, because there are many?
    pub fn is_long(&self) -> bool {
        self.bodies.len() > MOST_WIDE && !self.always_wide
    }

    /// Pairs and contacts that have come up in a run. None of them is a stop.
    pub fn add_pairs(&mut self, pairs: &[PairInfo], contacts: &[ContactInfo]) {
        self.pairs.extend(pairs.iter().map(|p| ScenePair::new(p, false)));
        self.contacts.extend(contacts.iter().map(SceneContact::new));
    }

    /// Is this `start`, but for pairs that have come up since?
    pub fn begins_with(&self, start: &Self) -> bool {
        self.bodies == start.bodies
            && self.joints == start.joints
            && self.forces == start.forces
            && self.constraints == start.constraints
            && self.pairs.starts_with(&start.pairs)
            && self.contacts.starts_with(&start.contacts)
            && self.wide_lines == start.wide_lines
    }

    /// Indices of the pairs that `owner` names: one pair, or all pairs of a contact line.
    pub fn pairs_of(&self, owner: &str) -> Vec<usize> {
        let named = |test: &dyn Fn(&ScenePair) -> bool| -> Vec<usize> {
            self.pairs.iter().enumerate().filter(|(_, p)| test(p)).map(|(i, _)| i).collect()
        };
        let exact = named(&|p| p.name == owner);
        if exact.is_empty() { named(&|p| p.line == owner) } else { exact }
    }

    /// Does `owner` name stops of angles only? Their gaps are in rad, their forces in N m.
    pub fn is_angular(&self, owner: &str) -> bool {
        // Asked for every pair, of which a wide line has thousands: names are compared only where there are angles.
        if !self.pairs.iter().any(|p| p.angular && (p.name == owner || p.line == owner)) {
            return false;
        }
        self.pairs_of(owner).into_iter().all(|pair| self.pairs[pair].angular)
    }

    /// Names of the contact lines, each once; cables are force elements.
    pub fn lines(&self) -> Vec<&str> {
        let mut lines: Vec<&str> = Vec::new();
        for line in
            self.pairs.iter().filter(|pair| !pair.is_cable()).map(|pair| &pair.line).chain(&self.wide_lines)
        {
            if !lines.contains(&line.as_str()) {
                lines.push(line);
            }
        }
        lines
    }
}
