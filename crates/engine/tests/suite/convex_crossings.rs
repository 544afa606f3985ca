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
use carom_math::{Mat3, Pose, Quaternion, Vec3};
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
    }
}

/// The point of a solid that is farthest along a vector of the world: only lines are laid by it.
fn farthest(shape: &Shape, r: &Mat3, n: &Vec3) -> Vec3 {
    let solid = ConvexShape::of_shape(shape).expect("a convex solid");
    r * solid.support(&r.tr_mul(n))
}

/// B passes A along `u`: through the middle and beside it on the side of `m`, and there ten times as deep as the tolerance
/// with all integrators.
fn check_crossing(a: &Kind, b: &Kind, rotations: [Mat3; 2], [u, m]: [&Vec3; 2], first: usize) {
    let [r_wa, r_wb] = rotations;
    let (away, speed) = (2.0, 3.0);
    let difference = SupportDifference { a: &a.support, r_wa, b: &b.support, r_wb };
    let top = farthest(&a.shape, &r_wa, m) - farthest(&b.shape, &r_wb, &-m);
    // The difference holds a ball of radius 2 INNER about the origin, and so one of `inward` times that about o.
    let grazing = 10.0 * TOLERANCE / (2.0 * INNER);
    for inward in [0.5, 1e-3, grazing] {
        let o = (1.0 - inward) * top;
        let [enters, leaves] = [-difference.leaves_at(&o, &-u), difference.leaves_at(&o, u)];
        assert!(enters < 0.0 && leaves > 0.0);
        let pose = Pose { rotation: r_wb, translation: o - away * u };
        let mut model = passing([&a.shape, &b.shape], r_wa, pose, speed * u, 2.0 * away / speed);
        let count = if inward == grazing { INTEGRATORS.len() } else { 1 };
        for k in 0..count {
            let kind = INTEGRATORS[(first + k) % INTEGRATORS.len()];
            model.solver.method = kind;
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
    // So many times all pairs, as for the other searches at random.
    let rounds =
        std::env::var("FUZZ_ROUNDS").map_or(1, |rounds| rounds.parse().expect("FUZZ_ROUNDS is a number"));
    for (i, a) in (0..rounds).flat_map(|_| kinds.iter().enumerate()) {
        for (j, b) in kinds.iter().enumerate() {
            let rotations = [rng.rotation(), rng.rotation()].map(|q| q.to_matrix());
            let u = rng.unit_vector();
            let m = u.cross(&rng.unit_vector()).normalize();
            check_crossing(a, b, rotations, [&u, &m], i + j);
        }
    }
}

/// A solid comes down on a half-space and is drawn back, on a parabola that goes below the surface by a depth: the height
/// of its lowest point is d(t) = a (t − t₀)²/2 − depth.
#[test]
fn contacts_with_a_half_space_begin_and_end_with_the_roots_of_the_parabola() {
    let mut rng = SplitMix64::new(63);
    let (away, pull) = (0.5, 4.0);
    for kind in kinds() {
        let [r_wa, r_wb] = [rng.rotation(), rng.rotation()].map(|q| q.to_matrix());
        let (outward, aside) = (r_wa.column(2).into_owned(), r_wa.column(0).into_owned());
        let down = r_wb.tr_mul(&-outward);
        let reach = kind.support.height(&[down.x, down.y, down.z]);
        for depth in [0.02, 1e-4, 10.0 * TOLERANCE] {
            let fall = (2.0 * pull * (away + depth)).sqrt();
            let pose = Pose { rotation: r_wb, translation: (away + reach) * outward };
            let velocity = 0.7 * aside - fall * outward;
            // Of the integrators those that follow a parabola to rounding from the first step on.
            for integrator in [IntegratorKind::Ode45, IntegratorKind::Dop853] {
                let shapes = [&Shape::HalfSpace, &kind.shape];
                let mut model = passing(shapes, r_wa, pose, velocity, 2.0 * fall / pull);
                model.gravity = pull * outward;
                model.solver.method = integrator;
                let dip = (2.0 * pull * depth).sqrt();
                let name = format!("{}, {depth:e} {}", kind.name, integrator.name());
                check_times(&model, [(fall - dip) / pull, (fall + dip) / pull], 1e-10, &name);
            }
        }
    }
}

/// Times at which a function changes its sign, seen at `count` steps to `end`.
fn roots(f: &dyn Fn(f64) -> f64, end: f64, count: u32) -> Vec<f64> {
    let at = |k: u32| end * f64::from(k) / f64::from(count);
    let halve = |[mut low, mut high]: [f64; 2]| {
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if (f(low) > 0.0) == (f(middle) > 0.0) { low = middle } else { high = middle }
        }
        high
    };
    let changes = (0..count).filter(|&k| (f(at(k)) > 0.0) != (f(at(k + 1)) > 0.0));
    changes.map(|k| halve([at(k), at(k + 1)])).collect()
}

/// Solids that spin over a half-space, and reach it with one part after the other. However long the steps are no touch is
/// passed by; where steps are short, or nothing else touches between, each has its own begin and end.
#[test]
fn contacts_of_spinning_solids_begin_and_end_with_the_height_of_their_lowest_point() {
    let mut rng = SplitMix64::new(64);
    let mut touches = 0;
    for kind in kinds().iter().filter(|kind| kind.name != "sphere") {
        let (rotation, spin) = (rng.rotation().to_matrix(), 7.0 * rng.unit_vector());
        let reach = |t: f64| {
            let turned = Quaternion::from_rotation_vector(&(t * spin)).to_matrix() * rotation;
            let down = -turned.row(2).transpose();
            kind.support.height(&[down.x, down.y, down.z])
        };
        // As high as its widest reach in the time, less a little.
        let (t_end, count) = (1.8, 20_000);
        let widest = (0..=count).map(|k| reach(t_end * f64::from(k) / f64::from(count))).fold(0.0, f64::max);
        for below in [0.01, 1e-4] {
            let gap = |t: f64| widest - below - reach(t);
            let times = roots(&gap, t_end, count);
            let starts_inside = usize::from(gap(0.0) <= 0.0);
            let pose = Pose { rotation, translation: Vec3::new(0.0, 0.0, widest - below) };
            let shapes = [&Shape::HalfSpace, &kind.shape];
            let mut model = passing(shapes, Mat3::identity(), pose, Vec3::zeros(), t_end);
            model.bodies[1].angular_velocity = spin;
            model.solver.rtol = 1e-12;
            model.solver.atol = AbsoluteTolerances::default();
            model.solver.method = IntegratorKind::Dop853;
            let shortest = times.windows(2).map(|pair| pair[1] - pair[0]).fold(t_end, f64::min);
            for longest in [None, Some(0.5 * shortest)] {
                model.solver.h_max = longest;
                let (_, keeper) = scene::run(&model);
                let found: Vec<f64> = keeper.events[starts_inside..].iter().map(|event| event.time).collect();
                let name = format!("{}, {longest:?}: {found:?} {times:?}", kind.name);
                if longest.is_some() {
                    assert_eq!(found.len(), times.len(), "{name}");
                    touches += found.len();
                }
                let nearest =
                    |time: f64| found.iter().map(|f| (f - time).abs()).fold(f64::INFINITY, f64::min);
                let is_touching =
                    |time: f64| found.iter().filter(|f| **f < time).count() % 2 != starts_inside;
                for (k, &time) in times.iter().enumerate() {
                    // A gap between two touches may lie within a step.
                    let lies_within =
                        longest.is_none() && is_touching(time - 1e-6) && is_touching(time + 1e-6);
                    assert!(lies_within || nearest(time) < 1e-10, "{:e}, {k} of {name}", nearest(time));
                }
            }
        }
    }
    assert!(touches > 48, "{touches}");
}
