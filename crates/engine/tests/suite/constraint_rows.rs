//! Rows of constraints: bodies that hardly resist turning, and many rows.

use carom_engine::analysis::{Dynamics, Loads};
use carom_engine::model::{
    AxisElements, Constraint, ConstraintKind, Coordinates, JointCoordinate, JointKind,
};
use carom_engine::record::{Frame, JointSample, RecordError, Recorder};
use carom_engine::{Model, Outcome, Simulation, System};
use carom_math::{Mat3, Quaternion, Vec3};
use carom_testkit::SplitMix64;
use nalgebra::DVector;

use crate::mechanism::{at, ground, joint, mechanism, part};

/// Joints of the last frame.
#[derive(Default)]
struct Joints(Vec<JointSample>);

impl Recorder for Joints {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.0 = frame.joints.to_vec();
        Ok(())
    }
}

fn run(model: &Model, coordinates: Coordinates) -> (Outcome, Vec<JointSample>) {
    let mut model = model.clone();
    model.solver.coordinates = coordinates;
    let system = System::compile(&model).expect("a sound model");
    let mut joints = Joints::default();
    let outcome = Simulation::new(&system).run(&mut joints).expect("the recorder never fails");
    (outcome, joints.0)
}

/// A bob of 1 kg, 1 m from its hinge about z, let go level on the left under gravity along −y.
fn bob(inertia: Vec3, t_end: f64) -> Model {
    let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 1.0, 0.0));
    hinge.position = Some(vec![-0.5 * std::f64::consts::PI]);
    let mut model = mechanism(vec![ground(), part("bob", 1.0, inertia)], vec![hinge], 0.0, t_end, 1e-11);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    model
}

/// A moment of inertia I delays a pendulum of m l² = 1 by a share I/2, which after 10 s are some 20 I m. Body coordinates
/// follow the closed form for points (Jacobi's functions, tests/python/mechanism_models/pendulum.py) down to I = 0 as they
/// do for a body: the tolerance is that of the example `pendulum`.
#[test]
fn a_pendulum_with_hardly_any_inertia_swings_like_a_point() {
    let want = Vec3::new(-0.275087462576, -0.961419205099, 0.0);
    for inertia in [0.0, 1e-14, 1e-12, 1e-10] {
        let (outcome, _) = run(&bob(Vec3::repeat(inertia), 10.0), Coordinates::Body);
        let error = (outcome.bodies[1].position - want).norm();
        assert!(error < 1e-8, "I = {inertia:e}: {error:e}");
        assert!(outcome.residual_relative < 1e-10, "I = {inertia:e}: {:e}", outcome.residual_relative);
    }
    for inertia in [1e-9, 1e-7, 1e-5, 1e-3, 1.2e-3, 2e-3, 1e-2] {
        let model = bob(Vec3::repeat(inertia), 10.0);
        let [body, joint] = [Coordinates::Body, Coordinates::Joint].map(|c| run(&model, c).0);
        let error = (body.bodies[1].position - joint.bodies[1].position).norm();
        assert!(error < 2e-9, "I = {inertia:e}: {error:e}");
    }
}

/// At the lowest place a point mass let go level pulls with 3 m g; its hinge transmits no torque.
#[test]
fn a_point_mass_pulls_at_its_hinge_with_three_weights() {
    let quarter = 1.854_074_677_301_371_9 * (1.0_f64 / 9.81).sqrt();
    for coordinates in [Coordinates::Body, Coordinates::Joint] {
        let (_, joints) = run(&bob(Vec3::zeros(), quarter), coordinates);
        let force = joints[0].force - Vec3::new(0.0, 3.0 * 9.81, 0.0);
        assert!(force.norm() < 1e-6 && joints[0].torque.norm() < 1e-8, "{coordinates:?}: {:?}", joints[0]);
    }
}

/// Three point masses and a thin rod, without inertia about its axis, on hinges in a row.
#[test]
fn chains_of_points_move_the_same_in_both_coordinates() {
    let bodies = vec![
        ground(),
        part("first", 1.0, Vec3::zeros()),
        part("second", 0.3, Vec3::zeros()),
        part("rod", 0.5, Vec3::new(0.0, 0.02, 0.02)),
        part("last", 0.1, Vec3::zeros()),
    ];
    let mut joints: Vec<_> = (1..5)
        .map(|k| {
            let name = format!("hinge{k}");
            joint(&name, JointKind::Revolute, at(k - 1, 0.0, 0.0, 0.0), at(k, -0.4, 0.1, 0.0))
        })
        .collect();
    joints[0].position = Some(vec![-0.3]);
    joints[2].velocity = Some(vec![2.0]);
    let mut model = mechanism(bodies, joints, 0.0, 1.0, 1e-11);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let [(a, forces_a), (b, forces_b)] = [Coordinates::Joint, Coordinates::Body].map(|c| run(&model, c));
    for body in 1..5 {
        let distance = (a.bodies[body].position - b.bodies[body].position).norm();
        assert!(distance < 1e-8, "body {body}: {distance:e}");
        let [a, b] = [&forces_a, &forces_b].map(|f| (f[body - 1].force, f[body - 1].torque));
        // Forces follow the positions: some 1e3 N/m at these speeds.
        assert!((a.0 - b.0).norm() < 1e-5 && (a.1 - b.1).norm() < 1e-5, "joint {body}: {a:?} {b:?}");
    }
}

/// Where nothing holds a turning that nothing resists, the body is named.
#[test]
fn a_point_mass_that_may_turn_is_refused_by_name() {
    let mut on_rod = bob(Vec3::zeros(), 1.0);
    on_rod.joints.clear();
    on_rod.bodies[1].position = Vec3::new(-1.0, 0.0, 0.0);
    on_rod.bodies[1].pose_stated = true;
    let kind = ConstraintKind::Distance { a: at(0, 0.0, 0.0, 0.0), b: at(1, 0.0, 0.0, 0.0), length: None };
    on_rod.constraints.push(Constraint { name: "rod".to_owned(), kind });
    let mut on_ball = bob(Vec3::zeros(), 1.0);
    on_ball.joints[0].kind = JointKind::Spherical;
    on_ball.joints[0].elements = vec![AxisElements::default(); 3];
    on_ball.joints[0].position = None;
    let alone = {
        let mut model = bob(Vec3::zeros(), 1.0);
        model.joints.clear();
        model
    };
    for (model, coordinates) in [
        (&on_rod, Coordinates::Joint),
        (&on_rod, Coordinates::Body),
        (&on_ball, Coordinates::Joint),
        (&on_ball, Coordinates::Body),
        (&alone, Coordinates::Joint),
    ] {
        let mut model = model.clone();
        model.solver.coordinates = coordinates;
        let problems = match System::compile(&model) {
            Err(problems) => problems,
            Ok(system) => panic!("{coordinates:?}: {:?}", system.notes()),
        };
        let found: Vec<_> = problems.iter().map(|p| (p.code, p.path.as_str())).collect();
        assert_eq!(found, [("E0312", "body.bob.inertia")], "{coordinates:?}");
    }
}

/// Twenty rods: a hundred rows in body coordinates, which are sparse. Motion and reactions are those of joint
/// coordinates, which have no rows at all.
#[test]
fn a_long_chain_moves_the_same_with_sparse_rows() {
    let mut bodies = vec![ground()];
    let mut joints = Vec::new();
    for k in 1..=20 {
        bodies.push(part(&format!("rod{k}"), 1.0, Vec3::new(1e-3, 8.3e-4, 9e-4)));
        let inboard = if k == 1 { at(0, 0.0, 0.0, 0.0) } else { at(k - 1, 0.05, 0.0, 0.0) };
        let kind = if k % 3 == 0 { JointKind::Spherical } else { JointKind::Revolute };
        let mut hinge = joint(&format!("hinge{k}"), kind, inboard, at(k, -0.05, 0.0, 0.0));
        if k % 3 == 1 {
            hinge.velocity = Some(vec![0.3 * k as f64]);
        }
        joints.push(hinge);
    }
    let mut model = mechanism(bodies, joints, 0.0, 0.15, 1e-9);
    model.gravity = Vec3::new(0.0, -9.81, 3.0);
    let [(a, forces_a), (b, forces_b)] = [Coordinates::Joint, Coordinates::Body].map(|c| run(&model, c));
    for body in 1..=20 {
        let distance = (a.bodies[body].position - b.bodies[body].position).norm();
        assert!(distance < 1e-7, "body {body}: {distance:e}");
        let [a, b] = [&forces_a, &forces_b].map(|f| (f[body - 1].force, f[body - 1].torque));
        // Of some hundred N.
        assert!((a.0 - b.0).norm() < 1e-3 && (a.1 - b.1).norm() < 1e-4, "joint {body}: {a:?} {b:?}");
    }
    assert!(b.residual_relative < 1e-7, "{:e}", b.residual_relative);
}

/// Four-bar windows in a row, upright at the start with their upper ends at 1 m/s (problem A02 of the IFToMM library).
pub(crate) fn windows(count: usize, t_end: f64) -> Model {
    let rod = |name: String| part(&name, 1.0, Vec3::new(1.0, 1.0, 1.0) / 12.0);
    let mut bodies = vec![ground()];
    bodies.extend((0..=count).map(|k| rod(format!("upright{k}"))));
    bodies.extend((0..count).map(|k| rod(format!("coupler{k}"))));
    let (upright, coupler) = (|k: usize| 1 + k, |k: usize| 2 + count + k);
    let revolute = |name: String, a, b| joint(&name, JointKind::Revolute, a, b);
    let mut joints = Vec::new();
    for k in 0..=count {
        let mut foot =
            revolute(format!("foot{k}"), at(0, k as f64, 0.0, 0.0), at(upright(k), 0.0, -0.5, 0.0));
        foot.velocity = Some(vec![-1.0]);
        joints.push(foot);
    }
    for k in 0..count {
        let (head, tail) = (at(coupler(k), -0.5, 0.0, 0.0), at(coupler(k), 0.5, 0.0, 0.0));
        let mut carry = revolute(format!("head{k}"), at(upright(k), 0.0, 0.5, 0.0), head);
        carry.velocity = Some(vec![1.0]);
        let mut close = revolute(format!("close{k}"), tail, at(upright(k + 1), 0.0, 0.5, 0.0));
        close.cut = true;
        joints.extend([carry, close]);
    }
    let mut model = mechanism(bodies, joints, 0.0, t_end, 1e-11);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    model
}

/// Middle of the first upright of such windows while they stay parallel, by Runge and Kutta's method on the one angle ψ from
/// upright: with n windows (n + 1) (1/3) + n times ψ̈ is g/l ((n + 1)/2 + n) sin ψ.
pub(crate) fn upright(count: usize, time: f64) -> Vec3 {
    let n = count as f64;
    let k = 9.81 * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n);
    let steps = (time / 2e-4).ceil() as usize;
    let h = time / steps as f64;
    let (mut angle, mut speed) = (0.0, 1.0);
    let rate = |angle: f64, speed: f64| (speed, k * libm::sin(angle));
    for _ in 0..steps {
        let a = rate(angle, speed);
        let b = rate(angle + 0.5 * h * a.0, speed + 0.5 * h * a.1);
        let c = rate(angle + 0.5 * h * b.0, speed + 0.5 * h * b.1);
        let d = rate(angle + h * c.0, speed + h * c.1);
        angle += h / 6.0 * (a.0 + 2.0 * (b.0 + c.0) + d.0);
        speed += h / 6.0 * (a.1 + 2.0 * (b.1 + c.1) + d.1);
    }
    Vec3::new(libm::sin(angle), libm::cos(angle), 0.0) * 0.5
}

/// Sparse rows of which most repeat others, through positions where all windows lose rank at once: 60 rows of 12 windows in
/// joint coordinates, 65 of 4 in body coordinates.
#[test]
fn many_windows_pass_their_singular_positions() {
    for (count, coordinates) in [(12, Coordinates::Joint), (4, Coordinates::Body)] {
        let (outcome, joints) = run(&windows(count, 2.0), coordinates);
        let error = (outcome.bodies[1].position - upright(count, 2.0)).norm();
        assert!(error < 1e-8, "{coordinates:?}: {error:e}");
        assert!(outcome.residual_relative < 1e-9, "{coordinates:?}: {:e}", outcome.residual_relative);
        // Nothing acts across the plane: reactions of least norm have no part there.
        for sample in &joints {
            let across = sample.force.z.abs().max(sample.torque.x.abs()).max(sample.torque.y.abs());
            assert!(across < 1e-6, "{coordinates:?}: {sample:?}");
        }
    }
}

/// A weld beside a ball joint between the same bodies: its rows on positions say along the arm what rounding makes, and across it what the
/// rows on directions say. Both move as with the weld alone.
#[test]
fn a_weld_beside_a_ball_joint_is_a_weld() {
    for arm in [Vec3::zeros(), Vec3::new(0.0, 0.0, 0.15), Vec3::new(0.03, -0.11, 0.15)] {
        let on = |body: usize, side: f64| at(body, side * arm.x, side * arm.y, side * arm.z);
        let model = |ball: bool| {
            let inertia = Vec3::new(0.004, 0.005, 0.007);
            let mut bodies = vec![ground(), part("first", 1.0, inertia), part("second", 0.7, inertia)];
            (bodies[1].pose_stated, bodies[1].velocity_stated) = (true, true);
            bodies[1].angular_velocity = Vec3::new(1.0, 2.0, 3.0);
            let mut weld = joint("weld", JointKind::Fixed, on(1, 2.0), at(2, 0.0, 0.0, 0.0));
            weld.cut = ball;
            let mut joints = vec![weld];
            if ball {
                joints.push(joint("ball", JointKind::Spherical, on(1, 1.0), on(2, -1.0)));
            }
            mechanism(bodies, joints, 0.0, 1.0, 1e-9)
        };
        let [both, alone] = [true, false].map(|ball| run(&model(ball), Coordinates::Joint).0);
        for body in 1..3 {
            let (a, b) = (&both.bodies[body], &alone.bodies[body]);
            let off = (a.position - b.position).norm() + (a.angular_velocity - b.angular_velocity).norm();
            assert!(off < 1e-7, "{arm:?}: {off:e}");
        }
    }
}

/// A slider crank under gravity in its plane, its slide askew to that by as much as rounding, or ten digits of a file, leave of an axis: it moves as a
/// straight one. The row across the plane, which moved by that alone, locked it where it was an equation: "cannot close", by 0.14 m.
#[test]
fn a_slide_askew_by_rounding_slides() {
    let model = |askew: f64, cut: usize| {
        let slope = -(0.1 * (std::f64::consts::PI / 3.0).sin() / 0.3).asin();
        let far = 0.05 + 0.3 * slope.cos();
        let parts = [("crank", 0.004), ("rod", 0.01), ("pin", 1e-5)];
        let bodies = parts.map(|(name, inertia)| part(name, 1.0, Vec3::from_element(inertia)));
        let turn = |name: &str, a, b| joint(name, JointKind::Revolute, a, b);
        let mut slide = joint("slide", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(3, 0.0, 0.0, 0.0));
        let along_x = Mat3::new(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0);
        let tilt = Mat3::new(1.0, 0.0, -askew, 0.0, 1.0, 0.0, askew, 0.0, 1.0);
        (slide.a.pose.rotation, slide.b.pose.rotation) = (tilt * along_x, tilt * along_x);
        let mut joints = vec![
            turn("crank", at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0)),
            turn("pin", at(1, 0.1, 0.0, 0.0), at(2, 0.0, 0.0, 0.0)),
            turn("head", at(2, 0.3, 0.0, 0.0), at(3, 0.0, 0.0, 0.0)),
            slide,
        ];
        let angle = std::f64::consts::FRAC_PI_3;
        for (k, position) in [angle, slope - angle, -slope, far].into_iter().enumerate() {
            joints[k].position = (k != cut).then(|| vec![position]);
        }
        joints[cut].cut = true;
        let mut model = mechanism([vec![ground()], bodies.to_vec()].concat(), joints, 0.0, 1.0, 1e-9);
        model.gravity = Vec3::new(0.0, -9.81, 0.0);
        model
    };
    for coordinates in [Coordinates::Joint, Coordinates::Body] {
        for cut in [2, 3] {
            let straight = run(&model(0.0, cut), coordinates).0;
            for askew in [6e-17, 1e-15, 1e-13, 3e-11] {
                let (outcome, _) = run(&model(askew, cut), coordinates);
                let off = (1..4).map(|b| (outcome.bodies[b].position - straight.bodies[b].position).norm());
                let off = off.fold(0.0, f64::max);
                // Steps are others by rounding: errors of rtol over 1 s.
                assert!(off < 1e-7, "{coordinates:?}, cut at {cut}, {askew:e}: {off:e} m");
                let residual = outcome.residual_relative;
                assert!(residual < 1e-8, "{coordinates:?}, cut at {cut}, {askew:e}: {residual:e}");
            }
        }
    }
}

/// Robots of a turned free body, a ball joint, a fixed joint and a cylindrical joint one after the other, each beside an arm of two joints on
/// the ground and a free body, at rest. Rods are within the robot, between it and the ground, from the free body to it and to the arm;
/// couplings hold both coordinates of the cylindrical joint together, and the arm's joints with it.
fn woven(robots: usize, random: &mut SplitMix64) -> Model {
    let (mut bodies, mut joints, mut constraints) = (vec![ground()], Vec::new(), Vec::new());
    for robot in 0..robots {
        let (first, joint_of) = (bodies.len(), joints.len());
        for index in 0..7 {
            let size = random.uniform(0.5, 2.0);
            let mut body = part(&format!("b{robot}_{index}"), size, Vec3::new(0.05, 0.06, 0.07) * size);
            body.com = random.vector_in_cube(0.1);
            if [0, 6].contains(&index) {
                body.position = random.vector_in_cube(0.5) + Vec3::new(0.0, 3.0 * index as f64, 5.0);
                body.orientation = Quaternion::from_rotation_vector(&random.vector_in_cube(2.0));
                (body.pose_stated, body.velocity_stated) = (true, true);
            }
            bodies.push(body);
        }
        let kinds = [JointKind::Spherical, JointKind::Fixed, JointKind::Cylindrical];
        let chain = kinds.into_iter().enumerate().map(|(k, kind)| (kind, first + k, first + k + 1));
        let arm =
            [(JointKind::Revolute, 0, first + 4), (JointKind::Prismatic, first + 4, first + 5)].into_iter();
        for (kind, a, b) in chain.chain(arm) {
            let name = format!("j{}", joints.len());
            let mut joint = joint(&name, kind, at(a, 0.3, 0.1, 0.0), at(b, -0.3, 0.0, 0.2));
            for attachment in [&mut joint.a, &mut joint.b] {
                let turn = Quaternion::from_rotation_vector(&random.vector_in_cube(1.0));
                attachment.pose.rotation = turn.to_matrix();
            }
            joint.elements.iter_mut().for_each(|element| element.armature = random.uniform(0.05, 0.5));
            joints.push(joint);
        }
        let mut rod = |a: usize, b: usize| ConstraintKind::Distance {
            a: at(a, random.uniform(0.1, 0.3), -0.2, 0.1),
            b: at(b, 0.0, random.uniform(0.2, 0.4), -0.1),
            length: None,
        };
        let coordinate = |joint: usize, axis: usize| JointCoordinate { joint: joint_of + joint, axis };
        let coupling = |terms: Vec<(JointCoordinate, f64)>| ConstraintKind::Coupling { terms, offset: None };
        for kind in [
            rod(first, first + 2),
            rod(0, first + 3),
            rod(first + 6, first + 1),
            rod(first + 5, first + 6),
            coupling(vec![(coordinate(2, 0), 0.7), (coordinate(2, 1), -1.3)]),
            coupling(vec![(coordinate(3, 0), 1.0), (coordinate(4, 0), 2.0), (coordinate(2, 0), 0.5)]),
        ] {
            constraints.push(Constraint { name: format!("c{}", constraints.len()), kind });
        }
    }
    let mut model = mechanism(bodies, joints, 9.81, 1.0, 1e-9);
    model.constraints = constraints;
    model
}

/// From rest, what holds the rows takes a₀ = M⁻¹ (τ − h) to a₀ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G a₀, here with M and G as whole matrices, for
/// few rows and for so many that they are factored by envelopes. What is left are roundings, which the condition of some
/// 1e3 of the rows makes greater.
#[test]
fn rows_answer_as_whole_matrices_do() {
    let mut random = SplitMix64::new(20);
    for robots in [1, 3, 9] {
        let model = woven(robots, &mut random);
        let system = System::compile(&model).expect("a sound model");
        let mut dynamics = Dynamics::new(&system);
        let efforts = DVector::from_fn(system.freedoms(), |_, _| random.uniform(-3.0, 3.0));
        let found = dynamics.forward_dynamics(&efforts, Loads::All).unwrap();
        let mass = dynamics.mass_matrix().cholesky().unwrap();
        let rows = dynamics.constraint_jacobian(true);
        assert_eq!(rows.nrows(), 6 * robots);
        let free = mass.solve(&(&efforts - dynamics.bias_forces(Loads::All)));
        let responses = mass.solve(&rows.transpose());
        let matrix = (&rows * &responses).cholesky().expect("independent rows");
        let want = &free - responses * matrix.solve(&(&rows * &free));
        let error = (&found - &want).norm() / free.norm();
        assert!(error < 1e-11, "{robots} robots: {error:.2e}");
        assert!((&want - &free).norm() > 0.1 * free.norm(), "the rows hold little");
    }
}
