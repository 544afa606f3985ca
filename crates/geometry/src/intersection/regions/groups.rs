use carom_math::{Vec3, orthonormal_basis};

use crate::intersection::Contours;
use crate::intersection::flood::Inside;
use crate::intersection::nodes::{Node, Posed, Side};
use crate::intersection::surface::Edge;

/// A stretch of an edge with nodes that is inside the other surface, from nearer its lower vertex to nearer its higher one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) side: Side,
    pub(super) edge: u32,
    pub(super) ends: [Spot; 2],
    /// The item at its start.
    item: u32,
}

/// An end of a stretch.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Node(u32),
    /// Of the side whose edge it is.
    Vertex(u32),
}

/// What hangs together. Items are nodes, then components of the vertices of A and of B that are inside; joined by segments, by
/// stretches of edges, and by what surrounds the contours that meet no edge of their triangle.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    parent: Vec<u32>,
    first_of_a: u32,
    first_of_b: u32,
    stretches: Vec<Stretch>,
    /// Items at which what is inside does not close.
    leaks: Vec<u32>,
    /// Nodes of an edge by where they are on it.
    order: Vec<(f64, u32)>,
    /// The same of all edges with more than one, edge after edge.
    orders: Vec<u32>,
    /// A contour was joined to what surrounds it.
    has_hole: bool,
    /// Region of an item.
    region: Vec<u32>,
    regions: usize,
}

const NONE: u32 = u32::MAX;

impl Groups {
    /// For surfaces with so many edges and vertices, with room for so many nodes.
    pub(super) fn new(edges: [usize; 2], vertices: usize, nodes: usize) -> Self {
        Self {
            parent: Vec::with_capacity(nodes + vertices),
            stretches: Vec::with_capacity(nodes + edges[0] + edges[1]),
            leaks: Vec::with_capacity(nodes),
            order: Vec::with_capacity(nodes),
            orders: Vec::with_capacity(nodes),
            region: Vec::with_capacity(nodes + vertices),
            ..Self::default()
        }
    }

    /// Stretches of edges of the last search.
    pub(super) fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// Number of regions.
    pub(super) fn count(&self) -> usize {
        self.regions
    }

    pub(super) fn region_of_node(&self, node: u32) -> u32 {
        self.region[node as usize]
    }

    /// Region of a component of a side's vertices that are inside; none where nothing joins it to a contour.
    pub(super) fn region_of_component(&self, side: Side, component: u32) -> Option<u32> {
        self.region_of_item(self.item(side, component))
    }

    pub(super) fn region_of_stretch(&self, stretch: &Stretch) -> Option<u32> {
        self.region_of_item(stretch.item)
    }

    /// Regions at which what is inside does not close, some of them more than once.
    pub(super) fn leaking(&self) -> impl Iterator<Item = u32> {
        self.leaks.iter().filter_map(|&item| self.region_of_item(item))
    }

    fn region_of_item(&self, item: u32) -> Option<u32> {
        Some(self.region[item as usize]).filter(|&region| region != NONE)
    }

    fn item(&self, side: Side, component: u32) -> u32 {
        let first = if side == Side::A { self.first_of_a } else { self.first_of_b };
        first + component
    }

    pub(super) fn find(&mut self, posed: &Posed<'_>, contours: &Contours, inside: &[Inside; 2]) {
        let nodes = contours.nodes().len();
        self.stretches.clear();
        self.leaks.clear();
        self.first_of_a = nodes as u32;
        self.first_of_b = (nodes + inside[0].components()) as u32;
        let items = self.first_of_b + inside[1].components() as u32;
        self.parent.clear();
        self.parent.extend(0..items);
        for segment in contours.segments() {
            self.join(segment.nodes[0], segment.nodes[1]);
        }
        self.leaks.extend((0..nodes as u32).filter(|&node| contours.is_open(node)));
        for (side, own) in [Side::A, Side::B].into_iter().zip(inside) {
            for &component in own.leaks() {
                self.leaks.push(self.item(side, component));
            }
        }
        self.walk_pierced_edges(posed, contours, inside);
        self.surround(posed, contours, inside);
        self.number(nodes);
    }

    /// Whether the same nodes at other points are joined the same way: in the same order on each edge, and without a hole.
    pub(super) fn is_kept(&mut self, posed: &Posed<'_>, contours: &Contours) -> bool {
        let mut known = 0;
        for (first, nodes) in of_edges(contours.nodes()).filter(|(_, nodes)| nodes.len() > 1) {
            self.sort(posed, first, nodes);
            let before = &self.orders[known..known + nodes.len()];
            known += nodes.len();
            if self.order.iter().map(|&(_, index)| index).ne(before.iter().copied()) {
                return false;
            }
        }
        !self.has_hole && contours.loops().all(|nodes| !is_hole(posed, contours, nodes))
    }

    /// Orders the nodes of an edge.
    fn sort(&mut self, posed: &Posed<'_>, first: u32, nodes: &[Node]) {
        let Node { side, edge, .. } = nodes[0];
        let ends = posed.surface(side).edges[edge as usize].ends;
        let [low, high] = ends.map(|vertex| posed.vertex(side, vertex).1);
        let share = |point: &Vec3| (point - low).dot(&(high - low));
        self.order.clear();
        self.order.extend((first..).zip(nodes).map(|(index, node)| (share(&node.point), index)));
        self.order.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    }

    /// Along edges with nodes, which go in and out in turn.
    fn walk_pierced_edges(&mut self, posed: &Posed<'_>, contours: &Contours, inside: &[Inside; 2]) {
        self.orders.clear();
        for (first, nodes) in of_edges(contours.nodes()) {
            let (side, edge) = (nodes[0].side, nodes[0].edge);
            let own = &inside[side as usize];
            let Edge { ends, is_balanced, .. } = posed.surface(side).edges[edge as usize];
            self.order.clear();
            if nodes.len() == 1 {
                self.order.push((0.0, first));
            } else {
                self.sort(posed, first, nodes);
                self.orders.extend(self.order.iter().map(|&(_, index)| index));
            }
            let item = |vertex: u32| self.item(side, own.component(vertex));
            let is_inside = ends.map(|vertex| own.is_inside(vertex));
            let [low, high] = [0, 1].map(|end| if is_inside[end] { item(ends[end]) } else { NONE });
            let mut depth = i32::from(is_inside[0]);
            let mut from = (Spot::Vertex(ends[0]), low);
            for k in 0..self.order.len() {
                let index = self.order[k].1;
                let at = (Spot::Node(index), index);
                if depth > 0 {
                    self.stretch((side, edge), is_balanced, from, at);
                }
                depth += if contours.nodes()[index as usize].is_low_inside { -1 } else { 1 };
                from = at;
            }
            match (depth, is_inside[1]) {
                (0, false) => {}
                (1, true) => self.stretch((side, edge), is_balanced, from, (Spot::Vertex(ends[1]), high)),
                _ => self.leaks.push(from.1),
            }
        }
    }

    fn stretch(&mut self, (side, edge): (Side, u32), is_balanced: bool, from: (Spot, u32), to: (Spot, u32)) {
        if !is_balanced {
            // A border inside the other surface.
            self.leaks.push(from.1);
        }
        self.join(from.1, to.1);
        self.stretches.push(Stretch { side, edge, ends: [from.0, to.0], item: from.1 });
    }

    /// A contour that meets no edge of its triangle and has the inside around it belongs to what it meets first in any direction.
    fn surround(&mut self, posed: &Posed<'_>, contours: &Contours, inside: &[Inside; 2]) {
        self.has_hole = false;
        for nodes in contours.loops().filter(|nodes| is_hole(posed, contours, nodes)) {
            self.has_hole = true;
            match self.what_surrounds(posed, contours, inside, nodes) {
                Some(item) => self.join(nodes[0], item),
                None => self.leaks.push(nodes[0]),
            }
        }
    }

    /// The first item that a ray in the triangle meets, from the contour's last node along it.
    fn what_surrounds(
        &self,
        posed: &Posed<'_>,
        contours: &Contours,
        inside: &[Inside; 2],
        nodes: &[u32],
    ) -> Option<u32> {
        let Node { side, triangle, .. } = contours.nodes()[nodes[0] as usize];
        let side = side.other();
        let (along, across) = orthonormal_basis(&posed.plane(side, triangle).0);
        let point = |node: u32| contours.nodes()[node as usize].point;
        let last =
            nodes.iter().copied().max_by(|&m, &n| along.dot(&point(m)).total_cmp(&along.dot(&point(n))))?;
        let start = point(last);
        let mut nearest: Option<(f64, u32)> = None;
        let mut meet = |ends: [Vec3; 2], item: u32| {
            let [a, b] = ends.map(|end| end - start);
            let (p, q) = (across.dot(&a), across.dot(&b));
            if (p <= 0.0) == (q <= 0.0) {
                return;
            }
            let distance = along.dot(&a) + p / (p - q) * along.dot(&(b - a));
            if distance > 0.0 && nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, item));
            }
        };
        for segment in contours.segments() {
            if segment.triangles[side as usize] == triangle && !nodes.contains(&segment.nodes[0]) {
                meet(contours.ends(segment), segment.nodes[0]);
            }
        }
        let edges = posed.surface(side).triangle_edges[triangle as usize];
        for stretch in &self.stretches {
            if stretch.side == side && edges.contains(&stretch.edge) {
                meet(stretch.ends.map(|spot| spot.place(posed, contours, side)), stretch.item);
            }
        }
        let own = &inside[side as usize];
        for edge in edges.into_iter().filter(|&edge| !own.is_pierced(edge)) {
            let ends = posed.surface(side).edges[edge as usize].ends;
            if own.is_inside(ends[0]) && own.is_inside(ends[1]) {
                let item = self.item(side, own.component(ends[0]));
                meet(ends.map(|vertex| posed.vertex(side, vertex).1), item);
            }
        }
        nearest.map(|(_, item)| item)
    }

    /// Regions in the order of their first nodes.
    fn number(&mut self, nodes: usize) {
        self.regions = 0;
        // Vertices that nothing joins to a node have no region.
        self.region.clear();
        self.region.resize(self.parent.len(), NONE);
        for node in 0..nodes as u32 {
            let root = self.root(node) as usize;
            if self.region[root] == NONE {
                self.region[root] = self.regions as u32;
                self.regions += 1;
            }
        }
        // Roots are the lowest of their group and come first.
        for item in 0..self.parent.len() as u32 {
            let root = self.root(item);
            self.region[item as usize] = self.region[root as usize];
        }
    }

    fn root(&mut self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            // Shorter ways for those that come after.
            let up = self.parent[self.parent[item as usize] as usize];
            self.parent[item as usize] = up;
            item = up;
        }
        item
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.max(other) as usize] = one.min(other);
    }
}

impl Spot {
    /// Where it is, in B's frame (m).
    fn place(self, posed: &Posed<'_>, contours: &Contours, side: Side) -> Vec3 {
        match self {
            Self::Node(node) => contours.nodes()[node as usize].point,
            Self::Vertex(vertex) => posed.vertex(side, vertex).1,
        }
    }
}

/// Nodes edge by edge, with the index of the first.
fn of_edges(nodes: &[Node]) -> impl Iterator<Item = (u32, &[Node])> {
    let mut next = 0;
    nodes.chunk_by(|m, n| (m.side, m.edge) == (n.side, n.edge)).map(move |nodes| {
        let first = next;
        next += nodes.len() as u32;
        (first, nodes)
    })
}

/// Whether a loop meets no edge of its triangle and has the inside around it.
fn is_hole(posed: &Posed<'_>, contours: &Contours, nodes: &[u32]) -> bool {
    let first = &contours.nodes()[nodes[0] as usize];
    let is_own = |&node: &u32| {
        let node = &contours.nodes()[node as usize];
        (node.side, node.triangle) == (first.side, first.triangle)
    };
    if !nodes.iter().all(is_own) {
        return false;
    }
    // Nodes are of edges of the one side and the triangle is the other's.
    let side = first.side.other();
    let (normal, _) = posed.plane(side, first.triangle);
    let point = |k: usize| contours.nodes()[nodes[k % nodes.len()] as usize].point - first.point;
    let turn: f64 = (0..nodes.len()).map(|k| normal.dot(&point(k).cross(&point(k + 1)))).sum();
    if side == Side::A { turn < 0.0 } else { turn > 0.0 }
}
