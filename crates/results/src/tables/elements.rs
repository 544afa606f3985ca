//! `elements`: active elements of areal contacts. Pressure and shear act on B.

use carom_engine::record::ElementSample;

use super::{Column, Columns, time_column};
use crate::Scene;

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    vec![
        time_column(),
        Column::word("pair", "pair of surfaces, `line` or `line[a|b]`"),
        Column::word("moment", "output, or peak: the greatest pressure of an episode, recorded when it ends"),
        Column::word("base", "side whose triangle the element is, a or b"),
        Column::count("patch", "number of its patch"),
        Column::count("element", "index of the triangle in the base's mesh, from 0"),
        Column::count("leaf", "part of the triangle where the base is refined, from 0; 0 of a whole one"),
        Column::float("area", "m2", "area of the element"),
        Column::world("px", "m", "where the surfaces meet on its penetration line"),
        Column::world("py", "m", "where the surfaces meet on its penetration line"),
        Column::world("pz", "m", "where the surfaces meet on its penetration line"),
        Column::world("x0", "m", "first corner of the element; counter-clockwise from outside the base"),
        Column::world("y0", "m", "first corner of the element"),
        Column::world("z0", "m", "first corner of the element"),
        Column::world("x1", "m", "second corner of the element"),
        Column::world("y1", "m", "second corner of the element"),
        Column::world("z1", "m", "second corner of the element"),
        Column::world("x2", "m", "third corner of the element"),
        Column::world("y2", "m", "third corner of the element"),
        Column::world("z2", "m", "third corner of the element"),
        Column::float("penetration", "m", "penetration along its line"),
        Column::float(
            "pressure",
            "Pa",
            "pressure, damping included; half of it where both surfaces are bases",
        ),
        Column::world("nx", "", "unit vector along which the pressure acts on B"),
        Column::world("ny", "", "unit vector along which the pressure acts on B"),
        Column::world("nz", "", "unit vector along which the pressure acts on B"),
        Column::world("sx", "Pa", "shear on B: friction per area"),
        Column::world("sy", "Pa", "shear on B: friction per area"),
        Column::world("sz", "Pa", "shear on B: friction per area"),
        Column::world("vtx", "m/s", "tangential velocity of B against A"),
        Column::world("vty", "m/s", "tangential velocity of B against A"),
        Column::world("vtz", "m/s", "tangential velocity of B against A"),
    ]
}

/// One row per element at a time, at an output or at a peak.
pub fn push(columns: &mut Columns, scene: &Scene, time: f64, moment: &str, samples: &[ElementSample]) {
    for sample in samples {
        columns
            .row()
            .float(time)
            .word(&scene.pairs[scene.contacts[sample.contact].pair].name)
            .word(moment)
            .word(if sample.base_is_a { "a" } else { "b" })
            .count(sample.patch)
            .count(sample.element)
            .count(sample.leaf)
            .float(sample.area)
            .floats(sample.position.iter())
            .floats(sample.corners.iter().flatten())
            .float(sample.penetration)
            .float(sample.pressure)
            .floats(sample.normal.iter())
            .floats(sample.shear.iter())
            .floats(sample.slip.iter())
            .end();
    }
}
