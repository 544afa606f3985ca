use std::sync::Arc;

use carom_math::Vec3;

use super::{ConvexHull, Core, NotConvex};
use crate::shape::{CylinderSide, ShapeFault};
use crate::{Shape, TriangleMesh};

/// A convex solid: all points within `radius` of its core. The distance of two of them is that of the cores less
/// the radii, which is smooth through contact as long as the penetration stays below the sum of the radii.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexShape {
    /// The core.
    pub core: Core,
    /// Rounding radius ≥ 0 (m).
    pub radius: f64,
}

/// Exponents of a superellipsoid beyond these limits make it a box or an octahedron to the digits of its
/// powers.
const EXPONENTS: std::ops::RangeInclusive<f64> = 0.05..=1.95;

const LENGTH: &str = "a positive, finite length in m";
const LENGTH_OR_ZERO: &str = "a finite length in m, zero or larger";
const EXPONENT: &str = "an exponent from 0.05 to 1.95";

impl ConvexShape {
    /// A core without rounding.
    pub fn sharp(core: Core) -> Self {
        Self { core, radius: 0.0 }
    }

    /// Convex hull of points, rounded by `radius`.
    pub fn hull(hull: ConvexHull, radius: f64) -> Self {
        Self { core: Core::Hull(Arc::new(hull)), radius }
    }

    /// The convex solid that a shape is; `None` for half-spaces, cavities, and meshes, of which
    /// [`Self::of_mesh`] finds out.
    pub fn of_shape(shape: &Shape) -> Option<Self> {
        match *shape {
            Shape::Convex(ref solid) => Some(solid.clone()),
            Shape::Sphere { radius, hollow: false } => Some(Self { core: Core::Point, radius }),
            Shape::Box { half } => Some(Self::sharp(Core::Box { half })),
            Shape::Cylinder(c) if c.side == CylinderSide::Solid => Some(Self::sharp(Core::Frustum {
                radius_low: c.radius,
                radius_high: c.radius,
                half_length: c.half_length,
            })),
            Shape::Capsule { radius, half_length } => {
                Some(Self { core: Core::Segment { half_length }, radius })
            }
            Shape::Sphere { .. }
            | Shape::HalfSpace
            | Shape::Cylinder(_)
            | Shape::Mesh(_)
            | Shape::Planar(_) => None,
        }
    }

    /// The solid that a mesh bounds, which is its hull, if it is convex ([`ConvexHull::of_convex_mesh`]).
    pub fn of_mesh(mesh: &TriangleMesh) -> Result<Self, NotConvex> {
        ConvexHull::of_convex_mesh(mesh).map(|hull| Self::hull(hull, 0.0))
    }

    /// Everything that is wrong with the numbers, all at once; empty if the shape can be used. Hulls are
    /// checked when they are built.
    pub fn find_faults(&self) -> Vec<ShapeFault> {
        let mut faults = Vec::new();
        let mut check = |field: &'static str, value: f64, ok: bool, expected: &'static str| {
            if !(value.is_finite() && ok) {
                faults.push(ShapeFault { field, value, expected });
            }
        };
        let mut positive = |field, value: f64| check(field, value, value > 0.0, LENGTH);
        match &self.core {
            Core::Point => positive("radius", self.radius),
            Core::Hull(_) => {}
            Core::Segment { half_length } => {
                positive("half_length", *half_length);
                positive("radius", self.radius);
            }
            Core::Box { half } => {
                positive("half.x", half.x);
                positive("half.y", half.y);
                positive("half.z", half.z);
            }
            Core::Frustum { radius_low, radius_high, half_length } => {
                positive("half_length", *half_length);
                if *radius_low == 0.0 && *radius_high == 0.0 {
                    positive("the larger of radius_low and radius_high", 0.0);
                }
                check("radius_low", *radius_low, *radius_low >= 0.0, LENGTH_OR_ZERO);
                check("radius_high", *radius_high, *radius_high >= 0.0, LENGTH_OR_ZERO);
            }
            Core::Beam { half_length, half_width, half_thickness } => {
                positive("half_length", *half_length);
                positive("half_width", *half_width);
                positive("half_thickness", *half_thickness);
            }
            Core::Ellipsoid { semi_axes } | Core::Superellipsoid { semi_axes, .. } => {
                positive("semi_axes.x", semi_axes.x);
                positive("semi_axes.y", semi_axes.y);
                positive("semi_axes.z", semi_axes.z);
            }
        }
        if let Core::Superellipsoid { exponents: [e1, e2], .. } = self.core {
            check("exponents.e1", e1, EXPONENTS.contains(&e1), EXPONENT);
            check("exponents.e2", e2, EXPONENTS.contains(&e2), EXPONENT);
        }
        if !matches!(self.core, Core::Point | Core::Segment { .. }) {
            check("radius", self.radius, self.radius >= 0.0, LENGTH_OR_ZERO);
        }
        faults
    }

    /// Point of the solid that is farthest along the unit vector `n`, in its frame (m).
    pub fn support(&self, n: &Vec3) -> Vec3 {
        self.core.support(n, 0).point + self.radius * n
    }

    /// Radius of the ball about the shape's origin that holds the solid (m).
    pub fn bounding_radius(&self) -> f64 {
        self.core.bounding_radius() + self.radius
    }

    /// Contact radius of the law `elastic-response` (m), see [`Shape::contact_radius`].
    pub fn contact_radius(&self) -> f64 {
        let of_core = match &self.core {
            Core::Point | Core::Segment { .. } => 0.0,
            Core::Box { half } => half.min(),
            Core::Frustum { radius_low, radius_high, half_length } => {
                radius_low.max(*radius_high).min(*half_length)
            }
            Core::Beam { half_length, half_width, half_thickness } => {
                half_length.min(*half_width).min(*half_thickness)
            }
            Core::Ellipsoid { semi_axes } | Core::Superellipsoid { semi_axes, .. } => semi_axes.min(),
            Core::Hull(hull) => 0.5 * hull.shortest_edge(),
        };
        of_core + self.radius
    }

    /// Smallest half edge length of the solid's bounding box in its own axes (m).
    pub fn smallest_length(&self) -> f64 {
        self.core.half_extents().min() + self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bad_numbers_are_named_at_once() {
        let fields = |shape: ConvexShape| -> Vec<&'static str> {
            shape.find_faults().iter().map(|fault| fault.field).collect()
        };
        let block = Core::Box { half: Vec3::new(-1.0, f64::NAN, 1.0) };
        assert_eq!(fields(ConvexShape { core: block, radius: -0.1 }), ["half.x", "half.y", "radius"]);
        let cone = Core::Frustum { radius_low: 0.0, radius_high: 0.0, half_length: f64::INFINITY };
        assert_eq!(
            fields(ConvexShape::sharp(cone)),
            ["half_length", "the larger of radius_low and radius_high"]
        );
        let octahedron = Core::Superellipsoid { semi_axes: Vec3::repeat(1.0), exponents: [2.0, 1.0] };
        assert_eq!(fields(ConvexShape::sharp(octahedron)), ["exponents.e1"]);
        assert_eq!(fields(ConvexShape::sharp(Core::Point)), ["radius"]);
    }

    #[test]
    fn sound_shapes_have_no_faults() {
        let cone = Core::Frustum { radius_low: 0.3, radius_high: 0.0, half_length: 1.0 };
        assert!(ConvexShape::sharp(cone).find_faults().is_empty());
        assert!(
            ConvexShape { core: Core::Segment { half_length: 1.0 }, radius: 0.1 }.find_faults().is_empty()
        );
    }
}
