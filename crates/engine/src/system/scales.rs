use super::assemblies::Assemblies;
use super::{PairSource, PairTable};
use crate::mechanics::BodyData;
use crate::model::{Body, Model, WideLine};

/// Characteristic sizes of a model. They set default tolerances and regularisation velocities, and are
/// printed by `carom check`.
#[derive(Clone, Debug, PartialEq)]
pub struct Scales {
    /// Smallest shape (m).
    pub length: f64,
    /// Speed (m/s): the fastest start, or a fall through the smallest shape.
    pub velocity: f64,
    /// Energy (J): that of a body of mean mass at that speed.
    pub energy: f64,
    /// Default of v_reg (m/s): a thousandth of the speed, up to 10 mm/s.
    pub v_reg: f64,
    /// Position scale of each body (m): the expected indentation, or the smallest shape.
    pub indentation: Vec<f64>,
    /// Angular velocity scale of each body (rad/s): the speed over its smallest shape, or, without a shape, over the largest of how far
    /// the mass of it and of all that is fixed to it is spread, and how far joints are from its centre.
    pub angular_velocity: Vec<f64>,
}

/// Largest default of v_reg (m/s): a bullet makes no oil of what friction holds beside it.
const FASTEST_CREEP: f64 = 0.01;
/// A ball at rest is still a ball that may be nudged: no model is slower than this (m/s).
const VELOCITY_FLOOR: f64 = 0.01;

/// Expected indentation of an areal contact over its largest penetration.
const AREAL_INDENTATION: f64 = 0.1;

/// Size of what shows none (m): a model without shapes, a position, a point mass. What turns is not taken for larger either: a
/// rotor that has its inertia from gears, and next to no mass, would be as large as a house.
pub(super) const UNKNOWN_SIZE: f64 = 1.0;

impl Scales {
    /// Scales that do not depend on the laws.
    pub(crate) fn of_model(model: &Model) -> Self {
        let sizes = |body: &Body| smallest_shape(body).unwrap_or(UNKNOWN_SIZE);
        let moving = || model.bodies.iter().filter(|b| !b.fixed);
        let length = moving().map(sizes).fold(f64::INFINITY, f64::min);
        let length = if length.is_finite() { length } else { UNKNOWN_SIZE };
        let fastest = moving().map(|b| b.velocity.norm()).fold(0.0, f64::max);
        let speed = |size: f64| fastest.max((model.gravity.norm() * size).sqrt()).max(VELOCITY_FLOOR);
        let velocity = speed(length);
        let indentation: Vec<f64> = model.bodies.iter().map(sizes).collect();
        let has_shapes = moving().any(|body| smallest_shape(body).is_some());
        let assembled = Assemblies::of_model(model).sizes(model);
        let spin = |(body, size): (&Body, Option<f64>)| match size.unwrap_or(UNKNOWN_SIZE).min(UNKNOWN_SIZE) {
            // Points have no size, and are shapes all the same: where they touch is as exact as it turns.
            _ if !body.shapes.is_empty() => velocity / sizes(body),
            // Not faster than the smallest shape of the model is allowed to turn.
            size if has_shapes => velocity / size.max(length),
            // The model's speed is a guess too: a fall through the body itself tells more.
            size => speed(size) / size,
        };
        let angular_velocity = model.bodies.iter().zip(assembled).map(spin).collect();
        let total: f64 = moving().map(|b| b.mass).sum();
        let mean = total / (moving().count().max(1) as f64);
        let energy = 0.5 * mean * velocity * velocity;
        let v_reg = (1e-3 * velocity).min(FASTEST_CREEP);
        Self { length, velocity, energy, v_reg, indentation, angular_velocity }
    }

    /// Lowers the position scale of each body to the indentation that its contacts are expected to have:
    /// a resting ball sinks 1e-6 m, and a tolerance that ignores it destroys the contact.
    pub(super) fn lower_to_indentation(&mut self, bodies: &[BodyData], table: &PairTable, gravity: f64) {
        for contact in table.contacts.iter().filter(|c| c.law.stiffness > 0.0) {
            let pair = &table.pairs[contact.pair];
            for &body in &pair.bodies {
                if bodies[body].link.is_some() {
                    let depth = match &pair.source {
                        PairSource::Areal(areal) => AREAL_INDENTATION * areal.u_max,
                        _ => {
                            let load = bodies[body].mass * gravity;
                            contact.law.expected_penetration(load, contact.nominal_mass)
                        }
                    };
                    self.indentation[body] = self.indentation[body].min(depth);
                }
            }
        }
    }
}

/// The smallest shape of a body, be it for contact or drawn (m).
fn smallest_shape(body: &Body) -> Option<f64> {
    let smallest = body.shapes.iter().map(|s| s.shape.smallest_length()).fold(f64::INFINITY, f64::min);
    smallest.is_finite().then_some(smallest)
}

impl Scales {
    /// Bodies on one side of a wide line, of which samples have met, take the finest position scale among them.
    pub(super) fn share_indentation(&mut self, model: &Model, lines: &[WideLine]) {
        for wide in lines.iter().filter(|wide| wide.line.is_some()) {
            for side in &wide.sides {
                let moving = || side.iter().map(|s| s.body).filter(|&b| !model.bodies[b].fixed);
                let finest = moving().map(|body| self.indentation[body]).fold(f64::INFINITY, f64::min);
                for body in moving() {
                    self.indentation[body] = finest;
                }
            }
        }
    }
}
