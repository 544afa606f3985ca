//! `probes`: quantities at the probe times of expectations, long: one row per time and quantity. Pairs
//! and lines that do not touch have no rows; their quantities are 0.

use std::collections::HashMap;

use carom_engine::record::{BodyState, Frame};

use super::resultants::RESULTANTS;
use super::{Column, Columns, derived, energy, states, time_column};
use crate::Scene;

/// Columns of the table.
pub fn columns() -> Vec<Column> {
    vec![
        time_column(),
        Column::word("quantity", "name without unit, such as `ball.vx`"),
        Column::float("value_si", "", "value in the unit of the next column"),
        Column::word("unit", "unit of the value"),
    ]
}

/// Rows of one time.
pub fn push(columns: &mut Columns, scene: &Scene, frame: &Frame<'_>) {
    let mut row = |name: &str, unit: &str, value: f64| {
        columns.row().float(frame.time).word(name).float(value).word(unit).end();
    };
    for (column, value) in states::mechanism_columns(scene).zip(states::mechanism_values(scene, frame)) {
        row(&column.base, column.unit, value);
    }
    let mut put =
        |owner: &str, base: &str, unit: &str, value: f64| row(&format!("{owner}.{base}"), unit, value);
    for (joint, sample) in scene.joints.iter().zip(frame.joints) {
        let sizes = [sample.force, sample.torque].map(|vector| derived::norm(vector.into()));
        for ((base, unit, _), size) in derived::JOINT.into_iter().zip(sizes) {
            put(&joint.columns, base, unit, size);
        }
    }
    for (body, state) in scene.bodies.iter().zip(frame.bodies) {
        let values = states::values(state).into_iter().chain(speeds(state));
        let names = states::body_quantities().chain(derived::BODY.map(|d| (d.0, d.1)));
        for ((base, unit), value) in names.zip(values) {
            put(&body.name, base, unit, value);
        }
    }
    let account =
        |name: &str| energy::ACCOUNTS.iter().find(|a| a.0 == name).map_or(0.0, |a| (a.2)(frame.energy));
    let sum = |names: &[&str]| names.iter().fold(0.0, |sum, name| sum + account(name));
    for (base, _, value) in energy::ACCOUNTS {
        put("energy", base, "J", value(frame.energy));
    }
    put("energy", "mechanical", "J", sum(&derived::MECHANICAL));
    put("energy", "dissipated", "J", sum(&derived::DISSIPATED));
    for (owner, totals) in totals(scene, frame) {
        let angular = scene.is_angular(owner);
        for (resultant, value) in RESULTANTS.iter().zip(totals) {
            put(owner, resultant.base, resultant.unit(angular), value);
        }
        let of = |base: &str| RESULTANTS.iter().position(|r| r.base == base).map_or(0.0, |i| totals[i]);
        put(owner, "ft", "N", derived::norm([of("ftx"), of("fty"), of("ftz")]));
    }
}

fn speeds(state: &BodyState) -> [f64; 2] {
    [derived::norm(state.velocity.into()), derived::norm(state.angular_velocity.into())]
}

/// Resultants of the lines and pairs that touch, in the order of the scene.
fn totals<'a>(scene: &'a Scene, frame: &Frame<'_>) -> Vec<(&'a str, [f64; RESULTANTS.len()])> {
    let mut by_owner: HashMap<&str, [f64; RESULTANTS.len()]> = HashMap::new();
    for sample in frame.contacts {
        let pair = &scene.pairs[scene.contacts[sample.contact].pair];
        let is_line = pair.line != pair.name;
        for owner in std::iter::once(&pair.name).chain(is_line.then_some(&pair.line)) {
            let totals = by_owner.entry(owner).or_default();
            for (total, resultant) in totals.iter_mut().zip(&RESULTANTS) {
                *total = resultant.combine.add(*total, (resultant.of)(sample));
            }
        }
    }
    scene.contact_owners().filter_map(|owner| Some((owner, *by_owner.get(owner)?))).collect()
}
