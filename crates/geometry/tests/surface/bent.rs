//! Bent wires, bowls, and plates with holes: closed forms of their volumes, and no triangle through another.

use std::f64::consts::PI;

use carom_geometry::TriangleMesh;
use carom_geometry::prepare::survey;
use carom_geometry::surface::*;
use carom_math::Vec3;

pub(crate) const BOWL: Bowl = Bowl { radius: 0.1, thickness: 0.01, depth: 0.08 };

pub(crate) const SLOTTED: SlottedPlate =
    SlottedPlate { length: 0.3, width: 0.2, thickness: 0.02, slot_length: 0.12, slot_width: 0.03 };

pub(crate) const HAWSE: Hawse =
    Hawse { length: 6.0, width: 4.0, thickness: 0.3, bore: 0.4, wall: 0.1, pipe: 3.0, tilt: 0.7, lip: 0.15 };

/// A hook: an eye's stem, a bend by a right angle, and back up.
pub(crate) fn hook() -> Wire {
    let path =
        vec![Vec3::new(0.0, 0.0, 0.3), Vec3::zeros(), Vec3::new(0.12, 0.0, 0.0), Vec3::new(0.12, 0.05, 0.15)];
    Wire { path, radius: 0.01, bend: 0.04 }
}

/// Error of the volume at two resolutions, the second twice as fine: small, and a quarter.
fn assert_converges(name: &str, exact: f64, of: impl Fn(u32) -> TriangleMesh) {
    let [coarse, fine] = [32, 64].map(|n| (of(n).signed_volume() / exact - 1.0).abs());
    assert!(fine < 4e-3, "{name}: {fine}");
    assert!((3.0..5.5).contains(&(coarse / fine)), "{name}: {coarse} {fine}");
}

#[test]
fn volumes_converge_to_their_closed_forms() {
    // Two caps of the height h: π h² (R − h/3).
    let cap = |radius: f64, height: f64| PI * height * height * (radius - height / 3.0);
    let exact = cap(0.1, 0.08) - cap(0.09, 0.07);
    assert_converges("bowl", exact, |n| bowl(&BOWL, Resolution::Divisions(4 * n)).unwrap());
    // By Guldin: section times the length of the middle line.
    let hook = hook();
    let ways: Vec<Vec3> = hook.path.windows(2).map(|ends| ends[1] - ends[0]).collect();
    let turns: Vec<f64> = ways.windows(2).map(|pair| pair[0].angle(&pair[1])).collect();
    let straight: f64 = ways.iter().map(|way| way.norm()).sum();
    let length = straight + turns.iter().map(|a| hook.bend * (a - 2.0 * (0.5 * a).tan())).sum::<f64>();
    assert_converges("hook", PI * 1e-4 * length, |n| wire(&hook, Resolution::Divisions(n)).unwrap());
    let slot = 0.09 * 0.03 + PI * 0.015 * 0.015;
    let exact = (0.3 * 0.2 - slot) * 0.02;
    let plate = |n: u32| slotted_plate(&SLOTTED, Resolution::Divisions(n / 4)).unwrap();
    // Only the slot's ends are round, with 20 points about both: 1.6 % of the 1.2 % that they are of the plate.
    assert!((plate(64).signed_volume() / exact - 1.0).abs() < 2.1e-4);
    // The pipe's wall beyond the plate, and the plate less the oblique cut of the bore.
    let [bore, whole] = [0.4, 0.5].map(|r: f64| PI * r * r);
    let exact = |tilt: f64| 0.3 * (24.0 - bore / tilt.cos()) + (whole - bore) * (3.0 - 0.3 / tilt.cos());
    for tilt in [0.0, 0.7, 1.1] {
        let sharp = Hawse { tilt, lip: 0.0, ..HAWSE };
        let name = format!("hawse at {tilt}");
        assert_converges(&name, exact(tilt), |n| hawse(&sharp, Resolution::Divisions(n / 4)).unwrap());
    }
    // A straight mouth lacks a square less a quarter of a disc, turned about the axis.
    let (r, b) = (0.15_f64, 0.4);
    let square = r * r * (b + 0.5 * r);
    let disc = 0.25 * PI * r * r * (b + r - 4.0 * r / (3.0 * PI));
    let exact = exact(0.0) - 2.0 * PI * (square - disc);
    let straight = Hawse { tilt: 0.0, ..HAWSE };
    assert_converges("mouth", exact, |n| hawse(&straight, Resolution::Divisions(n / 4)).unwrap());
}

/// Every point of the rounded mouth is as far from the way of the ball's centre as the ball's radius: 0.15 m below the plate's face and
/// 0.15 m outside of the bore.
#[test]
fn the_mouth_of_a_pipe_is_that_of_a_rolling_ball() {
    let mesh = hawse(&HAWSE, Resolution::Facets(20_000)).unwrap();
    let [out, up] =
        [Vec3::new(0.7_f64.sin(), 0.0, 0.7_f64.cos()), Vec3::new(0.7_f64.cos(), 0.0, -0.7_f64.sin())];
    let centres: Vec<Vec3> = (0..8000)
        .map(|k| {
            let (s, c) = (PI * f64::from(k) / 4000.0).sin_cos();
            let arm = (up * c + Vec3::y() * s) * 0.55;
            arm + out * ((-0.15 - arm.z) / out.z)
        })
        .collect();
    let is_between = |v: &&Vec3| {
        let from_axis = (**v - out * out.dot(v)).norm();
        (0.4 + 1e-9..0.55).contains(&from_axis) && (-0.29..-1e-9).contains(&v.z)
    };
    let mouth: Vec<&Vec3> = mesh.vertices.iter().filter(is_between).collect();
    assert!(mouth.len() > 200, "{}", mouth.len());
    for v in mouth {
        let distance = centres.iter().map(|c| (c - v).norm()).fold(f64::INFINITY, f64::min);
        // Centres are 0.6 mm apart: (0.3 mm)²/0.3 m.
        assert!((distance - 0.15).abs() < 1e-6, "{v} {distance}");
    }
}

#[test]
fn no_triangle_crosses_another() {
    let at = Resolution::Facets(3000);
    let surfaces = [
        ("bowl", bowl(&BOWL, at)),
        ("hook", wire(&hook(), at)),
        ("slotted plate", slotted_plate(&SLOTTED, at)),
        ("hawse", hawse(&HAWSE, at)),
        ("steep hawse", hawse(&Hawse { tilt: 1.1, lip: 0.1, ..HAWSE }, at)),
    ];
    for (name, mesh) in surfaces {
        let found = survey(&mesh.unwrap()).unwrap();
        assert!(found.is_sound(), "{name}: {found:?}");
    }
}
