//! Mechanisms: closed forms, and one formulation against another.

use carom_engine::function::TimeFunction;
use carom_engine::model::{
    Attachment, AxisElements, AxisSpring, Body, CableElasticity, CableLength, Constraint, ConstraintKind,
    Coordinates, Force, ForceKind, Joint, JointCoordinate, JointKind,
};
use carom_engine::record::{BodyState, EventKind};
use carom_engine::{Model, Outcome, System};
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::scene::{self, law};

/// A body without a surface, wherever its joints put it.
pub(crate) fn part(name: &str, mass: f64, inertia: Vec3) -> Body {
    let mut body = scene::ball(name, mass, 1.0, Vec3::zeros());
    body.inertia = Mat3::from_diagonal(&inertia);
    body.shapes.clear();
    body.pose_stated = false;
    body.velocity_stated = false;
    body
}

pub(crate) fn ground() -> Body {
    let mut body = scene::floor();
    body.name = "ground".to_owned();
    body.shapes.clear();
    body
}

pub(crate) fn at(body: usize, x: f64, y: f64, z: f64) -> Attachment {
    Attachment { body, pose: Pose::from_translation(Vec3::new(x, y, z)) }
}

pub(crate) fn joint(name: &str, kind: JointKind, a: Attachment, b: Attachment) -> Joint {
    let elements = vec![AxisElements::default(); kind.freedoms()];
    Joint { name: name.to_owned(), kind, a, b, cut: false, position: None, velocity: None, elements }
}

pub(crate) fn mechanism(bodies: Vec<Body>, joints: Vec<Joint>, gravity: f64, t_end: f64, rtol: f64) -> Model {
    let mut model = scene::model(bodies, law(carom_engine::law::NormalKind::None, 1.0), gravity, t_end, rtol);
    model.pairs.clear();
    model.joints = joints;
    model
}

fn in_body_coordinates(model: &Model) -> Model {
    let mut model = model.clone();
    model.solver.coordinates = Coordinates::Body;
    model
}

fn greatest_difference(a: &Outcome, b: &Outcome) -> f64 {
    let pairs = a.bodies.iter().zip(&b.bodies);
    pairs
        .map(|(a, b)| (a.position - b.position).norm().max((a.velocity - b.velocity).norm()))
        .fold(0.0, f64::max)
}

/// A physical pendulum about y, released from horizontal: its period is 4 √(J/(m g s)) K(sin²(θ₀/2)).
#[test]
fn pendulum_has_its_period() {
    let (mass, arm, inertia) = (1.3_f64, 0.7, 0.05);
    let about = inertia + mass * arm * arm;
    let modulus = libm::sin(0.25 * std::f64::consts::PI);
    let period = 4.0 * (about / (mass * 9.81 * arm)).sqrt() * carom_math::elliptic_k(modulus * modulus);
    let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.2, 0.0, 1.0), at(1, 0.0, 0.0, arm));
    let y_axis = Quaternion::from_axis_angle(&Vec3::x(), -std::f64::consts::FRAC_PI_2).to_matrix();
    for attachment in [&mut hinge.a, &mut hinge.b] {
        attachment.pose.rotation = y_axis;
    }
    hinge.position = Some(vec![std::f64::consts::FRAC_PI_2]);
    let bodies = vec![ground(), part("bob", mass, Vec3::new(0.03, inertia, 0.04))];
    let model = mechanism(bodies, vec![hinge], 9.81, period, 1e-11);
    for model in [in_body_coordinates(&model), model] {
        let (outcome, keeper) = scene::run(&model);
        let (first, last) = (&keeper.frames[0].bodies[1], &outcome.bodies[1]);
        assert!((first.position - last.position).norm() < 1e-8, "{:?}", first.position - last.position);
        assert!(last.velocity.norm() < 1e-8 && outcome.residual_relative < 1e-9);
    }
}

/// Closed planar four-bar: the same motion whichever joint is cut and whichever coordinates are used.
#[test]
fn four_bar_moves_the_same_in_all_coordinates() {
    let rod = |name: &str| part(name, 1.0, Vec3::new(0.001, 1.0 / 12.0, 1.0 / 12.0));
    let bodies = vec![ground(), rod("crank"), rod("coupler"), rod("rocker")];
    let revolute = |name: &str, a, b| joint(name, JointKind::Revolute, a, b);
    let quarter = 0.5 * std::f64::consts::PI;
    // Rods lie along their x axes; everything turns about z and falls along −y.
    let mut joints = vec![
        revolute("a", at(0, 0.0, 0.0, 0.0), at(1, -0.5, 0.0, 0.0)),
        revolute("b", at(1, 0.5, 0.0, 0.0), at(2, -0.6, 0.0, 0.0)),
        revolute("c", at(2, 0.6, 0.0, 0.0), at(3, 0.7, 0.0, 0.0)),
        revolute("d", at(0, 1.3, 0.0, 0.0), at(3, -0.7, 0.0, 0.0)),
    ];
    joints[0].position = Some(vec![quarter]);
    joints[0].velocity = Some(vec![3.0]);
    joints[1].position = Some(vec![-quarter]);
    let mut model = mechanism(bodies, joints, 0.0, 1.5, 1e-11);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    // The stated angles are not those of a closed loop: the crank's is not held either.
    let (reference, _) = scene::run(&model);
    assert!(reference.residual_relative < 1e-8);
    let (body, _) = scene::run(&in_body_coordinates(&model));
    assert!(greatest_difference(&reference, &body) < 1e-9, "{}", greatest_difference(&reference, &body));
    assert!(body.residual_relative < 1e-8);
}

const KINDS: [JointKind; 9] = [
    JointKind::Fixed,
    JointKind::Revolute,
    JointKind::Prismatic,
    JointKind::Cylindrical,
    JointKind::Screw { lead: 0.2 },
    JointKind::Universal { second: Vec3::new(0.8, 0.0, 0.6) },
    JointKind::Spherical,
    JointKind::Planar,
    JointKind::Free,
];

/// A random tree with springs on all scalar coordinates; `first` is the kind of its first joint. Joints point both
/// ways: some are carried against their direction.
pub(crate) fn random_tree(random: &mut SplitMix64, bodies: usize, first: usize) -> (Vec<Body>, Vec<Joint>) {
    let mut parts = vec![ground()];
    let mut joints = Vec::new();
    for index in 1..=bodies {
        let size = |r: &mut SplitMix64| 0.5 + r.uniform(0.0, 1.0);
        let (x, y, z) = (size(random), size(random), size(random));
        let mut body = part(&format!("part{index}"), size(random), Vec3::new(y + z, x + z, x + y) * 0.1);
        body.com =
            Vec3::new(random.uniform(0.0, 1.0), random.uniform(0.0, 1.0), random.uniform(0.0, 1.0)) * 0.2;
        parts.push(body);
        let parent = if index == 1 { 0 } else { (random.uniform(0.0, 1.0) * index as f64) as usize };
        let kind = KINDS[(first + index) % KINDS.len()];
        let mut frame = |body| Attachment {
            body,
            pose: Pose {
                rotation: Quaternion::from_rotation_vector(&vector(random)).to_matrix(),
                translation: vector(random) * 0.5,
            },
        };
        let (a, b) = (frame(parent), frame(index));
        let (a, b) = if index % 2 == 0 { (b, a) } else { (a, b) };
        let mut joint = joint(&format!("joint{index}"), kind, a, b);
        for element in joint.elements.iter_mut().filter(|_| !kind.axes().is_empty()) {
            element.spring = Some(AxisSpring { stiffness: 5.0, damping: 0.1, rest: 0.1 });
        }
        let mut q: Vec<f64> = (0..kind.coordinates()).map(|_| random.uniform(-0.5, 0.5)).collect();
        if let Some(quaternion) = match kind {
            JointKind::Spherical => Some(0),
            JointKind::Free => Some(3),
            _ => None,
        } {
            let r = Quaternion::from_rotation_vector(&vector(random));
            q[quaternion..].copy_from_slice(&[r.w, r.x, r.y, r.z]);
        }
        joint.position = Some(q);
        joint.velocity = Some((0..kind.freedoms()).map(|_| random.uniform(-0.5, 0.5)).collect());
        joints.push(joint);
    }
    (parts, joints)
}

fn vector(random: &mut SplitMix64) -> Vec3 {
    random.vector_in_cube(1.0)
}

/// Trees of all joint kinds, in both directions: joint and body coordinates agree, and energy balances.
#[test]
fn random_trees_move_the_same_in_both_coordinates() {
    let mut random = SplitMix64::new(7);
    for first in 0..9 {
        let (bodies, joints) = random_tree(&mut random, 5, first);
        let model = mechanism(bodies, joints, 9.81, 0.4, 1e-11);
        let (joint, _) = scene::run(&model);
        let (body, _) = scene::run(&in_body_coordinates(&model));
        let difference = greatest_difference(&joint, &body);
        assert!(difference < 1e-9, "first {first}: {difference:.2e}");
        for outcome in [&joint, &body] {
            assert!(outcome.residual_relative < 1e-9, "first {first}: {}", outcome.residual_relative);
        }
    }
}

/// Trees with one loop closed by each kind of joint, or by a distance.
#[test]
fn random_loops_move_the_same_in_both_coordinates() {
    let mut random = SplitMix64::new(11);
    for kind in [JointKind::Spherical, JointKind::Universal { second: Vec3::x() }, JointKind::Revolute] {
        // A chain of spherical joints leaves room for any closure.
        let (mut bodies, mut joints) = (vec![ground()], Vec::new());
        for index in 1..=4 {
            bodies.push(part(&format!("part{index}"), 1.0, Vec3::new(0.05, 0.06, 0.07)));
            let mut ball = joint(
                &format!("ball{index}"),
                JointKind::Spherical,
                at(index - 1, 0.25, 0.0, 0.0),
                at(index, -0.25, 0.0, 0.0),
            );
            let r = Quaternion::from_rotation_vector(&(vector(&mut random) * 0.7));
            ball.position = Some(vec![r.w, r.x, r.y, r.z]);
            ball.velocity = Some(vec![0.3, -0.2, 0.5]);
            joints.push(ball);
        }
        let mut closing = joint("closing", kind, at(4, 0.25, 0.0, 0.0), at(0, 0.4, 0.5, 0.1));
        closing.cut = true;
        for element in closing.elements.iter_mut().filter(|_| !kind.axes().is_empty()) {
            element.spring = Some(AxisSpring { stiffness: 2.0, damping: 0.05, rest: 0.0 });
        }
        joints.push(closing);
        let mut model = mechanism(bodies, joints, 9.81, 0.4, 1e-11);
        model.constraints.push(Constraint {
            name: "rod".to_owned(),
            kind: ConstraintKind::Distance { a: at(0, 0.0, 0.0, 1.0), b: at(2, 0.1, 0.0, 0.0), length: None },
        });
        let (joint, _) = scene::run(&model);
        let (body, _) = scene::run(&in_body_coordinates(&model));
        let difference = greatest_difference(&joint, &body);
        assert!(difference < 1e-9, "{kind:?}: {difference:.2e}");
        for outcome in [&joint, &body] {
            assert!(outcome.residual_relative < 1e-8, "{kind:?}: {}", outcome.residual_relative);
        }
    }
}

/// Two four-bar windows (problem A02 of the IFToMM library of multibody benchmarks): whenever the rods lie in one line
/// the constraints lose their rank, and rounding could fold it another way. It goes on as it came, with the uprights
/// parallel: a turning pendulum of one angle.
#[test]
fn singular_positions_are_passed() {
    let rod = |name: &str| part(name, 1.0, Vec3::new(1.0, 1.0, 1.0) / 12.0);
    let bodies =
        vec![ground(), rod("upright0"), rod("upright1"), rod("upright2"), rod("coupler0"), rod("coupler1")];
    let revolute = |name: &str, a, b, velocity: f64| {
        let mut hinge = joint(name, JointKind::Revolute, a, b);
        hinge.velocity = Some(vec![velocity]);
        hinge
    };
    let mut joints = Vec::new();
    for k in 0..3 {
        let foot = at(0, k as f64, 0.0, 0.0);
        joints.push(revolute(&format!("foot{k}"), foot, at(1 + k, 0.0, -0.5, 0.0), -1.0));
    }
    for k in 0..2 {
        joints.push(revolute(&format!("head{k}"), at(1 + k, 0.0, 0.5, 0.0), at(4 + k, -0.5, 0.0, 0.0), 1.0));
        let mut close = joint(
            &format!("close{k}"),
            JointKind::Revolute,
            at(4 + k, 0.5, 0.0, 0.0),
            at(2 + k, 0.0, 0.5, 0.0),
        );
        close.cut = true;
        joints.push(close);
    }
    let mut model = mechanism(bodies, joints, 0.0, 10.0, 1e-11);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    for model in [in_body_coordinates(&model), model] {
        let (outcome, _) = scene::run(&model);
        // tests/python/mechanism_models/four_bar.py: the upper end of an upright at 10 s; its middle is half as far.
        let want = Vec3::new(0.328458111534, 0.944518538181, 0.0) * 0.5;
        let found = outcome.bodies[1].position;
        let coordinates = model.solver.coordinates;
        assert!((found - want).norm() < 1e-8, "{coordinates:?}: {:.3e}", (found - want).norm());
        assert!(outcome.residual_relative < 1e-8, "{coordinates:?}: {:.3e}", outcome.residual_relative);
    }
}

/// A ball on an inextensible rope that is thrown up from its lowest point: at v² between 2 g L and 5 g L the rope goes slack
/// where m (v²/L + g cos θ) = 0, the ball flies on a parabola, and the rope snaps taut again.
#[test]
fn a_cable_goes_slack_where_its_tension_ends_and_snaps_taut_again() {
    let (g, length) = (10.0, 1.0);
    let speed_squared: f64 = 3.5 * g * length;
    let mut ball = part("ball", 2.0, Vec3::new(0.01, 0.01, 0.01));
    ball.position = Vec3::new(0.0, 0.0, -length);
    ball.velocity = Vec3::new(speed_squared.sqrt(), 0.0, 0.0);
    let mut model = mechanism(vec![ground(), ball], Vec::new(), g, 3.0, 1e-10);
    model.forces.push(Force {
        name: "rope".to_owned(),
        kind: ForceKind::Cable {
            path: vec![at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0)],
            length: CableLength { initial: None, rate: None },
            elasticity: None,
        },
    });
    let (outcome, keeper) = scene::run(&model);
    let slack = keeper.times(EventKind::ContactEnd)[0];
    // With θ from the lowest point: T = m (v²/L + g cos θ) = 0 and v² = v₀² − 2 g L (1 − cos θ).
    let cosine = -(speed_squared / (g * length) - 2.0) / 3.0;
    let before = keeper.frames.iter().rev().find(|f| f.time <= slack).expect("a frame");
    assert!(before.bodies[1].position.z < -cosine * length);
    assert!((before.bodies[1].position.norm() - length).abs() < 1e-10);
    // The parabola from there.
    let sine = (1.0 - cosine * cosine).sqrt();
    let speed = (-g * length * cosine).sqrt();
    let start = Vec3::new(length * sine, 0.0, -length * cosine);
    let velocity = Vec3::new(speed * cosine, 0.0, speed * sine);
    let flying = keeper.frames.iter().find(|f| f.time > slack + 0.05).expect("a frame");
    let t = flying.time - slack;
    let want = start + velocity * t - Vec3::new(0.0, 0.0, 0.5 * g * t * t);
    assert!(
        (flying.bodies[1].position - want).norm() < 1e-8,
        "{}",
        (flying.bodies[1].position - want).norm()
    );
    // Taut again at the other crossing of the circle, where the radial velocity is lost.
    let taut = keeper.times(EventKind::ContactBegin)[0];
    let off = taut - slack - 4.0 * speed * sine / g;
    assert!(off.abs() < 1e-8, "{off:e}");
    assert!(outcome.energy.dissipated_impact > 1.0);
    assert!(outcome.residual_relative < 1e-8, "{}", outcome.residual_relative);
}

/// Two rods that start stretched along x have to fold to reach a point on that line: no first derivative says how.
#[test]
fn a_stretched_chain_folds_to_close() {
    let rod = |name: &str| part(name, 1.0, Vec3::new(0.1, 0.1, 0.1));
    let bodies = vec![ground(), rod("first"), rod("second")];
    let joints = vec![
        joint("foot", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, -1.0, 0.0, 0.0)),
        joint("knee", JointKind::Revolute, at(1, 0.0, 0.0, 0.0), at(2, -1.0, 0.0, 0.0)),
    ];
    let mut model = mechanism(bodies, joints, 0.0, 0.1, 1e-9);
    model.joints.push(Joint {
        cut: true,
        ..joint("close", JointKind::Revolute, at(2, 0.0, 0.0, 0.0), at(0, 1.5, 0.0, 0.0))
    });
    let system = System::compile(&model).expect("it can close");
    let bodies = system.bodies_at_start();
    assert!((bodies[2].position - Vec3::new(1.5, 0.0, 0.0)).norm() < 1e-12);
    assert!((bodies[1].position.norm() - 1.0).abs() < 1e-12);
    assert!(system.notes().iter().any(|note| note.message.contains("bent")), "{:?}", system.notes());
    // Out of reach, the nearest miss is named.
    model.joints[2].b = at(0, 5.0, 0.0, 0.0);
    let problems = System::compile(&model).expect_err("it cannot close");
    assert!(problems[0].code == "E0330" && problems[0].message.contains("3.000e0"), "{problems:?}");
}

/// A rack of 2 cm per radian that starts 1 m off: the pinion and the rack move to where the offset holds, and stay.
#[test]
fn couplings_close_and_hold() {
    let bodies = vec![
        ground(),
        part("pinion", 1.0, Vec3::new(0.1, 0.1, 0.1)),
        part("rack", 1.0, Vec3::new(0.1, 0.1, 0.1)),
    ];
    let joints = vec![
        joint("turn", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0)),
        joint("slide", JointKind::Cylindrical, at(0, 1.0, 0.0, 0.0), at(2, 0.0, 0.0, 0.0)),
    ];
    let mut model = mechanism(bodies, joints, 9.81, 0.5, 1e-9);
    let coordinate = |joint, axis| JointCoordinate { joint, axis };
    model.constraints.push(Constraint {
        name: "rack".to_owned(),
        kind: ConstraintKind::Coupling {
            terms: vec![(coordinate(1, 1), 1.0), (coordinate(0, 0), -0.02)],
            offset: Some(1.0),
        },
    });
    let force = |name: &str, kind| Force { name: name.to_owned(), kind };
    model.forces.push(force(
        "twist",
        ForceKind::TorsionSpring {
            a: at(0, 0.0, 0.0, 0.0),
            b: at(1, 0.0, 0.0, 0.0),
            stiffness: 0.5,
            damping: 0.01,
            angle: None,
            actuator: None,
        },
    ));
    model.forces.push(force(
        "reel",
        ForceKind::Cable {
            path: vec![at(0, 0.0, 0.0, 5.0), at(2, 0.3, 0.0, 0.0)],
            length: CableLength { initial: None, rate: Some(TimeFunction::Constant(0.2)) },
            elasticity: Some(CableElasticity { stiffness: 100.0, damping: 1.0 }),
        },
    ));
    let start = System::compile(&model).expect("it can close").bodies_at_start();
    let turn_of = |body: &BodyState| 2.0 * libm::atan2(body.orientation.z, body.orientation.w);
    let offset = |bodies: &[BodyState]| bodies[2].position.z - 0.02 * turn_of(&bodies[1]);
    assert!((offset(&start) - 1.0).abs() < 1e-12);
    let (joint, _) = scene::run(&model);
    let (body, _) = scene::run(&in_body_coordinates(&model));
    assert!((offset(&joint.bodies) - 1.0).abs() < 1e-12);
    assert!((joint.bodies[2].position.z - start[2].position.z).abs() > 1e-3);
    let difference = greatest_difference(&joint, &body);
    assert!(difference < 1e-9, "{difference:.2e}");
    assert!(joint.residual_relative < 1e-8 && body.residual_relative < 1e-8);
}
