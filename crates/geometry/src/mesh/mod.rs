//! Triangle meshes: plain data, import-neutral.

use carom_math::Vec3;

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
        let mut low = Vec3::repeat(f64::INFINITY);
        let mut high = Vec3::repeat(f64::NEG_INFINITY);
        for v in &self.vertices {
            low = low.inf(v);
            high = high.sup(v);
        }
        high - low
    }
}
