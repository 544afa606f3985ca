//! Mass properties and triangles of outlines as prisms.

use std::f64::consts::PI;

use carom_geometry::planar::{Commutator, Outline, PlanarShape, Polygon};
use carom_geometry::{MassProperties, Shape};
use carom_math::{Vec2, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{circle, shape, star};

/// A rectangle is a box, a circle a cylinder.
#[test]
fn rectangles_and_circles_have_their_closed_forms() {
    let (density, t) = (7850.0, 0.1);
    let block = MassProperties::of_shape(&shape(Polygon::rectangle(0.4, 0.3).unwrap()), density).unwrap();
    let same =
        MassProperties::of_shape(&Shape::Box { half: Vec3::new(0.2, 0.15, 0.5 * t) }, density).unwrap();
    assert!((block.mass / same.mass - 1.0).abs() < 1e-15 && block.com.norm() < 1e-16);
    assert!((block.inertia - same.inertia).norm() < 1e-14 * same.inertia.norm());
    let disc = MassProperties::of_shape(&circle(0.2), density).unwrap();
    let mass = density * PI * 0.04 * t;
    assert!((disc.mass / mass - 1.0).abs() < 1e-15);
    assert!((disc.inertia[(2, 2)] / (0.5 * mass * 0.04) - 1.0).abs() < 1e-15);
    let along = mass * (0.25 * 0.04 + t * t / 12.0);
    assert!((disc.inertia[(0, 0)] / along - 1.0).abs() < 1e-14);
}

/// The prism's triangles are closed and have the mass of the outline, wherever it is.
#[test]
fn prisms_have_the_mass_of_their_outlines() {
    let mut rng = SplitMix64::new(21);
    for round in 0..60 {
        let centred = star(&mut rng, 3 + round);
        let shift = Vec2::new(rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0));
        let moved = Polygon::new(centred.points().iter().map(|p| p + shift).collect()).unwrap();
        let own = shape(moved);
        let Shape::Planar(planar) = &own else { panic!("it is planar") };
        let mesh = planar.prism(0).unwrap();
        assert!(mesh.topology().unwrap().closed);
        assert_eq!(mesh.triangles.len(), 4 * (3 + round) - 4);
        let (exact, found) = (
            MassProperties::of_shape(&own, 1000.0).unwrap(),
            MassProperties::of_shape(&Shape::Mesh(mesh.into()), 1000.0).unwrap(),
        );
        assert!((found.mass / exact.mass - 1.0).abs() < 1e-12);
        assert!((found.com - exact.com).norm() < 1e-12);
        assert!((found.inertia - exact.inertia).norm() < 1e-10 * exact.inertia.norm(), "{round}");
    }
}

#[test]
fn thousands_of_points_become_triangles() {
    let sizes =
        Commutator { radius: 0.02, bars: 40, slot: 5e-4, depth: 1e-3, roughness: 2e-6, points: 60, seed: 7 };
    let polygon = Polygon::new(sizes.points().unwrap()).unwrap();
    let area = polygon.area();
    let planar = PlanarShape { outline: Outline::Polygon(polygon.into()), thickness: 0.5 };
    let mesh = planar.prism(0).unwrap();
    assert!((mesh.signed_volume() / (0.5 * area) - 1.0).abs() < 1e-12);
}
