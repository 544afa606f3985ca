//! Powers at the end of a step, which need no accelerations, are those of the whole right-hand side.

use carom_math::{Mat3, Pose, Vec3};
use carom_solvers::Ode;

use super::{Evaluator, commit};
use crate::System;
use crate::function::TimeFunction;
use crate::model::fixture;
use crate::model::{
    Attachment, AxisElements, AxisLimit, AxisSpring, Body, Constraint, ConstraintKind, Joint,
    JointCoordinate, JointKind, Model, Motor, Stop,
};

/// Four hinges in a row under gravity: one with a spring, a damper and a motor of this kind, one that is in its stop, and two that are free.
fn arm(motor: Motor) -> Model {
    let body = |index: usize| Body {
        mass: 1.0 + index as f64,
        com: Vec3::new(0.1, 0.2, -0.1),
        inertia: Mat3::from_diagonal(&Vec3::new(0.1, 0.2, 0.25)),
        ..fixture::body(&format!("body{index}"), index == 0)
    };
    let hinge = |index: usize| Joint {
        name: format!("hinge{index}"),
        kind: JointKind::Revolute,
        a: Attachment { body: index, pose: Pose::from_translation(Vec3::new(0.3, 0.0, 0.1)) },
        b: Attachment { body: index + 1, pose: Pose::from_translation(Vec3::new(-0.2, 0.1, 0.0)) },
        cut: false,
        position: Some(vec![0.2]),
        velocity: Some(vec![0.5]),
        elements: vec![AxisElements::default()],
    };
    let mut joints: Vec<Joint> = (0..4).map(hinge).collect();
    joints[0].elements[0].spring = Some(AxisSpring { stiffness: 3.0, damping: 0.4, rest: -0.3 });
    joints[0].elements[0].motor = Some(motor);
    let stop = Stop::Compliant { stiffness: Some(1e3), exponent: 1.5, restitution: 0.5 };
    joints[1].elements[0].limit = Some(AxisLimit { lower: None, upper: Some(0.1), stop });
    let bodies = (0..5).map(body).collect();
    Model { gravity: Vec3::new(1.0, -9.0, 2.0), ..fixture::mechanism(bodies, joints) }
}

/// Of trees, of coupled ones, of motors that links make and of those that are rows beside a coupling: all of them to the last bit.
#[test]
fn powers_of_ends_are_those_of_the_right_hand_side() {
    let effort = || Motor::Force(TimeFunction::Constant(2.0));
    let speed = || Motor::Velocity(TimeFunction::Constant(0.5));
    for (motor, is_coupled) in [(effort(), false), (effort(), true), (speed(), false), (speed(), true)] {
        let mut model = arm(motor.clone());
        if is_coupled {
            let terms = [(2, 1.0), (3, -1.0)].map(|(joint, k)| (JointCoordinate { joint, axis: 0 }, k));
            let kind = ConstraintKind::Coupling { terms: terms.to_vec(), offset: None };
            model.constraints.push(Constraint { name: "gear".to_owned(), kind });
        }
        let system = System::compile(&model).expect("a sound model");
        let mut evaluator = Evaluator::new(&system);
        // The tree answers the coupling itself, unless a motor is a row beside it; then powers need no accelerations.
        let is_answered = is_coupled && matches!(motor, Motor::Force(_));
        assert_eq!(system.mechanics.couplings.is_some(), is_answered, "{motor:?}, coupled: {is_coupled}");
        assert_eq!(system.mechanics.is_linear, is_answered);
        assert_eq!(system.mechanics.followers.len(), if is_answered { 2 } else { 0 });
        assert!(!is_answered || !evaluator.workspace.powers_need_accelerations());
        let y = system.mechanics.initial.clone();
        evaluator.update(0.0, &y);
        commit::commit_start(&mut evaluator, 0.0, &mut Vec::new());
        evaluator.rebuild_active();
        let (n, quadratures) = (evaluator.dimension(), evaluator.quadratures());
        let [mut whole, mut ends] = [vec![0.0; quadratures], vec![f64::NAN; quadratures]];
        let [mut rates, mut spare] = [vec![0.0; n], vec![0.0; n]];
        evaluator.rhs(0.0, &y, &mut rates, &mut whole).expect("a sound state");
        evaluator.quadrature_rates(0.0, &y, &mut spare, &mut ends).expect("a sound state");
        let bits = |powers: &[f64]| powers.iter().map(|power| power.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&whole), bits(&ends), "{motor:?}, coupled: {is_coupled}: {whole:?} {ends:?}");
        // The motor's, the damper's and the stop's at least.
        let count = whole.iter().filter(|power| **power != 0.0).count();
        assert!(count >= 4, "{whole:?}");
    }
}
