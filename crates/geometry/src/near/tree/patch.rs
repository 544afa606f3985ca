use carom_math::Vec3;

use super::leaf::{Leaf, PlacedLeaf};
use crate::near::simd::{LANES, any_of, lane};
use crate::near::{Placement, TargetTriangle, dot};

/// Up to eight triangles that are near each other; the lanes after the last repeat the first.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Patch {
    corners: [[[f64; LANES]; 3]; 3],
    element: [u32; LANES],
    count: usize,
}

/// Corners of eight triangles in the target's frame.
pub(crate) struct PlacedPatch([[[f64; LANES]; 3]; 3]);

impl Patch {
    /// Of one to eight triangles with their numbers.
    pub(super) fn new(triangles: &[(u32, [Vec3; 3])]) -> Self {
        let mut patch = Self { corners: [[[0.0; LANES]; 3]; 3], element: [0; LANES], count: triangles.len() };
        for lane in 0..LANES {
            let (element, corners) = triangles.get(lane).unwrap_or(&triangles[0]);
            patch.element[lane] = *element;
            for (lanes, corner) in patch.corners.iter_mut().zip(corners) {
                for i in 0..3 {
                    lanes[i][lane] = corner[i];
                }
            }
        }
        patch
    }
}

impl Leaf for Patch {
    type Placed = PlacedPatch;

    #[inline(always)]
    fn place(&self, placement: &Placement, _: f64, _: f64, _: [f64; 3]) -> PlacedPatch {
        let mut placed = PlacedPatch([[[0.0; LANES]; 3]; 3]);
        for k in 0..LANES {
            for j in 0..3 {
                let corner = placement.take(lane(&self.corners[j], k));
                for i in 0..3 {
                    placed.0[j][i][k] = corner[i];
                }
            }
        }
        placed
    }

    #[inline(always)]
    fn elements(&self) -> &[u32; LANES] {
        &self.element
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }
}

impl PlacedLeaf for PlacedPatch {
    /// The planes tell more at the same cost.
    #[inline(always)]
    fn touch(&self, _: [f32; 3], _: [f32; 3]) -> u8 {
        u8::MAX
    }

    /// All but those that lie on one side of its plane, or beyond a plane through one of its edges and across it.
    #[inline(always)]
    fn near(&self, triangle: &TargetTriangle, skin: f64, asked: u8) -> u8 {
        let plane = &triangle.plane;
        let mut near = [0_u32; LANES];
        for k in 0..LANES {
            let (p, q, r) = (lane(&self.0[0], k), lane(&self.0[1], k), lane(&self.0[2], k));
            let heights = (dot(plane.normal, p), dot(plane.normal, q), dot(plane.normal, r));
            let is_across = (least(heights.0, heights.1, heights.2) <= plane.offset + skin)
                & (greatest(heights.0, heights.1, heights.2) >= plane.offset - skin);
            let b = (dot(plane.g1, p), dot(plane.g1, q), dot(plane.g1, r));
            let c = (dot(plane.g2, p), dot(plane.g2, q), dot(plane.g2, r));
            let is_beside = (greatest(b.0, b.1, b.2) < plane.c1 - triangle.growth[0] * skin)
                | (greatest(c.0, c.1, c.2) < plane.c2 - triangle.growth[1] * skin)
                | (least(b.0 + c.0, b.1 + c.1, b.2 + c.2)
                    > plane.limit + plane.c1 + plane.c2 + triangle.growth[2] * skin);
            near[k] = if is_across & !is_beside { 1 << k } else { 0 };
        }
        any_of(near) & asked
    }
}

#[inline(always)]
fn least(a: f64, b: f64, c: f64) -> f64 {
    let least = if a < b { a } else { b };
    if least < c { least } else { c }
}

#[inline(always)]
fn greatest(a: f64, b: f64, c: f64) -> f64 {
    -least(-a, -b, -c)
}
