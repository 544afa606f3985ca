use std::sync::OnceLock;

use carom_math::Vec3;

use super::ManifoldFault;
use crate::TriangleMesh;
use crate::mesh::{EdgeCount, MeshTopology, find_representatives};
use crate::near::{
    BaseTree, Degenerate, GROWTH, Line, Patch, SurfaceFault, TargetTree, TargetTriangle, corners,
};

/// Any triangle surface with its neighbourhoods and its trees of edges and triangles: what contours are made on. It may have
/// borders, edges with more than two triangles and triangles turned against each other; [`Self::topology`] says so.
#[derive(Clone, Debug)]
pub struct MeshSurface {
    /// Positions (m); of equal ones only the first is used.
    pub(super) vertices: Vec<Vec3>,
    /// Corners of each triangle of the mesh.
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) edges: Vec<Edge>,
    /// Edges of each triangle, the first between its first two corners.
    pub(super) triangle_edges: Vec<[u32; 3]>,
    /// Triangles at the edges, those of an edge together.
    wings: Vec<Wing>,
    /// Edges of a vertex: those from `edge_start[v]` to `edge_start[v + 1]` of `vertex_edges`.
    edge_start: Vec<u32>,
    vertex_edges: Vec<Spoke>,
    /// Triangles whose first corner a vertex is: those from `fan_start[v]` to `fan_start[v + 1]` of `fans`.
    fan_start: Vec<u32>,
    fans: Vec<u32>,
    /// For each vertex the first of those that are connected with it.
    pub(super) part: Vec<u32>,
    /// The vertices that are the first of their part.
    pub(super) parts: Vec<u32>,
    pub(super) edge_tree: BaseTree,
    pub(super) planes: Vec<TargetTriangle>,
    pub(super) triangle_tree: TargetTree,
    /// Made when it is asked for first: for who looks for pairs of triangles alone.
    patch_tree: OnceLock<BaseTree<Patch>>,
    pub(super) radius: f64,
    /// Mean height of the triangles over their longest edges (m): how far its lines are apart where they are close.
    pub(super) mean_height: f64,
    topology: MeshTopology,
}

/// Two vertices, the lower first, and where its triangles are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) ends: [u32; 2],
    first_wing: u32,
    end_wing: u32,
    /// Its triangles walk it equally often both ways.
    pub(super) is_balanced: bool,
}

/// An edge seen from one of its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spoke {
    pub(super) edge: u32,
    /// The other end.
    pub(super) end: u32,
    pub(super) is_balanced: bool,
}

/// A triangle at an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wing {
    pub(super) triangle: u32,
    /// It walks the edge from the lower to the higher vertex.
    pub(super) is_forward: bool,
}

/// A closed surface of triangles, two at every edge.
#[derive(Clone, Debug)]
pub struct ClosedSurface(MeshSurface);

impl ClosedSurface {
    /// Vertices at equal positions count as one. Refuses whatever is not closed, oriented and two triangles at every
    /// edge.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, ManifoldFault> {
        let (degenerate, topology) = examine(mesh)?;
        let refuse = |count: EdgeCount, fault: fn(EdgeCount) -> ManifoldFault| {
            if count.count > 0 { Err(fault(count)) } else { Ok(()) }
        };
        refuse(topology.boundary, ManifoldFault::Open)?;
        refuse(topology.non_manifold, ManifoldFault::NonManifold)?;
        refuse(topology.misoriented, ManifoldFault::Misoriented)?;
        MeshSurface::of_examined(mesh, degenerate, topology).map(Self)
    }

    /// The surface, which may be intersected with any other.
    pub fn surface(&self) -> &MeshSurface {
        &self.0
    }
}

impl MeshSurface {
    /// Vertices at equal positions count as one. Refuses degenerate triangles, and closed surfaces whose normals point
    /// inwards: an open one has its solid behind its triangles, as everywhere.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, ManifoldFault> {
        let (degenerate, topology) = examine(mesh)?;
        Self::of_examined(mesh, degenerate, topology)
    }

    fn of_examined(
        mesh: &TriangleMesh,
        degenerate: Degenerate,
        topology: MeshTopology,
    ) -> Result<Self, ManifoldFault> {
        if degenerate.count > 0 {
            return Err(ManifoldFault::Degenerate(degenerate));
        }
        if topology.closed && topology.signed_volume <= 0.0 {
            return Err(ManifoldFault::Inward { volume: topology.signed_volume });
        }
        let same = find_representatives(&mesh.vertices, 0.0);
        let triangles: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| t.map(|v| same[v as usize])).collect();
        let (edges, wings) = collect(&triangles);
        let vertices = mesh.vertices.clone();
        let (edge_start, vertex_edges) = edges_of_vertices(vertices.len(), &edges);
        let triangle_edges = edges_of_triangles(&triangles, &edges);
        let (fan_start, fans) = fans_of_vertices(vertices.len(), &triangles);
        let radius = corners::farthest(mesh);
        let line = |(index, edge): (u32, &Edge)| {
            let [a, b] = edge.ends.map(|v| vertices[v as usize]);
            Line { element: index, origin: a, direction: b - a }
        };
        let lines: Vec<Line> = (0..).zip(&edges).map(line).collect();
        let mean_height =
            mesh.corners().map(|corners| height(&corners)).sum::<f64>() / mesh.triangles.len() as f64;
        let numbered: Vec<(u32, [Vec3; 3])> = (0..).zip(mesh.corners()).collect();
        let part = find_parts(vertices.len(), &edges);
        let is_used = |v: &u32| edge_start[*v as usize] < edge_start[*v as usize + 1];
        let parts = (0..vertices.len() as u32).filter(|v| part[*v as usize] == *v).filter(is_used).collect();
        Ok(Self {
            part,
            parts,
            edge_tree: BaseTree::new(&lines, Vec::new(), 1.0),
            planes: numbered.iter().map(|(_, corners)| TargetTriangle::new(corners, radius)).collect(),
            triangle_tree: TargetTree::new(&numbered, GROWTH),
            patch_tree: OnceLock::new(),
            vertices,
            triangles,
            edges,
            triangle_edges,
            wings,
            edge_start,
            vertex_edges,
            fan_start,
            fans,
            radius,
            mean_height,
            topology,
        })
    }

    /// What the mesh is made of: borders, edges with more than two triangles, edges between triangles turned against each
    /// other.
    pub fn topology(&self) -> &MeshTopology {
        &self.topology
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// Whether every point is inside or outside: each edge is walked equally often both ways.
    pub fn is_closed(&self) -> bool {
        self.topology.closed
    }

    /// The tree of its triangles as those that are held against another surface's.
    pub(super) fn patch_tree(&self) -> &BaseTree<Patch> {
        self.patch_tree.get_or_init(|| {
            let corners = |t: &[u32; 3]| t.map(|v| self.vertices[v as usize]);
            let numbered: Vec<_> = (0..).zip(self.triangles.iter().map(corners)).collect();
            BaseTree::of_triangles(&numbered)
        })
    }

    pub(super) fn edges_at(&self, vertex: u32) -> &[Spoke] {
        let range = self.edge_start[vertex as usize]..self.edge_start[vertex as usize + 1];
        &self.vertex_edges[range.start as usize..range.end as usize]
    }

    /// Triangles whose first corner a vertex is: each triangle is one vertex's.
    pub(super) fn fan(&self, vertex: u32) -> &[u32] {
        let range = self.fan_start[vertex as usize]..self.fan_start[vertex as usize + 1];
        &self.fans[range.start as usize..range.end as usize]
    }

    pub(super) fn wings(&self, edge: u32) -> &[Wing] {
        let Edge { first_wing, end_wing, .. } = self.edges[edge as usize];
        &self.wings[first_wing as usize..end_wing as usize]
    }

    /// Enclosed volume of the part with a vertex (m³), without meaning if the part is open.
    pub(super) fn part_volume(&self, part: u32) -> f64 {
        let origin = self.vertices[part as usize];
        let own = self.triangles.iter().filter(|corners| self.part[corners[0] as usize] == part);
        let sixfold: f64 = own
            .map(|corners| corners.map(|v| self.vertices[v as usize] - origin))
            .map(|[a, b, c]| a.cross(&b).dot(&c))
            .sum();
        sixfold / 6.0
    }
}

fn examine(mesh: &TriangleMesh) -> Result<(Degenerate, MeshTopology), ManifoldFault> {
    let degenerate = corners::examine(mesh).map_err(ManifoldFault::Surface)?;
    let topology = mesh.topology().map_err(|fault| ManifoldFault::Surface(SurfaceFault::Mesh(fault)))?;
    Ok((degenerate, topology))
}

/// Over the longest edge (m).
fn height([a, b, c]: &[Vec3; 3]) -> f64 {
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    (b - a).cross(&(c - a)).norm() / longest
}

/// Edges in the order of their vertices, with their triangles: those that walk from the lower vertex to the higher first.
fn collect(triangles: &[[u32; 3]]) -> (Vec<Edge>, Vec<Wing>) {
    let walks = |(t, &[a, b, c]): (u32, &[u32; 3])| {
        [(a, b), (b, c), (c, a)].map(|(from, to)| (from.min(to), from.max(to), from > to, t))
    };
    let mut walks: Vec<_> = (0..).zip(triangles).flat_map(walks).collect();
    walks.sort_unstable();
    let mut edges = Vec::new();
    let mut first_wing = 0;
    for of_edge in walks.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
        let end_wing = first_wing + of_edge.len() as u32;
        let backward = of_edge.iter().filter(|walk| walk.2).count();
        let is_balanced = 2 * backward == of_edge.len();
        edges.push(Edge { ends: [of_edge[0].0, of_edge[0].1], first_wing, end_wing, is_balanced });
        first_wing = end_wing;
    }
    let wing =
        |&(_, _, is_backward, triangle): &(u32, u32, bool, u32)| Wing { triangle, is_forward: !is_backward };
    (edges, walks.iter().map(wing).collect())
}

fn edges_of_vertices(vertices: usize, edges: &[Edge]) -> (Vec<u32>, Vec<Spoke>) {
    let of_edge = |(edge, &Edge { ends: [low, high], is_balanced, .. }): (u32, &Edge)| {
        let spoke = |end| Spoke { edge, end, is_balanced };
        [(low, spoke(high)), (high, spoke(low))]
    };
    let mut spokes: Vec<(u32, Spoke)> = (0..).zip(edges).flat_map(of_edge).collect();
    spokes.sort_unstable_by_key(|(vertex, spoke)| (*vertex, spoke.edge));
    let start = |v: usize| spokes.partition_point(|(vertex, _)| (*vertex as usize) < v) as u32;
    ((0..=vertices).map(start).collect(), spokes.into_iter().map(|(_, spoke)| spoke).collect())
}

/// Edges come in the order of their ends.
fn edges_of_triangles(triangles: &[[u32; 3]], edges: &[Edge]) -> Vec<[u32; 3]> {
    let find =
        |from: u32, to: u32| edges.partition_point(|edge| edge.ends < [from.min(to), from.max(to)]) as u32;
    triangles.iter().map(|&[a, b, c]| [find(a, b), find(b, c), find(c, a)]).collect()
}

fn fans_of_vertices(vertices: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut fans: Vec<(u32, u32)> = (0..).zip(triangles).map(|(t, corners)| (corners[0], t)).collect();
    fans.sort_unstable();
    let start = |v: usize| fans.partition_point(|(vertex, _)| (*vertex as usize) < v) as u32;
    ((0..=vertices).map(start).collect(), fans.into_iter().map(|(_, triangle)| triangle).collect())
}

/// For each vertex the lowest that edges connect it with.
fn find_parts(vertices: usize, edges: &[Edge]) -> Vec<u32> {
    let mut part: Vec<u32> = (0..vertices as u32).collect();
    let root = |part: &[u32], mut v: u32| {
        while part[v as usize] != v {
            v = part[v as usize];
        }
        v
    };
    for edge in edges {
        let [a, b] = edge.ends.map(|v| root(&part, v));
        part[a.max(b) as usize] = a.min(b);
        // Shorter ways for those that come after.
        for v in edge.ends {
            part[v as usize] = a.min(b);
        }
    }
    (0..vertices as u32).map(|v| root(&part, v)).collect()
}
