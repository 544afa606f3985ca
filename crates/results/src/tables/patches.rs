//! `patches`: parts of areal contacts whose elements hang together. Forces act on B.

use carom_engine::record::PatchSample;

use super::{Column, Columns, time_column};
use crate::Scene;

/// Word of rows at output times.
pub const OUTPUT: &str = "output";
/// Word of rows at the greatest pressure of an episode.
pub const PEAK: &str = "peak";

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    vec![
        time_column(),
        Column::word("pair", "pair of surfaces, `line` or `line[a|b]`"),
        Column::word("moment", "output, or peak: the greatest pressure of an episode, recorded when it ends"),
        Column::count("patch", "number within the contact at this time, from 0"),
        Column::count("elements", "number of its elements"),
        Column::float("area", "m2", "sum of the areas of its elements"),
        Column::world("px", "m", "centre of pressure"),
        Column::world("py", "m", "centre of pressure"),
        Column::world("pz", "m", "centre of pressure"),
        Column::world("fx", "N", "force on B, friction included"),
        Column::world("fy", "N", "force on B, friction included"),
        Column::world("fz", "N", "force on B, friction included"),
        Column::world("mx", "N m", "torque on B about the centre of pressure"),
        Column::world("my", "N m", "torque on B about the centre of pressure"),
        Column::world("mz", "N m", "torque on B about the centre of pressure"),
        Column::float("pressure", "Pa", "largest pressure"),
        Column::float("penetration", "m", "largest penetration"),
    ]
}

/// One row per patch at a time, at an output or at a peak.
pub fn push(columns: &mut Columns, scene: &Scene, time: f64, moment: &str, samples: &[PatchSample]) {
    for sample in samples {
        columns
            .row()
            .float(time)
            .word(&scene.pairs[scene.contacts[sample.contact].pair].name)
            .word(moment)
            .count(sample.patch)
            .count(sample.elements)
            .float(sample.area)
            .floats(sample.position.iter())
            .floats(sample.force.iter())
            .floats(sample.torque.iter())
            .float(sample.pressure)
            .float(sample.penetration)
            .end();
    }
}
