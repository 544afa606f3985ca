//! Descent through both trees: which lines come within a skin of which triangles.

use super::base_tree::{BaseChild, BaseNode, Cluster};
use super::query::Query;
use super::{BaseTree, TargetTree};
use crate::polygonal::ray::{Placement, dot};
use crate::polygonal::simd::{Kernel, LANES};
use crate::polygonal::target::TargetTriangle;

/// Boxes of the target are opened until they are no longer than this many times the box they are held against.
const SIZE_RATIO: f32 = 2.0;

/// Children of a node of the target that are still in question: bit k for child k.
#[derive(Clone, Copy, Debug)]
struct Entry {
    node: u32,
    lanes: u8,
}

/// A child of a base node, with the entries that its parent touches.
#[derive(Clone, Copy, Debug)]
struct Frame {
    query: Query,
    child: BaseChild,
    begin: usize,
    end: usize,
}

/// Buffers of a descent.
#[derive(Clone, Debug, Default)]
pub(in crate::polygonal) struct Descent {
    /// Lists of entries, each a part of this stack.
    entries: Vec<Entry>,
    frames: Vec<Frame>,
    opened: Vec<Entry>,
}

/// What a descent has found, and what it has cost.
#[derive(Clone, Debug, Default)]
pub(in crate::polygonal) struct Found {
    /// Element · 2³² + triangle, in no order.
    pub(in crate::polygonal) pairs: Vec<u64>,
    pub(in crate::polygonal) box_tests: u64,
    pub(in crate::polygonal) ray_tests: u64,
}

/// Lists all pairs of a line and a triangle whose distance is at most `skin`, and some more.
pub(in crate::polygonal) struct Near<'a> {
    pub(in crate::polygonal) base: &'a BaseTree,
    pub(in crate::polygonal) target: &'a TargetTree,
    pub(in crate::polygonal) triangles: &'a [TargetTriangle],
    pub(in crate::polygonal) placement: &'a Placement,
    pub(in crate::polygonal) reach: f64,
    /// Distance (m), the rounding of positions included.
    pub(in crate::polygonal) skin: f64,
    /// Stop at the first pair.
    pub(in crate::polygonal) is_any_enough: bool,
    pub(in crate::polygonal) buffers: &'a mut Descent,
    pub(in crate::polygonal) found: &'a mut Found,
}

/// Ends of eight lines in the target's frame.
struct Ends {
    from: [[f64; LANES]; 3],
    to: [[f64; LANES]; 3],
}

impl Kernel for Near<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        self.found.pairs.clear();
        self.buffers.frames.clear();
        self.buffers.entries.clear();
        self.buffers.entries.push(Entry { node: 0, lanes: u8::MAX });
        self.open(&self.base.nodes[0], 0, 1);
        while let Some(frame) = self.buffers.frames.pop() {
            // Lists of frames that are done lie above this frame's.
            self.buffers.entries.truncate(frame.end);
            match frame.child {
                BaseChild::Node(index) => {
                    self.narrow(&frame.query, frame.begin, frame.end, SIZE_RATIO * frame.query.extent());
                    let end = self.buffers.entries.len();
                    if end > frame.end {
                        self.open(&self.base.nodes[index as usize], frame.end, end);
                    }
                }
                BaseChild::Cluster(index) => self.meet_cluster(&frame, &self.base.clusters[index as usize]),
            }
            if self.is_any_enough && !self.found.pairs.is_empty() {
                return;
            }
        }
    }
}

impl Near<'_> {
    /// Makes frames of all children of a base node.
    #[inline(always)]
    fn open(&mut self, node: &BaseNode, begin: usize, end: usize) {
        let rows = &self.placement.rows;
        let shift: [f64; 3] = [0, 1, 2].map(|i| self.placement.shift[i] - self.target.centre[i]);
        let mut low = [[0.0; LANES]; 3];
        let mut high = [[0.0; LANES]; 3];
        let mut axis = [[0.0; LANES]; 3];
        let mut along = [0.0; LANES];
        for i in 0..3 {
            for k in 0..LANES {
                let (mut c, mut h, mut a) = (shift[i], self.skin, 0.0);
                for j in 0..3 {
                    c += rows[i][j] * node.centre[j][k];
                    h += rows[i][j].abs() * node.half[j][k];
                    a += rows[i][j] * node.axis[j][k];
                }
                low[i][k] = c - h;
                high[i][k] = c + h;
                axis[i][k] = a;
                along[k] += a * shift[i];
            }
        }
        for k in 0..node.children {
            let lane = |v: &[[f64; LANES]; 3]| [v[0][k], v[1][k], v[2][k]];
            let query = Query::new(
                lane(&low),
                lane(&high),
                lane(&axis),
                along[k] + node.axis_low[k] - self.skin,
                along[k] + node.axis_high[k] + self.skin,
                self.target.size,
            );
            self.buffers.frames.push(Frame { query, child: node.child[k], begin, end });
        }
    }

    /// Appends what of the entries from `begin` to `end` touches the query, opening boxes longer than `longest`.
    #[inline(always)]
    fn narrow(&mut self, query: &Query, begin: usize, end: usize, longest: f32) {
        for index in begin..end {
            let entry = self.buffers.entries[index];
            self.buffers.opened.push(entry);
            while let Some(entry) = self.buffers.opened.pop() {
                let node = &self.target.nodes[entry.node as usize];
                self.found.box_tests += LANES as u64;
                let mut touched = query.touches(&node.boxes) & entry.lanes;
                let mut kept = 0;
                while touched != 0 {
                    let lane = touched.trailing_zeros() as usize;
                    touched &= touched - 1;
                    let child = node.child[lane];
                    if !child.is_triangle() && node.extent[lane] > longest {
                        self.buffers.opened.push(Entry { node: child.index(), lanes: u8::MAX });
                    } else {
                        kept |= 1 << lane;
                    }
                }
                if kept != 0 {
                    self.buffers.entries.push(Entry { node: entry.node, lanes: kept });
                }
            }
        }
    }

    /// Down to triangles, and those against the lines.
    #[inline(always)]
    fn meet_cluster(&mut self, frame: &Frame, cluster: &Cluster) {
        let mut touched = 0;
        for entry in &self.buffers.entries[frame.begin..frame.end] {
            let boxes = &self.target.nodes[entry.node as usize].boxes;
            touched |= frame.query.touches(boxes) & entry.lanes;
        }
        self.found.box_tests += (LANES * (frame.end - frame.begin)) as u64;
        if touched == 0 {
            return;
        }
        let ends = self.find_ends(cluster);
        let query = self.tight_query(cluster, &ends);
        self.narrow(&query, frame.begin, frame.end, -1.0);
        for index in frame.end..self.buffers.entries.len() {
            let Entry { node, mut lanes } = self.buffers.entries[index];
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let triangle = self.target.nodes[node as usize].child[lane].index();
                self.found.ray_tests += cluster.lines as u64;
                let mut near =
                    find_near(&ends, &self.triangles[triangle as usize], self.skin) & filled(cluster.lines);
                while near != 0 {
                    let line = near.trailing_zeros() as usize;
                    near &= near - 1;
                    let pair = u64::from(cluster.element[line]) << 32 | u64::from(triangle);
                    self.found.pairs.push(pair);
                }
            }
        }
    }

    #[inline(always)]
    fn find_ends(&self, cluster: &Cluster) -> Ends {
        let mut ends = Ends { from: [[0.0; LANES]; 3], to: [[0.0; LANES]; 3] };
        for i in 0..3 {
            let row = self.placement.rows[i];
            for k in 0..LANES {
                let lane = |v: &[[f64; LANES]; 3]| [v[0][k], v[1][k], v[2][k]];
                let from = dot(row, lane(&cluster.origin)) + self.placement.shift[i];
                ends.from[i][k] = from;
                ends.to[i][k] = from + self.reach * dot(row, lane(&cluster.direction));
            }
        }
        ends
    }

    /// Box around the lines themselves, in the target's axes.
    #[inline(always)]
    fn tight_query(&self, cluster: &Cluster, ends: &Ends) -> Query {
        let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
        for i in 0..3 {
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for k in 0..LANES {
                let (a, b) = (ends.from[i][k], ends.to[i][k]);
                least = least.min(a.min(b));
                most = most.max(a.max(b));
            }
            low[i] = least - self.target.centre[i] - self.skin;
            high[i] = most - self.target.centre[i] + self.skin;
        }
        let axis = self.placement.turn(cluster.axis.into());
        let along = dot(axis, [0, 1, 2].map(|i| self.placement.shift[i] - self.target.centre[i]));
        let (axis_low, axis_high) =
            (along + cluster.axis_low - self.skin, along + cluster.axis_high + self.skin);
        Query::new(low, high, axis, axis_low, axis_high, self.target.size)
    }
}

#[inline(always)]
fn filled(lines: usize) -> u8 {
    (u16::MAX >> (16 - lines)) as u8
}

/// Bit k is set if line k may come within `skin` of the triangle: not both ends are beyond the plane by more, on either
/// side, nor beyond an edge. Coordinates grow by |g| per metre.
#[inline(always)]
fn find_near(ends: &Ends, triangle: &TargetTriangle, skin: f64) -> u8 {
    let plane = &triangle.plane;
    let [beta_skin, gamma_skin, sum_skin] = triangle.growth.map(|g| g * skin);
    let mut near = [0_u32; LANES];
    for k in 0..LANES {
        let from = [ends.from[0][k], ends.from[1][k], ends.from[2][k]];
        let to = [ends.to[0][k], ends.to[1][k], ends.to[2][k]];
        let (p, q) = (dot(plane.normal, from) - plane.offset, dot(plane.normal, to) - plane.offset);
        let (b, d) = (dot(plane.g1, from) - plane.c1, dot(plane.g1, to) - plane.c1);
        let (c, e) = (dot(plane.g2, from) - plane.c2, dot(plane.g2, to) - plane.c2);
        let is_near = ((p <= skin) | (q <= skin))
            & ((p >= -skin) | (q >= -skin))
            & ((b >= -beta_skin) | (d >= -beta_skin))
            & ((c >= -gamma_skin) | (e >= -gamma_skin))
            & ((b + c <= plane.limit + sum_skin) | (d + e <= plane.limit + sum_skin));
        near[k] = if is_near { 1 << k } else { 0 };
    }
    near.iter().fold(0, |bits, bit| bits | bit) as u8
}
