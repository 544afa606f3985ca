use std::fmt;

use carom_math::Vec3;

use super::TriangleMesh;

/// Why a mesh is not usable as data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeshFault {
    /// There is no triangle.
    Empty,
    /// A coordinate is infinite or not a number.
    NotFinite {
        /// Index of the first such vertex.
        vertex: usize,
        /// Its coordinates (m).
        position: Vec3,
        /// First triangle that uses it, if any does.
        triangle: Option<usize>,
    },
    /// A triangle refers to a vertex that does not exist.
    IndexOutOfRange {
        /// Index of the first such triangle.
        triangle: usize,
        /// The vertex index it asks for.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
}

impl fmt::Display for MeshFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "it has no triangle"),
            Self::NotFinite { vertex, position: p, .. } => {
                write!(f, "vertex {vertex} is not finite: [{}, {}, {}]", p.x, p.y, p.z)
            }
            Self::IndexOutOfRange { triangle, index, vertices } => {
                write!(f, "triangle {triangle} asks for vertex {index} of {vertices}")
            }
        }
    }
}

impl std::error::Error for MeshFault {}

impl TriangleMesh {
    /// Finite coordinates, existing vertices, at least one triangle. Everything else of this module relies
    /// on it.
    pub fn validate(&self) -> Result<(), MeshFault> {
        if self.triangles.is_empty() {
            return Err(MeshFault::Empty);
        }
        let vertices = self.vertices.len();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&index| index as usize >= vertices) {
                return Err(MeshFault::IndexOutOfRange { triangle, index, vertices });
            }
        }
        let is_broken = |v: &Vec3| v.iter().any(|x| !x.is_finite());
        if let Some(vertex) = self.vertices.iter().position(is_broken) {
            let triangle = self.triangles.iter().position(|t| t.iter().any(|&i| i as usize == vertex));
            return Err(MeshFault::NotFinite { vertex, position: self.vertices[vertex], triangle });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> TriangleMesh {
        TriangleMesh {
            vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }

    #[test]
    fn the_first_fault_is_named() {
        assert_eq!(triangle().validate(), Ok(()));
        let mut mesh = triangle();
        mesh.triangles[1][2] = 4;
        assert_eq!(mesh.validate(), Err(MeshFault::IndexOutOfRange { triangle: 1, index: 4, vertices: 4 }));
        let mut mesh = triangle();
        mesh.vertices[3].y = f64::NEG_INFINITY;
        assert_eq!(
            mesh.validate(),
            Err(MeshFault::NotFinite {
                vertex: 3,
                position: Vec3::new(0.0, f64::NEG_INFINITY, 1.0),
                triangle: Some(1)
            })
        );
        mesh.triangles.clear();
        assert_eq!(mesh.validate(), Err(MeshFault::Empty));
    }
}
