use super::{Resolution, block, capsule, convex, cylinder, sphere};
use crate::shape::{Cylinder, CylinderSide, ShapeFault};
use crate::{Shape, TriangleMesh};

/// Triangle surface of a shape with about `facets` triangles, in the shape's frame; cavities are seen from within. `None`
/// for shapes that have none: half-spaces, cavities without ends, points, and meshes, which are
/// triangles already.
pub fn tessellate(shape: &Shape, facets: usize) -> Option<Result<TriangleMesh, ShapeFault>> {
    let resolution = Resolution::Facets(facets);
    match *shape {
        Shape::Sphere { radius, hollow } => Some(seen_from(hollow, sphere(radius, resolution))),
        Shape::Box { half } => Some(block(half, resolution)),
        Shape::Cylinder(Cylinder { radius, half_length, side }) => {
            let hollow = match side {
                CylinderSide::Solid => false,
                CylinderSide::Hollow { closed: true } => true,
                CylinderSide::Hollow { closed: false } => return None,
            };
            Some(seen_from(hollow, cylinder(radius, half_length, resolution)))
        }
        Shape::Capsule { radius, half_length } => Some(capsule(radius, half_length, resolution)),
        Shape::Convex(ref solid) => Some(convex(solid, resolution)),
        Shape::Planar(ref planar) => planar.prism((facets / 4).max(8)).map(Ok),
        Shape::HalfSpace | Shape::Mesh(_) => None,
    }
}

/// A cavity's triangles face its inside.
fn seen_from(hollow: bool, mesh: Result<TriangleMesh, ShapeFault>) -> Result<TriangleMesh, ShapeFault> {
    let mut mesh = mesh?;
    if hollow {
        mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use carom_math::Vec3;

    use super::*;
    use crate::convex::{ConvexHull, ConvexShape, Core};

    fn volume(mesh: &TriangleMesh) -> f64 {
        mesh.corners().map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
    }

    /// Every solid's triangles enclose its volume, up to the corners that facets cut; cavities enclose it from outside.
    #[test]
    fn surfaces_enclose_the_volume_of_their_shapes() {
        let corners = [-1.0, 1.0].map(|x| [-1.0, 1.0].map(|y| [-1.0, 1.0].map(|z| Vec3::new(x, y, z))));
        let hull = ConvexHull::of_points(corners.as_flattened().as_flattened()).unwrap();
        let pi = std::f64::consts::PI;
        let solid = |core| Shape::Convex(ConvexShape::sharp(core));
        let semi_axes = Vec3::new(1.0, 2.0, 0.5);
        let tube = |side| Shape::Cylinder(Cylinder { radius: 1.0, half_length: 2.0, side });
        let cases = [
            (Shape::Sphere { radius: 1.0, hollow: false }, 4.0 / 3.0 * pi),
            (Shape::Sphere { radius: 1.0, hollow: true }, -4.0 / 3.0 * pi),
            (Shape::Box { half: Vec3::new(1.0, 2.0, 3.0) }, 48.0),
            (tube(CylinderSide::Solid), 4.0 * pi),
            (tube(CylinderSide::Hollow { closed: true }), -4.0 * pi),
            (Shape::Capsule { radius: 1.0, half_length: 2.0 }, 4.0 * pi + 4.0 / 3.0 * pi),
            (solid(Core::Ellipsoid { semi_axes }), 4.0 / 3.0 * pi),
            (solid(Core::Frustum { radius_low: 1.0, radius_high: 0.0, half_length: 1.5 }), pi),
            (solid(Core::Beam { half_length: 1.0, half_width: 1.0, half_thickness: 0.5 }), 4.0 + pi),
            (solid(Core::Hull(Arc::new(hull))), 8.0),
        ];
        for (shape, exact) in cases {
            let mesh = tessellate(&shape, 5000).expect("a solid with triangles").unwrap();
            assert!((2500..10_000).contains(&mesh.triangles.len()), "{}", mesh.triangles.len());
            assert!((volume(&mesh) / exact - 1.0).abs() < 5e-3, "{shape:?}: {} {exact}", volume(&mesh));
            // Bounds of what bodies sweep hold for their triangles.
            let farthest = mesh.vertices.iter().map(|p| p.norm()).fold(0.0, f64::max);
            assert!(farthest < (1.0 + 1e-14) * shape.bounding_radius(), "{shape:?}: {farthest}");
        }
        assert!(tessellate(&Shape::HalfSpace, 100).is_none());
    }
}
