//! Mass properties of solids of uniform density.
//!
//! ```
//! use carom_geometry::{MassProperties, Shape};
//!
//! let ball = Shape::Sphere { radius: 0.1, hollow: false };
//! let steel = MassProperties::of_shape(&ball, 7850.0)?;
//! assert!((steel.inertia[(0, 0)] - 0.4 * steel.mass * 0.01).abs() < 1e-14);
//! # Ok::<(), carom_geometry::MassFault>(())
//! ```

mod combine;
mod inertia;
mod polyhedron;
mod solid;

use std::fmt;

use carom_math::{Mat3, Vec3};

use crate::ShapeKind;
use crate::mesh::MeshFault;

pub use inertia::{InertiaFault, TRIANGLE_TOLERANCE, check_inertia};

/// Mass, centre and inertia of a solid, in the frame of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass (m).
    pub com: Vec3,
    /// Inertia about the centre of mass (kg m²).
    pub inertia: Mat3,
}

/// Why a shape has no mass properties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MassFault {
    /// The solid has no bounds: a half-space, or the surroundings of a cavity.
    Unbounded {
        /// Kind of the shape.
        kind: ShapeKind,
    },
    /// The mesh is not usable as data.
    Mesh(MeshFault),
    /// The surface has a border and encloses nothing.
    Open {
        /// Edges with a triangle on one side only.
        boundary_edges: usize,
        /// Middle of the first of them (m).
        at: Vec3,
    },
    /// Neighbouring triangles disagree about which side is outside, or an odd number of triangles
    /// meet at an edge.
    Misoriented {
        /// Edges not walked equally often both ways.
        edges: usize,
        /// Middle of the first of them (m).
        at: Vec3,
    },
    /// Closed, but the triangles are clockwise seen from outside.
    InsideOut {
        /// Enclosed volume with its sign (m³).
        volume: f64,
    },
    /// Closed, but flat to rounding.
    ZeroVolume {
        /// Enclosed volume with its sign (m³).
        volume: f64,
        /// What counts as zero for a body of this extent (m³).
        smallest: f64,
    },
    /// There is no closed form for this convex solid with a rounding radius: state mass and inertia, or set the
    /// radius to zero.
    Rounded {
        /// The rounding radius (m).
        radius: f64,
    },
}

impl fmt::Display for MassFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |at: &Vec3| format!("[{:.4}, {:.4}, {:.4}] m of its frame", at.x, at.y, at.z);
        match self {
            Self::Unbounded { kind } => write!(f, "a {} has no bounds and so no mass", kind.name()),
            Self::Mesh(fault) => write!(f, "the mesh is not usable: {fault}"),
            Self::Open { boundary_edges, at } => {
                write!(f, "is not closed: {boundary_edges} boundary edges, the first near {}", place(at))
            }
            Self::Misoriented { edges, at } => write!(
                f,
                "is not closed: {edges} edges whose triangles disagree about the outside, the first near {}",
                place(at)
            ),
            Self::InsideOut { .. } => {
                write!(f, "is inside out: its triangles are clockwise seen from outside")
            }
            Self::ZeroVolume { .. } => write!(f, "encloses no volume"),
            Self::Rounded { radius } => {
                write!(f, "has a rounding of {radius} m, with which there is no closed form for its mass")
            }
        }
    }
}

impl std::error::Error for MassFault {}
