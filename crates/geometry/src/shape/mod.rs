//! The closed set of shapes. Each lives in its own frame; bodies place it.
//!
//! ```
//! use carom_geometry::Shape;
//!
//! let plate = Shape::Sphere { radius: -0.1, hollow: false };
//! let faults = plate.find_faults();
//! assert_eq!(faults[0].to_string(), "radius is -0.1, and must be a positive, finite length in m");
//! ```

mod cylinder;
mod validate;

use std::sync::Arc;

use carom_math::Vec3;

use crate::TriangleMesh;
use crate::convex::{ConvexShape, Core};
use crate::planar::PlanarShape;

pub use cylinder::{Cylinder, CylinderSide};
pub use validate::ShapeFault;

/// Extents of a mesh below this share of its largest are those across a flat sheet, which has none.
const FLAT: f64 = 1e-6;

/// Geometry of a body's surface, in the shape's own frame. Lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Ball, or spherical cavity when hollow. Centre at the origin.
    Sphere {
        /// Radius R > 0.
        radius: f64,
        /// The solid is outside: others touch the surface from within.
        hollow: bool,
    },
    /// Solid z ≤ 0: the surface is z = 0, the outward normal +z.
    HalfSpace,
    /// Rectangular block, centre at the origin, edges along the axes.
    Box {
        /// Half edge lengths.
        half: Vec3,
    },
    /// Circular cylinder about z, centre at the origin.
    Cylinder(Cylinder),
    /// Cylinder about z with half balls at the ends, centre at the origin.
    Capsule {
        /// Radius R > 0.
        radius: f64,
        /// Half length of the core segment: the ball centres are at z = ±half_length.
        half_length: f64,
    },
    /// Convex solid that the variants above do not have: cone, frustum, beam, ellipsoid, superellipsoid, hull, and
    /// everything with a rounding radius.
    Convex(ConvexShape),
    /// Triangle surface.
    Mesh(Arc<TriangleMesh>),
    /// Outline in the xy plane, of planar models.
    Planar(PlanarShape),
}

/// Discriminant of [`Shape`] as the pair table sees it: what is touched from within is a kind of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ShapeKind {
    /// Solid ball.
    Sphere,
    /// Spherical cavity.
    HollowSphere,
    /// Half-space.
    HalfSpace,
    /// Rectangular block.
    Box,
    /// Solid cylinder.
    Cylinder,
    /// Cylindrical cavity, closed or open at its ends.
    HollowCylinder,
    /// Capsule.
    Capsule,
    /// Any other convex solid: its contacts are searched for.
    Convex,
    /// Triangle mesh.
    Mesh,
    /// Outline in a plane: its contacts are those of [`crate::planar`].
    Planar,
}

impl ShapeKind {
    /// All kinds, in the order of the pair table.
    pub const ALL: [Self; 10] = [
        Self::Sphere,
        Self::HollowSphere,
        Self::HalfSpace,
        Self::Box,
        Self::Cylinder,
        Self::HollowCylinder,
        Self::Capsule,
        Self::Convex,
        Self::Mesh,
        Self::Planar,
    ];

    /// Name in messages and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::HollowSphere => "hollow sphere",
            Self::HalfSpace => "half-space",
            Self::Box => "box",
            Self::Cylinder => "cylinder",
            Self::HollowCylinder => "hollow cylinder",
            Self::Capsule => "capsule",
            Self::Convex => "convex solid",
            Self::Mesh => "mesh",
            Self::Planar => "planar shape",
        }
    }
}

impl Shape {
    /// Kind in the pair table.
    pub fn kind(&self) -> ShapeKind {
        match self {
            Self::Sphere { hollow: false, .. } => ShapeKind::Sphere,
            Self::Sphere { hollow: true, .. } => ShapeKind::HollowSphere,
            Self::HalfSpace => ShapeKind::HalfSpace,
            Self::Box { .. } => ShapeKind::Box,
            Self::Cylinder(c) => match c.side {
                CylinderSide::Solid => ShapeKind::Cylinder,
                CylinderSide::Hollow { .. } => ShapeKind::HollowCylinder,
            },
            Self::Capsule { .. } => ShapeKind::Capsule,
            Self::Convex(_) => ShapeKind::Convex,
            Self::Mesh(_) => ShapeKind::Mesh,
            Self::Planar(_) => ShapeKind::Planar,
        }
    }

    /// What the shape is, for messages: the kind, of convex solids the core.
    pub fn name(&self) -> &'static str {
        let solid = match self {
            Self::Convex(solid) => solid,
            Self::Planar(planar) => return planar.name(),
            _ => return self.kind().name(),
        };
        match solid.core {
            Core::Point => "sphere",
            Core::Segment { .. } => "capsule",
            Core::Box { .. } => "box",
            Core::Frustum { radius_low, radius_high, .. }
                if radius_low == radius_high && radius_low != 0.0 =>
            {
                "cylinder"
            }
            Core::Frustum { radius_high: 0.0, .. } => "cone",
            Core::Frustum { .. } => "frustum",
            Core::Beam { .. } => "beam",
            Core::Ellipsoid { .. } => "ellipsoid",
            Core::Superellipsoid { .. } => "superellipsoid",
            Core::Hull(_) => "hull",
        }
    }

    /// Smallest extent that matters to the scale of a model (m): radius of round shapes, smallest half
    /// edge of a box; of a mesh half the smallest extent along an axis, but that across a flat one; infinite for a
    /// half-space.
    pub fn smallest_length(&self) -> f64 {
        match self {
            Self::Sphere { radius, .. } | Self::Capsule { radius, .. } => *radius,
            Self::HalfSpace => f64::INFINITY,
            Self::Box { half } => half.min(),
            Self::Cylinder(c) => c.radius.min(c.half_length),
            Self::Convex(solid) => solid.smallest_length(),
            Self::Mesh(mesh) => {
                let extent = mesh.extent();
                let flat = FLAT * extent.max();
                0.5 * extent.iter().filter(|&&e| e > flat).fold(f64::INFINITY, |a: f64, &e| a.min(e))
            }
            Self::Planar(planar) => planar.smallest_length(),
        }
    }

    /// Radius of the ball about the shape's origin that holds the whole surface (m); infinite for a
    /// half-space.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Sphere { radius, .. } => *radius,
            Self::HalfSpace => f64::INFINITY,
            Self::Box { half } => half.norm(),
            Self::Cylinder(c) => c.radius.hypot(c.half_length),
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Convex(solid) => solid.bounding_radius(),
            Self::Mesh(mesh) => mesh.vertices.iter().map(|v| v.norm()).fold(0.0, f64::max),
            Self::Planar(planar) => planar.bounding_radius(),
        }
    }

    /// Contact radius of the law `elastic-response` (docs/laws.md): d/2 for sphere and capsule, half of the
    /// smallest side for a box or beam, half of min(d, L) for cylinder, cone and frustum with the larger diameter d,
    /// the smallest semi-axis of an ellipsoid, half of the shortest edge of a hull, plus the rounding radius; `None`
    /// for a flat partner, which drops out. A cavity has a negative radius. A mesh has none: what touches is its hull
    /// ([`ConvexShape::contact_radius`]).
    pub fn contact_radius(&self) -> Option<f64> {
        match self {
            Self::Sphere { radius, hollow } => Some(if *hollow { -radius } else { *radius }),
            Self::HalfSpace | Self::Mesh(_) | Self::Planar(_) => None,
            Self::Box { half } => Some(half.min()),
            Self::Cylinder(c) => Some(match c.side {
                CylinderSide::Solid => c.radius.min(c.half_length),
                CylinderSide::Hollow { .. } => -c.radius,
            }),
            Self::Capsule { radius, .. } => Some(*radius),
            Self::Convex(solid) => Some(solid.contact_radius()),
        }
    }
}
