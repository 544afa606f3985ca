//! `energy`: the accounts of the ledger, each computed on its own.

use carom_engine::record::{Energy, Frame};

use super::{Column, Columns, time_column};

/// Name, meaning and value of an account.
pub type Account = (&'static str, &'static str, fn(&Energy) -> f64);

/// Accounts in the order of the columns.
pub const ACCOUNTS: [Account; 13] = [
    ("kinetic", "kinetic energy", |e| e.kinetic),
    ("gravity", "potential of gravity, zero at the world's origin", |e| e.gravity),
    ("springs", "potential of springs", |e| e.springs),
    ("contact_elastic", "potential stored in contacts", |e| e.contact_elastic),
    ("work_motors", "work done by motors since the start", |e| e.work_motors),
    ("work_external", "work done by external forces since the start", |e| e.work_external),
    ("dissipated_normal", "lost in normal damping since the start", |e| e.dissipated_normal),
    ("dissipated_friction", "lost in friction, rolling and drilling since the start", |e| {
        e.dissipated_friction
    }),
    ("dissipated_viscous", "lost in viscous friction since the start", |e| e.dissipated_viscous),
    ("dissipated_impact", "lost in impacts since the start", |e| e.dissipated_impact),
    ("projection", "added by projections onto constraints since the start", |e| e.projection),
    ("model_defect", "force work that is no gradient of the stored energy, since the start", |e| {
        e.model_defect
    }),
    ("residual", "what the accounts fail to balance: the integrator's error", |e| e.residual),
];

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    let account = |&(base, meaning, _): &Account| Column::float(base, "J", meaning);
    std::iter::once(time_column()).chain(ACCOUNTS.iter().map(account)).collect()
}

/// One row.
pub fn push(columns: &mut Columns, frame: &Frame<'_>) {
    let mut row = columns.row();
    row.float(frame.time);
    for (.., value) in ACCOUNTS {
        row.float(value(frame.energy));
    }
    row.end();
}
