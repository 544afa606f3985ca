use carom_math::Pose;

use super::flood::Inside;
use super::nodes::{Posed, Side};
use super::{ClosedSurface, Contours, IntersectionFault};
use crate::near::{Descent, Found, Near, POSITION_ROUNDING, Placement, SimdLevel};

/// Finds contours of two closed surfaces and what of each is inside the other, at one pose after the other.
#[derive(Clone, Debug)]
pub(crate) struct ContourWorkspace {
    contours: Contours,
    inside: [Inside; 2],
    /// What a position may be off by (m).
    rounding: f64,
    descent: Descent,
    found: [Found; 2],
    simd: SimdLevel,
    exact_tests: u64,
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
        let (a, b) = (a.surface(), b.surface());
        Self {
            contours: Contours::default(),
            inside: [Inside::new(Side::A, a), Inside::new(Side::B, b)],
            rounding: POSITION_ROUNDING * 3.0 * (a.radius + b.radius),
            descent: Descent::default(),
            found: Default::default(),
            simd: SimdLevel::detect(),
            exact_tests: 0,
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
        let posed = Posed { a: a.surface(), b: b.surface(), placement };
        for (side, placement) in [(Side::A, placement), (Side::B, &back)] {
            let found = &mut self.found[side as usize];
            list_near(
                &posed,
                side,
                placement,
                (self.rounding, usize::MAX),
                self.simd,
                &mut self.descent,
                found,
            );
            found.pairs.sort_unstable();
            self.exact_tests += found.pairs.len() as u64;
        }
        self.contours.find(&posed, [0, 1].map(|side| &*self.found[side].pairs))?;
        for (inside, is_base) in self.inside.iter_mut().zip([true, false]) {
            let consistent = |inside: &Inside| match inside.contradiction() {
                Some(vertex) => Err(IntersectionFault::SelfIntersecting { is_base, vertex }),
                None => Ok(()),
            };
            inside.begin(&posed, &self.contours);
            consistent(inside)?;
            if let Some(&vertex) = inside.contained().first() {
                return Err(IntersectionFault::NoContour { is_base, vertex });
            }
            inside.spread(&posed);
            consistent(inside)?;
            inside.list_triangles(&posed, &self.contours);
        }
        Ok(())
    }

    pub(crate) fn contours(&self) -> &Contours {
        &self.contours
    }

    /// Triangles of a side with an inside vertex or a segment, ascending.
    pub(crate) fn triangles(&self, side: Side) -> &[u32] {
        self.inside[side as usize].triangles()
    }

    /// What searches since the last time have cost.
    pub(crate) fn take_costs(&mut self) -> ContourCosts {
        let mut costs =
            ContourCosts { exact_tests: std::mem::take(&mut self.exact_tests), ..Default::default() };
        for found in &mut self.found {
            costs.box_tests += std::mem::take(&mut found.box_tests);
            costs.edge_tests += std::mem::take(&mut found.ray_tests);
        }
        costs
    }
}

/// Lists the edges of `side` that come within a skin (m) of triangles of the other surface, by the placement of the side in
/// the other; no more pairs than asked for, and some.
pub(super) fn list_near(
    posed: &Posed<'_>,
    side: Side,
    placement: &Placement,
    (skin, most_pairs): (f64, usize),
    simd: SimdLevel,
    buffers: &mut Descent,
    found: &mut Found,
) {
    let (edges, triangles) = (posed.surface(side), posed.surface(side.other()));
    Near {
        base: &edges.edge_tree,
        target: &triangles.triangle_tree,
        triangles: &triangles.planes,
        placement,
        reach: 1.0,
        skin,
        most_pairs,
        buffers,
        found,
    }
    .list(simd);
}
