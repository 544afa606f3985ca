//! One convex solid of every kind, with a support function written down for the tests.

use carom_geometry::Shape;
use carom_geometry::convex::{ConvexHull, ConvexShape, Core};
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_math::Vec3;
use carom_testkit::{SupportCore, SupportSolid};

/// A solid that is its own image in the plane x = 0.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) support: SupportSolid,
}

/// Radius of a ball about its origin that each of the solids holds (m).
pub(crate) const INNER: f64 = 0.05;

/// All kinds, some rounded.
pub(crate) fn kinds() -> Vec<Kind> {
    let kind = |name, shape, core, radius| Kind { name, shape, support: SupportSolid { core, radius } };
    let solid = |name, core: Core, support, radius| {
        kind(name, Shape::Convex(ConvexShape { core, radius }), support, radius)
    };
    let three = |v: &Vec3| [v.x, v.y, v.z];
    let half = Vec3::new(0.2, 0.3, 0.1);
    let axes = Vec3::new(0.25, 0.12, 0.18);
    let cylinder = Cylinder { radius: 0.12, half_length: 0.25, side: CylinderSide::Solid };
    let frustum = |low: f64, high: f64, half_length: f64| {
        let core = Core::Frustum { radius_low: low, radius_high: high, half_length };
        (core, SupportCore::Frustum([low, high], half_length))
    };
    let (cone, of_cone) = frustum(0.15, 0.0, 0.2);
    let (frustum_core, of_frustum) = frustum(0.1, 0.17, 0.12);
    let (rounded_cylinder, of_rounded_cylinder) = frustum(0.13, 0.13, 0.1);
    // e = 2 − 2/p.
    let superellipsoid = |powers: [[u32; 2]; 2]| {
        let exponents = powers.map(|[p, q]| 2.0 - 2.0 * f64::from(q) / f64::from(p));
        (
            Core::Superellipsoid { semi_axes: axes, exponents },
            SupportCore::Superellipsoid(three(&axes), powers),
        )
    };
    let (barrel, of_barrel) = superellipsoid([[5, 3], [5, 2]]);
    let beam = [0.15, 0.08, 0.06];
    let points = hull_points();
    let hull = |radius: f64| {
        let hull = ConvexHull::of_points(&points).expect("points in space");
        Shape::Convex(ConvexShape::hull(hull, radius))
    };
    vec![
        kind("sphere", Shape::Sphere { radius: 0.11, hollow: false }, SupportCore::Point, 0.11),
        kind("capsule", Shape::Capsule { radius: 0.09, half_length: 0.2 }, SupportCore::Segment(0.2), 0.09),
        kind("box", Shape::Box { half }, SupportCore::Box(three(&half)), 0.0),
        kind("cylinder", Shape::Cylinder(cylinder), SupportCore::Frustum([0.12, 0.12], 0.25), 0.0),
        solid("cone", cone, of_cone, 0.0),
        solid("frustum", frustum_core, of_frustum, 0.0),
        solid(
            "beam",
            Core::Beam { half_length: beam[0], half_width: beam[1], half_thickness: beam[2] },
            SupportCore::Beam(beam),
            0.0,
        ),
        solid("ellipsoid", Core::Ellipsoid { semi_axes: axes }, SupportCore::Ellipsoid(three(&axes)), 0.0),
        solid("superellipsoid", barrel, of_barrel, 0.0),
        kind("hull", hull(0.0), SupportCore::Points(points.clone()), 0.0),
        solid("rounded box", Core::Box { half }, SupportCore::Box(three(&half)), 0.03),
        solid("rounded cylinder", rounded_cylinder, of_rounded_cylinder, 0.02),
        kind("rounded hull", hull(0.04), SupportCore::Points(points), 0.04),
    ]
}

/// Pairs of images in the plane x = 0.
fn hull_points() -> Vec<Vec3> {
    let half = [
        Vec3::new(0.16, 0.02, -0.12),
        Vec3::new(0.12, 0.17, 0.03),
        Vec3::new(0.14, -0.15, 0.06),
        Vec3::new(0.05, 0.08, 0.19),
        Vec3::new(0.04, -0.11, -0.17),
        Vec3::new(0.07, 0.13, -0.14),
    ];
    half.iter().flat_map(|v| [*v, Vec3::new(-v.x, v.y, v.z)]).collect()
}
