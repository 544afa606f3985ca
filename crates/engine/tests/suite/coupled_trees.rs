//! Couplings of two joints, which trees answer by themselves.

use carom_engine::analysis::{Dynamics, Loads};
use carom_engine::law::ImpactLaw;
use carom_engine::model::{
    AxisLimit, AxisSpring, Constraint, ConstraintKind, Coordinates, IntegratorKind, JointCoordinate,
    JointKind, Stop,
};
use carom_engine::record::{ConstraintSample, Event, Frame, JointSample, RecordError, Recorder};
use carom_engine::{EndReason, Model, Outcome, Simulation, System};
use carom_math::{Quaternion, Vec3};
use carom_testkit::SplitMix64;
use nalgebra::DVector;

use crate::by_parts::goes_on_with_the_same_bits;
use crate::mechanism::{at, ground, joint, mechanism, part};

/// Joints and constraints of all frames, and how many events there were.
#[derive(Default)]
struct Rows {
    joints: Vec<Vec<JointSample>>,
    constraints: Vec<Vec<ConstraintSample>>,
    events: usize,
}

impl Recorder for Rows {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.joints.push(frame.joints.to_vec());
        self.constraints.push(frame.constraints.to_vec());
        Ok(())
    }
    fn event(&mut self, _: &Event) -> Result<(), RecordError> {
        self.events += 1;
        Ok(())
    }
}

fn run(model: &Model) -> (Outcome, Rows) {
    let system = System::compile(model).expect("a sound model");
    let mut rows = Rows::default();
    let outcome = Simulation::new(&system).run(&mut rows).expect("the recorder never fails");
    assert_eq!(outcome.end, EndReason::Finished);
    (outcome, rows)
}

/// A robot that is put together joint by joint, with couplings of its joints.
struct Robot {
    random: SplitMix64,
    model: Model,
}

impl Robot {
    /// A ground, body 0, and a palm that flies, body 1.
    fn new(seed: u64) -> Self {
        let mut palm = part("palm", 1.5, Vec3::new(0.05, 0.06, 0.07));
        (palm.pose_stated, palm.velocity_stated) = (true, true);
        (palm.velocity, palm.angular_velocity) = (Vec3::new(0.3, -0.4, 0.5), Vec3::new(0.7, -0.2, 0.9));
        let model = mechanism(vec![ground(), palm], Vec::new(), 9.81, 0.1, 1e-9);
        Self { random: SplitMix64::new(seed), model }
    }

    /// Hangs a new body on another one.
    fn hang(&mut self, kind: JointKind, parent: usize, velocity: f64) -> usize {
        let (random, model) = (&mut self.random, &mut self.model);
        let size = random.uniform(0.2, 1.0);
        let body = model.bodies.len();
        let mut part = part(&format!("body{body}"), size, Vec3::new(0.05, 0.06, 0.07) * size);
        part.com = random.vector_in_cube(0.1);
        model.bodies.push(part);
        let mut joint =
            joint(&format!("joint{body}"), kind, at(parent, 0.3, 0.1, 0.0), at(body, -0.2, 0.0, 0.1));
        for attachment in [&mut joint.a, &mut joint.b] {
            attachment.pose.rotation =
                Quaternion::from_rotation_vector(&random.vector_in_cube(1.5)).to_matrix();
        }
        joint.elements.iter_mut().for_each(|element| element.armature = random.uniform(0.0, 0.1));
        if kind.freedoms() == 1 {
            let (stiffness, rest) = (random.uniform(5.0, 20.0), random.uniform(-1.0, 1.0));
            joint.elements[0].spring = Some(AxisSpring { stiffness, damping: 0.1, rest });
            joint.velocity = Some(vec![velocity]);
        }
        model.joints.push(joint);
        body
    }

    /// Couples the joints of two bodies: the velocity of the second is so many times that of the first.
    fn couple(&mut self, [a, b]: [usize; 2], ratio: f64) {
        let of = |body: usize| JointCoordinate { joint: body - 2, axis: 0 };
        let scale = self.random.uniform(0.5, 2.0);
        self.model.constraints.push(Constraint {
            name: format!("c{}", self.model.constraints.len()),
            kind: ConstraintKind::Coupling {
                terms: vec![(of(a), -ratio * scale), (of(b), scale)],
                offset: None,
            },
        });
    }

    /// A finger of three joints and a rigid tip between them, all of which follow the first; the second by way of the third.
    fn add_finger(&mut self) {
        let first = self.hang(JointKind::Revolute, 1, 0.8);
        let fixed = self.hang(JointKind::Fixed, first, 0.0);
        let second = self.hang(JointKind::Revolute, fixed, 0.8 * 0.7 * -1.2);
        let third = self.hang(JointKind::Revolute, second, 0.8 * 0.7);
        self.couple([first, third], 0.7);
        self.couple([third, second], -1.2);
    }

    /// A joint that follows another one past a joint that moves by itself.
    fn add_passing(&mut self) {
        let first = self.hang(JointKind::Revolute, 1, -0.5);
        let own = self.hang(JointKind::Prismatic, first, 0.3);
        let last = self.hang(JointKind::Revolute, own, -1.0);
        self.hang(JointKind::Spherical, last, 0.0);
        self.couple([last, first], 0.5);
    }

    /// Two jaws side by side, of which one carries a wrist with jaws of its own.
    fn add_jaws(&mut self) {
        let arm = self.hang(JointKind::Universal { second: Vec3::new(0.8, 0.0, 0.6) }, 1, 0.0);
        let jaws = [1.0, -1.0].map(|sign| self.hang(JointKind::Prismatic, arm, 0.4 * sign));
        self.couple(jaws, -1.0);
        let inner = [1.0, 0.5].map(|ratio| self.hang(JointKind::Revolute, jaws[0], 2.0 * ratio));
        self.couple(inner, 0.5);
    }

    /// Slides on the ground that follow each other, and on one of them, past a hinge, a hinge that follows them.
    fn add_slides(&mut self) {
        let slides = [1.0, 2.0].map(|ratio| self.hang(JointKind::Prismatic, 0, 0.6 * ratio));
        let own = self.hang(JointKind::Revolute, slides[0], 0.9);
        let last = self.hang(JointKind::Revolute, own, -1.8);
        self.couple(slides, 2.0);
        self.couple([slides[0], last], -3.0);
    }
}

/// What holds the couplings takes a₀ = M⁻¹ (τ − h) to a₀ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G a₀, here with M and G as whole matrices: G is constant, and
/// so the same in motion. Returns the errors of accelerations and of multipliers (of their
/// sizes, as samples have no signs), as shares of the largest.
fn errors(model: &Model) -> [f64; 2] {
    let system = System::compile(model).expect("a sound model");
    let mut dynamics = Dynamics::new(&system);
    let efforts = DVector::zeros(system.freedoms());
    let found = dynamics.forward_dynamics(&efforts, Loads::All).unwrap();
    // Where bodies are articulated already, and where responses of them were asked for meanwhile, answers are the same.
    let again = dynamics.forward_dynamics(&efforts, Loads::All).unwrap();
    let mass = dynamics.mass_matrix().cholesky().unwrap();
    let after = dynamics.forward_dynamics(&efforts, Loads::All).unwrap();
    assert_eq!((&again, &after), (&found, &found));
    let rows = dynamics.constraint_jacobian(true);
    assert_eq!(rows.nrows(), model.constraints.len());
    let free = mass.solve(&-dynamics.bias_forces(Loads::All));
    let responses = mass.solve(&rows.transpose());
    let matrix = (&rows * &responses).cholesky().expect("independent rows");
    let multipliers = matrix.solve(&(&rows * &free));
    let want = &free - responses * &multipliers;
    assert!((&want - &free).norm() > 0.1 * free.norm(), "the rows hold little");
    let samples = &run(model).1.constraints[0];
    let off = samples.iter().zip(&multipliers).map(|(sample, want)| (sample.effort - want.abs()).abs());
    [(&found - &want).norm() / free.norm(), off.fold(0.0, f64::max) / multipliers.amax()]
}

/// Each kind of group alone, and all of them in one robot. Only rounding is left.
#[test]
fn trees_answer_couplings_as_whole_matrices_do() {
    let groups = [Robot::add_finger, Robot::add_passing, Robot::add_jaws, Robot::add_slides];
    for seed in 0..8 {
        for case in 0..=groups.len() {
            let mut robot = Robot::new(seed);
            for (index, add) in groups.iter().enumerate() {
                if case == index || case == groups.len() {
                    add(&mut robot);
                }
            }
            let [accelerations, multipliers] = errors(&robot.model);
            assert!(accelerations < 1e-12, "case {case}, seed {seed}: {accelerations:.2e}");
            assert!(multipliers < 1e-11, "case {case}, seed {seed}: multipliers {multipliers:.2e}");
        }
    }
}

/// What a tree does not answer by itself is answered by rows: two groups past one joint, a joint of several freedoms between, a floating robot
/// coupled with the ground's, a third joint in a coupling.
#[test]
fn other_couplings_are_answered_by_rows() {
    for case in 0..4 {
        let mut robot = Robot::new(case);
        let first = robot.hang(JointKind::Revolute, 1, 0.0);
        let kind = if case == 1 { JointKind::Spherical } else { JointKind::Revolute };
        let second = robot.hang(kind, if case == 2 { 0 } else { first }, 0.0);
        let third = robot.hang(JointKind::Revolute, second, 0.0);
        let fourth = robot.hang(JointKind::Revolute, third, 0.0);
        robot.couple([first, third], 0.5);
        if case != 1 {
            robot.couple([second, fourth], -0.7);
        }
        if case == 3 {
            let ConstraintKind::Coupling { terms, .. } = &mut robot.model.constraints[1].kind else {
                unreachable!()
            };
            terms.push((JointCoordinate { joint: 0, axis: 0 }, 0.3));
        }
        let [accelerations, multipliers] = errors(&robot.model);
        assert!(accelerations < 1e-12 && multipliers < 1e-11, "case {case}: {accelerations:.2e}");
    }
}

/// Trees that move as one freedom go where bodies with all joints as constraints go.
#[test]
fn coupled_trees_go_where_bodies_with_rows_go() {
    let mut robot = Robot::new(5);
    robot.add_finger();
    robot.add_jaws();
    robot.add_slides();
    // Body coordinates have no joints that a rotor could be geared to.
    for joint in &mut robot.model.joints {
        joint.elements.iter_mut().for_each(|element| element.armature = 0.0);
    }
    let joint = run(&robot.model).0;
    robot.model.solver.coordinates = Coordinates::Body;
    let body = run(&robot.model).0;
    for (a, b) in joint.bodies.iter().zip(&body.bodies) {
        let difference = (a.position - b.position).norm().max((a.velocity - b.velocity).norm());
        assert!(difference < 1e-7, "{difference:.2e}");
    }
    assert!(joint.residual_relative < 1e-8, "{:.2e}", joint.residual_relative);
}

/// A finger whose joints have springs and limits, that of the follower before its leader's, and a pair of jaws.
fn hand(t_end: f64) -> Model {
    let mut robot = Robot::new(11);
    robot.model.bodies[1].fixed = true;
    (robot.model.bodies[1].velocity, robot.model.bodies[1].angular_velocity) = (Vec3::zeros(), Vec3::zeros());
    let first = robot.hang(JointKind::Revolute, 1, 3.0);
    let second = robot.hang(JointKind::Revolute, first, 2.1);
    let jaws = [1.0, -1.0].map(|sign| robot.hang(JointKind::Prismatic, 1, 1.2 * sign));
    robot.couple([first, second], 0.7);
    robot.couple(jaws, -1.0);
    robot.model.joints[3].elements[0].spring = None;
    // Off zero: one coupling keeps the offset of the start, the other states its own.
    for (joint, place) in [0.1, 0.7 * 0.1 + 0.03, 0.01, 0.02].into_iter().enumerate() {
        robot.model.joints[joint].position = Some(vec![place]);
    }
    let ConstraintKind::Coupling { terms, offset } = &mut robot.model.constraints[1].kind else {
        unreachable!()
    };
    *offset = Some(0.03 * terms[1].1);
    let mut limit = |body: usize, range: [f64; 2], stiffness: f64| {
        let element = &mut robot.model.joints[body - 2].elements[0];
        let stop = Stop::Compliant { stiffness: Some(1e4), exponent: 1.5, restitution: 1.0 };
        element.limit = Some(AxisLimit { lower: Some(range[0]), upper: Some(range[1]), stop });
        element.spring = Some(AxisSpring { stiffness, damping: 0.0, rest: 0.0 });
    };
    limit(first, [-0.3, 0.5], 2.0);
    limit(second, [-0.28, 0.2], 1.0);
    limit(jaws[0], [-0.1, 0.05], 150.0);
    let mut model = robot.model;
    model.gravity = Vec3::zeros();
    model.solver.t_end = t_end;
    model.output.every = Some(0.05);
    model
}

/// q = k q′ + c and v = k v′ hold to rounding for 10 s with every integrator, past dozens of events: what each step adds is a few roundings of
/// coordinates of size 1, which inside of steps the differences of `bdf` multiply by some hundred.
#[test]
fn couplings_hold_to_rounding_with_every_integrator() {
    for method in IntegratorKind::SMOOTH {
        let mut model = hand(10.0);
        (model.solver.method, model.solver.rtol) = (method, 1e-5);
        let (outcome, rows) = run(&model);
        assert!(rows.events > 40, "{method:?}: {} events", rows.events);
        let misfits = |joints: &[JointSample]| {
            let of = |joint: usize| [joints[joint].position[0], joints[joint].velocity[0]];
            [0, 1].map(|k| [of(1)[k] - 0.7 * of(0)[k], of(3)[k] + of(2)[k]])
        };
        let offsets = [0.03, 0.03];
        let mut worst = [0.0_f64; 2];
        for joints in &rows.joints {
            let [places, speeds] = misfits(joints);
            for k in 0..2 {
                worst[0] = worst[0].max((places[k] - offsets[k]).abs());
                worst[1] = worst[1].max(speeds[k].abs());
            }
        }
        assert!(worst[0] < 2e-12 && worst[1] < 2e-12, "{method:?}: {worst:?}");
        // 9e-9 to 4e-7, as steps of this tolerance leave.
        assert!(outcome.residual_relative < 2e-6, "{method:?}: {:.2e}", outcome.residual_relative);
    }
}

/// A hand whose first joint bounces off rigid stops, as its follower does before it, and whose jaws come to be held at one: impacts and what
/// is held go by rows on bodies that a tree moves as one freedom, beside bodies in whose coordinates all of it is rows.
#[test]
fn rigid_stops_hold_and_strike_coupled_joints() {
    let mut model = hand(1.0);
    (model.solver.method, model.solver.rtol) = (IntegratorKind::Ode45, 1e-10);
    for (joint, restitution) in [(0, 0.5), (1, 0.6), (2, 0.0)] {
        let element = &mut model.joints[joint].elements[0];
        let limit = element.limit.as_mut().expect("it has stops");
        limit.stop = Stop::Rigid { restitution, impact: ImpactLaw::Poisson };
    }
    let pressed = model.joints[2].elements[0].spring.as_mut().expect("a spring");
    pressed.rest = 0.2;
    // Body coordinates have no joints that a rotor could be geared to.
    for joint in &mut model.joints {
        joint.elements.iter_mut().for_each(|element| element.armature = 0.0);
    }
    let (joint, rows) = run(&model);
    let (place, speed) = {
        let last = &rows.joints.last().expect("frames")[2];
        (last.position[0], last.velocity[0])
    };
    assert!((place - 0.05).abs() < 1e-10 && speed.abs() < 1e-10, "the jaw is held: {place} {speed:e}");
    assert!(rows.events > 8, "{}", rows.events);
    model.solver.coordinates = Coordinates::Body;
    let (body, of_bodies) = run(&model);
    assert_eq!(rows.events, of_bodies.events);
    for (a, b) in joint.bodies.iter().zip(&body.bodies) {
        let difference = (a.position - b.position).norm().max((a.velocity - b.velocity).norm());
        assert!(difference < 1e-7, "{difference:.2e}");
    }
    assert!(joint.residual_relative < 1e-8, "{:.2e}", joint.residual_relative);
}

/// A hand is taken up in the middle of steps of `bdf`, whose Newton's systems leave the followers out, with the same bits.
#[test]
fn hands_go_on_from_within_bdf() {
    let mut model = hand(0.6);
    (model.solver.method, model.solver.rtol) = (IntegratorKind::Bdf, 1e-6);
    let rows = goes_on_with_the_same_bits(&model, &[0.01, 0.123, 0.31, 0.5], 0.6);
    assert!(rows.events.len() > 4, "{}", rows.events.len());
}
