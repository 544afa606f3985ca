use super::TriangleMesh;
use super::components::{Forest, Parts};
use super::edges::EdgeSides;
use super::weld::find_representatives;

/// Triangles that hang together over edges, however many triangles an edge has: unlike a `Component` a shell can be made of
/// blocks that share an edge or a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shell {
    /// The first triangle.
    pub(crate) first: u32,
    /// Each edge is walked equally often both ways, flipped triangles turned: it winds around every point a whole number of
    /// times.
    pub(crate) is_closed: bool,
    /// Enclosed volume (m³), negative if normals point inwards. Without meaning unless closed.
    pub(crate) signed_volume: f64,
}

/// All shells of a mesh, in the order of their first triangles.
#[derive(Clone, Debug)]
pub(crate) struct Shells {
    pub(crate) shells: Vec<Shell>,
    /// Shell of each triangle.
    pub(crate) of_triangle: Vec<u32>,
    /// Whether a triangle is turned against the rest of its component.
    pub(crate) is_flipped: Vec<bool>,
    /// Corners of each triangle; of vertices at one place the first.
    pub(crate) corners: Vec<[u32; 3]>,
}

impl Shells {
    /// The mesh must be valid.
    pub(crate) fn of(mesh: &TriangleMesh) -> Self {
        let is_flipped = Parts::of(mesh).flipped;
        let sides = EdgeSides::of(mesh);
        let mut forest = Forest::new(mesh.triangles.len());
        for edge in sides.groups() {
            for side in &edge[1..] {
                forest.join(edge[0].triangle as usize, side.triangle as usize, false);
            }
        }
        let (low, high) = mesh.bounds();
        let origin = 0.5 * (low + high);
        let mut shells: Vec<Shell> = Vec::new();
        let mut number = vec![u32::MAX; mesh.triangles.len()];
        let mut of_triangle = Vec::with_capacity(mesh.triangles.len());
        for (triangle, corners) in mesh.corners().enumerate() {
            let (root, _) = forest.find(triangle);
            if number[root] == u32::MAX {
                number[root] = shells.len() as u32;
                shells.push(Shell { first: triangle as u32, is_closed: false, signed_volume: 0.0 });
            }
            of_triangle.push(number[root]);
            let [a, b, c] = corners.map(|p| p - origin);
            let volume = a.cross(&b).dot(&c) / 6.0;
            shells[number[root] as usize].signed_volume +=
                if is_flipped[triangle] { -volume } else { volume };
        }
        // Triangles without edges stay open.
        for edge in sides.groups() {
            shells[of_triangle[edge[0].triangle as usize] as usize].is_closed = true;
        }
        for edge in sides.groups() {
            let way = |forward: bool| if forward { 1 } else { -1 };
            let ways = edge.iter().map(|side| way(side.forward != is_flipped[side.triangle as usize]));
            if ways.sum::<i32>() != 0 {
                shells[of_triangle[edge[0].triangle as usize] as usize].is_closed = false;
            }
        }
        let same = find_representatives(&mesh.vertices, 0.0);
        let corners = mesh.triangles.iter().map(|t| t.map(|v| same[v as usize])).collect();
        Self { shells, of_triangle, is_flipped, corners }
    }
}
