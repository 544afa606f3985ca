//! Outlines that are refused, and generated ones.

use carom_geometry::planar::{Commutator, OutlineFault, Polygon, Ratchet};
use carom_geometry::surface::{Gear, gear, gear_outline};
use carom_math::Vec2;

fn fault(points: &[[f64; 2]]) -> OutlineFault {
    Polygon::new(points.iter().map(|&[x, y]| Vec2::new(x, y)).collect()).unwrap_err()
}

#[test]
fn what_is_no_outline_is_told() {
    assert_eq!(fault(&[[0.0, 0.0], [1.0, 0.0]]), OutlineFault::TooFew { points: 2 });
    assert_eq!(fault(&[[0.0, 0.0], [1.0, f64::NAN], [1.0, 1.0]]), OutlineFault::NotFinite { point: 1 });
    assert_eq!(fault(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), OutlineFault::Repeated { point: 2 });
    assert_eq!(fault(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), OutlineFault::Repeated { point: 0 });
    assert_eq!(fault(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]), OutlineFault::Flat);
    assert_eq!(
        fault(&[[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]),
        OutlineFault::Clockwise { area: -1.0 }
    );
}

/// Also where an edge only touches another one, with its end or along it, and where two corners are in one place.
#[test]
fn outlines_that_meet_themselves_are_told_with_the_edges() {
    let edges = |points: &[[f64; 2]]| match fault(points) {
        OutlineFault::Crossing { edges, .. } => edges,
        other => panic!("{other:?}"),
    };
    assert_eq!(edges(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), [0, 2]);
    // A corner on an edge.
    assert_eq!(edges(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), [0, 2]);
    // Two corners in one place.
    assert_eq!(edges(&[[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.0, 2.0]])[0], 0);
    // A spike that goes back on itself.
    assert_eq!(edges(&[[0.0, 0.0], [4.0, 0.0], [2.0, 0.0], [1.0, 2.0]]), [0, 1]);
}

/// Points on a straight edge are no fault, also three edges on one line.
#[test]
fn points_on_straight_edges_are_taken() {
    let outline = |points: &[[f64; 2]]| Polygon::new(points.iter().map(|&[x, y]| Vec2::new(x, y)).collect());
    let bar = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [3.0, 1.0], [0.0, 1.0]];
    assert_eq!(outline(&bar).unwrap().area(), 3.0);
    let slot =
        [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 2.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    assert_eq!(outline(&slot).unwrap().area(), 5.0);
}

/// The outline of a gear has the area of its end face: the volume of the solid one over its width.
#[test]
fn a_gears_outline_is_its_section() {
    let sizes = Gear {
        module: 0.01,
        teeth: 17,
        pressure_angle: 0.35,
        width: 0.02,
        backlash: 1e-4,
        profile_points: 9,
        layers: 2,
    };
    let outline = Polygon::new(gear_outline(&sizes).unwrap()).unwrap();
    let volume = gear(&sizes).unwrap().signed_volume();
    assert!((outline.area() * sizes.width / volume - 1.0).abs() < 1e-12);
}

#[test]
fn commutators_and_ratchets_are_outlines() {
    let sizes =
        Commutator { radius: 0.02, bars: 24, slot: 5e-4, depth: 1e-3, roughness: 2e-6, points: 100, seed: 7 };
    let outline = Polygon::new(sizes.points().unwrap()).unwrap();
    assert_eq!(outline.points().len(), 24 * 102);
    assert_eq!(sizes.points(), sizes.points());
    assert_ne!(sizes.points(), Commutator { seed: 8, ..sizes }.points());
    let ratchet = Ratchet { radius: 0.02, teeth: 12, depth: 2e-3 };
    assert_eq!(Polygon::new(ratchet.points().unwrap()).unwrap().convex_points().len(), 12);
    assert_eq!(Commutator { slot: 0.1, ..sizes }.points().unwrap_err().field, "slot");
    assert_eq!(Ratchet { teeth: 2, ..ratchet }.points().unwrap_err().field, "teeth");
}
