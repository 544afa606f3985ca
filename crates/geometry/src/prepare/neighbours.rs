use crate::TriangleMesh;
use crate::mesh::{EdgeSides, Side};

/// Stands for the edges of triangles with two corners at one place.
pub(super) const NO_EDGE: u32 = u32::MAX;

/// Triangles at each edge, and edges of each triangle. Vertices at equal positions are one.
pub(super) struct Neighbours {
    /// Triangles at the edges, those of an edge together.
    sides: Vec<Side>,
    /// First side of each edge, and the end.
    starts: Vec<usize>,
    /// By triangle and corner the edge from there to the next corner.
    edge_of: Vec<[u32; 3]>,
}

impl Neighbours {
    /// The mesh must be valid.
    pub(super) fn of(mesh: &TriangleMesh) -> Self {
        let groups = EdgeSides::of(mesh);
        let mut neighbours =
            Self { sides: Vec::new(), starts: vec![0], edge_of: vec![[NO_EDGE; 3]; mesh.triangles.len()] };
        for (edge, sides) in (0..).zip(groups.groups()) {
            for side in sides {
                neighbours.edge_of[side.triangle as usize][usize::from(side.corner)] = edge;
            }
            neighbours.sides.extend_from_slice(sides);
            neighbours.starts.push(neighbours.sides.len());
        }
        neighbours
    }

    /// Triangles at an edge, in their order.
    pub(super) fn at(&self, edge: u32) -> &[Side] {
        &self.sides[self.starts[edge as usize]..self.starts[edge as usize + 1]]
    }

    /// All edges.
    pub(super) fn edges(&self) -> impl Iterator<Item = &[Side]> {
        self.starts.windows(2).map(|ends| &self.sides[ends[0]..ends[1]])
    }

    /// The edge from a corner of a triangle to the next.
    pub(super) fn edge(&self, triangle: u32, corner: usize) -> u32 {
        self.edge_of[triangle as usize][corner]
    }

    /// Corner of a triangle at one of the two ends of an edge of it.
    pub(super) fn corner_at(side: &Side, vertex: u32) -> usize {
        let first = usize::from(side.corner);
        // The edge goes from the side's corner to the next, from the lower vertex if forward.
        if (vertex == side.low) == side.forward { first } else { (first + 1) % 3 }
    }
}
