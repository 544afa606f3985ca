use std::f64::consts::FRAC_1_SQRT_2;

use carom_math::Vec2;

use super::edge::Edge;

/// Corners that turn by less than this sine are straight: they touch nothing that their edges do not.
const STRAIGHT: f64 = 1e-9;

/// How far a face that lies on another may be turned against it (rad).
const TILT: f64 = 1e-3;

/// A vertex of a polygon, with what its two edges make of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    /// Unit vector outwards that halves the angle between the edges' normals.
    pub(crate) outward: Vec2,
    /// It points outwards, and so may touch.
    pub(crate) is_convex: bool,
    /// The inside is within the angle at the corner: false of reflex corners, where it is around it.
    pub(crate) is_reflex: bool,
    /// It is a hollow that a vertex can lie in, on both edges.
    pub(crate) is_hollow: bool,
    /// Cosine, against `outward`, of the normals of its edges, and of little more: in the directions between them the corner pushes.
    pub(crate) own_cosine: f64,
    /// The same of 45° more on either side, and of a little less: where the corner may push. A face that lies on another has both its ends as contacts,
    /// while no corner that comes down beside a wall is pushed away from it. Chamfers turn by 45°: whether a corner pushes
    /// one as it comes to another's corner must not hang on rounding.
    pub(crate) least_cosine: f64,
}

impl Corner {
    pub(crate) fn between(before: &Edge, after: &Edge) -> Self {
        let turn = before.turn_to(after);
        let sum = before.outward + after.outward;
        let norm = sum.norm();
        // An edge that goes back on the one before has its tip ahead.
        let outward = if norm > STRAIGHT { sum / norm } else { before.along };
        let half = outward.dot(&after.outward);
        let sine = (1.0 - half * half).max(0.0).sqrt();
        let least_cosine = (half - sine + TILT * (half + sine)) * FRAC_1_SQRT_2;
        let is_spike = norm <= STRAIGHT;
        Self {
            outward,
            is_convex: turn > STRAIGHT || is_spike,
            is_reflex: turn < 0.0 && !is_spike,
            is_hollow: turn < -STRAIGHT && !is_spike,
            own_cosine: half - TILT * sine - 0.5 * TILT * TILT,
            least_cosine,
        }
    }
}
