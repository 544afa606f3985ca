//! A surface with the normals that its light needs.

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

/// Cosine of the angle from which on an edge is seen as one: 35 degrees.
const CREASE: f64 = 0.819_152_044_288_991_8;

/// Triangles, and a normal at each of their corners.
#[derive(Debug)]
pub(super) struct Solid {
    mesh: TriangleMesh,
    normals: Vec<[Vec3; 3]>,
    /// Corners of its box (m).
    pub(super) box_corners: [Vec3; 8],
}

impl Solid {
    /// Normals at corners are the means of those of the triangles there that are no farther than a crease from their own,
    /// weighted by area.
    pub(super) fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let mesh = TriangleMesh { vertices, triangles };
        let areas: Vec<Vec3> = mesh.corners().map(|[a, b, c]| (b - a).cross(&(c - a))).collect();
        let units: Vec<Vec3> =
            areas.iter().map(|n| n.try_normalize(0.0).unwrap_or_else(Vec3::zeros)).collect();
        let mut at_vertex = vec![Vec::new(); mesh.vertices.len()];
        for (triangle, corners) in mesh.triangles.iter().enumerate() {
            corners.iter().for_each(|&vertex| at_vertex[vertex as usize].push(triangle));
        }
        let normal = |own: usize, vertex: u32| {
            let near =
                at_vertex[vertex as usize].iter().filter(|&&other| units[own].dot(&units[other]) >= CREASE);
            near.map(|&other| areas[other]).sum::<Vec3>().try_normalize(0.0).unwrap_or(units[own])
        };
        let normals = mesh.triangles.iter().enumerate();
        let normals = normals.map(|(own, corners)| corners.map(|vertex| normal(own, vertex))).collect();
        let (low, high) = mesh.bounds();
        let box_corners = corners_of_box(low, high);
        Self { mesh, normals, box_corners }
    }

    /// Corners of its triangles with the normals there.
    pub(super) fn faces(&self) -> impl Iterator<Item = ([Vec3; 3], &[Vec3; 3])> {
        self.mesh.corners().zip(&self.normals)
    }

    /// Do its triangles face the inside?
    pub(super) fn is_cavity(&self) -> bool {
        self.mesh.signed_volume() < 0.0
    }
}

/// The eight corners of a box.
pub(super) fn corners_of_box(low: Vec3, high: Vec3) -> [Vec3; 8] {
    std::array::from_fn(|corner| {
        Vec3::from(std::array::from_fn(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] }))
    })
}
