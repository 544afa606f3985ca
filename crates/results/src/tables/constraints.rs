//! Columns of a constraint in `states`.

use carom_engine::record::ConstraintSample;

use super::Column;
use crate::SceneElement;

/// Columns of one constraint, in order. Its equations may be of lengths and of angles, so its units stand in
/// the meanings.
pub fn columns(constraint: &SceneElement) -> Vec<Column> {
    let column = |base, meaning| Column::float(format!("{}.{base}", constraint.columns), "", meaning);
    vec![
        column("violation", "norm of what its equations fail to hold, in m or rad"),
        column("effort", "norm of its multipliers, in N or N m"),
    ]
}

/// Values in the order of [`columns`].
pub fn values(sample: &ConstraintSample) -> [f64; 2] {
    [sample.violation, sample.effort]
}
