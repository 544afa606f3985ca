//! `events`: the event log.

use carom_engine::record::Event;

use super::episodes::{peak_cells, peak_columns};
use super::{Column, Columns, time_column};
use crate::Scene;

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    let mut all = vec![
        time_column(),
        Column::word(
            "kind",
            "contact_begin, contact_end, release, reengage, patch_begin, hit_harder, region_begin, region_end, region_merge, region_split, latch or unlatch",
        ),
        Column::word("pair", "pair of surfaces, `line` or `line[a|b]`"),
        Column::word("feature", "feature of the pair; empty if the pair has one"),
        Column::float("gap", "m", "signed distance, negative in penetration"),
        Column::world("nx", "", "unit normal from A to B"),
        Column::world("ny", "", "unit normal from A to B"),
        Column::world("nz", "", "unit normal from A to B"),
        Column::world("px", "m", "contact point"),
        Column::world("py", "m", "contact point"),
        Column::world("pz", "m", "contact point"),
        Column::float("approach_speed", "m/s", "rate of the penetration, positive while closing"),
        Column::float("law_approach_speed", "m/s", "approach speed at touch that the law holds"),
        Column::float("impulse_normal", "N s", "normal impulse since this contact began"),
        Column::world("impulse_tx", "N s", "tangential impulse on B since this contact began"),
        Column::world("impulse_ty", "N s", "tangential impulse on B since this contact began"),
        Column::world("impulse_tz", "N s", "tangential impulse on B since this contact began"),
        Column::float("stiffness_si", "", "stiffness of the law in N/m^n, n its exponent"),
        Column::float("damping_si", "", "damping of the law in s/m, or N s/m of a linear law"),
        Column::float(
            "force_jump",
            "N",
            "what the normal force jumped by where regions merged or split, with a law by depth",
        ),
    ];
    all.extend(peak_columns());
    all
}

/// One row.
pub fn push(columns: &mut Columns, scene: &Scene, event: &Event) {
    let contact = &scene.contacts[event.contact];
    columns
        .row()
        .float(event.time)
        .word(event.kind.name())
        .word(&scene.pairs[contact.pair].name)
        .word(&contact.feature)
        .float(event.gap)
        .floats(event.normal.iter())
        .floats(event.position.iter())
        .float(event.approach_speed)
        .float(event.law_approach_speed)
        .float(event.impulse_normal)
        .floats(event.impulse_tangential.iter())
        .float(event.stiffness)
        .float(event.damping)
        .float(event.force_jump.unwrap_or(0.0))
        .floats(&peak_cells(&event.peaks))
        .end();
}
