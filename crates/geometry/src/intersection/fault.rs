use std::fmt;

use carom_math::Vec3;

use crate::mesh::EdgeCount;
use crate::near::{Degenerate, SearchFault, SurfaceFault};

/// Why the inside of a mesh is not defined by its topology.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ManifoldFault {
    /// It cannot be a surface at all.
    Surface(SurfaceFault),
    /// Edges with one triangle.
    Open(EdgeCount),
    /// Edges with more than two triangles.
    NonManifold(EdgeCount),
    /// Edges whose two triangles are turned against each other.
    Misoriented(EdgeCount),
    /// Triangles without a normal.
    Degenerate(Degenerate),
    /// Triangles are clockwise seen from outside: the enclosed volume (m³) is not positive.
    Inward {
        /// Signed volume (m³).
        volume: f64,
    },
}

impl fmt::Display for ManifoldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut edges = |what: &str, edges: &EdgeCount| {
            let place = edges.first.unwrap_or_else(Vec3::zeros);
            write!(f, "{} {what}, the first near ({}, {}, {})", edges.count, place.x, place.y, place.z)
        };
        match self {
            Self::Surface(fault) => write!(f, "{fault}"),
            Self::Open(count) => edges("open edges", count),
            Self::NonManifold(count) => edges("edges with more than two triangles", count),
            Self::Misoriented(count) => edges("edges between triangles turned against each other", count),
            Self::Degenerate(degenerate) => {
                let first = degenerate.first.unwrap_or(0);
                write!(f, "{} degenerate triangles, the first is {first}", degenerate.count)
            }
            Self::Inward { volume } => write!(f, "normals point inwards: the volume is {volume} m³"),
        }
    }
}

impl std::error::Error for ManifoldFault {}

/// Two triangles, of A and of B, do not meet in a segment, which arithmetic without overflow rules out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unclosed(pub(crate) [u32; 2]);

impl From<Unclosed> for IntersectionFault {
    fn from(Unclosed(triangles): Unclosed) -> Self {
        Self::Unclosed { triangles }
    }
}

/// Why the classic construction has no answer at a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IntersectionFault {
    /// The pose is not usable.
    Pose(SearchFault),
    /// A connected part of a surface lies inside the other surface without cutting it.
    NoContour {
        /// Whose part: the base's, or else the target's.
        is_base: bool,
        /// A vertex of it, by its index in the mesh.
        vertex: u32,
    },
    /// What is inside and what outside contradict each other: the other surface cuts itself.
    SelfIntersecting {
        /// A vertex of the base, or else of the target, that would have to be both.
        is_base: bool,
        /// Its index in the mesh.
        vertex: u32,
    },
    /// Two triangles do not meet in a segment, which arithmetic without overflow rules out.
    Unclosed {
        /// Of the base and of the target.
        triangles: [u32; 2],
    },
}

impl fmt::Display for IntersectionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |is_base: bool| if is_base { "base" } else { "target" };
        match *self {
            Self::Pose(fault) => write!(f, "{fault}"),
            Self::NoContour { is_base, vertex } => {
                let other = name(!is_base);
                write!(
                    f,
                    "the part of the {} with vertex {vertex} is inside the {other}: no contour",
                    name(is_base)
                )
            }
            Self::SelfIntersecting { is_base, vertex } => {
                let other = name(!is_base);
                write!(
                    f,
                    "vertex {vertex} of the {} is both inside and outside: the {other} cuts itself",
                    name(is_base)
                )
            }
            Self::Unclosed { triangles: [a, b] } => {
                write!(
                    f,
                    "triangles {a} of the base and {b} of the target meet in no segment: coordinates overflow"
                )
            }
        }
    }
}

impl std::error::Error for IntersectionFault {}
