use carom_math::Vec3;

use super::ClearanceTree;
use super::lanes::SinglePoint;
use super::tree::{Eight, Thing};
use crate::convex::on_triangle;
use crate::near::simd::{Kernel, LANES, SimdLevel};

/// Rounding of coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Boxes that there is room for: of each level seven wait while the eighth is opened, and trees of so many levels are rare.
const WAITING: usize = 8 * 16;

impl ClearanceTree {
    /// Distance of a finite point from the surface (m), and the triangle that is nearest; of several the first that is met.
    pub fn nearest(&self, point: &Vec3) -> (f64, u32) {
        self.search(point, f64::INFINITY, &mut NearestWorkspace::default())
    }

    /// The distance (m), or `bound` if that is less.
    pub fn distance_within(&self, point: &Vec3, bound: f64, workspace: &mut NearestWorkspace) -> f64 {
        self.search(point, bound, workspace).0
    }

    fn search(&self, point: &Vec3, bound: f64, workspace: &mut NearestWorkspace) -> (f64, u32) {
        let waiting = &mut workspace.waiting;
        let mut search = Search { tree: self, point: *point, distance: bound, triangle: 0, waiting };
        SimdLevel::detect().run(&mut search);
        (search.distance, search.triangle)
    }
}

/// Buffer of searches for what is nearest: empty between them.
#[derive(Clone, Debug, Default)]
pub struct NearestWorkspace {
    waiting: Vec<(f64, Thing)>,
}

impl NearestWorkspace {
    /// With room for what searches leave waiting.
    pub fn with_room() -> Self {
        Self { waiting: Vec::with_capacity(WAITING) }
    }
}

struct Search<'a> {
    tree: &'a ClearanceTree,
    point: Vec3,
    distance: f64,
    triangle: u32,
    /// Boxes with lower bounds of their distances, the nearest of a node last.
    waiting: &'a mut Vec<(f64, Thing)>,
}

impl Kernel for &mut Search<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let tree = self.tree;
        let rounding = ROUNDING * (tree.radius() + self.point.norm());
        let point = SinglePoint::new(&self.point);
        self.waiting.push((0.0, tree.whole()));
        while let Some((bound, thing)) = self.waiting.pop() {
            if bound > self.distance {
                continue;
            }
            let (opened, lanes, eight) = tree.open(thing);
            let (bounds, is_leaf) = match eight {
                Eight::Boxes(eight) => (point.bound(eight, rounding, self.distance), false),
                Eight::Triangles(eight) => (point.bound(eight, rounding, self.distance), true),
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
        let [a, b, c] = self.tree.triangle(index).map(|corner| corner - self.point);
        let [of_a, of_b, of_c] = on_triangle(&a, &b, &c);
        let distance = (a * of_a + b * of_b + c * of_c).norm();
        if distance < self.distance {
            (self.distance, self.triangle) = (distance, index);
        }
    }
}
