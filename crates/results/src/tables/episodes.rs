//! `episodes`: contacts from their begin to their end, in the order of the ends.

use carom_engine::record::{Episode, Peaks};

use super::{Column, Columns};
use crate::Scene;

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    let mut all = vec![
        Column::float("time", "s", "when the contact began"),
        Column::float("end", "s", "when it ended; no number if it holds at the end of the run"),
        Column::word("pair", "pair of surfaces, `line` or `line[a|b]`"),
        Column::word("feature", "feature of the pair; empty if the pair has one"),
        Column::float("duration", "s", "from the begin to the end, or to the end of the run"),
        Column::float("approach_speed", "m/s", "approach speed at the begin"),
        Column::float(
            "separation_speed",
            "m/s",
            "speed at which the surfaces parted; no number if they hold",
        ),
        Column::float("impulse_normal", "N s", "normal impulse"),
    ];
    all.extend(peak_columns());
    all
}

/// Columns of located peaks.
pub(super) fn peak_columns() -> [Column; 6] {
    [
        Column::float("max_penetration", "m", "greatest penetration since this contact began, located"),
        Column::float("max_penetration_time", "s", "when that was"),
        Column::float(
            "max_fn",
            "N",
            "greatest normal force since this contact began, located; of a cable its tension",
        ),
        Column::float("max_fn_time", "s", "when that was"),
        Column::float(
            "max_pressure",
            "Pa",
            "greatest pressure since this contact began, located; 0 if not areal",
        ),
        Column::float("max_pressure_time", "s", "when that was"),
    ]
}

/// Cells of these columns.
pub(super) fn peak_cells(peaks: &Peaks) -> [f64; 6] {
    let Peaks { force, penetration, pressure } = peaks;
    [penetration.value, penetration.time, force.value, force.time, pressure.value, pressure.time]
}

/// One row.
pub fn push(columns: &mut Columns, scene: &Scene, episode: &Episode) {
    let contact = &scene.contacts[episode.contact];
    columns
        .row()
        .float(episode.begin)
        .float(episode.end.unwrap_or(f64::NAN))
        .word(&scene.pairs[contact.pair].name)
        .word(&contact.feature)
        .float(episode.until - episode.begin)
        .float(episode.approach_speed)
        .float(episode.separation_speed.unwrap_or(f64::NAN))
        .float(episode.impulse_normal)
        .floats(&peak_cells(&episode.peaks))
        .end();
}
