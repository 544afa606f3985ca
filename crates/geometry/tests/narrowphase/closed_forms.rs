//! Numbers one can check by hand, with their curvatures.

use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_geometry::{Cell, Curvature, Shape, find_kernel};
use carom_math::{Pose, Quaternion, Vec3};

use crate::scene::find_point;

fn ball(radius: f64) -> Shape {
    Shape::Sphere { radius, hollow: false }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn gap_and_normal(a: &Shape, x_wa: Pose, b: &Shape, x_wb: Pose) -> (f64, Vec3) {
    let contact = find_point(a, &x_wa, b, &x_wb, 0);
    (contact.gap, contact.normal)
}

#[test]
fn balls_on_planes_and_balls() {
    let down = -Vec3::z();
    assert_eq!(
        gap_and_normal(&ball(0.5), at(3.0, 4.0, 0.25), &Shape::HalfSpace, at(1.0, 1.0, 0.0)),
        (-0.25, down)
    );
    let (gap, normal) = gap_and_normal(&ball(1.0), at(0.0, 0.0, 0.0), &ball(2.0), at(3.0, 0.0, 4.0));
    assert_eq!((gap, normal), (2.0, Vec3::new(0.6, 0.0, 0.8)));
    let cavity = Shape::Sphere { radius: 2.0, hollow: true };
    let (gap, normal) = gap_and_normal(&ball(0.5), at(0.0, 1.25, 0.0), &cavity, at(0.0, 0.0, 0.0));
    assert_eq!((gap, normal), (0.25, Vec3::y()));
}

#[test]
fn ball_against_face_edge_and_corner_of_a_box() {
    let block = Shape::Box { half: Vec3::repeat(1.0) };
    let from = |x, y, z| gap_and_normal(&ball(1.0), at(x, y, z), &block, Pose::identity());
    assert_eq!(from(0.25, 0.5, 3.0), (1.0, -Vec3::z()));
    assert_eq!(from(4.0, 5.0, 0.5), (4.0, Vec3::new(-0.6, -0.8, 0.0)));
    let (gap, normal) = from(2.0, 3.0, -3.0);
    assert_eq!(gap, 2.0);
    assert!((normal - Vec3::new(-1.0, -2.0, 2.0) / 3.0).amax() < 1e-15);
    assert_eq!(from(-0.75, 0.5, 0.5), (-1.25, Vec3::x()));
}

#[test]
fn ball_against_wall_cap_and_rim_of_a_cylinder() {
    let can = Shape::Cylinder(Cylinder { radius: 1.0, half_length: 2.0, side: CylinderSide::Solid });
    let from = |x, y, z| gap_and_normal(&ball(1.0), at(x, y, z), &can, Pose::identity());
    assert_eq!(from(3.0, 0.0, 1.5), (1.0, -Vec3::x()));
    assert_eq!(from(0.0, 0.5, -4.0), (1.0, Vec3::z()));
    assert_eq!(from(0.0, 4.0, 6.0), (4.0, Vec3::new(0.0, -0.6, -0.8)));
    assert_eq!(from(0.5, 0.0, 0.0), (-1.5, -Vec3::x()));
}

#[test]
fn ball_in_a_closed_cylinder_touches_wall_and_end_at_once() {
    let side = CylinderSide::Hollow { closed: true };
    let can = Shape::Cylinder(Cylinder { radius: 1.0, half_length: 2.0, side });
    let gaps: Vec<(f64, Vec3)> = (0..3)
        .map(|k| find_point(&ball(0.5), &at(0.0, 0.5, 1.5), &can, &Pose::identity(), k))
        .map(|contact| (contact.gap, contact.normal))
        .collect();
    assert_eq!(gaps, [(0.0, Vec3::y()), (3.0, -Vec3::z()), (0.0, Vec3::z())]);
}

#[test]
fn capsule_stands_and_lies_on_the_plane() {
    let capsule = Shape::Capsule { radius: 0.5, half_length: 1.0 };
    let gaps =
        |x_wa: Pose| [0, 1].map(|k| find_point(&capsule, &x_wa, &Shape::HalfSpace, &Pose::identity(), k).gap);
    assert_eq!(gaps(at(0.0, 0.0, 1.5)), [0.0, 2.0]);
    let lying = Pose { rotation: Quaternion::new(1.0, 1.0, 0.0, 0.0).to_matrix(), translation: Vec3::z() };
    for gap in gaps(lying) {
        assert!((gap - 0.5).abs() < 1e-15);
    }
}

#[test]
fn lying_cylinder_touches_with_the_lowest_line() {
    let can = Shape::Cylinder(Cylinder { radius: 0.5, half_length: 2.0, side: CylinderSide::Solid });
    let lying = Pose { rotation: Quaternion::new(1.0, 1.0, 0.0, 0.0).to_matrix(), translation: Vec3::z() };
    let gaps: Vec<f64> =
        (0..6).map(|k| find_point(&can, &lying, &Shape::HalfSpace, &Pose::identity(), k).gap).collect();
    let expected = [0.5, 1.0, 1.5, 0.5, 1.0, 1.5];
    assert!(gaps.iter().zip(expected).all(|(gap, value)| (gap - value).abs() < 1e-15), "{gaps:?}");
}

fn curvature(a: &Shape, b: &Shape, feature: usize) -> Curvature {
    match find_kernel(a.kind(), b.kind()) {
        Cell::Direct(kernel) => (kernel.curvature)(a, b, feature),
        _ => panic!("not in canonical order"),
    }
}

#[test]
fn relative_curvatures() {
    let point = |k1, k2| Curvature::Point { k1, k2 };
    let half_space = Shape::HalfSpace;
    let block = Shape::Box { half: Vec3::repeat(1.0) };
    let cavity = |radius| Shape::Sphere { radius, hollow: true };
    let cylinder = |side| Shape::Cylinder(Cylinder { radius: 1.0, half_length: 1.0, side });
    let bore = cylinder(CylinderSide::Hollow { closed: true });
    let solid = cylinder(CylinderSide::Solid);
    let capsule = |radius| Shape::Capsule { radius, half_length: 1.0 };
    let small = ball(0.25);
    assert_eq!(curvature(&small, &half_space, 0), point(4.0, 4.0));
    assert_eq!(curvature(&small, &ball(0.5), 0), point(6.0, 6.0));
    assert_eq!(curvature(&small, &cavity(0.5), 0), point(2.0, 2.0));
    assert_eq!(curvature(&small, &bore, 0), point(4.0, 3.0));
    assert_eq!(curvature(&small, &bore, 1), point(4.0, 4.0));
    assert_eq!(curvature(&small, &solid, 0), point(5.0, 4.0));
    assert_eq!(curvature(&small, &block, 0), point(4.0, 4.0));
    assert_eq!(curvature(&small, &capsule(0.5), 0), point(6.0, 4.0));
    assert_eq!(curvature(&capsule(0.5), &half_space, 1), point(2.0, 2.0));
    assert_eq!(curvature(&capsule(0.5), &capsule(0.25), 0), point(4.0, 2.0));
    assert_eq!(curvature(&block, &half_space, 0), Curvature::Undefined);
    assert_eq!(curvature(&solid, &half_space, 0), Curvature::Undefined);
    // A ball that fills its cavity touches it everywhere, or all around.
    assert_eq!(curvature(&small, &cavity(0.25), 0), Curvature::Undefined);
    assert_eq!(curvature(&ball(1.0), &bore, 0), Curvature::Undefined);
    assert_eq!(curvature(&ball(1.0), &bore, 1), point(1.0, 1.0));
}
