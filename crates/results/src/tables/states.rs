//! `states`: pose and velocity of every body, wide: thirteen columns per body.

use carom_engine::record::{BodyState, Frame};

use super::{Column, Columns, Row, time_column};
use crate::Scene;

/// Columns of one body, in the order in which [`push_body`] fills them.
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

/// Names of a body's quantities, without unit.
pub fn body_quantities() -> impl Iterator<Item = &'static str> {
    BODY.iter().map(|(base, ..)| *base)
}

pub(super) fn body_columns(scene: &Scene) -> impl Iterator<Item = Column> {
    scene.bodies.iter().flat_map(|body| {
        BODY.iter()
            .map(|&(base, unit, meaning)| Column::world(format!("{}.{base}", body.name), unit, meaning))
    })
}

pub(super) fn push_body(row: &mut Row<'_>, body: &BodyState) {
    let q = &body.orientation;
    row.floats(body.position.iter())
        .floats(&[q.w, q.x, q.y, q.z])
        .floats(body.velocity.iter())
        .floats(body.angular_velocity.iter());
}

/// Columns of the table.
pub fn columns(scene: &Scene) -> Vec<Column> {
    std::iter::once(time_column()).chain(body_columns(scene)).collect()
}

/// One row.
pub fn push(columns: &mut Columns, frame: &Frame<'_>) {
    let mut row = columns.row();
    row.float(frame.time);
    for body in frame.bodies {
        push_body(&mut row, body);
    }
    row.end();
}
