use carom_math::Vec3;

use crate::TriangleMesh;

use super::{Degenerate, SurfaceFault};
use crate::near::{GROWTH, TargetTree, TargetTriangle, corners};

/// A triangle surface that penetration lines are held against. Any mesh will do: open, with cracks, with faces twice;
/// the inner side of a triangle is where its corners are seen clockwise.
#[derive(Clone, Debug)]
pub struct TargetSurface {
    /// By triangle of the mesh; the planes of degenerate ones are not numbers and never hit.
    pub(super) triangles: Vec<TargetTriangle>,
    pub(super) tree: TargetTree,
    radius: f64,
    degenerate: Degenerate,
}

impl TargetSurface {
    /// Degenerate triangles are left out and counted; the others keep their indices.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, SurfaceFault> {
        let degenerate = corners::examine(mesh)?;
        let radius = corners::farthest(mesh);
        let numbered: Vec<(u32, [Vec3; 3])> =
            (0..).zip(mesh.corners()).filter(|(_, corners)| !corners::is_degenerate(corners)).collect();
        let mut triangles = vec![TargetTriangle::NOWHERE; mesh.triangles.len()];
        for (index, corners) in &numbered {
            triangles[*index as usize] = TargetTriangle::new(corners, radius);
        }
        let tree = TargetTree::new(&numbered, GROWTH);
        Ok(Self { triangles, tree, radius, degenerate })
    }

    /// Outward unit normal of a triangle that is not degenerate, in the surface's frame.
    pub fn normal(&self, triangle: u32) -> Vec3 {
        self.triangles[triangle as usize].plane.normal.into()
    }

    /// Number of triangles of the mesh, degenerate ones included.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
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
