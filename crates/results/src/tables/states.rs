//! `states`: pose and velocity of every body. Wide: thirteen columns for each, then the joints, force elements and
//! constraints with theirs, one row per output time. Of more than [`MOST_WIDE`] bodies long: one row per body and
//! output time, in the order of the model, and the others in a table of their own ([`super::mechanism`]).

use carom_engine::record::{BodyState, Frame};

use super::{Column, Columns, constraints, forces, joints, time_column};
use crate::Scene;

/// Bodies in a wide table.
pub const MOST_WIDE: usize = 300;

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
    if scene.is_long() {
        let body =
            Column::index("body", scene.bodies.len(), "number of the body in `scene.bodies` of run.json");
        let of_body = BODY.map(|(base, unit, meaning)| Column::world(base, unit, meaning));
        return [time_column(), body].into_iter().chain(of_body).collect();
    }
    let of_body =
        |name: &str| BODY.map(|(base, unit, meaning)| Column::world(format!("{name}.{base}"), unit, meaning));
    let bodies = scene.bodies.iter().flat_map(|b| of_body(&b.name));
    std::iter::once(time_column()).chain(bodies).chain(mechanism_columns(scene)).collect()
}

/// Numbers that are recorded at every output time, those of the mechanism included.
pub fn numbers(scene: &Scene) -> usize {
    let of_bodies =
        if scene.is_long() { scene.bodies.len() * columns(scene).len() } else { columns(scene).len() };
    // A wide table has the mechanism; of a long one every number there has a time and a name beside it.
    of_bodies + if scene.is_long() { 3 * mechanism_columns(scene).count() } else { 0 }
}

/// Columns of the joints, force elements and constraints.
pub fn mechanism_columns(scene: &Scene) -> impl Iterator<Item = Column> {
    let joints = scene.joints.iter().flat_map(joints::columns);
    let forces = scene.forces.iter().flat_map(forces::columns);
    joints.chain(forces).chain(scene.constraints.iter().flat_map(constraints::columns))
}

/// Values in the order of [`mechanism_columns`].
pub fn mechanism_values(scene: &Scene, frame: &Frame<'_>) -> impl Iterator<Item = f64> {
    let joints = scene.joints.iter().zip(frame.joints);
    let joints = joints.flat_map(|(joint, sample)| joints::values(joint.kind, sample).copied());
    let forces = scene.forces.iter().zip(frame.forces);
    let forces = forces.flat_map(|(force, sample)| forces::values(&force.kind, sample));
    joints.chain(forces).chain(frame.constraints.iter().flat_map(constraints::values))
}

/// The rows of one time.
pub fn push(columns: &mut Columns, scene: &Scene, frame: &Frame<'_>) {
    if scene.is_long() {
        for (index, body) in (0..).zip(frame.bodies) {
            columns.row().float(frame.time).count(index).floats(&values(body)).end();
        }
        return;
    }
    let mut row = columns.row();
    row.float(frame.time);
    for body in frame.bodies {
        row.floats(&values(body));
    }
    for value in mechanism_values(scene, frame) {
        row.float(value);
    }
    row.end();
}
