//! The algorithms of trees against each other, against differences, and against Newton's laws.

use carom_engine::analysis::{Dynamics, Loads};
use carom_engine::model::{Coordinates, JointKind};
use carom_engine::{Model, System};
use carom_math::{Mat3, Quaternion, Vec3};
use carom_testkit::SplitMix64;
use nalgebra::{DMatrix, DVector};

use crate::mechanism::{at, joint, mechanism, part, random_tree};
use crate::scene;

fn random_vector(random: &mut SplitMix64, n: usize) -> DVector<f64> {
    DVector::from_fn(n, |_, _| random.uniform(-1.0, 1.0))
}

/// Trees whose joints are of all kinds in turn, in both directions; the last hang in the air as free bodies.
pub(crate) fn random_models() -> Vec<Model> {
    let mut random = SplitMix64::new(23);
    let grounded = (0..9).map(|first| {
        let (bodies, joints) = random_tree(&mut random, 9, first);
        mechanism(bodies, joints, 9.81, 1.0, 1e-9)
    });
    let mut models: Vec<Model> = grounded.collect();
    let floating: Vec<Model> = models.iter().map(afloat).collect();
    models.extend(floating);
    models
}

/// The same without the joint to the ground.
pub(crate) fn afloat(model: &Model) -> Model {
    let mut model = model.clone();
    model.joints.retain(|j| j.a.body != 0 && j.b.body != 0);
    for body in model.bodies.iter_mut().skip(1) {
        body.velocity = Vec3::new(0.3, -0.2, 0.1);
        body.angular_velocity = Vec3::new(0.5, 0.4, -0.6);
    }
    model
}

#[test]
fn articulated_bodies_invert_the_mass_matrix() {
    let mut random = SplitMix64::new(5);
    for (number, model) in random_models().iter().enumerate() {
        let system = System::compile(model).unwrap();
        let mut dynamics = Dynamics::new(&system);
        let n = system.freedoms();
        for loads in [Loads::Nothing, Loads::Gravity, Loads::All] {
            let efforts = random_vector(&mut random, n);
            let mass = dynamics.mass_matrix();
            let right = &efforts - dynamics.bias_forces(loads);
            let want = mass.clone().cholesky().unwrap().solve(&right);
            let found = dynamics.forward_dynamics(&efforts, loads).unwrap();
            let error = (&found - &want).norm() / want.norm();
            assert!(error < 1e-10, "model {number}, {loads:?}: {error:.2e}");
            let back = dynamics.inverse_dynamics(&found, loads);
            let error = (&back - &efforts).norm() / (mass.norm() * found.norm());
            assert!(error < 1e-13, "model {number}, {loads:?}: {error:.2e}");
        }
    }
}

#[test]
fn kinetic_energy_is_that_of_the_mass_matrix() {
    for model in random_models() {
        let system = System::compile(&model).unwrap();
        let dynamics = Dynamics::new(&system);
        let v = dynamics.velocities();
        let by_matrix = 0.5 * v.dot(&(dynamics.mass_matrix() * &v));
        let by_body = kinetic_energy(&model, &dynamics);
        assert!((by_matrix - by_body).abs() < 1e-12 * by_body, "{by_matrix} {by_body}");
    }
}

/// Momentum, angular momentum about the world's origin, and kinetic energy, by Newton's definitions.
fn momenta(model: &Model, dynamics: &Dynamics<'_>) -> (Vec3, Vec3, f64) {
    let mut sum = (Vec3::zeros(), Vec3::zeros(), 0.0);
    for (body, state) in model.bodies.iter().zip(dynamics.bodies()).filter(|(b, _)| !b.fixed) {
        let r = state.orientation.to_matrix();
        let arm = r * body.com;
        let velocity = state.velocity + state.angular_velocity.cross(&arm);
        let spin = r * body.inertia * r.transpose() * state.angular_velocity;
        sum.0 += velocity * body.mass;
        sum.1 += (state.position + arm).cross(&(velocity * body.mass)) + spin;
        sum.2 += 0.5 * (body.mass * velocity.norm_squared() + state.angular_velocity.dot(&spin));
    }
    sum
}

fn kinetic_energy(model: &Model, dynamics: &Dynamics<'_>) -> f64 {
    momenta(model, dynamics).2
}

#[test]
fn jacobians_are_derivatives_of_points() {
    let mut random = SplitMix64::new(8);
    for model in random_models() {
        let system = System::compile(&model).unwrap();
        let mut dynamics = Dynamics::new(&system);
        let state = dynamics.state().to_vec();
        let (n, body) = (system.freedoms(), model.bodies.len() - 1);
        let point = random.vector_in_cube(1.0);
        let jacobian = dynamics.point_jacobian(body, &point);
        let velocity = &jacobian * dynamics.velocities();
        let now = dynamics.bodies()[body];
        let arm = now.orientation.to_matrix() * point;
        let want = now.velocity + now.angular_velocity.cross(&arm);
        assert!((velocity.fixed_rows::<3>(3) - want).norm() < 1e-13);
        assert!((velocity.fixed_rows::<3>(0) - now.angular_velocity).norm() < 1e-13);
        let h = 1e-5;
        let mut numbers = DMatrix::zeros(6, n);
        for f in 0..n {
            let mut ends = [1.0, -1.0].map(|sign| {
                let mut d = DVector::zeros(n);
                d[f] = sign * h;
                let there = dynamics.displaced_state(&d);
                dynamics.set_state(0.0, &there);
                let frame = dynamics.bodies()[body];
                dynamics.set_state(0.0, &state);
                (frame.position + frame.orientation.to_matrix() * point, frame.orientation)
            });
            ends[1].1 = ends[1].1.conjugate();
            let turn = ends[0].1.multiply(&ends[1].1).to_rotation_vector();
            numbers.fixed_view_mut::<3, 1>(0, f).copy_from(&(turn / (2.0 * h)));
            numbers.fixed_view_mut::<3, 1>(3, f).copy_from(&((ends[0].0 - ends[1].0) / (2.0 * h)));
        }
        let error = (numbers - jacobian).amax();
        assert!(error < 1e-9, "{error:.2e}");
    }
}

/// A state and efforts a little away, along freedoms.
type Moved<'a> = dyn Fn(&Dynamics<'_>, &DVector<f64>) -> (Vec<f64>, DVector<f64>) + 'a;

/// Derivatives of forward dynamics by positions, velocities and efforts, of trees of all joints, grounded and afloat, under all
/// loads: against central differences of fourth order, 1e-7 of the norms; M⁻¹ also against M.
#[test]
fn derivatives_are_those_of_forward_dynamics() {
    let mut random = SplitMix64::new(31);
    for (number, model) in random_models().iter().enumerate() {
        let system = System::compile(model).unwrap();
        let mut dynamics = Dynamics::new(&system);
        let n = system.freedoms();
        let velocities = random_vector(&mut random, n);
        let start = dynamics.displaced_state(&(random_vector(&mut random, n) * 0.3));
        dynamics.set_state(0.0, &start);
        let start = dynamics.state_with_velocities(&velocities);
        let efforts = random_vector(&mut random, n);
        for loads in [Loads::Nothing, Loads::Gravity, Loads::All] {
            dynamics.set_state(0.0, &start);
            let found = dynamics.derivatives(&efforts, loads).unwrap().unwrap();
            assert_eq!(found.accelerations, dynamics.forward_dynamics(&efforts, loads).unwrap());
            let identity = dynamics.mass_matrix() * &found.by_effort;
            assert!((identity - DMatrix::identity(n, n)).amax() < 1e-9, "model {number}");
            let mut differences = |moved: &Moved<'_>| {
                DMatrix::from_columns(&Vec::from_iter((0..n).map(|f| {
                    let mut at = |step: f64| {
                        dynamics.set_state(0.0, &start);
                        let mut unit = DVector::zeros(n);
                        unit[f] = step;
                        let (state, efforts) = moved(&dynamics, &unit);
                        dynamics.set_state(0.0, &state);
                        dynamics.forward_dynamics(&efforts, loads).unwrap()
                    };
                    let h = 1e-3;
                    ((at(h) - at(-h)) * 8.0 - at(2.0 * h) + at(-2.0 * h)) / (12.0 * h)
                })))
            };
            let by_position = differences(&|d, step| (d.displaced_state(step), efforts.clone()));
            let by_velocity =
                differences(&|d, step| (d.state_with_velocities(&(d.velocities() + step)), efforts.clone()));
            let by_effort = differences(&|d, step| (d.state().to_vec(), &efforts + step));
            for (name, found, want) in [
                ("position", &found.by_position, by_position),
                ("velocity", &found.by_velocity, by_velocity),
                ("effort", &found.by_effort, by_effort),
            ] {
                let error = (found - &want).norm() / want.norm();
                assert!(error < 1e-7, "model {number}, {loads:?}, by {name}: {error:.2e}");
            }
        }
    }
}

/// The centre of mass moves as its Jacobian says, and is that of the momenta.
#[test]
fn the_centre_of_mass_moves_by_its_jacobian() {
    for model in random_models() {
        let system = System::compile(&model).unwrap();
        let mut dynamics = Dynamics::new(&system);
        let (mass, _) = dynamics.centre_of_mass();
        assert!((mass - model.bodies.iter().skip(1).map(|b| b.mass).sum::<f64>()).abs() < 1e-12 * mass);
        let velocity = dynamics.centre_of_mass_jacobian() * dynamics.velocities();
        let momentum = momenta(&model, &dynamics).0;
        assert!((velocity * mass - momentum).norm() < 1e-12 * mass);
        let (state, n, h) = (dynamics.state().to_vec(), system.freedoms(), 1e-5);
        let jacobian = dynamics.centre_of_mass_jacobian();
        for f in 0..n {
            let mut at = |step: f64| {
                let mut unit = DVector::zeros(n);
                unit[f] = step;
                let there = dynamics.displaced_state(&unit);
                dynamics.set_state(0.0, &there);
                let centre = dynamics.centre_of_mass().1;
                dynamics.set_state(0.0, &state);
                centre
            };
            let slope = (at(h) - at(-h)) / (2.0 * h);
            assert!((slope - jacobian.column(f)).norm() < 1e-9, "freedom {f}");
        }
    }
}

/// Springs within a tree that floats without gravity change neither its momentum nor its angular momentum.
#[test]
fn floating_trees_keep_their_momenta() {
    for (number, mut model) in random_models().into_iter().enumerate().skip(9) {
        model.gravity = Vec3::zeros();
        model.solver.t_end = 0.5;
        model.solver.rtol = 1e-11;
        let system = System::compile(&model).unwrap();
        let before = momenta(&model, &Dynamics::new(&system));
        let (outcome, keeper) = scene::run(&model);
        let mut after = (Vec3::zeros(), Vec3::zeros());
        for (body, state) in model.bodies.iter().zip(&outcome.bodies).filter(|(b, _)| !b.fixed) {
            let r = state.orientation.to_matrix();
            let arm = r * body.com;
            let velocity = state.velocity + state.angular_velocity.cross(&arm);
            after.0 += velocity * body.mass;
            after.1 += (state.position + arm).cross(&(velocity * body.mass))
                + r * body.inertia * r.transpose() * state.angular_velocity;
        }
        let (p, l) = ((after.0 - before.0).norm(), (after.1 - before.1).norm());
        assert!(p < 1e-9 && l < 1e-9, "model {number}: {p:.2e} {l:.2e}");
        assert!(outcome.residual_relative < 1e-9 && !keeper.frames.is_empty());
    }
}

/// The whole mechanism in another place and attitude moves the same.
#[test]
fn accelerations_do_not_depend_on_the_world_frame() {
    let turn = Quaternion::from_rotation_vector(&Vec3::new(0.7, -1.1, 0.4));
    let (r, shift) = (turn.to_matrix(), Vec3::new(30.0, -20.0, 10.0));
    for model in random_models().into_iter().take(9) {
        let mut moved = model.clone();
        moved.gravity = r * model.gravity;
        moved.bodies[0].position = shift;
        moved.bodies[0].orientation = turn;
        let accelerations = [model, moved].map(|model| {
            let system = System::compile(&model).unwrap();
            let mut dynamics = Dynamics::new(&system);
            let efforts = DVector::zeros(system.freedoms());
            dynamics.forward_dynamics(&efforts, Loads::All).unwrap()
        });
        let error = (&accelerations[0] - &accelerations[1]).norm() / accelerations[0].norm();
        assert!(error < 1e-10, "{error:.2e}");
    }
}

/// Newton's and Euler's laws for every body of a mechanism with loops: what joints, gravity and springs exert is the
/// rate of its momentum, whichever joints carry and whichever close.
#[test]
fn reactions_balance_every_body() {
    let mut random = SplitMix64::new(31);
    for coordinates in [Coordinates::Joint, Coordinates::Body] {
        for mut model in [spatial_loop(&mut random), random_models().swap_remove(2)] {
            model.solver.coordinates = coordinates;
            check_balance(&model);
        }
    }
}

/// Four bodies in a loop of balls and one universal joint, with springs on the last.
pub(crate) fn spatial_loop(random: &mut SplitMix64) -> Model {
    let (mut bodies, mut joints) = (vec![crate::mechanism::ground()], Vec::new());
    for index in 1..=4 {
        bodies.push(part(&format!("part{index}"), 1.0, Vec3::new(0.05, 0.06, 0.07)));
        let (a, b) = (at(index - 1, 0.25, 0.0, 0.0), at(index, -0.25, 0.0, 0.0));
        let (a, b) = if index == 3 { (b, a) } else { (a, b) };
        let mut ball = joint(&format!("ball{index}"), JointKind::Spherical, a, b);
        let q = Quaternion::from_rotation_vector(&(random.vector_in_cube(1.0) * 0.7));
        ball.position = Some(vec![q.w, q.x, q.y, q.z]);
        ball.velocity = Some(vec![0.3, -0.2, 0.5]);
        joints.push(ball);
    }
    let kind = JointKind::Universal { second: Vec3::x() };
    let mut closing = joint("closing", kind, at(4, 0.25, 0.0, 0.0), at(0, 0.4, 0.5, 0.1));
    closing.cut = true;
    for element in &mut closing.elements {
        element.spring = Some(carom_engine::model::AxisSpring { stiffness: 2.0, damping: 0.05, rest: 0.0 });
    }
    joints.push(closing);
    mechanism(bodies, joints, 9.81, 0.05, 1e-11)
}

pub(crate) fn check_balance(model: &Model) {
    let system = System::compile(model).unwrap();
    let mut dynamics = Dynamics::new(&system);
    let samples = dynamics.joint_samples().unwrap();
    let efforts = DVector::zeros(system.freedoms());
    let v_dot = dynamics.forward_dynamics(&efforts, Loads::All).unwrap();
    let now = dynamics.bodies();
    // Rate of momentum and of angular momentum about the centre of mass, by a step of the motion in both directions.
    let h = 1e-5;
    let motion = |sign: f64| {
        let mut probe = Dynamics::new(&system);
        let v = probe.velocities();
        let at_velocity = probe.state_with_velocities(&(&v + &v_dot * (sign * h)));
        probe.set_state(0.0, &at_velocity);
        // q(t ± h) = q displaced by ± v h to second order: the rest is even in h and cancels.
        let there = probe.displaced_state(&(&v * (sign * h) + &v_dot * (0.5 * h * h)));
        probe.set_state(0.0, &there);
        probe.bodies()
    };
    let (after, before) = (motion(1.0), motion(-1.0));
    for (index, body) in model.bodies.iter().enumerate().filter(|(_, b)| !b.fixed) {
        let momentum = |s: &carom_engine::record::BodyState| {
            let r: Mat3 = s.orientation.to_matrix();
            let velocity = s.velocity + s.angular_velocity.cross(&(r * body.com));
            (velocity * body.mass, r * body.inertia * r.transpose() * s.angular_velocity)
        };
        let (p1, l1) = momentum(&after[index]);
        let (p0, l0) = momentum(&before[index]);
        let (force, torque) = ((p1 - p0) / (2.0 * h), (l1 - l0) / (2.0 * h));
        let com = now[index].position + now[index].orientation.to_matrix() * body.com;
        let mut sum = (model.gravity * body.mass, Vec3::zeros());
        for (data, sample) in model.joints.iter().zip(&samples) {
            let frame = &now[data.b.body];
            let at = frame.position + frame.orientation.to_matrix() * data.b.pose.translation;
            for (on, sign) in [(data.b.body, 1.0), (data.a.body, -1.0)] {
                if on == index {
                    sum.0 += sample.force * sign;
                    sum.1 += (sample.torque + (at - com).cross(&sample.force)) * sign;
                }
            }
        }
        let (f, t) = ((sum.0 - force).norm(), (sum.1 - torque).norm());
        let coordinates = model.solver.coordinates;
        assert!(f < 1e-7 && t < 1e-7, "{} in {coordinates:?}: {f:.2e} N, {t:.2e} N m", body.name);
    }
}

/// Reactions of a mechanism without redundant constraints do not depend on the coordinates.
#[test]
fn reactions_are_the_same_in_both_coordinates() {
    let mut random = SplitMix64::new(37);
    for mut model in [spatial_loop(&mut random), random_models().swap_remove(4)] {
        let [joint, body] = [Coordinates::Joint, Coordinates::Body].map(|coordinates| {
            model.solver.coordinates = coordinates;
            let system = System::compile(&model).unwrap();
            Dynamics::new(&system).joint_samples().unwrap()
        });
        for ((a, b), data) in joint.iter().zip(&body).zip(&model.joints) {
            let (f, t) = ((a.force - b.force).norm(), (a.torque - b.torque).norm());
            assert!(f < 1e-8 && t < 1e-8, "{}: {f:.2e} {t:.2e}", data.name);
        }
    }
}
