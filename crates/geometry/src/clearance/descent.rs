use carom_math::{Pose, Vec3};

use super::ClearanceTree;
use super::lanes::{Placement, bound_boxes, bound_triangles, within};
use super::tree::{Eight, Thing};
use crate::near::simd::{Kernel, LANES, SimdLevel};

/// Rounding of coordinates through boxes and frames, in units of the sum of all that is added.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Buffers of searches for clearance; what was searched before changes nothing.
#[derive(Clone, Debug)]
pub struct ClearanceWorkspace {
    stack: Vec<Pair>,
    simd: SimdLevel,
    visits: u64,
    pairs: u64,
    /// Visits and pairs after which searches end where they are.
    most: u64,
}

impl Default for ClearanceWorkspace {
    fn default() -> Self {
        Self::new()
    }
}

impl ClearanceWorkspace {
    /// For the instructions of this machine.
    pub fn new() -> Self {
        Self::with(SimdLevel::detect())
    }

    /// For given instructions: the results are the same in every bit.
    pub fn with(simd: SimdLevel) -> Self {
        Self { stack: Vec::with_capacity(512), simd, visits: 0, pairs: 0, most: u64::MAX }
    }

    /// Boxes opened by all searches so far: what they cost.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Pairs of triangles that all searches so far came to.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Lets `searches` do so much and no more; what they find is void if they are `spent`.
    pub(super) fn within<T>(&mut self, work: u64, searches: impl FnOnce(&mut Self) -> T) -> T {
        self.most = self.visits + self.pairs + work;
        let found = searches(self);
        self.most = u64::MAX;
        found
    }

    /// Has a search ended before it was done?
    pub(super) fn is_spent(&self) -> bool {
        self.visits + self.pairs >= self.most
    }
}

/// Two things to look at, and a lower bound of their distance (m).
#[derive(Clone, Copy, Debug)]
struct Pair {
    bound: f64,
    things: [Thing; 2],
}

/// Two surfaces with the pose of B in A.
#[derive(Clone, Copy)]
pub(super) struct Posed<'a> {
    pub(super) a: &'a ClearanceTree,
    pub(super) b: &'a ClearanceTree,
    pub(super) x_ab: &'a Pose,
}

impl Posed<'_> {
    /// Corners of a triangle of each, in A's frame (m); those of B are rounded once.
    pub(super) fn corners(&self, [a, b]: [u32; 2]) -> [[Vec3; 3]; 2] {
        [self.a.triangle(a), self.b.triangle(b).map(|p| self.x_ab.transform_point(&p))]
    }

    pub(super) fn is_finite(&self) -> bool {
        self.x_ab.rotation.iter().chain(&self.x_ab.translation).all(|x| x.is_finite())
    }

    /// Whether there is a pair of triangles with these indices.
    pub(super) fn has(&self, [a, b]: [u32; 2]) -> bool {
        (a as usize) < self.a.triangles() && (b as usize) < self.b.triangles()
    }
}

/// What is done with the pairs of triangles that a descent comes to.
pub(super) trait Visit {
    /// Pairs with a bound above are passed over (m).
    fn limit(&self) -> f64;
    /// Unit vector in A's frame along which bounds are tried first.
    fn direction(&self) -> Option<Vec3>;
    /// Of a pair that was passed over.
    fn pass(&mut self, bound: f64);
    /// False ends the descent.
    fn visit(&mut self, triangles: [u32; 2]) -> bool;
}

/// Visits all pairs of triangles whose bound is within the limit, nearest first as far as boxes tell.
pub(super) fn descend(posed: &Posed<'_>, workspace: &mut ClearanceWorkspace, visit: &mut impl Visit) {
    let ClearanceWorkspace { stack, simd, visits, pairs, most } = workspace;
    simd.run(Descent { posed, stack, visits, pairs, most: *most, visit });
}

struct Descent<'a, V> {
    posed: &'a Posed<'a>,
    stack: &'a mut Vec<Pair>,
    visits: &'a mut u64,
    pairs: &'a mut u64,
    most: u64,
    visit: &'a mut V,
}

impl<V: Visit> Kernel for Descent<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { posed, stack, visits, pairs, most, visit } = self;
        let Posed { a, b, x_ab } = *posed;
        let (into_a, into_b) = (Placement::new(x_ab), Placement::new(&x_ab.inverse()));
        let rounding = ROUNDING * (a.radius() + b.radius() + x_ab.translation.norm());
        stack.clear();
        stack.push(Pair { bound: 0.0, things: [a.whole(), b.whole()] });
        while let Some(Pair { bound, things }) = stack.pop() {
            if bound > visit.limit() {
                visit.pass(bound);
                continue;
            }
            if *visits + *pairs >= most {
                return;
            }
            let sizes = [a.size(things[0]), b.size(things[1])];
            if sizes[0] < 0.0 && sizes[1] < 0.0 {
                *pairs += 1;
                if !visit.visit([a.index(things[0]), b.index(things[1])]) {
                    return;
                }
                continue;
            }
            *visits += 1;
            // The larger one is opened, and the other moved into its frame.
            let side = usize::from(sizes[0] < sizes[1]);
            let opened = if side == 0 { a } else { b };
            let single = if side == 0 {
                b.single(things[1]).placed(&into_a)
            } else {
                a.single(things[0]).placed(&into_b)
            };
            let direction =
                visit.direction().map(|n| if side == 0 { n.into() } else { into_b.turn(n.into()) });
            let (child, count, eight) = opened.open(things[side]);
            let limit = visit.limit();
            let bounds = match eight {
                Eight::Boxes(eight) => bound_boxes(&single, eight, direction, rounding, limit),
                Eight::Triangles(eight) => bound_triangles(&single, eight, direction, rounding, limit),
            };
            let first = stack.len();
            let (mut lanes, passed) = within(&bounds, count, limit);
            visit.pass(passed);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                // What holds a thing is no farther.
                let bound = bounds[lane % LANES].max(bound);
                let mut things = things;
                things[side] = ClearanceTree::child(child, lane);
                let mut at = stack.len();
                stack.push(Pair { bound, things });
                // The farthest first, so that the nearest is next.
                while at > first && stack[at - 1].bound < bound {
                    stack.swap(at - 1, at);
                    at -= 1;
                }
            }
        }
    }
}
