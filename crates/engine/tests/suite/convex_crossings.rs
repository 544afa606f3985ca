//! Convex solids of every kind that cross each other on straight lines, and half-spaces on parabolas: when contacts begin
//! and end, deep and grazing, for every integrator.
//!
//! B on a line o + s u meets A while the line is within A − B. Where it enters and leaves is the least of a
//! convex function that is made of the support functions of both, which are written down for the tests.

use carom_engine::Model;
use carom_engine::law::NormalKind;
use carom_engine::model::{AbsoluteTolerances, Body, IntegratorKind, Method};
use carom_engine::record::EventKind;
use carom_geometry::Shape;
use carom_geometry::convex::ConvexShape;
use carom_math::{Mat3, Pose, Vec3};
use carom_testkit::{SplitMix64, SupportDifference};

use crate::scene::{self, law, point};
use crate::solids::{INNER, Kind, kinds};

const INTEGRATORS: [IntegratorKind; 5] = [
    IntegratorKind::Ode45,
    IntegratorKind::Dop853,
    IntegratorKind::Ode113,
    IntegratorKind::Radau5,
    IntegratorKind::Bdf,
];

/// Tolerance of positions (m): contacts of ten times this depth are not to be missed.
const TOLERANCE: f64 = 1e-9;

/// A body so heavy, under a law so soft, that nothing leaves its path.
fn passing(shapes: [&Shape; 2], r_wa: Mat3, pose: Pose, velocity: Vec3, t_end: f64) -> Model {
    let fixed = scene::fixed("a", shapes[0].clone(), Pose { rotation: r_wa, ..Pose::identity() });
    let mover = scene::body("b", 1e6, Mat3::identity() * 1e6, shapes[1].clone(), pose);
    let mover = Body { velocity, ..mover };
    let mut soft = law(NormalKind::None, 1.0);
    point(&mut soft).stiffness = Some(1e-6);
    let mut model = scene::model(vec![fixed, mover], soft, 0.0, t_end, TOLERANCE);
    model.contact_lines[0].method = Method::Convex;
    model.solver.atol = AbsoluteTolerances { length: Some(TOLERANCE), ..model.solver.atol };
    model
}

/// One contact, from one time to the other.
fn check_times(model: &Model, expected: [f64; 2], tolerance: f64, name: &str) {
    let (_, keeper) = scene::run(model);
    for (event, expected) in [EventKind::ContactBegin, EventKind::ContactEnd].into_iter().zip(expected) {
        let times = keeper.times(event);
        assert_eq!(times.len(), 1, "{name} {event:?}: {times:?}, {expected}");
        let off = times[0] - expected;
        assert!(off.abs() < tolerance, "{name} {event:?}: {off:e}");
        if off.abs() > 1e-11 { eprintln!("OFF {name} {event:?}: {off:e}"); }
    }
}

/// The point of a solid that is farthest along a vector of the world: only lines are laid by it.
fn farthest(shape: &Shape, r: &Mat3, n: &Vec3) -> Vec3 {
    let solid = ConvexShape::of_shape(shape).expect("a convex solid");
    r * solid.support(&r.tr_mul(n))
}

/// B passes A along `u`: through the middle, and beside it on the side of `m` as deep as `INNER` times twice `inward`.
fn check_crossing(a: &Kind, b: &Kind, rotations: [Mat3; 2], u: &Vec3, m: &Vec3, integrators: &[IntegratorKind]) {
    let [r_wa, r_wb] = rotations;
    let (away, speed) = (2.0, 3.0);
    let difference = SupportDifference { a: &a.support, r_wa, b: &b.support, r_wb };
    let top = farthest(&a.shape, &r_wa, m) - farthest(&b.shape, &r_wb, &-m);
    // The difference holds balls of the radii 2 · INNER about the origin and, towards `top`, less of it.
    let grazing = 10.0 * TOLERANCE / (2.0 * INNER);
    for inward in [0.5, 1e-3, grazing] {
        let o = (1.0 - inward) * top;
        let [enters, leaves] = [-difference.leaves_at(&o, &-u), difference.leaves_at(&o, u)];
        assert!(enters < 0.0 && leaves > 0.0);
        let pose = Pose { rotation: r_wb, translation: o - away * u };
        let mut model = passing([&a.shape, &b.shape], r_wa, pose, speed * u, 2.0 * away / speed);
        for kind in integrators {
            model.solver.method = *kind;
            let name = format!("{}, {}, {inward:e} {}", a.name, b.name, kind.name());
            check_times(&model, [enters, leaves].map(|s| (away + s) / speed), 1e-10, &name);
        }
    }
}

#[test]
fn solids_of_every_kind_hold_the_ball_that_lines_are_laid_by() {
    let mut rng = SplitMix64::new(61);
    for kind in kinds() {
        for _ in 0..500 {
            let n = rng.unit_vector();
            assert!(kind.support.height(&[n.x, n.y, n.z]) >= INNER, "{}", kind.name);
        }
    }
}

#[test]
fn contacts_of_all_pairs_begin_and_end_with_the_chords_of_their_difference() {
    let mut rng = SplitMix64::new(62);
    let kinds = kinds();
    for (i, a) in kinds.iter().enumerate() {
        for (j, b) in kinds.iter().enumerate() {
            let rotations = [rng.rotation(), rng.rotation()].map(|q| q.to_matrix());
            let u = rng.unit_vector();
            let m = u.cross(&rng.unit_vector()).normalize();
            check_crossing(a, b, rotations, &u, &m, &INTEGRATORS[..]); let _ = (i,j);
        }
    }
}
