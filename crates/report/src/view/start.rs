//! What a page shows of a model that has not run: how it starts, where its joints may go, what may touch, and what is in
//! each other's way.

use serde::Serialize;

/// A model at its start, beside the one output time of [`carom_results::RunData`] that has its poses and contacts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Start {
    /// Normal of the plane of a planar model: x, y or z.
    pub plane: Option<&'static str>,
    /// Joints.
    pub joints: Vec<StartJoint>,
    /// Contact lines.
    pub lines: Vec<StartLine>,
    /// Surfaces that overlap deeply.
    pub overlaps: Vec<StartOverlap>,
    /// What a run would warn of, and what would keep it from starting.
    pub warnings: Vec<String>,
}

/// A joint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartJoint {
    /// Path, such as `leg[2].knee`.
    pub name: String,
    /// Word of the kind in the model file.
    pub kind: &'static str,
    /// Bodies A and B.
    pub bodies: [usize; 2],
    /// Its scalar coordinates.
    pub axes: Vec<StartAxis>,
}

/// A scalar coordinate of a joint: m, or rad.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartAxis {
    /// What it is, such as `angle`.
    pub name: &'static str,
    /// Is it in rad?
    pub angular: bool,
    /// Body in whose frame point and direction are.
    pub body: usize,
    /// Where it is zero, or what it turns about (m).
    pub at_m: [f64; 3],
    /// Unit vector along it, or about which it turns.
    pub direction: [f64; 3],
    /// Value at the start.
    pub value: f64,
    /// Smallest free value.
    pub lower: Option<f64>,
    /// Largest free value.
    pub upper: Option<f64>,
    /// Has it a motor?
    pub motor: bool,
}

/// A contact line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartLine {
    /// Key in the model file.
    pub name: String,
    /// Word of the method in the model file.
    pub method: &'static str,
    /// How many pairs it has; those of a wide line come up when they are near.
    pub pairs: usize,
    /// The first of them: surfaces A and B.
    pub surfaces: Vec<[String; 2]>,
}

/// Two surfaces that overlap deeply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartOverlap {
    /// A surface.
    pub a: String,
    /// The other one.
    pub b: String,
    /// Their pair, if they have one.
    pub pair: Option<String>,
    /// Translation by which B leaves A (m, world axes), if a straight way was found.
    pub way_m: Option<[f64; 3]>,
}
