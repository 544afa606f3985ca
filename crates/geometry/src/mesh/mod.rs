//! Triangle meshes: plain data, import-neutral.
//!
//! ```
//! use carom_geometry::TriangleMesh;
//! use carom_math::Vec3;
//!
//! let vertices = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
//! let mut corner = TriangleMesh { vertices, triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] };
//! assert!((corner.topology()?.signed_volume - 1.0 / 6.0).abs() < 1e-15);
//! corner.triangles.pop();
//! assert!(!corner.topology()?.closed);
//! # Ok::<(), carom_geometry::mesh::MeshFault>(())
//! ```

mod components;
mod cracks;
mod diagnosis;
mod edges;
mod form;
mod sharpness;
mod shells;
mod topology;
mod validate;
mod weld;

use carom_math::Vec3;

pub use components::Component;
pub(crate) use components::{Forest, Parts};
pub use cracks::Cracks;
pub use diagnosis::{Findings, SharpEdge, SurfaceDiagnosis};
pub(crate) use edges::{EdgeSides, Side};
pub use form::{FlatFace, SurfaceForm, TriangleForm, Turning};
pub use sharpness::Sharpness;
pub(crate) use shells::{Shell, Shells};
pub(crate) use topology::is_flat;
pub use topology::{EdgeCount, MeshTopology};
pub use validate::MeshFault;
pub(crate) use weld::{EqualVertices, find_representatives};
pub use weld::{Weld, weld};

/// Triangle surface in the shape's frame.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    /// Vertices (m).
    pub vertices: Vec<Vec3>,
    /// Vertex indices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// Edge lengths of the axis-aligned box around all vertices (m).
    pub fn extent(&self) -> Vec3 {
        let (low, high) = self.bounds();
        high - low
    }

    /// Lowest and highest coordinates over all vertices (m); (+∞, −∞) without vertices.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let mut low = Vec3::repeat(f64::INFINITY);
        let mut high = Vec3::repeat(f64::NEG_INFINITY);
        for v in &self.vertices {
            low = low.inf(v);
            high = high.sup(v);
        }
        (low, high)
    }

    /// Corner positions of each triangle (m). The indices must be valid.
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> {
        (0..self.triangles.len() as u32).map(|index| self.triangle(index))
    }

    /// Corner positions of a triangle (m).
    pub fn triangle(&self, index: u32) -> [Vec3; 3] {
        self.triangles[index as usize].map(|vertex| self.vertices[vertex as usize])
    }
}
