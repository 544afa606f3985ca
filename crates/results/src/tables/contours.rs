//! `contours`: where two triangle surfaces cut each other, node by node, if the model asks for patches.

use carom_engine::record::Frame;

use super::{Column, Columns, time_column};
use crate::Scene;

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    vec![
        time_column(),
        Column::word("pair", "pair of surfaces, `line` or `line[a|b]`"),
        Column::count("region", "number of the region that it bounds"),
        Column::count("contour", "number within the contact at this time, from 0"),
        Column::count("closed", "1 if the last node joins the first, 0 at a border"),
        Column::count("place", "place of the node along the contour, from 0"),
        Column::world("x", "m", "node"),
        Column::world("y", "m", "node"),
        Column::world("z", "m", "node"),
    ]
}

/// One row per node of the frame's contours.
pub fn push(columns: &mut Columns, scene: &Scene, frame: &Frame<'_>) {
    for sample in frame.contours {
        columns
            .row()
            .float(frame.time)
            .word(&scene.pairs[scene.contacts[sample.contact].pair].name)
            .count(sample.region)
            .count(sample.contour)
            .count(u32::from(sample.is_closed))
            .count(sample.place)
            .floats(sample.position.iter())
            .end();
    }
}
