//! Painlevé's rod: a slip that pushes a rod into the ground may have no forces, or several.

use carom_engine::model::StepControl;
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model, Simulation, System};
use carom_math::{Mat3, Pose, Vec3};

use crate::rigid::{law_of, make};
use crate::scene::{Keeper, body, floor, run_any};

const G: f64 = 9.81;
const MASS: f64 = 1.0;
const MOMENT: f64 = 1.0 / 3.0;
const MU: f64 = 2.0;
/// Place of the ball at the rod's end against its centre, and its radius.
const END: [f64; 2] = [-0.3, -0.9];
const RADIUS: f64 = 0.02;

/// A rod with a small ball at its lower end, which slides along x at `slip` while the rod turns about y at `spin`.
fn rod(slip: f64, spin: f64) -> Model {
    let [x, z] = END;
    let mut rod = body(
        "rod",
        MASS,
        Mat3::from_diagonal(&Vec3::new(MOMENT, MOMENT, 0.01)),
        carom_geometry::Shape::Sphere { radius: RADIUS, hollow: false },
        Pose::from_translation(Vec3::new(0.0, 0.0, RADIUS - z)),
    );
    rod.shapes[0].pose = Pose::from_translation(Vec3::new(x, 0.0, z));
    rod.angular_velocity = Vec3::new(0.0, spin, 0.0);
    // v + ω × r has no part along the normal.
    rod.velocity = Vec3::new(slip - spin * (z - RADIUS), 0.0, spin * x);
    make(vec![floor(), rod], law_of(0.0, MU), 0.05)
}

/// g̈_N = A λ + b at the contact, with friction −μ λ along the slip.
fn normal_acceleration(slip: f64, spin: f64) -> [f64; 2] {
    let ([x, z], low) = (END, END[1] - RADIUS);
    let own = 1.0 / MASS + x * x / MOMENT + MU * slip.signum() * x * low / MOMENT;
    [own, -G - spin * spin * z]
}

#[test]
fn a_slip_that_the_force_presses_in_has_no_answer() {
    let [own, free] = normal_acceleration(-1.0, 0.0);
    assert!(own < 0.0 && free < 0.0, "{own} {free}");
    let (outcome, _) = run_any(&rod(-1.0, 0.0));
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(error.code, "E0622");
    // Contacts, time and state.
    let wanted = ["all[floor|rod]", "t = 0.000000000 s", "9.200000e-1"];
    assert!(wanted.iter().all(|part| error.message.contains(part)), "{}", error.message);
}

/// The same rod, spinning so fast that its end would leave the ground without a force: it may leave, or be held down by a force that grows
/// with what it does. It leaves, which is told; what is flown then is a parabola.
#[test]
fn a_second_answer_is_told() {
    let spin = 4.0;
    let [own, free] = normal_acceleration(-1.0, spin);
    assert!(own < 0.0 && free > 0.0, "{own} {free}");
    let (outcome, kept) = run_any(&rod(-1.0, spin));
    assert_eq!(outcome.end, EndReason::Finished);
    let told: Vec<_> = outcome.warnings.iter().filter(|text| text.starts_with("W0514")).collect();
    assert!(told.len() == 1 && told[0].contains("all[floor|rod]"), "{:?}", outcome.warnings);
    assert!(told[0].contains("1 times") && told[0].contains("t = 0.000000000 s"), "{}", told[0]);
    let (start, end) = (&kept.frames[0].bodies[1], &outcome.bodies[1]);
    let flown = start.position + start.velocity * 0.05 - Vec3::new(0.0, 0.0, 0.5 * G * 0.05 * 0.05);
    assert!((end.position - flown).norm() < 1e-12, "{:?} {flown:?}", end.position);
    assert!(kept.times(EventKind::ContactBegin).iter().all(|&time| time == 0.0));
}

/// A slip the other way is Painlevé's trivial one: one answer, and its force.
#[test]
fn the_other_slip_has_one_answer() {
    let [own, free] = normal_acceleration(1.0, 0.0);
    let (outcome, kept) = run_any(&rod(1.0, 0.0));
    assert_eq!(outcome.end, EndReason::Finished);
    assert!(outcome.warnings.iter().all(|text| !text.starts_with("W0514")), "{:?}", outcome.warnings);
    let force = kept.frames[0].contacts[0].normal_force;
    assert!((force + free / own).abs() < 1e-9, "{force} {}", -free / own);
}

/// What has been told is told after a restart, too.
#[test]
fn a_restart_remembers_it() {
    let mut model = rod(-1.0, 4.0);
    model.solver.step = StepControl::Fixed(1e-3);
    let system = System::compile(&model).unwrap();
    let mut kept = Keeper { checkpoint_after: 1, ..Keeper::default() };
    let whole = Simulation::new(&system).run(&mut kept).unwrap();
    let (image, ..) = kept.checkpoints[0].clone();
    let again = Simulation::resume(&system, &image).unwrap().run(&mut Keeper::default()).unwrap();
    assert_eq!(whole.warnings, again.warnings);
    assert!(whole.warnings.iter().any(|text| text.starts_with("W0514")));
}
