//! Joints that start at their stops and follow each other by couplings.

use carom_engine::model::{
    AxisElements, AxisLimit, Constraint, ConstraintKind, Joint, JointCoordinate, JointKind, Stop,
};
use carom_engine::{EndReason, Model, System};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene;

/// A revolute joint across a quarter turn about a random axis, with limits that start at its coordinate 0.
fn limb(name: &str, parent: usize, child: usize, arm: Vec3, factor: f64, rng: &mut SplitMix64) -> Joint {
    let quarters = [0.0, 0.5, 1.0, -0.5].map(|turns| turns * std::f64::consts::PI);
    let turn = |rng: &mut SplitMix64| quarters[rng.index(4)];
    let rotation = Quaternion::from_roll_pitch_yaw(turn(rng), turn(rng), turn(rng)).to_matrix();
    let mut limb = joint(name, JointKind::Revolute, at(parent, 0.0, 0.0, 0.0), at(child, 0.0, 0.0, 0.0));
    limb.a.pose = Pose { rotation, translation: arm };
    let (low, high) = if factor > 0.0 { (0.0, 0.8 * factor) } else { (0.8 * factor, 0.0) };
    let stop = Stop::Compliant { stiffness: Some(1e5), exponent: 1.5, restitution: 0.1 };
    limb.elements = vec![AxisElements {
        limit: Some(AxisLimit { lower: Some(low), upper: Some(high), stop }),
        ..limb.elements[0].clone()
    }];
    limb
}

/// A torso with two arms that falls freely; each hand has a finger that leads and some that follow it, all at their limits.
/// Nothing loads the stops: what opens and closes them is rounding of the couplings.
fn robot(seed: u64) -> Model {
    let mut rng = SplitMix64::new(seed);
    let mut bodies = vec![part("torso", 20.0, Vec3::new(0.5, 0.4, 0.3))];
    bodies[0].position = Vec3::new(0.3, -0.2, 1.0);
    let (mut joints, mut constraints) = (Vec::new(), Vec::new());
    for side in [1.0, -1.0] {
        let mut parent = 0;
        for k in 0..1 + rng.index(3) {
            bodies.push(part(&format!("arm{side}{k}"), 2.0, Vec3::new(0.02, 0.01, 0.015)));
            let at = if k == 0 { Vec3::new(0.0, 0.3 * side, 0.4) } else { Vec3::new(0.0, 0.0, -0.2) };
            joints.push(limb(&format!("elbow{side}{k}"), parent, bodies.len() - 1, at, 1.0, &mut rng));
            parent = bodies.len() - 1;
        }
        let lead = joints.len();
        for k in 0..3 + rng.index(3) {
            bodies.push(part(&format!("finger{side}{k}"), 0.05, Vec3::new(1e-5, 2e-5, 1e-5)));
            bodies.last_mut().expect("pushed").com = Vec3::new(0.0, 0.01, -0.02);
            let factor = if k == 0 { 1.0 } else { [1.0, -1.0, 0.5][rng.index(3)] };
            let at = Vec3::new(0.0, 0.01, -0.06);
            joints.push(limb(&format!("knuckle{side}{k}"), parent, bodies.len() - 1, at, factor, &mut rng));
            if k > 0 {
                let coordinate = |joint| JointCoordinate { joint, axis: 0 };
                constraints.push(Constraint {
                    name: format!("mimic{side}{k}"),
                    kind: ConstraintKind::Coupling {
                        terms: vec![(coordinate(joints.len() - 1), 1.0), (coordinate(lead), -factor)],
                        offset: Some(0.0),
                    },
                });
            }
        }
    }
    let mut model = mechanism(bodies, joints, 9.81, 0.5, 1e-6);
    model.constraints = constraints;
    model
}

/// What stops have that state no stiffness is one note, which says how many they are and the least and the greatest; one alone is named.
#[test]
fn stiffnesses_that_are_taken_are_one_note() {
    for count in [0, 1, 3, 6] {
        let mut model = robot(3);
        for joint in model.joints.iter_mut().take(count) {
            let limit = joint.elements[0].limit.as_mut().expect("all have limits");
            limit.stop = Stop::Compliant { stiffness: None, exponent: 1.5, restitution: 0.1 };
        }
        let system = System::compile(&model).expect("a robot");
        let said: Vec<&str> =
            system.notes().iter().filter(|n| n.code == "N0306").map(|n| n.message.as_str()).collect();
        assert_eq!(said.len(), count.min(1), "{said:?}");
        let Some(said) = said.first() else { continue };
        let name = |k: usize| model.joints[k].name.as_str();
        let names = [0, 1, 2].map(name).join(", ");
        let who = match count {
            1 => format!("limit of joint \"{}\"", name(0)),
            3 => format!("taken: {names}"),
            _ => format!("taken: {names} and {} more", count - 3),
        };
        assert!(said.contains(&who), "{said}");
        let stiffness = |joint: usize| -> f64 {
            let pair = system.info().pairs.iter().find(|pair| pair.line == format!("{}.limit", name(joint)));
            let law =
                pair.expect("a pair for each").law.strip_prefix("K = ").expect("a stiffness").to_owned();
            law.split(' ').next().expect("a number").parse().expect("a number")
        };
        let all: Vec<f64> = (0..count).map(stiffness).collect();
        let ends =
            [all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(0.0, f64::max)];
        assert!(count == 1 || ends[1] > ends[0], "{all:?}");
        assert!(ends.iter().all(|end| said.contains(&format!("{end:.3e} "))), "{said} {ends:?}");
    }
}

/// A slide along any axis, held by a coupling of itself alone: nothing moves, and no error bounds the steps.
#[test]
fn a_mechanism_that_is_locked_stays() {
    let mut rng = SplitMix64::new(20);
    for case in 0..40 {
        let mut number = || rng.uniform(-1.0, 1.0);
        let bodies = vec![ground(), part("block", 2.0 + number(), Vec3::new(0.1, 0.1, 0.1))];
        let mut slide = joint("slide", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
        let rotation = Quaternion::from_roll_pitch_yaw(number(), number(), number()).to_matrix();
        slide.a.pose.rotation = rotation;
        let mut model = mechanism(bodies, vec![slide], 9.81, 2.0, 1.5e-5);
        model.constraints.push(Constraint {
            name: "lock".to_owned(),
            kind: ConstraintKind::Coupling {
                terms: vec![(JointCoordinate { joint: 0, axis: 0 }, 1.0)],
                offset: Some(0.0),
            },
        });
        let (outcome, keeper) = scene::run_any(&model);
        assert_eq!(outcome.end, EndReason::Finished, "case {case}");
        assert!(outcome.statistics.steps < 4, "case {case}: {} steps", outcome.statistics.steps);
        let position = |kept: &scene::Kept| kept.bodies[1].position;
        let way = position(keeper.frames.last().expect("frames")) - position(&keeper.frames[0]);
        assert!(way.norm() < 1e-15, "case {case}: {way}");
    }
}

#[test]
fn stops_that_nothing_loads_make_no_storm() {
    for seed in 0..12 {
        let (outcome, keeper) = scene::run_any(&robot(seed));
        assert_eq!(outcome.end, EndReason::Finished, "seed {seed}");
        assert!(keeper.events.len() < 60, "seed {seed}: {} events", keeper.events.len());
        assert!(outcome.statistics.steps < 200, "seed {seed}: {} steps", outcome.statistics.steps);
    }
}
