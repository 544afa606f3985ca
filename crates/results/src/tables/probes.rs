//! `probes`: everything at the probe times of expectations, in one wide row: states, energy accounts
//! as `energy.NAME`, and the resultants of every pair as `PAIR.fn` and so on.

use carom_engine::record::Frame;

use super::resultants::{self, RESULTANTS};
use super::{Column, Columns, energy, states, time_column};
use crate::Scene;

/// Columns of the table.
pub fn columns(scene: &Scene) -> Vec<Column> {
    let pairs = scene
        .pairs
        .iter()
        .flat_map(|pair| RESULTANTS.iter().map(|resultant| resultants::column(&pair.name, resultant)));
    std::iter::once(time_column())
        .chain(states::body_columns(scene))
        .chain(energy::account_columns("energy."))
        .chain(pairs)
        .collect()
}

/// One row.
pub fn push(columns: &mut Columns, scene: &Scene, frame: &Frame<'_>) {
    let mut row = columns.row();
    row.float(frame.time);
    for body in frame.bodies {
        states::push_body(&mut row, body);
    }
    for (.., value) in energy::ACCOUNTS {
        row.float(value(frame.energy));
    }
    for pair in 0..scene.pairs.len() {
        for resultant in &RESULTANTS {
            let of_pair = frame.contacts.iter().filter(|c| scene.contacts[c.contact].pair == pair);
            row.float(of_pair.fold(0.0, |so_far, c| resultant.combine.add(so_far, (resultant.of)(c))));
        }
    }
    row.end();
}
