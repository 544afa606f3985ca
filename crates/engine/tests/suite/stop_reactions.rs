//! Reactions of joints at their stops: closed forms at rest, and joints that carry against joints that close a loop.

use carom_engine::analysis::Dynamics;
use carom_engine::law::ImpactLaw;
use carom_engine::model::{
    AxisLimit, Constraint, ConstraintKind, Coordinates, Force, ForceKind, IntegratorKind, JointCoordinate,
    JointKind, StepControl, Stop,
};
use carom_engine::record::{Frame, JointSample, RecordError, Recorder};
use carom_engine::{EndReason, Model, Simulation, System};
use carom_math::{Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::actuator::along;
use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::rigid::{law_of, make};
use crate::scene::{ball, floor};
use crate::tree::{check_balance, spatial_loop};

const G: f64 = 9.81;
const BOTH: [Coordinates; 2] = [Coordinates::Joint, Coordinates::Body];

/// Joints of all frames.
#[derive(Default)]
struct Joints(Vec<Vec<JointSample>>);

impl Recorder for Joints {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.0.push(frame.joints.to_vec());
        Ok(())
    }
}

fn run(model: &Model, coordinates: Coordinates) -> Vec<Vec<JointSample>> {
    let mut model = model.clone();
    model.solver.coordinates = coordinates;
    let system = System::compile(&model).expect("a sound model");
    let mut joints = Joints::default();
    let outcome = Simulation::new(&system).run(&mut joints).expect("the recorder never fails");
    assert_eq!(outcome.end, EndReason::Finished);
    joints.0
}

/// A stop that gives, and one that does not.
fn stops(stiffness: f64) -> [Stop; 2] {
    [
        Stop::Compliant { stiffness: Some(stiffness), exponent: 1.0, restitution: 0.0 },
        Stop::Rigid { restitution: 0.0, impact: ImpactLaw::Poisson },
    ]
}

fn push(terms: &[(usize, f64)], control: f64) -> Force {
    Force { name: "push".to_owned(), kind: ForceKind::Actuator(along(terms, control)) }
}

/// What rests on its stop hangs from its joint with all its weight, and with the moment of it about the joint, whatever an actuator
/// takes off the stop, and in whatever coordinates.
#[test]
fn a_part_at_rest_on_its_stop_hangs_from_its_joint() {
    let (mass, arm, bound) = (1.5, 0.2, -0.1);
    for slides in [true, false] {
        for stop in stops(1e5) {
            for effort in [0.0, 1.25] {
                let kind = if slides { JointKind::Prismatic } else { JointKind::Revolute };
                let mut own = joint("own", kind, at(0, 0.0, 0.0, 0.0), at(1, -arm, 0.0, 0.0));
                if !slides {
                    // About −y: what lies along x falls to negative angles.
                    let turn =
                        Quaternion::from_axis_angle(&Vec3::x(), 0.5 * std::f64::consts::PI).to_matrix();
                    (own.a.pose.rotation, own.b.pose.rotation) = (turn, turn);
                }
                own.elements[0].limit = Some(AxisLimit { lower: Some(bound), upper: None, stop });
                let part = part("part", mass, Vec3::new(0.02, 0.02, 0.02));
                let mut model = mechanism(vec![ground(), part], vec![own], G, 1.5, 1e-9);
                model.forces = vec![push(&[(0, 1.0)], effort)];
                let steppings =
                    if matches!(stop, Stop::Rigid { .. }) { &[false, true][..] } else { &[false] };
                for (&is_stepped, coordinates) in
                    steppings.iter().flat_map(|stepped| BOTH.map(|each| (stepped, each)))
                {
                    if is_stepped {
                        model.solver.method = IntegratorKind::Moreau;
                        model.solver.step = StepControl::Fixed(1e-3);
                    }
                    let frames = run(&model, coordinates);
                    let last = &frames.last().expect("frames")[0];
                    let across = if slides { arm } else { arm * libm::cos(last.position[0]) };
                    let want = [Vec3::new(0.0, 0.0, mass * G), Vec3::new(0.0, -mass * G * across, 0.0)];
                    let said = format!("{kind:?} {stop:?} {effort} {is_stepped} {coordinates:?}: {last:?}");
                    // Of the rest, damped to 0.1 % of rtol, 1e-6 of the load may be left.
                    assert!((last.force - want[0]).norm() < 1e-6 * mass * G, "{said}");
                    assert!((last.torque - want[1]).norm() < 1e-6 * mass * G, "{said}");
                    let along = if slides { mass * G } else { mass * G * across };
                    assert!((last.effort[0] - (along - effort)).abs() < 1e-6 * mass * G, "{said}");
                }
            }
        }
    }
}

/// Of two balls on light arms that swing down onto the floor in the same step one bounces and the other is put back from beyond it: the first hinge bears
/// what it does alone. Corrections of positions, which have contacts of their own, change nothing of what the impulses of the step press.
#[test]
fn a_corrected_step_has_the_reactions_of_its_own_impulses() {
    let (mass, radius, length, h) = (1.5, 0.05, 0.4, 1e-3);
    let swinging = |names: &[&str]| {
        let bob = |name: &&str| {
            let mut bob = ball(name, mass, radius, Vec3::zeros());
            (bob.pose_stated, bob.velocity_stated) = (false, false);
            bob
        };
        let arm = |(k, name): (usize, &&str)| {
            // From a hinge below the floor the arc bends down.
            let place = at(0, 0.0, k as f64, radius - 0.5 * length);
            let mut hinge = joint(name, JointKind::Revolute, place, at(k + 1, -length, 0.0, 0.0));
            let to_y = Quaternion::from_axis_angle(&Vec3::x(), -0.5 * std::f64::consts::PI).to_matrix();
            (hinge.a.pose.rotation, hinge.b.pose.rotation) = (to_y, to_y);
            hinge.position = Some(vec![-1.2]);
            hinge
        };
        let bodies = std::iter::once(floor()).chain(names.iter().map(bob)).collect();
        let mut model = make(bodies, law_of(0.5, 0.0), 0.36);
        model.pairs.retain(|pair| pair.a.body == 0);
        model.laws.push(law_of(0.0, 0.0));
        model.contact_lines.push(model.contact_lines[0].clone());
        model.contact_lines[1].law = 1;
        model.pairs.iter_mut().for_each(|pair| pair.line = pair.b.body - 1);
        model.joints = names.iter().enumerate().map(arm).collect();
        model.solver.method = IntegratorKind::Moreau;
        model.solver.step = StepControl::Fixed(h);
        model.output.every = Some(h);
        model
    };
    for coordinates in BOTH {
        let [alone, together] =
            [&["bounces"][..], &["bounces", "stays"]].map(|names| run(&swinging(names), coordinates));
        let loads = || alone.iter().map(|frame| frame[0].force.norm());
        assert!(loads().fold(0.0, f64::max) > 10.0 * mass * G, "it has not come down");
        for (one, both) in alone.iter().zip(&together) {
            let off = (one[0].force - both[0].force).norm();
            // Of loads of some 1e3 N.
            assert!(off < 1e-6, "{coordinates:?} {:?} {:?}", one[0], both[0]);
        }
    }
}

/// A sled on a slide is pulled by P and trails a ball on a rigid arm, which slides on the floor: N by the moments about the ball's
/// centre, and all reactions with it, by events and by time stepping.
#[test]
fn what_a_trailed_ball_presses_is_in_the_reactions() {
    let (sled, trailed, pull, mu, radius, length, slope) = (3.0, 2.0, 12.0, 0.4, 0.1, 0.5, 0.3_f64);
    let (up, along) = (length * libm::sin(slope), length * libm::cos(slope));
    let pressed = trailed * (along * G - up * pull / (sled + trailed))
        / (along + mu * radius + up * mu * sled / (sled + trailed));
    let acceleration = (pull - mu * pressed) / (sled + trailed);
    let of_hinge = Vec3::new(trailed * acceleration + mu * pressed, 0.0, trailed * G - pressed);
    let of_slide = Vec3::new(pull, 0.0, (sled + trailed) * G - pressed);

    let height = radius + up;
    let mut slide = joint("slide", JointKind::Prismatic, at(0, 0.0, 0.0, height), at(1, 0.0, 0.0, 0.0));
    let to_x = Quaternion::from_axis_angle(&Vec3::y(), 0.5 * std::f64::consts::PI).to_matrix();
    (slide.a.pose.rotation, slide.b.pose.rotation) = (to_x, to_x);
    slide.velocity = Some(vec![0.5]);
    let mut hinge = joint("hinge", JointKind::Revolute, at(1, 0.0, 0.0, 0.0), at(2, along, 0.0, up));
    let to_y = Quaternion::from_axis_angle(&Vec3::x(), -0.5 * std::f64::consts::PI).to_matrix();
    (hinge.a.pose.rotation, hinge.b.pose.rotation) = (to_y, to_y);
    let mut bob = ball("ball", trailed, radius, Vec3::zeros());
    (bob.pose_stated, bob.velocity_stated) = (false, false);
    let bodies = vec![floor(), part("sled", sled, Vec3::new(0.1, 0.1, 0.1)), bob];
    let mut model = make(bodies, law_of(0.0, mu), 0.3);
    model.pairs.retain(|pair| [pair.a.body, pair.b.body] == [0, 2]);
    model.joints = vec![slide, hinge];
    model.forces = vec![push(&[(0, 1.0)], pull)];
    model.output.every = Some(0.05);
    for method in [IntegratorKind::Dop853, IntegratorKind::Moreau] {
        model.solver.method = method;
        if method == IntegratorKind::Moreau {
            model.solver.step = StepControl::Fixed(1e-3);
        }
        for coordinates in BOTH {
            // Nothing has pressed yet before the first step.
            for frame in run(&model, coordinates).iter().skip(1) {
                for (sample, want) in frame.iter().zip([of_slide, of_hinge]) {
                    let said = format!("{method:?} {coordinates:?}: {sample:?} for {want}");
                    assert!((sample.force - want).norm() < 1e-7 * pull, "{said}");
                    assert!(sample.torque.norm() < 1e-7 * pull * length, "{said}");
                }
            }
        }
    }
}

/// A loop of balls that a universal joint closes, which an actuator pushes to its stop; its other axis follows the first.
fn stopped(stop: Stop, seed: u64) -> Model {
    let mut model = spatial_loop(&mut SplitMix64::new(seed));
    let closing = model.joints.len() - 1;
    let system = System::compile(&model).expect("a sound model");
    let q = Dynamics::new(&system).joint_samples().expect("loads")[closing].position;
    let depth = if matches!(stop, Stop::Compliant { .. }) { 1e-3 } else { 0.0 };
    model.joints[closing].elements[0].limit =
        Some(AxisLimit { lower: Some(q[0] + depth), upper: None, stop });
    model.forces.push(push(&[(closing, 0.7)], -20.0));
    let axis = |axis| JointCoordinate { joint: closing, axis };
    let kind = ConstraintKind::Coupling { terms: vec![(axis(1), 1.0), (axis(0), -0.4)], offset: None };
    model.constraints.push(Constraint { name: "follows".to_owned(), kind });
    model
}

/// Newton's and Euler's laws for every body, with a joint at its stop.
#[test]
fn reactions_with_stops_balance_every_body() {
    for coordinates in BOTH {
        let mut model = stopped(stops(2e3)[0], 31);
        model.solver.coordinates = coordinates;
        check_balance(&model);
    }
}

/// Bodies move alike in both coordinates, so that the reactions of a mechanism without redundant constraints are the same, of all joints
/// and at all times at the stop.
#[test]
fn reactions_with_stops_are_the_same_in_both_coordinates() {
    for stop in stops(2e3) {
        let mut model = stopped(stop, 37);
        model.output.every = Some(0.005);
        let [joint, body] = BOTH.map(|coordinates| run(&model, coordinates));
        assert_eq!(joint.len(), body.len());
        let mut pressed = 0;
        for (a, b) in joint.iter().zip(&body) {
            let closing = a.last().expect("joints");
            // The spring's part is less than 2 N m/rad times some radians.
            pressed += usize::from(closing.effort[0] > 8.0);
            for ((a, b), data) in a.iter().zip(b).zip(&model.joints) {
                let (f, t) = ((a.force - b.force).norm(), (a.torque - b.torque).norm());
                // Loads are some 10 N and rtol is 1e-11; forces of stops go with 2000 N m/rad times errors of 1e-11.
                assert!(f < 1e-6 && t < 1e-6, "{stop:?} {}: {f:.2e} {t:.2e}", data.name);
            }
        }
        assert!(pressed > 2, "{pressed} of {} frames at the stop", joint.len());
    }
}
