use carom_math::Vec3;

use super::ClearanceTree;
use super::lanes::{Single, SingleTriangle, bound_boxes, bound_triangles};
use super::tree::{Eight, Thing};
use super::triangles::triangle_separation;
use crate::near::simd::{Kernel, LANES, SimdLevel};

/// Rounding of coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

impl ClearanceTree {
    /// Distance of a finite point from the surface (m), and the triangle that is nearest; of several the first that is met.
    pub fn nearest(&self, point: &Vec3) -> (f64, u32) {
        let mut search =
            Search { tree: self, point: *point, distance: f64::INFINITY, triangle: 0, waiting: Vec::new() };
        SimdLevel::detect().run(&mut search);
        (search.distance, search.triangle)
    }
}

struct Search<'a> {
    tree: &'a ClearanceTree,
    point: Vec3,
    distance: f64,
    triangle: u32,
    /// Boxes with lower bounds of their distances, the nearest of a node last.
    waiting: Vec<(f64, Thing)>,
}

impl Kernel for &mut Search<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let tree = self.tree;
        let rounding = ROUNDING * (tree.radius() + self.point.norm());
        let point = Single::Triangle(SingleTriangle::new(&[self.point; 3]));
        self.waiting.push((0.0, tree.whole()));
        while let Some((bound, thing)) = self.waiting.pop() {
            if bound > self.distance {
                continue;
            }
            let (opened, lanes, eight) = tree.open(thing);
            let (bounds, is_leaf) = match eight {
                Eight::Boxes(eight) => (bound_boxes(&point, eight, None, rounding, self.distance), false),
                Eight::Triangles(eight) => {
                    (bound_triangles(&point, eight, None, rounding, self.distance), true)
                }
            };
            let first = self.waiting.len();
            for lane in 0..lanes.min(LANES) {
                if bounds[lane] > self.distance {
                    continue;
                }
                let child = ClearanceTree::child(opened, lane);
                if is_leaf {
                    self.visit(child);
                } else {
                    self.waiting.push((bounds[lane], child));
                }
            }
            self.waiting[first..].sort_unstable_by(|x, y| y.0.total_cmp(&x.0));
        }
    }
}

impl Search<'_> {
    fn visit(&mut self, thing: Thing) {
        let index = self.tree.index(thing);
        let distance = triangle_separation(&[self.point; 3], &self.tree.triangle(index)).distance;
        if distance < self.distance {
            (self.distance, self.triangle) = (distance, index);
        }
    }
}
