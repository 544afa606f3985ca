use super::beam::rounded_beam;
use super::ellipsoid::rounded_ellipsoid;
use super::frustum::rounded_frustum;
use super::rounded::rounded;
use super::superellipsoid::rounded_superellipsoid;
use super::{LENGTH_OR_ZERO, Resolution, block, capsule, check, hull, sphere};
use crate::TriangleMesh;
use crate::convex::{ConvexShape, Core};
use crate::shape::ShapeFault;

/// Surface of a convex solid, by the generator of its core. Hulls have 2ⁿ divisions of each edge at n subdivisions;
/// other numbers are taken down to a power of two. With a rounding radius edges and corners are rounded by facets of a size
/// with those beside them.
pub fn convex(solid: &ConvexShape, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    let radius = solid.radius;
    check(&[("radius", radius, radius >= 0.0, LENGTH_OR_ZERO)])?;
    match &solid.core {
        Core::Point => sphere(radius, resolution),
        Core::Segment { half_length } => capsule(radius, *half_length, resolution),
        Core::Box { half } => polyhedron(radius, resolution, |resolution| block(*half, resolution)),
        Core::Frustum { radius_low, radius_high, half_length } => {
            rounded_frustum([*radius_low, *radius_high], *half_length, radius, resolution)
        }
        Core::Beam { half_length, half_width, half_thickness } => {
            rounded_beam([*half_length, *half_width, *half_thickness], radius, resolution)
        }
        Core::Ellipsoid { semi_axes } => rounded_ellipsoid(*semi_axes, radius, resolution),
        Core::Superellipsoid { semi_axes, exponents } => {
            rounded_superellipsoid(*semi_axes, *exponents, radius, resolution)
        }
        Core::Hull(solid) => polyhedron(radius, resolution, |resolution| {
            let faces = solid.triangles().len();
            let levels = match resolution {
                Resolution::Divisions(_) => resolution.divisions(1, |_| faces)?.ilog2(),
                // One more than the subdivisions takes the place of the divisions in the search.
                Resolution::Facets(_) => resolution.divisions(1, |n| faces << (2 * (n - 1)).min(40))? - 1,
            };
            hull(solid, levels)
        }),
    }
}

fn polyhedron(
    radius: f64,
    resolution: Resolution,
    sharp: impl Fn(Resolution) -> Result<TriangleMesh, ShapeFault>,
) -> Result<TriangleMesh, ShapeFault> {
    if radius > 0.0 { rounded(radius, resolution, sharp) } else { sharp(resolution) }
}
