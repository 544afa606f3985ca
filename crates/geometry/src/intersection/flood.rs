use carom_math::Vec3;

use super::nodes::{Node, Posed, Side, pierces};
use super::{Contours, MeshSurface};

/// Number of the far end of rays; vertices have lower ones.
const FAR: u32 = u32::MAX;

/// Which vertices of one surface are inside the other, and which triangles may be.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    side: Side,
    /// 2 · epoch + 1 if inside, 2 · epoch if an edge that is cut says outside.
    state: Vec<u64>,
    /// Epoch of the last search that cut the edge between inside and outside.
    cut: Vec<u64>,
    /// Epoch of the last search with a vertex of known state, by the first vertex of a part.
    known: Vec<u64>,
    /// Epoch of the last search with a segment on it.
    touched: Vec<u64>,
    listed: Vec<u64>,
    epoch: u64,
    vertices: Vec<u32>,
    /// Where a vertex that is inside stands among them.
    place: Vec<u32>,
    triangles: Vec<u32>,
    /// Vertices that would have to be both inside and outside.
    contradictions: Vec<u32>,
    /// Vertices of parts that are inside without a segment on them.
    contained: Vec<u32>,
}

impl Inside {
    pub(super) fn new(side: Side, surface: &MeshSurface) -> Self {
        let [vertices, triangles] = [surface.vertices.len(), surface.triangles.len()];
        let edges = surface.edges.len();
        Self {
            side,
            state: vec![0; vertices],
            cut: vec![0; edges],
            known: vec![0; vertices],
            touched: vec![0; vertices],
            listed: vec![0; triangles],
            epoch: 0,
            vertices: Vec::with_capacity(vertices),
            place: vec![0; vertices],
            triangles: Vec::with_capacity(triangles),
            contradictions: Vec::new(),
            contained: Vec::new(),
        }
    }

    /// Triangles with an inside vertex or a segment, ascending.
    pub(super) fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// Whether a vertex is inside, by the last search.
    pub(super) fn is_inside(&self, vertex: u32) -> bool {
        self.state[vertex as usize] == 2 * self.epoch + 1
    }

    /// Vertices that are inside.
    pub(super) fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// Where a vertex that is inside stands among [`Self::vertices`].
    pub(super) fn place(&self, vertex: u32) -> u32 {
        self.place[vertex as usize]
    }

    /// A vertex that would have to be both inside and outside: the first that was met.
    pub(super) fn contradiction(&self) -> Option<u32> {
        self.contradictions.first().copied()
    }

    /// The first vertices of parts that lie inside without a segment on them.
    pub(super) fn contained(&self) -> &[u32] {
        &self.contained
    }

    /// Begins at the inside ends of edges that are cut once more one way than the other, and asks parts without any where
    /// they are.
    pub(super) fn begin(&mut self, posed: &Posed<'_>, contours: &Contours) {
        self.epoch += 1;
        self.vertices.clear();
        self.triangles.clear();
        self.contradictions.clear();
        self.contained.clear();
        self.seed(posed, contours);
        self.touch(posed, contours);
        self.ask_parts(posed);
    }

    /// Floods from there, and never across an edge that is cut.
    pub(super) fn spread(&mut self, posed: &Posed<'_>) {
        let surface = posed.surface(self.side);
        let mut reached = 0;
        while reached < self.vertices.len() {
            let vertex = self.vertices[reached];
            reached += 1;
            for &edge in surface.edges_at(vertex) {
                if self.cut[edge as usize] < self.epoch {
                    for end in surface.edges[edge as usize].ends {
                        self.mark(end, true);
                    }
                }
            }
        }
    }

    fn seed(&mut self, posed: &Posed<'_>, contours: &Contours) {
        let surface = posed.surface(self.side);
        // What an open surface has behind it lies on both sides at the end of an open chain.
        let is_told = posed.surface(self.side.other()).is_closed();
        let mut first = 0;
        for nodes in contours.nodes().chunk_by(|m, n| (m.side, m.edge) == (n.side, n.edge)) {
            let Node { side, edge, .. } = nodes[0];
            let mut range = first..first + nodes.len() as u32;
            first = range.end;
            if side != self.side {
                continue;
            }
            let net: i32 = nodes.iter().map(|node| if node.is_low_inside { 1 } else { -1 }).sum();
            if net == 0 {
                continue;
            }
            self.cut[edge as usize] = self.epoch;
            if !is_told && range.any(|node| contours.is_open(node)) {
                continue;
            }
            let [low, high] = surface.edges[edge as usize].ends;
            let (inside, outside) = match net {
                1 => (low, high),
                -1 => (high, low),
                _ => {
                    self.contradictions.push(low);
                    continue;
                }
            };
            self.known[surface.part[low as usize] as usize] = self.epoch;
            self.mark(inside, true);
            self.mark(outside, false);
        }
    }

    fn mark(&mut self, vertex: u32, is_inside: bool) {
        let state = &mut self.state[vertex as usize];
        let new = 2 * self.epoch + u64::from(is_inside);
        if *state / 2 < self.epoch {
            *state = new;
            if is_inside {
                self.place[vertex as usize] = self.vertices.len() as u32;
                self.vertices.push(vertex);
            }
        } else if *state != new {
            self.contradictions.push(vertex);
        }
    }

    fn touch(&mut self, posed: &Posed<'_>, contours: &Contours) {
        let surface = posed.surface(self.side);
        let own = usize::from(self.side == Side::B);
        for segment in contours.segments() {
            let corner = surface.triangles[segment.triangles[own] as usize][0];
            self.touched[surface.part[corner as usize] as usize] = self.epoch;
        }
    }

    /// Parts without a vertex of known state are inside or outside as a whole. Nothing is inside an open surface as a whole.
    fn ask_parts(&mut self, posed: &Posed<'_>) {
        if !posed.surface(self.side.other()).is_closed() {
            return;
        }
        for &vertex in &posed.surface(self.side).parts {
            if self.known[vertex as usize] == self.epoch || !is_inside(posed, self.side, vertex) {
                continue;
            }
            if self.touched[vertex as usize] < self.epoch {
                self.contained.push(vertex);
            } else {
                self.mark(vertex, true);
            }
        }
    }

    /// Lists the triangles of [`Self::triangles`].
    pub(super) fn list_triangles(&mut self, posed: &Posed<'_>, contours: &Contours) {
        let surface = posed.surface(self.side);
        self.triangles.clear();
        let own = usize::from(self.side == Side::B);
        let of_segments = contours.segments().iter().map(|segment| segment.triangles[own]);
        let edges = self.vertices.iter().flat_map(|&vertex| surface.edges_at(vertex));
        let around = edges.flat_map(|&edge| surface.wings(edge)).map(|wing| wing.triangle);
        for triangle in of_segments.chain(around) {
            let listed = &mut self.listed[triangle as usize];
            if *listed < self.epoch {
                *listed = self.epoch;
                self.triangles.push(triangle);
            }
        }
        self.triangles.sort_unstable();
    }
}

/// Whether a vertex of `side` is inside the other surface: whether a ray along x leaves it once more than it enters.
fn is_inside(posed: &Posed<'_>, side: Side, vertex: u32) -> bool {
    let (_, start) = posed.vertex(side, vertex);
    let other = side.other();
    let (centre, size) = posed.ball(other);
    if (start - centre).norm() > 1.001 * size {
        return false;
    }
    let far = (FAR, start + Vec3::new(4.0 * size, 0.0, 0.0));
    let from = posed.vertex(side, vertex);
    let mut leaves = 0;
    for triangle in 0..posed.surface(other).triangles.len() as u32 {
        let corners = posed.corners(other, triangle);
        let [p, q, r] = corners.map(|(_, p)| p - start);
        let beside = |i: usize| p[i].min(q[i]).min(r[i]) > 0.0 || p[i].max(q[i]).max(r[i]) < 0.0;
        if beside(1) || beside(2) || p.x.max(q.x).max(r.x) < 0.0 {
            continue;
        }
        if let Some(is_start_inside) = pierces(from, far, corners) {
            leaves += if is_start_inside { 1 } else { -1 };
        }
    }
    leaves > 0
}
