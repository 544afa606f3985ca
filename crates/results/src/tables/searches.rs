//! `searches`: what finding the elements of areal contacts has cost since the start of the run.

use carom_engine::record::Frame;

use super::{Column, Columns, time_column};
use crate::Scene;

/// Columns of the table. Counts are numbers: a long run makes more tests than 32 bits hold.
pub fn columns() -> Vec<Column> {
    vec![
        time_column(),
        Column::word("pair", "pair of surfaces, `line` or `line[a|b]`"),
        Column::float(
            "searches",
            "",
            "searches since the start; two an evaluation where both surfaces are bases",
        ),
        Column::float("rebuilds", "", "searches since the start for which a list of pairs was made"),
        Column::float("box_tests", "", "tests of a box against a box since the start"),
        Column::float("edge_tests", "", "tests of an edge against a triangle since the start"),
        Column::float("ray_tests", "", "tests of a penetration line against a triangle since the start"),
        Column::float(
            "listed_pairs",
            "",
            "pairs of a line and a triangle that the last search has looked at",
        ),
    ]
}

/// One row per areal contact of the frame.
pub fn push(columns: &mut Columns, scene: &Scene, frame: &Frame<'_>) {
    for sample in frame.searches {
        let counts = [
            sample.searches,
            sample.rebuilds,
            sample.box_tests,
            sample.edge_tests,
            sample.ray_tests,
            sample.listed_pairs,
        ];
        let numbers = counts.map(|count| count as f64);
        columns
            .row()
            .float(frame.time)
            .word(&scene.pairs[scene.contacts[sample.contact].pair].name)
            .floats(&numbers)
            .end();
    }
}
