use carom_math::Vec2;

use super::edge::Edge;

/// Edges of a leaf at most.
const LEAF: usize = 3;
/// Depth of a tree over as many edges as an index can number.
pub(crate) const DEPTH: usize = 64;

/// Boxes along the axes of the polygon's frame around the edges of an outline, halved in the order of the outline until three
/// edges or fewer are left (Slavič and Boltežar 2006, 3.2.1).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree {
    /// The first is the root; the first half of a node follows it.
    pub(crate) nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) low: Vec2,
    pub(crate) high: Vec2,
    /// Edges, from and to.
    pub(crate) edges: [u32; 2],
    /// Index of the second half; 0 of a leaf.
    pub(crate) second: u32,
}

impl Node {
    pub(crate) fn is_leaf(&self) -> bool {
        self.second == 0
    }

    /// Distance squared of a point from the box (m²).
    #[inline]
    pub(crate) fn square(&self, point: &Vec2) -> f64 {
        let out = (self.low - point).sup(&(point - self.high)).sup(&Vec2::zeros());
        out.norm_squared()
    }

    pub(crate) fn edges(&self) -> std::ops::Range<usize> {
        self.edges[0] as usize..self.edges[1] as usize
    }
}

impl Tree {
    pub(crate) fn over(edges: &[Edge]) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(edges.len()) };
        tree.add(edges, 0, edges.len());
        tree
    }

    fn add(&mut self, edges: &[Edge], from: usize, to: usize) {
        let at = self.nodes.len();
        let (mut low, mut high) = (edges[from].start, edges[from].start);
        for edge in &edges[from..to] {
            low = low.inf(&edge.start.inf(&edge.end));
            high = high.sup(&edge.start.sup(&edge.end));
        }
        self.nodes.push(Node { low, high, edges: [from as u32, to as u32], second: 0 });
        if to - from > LEAF {
            let middle = from + (to - from) / 2;
            self.add(edges, from, middle);
            self.nodes[at].second = self.nodes.len() as u32;
            self.add(edges, middle, to);
        }
    }

    /// Calls for every edge in a leaf whose box is not farther than a distance squared (m²) from a point.
    pub(crate) fn for_each_within(&self, point: &Vec2, square: f64, mut each: impl FnMut(usize)) {
        let mut stack = [0_u32; DEPTH];
        let mut open = 1;
        while open > 0 {
            open -= 1;
            let at = stack[open] as usize;
            let node = &self.nodes[at];
            if node.square(point) > square {
                continue;
            }
            if node.is_leaf() {
                node.edges().for_each(&mut each);
            } else {
                (stack[open], stack[open + 1]) = (node.second, at as u32 + 1);
                open += 2;
            }
        }
    }

    /// Edges in leaves whose boxes meet the box of an edge.
    pub(crate) fn for_each_meeting(&self, edge: &Edge, mut each: impl FnMut(usize)) {
        let (low, high) = (edge.start.inf(&edge.end), edge.start.sup(&edge.end));
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            let node: &Node = &self.nodes[at];
            let apart = (0..2).any(|k| node.low[k] > high[k] || low[k] > node.high[k]);
            if apart {
                continue;
            }
            if node.is_leaf() {
                node.edges().for_each(&mut each);
            } else {
                stack.extend([node.second as usize, at + 1]);
            }
        }
    }
}
