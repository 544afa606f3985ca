//! The triangles that a line may meet.

use carom_math::Vec3;

use super::ClearanceTree;
use super::lanes::{Lanes, Single, SingleTriangle, bound_boxes, bound_triangles};
use super::tree::{Eight, Thing};
use crate::near::simd::LANES;

/// Boxes that wait, as for a ray through a tree.
const MOST_WAITING: usize = 96;

/// A line through a tree, and what is to become of the triangles near it.
pub(super) trait Along {
    /// Its ends (m). What has been met may bring them nearer to each other.
    fn ends(&self) -> [Vec3; 2];
    /// Takes a triangle that is no farther from it than rounding.
    fn meet(&mut self, thing: Thing);
}

/// Visits the triangles that a line is no farther from than `rounding` (m).
#[inline(always)]
pub(super) fn visit_along(tree: &ClearanceTree, rounding: f64, along: &mut impl Along) {
    let mut waiting = [tree.whole(); MOST_WAITING];
    let mut count = 1;
    while count > 0 {
        count -= 1;
        let [from, to] = along.ends();
        let line = Single::Triangle(SingleTriangle::new(&[from, to, to]));
        let (opened, lanes, eight) = tree.open(waiting[count]);
        let (bounds, is_leaf): (Lanes, bool) = match eight {
            Eight::Boxes(eight) => (bound_boxes(&line, eight, None, rounding, 0.0), false),
            Eight::Triangles(eight) => (bound_triangles(&line, eight, None, rounding, 0.0), true),
        };
        for lane in 0..lanes.min(LANES) {
            if bounds[lane] > 0.0 {
                continue;
            }
            let child = ClearanceTree::child(opened, lane);
            if is_leaf {
                along.meet(child);
            } else {
                waiting[count] = child;
                count += 1;
            }
        }
    }
}
