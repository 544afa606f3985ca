use carom_math::Vec2;

use super::cross;

/// A straight side of a polygon, whose inside is on its left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    /// Where it starts (m).
    pub(crate) start: Vec2,
    /// Where it ends (m).
    pub(crate) end: Vec2,
    /// Unit vector along it.
    pub(crate) along: Vec2,
    /// Unit normal to the outside, on its right.
    pub(crate) outward: Vec2,
    /// Length (m).
    pub(crate) length: f64,
}

/// A point seen from an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Foot {
    /// Place of the point's foot from the edge's start (m); below 0 or above the length it is beside the edge.
    pub(crate) place: f64,
    /// Height over the edge's line, positive outside (m).
    pub(crate) height: f64,
    /// Distance squared from the edge, its ends included (m²).
    pub(crate) square: f64,
}

impl Edge {
    pub(crate) fn between(start: Vec2, end: Vec2) -> Self {
        let length = (end - start).norm();
        let along = (end - start) / length;
        Self { start, end, along, outward: Vec2::new(along.y, -along.x), length }
    }

    /// The one formula by which points and edges meet: the tree and the test of all pairs have the same bits.
    #[inline]
    pub(crate) fn foot(&self, point: &Vec2) -> Foot {
        let arm = point - self.start;
        let (place, height) = (arm.dot(&self.along), arm.dot(&self.outward));
        let square = if place < 0.0 {
            arm.norm_squared()
        } else if place > self.length {
            (point - self.end).norm_squared()
        } else {
            height * height
        };
        Foot { place, height, square }
    }

    /// Is a foot on the edge, whatever rounding says?
    pub(crate) fn is_over(&self, foot: &Foot, rounding: f64) -> bool {
        foot.place >= -rounding && foot.place <= self.length + rounding
    }

    /// Sine of the angle by which an outline turns to the left from this edge to the next.
    pub(crate) fn turn_to(&self, next: &Self) -> f64 {
        cross(&self.along, &next.along)
    }
}
