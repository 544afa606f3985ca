//! `steps`: accepted steps of the integrator.

use carom_engine::record::StepRow;

use super::{Column, Columns, time_column};

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    vec![
        time_column(),
        Column::float("h", "s", "length of the step that ends at this time"),
        Column::float("error", "", "error estimate over tolerance, at most 1 when accepted"),
        Column::count("rejected", "attempts rejected before it"),
        Column::count("rhs", "right-hand sides spent on it"),
        Column::count("contacts", "closed contacts"),
    ]
}

/// One row.
pub fn push(columns: &mut Columns, step: &StepRow) {
    columns
        .row()
        .float(step.time)
        .float(step.step)
        .float(step.error)
        .count(step.rejected)
        .count(step.rhs)
        .count(step.contacts)
        .end();
}
