//! `mechanism`: the joints, force elements and constraints of a model whose states are long. One row per output time
//! and column that a wide table of states would have.

use carom_engine::record::Frame;

use super::{Column, Columns, states, time_column};
use crate::Scene;

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    vec![
        time_column(),
        Column::word("quantity", "name without unit, such as `hinge.q`"),
        Column::float("value_si", "", "value in the unit of the next column"),
        Column::word("unit", "unit of the value"),
    ]
}

/// Rows of one time; none if the states are wide.
pub fn push(columns: &mut Columns, scene: &Scene, frame: &Frame<'_>) {
    if !scene.is_long() {
        return;
    }
    let values = states::mechanism_values(scene, frame);
    for (column, value) in states::mechanism_columns(scene).zip(values) {
        columns.row().float(frame.time).word(&column.base).float(value).word(column.unit).end();
    }
}
