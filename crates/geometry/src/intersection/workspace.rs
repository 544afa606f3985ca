use carom_math::Pose;

use super::flood::Inside;
use super::nodes::{Posed, Side};
use super::{ClosedSurface, Contours, IntersectionFault};
use crate::near::{POSITION_ROUNDING, Placement, SimdLevel};

/// Finds contours of two closed surfaces and what of each is inside the other, at one pose after the other.
#[derive(Clone, Debug)]
pub(crate) struct ContourWorkspace {
    contours: Contours,
    a: Inside,
    b: Inside,
    /// What a position may be off by (m).
    rounding: f64,
    simd: SimdLevel,
}

/// Tests of boxes, of edges near triangles by distances, and of edges and triangles by exact signs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContourCosts {
    pub(crate) box_tests: u64,
    pub(crate) edge_tests: u64,
    pub(crate) exact_tests: u64,
}

impl ContourWorkspace {
    /// For these two surfaces; it must not be used with others.
    pub(crate) fn new(a: &ClosedSurface, b: &ClosedSurface) -> Self {
        let inside = |side, surface: &ClosedSurface| {
            Inside::new(side, surface.vertices.len(), surface.edges.len(), surface.triangles.len())
        };
        Self {
            contours: Contours::default(),
            a: inside(Side::A, a),
            b: inside(Side::B, b),
            rounding: POSITION_ROUNDING * 3.0 * (a.radius + b.radius),
            simd: SimdLevel::detect(),
        }
    }

    /// At `x_ba`, the pose of A's frame in B's; `placement` is the same as plain numbers.
    pub(crate) fn find(
        &mut self,
        a: &ClosedSurface,
        b: &ClosedSurface,
        x_ba: &Pose,
        placement: &Placement,
    ) -> Result<(), IntersectionFault> {
        let back = Placement::checked(&x_ba.inverse()).map_err(IntersectionFault::Pose)?;
        let posed = Posed { a, b, placement };
        self.contours.find(&posed, &back, self.rounding, self.simd)?;
        self.a.find(&posed, &self.contours)?;
        self.b.find(&posed, &self.contours)
    }

    pub(crate) fn contours(&self) -> &Contours {
        &self.contours
    }

    /// Triangles of a side with an inside vertex or a segment, ascending.
    pub(crate) fn triangles(&self, side: Side) -> &[u32] {
        match side {
            Side::A => self.a.triangles(),
            Side::B => self.b.triangles(),
        }
    }

    /// What searches since the last time have cost.
    pub(crate) fn take_costs(&mut self) -> ContourCosts {
        self.contours.take_costs()
    }
}
