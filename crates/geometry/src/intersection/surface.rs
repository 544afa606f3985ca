use carom_math::Vec3;

use super::ManifoldFault;
use crate::TriangleMesh;
use crate::mesh::{EdgeCount, find_representatives};
use crate::near::{BaseTree, GROWTH, Line, SurfaceFault, TargetTree, TargetTriangle, corners};

/// A closed surface of triangles, two at every edge, with its neighbourhoods and its trees of edges and triangles.
#[derive(Clone, Debug)]
pub struct ClosedSurface {
    /// Positions (m); of equal ones only the first is used.
    pub(super) vertices: Vec<Vec3>,
    /// Corners of each triangle of the mesh.
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) edges: Vec<Edge>,
    /// Edges of a vertex: those from `edge_start[v]` to `edge_start[v + 1]` of `vertex_edges`.
    edge_start: Vec<u32>,
    vertex_edges: Vec<u32>,
    /// For each vertex the first of those that are connected with it.
    pub(super) part: Vec<u32>,
    /// The vertices that are the first of their part.
    pub(super) parts: Vec<u32>,
    pub(super) edge_tree: BaseTree,
    pub(super) planes: Vec<TargetTriangle>,
    pub(super) triangle_tree: TargetTree,
    pub(super) radius: f64,
}

/// Two vertices, the lower first; the triangle that walks from the lower to the higher, and the one that walks back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) ends: [u32; 2],
    pub(super) triangles: [u32; 2],
}

impl ClosedSurface {
    /// Vertices at equal positions count as one. Refuses whatever is not closed, oriented and two triangles at every
    /// edge.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, ManifoldFault> {
        let degenerate = corners::examine(mesh).map_err(ManifoldFault::Surface)?;
        let topology = mesh.topology().map_err(|fault| ManifoldFault::Surface(SurfaceFault::Mesh(fault)))?;
        let refuse = |count: EdgeCount, fault: fn(EdgeCount) -> ManifoldFault| {
            if count.count > 0 { Err(fault(count)) } else { Ok(()) }
        };
        refuse(topology.boundary, ManifoldFault::Open)?;
        refuse(topology.non_manifold, ManifoldFault::NonManifold)?;
        refuse(topology.misoriented, ManifoldFault::Misoriented)?;
        if degenerate.count > 0 {
            return Err(ManifoldFault::Degenerate(degenerate));
        }
        if topology.signed_volume <= 0.0 {
            return Err(ManifoldFault::Inward { volume: topology.signed_volume });
        }
        let same = find_representatives(&mesh.vertices, 0.0);
        let triangles: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| t.map(|v| same[v as usize])).collect();
        let edges = collect(&triangles);
        let vertices = mesh.vertices.clone();
        let (edge_start, vertex_edges) = edges_of_vertices(vertices.len(), &edges);
        let radius = corners::farthest(mesh);
        let line = |(index, edge): (u32, &Edge)| {
            let [a, b] = edge.ends.map(|v| vertices[v as usize]);
            Line { element: index, origin: a, direction: b - a }
        };
        let lines: Vec<Line> = (0..).zip(&edges).map(line).collect();
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
            vertices,
            triangles,
            edges,
            edge_start,
            vertex_edges,
            radius,
        })
    }

    pub(super) fn edges_at(&self, vertex: u32) -> &[u32] {
        let range = self.edge_start[vertex as usize]..self.edge_start[vertex as usize + 1];
        &self.vertex_edges[range.start as usize..range.end as usize]
    }
}

/// Edges in the order of their vertices. Each must have two triangles, one for each way.
fn collect(triangles: &[[u32; 3]]) -> Vec<Edge> {
    let walks = |(t, &[a, b, c]): (u32, &[u32; 3])| {
        [(a, b), (b, c), (c, a)].map(|(from, to)| (from.min(to), from.max(to), from > to, t))
    };
    let mut walks: Vec<_> = (0..).zip(triangles).flat_map(walks).collect();
    walks.sort_unstable();
    let edge =
        |two: &[(u32, u32, bool, u32)]| Edge { ends: [two[0].0, two[0].1], triangles: [two[0].3, two[1].3] };
    walks.chunks_exact(2).map(edge).collect()
}

fn edges_of_vertices(vertices: usize, edges: &[Edge]) -> (Vec<u32>, Vec<u32>) {
    let mut pairs: Vec<(u32, u32)> =
        (0..).zip(edges).flat_map(|(index, edge)| edge.ends.map(|v| (v, index))).collect();
    pairs.sort_unstable();
    let start = |v: usize| pairs.partition_point(|pair| (pair.0 as usize) < v) as u32;
    ((0..=vertices).map(start).collect(), pairs.into_iter().map(|(_, edge)| edge).collect())
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
