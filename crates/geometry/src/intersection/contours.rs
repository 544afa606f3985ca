use super::nodes::{Node, Posed, Side};
use super::{ContourCosts, IntersectionFault};
use crate::near::{Descent, Found, Near, Placement, SimdLevel};

/// Contours of two surfaces at one pose.
#[derive(Clone, Debug, Default)]
pub struct Contours {
    nodes: Vec<Node>,
    segments: Vec<Segment>,
    loop_nodes: Vec<u32>,
    loop_starts: Vec<u32>,
    incidences: Vec<Incidence>,
    next: Vec<u32>,
    descent: Descent,
    found: Found,
    /// Tests of exact signs.
    exact_tests: u64,
}

/// Where two triangles cut each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Of A and of B.
    pub triangles: [u32; 2],
    /// Its ends: for who walks on A, with its normal for up, from the first to the second, what is inside B lies on the
    /// left.
    pub nodes: [u32; 2],
}

/// A node as the start or the end of the segment of two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Incidence {
    triangles: [u32; 2],
    is_end: bool,
    node: u32,
}

impl Contours {
    /// All nodes, by side, edge and triangle.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All segments, by the triangles of A and B.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Closed loops of nodes, each in the direction of its segments, which end where they start.
    pub fn loops(&self) -> impl Iterator<Item = &[u32]> {
        self.loop_starts.windows(2).map(|ends| &self.loop_nodes[ends[0] as usize..ends[1] as usize])
    }

    /// What has been tested since the last time.
    pub(super) fn take_costs(&mut self) -> ContourCosts {
        ContourCosts {
            box_tests: std::mem::take(&mut self.found.box_tests),
            edge_tests: std::mem::take(&mut self.found.ray_tests),
            exact_tests: std::mem::take(&mut self.exact_tests),
        }
    }

    /// Replaces everything; `back` is the placement of B in A, and `rounding` (m) what positions may be off by.
    pub(super) fn find(
        &mut self,
        posed: &Posed<'_>,
        back: &Placement,
        rounding: f64,
        simd: SimdLevel,
    ) -> Result<(), IntersectionFault> {
        self.nodes.clear();
        self.find_nodes(posed, Side::A, posed.placement, rounding, simd);
        self.find_nodes(posed, Side::B, back, rounding, simd);
        self.find_segments(posed)?;
        self.find_loops();
        Ok(())
    }

    /// Nodes of edges of one side: those that come near a triangle are asked exactly.
    fn find_nodes(
        &mut self,
        posed: &Posed<'_>,
        side: Side,
        placement: &Placement,
        rounding: f64,
        simd: SimdLevel,
    ) {
        let (edges, triangles) = (posed.surface(side), posed.surface(side.other()));
        simd.run(Near {
            base: &edges.edge_tree,
            target: &triangles.triangle_tree,
            triangles: &triangles.planes,
            placement,
            reach: 1.0,
            skin: rounding,
            most_pairs: usize::MAX,
            buffers: &mut self.descent,
            found: &mut self.found,
        });
        self.found.pairs.sort_unstable();
        self.exact_tests += self.found.pairs.len() as u64;
        let node = |pair: &u64| posed.find_node(side, (pair >> 32) as u32, *pair as u32);
        self.nodes.extend(self.found.pairs.iter().filter_map(node));
    }

    /// Every node is the start of a segment and the end of another: the triangle that walks its edge from inside to outside
    /// has the start if the edge is A's, and the end if it is B's.
    fn find_segments(&mut self, posed: &Posed<'_>) -> Result<(), IntersectionFault> {
        self.incidences.clear();
        for (index, node) in (0..).zip(&self.nodes) {
            let triangles = posed.surface(node.side).edges[node.edge as usize].triangles;
            for (own, is_forward) in triangles.into_iter().zip([true, false]) {
                let is_outward = node.is_low_inside == is_forward;
                let (triangles, is_end) = match node.side {
                    Side::A => ([own, node.triangle], !is_outward),
                    Side::B => ([node.triangle, own], is_outward),
                };
                self.incidences.push(Incidence { triangles, is_end, node: index });
            }
        }
        self.incidences.sort_unstable();
        self.segments.clear();
        for ends in self.incidences.chunk_by(|x, y| x.triangles == y.triangles) {
            let triangles = ends[0].triangles;
            match ends {
                [start, end] if !start.is_end && end.is_end => {
                    self.segments.push(Segment { triangles, nodes: [start.node, end.node] });
                }
                _ => return Err(IntersectionFault::Unclosed { triangles }),
            }
        }
        Ok(())
    }

    fn find_loops(&mut self) {
        const VISITED: u32 = u32::MAX;
        self.next.clear();
        self.next.resize(self.nodes.len(), VISITED);
        for segment in &self.segments {
            self.next[segment.nodes[0] as usize] = segment.nodes[1];
        }
        self.loop_nodes.clear();
        self.loop_starts.clear();
        self.loop_starts.push(0);
        for first in 0..self.nodes.len() as u32 {
            let mut node = first;
            while self.next[node as usize] != VISITED {
                self.loop_nodes.push(node);
                node = std::mem::replace(&mut self.next[node as usize], VISITED);
            }
            let end = self.loop_nodes.len() as u32;
            if self.loop_starts.last() != Some(&end) {
                self.loop_starts.push(end);
            }
        }
    }
}
