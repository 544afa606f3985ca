use std::sync::Arc;

use carom_geometry::MassProperties;
use carom_geometry::convex::{ConvexHull, ConvexShape, Core};
use carom_geometry::surface::{Resolution, convex, superellipsoid};
use carom_math::Vec3;

fn solids() -> Vec<ConvexShape> {
    let semi_axes = Vec3::new(0.5, 0.3, 0.4);
    let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    vec![
        ConvexShape { core: Core::Point, radius: 0.4 },
        ConvexShape { core: Core::Segment { half_length: 0.3 }, radius: 0.2 },
        ConvexShape::sharp(Core::Box { half: semi_axes }),
        ConvexShape::sharp(Core::Frustum { radius_low: 0.3, radius_high: 0.1, half_length: 0.4 }),
        ConvexShape::sharp(Core::Beam { half_length: 0.4, half_width: 0.1, half_thickness: 0.2 }),
        ConvexShape::sharp(Core::Ellipsoid { semi_axes }),
        ConvexShape::sharp(Core::Superellipsoid { semi_axes, exponents: [0.6, 1.4] }),
        ConvexShape::sharp(Core::Hull(Arc::new(ConvexHull::of_points(&corners).unwrap()))),
    ]
}

/// Mass, centre and inertia of the mesh are those of the solid; 8000 triangles leave less than 1 % (h²/R², h = 0.06 R).
#[test]
fn meshes_have_the_mass_properties_of_their_solids() {
    for solid in solids() {
        let mesh = convex(&solid, Resolution::Facets(8000)).unwrap();
        let report = mesh.topology().unwrap();
        assert!(report.closed && report.degenerate_triangles == 0, "{:?}", solid.core);
        let (meshed, exact) =
            (MassProperties::of_mesh(&mesh, 1.0).unwrap(), solid.mass_properties(1.0).unwrap());
        assert!((meshed.mass / exact.mass - 1.0).abs() < 0.01, "{:?}", solid.core);
        assert!((meshed.com - exact.com).norm() < 0.003, "{:?}", solid.core);
        assert!((meshed.inertia - exact.inertia).norm() < 0.02 * exact.inertia.norm(), "{:?}", solid.core);
    }
}

#[test]
fn hulls_take_the_nearest_subdivision() {
    let hull = solids().pop().unwrap();
    let count = |resolution| convex(&hull, resolution).unwrap().triangles.len();
    assert_eq!([1, 9, 11, 4096].map(|wanted| count(Resolution::Facets(wanted))), [4, 4, 16, 4096]);
    assert_eq!([1, 2, 3, 4].map(|n| count(Resolution::Divisions(n))), [4, 16, 16, 64]);
}

#[test]
fn points_of_a_superellipsoid_fulfil_its_equation() {
    let mesh = superellipsoid(Vec3::new(0.5, 0.3, 0.4), [0.6, 1.4], Resolution::Divisions(8)).unwrap();
    for v in &mesh.vertices {
        let across = (v.x.abs() / 0.5).powf(2.0 / 1.4) + (v.y.abs() / 0.3).powf(2.0 / 1.4);
        let f = across.powf(1.4 / 0.6) + (v.z.abs() / 0.4).powf(2.0 / 0.6);
        assert!((f - 1.0).abs() < 1e-13, "{v}: {f}");
    }
}

#[test]
fn rounded_solids_have_no_generator() {
    let rounded = ConvexShape { core: Core::Box { half: Vec3::repeat(0.1) }, radius: 0.01 };
    assert_eq!(convex(&rounded, Resolution::Facets(100)).unwrap_err().field, "radius");
    let bent = superellipsoid(Vec3::repeat(1.0), [2.0, 1.0], Resolution::Facets(100));
    assert_eq!(bent.unwrap_err().field, "exponents.e1");
}
