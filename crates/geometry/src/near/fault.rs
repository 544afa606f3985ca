use std::fmt;

use crate::mesh::MeshFault;

/// Why a mesh cannot be a contact surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceFault {
    /// The mesh is not usable as data.
    Mesh(MeshFault),
    /// Every triangle is degenerate.
    NothingLeft {
        /// Number of triangles, all of them degenerate.
        triangles: usize,
    },
    /// More triangles than can be numbered.
    TooManyTriangles {
        /// Number of triangles.
        triangles: usize,
        /// Greatest number allowed.
        limit: usize,
    },
    /// More leaves of refined triangles than can be numbered.
    TooManyLeaves {
        /// Number of leaves.
        leaves: usize,
        /// Greatest number allowed.
        limit: usize,
    },
    /// Coordinates beyond all measure.
    TooLarge {
        /// Distance of the farthest vertex from the frame's origin (m).
        radius: f64,
    },
    /// The length of the penetration lines is not positive, or beyond all measure.
    Reach {
        /// What was given (m).
        reach: f64,
    },
}

impl From<MeshFault> for SurfaceFault {
    fn from(fault: MeshFault) -> Self {
        Self::Mesh(fault)
    }
}

impl fmt::Display for SurfaceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mesh(fault) => write!(f, "the mesh is unusable: {fault:?}"),
            Self::NothingLeft { triangles } => write!(f, "all {triangles} triangles are degenerate"),
            Self::TooManyTriangles { triangles, limit } => {
                write!(f, "{triangles} triangles; the limit is {limit}")
            }
            Self::TooManyLeaves { leaves, limit } => {
                write!(f, "its triangles would be cut into {leaves} elements; the limit is {limit}")
            }
            Self::TooLarge { radius } => write!(f, "a vertex is {radius} m from the origin"),
            Self::Reach { reach } => write!(f, "penetration lines need a positive length, not {reach} m"),
        }
    }
}

impl std::error::Error for SurfaceFault {}

/// Why a search has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchFault {
    /// A number of the pose is infinite or not a number.
    PoseNotFinite,
}

impl fmt::Display for SearchFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PoseNotFinite => write!(f, "the pose of the base in the target's frame is not finite"),
        }
    }
}

impl std::error::Error for SearchFault {}

/// Triangles that take no part: two corners at one place, or flat to rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Degenerate {
    /// How many.
    pub count: usize,
    /// The first of them.
    pub first: Option<u32>,
}

impl Degenerate {
    pub(crate) fn note(&mut self, triangle: u32) {
        self.count += 1;
        self.first = self.first.or(Some(triangle));
    }
}
