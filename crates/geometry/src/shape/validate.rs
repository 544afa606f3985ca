use std::fmt;

use crate::mesh::MeshFault;
use crate::shape::Shape;

/// A dimension of a shape that is not what it must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeFault {
    /// Name of the field, such as `radius`.
    pub field: &'static str,
    /// Its value.
    pub value: f64,
    /// What would be right.
    pub expected: &'static str,
}

impl fmt::Display for ShapeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, and must be {}", self.field, self.value, self.expected)
    }
}

impl std::error::Error for ShapeFault {}

const LENGTH: &str = "a positive, finite length in m";

impl Shape {
    /// Everything that is wrong with the shape's own numbers, all at once; empty if it can be used. Kernels
    /// rely on it and do not check again.
    pub fn find_faults(&self) -> Vec<ShapeFault> {
        match self {
            Self::HalfSpace => Vec::new(),
            Self::Sphere { radius, .. } => find_bad_lengths(&[("radius", *radius)]),
            Self::Box { half } => {
                find_bad_lengths(&[("half.x", half.x), ("half.y", half.y), ("half.z", half.z)])
            }
            Self::Cylinder(c) => find_bad_lengths(&[("radius", c.radius), ("half_length", c.half_length)]),
            Self::Capsule { radius, half_length } => {
                find_bad_lengths(&[("radius", *radius), ("half_length", *half_length)])
            }
            Self::Convex(solid) => solid.find_faults(),
            Self::Mesh(mesh) => mesh.validate().err().map(describe_mesh_fault).into_iter().collect(),
            Self::Planar(planar) => planar.find_faults(),
        }
    }
}

fn find_bad_lengths(lengths: &[(&'static str, f64)]) -> Vec<ShapeFault> {
    lengths
        .iter()
        .filter(|(_, value)| !(value.is_finite() && *value > 0.0))
        .map(|&(field, value)| ShapeFault { field, value, expected: LENGTH })
        .collect()
}

fn describe_mesh_fault(fault: MeshFault) -> ShapeFault {
    match fault {
        MeshFault::Empty => ShapeFault { field: "triangles", value: 0.0, expected: "at least one triangle" },
        MeshFault::NotFinite { position, .. } => ShapeFault {
            field: "vertices",
            value: position.iter().copied().find(|x| !x.is_finite()).unwrap_or(f64::NAN),
            expected: "finite coordinates in m",
        },
        MeshFault::IndexOutOfRange { index, .. } => ShapeFault {
            field: "triangles",
            value: f64::from(index),
            expected: "indices below the number of vertices",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TriangleMesh;
    use crate::shape::{Cylinder, CylinderSide};
    use carom_math::Vec3;
    use std::sync::Arc;

    /// Fields that are named, without their values, of which some are NaN.
    fn fields(shape: &Shape) -> Vec<&'static str> {
        shape.find_faults().iter().map(|fault| fault.field).collect()
    }

    #[test]
    fn all_bad_dimensions_are_named_at_once() {
        let half = Vec3::new(-1.0, 2.0, f64::NAN);
        assert_eq!(fields(&Shape::Box { half }), ["half.x", "half.z"]);
        assert_eq!(
            fields(&Shape::Capsule { radius: 0.0, half_length: f64::INFINITY }),
            ["radius", "half_length"]
        );
        let cylinder = Cylinder { radius: -0.0, half_length: 1.0, side: CylinderSide::Solid };
        assert_eq!(fields(&Shape::Cylinder(cylinder)), ["radius"]);
        let fault = Shape::Sphere { radius: -0.5, hollow: true }.find_faults()[0];
        assert_eq!(fault, ShapeFault { field: "radius", value: -0.5, expected: LENGTH });
    }

    #[test]
    fn sound_shapes_have_no_faults() {
        assert!(Shape::HalfSpace.find_faults().is_empty());
        assert!(Shape::Sphere { radius: 1e-9, hollow: false }.find_faults().is_empty());
    }

    #[test]
    fn a_mesh_is_checked_too() {
        let mesh = TriangleMesh { vertices: vec![Vec3::zeros()], triangles: vec![[0, 0, 3]] };
        let faults = Shape::Mesh(Arc::new(mesh)).find_faults();
        assert_eq!((faults[0].field, faults[0].value), ("triangles", 3.0));
    }
}
