//! `events`: the event log.

use carom_engine::record::{Event, Impact};

use super::episodes::{peak_cells, peak_columns};
use super::{Column, Columns, time_column};
use crate::Scene;

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    let mut all = vec![
        time_column(),
        Column::word(
            "kind",
            "contact_begin, contact_end, release, reengage, patch_begin, hit_harder, region_begin, region_end, region_merge, region_split, latch, unlatch, impact, rest, stick or slip",
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
    all.extend(impact_columns());
    all.extend(peak_columns());
    all
}

/// Of impacts of rigid contacts.
fn impact_columns() -> [Column; 10] {
    [
        Column::float("separation_speed", "m/s", "speed at which rigid surfaces part after an impact"),
        Column::float("slip_before", "m/s", "speed of the slip before the impact"),
        Column::float("slip_after", "m/s", "speed of the slip after the impact"),
        Column::float("impact_normal", "N s", "normal impulse of the impact"),
        Column::world("impact_tx", "N s", "tangential impulse of the impact on B"),
        Column::world("impact_ty", "N s", "tangential impulse of the impact on B"),
        Column::world("impact_tz", "N s", "tangential impulse of the impact on B"),
        Column::float("energy_lost", "J", "energy lost here in the impact"),
        Column::float(
            "kept",
            "",
            "share of the expansion that was kept; below 1 the law would have gained energy",
        ),
        Column::float("iterations", "", "iterations of the contact problems of all contacts that took part"),
    ]
}

fn impact_cells(impact: Option<&Impact>) -> [f64; 10] {
    let Some(impact) = impact else { return [0.0; 10] };
    let [x, y, z] = impact.impulse_tangential.into();
    [
        impact.separation_speed,
        impact.slip_before,
        impact.slip_after,
        impact.impulse_normal,
        x,
        y,
        z,
        impact.lost,
        impact.kept,
        impact.iterations as f64,
    ]
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
        .floats(&impact_cells(event.impact.as_ref()))
        .floats(&peak_cells(&event.peaks))
        .end();
}
