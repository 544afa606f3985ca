use std::fmt;

use carom_math::{Pose, Vec3};

use crate::intersection::fault::Unclosed;
use crate::intersection::{ManifoldFault, Side};
use crate::near::SearchFault;

/// One contact region: the plane through its contours and what lies on both sides of it. In B's frame, or the world's after
/// [`Region::placed`].
///
/// With the segments a → b of all its contours, of lengths l, and r₀ = Σ l (a + b)/2 / Σ l:
///
/// - The plane goes through r₀. Its normal is the eigenvector of the smallest eigenvalue λ₁ of
///   Σ (l/6)(2 a aᵀ + 2 b bᵀ + a bᵀ + b aᵀ), a and b from r₀: the integral of r rᵀ along the contours, which does not depend on
///   how they are cut into segments. It points from A to B, as the area vector does.
/// - The centroid is that of the projected contours (Dopico et al. 2010, eq. 25–29), those around holes counted with their turn.
/// - The indentation is max s over A's points inside B plus max −s over B's points inside A, with the distance s from the
///   plane along the normal, vertices and contours being looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Centroid of the projected contours, on the plane (m).
    pub point: Vec3,
    /// Unit normal of the plane, from A to B.
    pub normal: Vec3,
    /// Maximum indentation δ ≥ 0 (m); of an open region over what is known to be inside.
    pub indentation: f64,
    /// Length of all contours (m).
    pub length: f64,
    /// (λ₂ − λ₁)/λ₃, 0 to 1: how well the contours say where the plane is. Below 1e-3 they are a line to the eye, and the normal
    /// is that of the area vector, or of the triangles that meet.
    pub definiteness: f64,
    /// Closed contours.
    pub loops: u32,
    /// Contours that begin or end at a border.
    pub open_chains: u32,
    /// What the region encloses; none if it is open: at a border that is inside the other surface, or where a surface cuts
    /// itself and nothing is inside or outside.
    pub overlap: Option<Overlap>,
}

/// What the two surfaces enclose at a region: the part V of both solids' overlap that its contours bound.
///
/// Moved by dx and turned by dθ about the region's point, B changes it by dV = −S·dx − M·dθ: with any potential U(V) the force on
/// B is U′(V) S and the torque on B about the region's point is U′(V) M. With U = k V²/2 that is k V S, and conservative, as
/// a force k V along a unit normal is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Area of the contours projected on the plane (m²), those around holes subtracted.
    pub area: f64,
    /// Area vector S = ∫ n dA over A's surface inside B = ½ Σ a × b (m²), from A to B.
    pub area_vector: Vec3,
    /// M = ∫ x × n dA over the same, x from the region's point, = −Σ (b − a)(|a|² + a·b + |b|²)/6 (m³).
    pub moment: Vec3,
    /// Volume V (m³).
    pub volume: f64,
}

/// A part of one surface that lies inside the other without cutting it: there is no contour, and no region says so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contained {
    /// Whose part.
    pub side: Side,
    /// Its first vertex, by its index in the mesh.
    pub vertex: u32,
    /// Volume that the part encloses (m³); negative for the wall of a cavity.
    pub volume: f64,
}

/// Why two meshes have no regions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RegionFault {
    /// The mesh of A or B cannot be intersected.
    Mesh(Side, ManifoldFault),
    /// A number of a pose is infinite or not a number.
    Pose(SearchFault),
    /// Two triangles, of A and B, do not meet in a segment, which arithmetic without overflow rules out.
    Unclosed {
        /// Of A and of B.
        triangles: [u32; 2],
    },
}

impl fmt::Display for RegionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mesh(side, fault) => write!(f, "mesh {side:?}: {fault}"),
            Self::Pose(_) => write!(f, "the pose of A in B's frame is not finite"),
            Self::Unclosed { triangles: [a, b] } => {
                write!(f, "triangles {a} of A and {b} of B meet in no segment: coordinates overflow")
            }
        }
    }
}

impl std::error::Error for RegionFault {}

impl From<Unclosed> for RegionFault {
    fn from(Unclosed(triangles): Unclosed) -> Self {
        Self::Unclosed { triangles }
    }
}

impl Region {
    /// Offset d of the plane n·x + d = 0 (m).
    pub fn offset(&self) -> f64 {
        -self.normal.dot(&self.point)
    }

    /// The same seen from the frame in which B's pose is `x_wb`.
    pub fn placed(&self, x_wb: &Pose) -> Self {
        let turn = |v: Vec3| x_wb.rotation * v;
        let overlap = self.overlap.map(|overlap| Overlap {
            area_vector: turn(overlap.area_vector),
            moment: turn(overlap.moment),
            ..overlap
        });
        Self { point: x_wb.transform_point(&self.point), normal: turn(self.normal), overlap, ..*self }
    }
}
