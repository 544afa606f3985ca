use carom_math::Vec3;

use super::edges::{Edge, EdgeSides};
use super::weld::find_representatives;
use super::{MeshFault, TriangleMesh};

/// Height of a triangle over its longest edge, relative to that edge, below which its normal is noise.
const FLAT: f64 = 1e-12;

/// How many edges share a property, and where the first of them is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeCount {
    /// Number of edges.
    pub count: usize,
    /// Middle of the first (m).
    pub first: Option<Vec3>,
}

/// What a mesh is made of and whether it encloses a volume.
///
/// Vertices at equal positions count as one, so that files without shared vertices (STL) are judged by
/// their surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshTopology {
    /// Vertices that share their position with an earlier one.
    pub duplicate_vertices: usize,
    /// Number of different edges.
    pub edges: usize,
    /// Edges with one triangle: the border of an open surface.
    pub boundary: EdgeCount,
    /// Edges with more than two triangles.
    pub non_manifold: EdgeCount,
    /// Edges of two or more triangles that are not walked equally often both ways: a neighbour is flipped, or
    /// the number of triangles is odd.
    pub misoriented: EdgeCount,
    /// Triangles with two corners at one place, or flat to rounding.
    pub degenerate_triangles: usize,
    /// The first of them.
    pub first_degenerate: Option<usize>,
    /// No boundary and no misoriented edge: inside and outside are defined.
    pub closed: bool,
    /// Enclosed volume (m³), negative if the triangles are clockwise seen from outside. Without meaning unless
    /// `closed`.
    pub signed_volume: f64,
    /// Lowest coordinates (m).
    pub low: Vec3,
    /// Highest coordinates (m).
    pub high: Vec3,
    /// Length of the shortest edge (m).
    pub shortest_edge: f64,
    /// Length of the longest edge (m).
    pub longest_edge: f64,
}

impl TriangleMesh {
    /// Examines the mesh without changing it.
    pub fn topology(&self) -> Result<MeshTopology, MeshFault> {
        self.validate()?;
        let same = find_representatives(&self.vertices, 0.0);
        let edges = EdgeSides::of(self).edges();
        let lengths = edges.iter().map(|edge| self.along(edge).norm());
        let boundary = self.count_edges(&edges, |e| e.forward + e.backward == 1);
        let misoriented = self.count_edges(&edges, |e| e.forward + e.backward > 1 && e.forward != e.backward);
        let (low, high) = self.bounds();
        let degenerate = || self.corners().enumerate().filter(|(_, corners)| is_flat(corners));
        Ok(MeshTopology {
            duplicate_vertices: same.iter().enumerate().filter(|&(i, &first)| i != first as usize).count(),
            edges: edges.len(),
            boundary,
            non_manifold: self.count_edges(&edges, |e| e.forward + e.backward > 2),
            misoriented,
            degenerate_triangles: degenerate().count(),
            first_degenerate: degenerate().next().map(|(triangle, _)| triangle),
            closed: boundary.count == 0 && misoriented.count == 0,
            signed_volume: self.signed_volume(),
            low,
            high,
            shortest_edge: lengths.clone().fold(f64::INFINITY, f64::min),
            longest_edge: lengths.fold(0.0, f64::max),
        })
    }

    /// Σ (a × b)·c/6 (m³) with corners taken from the middle of the bounding box, which keeps the digits of a
    /// mesh far from its origin. It is the enclosed volume if the surface is closed.
    pub fn signed_volume(&self) -> f64 {
        let (low, high) = self.bounds();
        let origin = 0.5 * (low + high);
        let sixfold: f64 = self
            .corners()
            .map(|corners| corners.map(|corner| corner - origin))
            .map(|[a, b, c]| a.cross(&b).dot(&c))
            .sum();
        sixfold / 6.0
    }

    fn along(&self, edge: &Edge) -> Vec3 {
        self.vertices[edge.high as usize] - self.vertices[edge.low as usize]
    }

    fn count_edges(&self, edges: &[Edge], wanted: impl Fn(&Edge) -> bool) -> EdgeCount {
        let middle = |edge: &Edge| self.vertices[edge.low as usize] + 0.5 * self.along(edge);
        EdgeCount {
            count: edges.iter().filter(|edge| wanted(edge)).count(),
            first: edges.iter().find(|edge| wanted(edge)).map(middle),
        }
    }
}

/// Two corners at one place, or flat to rounding: the normal is noise.
pub(crate) fn is_flat([a, b, c]: &[Vec3; 3]) -> bool {
    let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
    (b - a).cross(&(c - a)).norm() <= FLAT * longest
}
