use carom_math::Vec3;

use super::nodes::{Node, Posed, Side, pierces};
use super::surface::Spoke;
use super::{Contours, MeshSurface};

/// Number of the far end of rays; vertices have lower ones.
const FAR: u32 = u32::MAX;

/// An edge that is cut says so.
const OUTSIDE: u64 = 0;
const INSIDE: u64 = 1;
/// Inside, and in a component.
const LISTED: u64 = 2;

/// Which vertices of one surface are inside the other, and which triangles may be.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    side: Side,
    /// 4 · epoch + what is known of a vertex: [`OUTSIDE`], [`INSIDE`] or [`LISTED`].
    state: Vec<u64>,
    /// Epoch of the last search that pierced the edge.
    pierced: Vec<u64>,
    /// Epoch of the last search with a vertex of known state, by the first vertex of a part.
    known: Vec<u64>,
    /// Epoch of the last search with a segment on it.
    touched: Vec<u64>,
    listed: Vec<u64>,
    epoch: u64,
    /// Vertices that are inside before any flood, and edges that come out as often as they go in.
    seeds: Vec<u32>,
    passing: Vec<u32>,
    /// Those that are inside, component after component: what edges without a node join.
    vertices: Vec<u32>,
    starts: Vec<u32>,
    component: Vec<u32>,
    triangles: Vec<u32>,
    /// Vertices that would have to be both inside and outside.
    contradictions: Vec<u32>,
    /// Components at which what is inside does not close.
    leaks: Vec<u32>,
    /// Vertices of parts that are inside without a segment on them.
    contained: Vec<u32>,
    /// Vertices that a ray was asked about.
    asked: Vec<u32>,
}

impl Inside {
    pub(super) fn new(side: Side, surface: &MeshSurface) -> Self {
        let [vertices, triangles] = [surface.vertices.len(), surface.triangles.len()];
        let edges = surface.edges.len();
        Self {
            side,
            state: vec![0; vertices],
            pierced: vec![0; edges],
            known: vec![0; vertices],
            touched: vec![0; vertices],
            listed: vec![0; triangles],
            epoch: 0,
            seeds: Vec::with_capacity(vertices),
            passing: Vec::new(),
            vertices: Vec::with_capacity(vertices),
            starts: Vec::with_capacity(vertices + 1),
            component: vec![0; vertices],
            triangles: Vec::with_capacity(triangles),
            contradictions: Vec::new(),
            leaks: Vec::new(),
            contained: Vec::with_capacity(surface.parts.len()),
            asked: Vec::with_capacity(surface.parts.len()),
        }
    }

    /// Triangles with an inside vertex or a segment, ascending.
    pub(super) fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// Whether a vertex is inside, by the last search.
    pub(super) fn is_inside(&self, vertex: u32) -> bool {
        self.state[vertex as usize] > 4 * self.epoch + OUTSIDE
    }

    /// Whether an edge has nodes.
    pub(super) fn is_pierced(&self, edge: u32) -> bool {
        self.pierced[edge as usize] == self.epoch
    }

    /// Number of components of what is inside.
    pub(super) fn components(&self) -> usize {
        self.starts.len() - 1
    }

    /// Vertices of one of them.
    pub(super) fn vertices(&self, component: usize) -> &[u32] {
        &self.vertices[self.starts[component] as usize..self.starts[component + 1] as usize]
    }

    /// Component of a vertex that is inside.
    pub(super) fn component(&self, vertex: u32) -> u32 {
        self.component[vertex as usize]
    }

    /// Components at which what is inside does not close, some of them more than once: at borders, and at vertices that would have
    /// to be outside, too.
    pub(super) fn leaks(&self) -> &[u32] {
        &self.leaks
    }

    /// A vertex that would have to be both inside and outside: the first that was met.
    pub(super) fn contradiction(&self) -> Option<u32> {
        self.contradictions.first().copied()
    }

    /// The first vertices of parts that lie inside without a segment on them.
    pub(super) fn contained(&self) -> &[u32] {
        &self.contained
    }

    /// Vertices of which no contour, but a ray has told whether they are inside.
    pub(super) fn asked(&self) -> &[u32] {
        &self.asked
    }

    /// Begins at the inside ends of edges that are cut once more one way than the other, and asks parts without any where
    /// they are.
    pub(super) fn begin(&mut self, posed: &Posed<'_>, contours: &Contours) {
        self.epoch += 1;
        for list in [&mut self.seeds, &mut self.passing, &mut self.vertices, &mut self.starts] {
            list.clear();
        }
        for list in [&mut self.triangles, &mut self.contradictions, &mut self.leaks] {
            list.clear();
        }
        self.contained.clear();
        self.asked.clear();
        self.seed(posed, contours);
        self.touch(posed, contours);
        self.ask_parts(posed);
    }

    /// Floods from there, and never along an edge that is pierced. An edge that comes out as often as it goes in has both ends on
    /// the same side, and joins nothing.
    pub(super) fn spread(&mut self, posed: &Posed<'_>) {
        let surface = posed.surface(self.side);
        for index in 0..self.seeds.len() {
            self.flood(surface, self.seeds[index]);
        }
        let mut is_over = self.passing.is_empty();
        while !is_over {
            is_over = true;
            for index in 0..self.passing.len() {
                let [low, high] = surface.edges[self.passing[index] as usize].ends;
                let end = match (self.is_inside(low), self.is_inside(high)) {
                    (true, false) => high,
                    (false, true) => low,
                    _ => continue,
                };
                if self.mark(end, true) {
                    self.flood(surface, end);
                    is_over = false;
                }
            }
        }
        self.starts.push(self.vertices.len() as u32);
    }

    /// Makes a component of a vertex that is inside, unless it is in one.
    fn flood(&mut self, surface: &MeshSurface, seed: u32) {
        let (component, first) = (self.starts.len() as u32, self.vertices.len());
        let [outside, listed] = [OUTSIDE, LISTED].map(|known| 4 * self.epoch + known);
        if self.state[seed as usize] == listed {
            return;
        }
        self.starts.push(first as u32);
        self.list(seed, component);
        let mut reached = first;
        while reached < self.vertices.len() {
            let vertex = self.vertices[reached];
            reached += 1;
            for &Spoke { edge, end, is_balanced } in surface.edges_at(vertex) {
                if self.is_pierced(edge) {
                    continue;
                }
                if !is_balanced {
                    self.leaks.push(component);
                }
                let state = self.state[end as usize];
                if state == outside {
                    self.contradictions.push(end);
                    self.leaks.push(component);
                } else if state != listed {
                    self.list(end, component);
                }
            }
        }
    }

    fn list(&mut self, vertex: u32, component: u32) {
        self.state[vertex as usize] = 4 * self.epoch + LISTED;
        self.component[vertex as usize] = component;
        self.vertices.push(vertex);
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
            self.pierced[edge as usize] = self.epoch;
            let net: i32 = nodes.iter().map(|node| if node.is_low_inside { 1 } else { -1 }).sum();
            if net == 0 {
                self.passing.push(edge);
                continue;
            }
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
            if self.mark(inside, true) {
                self.seeds.push(inside);
            }
            self.mark(outside, false);
        }
    }

    /// Notes where a vertex is; true if nothing was known of it.
    fn mark(&mut self, vertex: u32, is_inside: bool) -> bool {
        let state = &mut self.state[vertex as usize];
        if *state < 4 * self.epoch {
            *state = 4 * self.epoch + if is_inside { INSIDE } else { OUTSIDE };
            return true;
        }
        if is_inside != (*state > 4 * self.epoch + OUTSIDE) {
            self.contradictions.push(vertex);
        }
        false
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
            if self.known[vertex as usize] == self.epoch {
                continue;
            }
            self.asked.push(vertex);
            if !is_inside(posed, self.side, vertex) {
                continue;
            }
            if self.touched[vertex as usize] < self.epoch {
                self.contained.push(vertex);
            } else if self.mark(vertex, true) {
                self.seeds.push(vertex);
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
        let around = edges.flat_map(|spoke| surface.wings(spoke.edge)).map(|wing| wing.triangle);
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
