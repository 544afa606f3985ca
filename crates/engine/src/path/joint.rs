//! What a joint adds to the motion of the body that it carries, as bounds.

use super::coordinates::{ControlPoints, CoordinateBound};
use crate::model::{JointKind, Sliding, Turning};

/// Bounds of the motion across a joint: of its turning, and of the way between the origins of its frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AcrossBound {
    pub(super) turning: CoordinateBound,
    pub(super) sliding: CoordinateBound,
}

impl AcrossBound {
    pub(super) fn new(kind: JointKind, points: &ControlPoints) -> Self {
        let still = CoordinateBound::default();
        let turning = match kind.turning() {
            Turning::None => still,
            Turning::AboutZ { at } => points.bound(at),
            Turning::Cardan { .. } => {
                let [first, second] = [0, 1].map(|c| points.bound(c));
                let mut turning = sum(first, second);
                // The second axis turns with the first.
                turning.acceleration += first.rate * second.rate;
                turning
            }
            Turning::Ball { at } => points.bound_turning(at),
        };
        let sliding = match kind.sliding() {
            Sliding::None => still,
            Sliding::Along { at, axes: [_] } => points.bound(at),
            Sliding::Along { at, axes } => points.bound_vector(at, axes.len()),
            Sliding::Thread { lead } => scaled(turning, lead.abs()),
        };
        Self { turning, sliding }
    }
}

fn scaled(bound: CoordinateBound, by: f64) -> CoordinateBound {
    CoordinateBound { size: by * bound.size, rate: by * bound.rate, acceleration: by * bound.acceleration }
}

fn sum(one: CoordinateBound, two: CoordinateBound) -> CoordinateBound {
    CoordinateBound {
        size: one.size + two.size,
        rate: one.rate + two.rate,
        acceleration: one.acceleration + two.acceleration,
    }
}
