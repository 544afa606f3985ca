//! Convex solids on a half-space: against the analytic pairs, and the lowest point of the surface.

use carom_geometry::convex::{
    ConvexShape, Core, Manifold, ManifoldPoint, find_half_space_contact, find_half_space_manifold,
};
use carom_geometry::{Cell, Shape, ShapeKind, find_kernel};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{CURVED, POLYTOPES, random_shape};

fn manifold(shape: &ConvexShape, x_wa: &Pose, x_wb: &Pose) -> Vec<ManifoldPoint> {
    let mut manifold = Manifold::for_shapes([shape]);
    let contact = find_half_space_contact(shape, x_wa, x_wb);
    find_half_space_manifold(shape, x_wa, &contact, &mut manifold);
    manifold.points().to_vec()
}

#[test]
fn the_gap_is_that_of_the_analytic_pairs() {
    let mut rng = SplitMix64::new(91);
    for _ in 0..200 {
        let half = Vec3::new(rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0));
        let cylinder = carom_geometry::shape::Cylinder {
            radius: half.x,
            half_length: half.z,
            side: carom_geometry::shape::CylinderSide::Solid,
        };
        let capsule = Shape::Capsule { radius: half.x, half_length: half.z };
        for shape in [Shape::Box { half }, Shape::Cylinder(cylinder), capsule] {
            let Cell::Direct(kernel) = find_kernel(shape.kind(), ShapeKind::HalfSpace) else { panic!() };
            let (x_wa, x_wb) = (rng.pose(1.0), rng.pose(1.0));
            let gaps = (0..(kernel.features)(&shape, &Shape::HalfSpace))
                .map(|k| (kernel.point)(&shape, &x_wa, &Shape::HalfSpace, &x_wb, k).unwrap().gap);
            let lowest = gaps.fold(f64::INFINITY, f64::min);
            let solid = ConvexShape::of_shape(&shape).unwrap();
            let found = find_half_space_contact(&solid, &x_wa, &x_wb);
            assert!((found.gap - lowest).abs() < 1e-14, "{shape:?}");
            assert!((found.point_b - found.point_a - found.gap * found.normal).norm() < 1e-15);
        }
    }
}

#[test]
fn the_lowest_point_of_a_manifold_is_the_contact() {
    let mut rng = SplitMix64::new(92);
    for name in CURVED.iter().chain(&POLYTOPES) {
        for _ in 0..50 {
            let shape = random_shape(name, &mut rng);
            let (mut x_wa, x_wb) = (rng.pose(1.0), rng.pose(1.0));
            let depth = 10f64.powf(rng.uniform(-6.0, -2.0));
            let first = find_half_space_contact(&shape, &x_wa, &x_wb);
            x_wa.translation += (first.gap + depth) * first.normal;
            let points = manifold(&shape, &x_wa, &x_wb);
            let deepest = points.iter().map(|p| p.point.gap).fold(f64::INFINITY, f64::min);
            assert!((deepest + depth).abs() < 1e-12, "{name}: {deepest} {depth}");
            assert!((points.iter().map(|p| p.weight).sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn solids_stand_on_all_of_their_base() {
    let x_wb = Pose::identity();
    let at = |z: f64| Pose::from_translation(Vec3::new(0.3, -0.2, z));
    let block = ConvexShape::sharp(Core::Box { half: Vec3::new(0.5, 0.4, 0.3) });
    let corners = manifold(&block, &at(0.3 - 1e-4), &x_wb);
    assert_eq!(corners.len(), 4);
    assert!(corners.iter().all(|p| (p.weight - 0.25).abs() < 0.03 && (p.point.gap + 1e-4).abs() < 1e-15));
    let cone = ConvexShape::sharp(Core::Frustum { radius_low: 0.5, radius_high: 0.0, half_length: 0.3 });
    let rim = manifold(&cone, &at(0.3 - 1e-4), &x_wb);
    assert_eq!(rim.len(), 4);
    let centre: Vec3 = rim.iter().map(|p| p.weight * p.point.point_a).sum();
    assert!((centre.xy() - Vec3::new(0.3, -0.2, 0.0).xy()).norm() < 1e-14);
    assert!(rim.iter().all(|p| ((p.point.point_a - centre).xy().norm() - 0.5).abs() < 1e-14));
}
