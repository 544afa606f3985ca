use carom_math::{Vec3, orthonormal_basis};

use crate::intersection::Contours;
use crate::intersection::flood::Inside;
use crate::intersection::nodes::{Posed, Side};

/// A stretch of an edge inside the other surface, from nearer its lower vertex to nearer its higher one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) side: Side,
    pub(super) edge: u32,
    /// Ends in B's frame (m).
    pub(super) ends: [Vec3; 2],
    /// The item at its start.
    item: u32,
}

/// What hangs together. Items are nodes, then vertices of A and of B that are inside; joined by segments, by stretches of edges,
/// and by what surrounds the contours that meet no edge of their triangle.
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
    /// By side and edge: epoch of the last search with a node on it.
    pierced: [Vec<u64>; 2],
    epoch: u64,
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
            pierced: edges.map(|count| vec![0; count]),
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

    /// Region of an inside vertex, by its place among those of its side; none where nothing joins it to a contour.
    pub(super) fn region_of_vertex(&self, side: Side, place: u32) -> Option<u32> {
        self.region_of_item(self.item(side, place))
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

    fn item(&self, side: Side, place: u32) -> u32 {
        let first = if side == Side::A { self.first_of_a } else { self.first_of_b };
        first + place
    }

    pub(super) fn find(&mut self, posed: &Posed<'_>, contours: &Contours, inside: &[Inside; 2]) {
        let nodes = contours.nodes().len();
        self.epoch += 1;
        self.stretches.clear();
        self.leaks.clear();
        self.first_of_a = nodes as u32;
        self.first_of_b = (nodes + inside[0].vertices().len()) as u32;
        let items = self.first_of_b + inside[1].vertices().len() as u32;
        self.parent.clear();
        self.parent.extend(0..items);
        for segment in contours.segments() {
            self.join(segment.nodes[0], segment.nodes[1]);
        }
        self.leaks.extend((0..nodes as u32).filter(|&node| contours.is_open(node)));
        self.walk_pierced_edges(posed, contours, inside);
        for (side, own) in [Side::A, Side::B].into_iter().zip(inside) {
            self.walk_whole_edges(posed, side, own);
        }
        self.surround(posed, contours);
        self.number(nodes);
    }

    /// Along edges with nodes, which go in and out in turn.
    fn walk_pierced_edges(&mut self, posed: &Posed<'_>, contours: &Contours, inside: &[Inside; 2]) {
        let mut first = 0;
        for nodes in contours.nodes().chunk_by(|m, n| (m.side, m.edge) == (n.side, n.edge)) {
            let (side, edge) = (nodes[0].side, nodes[0].edge);
            let own = &inside[side as usize];
            self.pierced[side as usize][edge as usize] = self.epoch;
            let ends = posed.surface(side).edges[edge as usize].ends;
            let [low, high] = ends.map(|vertex| posed.vertex(side, vertex).1);
            self.order.clear();
            let share = |point: &Vec3| (point - low).dot(&(high - low));
            self.order.extend((first..).zip(nodes).map(|(index, node)| (share(&node.point), index)));
            self.order.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
            first += nodes.len() as u32;
            let mut depth = i32::from(own.is_inside(ends[0]));
            let mut from = (low, if depth > 0 { self.item(side, own.place(ends[0])) } else { NONE });
            for k in 0..self.order.len() {
                let index = self.order[k].1;
                let node = &contours.nodes()[index as usize];
                if depth > 0 {
                    self.stretch(posed, side, edge, from, (node.point, index));
                }
                depth += if node.is_low_inside { -1 } else { 1 };
                from = (node.point, index);
            }
            match (depth, own.is_inside(ends[1])) {
                (0, false) => {}
                (1, true) => {
                    let item = self.item(side, own.place(ends[1]));
                    self.stretch(posed, side, edge, from, (high, item));
                }
                _ => self.leaks.push(from.1),
            }
        }
    }

    /// Edges without nodes at vertices that are inside.
    fn walk_whole_edges(&mut self, posed: &Posed<'_>, side: Side, own: &Inside) {
        let surface = posed.surface(side);
        for (place, &vertex) in (0..).zip(own.vertices()) {
            let item = self.item(side, place);
            for &edge in surface.edges_at(vertex) {
                if self.pierced[side as usize][edge as usize] == self.epoch {
                    continue;
                }
                let [low, high] = surface.edges[edge as usize].ends;
                if !own.is_inside(low) || !own.is_inside(high) {
                    self.leaks.push(item);
                } else if vertex == low {
                    let [from, to] = [low, high].map(|vertex| posed.vertex(side, vertex).1);
                    let other = self.item(side, own.place(high));
                    self.stretch(posed, side, edge, (from, item), (to, other));
                }
            }
        }
    }

    fn stretch(&mut self, posed: &Posed<'_>, side: Side, edge: u32, from: (Vec3, u32), to: (Vec3, u32)) {
        let wings = posed.surface(side).wings(edge);
        let forward = wings.iter().filter(|wing| wing.is_forward).count();
        if 2 * forward != wings.len() {
            // A border inside the other surface.
            self.leaks.push(from.1);
        }
        self.join(from.1, to.1);
        self.stretches.push(Stretch { side, edge, ends: [from.0, to.0], item: from.1 });
    }

    /// A contour that meets no edge of its triangle and has the inside around it belongs to what it meets first in any direction.
    fn surround(&mut self, posed: &Posed<'_>, contours: &Contours) {
        for nodes in contours.loops() {
            let first = &contours.nodes()[nodes[0] as usize];
            let is_own = |&node: &u32| {
                let node = &contours.nodes()[node as usize];
                (node.side, node.triangle) == (first.side, first.triangle)
            };
            if !nodes.iter().all(is_own) {
                continue;
            }
            // Nodes are of edges of the one side and the triangle is the other's.
            let side = first.side.other();
            let (normal, _) = posed.plane(side, first.triangle);
            let point = |k: usize| contours.nodes()[nodes[k % nodes.len()] as usize].point - first.point;
            let turn: f64 = (0..nodes.len()).map(|k| normal.dot(&point(k).cross(&point(k + 1)))).sum();
            let is_hole = if side == Side::A { turn < 0.0 } else { turn > 0.0 };
            if is_hole {
                match self.what_surrounds(posed, contours, side, first.triangle, nodes) {
                    Some(item) => self.join(nodes[0], item),
                    None => self.leaks.push(nodes[0]),
                }
            }
        }
    }

    /// The first item that a ray in the triangle meets, from the contour's last node along it.
    fn what_surrounds(
        &self,
        posed: &Posed<'_>,
        contours: &Contours,
        side: Side,
        triangle: u32,
        nodes: &[u32],
    ) -> Option<u32> {
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
        for stretch in self.stretches.iter().filter(|stretch| stretch.side == side) {
            if posed.surface(side).wings(stretch.edge).iter().any(|wing| wing.triangle == triangle) {
                meet(stretch.ends, stretch.item);
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
