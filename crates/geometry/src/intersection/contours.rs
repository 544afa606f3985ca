use carom_math::Vec3;

use super::candidates::Listed;
use super::fault::Unclosed;
use super::meeting::MeetingBlock;
use super::nodes::{Node, Posed, Side};
use crate::near::simd::{LANES, filled};

/// Contours of two surfaces at one pose.
#[derive(Clone, Debug, Default)]
pub struct Contours {
    nodes: Vec<Node>,
    /// Those of the search before, as far as it matters; room for the next.
    before: Vec<Node>,
    /// Segments and chains are those of the nodes.
    is_whole: bool,
    segments: Vec<Segment>,
    loops: Chains,
    open: Chains,
    is_open: Vec<bool>,
    shared: Vec<Shared>,
    /// By triangle of A the last of those with it; none between searches.
    last_shared: Vec<u32>,
    /// Of each node the first segment that starts there and has not been walked.
    first_out: Vec<u32>,
    /// Of each segment the next that starts at the same node.
    next_out: Vec<u32>,
    /// Segments that start at a node less those that end there.
    excess: Vec<i32>,
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

/// What two triangles share so far: of their segment the start, the end, or both.
#[derive(Clone, Copy, Debug)]
struct Shared {
    triangles: [u32; 2],
    nodes: [u32; 2],
    /// The next with the same triangle of A.
    next: u32,
}

/// Sequences of nodes, one after the other.
#[derive(Clone, Debug, Default)]
struct Chains {
    nodes: Vec<u32>,
    starts: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Contours {
    /// Room for this many nodes, and for so many triangles of A.
    pub(super) fn with_capacity(nodes: usize, triangles: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(nodes),
            before: Vec::with_capacity(nodes),
            is_whole: false,
            segments: Vec::with_capacity(nodes),
            loops: Chains::with_capacity(nodes),
            open: Chains::with_capacity(nodes),
            is_open: Vec::with_capacity(nodes),
            shared: Vec::with_capacity(2 * nodes),
            last_shared: vec![NONE; triangles],
            first_out: Vec::with_capacity(nodes),
            next_out: Vec::with_capacity(nodes),
            excess: Vec::with_capacity(nodes),
        }
    }

    /// All nodes, by side, edge and triangle.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All segments, by the triangles of A and B, which are the pairs that cut each other (Dopico et al. 2010, eq. 13).
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Ends of a segment, in B's frame (m; eq. 14).
    pub fn ends(&self, segment: &Segment) -> [Vec3; 2] {
        segment.nodes.map(|node| self.nodes[node as usize].point)
    }

    /// Closed loops of nodes, each in the direction of its segments, which end where they start. At an edge with more than
    /// two triangles a loop goes on along the first segment that is left; sums over segments do not depend on it.
    pub fn loops(&self) -> impl Iterator<Item = &[u32]> {
        self.loops.iter()
    }

    /// Chains of nodes, each in the direction of its segments, that begin or end at borders, or at edges between triangles
    /// turned against each other.
    pub fn open_chains(&self) -> impl Iterator<Item = &[u32]> {
        self.open.iter()
    }

    /// Whether a node is on an open chain.
    pub(super) fn is_open(&self, node: u32) -> bool {
        self.is_open[node as usize]
    }

    /// Replaces everything, by pairs of an edge and a triangle (edge · 2³² + triangle), ascending, for the edges of A and those
    /// of B: the nodes are those of the pairs that exact signs let pass.
    pub(super) fn find(&mut self, posed: &Posed<'_>, pairs: [&[u64]; 2]) -> Result<(), Unclosed> {
        self.nodes.clear();
        for (side, pairs) in [Side::A, Side::B].into_iter().zip(pairs) {
            let node = |pair: &u64| posed.find_node(side, (pair >> 32) as u32, *pair as u32);
            self.nodes.extend(pairs.iter().filter_map(node));
        }
        self.close(posed)
    }

    /// The same by pairs whose meetings are known; exact signs decide where rounding leaves them open. Which nodes there are
    /// says which segments and contours: if they are those of the search before, nothing but their points is replaced, and the
    /// answer is false.
    pub(super) fn find_listed(
        &mut self,
        posed: &Posed<'_>,
        listed: &Listed<'_>,
        meetings: &[Vec<MeetingBlock>; 2],
    ) -> Result<bool, Unclosed> {
        std::mem::swap(&mut self.nodes, &mut self.before);
        self.nodes.clear();
        for (side, meetings) in [Side::A, Side::B].into_iter().zip(meetings) {
            for (eight, meeting) in listed.pairs[side as usize].chunks(LANES).zip(meetings) {
                let mut lanes = (meeting.through | meeting.unsure) & filled(eight.len());
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let (edge, triangle) = ((eight[lane] >> 32) as u32, eight[lane] as u32);
                    let is_low_inside = if meeting.unsure >> lane & 1 == 0 {
                        meeting.low_inside >> lane & 1 == 1
                    } else {
                        let Some(is_low_inside) = posed.pierces(side, edge, triangle) else { continue };
                        is_low_inside
                    };
                    let point = meeting.point(lane).into();
                    self.nodes.push(Node { side, edge, triangle, is_low_inside, point });
                }
            }
        }
        let is_same = self.is_whole
            && self.nodes.len() == self.before.len()
            && self.nodes.iter().zip(&self.before).all(|(now, before)| now.key() == before.key());
        if !is_same {
            self.close(posed)?;
        }
        Ok(!is_same)
    }

    /// Nothing is there.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.segments.clear();
        self.chain();
        self.is_whole = true;
    }

    fn close(&mut self, posed: &Posed<'_>) -> Result<(), Unclosed> {
        self.is_whole = false;
        self.find_segments(posed)?;
        self.chain();
        self.is_whole = true;
        Ok(())
    }

    /// Every node is the start of a segment and the end of another, for each two triangles at its edge: the triangle that
    /// walks its edge from inside to outside has the start if the edge is A's, and the end if it is B's.
    fn find_segments(&mut self, posed: &Posed<'_>) -> Result<(), Unclosed> {
        self.shared.clear();
        let triangles = posed.surface(Side::A).triangles.len();
        self.last_shared.resize(triangles.max(self.last_shared.len()), NONE);
        let mut fault = None;
        for index in 0..self.nodes.len() as u32 {
            let node = self.nodes[index as usize];
            for wing in posed.surface(node.side).wings(node.edge) {
                let is_outward = node.is_low_inside == wing.is_forward;
                let (triangles, is_end) = match node.side {
                    Side::A => ([wing.triangle, node.triangle], !is_outward),
                    Side::B => ([node.triangle, wing.triangle], is_outward),
                };
                if !self.share(triangles, usize::from(is_end), index) {
                    fault = Some(fault.map_or(triangles, |first: [u32; 2]| first.min(triangles)));
                }
            }
        }
        self.segments.clear();
        for &Shared { triangles, nodes, .. } in &self.shared {
            self.last_shared[triangles[0] as usize] = NONE;
            if nodes.contains(&NONE) {
                fault = Some(fault.map_or(triangles, |first| first.min(triangles)));
            }
            self.segments.push(Segment { triangles, nodes });
        }
        let key = |segment: &Segment| u64::from(segment.triangles[0]) << 32 | u64::from(segment.triangles[1]);
        self.segments.sort_unstable_by_key(key);
        fault.map_or(Ok(()), |triangles| Err(Unclosed(triangles)))
    }

    /// Notes a node as the start (0) or the end (1) of the segment of two triangles; false if there is one.
    fn share(&mut self, triangles: [u32; 2], end: usize, node: u32) -> bool {
        let last = &mut self.last_shared[triangles[0] as usize];
        let mut at = *last;
        while at != NONE {
            let shared = &mut self.shared[at as usize];
            if shared.triangles[1] == triangles[1] {
                return std::mem::replace(&mut shared.nodes[end], node) == NONE;
            }
            at = shared.next;
        }
        let mut nodes = [NONE; 2];
        nodes[end] = node;
        let next = std::mem::replace(last, self.shared.len() as u32);
        self.shared.push(Shared { triangles, nodes, next });
        true
    }

    /// Walks along segments: first from where more begin than end, and then what is left, which closes.
    fn chain(&mut self) {
        let count = self.nodes.len();
        for (list, value) in [(&mut self.first_out, NONE), (&mut self.next_out, NONE)] {
            list.clear();
            list.resize(count.max(self.segments.len()), value);
        }
        self.excess.clear();
        self.excess.resize(count, 0);
        self.is_open.clear();
        self.is_open.resize(count, false);
        for (index, segment) in self.segments.iter().enumerate().rev() {
            let [start, end] = segment.nodes.map(|node| node as usize);
            self.next_out[index] = self.first_out[start];
            self.first_out[start] = index as u32;
            self.excess[start] += 1;
            self.excess[end] -= 1;
        }
        self.open.clear();
        for first in 0..count as u32 {
            for _ in 0..self.excess[first as usize] {
                self.open.nodes.push(first);
                let mut node = first;
                while let Some(next) = self.walk(node) {
                    self.open.nodes.push(next);
                    node = next;
                }
                self.open.end();
            }
        }
        for &node in &self.open.nodes {
            self.is_open[node as usize] = true;
        }
        self.loops.clear();
        for first in 0..count as u32 {
            let mut node = first;
            while let Some(next) = self.walk(node) {
                self.loops.nodes.push(node);
                node = next;
            }
            self.loops.end();
        }
    }

    /// The end of a segment that starts at a node and has not been walked.
    fn walk(&mut self, node: u32) -> Option<u32> {
        let segment = self.first_out[node as usize];
        if segment == NONE {
            return None;
        }
        self.first_out[node as usize] = self.next_out[segment as usize];
        Some(self.segments[segment as usize].nodes[1])
    }
}

impl Chains {
    fn with_capacity(nodes: usize) -> Self {
        Self { nodes: Vec::with_capacity(nodes), starts: Vec::with_capacity(nodes + 1) }
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.nodes[ends[0] as usize..ends[1] as usize])
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    /// What was pushed since the last end is one of them.
    fn end(&mut self) {
        let end = self.nodes.len() as u32;
        if self.starts.last() != Some(&end) {
            self.starts.push(end);
        }
    }
}
