//! The toy woodpecker with four degrees of freedom: the model file against the system given by matrices (Slavič & Boltežar 2006,
//! section 4.2).

use carom_engine::unilateral::{
    ContactLaw, ContactRows, Error, EventKind, Law, Options, Run, UnilateralSystem, run,
};
use carom_engine::{EndReason, Simulation, System, record};
use carom_examples_test::{Memory, load};
use carom_solvers::DormandPrince853;

const SLEEVE_MASS: f64 = 0.0003;
const SLEEVE_INERTIA: f64 = 5.0e-9;
const BIRD_MASS: f64 = 0.0045;
const BIRD_INERTIA: f64 = 7.0e-7;
const G: f64 = 9.81;
const SPRING: f64 = 0.0056;
const POLE: f64 = 0.0025;
const SLEEVE: f64 = 0.0031;
const HALF_HEIGHT: f64 = 0.0058;
const TO_HINGE: f64 = 0.010;
const TO_CENTRE: f64 = 0.015;
const BEAK_HEIGHT: f64 = 0.020;
const BEAK: f64 = 0.0201;

/// Contacts: the beak, then the sleeve's corners lower right, upper right, lower left, upper left; q = (x, y, φ_M, φ_S).
const BEAK_ON_POLE: usize = 0;
const LOWER_RIGHT: usize = 1;
const UPPER_RIGHT: usize = 2;
const LOWER_LEFT: usize = 3;
const UPPER_LEFT: usize = 4;

struct Woodpecker {
    laws: [ContactLaw; 5],
}

/// A point of sleeve or bird: place, its derivative by q, and what of its acceleration depends on velocities only.
struct Point {
    place: [f64; 2],
    rows: [[f64; 4]; 2],
    bias: [f64; 2],
}

/// Sum of arms that turn with φ_M and with φ_S, from the sleeve's centre.
fn point(q: &[f64], u: &[f64], arms: [[f64; 2]; 2]) -> Point {
    let mut point =
        Point { place: [q[0], q[1]], rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]], bias: [0.0; 2] };
    for (k, [a, b]) in arms.into_iter().enumerate() {
        let (s, c) = (libm::sin(q[2 + k]), libm::cos(q[2 + k]));
        let arm = [a * c - b * s, a * s + b * c];
        let turned = [-arm[1], arm[0]];
        for axis in 0..2 {
            point.place[axis] += arm[axis];
            point.rows[axis][2 + k] = turned[axis];
            point.bias[axis] -= arm[axis] * u[2 + k] * u[2 + k];
        }
    }
    point
}

/// The contact's point, and the side of the pole that it may touch.
fn contact_point(contact: usize, q: &[f64], u: &[f64]) -> (Point, f64) {
    let corner = |a: f64, b: f64| point(q, u, [[a, b], [0.0, 0.0]]);
    match contact {
        BEAK_ON_POLE => (point(q, u, [[TO_HINGE, 0.0], [TO_CENTRE - BEAK, BEAK_HEIGHT]]), 1.0),
        LOWER_RIGHT => (corner(SLEEVE, -HALF_HEIGHT), 1.0),
        UPPER_RIGHT => (corner(SLEEVE, HALF_HEIGHT), 1.0),
        LOWER_LEFT => (corner(-SLEEVE, -HALF_HEIGHT), -1.0),
        _ => (corner(-SLEEVE, HALF_HEIGHT), -1.0),
    }
}

impl UnilateralSystem for Woodpecker {
    fn freedom(&self) -> usize {
        4
    }
    /// Eq. 45.
    fn mass_matrix(&self, q: &[f64], mass: &mut [f64]) {
        let (m, lm, lg) = (BIRD_MASS, TO_HINGE, TO_CENTRE);
        let ([sm, cm], [ss, cs]) = ([libm::sin(q[2]), libm::cos(q[2])], [libm::sin(q[3]), libm::cos(q[3])]);
        let both = m + SLEEVE_MASS;
        let coupling = lg * lm * m * (cs * cm + ss * sm);
        mass.copy_from_slice(&[
            both,
            0.0,
            -lm * m * sm,
            -lg * m * ss,
            0.0,
            both,
            lm * m * cm,
            lg * m * cs,
            -lm * m * sm,
            lm * m * cm,
            SLEEVE_INERTIA + lm * lm * m,
            coupling,
            -lg * m * ss,
            lg * m * cs,
            coupling,
            BIRD_INERTIA + lg * lg * m,
        ]);
    }
    /// Eq. 46 without its three misprints.
    fn force(&self, _t: f64, q: &[f64], u: &[f64], h: &mut [f64]) {
        let (m, lm, lg) = (BIRD_MASS, TO_HINGE, TO_CENTRE);
        let ([sm, cm], [ss, cs]) = ([libm::sin(q[2]), libm::cos(q[2])], [libm::sin(q[3]), libm::cos(q[3])]);
        let spring = SPRING * (q[3] - q[2]);
        let (wm, ws) = (u[2] * u[2], u[3] * u[3]);
        let across = libm::sin(q[3] - q[2]);
        h[0] = m * (lm * wm * cm + lg * ws * cs);
        h[1] = -G * (m + SLEEVE_MASS) + lg * m * ws * ss + lm * m * wm * sm;
        h[2] = spring + lm * m * (-G * cm + lg * ws * across);
        h[3] = -spring - lg * m * (G * cs + lm * wm * across);
    }
    fn contacts(&self) -> &[ContactLaw] {
        &self.laws
    }
    fn gap(&self, contact: usize, q: &[f64]) -> f64 {
        let (point, side) = contact_point(contact, q, &[0.0; 4]);
        side * point.place[0] - POLE
    }
    fn rows(&self, contact: usize, q: &[f64], u: &[f64], rows: &mut ContactRows) {
        let (point, side) = contact_point(contact, q, u);
        for k in 0..4 {
            rows.normal[k] = side * point.rows[0][k];
            rows.tangent[k] = point.rows[1][k];
        }
        rows.normal_bias = side * point.bias[0];
        rows.tangent_bias = point.bias[1];
    }
    fn potential(&self, q: &[f64]) -> Option<f64> {
        let bird = q[1] + TO_HINGE * libm::sin(q[2]) + TO_CENTRE * libm::sin(q[3]);
        let twist = q[3] - q[2];
        Some(G * (SLEEVE_MASS * q[1] + BIRD_MASS * bird) + 0.5 * SPRING * twist * twist)
    }
}

fn fly(end: f64) -> Result<Run, Error> {
    let of = |normal| ContactLaw { friction: 0.3, normal, tangential: 0.0, bound: 0.0 };
    let toy = Woodpecker { laws: [of(0.5), of(0.0), of(0.0), of(0.0), of(0.0)] };
    let (relative, absolute) = (1e-10, [1e-13, 1e-10]);
    let options =
        Options { law: Law::Poisson, end, relative, absolute, largest_step: 2e-3, rest_speed: 1e-6 };
    let start = [0.0, 0.0, -0.100_900_924_7, -0.2788, 0.0, -0.3411, 0.0, -7.4583];
    run(&toy, &mut DormandPrince853::new(), &start, &options, &mut |_, _| {})
}

/// Events of the model file: time (s), kind, and contact by the reference's number.
fn peck(end: f64) -> Vec<(f64, record::EventKind, usize)> {
    let loaded = load("woodpecker", &[&format!("solver.t_end={end} s")]);
    let system = System::compile(&loaded.model).expect("a sound model");
    let mut memory = Memory { keeps_events: true, ..Memory::default() };
    let outcome = Simulation::new(&system).run(&mut memory).expect("memory never fails");
    assert_eq!(outcome.end, EndReason::Finished);
    let info = system.info();
    let number = |contact: usize| {
        let name = &info.pairs[info.contacts[contact].pair].name;
        let corners = [("_lr", LOWER_RIGHT), ("_ur", UPPER_RIGHT), ("_ll", LOWER_LEFT), ("_ul", UPPER_LEFT)];
        corners.into_iter().find(|(end, _)| name.contains(end)).map_or(BEAK_ON_POLE, |(_, number)| number)
    };
    memory.events.iter().map(|event| (event.time, event.kind, number(event.contact))).collect()
}

/// Four cycles, the jam of the third included, in which forces of two corners that stick do not follow from the accelerations, have the same
/// events at the same times by both ways: outlines, joints and cones in space, and the paper's matrices with
/// planar problems. What is left is what impacts slower than the speeds of rest, which differ, do.
#[test]
fn the_model_file_and_the_matrices_have_the_same_events() {
    const END: f64 = 0.6;
    const NEAR: f64 = 1e-6;
    let (reference, events) = (fly(END).expect("it pecks"), peck(END));
    let has = |kind: record::EventKind, contact: usize, time: f64| {
        events.iter().any(|&(t, k, c)| k == kind && c == contact && (t - time).abs() <= NEAR)
    };
    for event in reference.events.iter().filter(|event| event.time > NEAR) {
        let kind = match event.kind {
            EventKind::Impact => record::EventKind::Impact,
            EventKind::Detachment => record::EventKind::ContactEnd,
            EventKind::StickToSlip | EventKind::SlipReversal => record::EventKind::Slip,
            EventKind::SlipToStick => record::EventKind::Stick,
            EventKind::Rest | EventKind::Redistribution => continue,
        };
        let lasts =
            kind == record::EventKind::Impact && has(record::EventKind::Rest, event.contact, event.time);
        assert!(lasts || has(kind, event.contact, event.time), "{event:?}");
    }
    let impacts = events.iter().filter(|(t, kind, _)| *t > NEAR && *kind == record::EventKind::Impact);
    for &(time, _, contact) in impacts.clone() {
        let strikes = |event: &carom_engine::unilateral::Event| {
            matches!(event.kind, EventKind::Impact | EventKind::Rest)
                && event.impulses.iter().any(|(c, _)| *c == contact)
                && (event.time - time).abs() <= NEAR
        };
        assert!(reference.events.iter().any(strikes), "{contact} at {time}");
    }
    // Beaks that strike: one a cycle.
    assert_eq!(impacts.filter(|(.., contact)| *contact == BEAK_ON_POLE).count(), 4);
    assert_eq!(reference.scaled, 0);
    assert!(reference.residual.is_some_and(|residual| residual.abs() < 1e-14), "{:?}", reference.residual);
}

/// Period (s) and drop (m) from one stroke of the beak to the next, of the last three, on a long pole.
fn last_cycles(impact: &str, rtol: f64) -> Vec<[f64; 2]> {
    let settings = [
        "solver.t_end=5 s".to_owned(),
        format!("solver.rtol={rtol:e}"),
        "body.pole.shape.size=[\"2*r0\", \"1.2 m\"]".to_owned(),
        "body.pole.shape.at=[0, \"-0.55 m\"]".to_owned(),
        format!("law.corner.nonsmooth.impact={impact}"),
        format!("law.beak.nonsmooth.impact={impact}"),
    ];
    let loaded = load("woodpecker", &settings.each_ref().map(String::as_str));
    let system = System::compile(&loaded.model).expect("a sound model");
    let mut memory = Memory { keeps_events: true, ..Memory::default() };
    let outcome = Simulation::new(&system).run(&mut memory).expect("memory never fails");
    assert_eq!(outcome.end, EndReason::Finished);
    let info = system.info();
    let is_stroke = |event: &&record::Event| {
        let pair = &info.pairs[info.contacts[event.contact].pair].name;
        event.kind == record::EventKind::Impact && pair.starts_with("beak")
    };
    let strokes: Vec<_> = memory.events.iter().filter(is_stroke).collect();
    let cycle =
        |pair: &[&record::Event]| [pair[1].time - pair[0].time, pair[0].position.y - pair[1].position.y];
    strokes[strokes.len() - 4..].windows(2).map(cycle).collect()
}

/// The limit cycle to six digits and more: the same at a hundredth of the tolerance and cycle after cycle. Unlike that of three degrees of freedom it
/// hangs on the law of impact: where the sleeve jams two corners strike together.
#[test]
fn limit_cycles_differ_by_the_law() {
    for (impact, period, drop) in
        [("poisson", 0.140_162_946, 0.013_164_655), ("newton", 0.125_867_301, 0.007_588_541)]
    {
        for rtol in [1e-9, 1e-11] {
            for found in last_cycles(impact, rtol) {
                assert!((found[0] - period).abs() < 2e-9, "{impact} {rtol}: {} s", found[0]);
                assert!((found[1] - drop).abs() < 2e-9, "{impact} {rtol}: {} m", found[1]);
            }
        }
    }
}
