//! Where a direction is undefined the kernel takes the documented one, never NaN.

use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_geometry::{ContactPoint, Shape};
use carom_math::{Pose, Quaternion, Vec3};

use crate::scene::find_point;

const BALL: Shape = Shape::Sphere { radius: 0.25, hollow: false };

fn cylinder(side: CylinderSide, radius: f64, half_length: f64) -> Shape {
    Shape::Cylinder(Cylinder { radius, half_length, side })
}

/// Ball at `p` in the frame of B, which is turned by 90 degrees about y: B's x is −z, its z is x.
fn ball_against(b: &Shape, p: Vec3, feature: usize) -> ContactPoint {
    let quarter = Quaternion::new(1.0, 0.0, 1.0, 0.0).to_matrix();
    let x_wb = Pose { rotation: quarter, translation: Vec3::new(1.0, 2.0, 3.0) };
    let x_wa = Pose::from_translation(x_wb.transform_point(&p));
    let contact = find_point(&BALL, &x_wa, b, &x_wb, feature);
    // Back in the frame of B.
    ContactPoint { normal: quarter.transpose() * contact.normal, ..contact }
}

fn assert_contact(found: ContactPoint, gap: f64, normal: Vec3) {
    // All lengths are short binary fractions: only the rotation rounds.
    assert!((found.gap - gap).abs() < 1e-15, "{found:?}");
    assert!((found.normal - normal).amax() < 1e-15, "{found:?}");
    assert!(found.point_a.iter().chain(found.point_b.iter()).all(|x| x.is_finite()), "{found:?}");
}

#[test]
fn concentric_spheres_take_the_world_z_axis() {
    let here = Pose::from_translation(Vec3::new(0.5, 0.25, -1.0));
    let contact = find_point(&BALL, &here, &BALL, &here, 0);
    assert_contact(contact, -0.5, Vec3::z());
    let cavity = Shape::Sphere { radius: 1.0, hollow: true };
    assert_contact(find_point(&BALL, &here, &cavity, &here, 0), 0.75, Vec3::z());
}

#[test]
fn centre_on_the_axis_of_a_cylinder_takes_its_x_axis() {
    let closed = cylinder(CylinderSide::Hollow { closed: true }, 1.0, 2.0);
    assert_contact(ball_against(&closed, Vec3::new(0.0, 0.0, 0.5), 0), 0.75, Vec3::x());
    let open = cylinder(CylinderSide::Hollow { closed: false }, 1.0, 2.0);
    assert_contact(ball_against(&open, Vec3::new(0.0, 0.0, 0.5), 0), 0.75, Vec3::x());
    let solid = cylinder(CylinderSide::Solid, 0.5, 2.0);
    assert_contact(ball_against(&solid, Vec3::new(0.0, 0.0, 0.5), 0), -0.75, -Vec3::x());
}

#[test]
fn centre_in_the_middle_of_a_solid_takes_the_positive_face() {
    let coin = cylinder(CylinderSide::Solid, 2.0, 0.5);
    assert_contact(ball_against(&coin, Vec3::zeros(), 0), -0.75, -Vec3::z());
    let block = Shape::Box { half: Vec3::new(1.0, 0.5, 1.0) };
    assert_contact(ball_against(&block, Vec3::zeros(), 0), -0.75, -Vec3::y());
    let cube = Shape::Box { half: Vec3::repeat(0.5) };
    assert_contact(ball_against(&cube, Vec3::zeros(), 0), -0.75, -Vec3::x());
}

#[test]
fn centre_on_the_surface_of_a_box_has_its_face_normal() {
    let block = Shape::Box { half: Vec3::new(1.0, 0.5, 1.0) };
    assert_contact(ball_against(&block, Vec3::new(0.25, -0.5, 0.0), 0), -0.25, Vec3::y());
    assert_contact(ball_against(&block, Vec3::new(1.0, 0.5, 1.0), 0), -0.25, -Vec3::x());
}

#[test]
fn centre_on_the_core_of_a_capsule_takes_its_x_axis() {
    let capsule = Shape::Capsule { radius: 0.5, half_length: 1.0 };
    for z in [0.0, 0.5, -1.0] {
        assert_contact(ball_against(&capsule, Vec3::new(0.0, 0.0, z), 0), -0.75, -Vec3::x());
    }
}

fn capsules(x_wb: &Pose) -> ContactPoint {
    let a = Shape::Capsule { radius: 0.25, half_length: 1.0 };
    let b = Shape::Capsule { radius: 0.5, half_length: 0.5 };
    find_point(&a, &Pose::identity(), &b, x_wb, 0)
}

#[test]
fn capsules_with_crossing_cores_take_the_common_normal() {
    // B's axis is x; z × x = y.
    let rotation = Quaternion::new(1.0, 0.0, 1.0, 0.0).to_matrix();
    let crossed = capsules(&Pose { rotation, translation: Vec3::new(0.0, 0.0, 0.5) });
    assert_contact(crossed, -0.75, Vec3::y());
    assert_contact(capsules(&Pose::from_translation(Vec3::new(0.0, 0.0, 0.5))), -0.75, Vec3::x());
}

#[test]
fn parallel_capsules_touch_in_the_middle_of_the_common_stretch() {
    // A reaches from −1 to 1, B from 0.25 to 1.25 or, turned round, the same.
    for rotation in [Quaternion::IDENTITY, Quaternion::new(0.0, 1.0, 0.0, 0.0)] {
        let x_wb = Pose { rotation: rotation.to_matrix(), translation: Vec3::new(1.0, 0.0, 0.75) };
        let contact = capsules(&x_wb);
        assert_contact(contact, 0.25, Vec3::x());
        assert_eq!(contact.point_a, Vec3::new(0.25, 0.0, 0.625));
    }
    // Without a common stretch the nearest ends: 3-4-5.
    let contact = capsules(&Pose::from_translation(Vec3::new(0.75, 0.0, 2.5)));
    assert_contact(contact, 1.25 - 0.75, Vec3::new(0.6, 0.0, 0.8));
}

#[test]
fn standing_cylinder_has_three_equal_gaps_on_each_cap() {
    let shape = cylinder(CylinderSide::Solid, 0.5, 1.0);
    let x_wa = Pose::from_translation(Vec3::new(3.0, 0.0, 0.75));
    for feature in 0..6 {
        let contact = find_point(&shape, &x_wa, &Shape::HalfSpace, &Pose::identity(), feature);
        assert_eq!(contact.gap, if feature < 3 { -0.25 } else { 1.75 });
        assert_eq!(contact.normal, -Vec3::z());
    }
    let first = find_point(&shape, &x_wa, &Shape::HalfSpace, &Pose::identity(), 0);
    assert_eq!(first.point_a, Vec3::new(3.5, 0.0, -0.25));
}

#[test]
fn a_cylinder_one_rounding_off_vertical_keeps_finite_points() {
    let shape = cylinder(CylinderSide::Solid, 0.5, 1.0);
    for tilt in [1e-8, 1e-16, 1e-160, 1e-300] {
        let rotation = Quaternion::new(1.0, 0.5 * tilt, 0.0, 0.0).to_matrix();
        let x_wa = Pose { rotation, translation: Vec3::zeros() };
        for feature in 0..6 {
            let contact = find_point(&shape, &x_wa, &Shape::HalfSpace, &Pose::identity(), feature);
            let rim = contact.point_a.x.hypot(contact.point_a.y);
            let want = if feature % 3 == 1 { 0.0 } else { 0.5 };
            assert!((rim - want).abs() < 1e-7 && contact.gap.is_finite(), "tilt {tilt:e}: {contact:?}");
        }
    }
}
