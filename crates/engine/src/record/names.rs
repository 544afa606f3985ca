//! Names behind the indices of a run.

use std::borrow::Cow;

use crate::model::JointKind;

/// Identity of a contact: a feature of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactInfo {
    /// Index into the pairs.
    pub pair: usize,
    /// Feature of the pair.
    pub feature: usize,
    /// Name of the feature; empty if the pair has one.
    pub feature_name: Cow<'static, str>,
}

/// Kernel of areal pairs.
pub const AREAL_KERNEL: &str = "triangles–triangles";

/// Kernel of contact by regions in the table of pairs.
pub const REGION_KERNEL: &str = "regions of triangles";

/// Pair as results name it.
#[derive(Clone, Debug, PartialEq)]
pub struct PairInfo {
    /// Result name, `line` or `line[a|b]`.
    pub name: String,
    /// Name of the contact line.
    pub line: String,
    /// Path of surface A.
    pub a: String,
    /// Path of surface B.
    pub b: String,
    /// Kernel that serves the pair.
    pub kernel: &'static str,
    /// Law in words and numbers, as resolved.
    pub law: String,
}

/// Names behind the indices of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    /// Model name.
    pub model: String,
    /// Paths of the bodies.
    pub bodies: Vec<String>,
    /// True for bodies that cannot move.
    pub fixed: Vec<bool>,
    /// Joints: name and kind.
    pub joints: Vec<(String, JointKind)>,
    /// Force elements: name and word of the kind in the model file.
    pub forces: Vec<(String, &'static str)>,
    /// Constraints: name and word of the kind in the model file.
    pub constraints: Vec<(String, &'static str)>,
    /// Pairs.
    pub pairs: Vec<PairInfo>,
    /// Contacts: features of pairs.
    pub contacts: Vec<ContactInfo>,
    /// Lines whose pairs come up when their surfaces come near each other.
    pub wide_lines: Vec<WideLineInfo>,
}

/// A contact line whose pairs are not listed.
#[derive(Clone, Debug, PartialEq)]
pub struct WideLineInfo {
    /// Name of the line.
    pub name: String,
    /// How many pairs it may have.
    pub pairs: usize,
    /// Its laws in words and numbers, each once.
    pub laws: Vec<String>,
}
