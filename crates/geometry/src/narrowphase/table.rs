//! The one table of pair kernels.

use super::PairKernel;
use crate::ShapeKind;

/// Entry of the pair table.
pub enum Cell {
    /// The kernel takes the shapes in this order.
    Direct(&'static PairKernel),
    /// The kernel takes them exchanged; swap the shapes, then the contact point.
    Swapped(&'static PairKernel),
    /// No analytic kernel; the reason, for the message.
    Unsupported(&'static str),
}

/// Kernel of an ordered pair of kinds.
pub fn find_kernel(a: ShapeKind, b: ShapeKind) -> Cell {
    let _ = (a, b);
    Cell::Unsupported("not built yet")
}
