//! Jacobians of trees in closed form: against differences of the right-hand side, and against known vibrations.

use carom_engine::analysis::{Dynamics, Rates};
use carom_engine::function::{Interpolation, Op, Program, Table, TimeFunction};
use carom_engine::law::NormalKind;
use carom_engine::model::{
    Activation, ActivationKind, Actuator, Attachment, AxisFriction, AxisLimit, AxisServo, BaseSide, Body,
    BodyShape, Constraint, ConstraintKind, ContactPair, Force, ForceAxes, ForceKind, Joint, JointCoordinate,
    JointKind, Method, Motor, ShapeRef, Stop,
};
use carom_engine::{Model, System};
use carom_geometry::Shape;
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;
use nalgebra::{DMatrix, DVector, Matrix6, Vector6};

use crate::areal::collision;
use crate::mechanism::{at, ground, joint, mechanism, part, random_tree};
use crate::scene;
use crate::tangent::{COULOMB, full_law};
use crate::tree::{afloat, random_models};

/// Weights of f(y + h) − f(y − h) and f(y + 2h) − f(y − 2h) over h: fourth order.
const WEIGHTS: [(f64, f64); 2] = [(1.0, 2.0 / 3.0), (2.0, -1.0 / 12.0)];
/// Increments of coordinates and velocities where all is smooth on the scale of 1: they cut off and round below 1e-11.
const SMOOTH: [f64; 2] = [1e-3, 1e-3];
/// Where bodies overlap by 1e-3 m and friction is regularised at 0.05 m/s: a hundredth of the overlap cuts off 1e-9, and
/// rounding of the overlap, of 1e-16 m, counts as 1e-7 in columns without contact.
const IN_CONTACT: [f64; 2] = [5e-6, 1e-5];
/// Where elements of areal contact come and go.
const BETWEEN_ELEMENTS: [f64; 2] = [1e-7, 1e-5];
/// Above what increments round and cut off.
const TOLERANCE: f64 = 1e-6;

/// The Jacobian at the start in closed form.
fn closed(rates: &mut Rates<'_>, y: &[f64]) -> DMatrix<f64> {
    let n = y.len();
    let mut matrix = vec![f64::NAN; n * n];
    assert!(rates.jacobian(0.1, y, &mut matrix).unwrap(), "in closed form");
    DMatrix::from_row_slice(n, n, &matrix)
}

/// States that are velocities.
fn velocities(system: &System) -> Vec<bool> {
    let dynamics = Dynamics::new(system);
    let other = dynamics.state_with_velocities(&DVector::from_element(system.freedoms(), 1e3));
    dynamics.state().iter().zip(other).map(|(a, b)| *a != b).collect()
}

/// Largest miss of the Jacobian at the start of a system, over the largest entry of its column, or a thousandth of the
/// largest by states of the same kind: accelerations and rates of coordinates apart.
fn miss_of(system: &System, steps: [f64; 2]) -> f64 {
    let mut rates = Rates::in_contact(system);
    let y = rates.initial().to_vec();
    let n = y.len();
    let matrix = closed(&mut rates, &y);
    let is_velocity = velocities(system);
    let mut slopes = DMatrix::zeros(n, n);
    let mut out = DVector::zeros(n);
    for column in 0..n {
        let h = steps[usize::from(is_velocity[column])];
        for (times, weight) in WEIGHTS {
            for sign in [1.0, -1.0] {
                let mut there = y.clone();
                there[column] += sign * times * h;
                rates.update(0.1, &there, out.as_mut_slice()).unwrap();
                slopes.column_mut(column).axpy(sign * weight / h, &out, 1.0);
            }
        }
    }
    let largest = |rows: bool, columns: &dyn Fn(usize) -> bool| {
        let entries = (0..n * n).filter(|i| is_velocity[i % n] == rows && columns(i / n));
        entries.fold(0.0, |a: f64, i| a.max(slopes[i].abs()))
    };
    let mut worst: f64 = 0.0;
    for rows in [false, true] {
        for column in 0..n {
            let of_kind = largest(rows, &|c| is_velocity[c] == is_velocity[column]);
            let size = largest(rows, &|c| c == column).max(1e-3 * of_kind).max(1e-3);
            for row in (0..n).filter(|&row| is_velocity[row] == rows) {
                worst = worst.max((slopes[(row, column)] - matrix[(row, column)]).abs() / size);
            }
        }
    }
    worst
}

fn miss(model: &Model, steps: [f64; 2]) -> f64 {
    miss_of(&System::compile(model).expect("a sound model"), steps)
}

/// Joints of all kinds in both directions, with springs, dampers, servos, friction and armature on their axes, on the ground and in
/// the air.
#[test]
fn trees_of_all_joints() {
    for (number, mut model) in random_models().into_iter().enumerate() {
        let elements = model.joints.iter_mut().flat_map(|joint| {
            let is_scalar = !joint.kind.axes().is_empty();
            joint.elements.iter_mut().map(move |element| (is_scalar, element))
        });
        for (k, (is_scalar, element)) in elements.enumerate() {
            element.friction = Some(AxisFriction { force: 0.7, v_reg: 0.8 });
            element.armature = 0.1 * (k % 4) as f64;
            if !is_scalar {
                continue;
            }
            // Some give their most, the others are far from it: differences see no kink.
            let effort = [None, Some(1e-9), Some(1e9)][k % 3];
            let target = TimeFunction::Constant(0.2);
            element.servo = Some(AxisServo { stiffness: 1.5, damping: 0.3, target, effort });
        }
        for joint in &mut model.joints {
            joint.velocity.iter_mut().flatten().for_each(|v| *v *= 4.0);
        }
        let worst = miss(&model, SMOOTH);
        assert!(worst < TOLERANCE, "model {number}: {worst:e}");
    }
}

/// Coordinates of all joints, of which each kind has so many.
fn coordinates_of(model: &Model, count: fn(JointKind) -> usize) -> Vec<JointCoordinate> {
    let joints = model.joints.iter().enumerate();
    joints
        .flat_map(|(joint, j)| (0..count(j.kind)).map(move |axis| JointCoordinate { joint, axis }))
        .collect()
}

/// Actuators over two to four coordinates and turns of balls, of one tree or of several, with all slopes or at a bound, with activations or without.
#[test]
fn actuators_over_several_joints() {
    let mut random = SplitMix64::new(11);
    let mut tried = 0;
    for (number, mut model) in random_models().into_iter().enumerate() {
        let all = coordinates_of(&model, JointKind::freedoms);
        for k in 0..3 {
            let terms: Vec<(JointCoordinate, f64)> =
                all.iter().skip(k).step_by(3).take(4).map(|at| (*at, random.uniform(-2.0, 2.0))).collect();
            if terms.is_empty() {
                continue;
            }
            tried += terms.len();
            let actuator = Actuator {
                terms,
                control: TimeFunction::Constant(0.7),
                control_range: None,
                gain: 2.0,
                bias: -0.4,
                stiffness: 3.0,
                damping: -0.6,
                effort_range: [None, Some([-1e9, 1e9]), Some([-1e-9, 1e-9])][k],
                activation: [None, Some(ActivationKind::Filter), Some(ActivationKind::Integrator)]
                    [(k + number) % 3]
                    .map(|kind| {
                        // Within their range, and beyond it by more than differences reach.
                        let range = [None, Some([-5.0, 5.0]), Some([-5.0, 0.1])][number % 3];
                        Activation { kind, time_constant: 0.3, range, initial: 0.4 }
                    }),
            };
            model.forces.push(Force { name: format!("drive{k}"), kind: ForceKind::Actuator(actuator) });
        }
        let worst = miss(&model, SMOOTH);
        assert!(worst < TOLERANCE, "model {number}: {worst:e}");
        // Some coordinates have all that their actuators may exert, others are far from it.
        let scalar = model.joints.iter_mut().filter(|joint| !joint.kind.axes().is_empty());
        for (k, element) in scalar.flat_map(|joint| &mut joint.elements).enumerate() {
            element.actuator_range = [Some([-1e-9, 1e-9]), Some([-1e9, 1e9]), None][k % 3];
        }
        let worst = miss(&model, SMOOTH);
        assert!(worst < TOLERANCE, "model {number}, shared ranges: {worst:e}");
    }
    assert!(tried > 20, "{tried}");
}

/// A chain of joints of one kind, in both directions.
#[test]
fn chains_of_one_kind() {
    let mut random = SplitMix64::new(3);
    for first in 0..9 {
        let (bodies, mut joints) = random_tree(&mut random, 9, first);
        // The joint of each kind alone between two bodies that turn and move.
        for joint in &mut joints {
            joint.velocity.iter_mut().flatten().for_each(|v| *v *= 4.0);
        }
        let model = mechanism(bodies, joints, 9.81, 1.0, 1e-9);
        let kept: Vec<Joint> = model.joints.iter().take(3).cloned().collect();
        let mut short = Model { joints: kept, ..model };
        short.bodies.truncate(4);
        let worst = miss(&short, SMOOTH);
        assert!(worst < TOLERANCE, "first {first}: {worst:e}");
    }
}

/// Motors of all kinds on joints of one freedom: their accelerations depend on nothing, all others on their motion.
#[test]
fn driven_joints() {
    let swing = [Op::Time, Op::Constant(3.0), Op::Mul, Op::Sin, Op::Constant(2.0), Op::Mul];
    let swing = TimeFunction::Program(Program::new(swing.to_vec()).unwrap());
    let table = Table::new(&[(0.0, 0.3), (0.2, 0.8), (0.5, 0.1)], Interpolation::Cubic).unwrap();
    let mut motors = 0;
    for (number, mut model) in random_models().into_iter().enumerate() {
        for (index, joint) in model.joints.iter_mut().enumerate() {
            if joint.elements.len() != 1 {
                continue;
            }
            joint.velocity = None;
            joint.elements[0].motor = Some(match index % 3 {
                0 => Motor::Velocity(swing.clone()),
                1 => {
                    joint.position = None;
                    Motor::Position(TimeFunction::Table(table.clone()))
                }
                _ => Motor::Force(swing.clone()),
            });
            motors += 1;
        }
        let worst = miss(&model, SMOOTH);
        assert!(worst < TOLERANCE, "model {number}: {worst:e}");
    }
    assert!(motors > 30);
}

/// A random tree with a law and no pairs yet, cut in two where `cut` says so.
fn with_law(random: &mut SplitMix64, first: usize, cut: Option<usize>) -> Model {
    let (bodies, mut joints) = random_tree(random, 6, first);
    if let Some(cut) = cut {
        joints.remove(cut);
    }
    let mut model = mechanism(bodies, joints, 9.81, 1.0, 1e-9);
    for body in model.bodies.iter_mut().skip(1) {
        body.position = random.vector_in_cube(1.0);
        body.velocity = random.vector_in_cube(0.1);
        body.angular_velocity = random.vector_in_cube(1.0);
    }
    let mut law = full_law(NormalKind::HuntCrossley, COULOMB);
    law.point.as_mut().unwrap().stiffness = Some(1e6);
    model.laws = vec![law];
    model
}

/// Where the frame of a body is at the start.
fn position(model: &Model, body: usize) -> Vec3 {
    System::compile(model).expect("a sound model").bodies_at_start()[body].position
}

fn add_sphere(body: &mut Body, radius: f64) {
    let pose = Pose::identity();
    let shape = Shape::Sphere { radius, hollow: false };
    let shapes = &mut body.shapes;
    shapes.push(BodyShape { shape, pose, ..scene::ball("", 1.0, radius, Vec3::zeros()).shapes[0].clone() });
}

fn add_pair(model: &mut Model, a: usize, b: usize) {
    let [a, b] = [a, b].map(|body| ShapeRef { body, shape: 0 });
    model.pairs.push(ContactPair { name: "pair".to_owned(), line: 0, a, b });
}

const DEEP: f64 = 1e-3;

/// Of a body of a tree with a fixed surface, in both orders.
#[test]
fn trees_on_the_ground() {
    let mut random = SplitMix64::new(17);
    for first in 0..9 {
        for floats in [false, true] {
            let mut model = with_law(&mut random, first, None);
            if floats {
                model = afloat(&model);
            }
            add_sphere(&mut model.bodies[6], 0.2);
            let normal = random.unit_vector();
            let below = position(&model, 6) - normal * (0.2 - DEEP);
            let rotation = nalgebra::Rotation3::rotation_between(&Vec3::z(), &normal).unwrap();
            let pose = Pose { rotation: rotation.into_inner(), translation: below };
            model.bodies.push(scene::fixed("wall", Shape::HalfSpace, pose));
            let order = if first % 2 == 0 { [6, 7] } else { [7, 6] };
            add_pair(&mut model, order[0], order[1]);
            let worst = miss(&model, IN_CONTACT);
            assert!(worst < TOLERANCE, "first {first}, floats {floats}: {worst:e}");
        }
    }
}

/// Between two bodies of one tree, and of two.
#[test]
fn trees_that_touch_themselves_and_each_other() {
    let mut random = SplitMix64::new(29);
    for first in 0..9 {
        for cut in [None, Some(0), Some(2), Some(4)] {
            let mut model = with_law(&mut random, first, cut);
            for (a, b) in [(6, 5), (2, 4)] {
                let apart = (position(&model, a) - position(&model, b)).norm();
                add_sphere(&mut model.bodies[a], 0.4 * apart);
                add_sphere(&mut model.bodies[b], 0.6 * apart + DEEP);
                add_pair(&mut model, a, b);
            }
            let worst = miss(&model, IN_CONTACT);
            assert!(worst < TOLERANCE, "first {first}, cut {cut:?}: {worst:e}");
        }
    }
}

/// Of a tree with a body that is free.
#[test]
fn free_bodies_beside_trees() {
    let mut random = SplitMix64::new(31);
    for first in 0..9 {
        let mut model = with_law(&mut random, first, None);
        add_sphere(&mut model.bodies[3], 0.2);
        let centre = position(&model, 3) + random.unit_vector() * (0.3 - DEEP);
        let mut free = scene::ball("free", 1.5, 0.1, centre);
        free.angular_velocity = random.vector_in_cube(2.0);
        free.velocity = random.vector_in_cube(0.3);
        free.orientation = random.rotation();
        model.bodies.push(free);
        add_pair(&mut model, 7, 3);
        let worst = miss(&model, IN_CONTACT);
        assert!(worst < TOLERANCE, "first {first}: {worst:e}");
    }
}

/// Couplings of coordinates of one tree and of several, one of them stated twice, with a motor that is a row beside them.
#[test]
fn couplings_and_motors_beside_them() {
    let mut random = SplitMix64::new(83);
    let mut tried = 0;
    for (number, mut model) in random_models().into_iter().enumerate() {
        let all = coordinates_of(&model, |kind| kind.axes().len());
        let mut couple = |name: &str, first: usize, factor: f64| {
            let terms: Vec<(JointCoordinate, f64)> = all
                .iter()
                .skip(first)
                .step_by(4)
                .take(2)
                .map(|at| (*at, factor * random.uniform(0.5, 2.0)))
                .collect();
            tried += terms.len();
            let kind = ConstraintKind::Coupling { terms, offset: Some(0.2) };
            Constraint { name: name.to_owned(), kind }
        };
        model.constraints = vec![couple("a", 0, 1.0), couple("b", 1, -1.5)];
        let ConstraintKind::Coupling { terms, offset } = model.constraints[0].kind.clone() else {
            unreachable!()
        };
        let terms = terms.into_iter().map(|(at, factor)| (at, 2.0 * factor)).collect();
        let kind = ConstraintKind::Coupling { terms, offset: offset.map(|offset| 2.0 * offset) };
        model.constraints.push(Constraint { name: "twice".to_owned(), kind });
        if let Some(at) = all.get(2) {
            let motor = Motor::Velocity(TimeFunction::Constant(0.4));
            model.joints[at.joint].elements[at.axis].motor = Some(motor);
        }
        let worst = miss(&model, SMOOTH);
        assert!(worst < TOLERANCE, "model {number}: {worst:e}");
    }
    assert!(tried > 20, "{tried}");
}

/// Three arms on balls, the lower link of arm k being body 2 k + 2.
fn arms_on_balls() -> Model {
    let mut random = SplitMix64::new(89);
    let (mut bodies, mut joints) = (vec![ground()], Vec::new());
    for arm in 0..3 {
        let inertia = Vec3::new(0.05, 0.06, 0.07);
        let (upper, lower) = (bodies.len(), bodies.len() + 1);
        bodies
            .extend([part(&format!("upper{arm}"), 1.2, inertia), part(&format!("lower{arm}"), 0.8, inertia)]);
        let kind = JointKind::Spherical;
        let mut ball =
            joint(&format!("ball{arm}"), kind, at(0, 2.0 * arm as f64, 0.0, 0.0), at(upper, -0.3, 0.0, 0.1));
        let q = random.rotation();
        ball.position = Some(vec![q.w, q.x, q.y, q.z]);
        ball.velocity = Some(vec![0.6, -0.9, 1.1]);
        let kind = JointKind::Revolute;
        let mut elbow =
            joint(&format!("elbow{arm}"), kind, at(upper, 0.3, 0.0, 0.0), at(lower, -0.2, 0.1, 0.0));
        elbow.velocity = Some(vec![0.7]);
        joints.extend([ball, elbow]);
    }
    mechanism(bodies, joints, 9.81, 1.0, 1e-9)
}

/// A gear between the elbows of two of these.
fn add_gear(model: &mut Model, arms: [usize; 2]) {
    let [a, b] = arms.map(|arm| JointCoordinate { joint: 2 * arm + 1, axis: 0 });
    let kind = ConstraintKind::Coupling { terms: vec![(a, 1.0), (b, -1.0)], offset: Some(0.0) };
    model.constraints.push(Constraint { name: format!("gear{}{}", arms[0], arms[1]), kind });
}

/// Elbows are coupled in a row: each tree sees how all of them are turned.
#[test]
fn couplings_between_trees_on_balls() {
    let mut model = arms_on_balls();
    add_gear(&mut model, [0, 1]);
    add_gear(&mut model, [1, 2]);
    let worst = miss(&model, SMOOTH);
    assert!(worst < TOLERANCE, "{worst:e}");
}

/// What touches one of two trees that are coupled pushes both: each sees where it is, before them or after them among the states.
#[test]
fn couplings_of_trees_that_others_touch() {
    for [touches, touched, other] in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
        let mut model = arms_on_balls();
        add_gear(&mut model, [touched, other]);
        let mut law = full_law(NormalKind::HuntCrossley, COULOMB);
        law.point.as_mut().unwrap().stiffness = Some(1e6);
        model.laws = vec![law];
        let [a, b] = [touches, touched].map(|arm| 2 * arm + 2);
        let apart = (position(&model, a) - position(&model, b)).norm();
        add_sphere(&mut model.bodies[a], 0.4 * apart);
        add_sphere(&mut model.bodies[b], 0.6 * apart + DEEP);
        add_pair(&mut model, a, b);
        let worst = miss(&model, IN_CONTACT);
        assert!(worst < TOLERANCE, "{touches} touches {touched}: {worst:e}");
    }
}

/// Stops that are pressed by a thousandth of a radian or metre.
#[test]
fn stops_of_joints() {
    let stop = Stop::Compliant { stiffness: Some(1e5), exponent: 1.5, restitution: 0.4 };
    let mut random = SplitMix64::new(37);
    let mut stops = 0;
    for first in 0..9 {
        let mut model = with_law(&mut random, first, None);
        for joint in model.joints.iter_mut().filter(|joint| !joint.kind.axes().is_empty()) {
            let position = joint.position.clone().unwrap();
            for (element, q) in joint.elements.iter_mut().zip(position) {
                let (lower, upper) = if q > 0.0 { (None, Some(q - 1e-3)) } else { (Some(q + 1e-3), None) };
                element.limit = Some(AxisLimit { lower, upper, stop });
                stops += 1;
            }
        }
        let worst = miss(&model, [1e-6, 1e-5]);
        assert!(worst < TOLERANCE, "first {first}: {worst:e}");
    }
    assert!(stops > 40);
}

/// Force elements of all kinds but cables, on trees, between them, and to the ground.
#[test]
fn force_elements() {
    let mut random = SplitMix64::new(47);
    for first in 0..9 {
        let mut model = with_law(&mut random, first, [None, Some(0), Some(3)][first % 3]);
        let mut frame = |body| Attachment {
            body,
            pose: Pose { rotation: random.rotation().to_matrix(), translation: random.vector_in_cube(0.4) },
        };
        let (stiffness, damping) = (40.0, 1.5);
        let [a, b] = [frame(1), frame(5)];
        let spring = ForceKind::SpringDamper { a, b, stiffness, damping, length: Some(0.7), actuator: None };
        let [a, b] = [frame(0), frame(4)];
        let bushing = ForceKind::Bushing {
            a,
            b,
            stiffness: Box::new(matrix_of(&[30.0, 20.0, 50.0, 3.0, 2.0, 4.0])),
            damping: Box::new(matrix_of(&[0.3, 0.2, 0.5, 0.03, 0.02, 0.04])),
        };
        let [a, b] = [frame(6), frame(2)];
        let torsion = ForceKind::TorsionSpring { a, b, stiffness, damping, angle: Some(0.1), actuator: None };
        let components = [3.0, -2.0, 5.0].map(TimeFunction::Constant);
        let force = |on, axes| ForceKind::Force { on, components: components.clone(), axes };
        let kinds = [
            spring,
            bushing,
            torsion,
            force(frame(3), ForceAxes::World),
            force(frame(5), ForceAxes::Body),
            ForceKind::Torque { on: frame(6), components: components.clone(), axes: ForceAxes::Body },
            ForceKind::Drag { on: frame(2), linear: 0.5, quadratic: 2.0, angular: 0.3 },
        ];
        let named = kinds.into_iter().enumerate();
        model.forces = named.map(|(k, kind)| Force { name: format!("force{k}"), kind }).collect();
        let worst = miss(&model, [1e-4, 1e-4]);
        assert!(worst < TOLERANCE, "first {first}: {worst:e}");
    }
}

fn matrix_of(diagonal: &[f64; 6]) -> Matrix6<f64> {
    Matrix6::from_diagonal(&Vector6::from_column_slice(diagonal))
}

/// The areal contact of a cube and a ball that both carry a pendulum.
#[test]
fn areal_contact_of_trees() {
    let mut random = SplitMix64::new(41);
    for base in [BaseSide::A, BaseSide::B, BaseSide::Both] {
        let turned = random.rotation().to_matrix();
        let mut model = collision(base, &turned, &random.vector_in_cube(1.0));
        model.bodies[1].position -= turned * Vec3::new(0.0, 0.0, 0.03);
        model.laws[0].v_reg = Some(0.5);
        for body in 0..2 {
            model.bodies.push(part(&format!("bob{body}"), 0.4, Vec3::new(0.01, 0.02, 0.015)));
            let (a, b) = (at(body, 0.1, 0.0, 0.2), at(2 + body, 0.0, 0.3, 0.1));
            let (a, b) = if body == 0 { (a, b) } else { (b, a) };
            let mut hinge = joint(&format!("hinge{body}"), JointKind::Revolute, a, b);
            hinge.velocity = Some(vec![1.5]);
            model.joints.push(hinge);
        }
        let worst = miss(&model, BETWEEN_ELEMENTS);
        assert!(worst < TOLERANCE, "{base:?}: {worst:e}");
    }
}

/// The manifold of two boxes, one on a universal joint: how its points move is guessed, which matters for shifts along the
/// faces, whose forces are a thousandth of those across them.
#[test]
fn convex_manifolds_nearly() {
    let half = Pose::identity();
    let lower = scene::fixed("lower", Shape::Box { half: Vec3::new(0.2, 0.2, 0.1) }, half);
    let mut upper = scene::block("upper", 1.0, Vec3::new(0.2, 0.2, 0.2), half);
    upper.position.z = 0.2 - 2e-4;
    upper.orientation = Quaternion::from_rotation_vector(&Vec3::new(2e-4, -1e-4, 0.3));
    let mut law = full_law(NormalKind::HuntCrossley, COULOMB);
    law.point.as_mut().unwrap().stiffness = Some(1e7);
    let mut model = scene::model(vec![lower, upper], law, 9.81, 1.0, 1e-6);
    model.contact_lines[0].method = Method::Auto;
    let mut hinge = joint(
        "hinge",
        JointKind::Universal { second: Vec3::x() },
        at(0, 0.0, 0.0, 0.5),
        at(1, 0.0, 0.0, 0.3),
    );
    hinge.velocity = Some(vec![0.1, 0.05]);
    model.joints.push(hinge);
    let worst = crate::tangent::miss_above(&model, 1.0);
    assert!(worst < 0.01, "{worst:e}");
}

/// Two point masses on strings of length l, one below the other, vibrate at ω² = (2 ± √2) g/l (Landau & Lifshitz, Mechanics,
/// § 23, problem 2, for equal masses and lengths).
#[test]
fn double_pendulum_vibrates_as_known() {
    let (g, l) = (9.81, 0.7);
    // Points, but for what rounding leaves of the frequencies at 1e-9 l².
    let bob = |name: &str| part(name, 1.3, Vec3::new(1e-9, 1e-9, 1e-9));
    let mut joints = vec![
        joint("upper", JointKind::Revolute, at(0, 0.3, -0.2, 1.0), at(1, 0.0, 0.0, l)),
        joint("lower", JointKind::Revolute, at(1, 0.0, 0.0, 0.0), at(2, 0.0, 0.0, l)),
    ];
    // About y.
    let y_axis = Quaternion::from_axis_angle(&Vec3::x(), -std::f64::consts::FRAC_PI_2).to_matrix();
    for joint in &mut joints {
        joint.a.pose.rotation = y_axis;
        joint.b.pose.rotation = y_axis;
    }
    let model = mechanism(vec![ground(), bob("first"), bob("second")], joints, g, 1.0, 1e-9);
    let system = System::compile(&model).unwrap();
    let mut rates = Rates::new(&system);
    let y = rates.initial().to_vec();
    let matrix = closed(&mut rates, &y);
    let mut found: Vec<f64> = matrix.complex_eigenvalues().iter().map(|s| s.im * s.im).collect();
    found.sort_by(f64::total_cmp);
    let root = 2.0_f64.sqrt();
    for (found, want) in found.iter().zip([2.0 - root, 2.0 - root, 2.0 + root, 2.0 + root]) {
        let off = found / (want * g / l) - 1.0;
        assert!(off.abs() < 1e-7, "{found} {off:e}");
    }
}
