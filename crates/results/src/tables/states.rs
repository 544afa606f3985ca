//! `states`: pose and velocity of every body, wide: thirteen columns per body.

use carom_engine::record::{BodyState, Frame};

use super::{Column, Columns, time_column};
use crate::Scene;

/// Columns of one body, in order.
const BODY: [(&str, &str, &str); 13] = [
    ("x", "m", "position of the body frame's origin"),
    ("y", "m", "position of the body frame's origin"),
    ("z", "m", "position of the body frame's origin"),
    ("qw", "", "orientation, scalar part of the unit quaternion"),
    ("qx", "", "orientation, vector part of the unit quaternion"),
    ("qy", "", "orientation, vector part of the unit quaternion"),
    ("qz", "", "orientation, vector part of the unit quaternion"),
    ("vx", "m/s", "velocity of the body frame's origin"),
    ("vy", "m/s", "velocity of the body frame's origin"),
    ("vz", "m/s", "velocity of the body frame's origin"),
    ("wx", "rad/s", "angular velocity"),
    ("wy", "rad/s", "angular velocity"),
    ("wz", "rad/s", "angular velocity"),
];

/// Names of a body's quantities, without unit, and their units.
pub fn body_quantities() -> impl Iterator<Item = (&'static str, &'static str)> {
    BODY.iter().map(|&(base, unit, _)| (base, unit))
}

/// Values of a body, in the order of [`body_quantities`].
pub fn values(body: &BodyState) -> [f64; BODY.len()] {
    let BodyState { position: p, orientation: q, velocity: v, angular_velocity: w } = body;
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z]
}

/// Columns of the table.
pub fn columns(scene: &Scene) -> Vec<Column> {
    let of_body =
        |name: &str| BODY.map(|(base, unit, meaning)| Column::world(format!("{name}.{base}"), unit, meaning));
    std::iter::once(time_column()).chain(scene.bodies.iter().flat_map(|b| of_body(&b.name))).collect()
}

/// One row.
pub fn push(columns: &mut Columns, frame: &Frame<'_>) {
    let mut row = columns.row();
    row.float(frame.time);
    for body in frame.bodies {
        row.floats(&values(body));
    }
    row.end();
}
