use carom_math::Vec3;

use crate::TriangleMesh;

use super::ray::TrianglePlane;
use super::{Degenerate, SurfaceFault, corners};

/// A triangle surface that penetration lines are held against. Any mesh will do: open, with cracks, with faces twice;
/// the inner side of a triangle is where its corners are seen clockwise.
#[derive(Clone, Debug)]
pub struct TargetSurface {
    /// By triangle of the mesh; those of degenerate triangles are not numbers and never hit.
    pub(super) planes: Vec<TrianglePlane>,
    radius: f64,
    degenerate: Degenerate,
}

impl TargetSurface {
    /// Degenerate triangles are left out and counted; the others keep their indices.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, SurfaceFault> {
        let degenerate = corners::examine(mesh)?;
        let radius = mesh.vertices.iter().map(Vec3::norm).fold(0.0, f64::max);
        let plane = |triangle| {
            if corners::is_degenerate(&triangle) {
                TrianglePlane::NOWHERE
            } else {
                TrianglePlane::new(&triangle, radius)
            }
        };
        let planes = mesh.corners().map(plane).collect();
        Ok(Self { planes, radius, degenerate })
    }

    /// Outward unit normal of a triangle that is not degenerate, in the surface's frame.
    pub fn normal(&self, triangle: u32) -> Vec3 {
        self.planes[triangle as usize].normal.into()
    }

    /// Number of triangles of the mesh, degenerate ones included.
    pub fn triangle_count(&self) -> usize {
        self.planes.len()
    }

    /// Distance of the farthest vertex from the frame's origin (m).
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Triangles left out.
    pub fn degenerate(&self) -> Degenerate {
        self.degenerate
    }
}
