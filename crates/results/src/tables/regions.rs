//! `regions`: regions in which two triangle surfaces cut each other. Forces act on B.

use carom_engine::record::Frame;

use super::{Column, Columns, time_column};
use crate::Scene;

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    vec![
        time_column(),
        Column::word("pair", "pair of surfaces, `line` or `line[a|b]`"),
        Column::count("region", "number within the contact, kept while the region lasts"),
        Column::world("px", "m", "centroid of the contours in their plane"),
        Column::world("py", "m", "centroid of the contours in their plane"),
        Column::world("pz", "m", "centroid of the contours in their plane"),
        Column::world("nx", "", "unit normal of the plane, from A to B"),
        Column::world("ny", "", "unit normal of the plane, from A to B"),
        Column::world("nz", "", "unit normal of the plane, from A to B"),
        Column::float("penetration", "m", "greatest indentation"),
        Column::float("area", "m2", "area of the contours in their plane; NaN if one is open"),
        Column::float("volume", "m3", "volume that both solids share; NaN if a contour is open"),
        Column::float("length", "m", "length of all contours"),
        Column::float("definiteness", "", "how well the contours say where their plane is, 0 to 1"),
        Column::count("loops", "closed contours"),
        Column::count("open_chains", "contours that begin or end at a border"),
        Column::count("triangles_a", "triangles of A that the region covers"),
        Column::count("triangles_b", "triangles of B that the region covers"),
        Column::float(
            "approach_speed",
            "m/s",
            "rate of the penetration; by volume, that of the volume over the area",
        ),
        Column::float("fn", "N", "normal force"),
        Column::world("fx", "N", "force on B, friction included"),
        Column::world("fy", "N", "force on B, friction included"),
        Column::world("fz", "N", "force on B, friction included"),
        Column::world("mx", "N m", "torque on B about the centroid"),
        Column::world("my", "N m", "torque on B about the centroid"),
        Column::world("mz", "N m", "torque on B about the centroid"),
        Column::world("ftx", "N", "friction on B"),
        Column::world("fty", "N", "friction on B"),
        Column::world("ftz", "N", "friction on B"),
    ]
}

/// One row per region of the frame.
pub fn push(columns: &mut Columns, scene: &Scene, frame: &Frame<'_>) {
    for sample in frame.regions {
        let [triangles_a, triangles_b] = sample.triangles;
        columns
            .row()
            .float(frame.time)
            .word(&scene.pairs[scene.contacts[sample.contact].pair].name)
            .count(sample.region)
            .floats(sample.position.iter())
            .floats(sample.normal.iter())
            .float(sample.penetration)
            .float(sample.area.unwrap_or(f64::NAN))
            .float(sample.volume.unwrap_or(f64::NAN))
            .float(sample.length)
            .float(sample.definiteness)
            .count(sample.loops)
            .count(sample.open_chains)
            .count(triangles_a)
            .count(triangles_b)
            .float(sample.approach_speed)
            .float(sample.normal_force)
            .floats(sample.force.iter())
            .floats(sample.torque.iter())
            .floats(sample.friction.iter())
            .end();
    }
}
