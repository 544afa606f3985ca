use super::{Resolution, beam, block, capsule, ellipsoid, frustum, hull, sphere, superellipsoid};
use crate::TriangleMesh;
use crate::convex::{ConvexShape, Core};
use crate::shape::ShapeFault;

/// Surface of a convex solid, by the generator of its core. Hulls have 2ⁿ divisions of each edge at n subdivisions;
/// other numbers are taken down to a power of two. Balls and capsules may be round; for other cores with a rounding
/// radius there is no generator.
pub fn convex(solid: &ConvexShape, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    let radius = solid.radius;
    if radius != 0.0 && !matches!(solid.core, Core::Point | Core::Segment { .. }) {
        let expected = "zero: rounded solids other than balls and capsules have no generator";
        return Err(ShapeFault { field: "radius", value: radius, expected });
    }
    match &solid.core {
        Core::Point => sphere(radius, resolution),
        Core::Segment { half_length } => capsule(radius, *half_length, resolution),
        Core::Box { half } => block(*half, resolution),
        Core::Frustum { radius_low, radius_high, half_length } => {
            frustum(*radius_low, *radius_high, *half_length, resolution)
        }
        Core::Beam { half_length, half_width, half_thickness } => {
            beam(*half_length, *half_width, *half_thickness, resolution)
        }
        Core::Ellipsoid { semi_axes } => ellipsoid(*semi_axes, resolution),
        Core::Superellipsoid { semi_axes, exponents } => superellipsoid(*semi_axes, *exponents, resolution),
        Core::Hull(solid) => {
            let faces = solid.triangles().len();
            let levels = match resolution {
                Resolution::Divisions(_) => resolution.divisions(1, |_| faces)?.ilog2(),
                // One more than the subdivisions takes the place of the divisions in the search.
                Resolution::Facets(_) => resolution.divisions(1, |n| faces << (2 * (n - 1)).min(40))? - 1,
            };
            hull(solid, levels)
        }
    }
}
