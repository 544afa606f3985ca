//! `contacts`: one row per contact that is not open, at every output time. Forces act on B.

use carom_engine::record::{ContactMode, Frame, Sliding};

use super::{Column, Columns, time_column};
use crate::Scene;

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    vec![
        time_column(),
        Column::word("pair", "pair of surfaces, `line` or `line[a|b]`"),
        Column::word("feature", "feature of the pair; empty if the pair has one"),
        Column::word("a", "surface A; the normal points away from it"),
        Column::word("b", "surface B; the forces act on it"),
        Column::word("mode", "open, closed, released (force 0 until the gap opens) or latched (chatters)"),
        Column::word("sliding", "stick below the regularisation velocity, else slip"),
        Column::world("px", "m", "contact point"),
        Column::world("py", "m", "contact point"),
        Column::world("pz", "m", "contact point"),
        Column::world("nx", "", "unit normal from A to B"),
        Column::world("ny", "", "unit normal from A to B"),
        Column::world("nz", "", "unit normal from A to B"),
        Column::float("gap", "m", "signed distance, negative in penetration"),
        Column::float("penetration", "m", "-gap"),
        Column::float("approach_speed", "m/s", "rate of the penetration, positive while closing"),
        Column::float("fn", "N", "normal force on B along the normal, positive in compression"),
        Column::float("pressure", "Pa", "largest pressure of areal contact; 0 of others"),
        Column::world("ftx", "N", "friction force on B"),
        Column::world("fty", "N", "friction force on B"),
        Column::world("ftz", "N", "friction force on B"),
        Column::world("mx", "N m", "rolling and drilling torque on B"),
        Column::world("my", "N m", "rolling and drilling torque on B"),
        Column::world("mz", "N m", "rolling and drilling torque on B"),
        Column::world("vtx", "m/s", "tangential velocity of B against A"),
        Column::world("vty", "m/s", "tangential velocity of B against A"),
        Column::world("vtz", "m/s", "tangential velocity of B against A"),
        Column::float("power", "W", "power that the contact dissipates"),
    ]
}

/// One row per contact of the frame.
pub fn push(columns: &mut Columns, scene: &Scene, frame: &Frame<'_>) {
    for sample in frame.contacts {
        let contact = &scene.contacts[sample.contact];
        let pair = &scene.pairs[contact.pair];
        columns
            .row()
            .float(frame.time)
            .word(&pair.name)
            .word(&contact.feature)
            .word(&pair.a)
            .word(&pair.b)
            .word(mode_name(sample.mode))
            .word(sliding_name(sample.sliding))
            .floats(sample.position.iter())
            .floats(sample.normal.iter())
            .float(sample.gap)
            .float(-sample.gap)
            .float(sample.approach_speed)
            .float(sample.normal_force)
            .float(sample.pressure)
            .floats(sample.friction_force.iter())
            .floats(sample.torque.iter())
            .floats(sample.sliding_velocity.iter())
            .float(sample.dissipated_power)
            .end();
    }
}

fn mode_name(mode: ContactMode) -> &'static str {
    match mode {
        ContactMode::Open => "open",
        ContactMode::Closed => "closed",
        ContactMode::Released => "released",
        ContactMode::Latched => "latched",
    }
}

fn sliding_name(sliding: Sliding) -> &'static str {
    match sliding {
        Sliding::Stick => "stick",
        Sliding::Slip => "slip",
    }
}
