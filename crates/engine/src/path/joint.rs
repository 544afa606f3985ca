//! What a joint adds to the motion of the body that it carries, as bounds.

use super::coordinates::{Controls, CoordinateBound};
use crate::joint;
use crate::model::JointKind;

/// Bounds of the motion across a joint: of its turning, and of the way between the origins of its frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AcrossBound {
    pub(super) turning: CoordinateBound,
    pub(super) sliding: CoordinateBound,
}

impl AcrossBound {
    pub(super) fn new(kind: JointKind, controls: &Controls) -> Self {
        let still = CoordinateBound::default();
        match kind {
            JointKind::Fixed => Self::default(),
            JointKind::Revolute => Self { turning: controls.bound(0), sliding: still },
            JointKind::Prismatic => Self { turning: still, sliding: controls.bound(0) },
            JointKind::Cylindrical => Self { turning: controls.bound(0), sliding: controls.bound(1) },
            JointKind::Screw { lead } => {
                let turning = controls.bound(0);
                Self { turning, sliding: scaled(turning, lead.abs()) }
            }
            JointKind::Universal { .. } => {
                let [first, second] = [0, 1].map(|c| controls.bound(c));
                let mut turning = sum(first, second);
                // The second axis turns with the first.
                turning.acceleration += first.rate * second.rate;
                Self { turning, sliding: still }
            }
            JointKind::Planar => Self { turning: controls.bound(2), sliding: controls.bound_vector(0, 2) },
            JointKind::Spherical => Self { turning: controls.bound_turning(0), sliding: still },
            JointKind::Free => {
                let (at, _) = joint::quaternion_at(kind).unwrap_or((3, 3));
                Self { turning: controls.bound_turning(at), sliding: controls.bound_vector(0, 3) }
            }
        }
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
