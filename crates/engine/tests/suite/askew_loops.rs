//! Loops whose axes are parallel up to the digits that files have.

use std::f64::consts::FRAC_PI_2;

use carom_engine::System;
use carom_engine::model::{Joint, JointKind, Model};
use carom_math::{Mat3, Quaternion, Vec3};

use crate::mechanism::{at, ground, joint, mechanism, part};

fn about_x(angle: f64) -> Mat3 {
    Quaternion::from_axis_angle(&Vec3::x(), angle).to_matrix()
}

/// A four-bar about y whose crank has been turned to its place by an angle about x, as exporters write it: all closes at the start, whatever
/// its digits, but the crank swings about an axis that is off by what they leave out.
fn four_bar(angle: f64) -> Model {
    let moments = Vec3::new(0.004, 0.004, 0.004);
    let bodies = vec![
        ground(),
        part("crank", 1.0, moments),
        part("coupler", 1.0, moments),
        part("rocker", 1.0, moments),
    ];
    let to_y = about_x(-FRAC_PI_2);
    let hinge = |name: &str, a, b| {
        let mut hinge: Joint = joint(name, JointKind::Revolute, a, b);
        (hinge.a.pose.rotation, hinge.b.pose.rotation) = (to_y, to_y);
        hinge
    };
    let tip = about_x(angle).transpose() * Vec3::new(0.0, 0.0, 0.2);
    let mut joints = vec![
        hinge("j1", at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0)),
        hinge("j2", at(1, tip.x, tip.y, tip.z), at(2, 0.0, 0.0, 0.0)),
        hinge("j3", at(0, 0.4, 0.0, 0.0), at(3, 0.0, 0.0, 0.0)),
        hinge("j4", at(2, 0.4, 0.0, 0.0), at(3, 0.0, 0.0, 0.2)),
    ];
    // The crank turns about its own −z, which is y up to the digits.
    let to_minus_z = about_x(2.0 * FRAC_PI_2);
    (joints[0].a.pose.rotation, joints[0].b.pose.rotation) = (about_x(angle) * to_minus_z, to_minus_z);
    joints[1].a.pose.rotation = about_x(angle).transpose() * to_y;
    joints[3].cut = true;
    mechanism(bodies, joints, 9.81, 0.1, 1e-8)
}

/// Strictly it is a rigid frame. With all digits three of the equations repeat others, and nothing is to be told.
#[test]
fn a_loop_that_its_digits_lock_is_told() {
    let notes = |angle: f64| {
        let system = System::compile(&four_bar(angle)).expect("it closes");
        system.notes().iter().map(|note| note.code).collect::<Vec<_>>()
    };
    for digits in [2, 4, 6, 7] {
        let unit = 10.0_f64.powi(digits);
        let angle = (FRAC_PI_2 * unit).round() / unit;
        assert!(notes(angle).contains(&"W0306"), "{angle}: {:?}", notes(angle));
    }
    assert!(!notes(FRAC_PI_2).contains(&"W0306"), "{:?}", notes(FRAC_PI_2));
}
