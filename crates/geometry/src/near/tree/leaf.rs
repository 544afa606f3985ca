use crate::near::simd::LANES;
use crate::near::{Placement, TargetTriangle};

/// Up to eight things at the bottom of a base's tree that are met with one triangle of the target at a time.
pub(crate) trait Leaf {
    /// The same in the target's frame.
    type Placed: PlacedLeaf;

    /// Lines are as long as `reach` (m) times their direction; boxes are inflated by `skin` (m), about the target's `centre`.
    fn place(&self, placement: &Placement, reach: f64, skin: f64, centre: [f64; 3]) -> Self::Placed;

    /// Their numbers; lanes after the last repeat one.
    fn elements(&self) -> &[u32; LANES];

    /// How many there are.
    fn count(&self) -> usize;
}

/// What became of a [`Leaf`] in the target's frame.
pub(crate) trait PlacedLeaf {
    /// Bit k is set if thing k may touch the box around a triangle, about the target's centre.
    fn touch(&self, low: [f32; 3], high: [f32; 3]) -> u8;

    /// Bit k is set if thing k, of those that are asked for, may come within `skin` (m) of the triangle.
    fn near(&self, triangle: &TargetTriangle, skin: f64, asked: u8) -> u8;
}
