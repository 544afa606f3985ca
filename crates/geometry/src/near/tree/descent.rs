//! Descent through both trees: which lines come within a skin of which triangles.

use super::base_tree::{BaseChild, BaseNode, Cluster};
use super::leaf::{Leaf, PlacedLeaf};
use super::query::{Queries, Query, Shapes};
use super::{BaseTree, TargetTree};
use crate::near::Placement;
use crate::near::TargetTriangle;
use crate::near::simd::{Kernel, LANES, SimdLevel, filled};
use crate::near::{KnownClusters, OpenedParts, Part, Parts};

/// Boxes of the target are opened until they are no longer than this many times the box they are held against.
const SIZE_RATIO: f32 = 2.0;

/// Room for entries is not made for more than this many at first.
const MOST_ENTRIES: usize = 1 << 13;

/// Children of a node of the target that are still in question: bit k for child k.
#[derive(Clone, Copy, Debug)]
struct Entry {
    node: u32,
    lanes: u8,
}

/// The children of a base node, with the entries that their parent touches.
#[derive(Clone, Copy, Debug)]
struct Level {
    queries: Queries,
    children: Children,
    /// Children still to come.
    pending: u8,
    begin: usize,
    end: usize,
}

/// Where the children of a level are.
#[derive(Clone, Copy, Debug)]
enum Children {
    /// In a base node.
    Node(u32),
    /// In the parts that the level's place in the stack has room for.
    Parts,
}

/// Buffers of a descent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Descent {
    /// Lists of entries, each a part of this stack.
    entries: Vec<Entry>,
    /// From the root of the base to the current node; those below `depth` are room.
    levels: Vec<Level>,
    depth: usize,
    /// Parts that levels are cut into, by level; only where triangles are refined.
    parts: Vec<Parts>,
    known: KnownClusters,
    opened_parts: OpenedParts,
    opened: Vec<Entry>,
}

/// What a descent has found, and what it has cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// Element · 2³² + triangle, in no order.
    pub(crate) pairs: Vec<u64>,
    pub(crate) box_tests: u64,
    pub(crate) ray_tests: u64,
}

impl Descent {
    /// Room for all levels; for entries as long as no more than some thousand boxes are in question at once.
    pub(crate) fn with_capacity<L>(base: &BaseTree<L>, target: &TargetTree) -> Self {
        let entries = (base.depth * target.nodes.len()).min(MOST_ENTRIES);
        Self {
            entries: Vec::with_capacity(entries),
            levels: Vec::with_capacity(base.depth),
            depth: 0,
            parts: Vec::new(),
            known: KnownClusters::default(),
            opened_parts: OpenedParts::default(),
            opened: Vec::with_capacity(LANES * target.depth),
        }
    }

    /// Room for another two trees, too.
    pub(crate) fn and_room_for(mut self, base: &BaseTree, target: &TargetTree) -> Self {
        let other = Self::with_capacity(base, target);
        self.entries.reserve(other.entries.capacity());
        self.levels.reserve(other.levels.capacity());
        self.opened.reserve(other.opened.capacity());
        self
    }

    /// Leaves that were made.
    pub(crate) fn known(&self) -> &KnownClusters {
        &self.known
    }
}

impl Found {
    /// Room for this many pairs.
    pub(crate) fn with_capacity(pairs: usize) -> Self {
        Self { pairs: Vec::with_capacity(pairs + LANES), ..Self::default() }
    }

    /// Adds the pairs of a triangle and the elements with set bits. All eight are written and the others given up: which
    /// they are cannot be foreseen, and a wrong guess costs more than eight writes.
    #[inline(always)]
    fn push(&mut self, near: u8, elements: &[u32; LANES], triangle: u32) {
        let mut eight = [0; LANES];
        let mut count = 0;
        for k in 0..LANES {
            eight[count & (LANES - 1)] = u64::from(elements[k]) << 32 | u64::from(triangle);
            count += usize::from(near >> k & 1);
        }
        let before = self.pairs.len();
        self.pairs.extend_from_slice(&eight);
        self.pairs.truncate(before + count);
    }
}

/// Lists all pairs of a line and a triangle whose distance is at most `skin`, and some more. Trees whose triangles are not
/// `REFINED` have a kernel of their own: with what cuts triangles in it, the loop does not fit into the first cache.
pub(crate) struct Near<'a, const REFINED: bool, L = Cluster> {
    pub(crate) base: &'a BaseTree<L>,
    pub(crate) target: &'a TargetTree,
    pub(crate) triangles: &'a [TargetTriangle],
    pub(crate) placement: &'a Placement,
    pub(crate) reach: f64,
    /// Distance (m), the rounding of positions included.
    pub(crate) skin: f64,
    /// Stop as soon as there are more pairs than that. Those of the last leaf are among them.
    pub(crate) most_pairs: usize,
    pub(crate) buffers: &'a mut Descent,
    pub(crate) found: &'a mut Found,
}

impl<'a, L: Leaf> Near<'a, true, L> {
    /// Runs the kernel that these trees need.
    pub(crate) fn list(self, simd: SimdLevel) {
        if !self.base.parts.is_empty() {
            return simd.run(self);
        }
        let Self { base, target, triangles, placement, reach, skin, most_pairs, buffers, found } = self;
        simd.run(Near::<'a, false, L> {
            base,
            target,
            triangles,
            placement,
            reach,
            skin,
            most_pairs,
            buffers,
            found,
        });
    }
}

impl<const REFINED: bool, L: Leaf> Kernel for Near<'_, REFINED, L> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        self.found.pairs.clear();
        self.buffers.depth = 0;
        self.buffers.entries.clear();
        self.buffers.entries.push(Entry { node: 0, lanes: u8::MAX });
        self.open(0, 0, 1);
        while self.buffers.depth > 0 {
            let level = &mut self.buffers.levels[self.buffers.depth - 1];
            if level.pending == 0 {
                self.buffers.depth -= 1;
                continue;
            }
            let lane = level.pending.trailing_zeros() as usize;
            level.pending &= level.pending - 1;
            let (begin, end, query) = (level.begin, level.end, level.queries.get(lane));
            let children = level.children;
            // Lists of children that are done lie above this level's.
            self.buffers.entries.truncate(end);
            match children {
                Children::Node(index) => match self.base.nodes[index as usize].child[lane] {
                    BaseChild::Node(index) => {
                        self.narrow(&query, begin, end, SIZE_RATIO * query.extent());
                        let narrowed = self.buffers.entries.len();
                        if narrowed > end {
                            self.open(index, end, narrowed);
                        }
                    }
                    BaseChild::Cluster(index) => {
                        self.narrow(&query, begin, end, f32::NEG_INFINITY);
                        self.meet_leaf(end, &self.base.clusters[index as usize]);
                    }
                    BaseChild::Part(index) if REFINED => {
                        self.meet_part(&query, begin, end, &self.base.parts[index as usize]);
                    }
                    BaseChild::Part(_) => {}
                },
                Children::Parts if REFINED => {
                    let part = self.buffers.parts[self.buffers.depth - 1][lane];
                    self.meet_part(&query, begin, end, &part);
                }
                Children::Parts => {}
            }
            if self.found.pairs.len() > self.most_pairs {
                return;
            }
        }
    }
}

impl<const REFINED: bool, L: Leaf> Near<'_, REFINED, L> {
    /// Goes down to the children of a base node.
    #[inline(always)]
    fn open(&mut self, index: u32, begin: usize, end: usize) {
        self.push(&self.base.nodes[index as usize], Children::Node(index), begin, end);
    }

    /// Goes down a refined triangle: to its leaves if they are few, else to what it is cut into.
    #[inline(always)]
    fn meet_part(&mut self, query: &Query, begin: usize, end: usize, part: &Part) {
        let is_cluster = part.is_cluster();
        self.narrow(
            query,
            begin,
            end,
            if is_cluster { f32::NEG_INFINITY } else { SIZE_RATIO * query.extent() },
        );
        let narrowed = self.buffers.entries.len();
        // Most parts end here: nothing is made of them.
        if narrowed == end {
            return;
        }
        if is_cluster {
            let cluster = *self.buffers.known.cluster(part);
            if cluster.lines > 0 {
                self.meet_leaf(end, &cluster);
            }
            return;
        }
        if self.buffers.depth >= self.buffers.parts.len() {
            self.buffers.parts.resize(self.buffers.depth + 1, [Part::NONE; LANES]);
        }
        let (parts, node) = self.buffers.opened_parts.open(part, self.reach);
        self.buffers.parts[self.buffers.depth] = *parts;
        let node = *node;
        self.push(&node, Children::Parts, end, narrowed);
    }

    #[inline(always)]
    fn push(&mut self, node: &BaseNode, children: Children, begin: usize, end: usize) {
        if self.buffers.depth == self.buffers.levels.len() {
            let children = Children::Parts;
            let room = Level { queries: Queries::NONE, children, pending: 0, begin: 0, end: 0 };
            self.buffers.levels.push(room);
        }
        let level = &mut self.buffers.levels[self.buffers.depth];
        self.buffers.depth += 1;
        level
            .queries
            .set(&place(node, self.placement, self.target.centre.into(), self.skin), self.target.size);
        level.children = children;
        level.pending = filled(node.children);
        level.begin = begin;
        level.end = end;
    }

    /// Appends what of the entries from `begin` to `end` touches the query, opening boxes longer than `longest` (m), all of them if it is below 0.
    #[inline(always)]
    fn narrow(&mut self, query: &Query, begin: usize, end: usize, longest: f32) {
        for index in begin..end {
            let entry = self.buffers.entries[index];
            self.buffers.opened.push(entry);
            while let Some(entry) = self.buffers.opened.pop() {
                let node = &self.target.nodes[entry.node as usize];
                self.found.box_tests += LANES as u64;
                let touched = query.touches(&node.boxes) & entry.lanes;
                let mut opened = touched & if longest < 0.0 { !node.triangles } else { node.longer(longest) };
                let kept = touched & !opened;
                while opened != 0 {
                    let lane = opened.trailing_zeros() as usize;
                    opened &= opened - 1;
                    self.buffers.opened.push(Entry { node: node.child[lane], lanes: u8::MAX });
                }
                if kept != 0 {
                    self.buffers.entries.push(Entry { node: entry.node, lanes: kept });
                }
            }
        }
    }

    /// Triangles that were narrowed down to, the entries from `end` on, against what is in a leaf.
    #[inline(always)]
    fn meet_leaf(&mut self, end: usize, leaf: &impl Leaf) {
        if self.buffers.entries.len() == end {
            return;
        }
        let placed = leaf.place(self.placement, self.reach, self.skin, self.target.centre.into());
        for index in end..self.buffers.entries.len() {
            let Entry { node, mut lanes } = self.buffers.entries[index];
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let target = &self.target.nodes[node as usize];
                // Most boxes of single things miss what the box around all of them touches.
                let [low, high] = target.boxes.corners(lane);
                let touched = placed.touch(low, high) & filled(leaf.count());
                self.found.ray_tests += leaf.count() as u64;
                if touched == 0 {
                    continue;
                }
                let triangle = target.child[lane];
                let near = placed.near(&self.triangles[triangle as usize], self.skin, touched);
                if near != 0 {
                    self.found.push(near, leaf.elements(), triangle);
                }
            }
        }
    }
}

/// Boxes and slabs of the children of a base node in the target's axes, about `centre`.
#[inline(always)]
fn place(node: &BaseNode, placement: &Placement, centre: [f64; 3], skin: f64) -> Shapes {
    let none = [0.0; LANES];
    let mut shapes =
        Shapes { low: [none; 3], high: [none; 3], axis: [none; 3], axis_low: none, axis_high: none };
    let shift: [f64; 3] = [0, 1, 2].map(|i| placement.shift[i] - centre[i]);
    for k in 0..LANES {
        let mut along = 0.0;
        for i in 0..3 {
            let (mut c, mut h, mut a) = (shift[i], skin, 0.0);
            for j in 0..3 {
                c += placement.rows[i][j] * node.centre[j][k];
                h += placement.rows[i][j].abs() * node.half[j][k];
                a += placement.rows[i][j] * node.axis[j][k];
            }
            shapes.low[i][k] = c - h;
            shapes.high[i][k] = c + h;
            shapes.axis[i][k] = a;
            along += a * shift[i];
        }
        shapes.axis_low[k] = along + node.axis_low[k] - skin;
        shapes.axis_high[k] = along + node.axis_high[k] + skin;
    }
    shapes
}
