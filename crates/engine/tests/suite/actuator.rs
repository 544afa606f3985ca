//! Actuators along joint coordinates: closed forms behind gears and over several joints, ranges, controls that are set.
//!
//! Coordinates, speeds and energies are some 1 and runs have rtol = 1e-10: 1e-9 is ten times what one step may be off by, 1e-8 a hundred
//! times, where a motion swings or turns over many steps.

use carom_engine::analysis::{Dynamics, EquilibriumLimits};
use carom_engine::function::{Op, Program, TimeFunction};
use carom_engine::model::{
    Activation, ActivationKind, Actuator, AxisServo, Coordinates, Force, ForceKind, IntegratorKind, Joint,
    JointCoordinate, JointKind, StepControl,
};
use carom_engine::{ControlError, Model, Simulation, System};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::by_parts::image;
use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene::{self, Keeper};

const MASSES: [f64; 2] = [0.8, 1.7];

pub(crate) fn along(terms: &[(usize, f64)], control: f64) -> Actuator {
    Actuator {
        terms: terms.iter().map(|&(joint, factor)| (JointCoordinate { joint, axis: 0 }, factor)).collect(),
        control: TimeFunction::Constant(control),
        control_range: None,
        gain: 1.0,
        bias: 0.0,
        stiffness: 0.0,
        damping: 0.0,
        effort_range: None,
        activation: None,
    }
}

/// Two masses on slides of their own, side by side, without gravity.
fn slides(actuator: Actuator, t_end: f64) -> Model {
    let slide = |k: usize| {
        let x = k as f64;
        joint(&format!("slide{k}"), JointKind::Prismatic, at(0, x, 0.0, 0.0), at(k + 1, 0.0, 0.0, 0.0))
    };
    let bodies =
        vec![ground(), part("a", MASSES[0], Vec3::repeat(0.1)), part("b", MASSES[1], Vec3::repeat(0.1))];
    let mut model = mechanism(bodies, vec![slide(0), slide(1)], 0.0, t_end, 1e-10);
    model.forces = vec![Force { name: "drive".to_owned(), kind: ForceKind::Actuator(actuator) }];
    model
}

fn in_both_coordinates(model: &Model) -> [Model; 2] {
    let mut body = model.clone();
    body.solver.coordinates = Coordinates::Body;
    [model.clone(), body]
}

/// A tendon over two slides, l = f₁ q₁ + f₂ q₂ with stiffness k about its rest: m qᵢ̈ = −fᵢ k (l − l₀), so that l swings with
/// ω² = k (f₁²/m₁ + f₂²/m₂) and m₁ q₁/f₁ = m₂ q₂/f₂ at all times. Its work is the kinetic energy.
#[test]
fn a_tendon_over_two_joints_swings_in_closed_form() {
    let factors: [f64; 2] = [0.6, -1.4];
    let (stiffness, rest) = (90.0_f64, 0.25);
    let weight: f64 = factors.iter().zip(MASSES).map(|(f, m)| f * f / m).sum();
    let time = 0.3 * std::f64::consts::TAU / (stiffness * weight).sqrt();
    let tendon =
        Actuator { stiffness, bias: stiffness * rest, ..along(&[(0, factors[0]), (1, factors[1])], 0.0) };
    for kind in [IntegratorKind::Ode45, IntegratorKind::Radau5] {
        for mut model in in_both_coordinates(&slides(tendon.clone(), time)) {
            model.solver.method = kind;
            let (outcome, _) = scene::run(&model);
            let l = rest * (1.0 - libm::cos(0.3 * std::f64::consts::TAU));
            for ((body, factor), mass) in outcome.bodies[1..].iter().zip(factors).zip(MASSES) {
                let want = factor / mass * l / weight;
                assert!((body.position.z - want).abs() < 1e-8, "{kind:?}: {} {want}", body.position.z);
            }
            let energy = &outcome.energy;
            assert!((energy.work_motors - energy.kinetic).abs() < 1e-9 && energy.kinetic > 0.5, "{energy:?}");
            assert_eq!(energy.springs, 0.0);
        }
    }
}

/// Behind a gear n the control u of a motor acts as n u, and its own least and greatest effort as n times those: q = n e t²/(2 m).
#[test]
fn gears_and_ranges_on_both_sides() {
    let gear = -3.0;
    for (control, effort) in [(2.0, 2.0), (9.0, 4.0), (-0.2, -0.2), (-9.0, -0.5)] {
        let motor = Actuator { effort_range: Some([-0.5, 4.0]), ..along(&[(0, gear)], control) };
        let limited =
            Actuator { control_range: Some([-0.25, 2.0]), gain: 2.0, ..along(&[(0, gear)], 0.5 * control) };
        for actuator in [motor, limited] {
            for model in in_both_coordinates(&slides(actuator.clone(), 0.7)) {
                let body = scene::run(&model).0.bodies[1];
                let want = gear * effort * 0.7 * 0.7 / (2.0 * MASSES[0]);
                assert!((body.position.z - want).abs() < 1e-9, "{control}: {} {want}", body.position.z);
            }
        }
    }
}

/// Actuators of one slide, of which one acts on the other slide, too, exert no more than the range of the coordinate together, q = F t²/(2 m),
/// and what acts on the other one stays as it is. Springs, which have no gain, come on top. The work of all is the kinetic energy.
#[test]
fn actuators_of_a_coordinate_share_its_range() {
    let (pull, push, bias) = (-1.5, 4.0, 0.3);
    let shared = |range: [f64; 2], controls: [f64; 2]| {
        let mut model = slides(along(&[(0, 3.0)], controls[0]), 0.7);
        let spring = Actuator { gain: 0.0, bias, ..along(&[(0, 1.0)], 0.0) };
        for actuator in [along(&[(0, -2.0), (1, 0.5)], controls[1]), spring] {
            model.forces.push(Force { name: "other".to_owned(), kind: ForceKind::Actuator(actuator) });
        }
        model.joints[0].elements[0].actuator_range = Some(range);
        model
    };
    // Both together 12, −9 and 1, each beyond a range alone.
    for (controls, sum) in [([2.0, -3.0], push), ([-1.0, 3.0], pull), ([3.0, 4.0], 1.0)] {
        for kind in [IntegratorKind::Ode45, IntegratorKind::Radau5] {
            for mut model in in_both_coordinates(&shared([pull, push], controls)) {
                model.solver.method = kind;
                let (outcome, _) = scene::run(&model);
                let efforts = [sum + bias, 0.5 * controls[1]];
                for ((body, effort), mass) in outcome.bodies[1..].iter().zip(efforts).zip(MASSES) {
                    let want = effort * 0.7 * 0.7 / (2.0 * mass);
                    assert!(
                        (body.position.z - want).abs() < 1e-9,
                        "{controls:?}: {} {want}",
                        body.position.z
                    );
                }
                let energy = &outcome.energy;
                assert!((energy.work_motors - energy.kinetic).abs() < 1e-9, "{energy:?}");
            }
        }
    }
    let reversed = shared([push, pull], [0.0; 2]);
    let problems = reversed.validate();
    assert_eq!((problems[0].code, &*problems[0].path), ("E0323", "joint.slide0.actuators.force"));
}

/// A position servo as an actuator is that of the joint: gain k, stiffness k, the same greatest effort, the same moving target
/// where nothing damps.
#[test]
fn a_position_servo_is_that_of_the_joint() {
    let sine = [Op::Time, Op::Constant(5.0), Op::Mul, Op::Sin, Op::Constant(0.4), Op::Mul];
    let target = TimeFunction::Program(Program::new(sine.to_vec()).unwrap());
    let servo = AxisServo { stiffness: 60.0, damping: 0.0, target: target.clone(), effort: Some(6.0) };
    let actuator = Actuator {
        control: target,
        gain: 60.0,
        stiffness: 60.0,
        effort_range: Some([-6.0, 6.0]),
        ..along(&[(0, 1.0)], 0.0)
    };
    let with_actuator = slides(actuator, 1.5);
    let mut with_servo = with_actuator.clone();
    with_servo.forces.clear();
    with_servo.joints[0].elements[0].servo = Some(servo);
    let [a, b] = [with_actuator, with_servo].map(|model| scene::run(&model).0);
    assert!((a.bodies[1].position - b.bodies[1].position).norm() < 1e-9 && a.bodies[1].velocity.norm() > 0.1);
    assert!((a.energy.work_motors - b.energy.work_motors).abs() < 1e-9);
}

/// What is set while a run goes on acts from there on, also after a restart: +u and −u for as long leave the mass at rest.
#[test]
fn a_control_that_is_set_acts_from_there_on() {
    let system = System::compile(&slides(along(&[(0, 2.0)], 0.0), 1.0)).unwrap();
    let (mut run, mut rows) = (Simulation::new(&system), Keeper::default());
    run.advance_to(0.1, &mut rows).unwrap();
    run.set_load(0, Some([3.0, 0.0, 0.0])).unwrap();
    run.advance_to(0.4, &mut rows).unwrap();
    let bytes = run.checkpoint();
    let mut again = Simulation::resume(&system, &bytes).unwrap();
    for run in [&mut run, &mut again] {
        run.set_load(0, Some([-3.0, 0.0, 0.0])).unwrap();
        run.advance_to(0.7, &mut Keeper::default()).unwrap();
        let (q, v) = (run.state()[0], run.state()[1]);
        let want = 6.0 / MASSES[0] * 0.09;
        assert!((q - want).abs() < 1e-9 && v.abs() < 1e-9, "{q} {want}, {v}");
    }
    assert_eq!(image(&mut run), image(&mut again));
    assert_eq!(run.set_load(0, Some([f64::NAN, 0.0, 0.0])), Err(ControlError::NotFinite));
}

/// A filter from a₀ to a constant control: a = u + (a₀ − u) exp(−t/τ), and m q̈ = a twice integrated.
#[test]
fn a_filter_delays_the_control_in_closed_form() {
    let (u, initial, lag, t) = (1.5, -0.6, 0.2, 0.7);
    let decay = libm::exp(-t / lag);
    let speed = (u * t + (initial - u) * lag * (1.0 - decay)) / MASSES[0];
    let way = (0.5 * u * t * t + (initial - u) * lag * (t - lag * (1.0 - decay))) / MASSES[0];
    let filter = Activation { kind: ActivationKind::Filter, time_constant: lag, range: None, initial };
    // What is beyond the range of controls does not count.
    let actuator =
        Actuator { activation: Some(filter), control_range: Some([-1.0, u]), ..along(&[(0, 1.0)], 2.0 * u) };
    for kind in [IntegratorKind::Ode45, IntegratorKind::Dop853, IntegratorKind::Radau5, IntegratorKind::Bdf] {
        for mut model in in_both_coordinates(&slides(actuator.clone(), t)) {
            model.solver.method = kind;
            let body = scene::run(&model).0.bodies[1];
            let misses = [body.position.z - way, body.velocity.z - speed];
            assert!(misses.iter().all(|miss| miss.abs() < 1e-8), "{kind:?}: {misses:?}");
        }
    }
}

/// An integrator stops at its range and comes back from there at once; a restart goes on with the same bits.
#[test]
fn an_integrator_winds_up_to_its_range() {
    let integrator = Activation {
        kind: ActivationKind::Integrator,
        time_constant: 0.0,
        range: Some([-0.5, 0.3]),
        initial: 0.1,
    };
    let actuator = Actuator { activation: Some(integrator), gain: 4.0, ..along(&[(0, 1.0)], 2.0) };
    let system = System::compile(&slides(actuator, 1.0)).unwrap();
    let place = system.state_names().iter().position(|name| name == "drive.activation").unwrap();
    let mut run = Simulation::new(&system);
    assert_eq!(run.state()[place], 0.1);
    run.advance_to(0.5, &mut Keeper::default()).unwrap();
    assert_eq!(run.state()[place], 0.3);
    run.set_load(0, Some([-1.0, 0.0, 0.0])).unwrap();
    let bytes = run.checkpoint();
    let mut again = Simulation::resume(&system, &bytes).unwrap();
    for run in [&mut run, &mut again] {
        run.set_load(0, Some([-1.0, 0.0, 0.0])).unwrap();
        run.advance_to(0.8, &mut Keeper::default()).unwrap();
    }
    // a: from 0.1 to 0.3 in 0.1 s, there up to 0.5 s, then down to 0.
    let speed = 4.0 / MASSES[0] * (0.5 * (0.1 + 0.3) * 0.1 + 0.3 * 0.4 + 0.5 * 0.3 * 0.3);
    assert!((run.state()[1] - speed).abs() < 1e-8 && run.state()[place].abs() < 1e-9, "{:?}", run.state());
    assert_eq!(image(&mut run), image(&mut again));
}

/// A static equilibrium is that of filters which have come to their controls; an integrator that winds up has none.
#[test]
fn an_equilibrium_has_activations_at_rest() {
    let (stiffness, place) = (30.0, 0.4);
    let found = |kind: ActivationKind, control: f64| {
        let own = Activation { kind, time_constant: 0.2, range: Some([-1.0, place]), initial: -0.1 };
        let servo =
            Actuator { activation: Some(own), gain: stiffness, stiffness, ..along(&[(0, 1.0)], control) };
        let mut model = slides(servo, 1.0);
        let spring = ForceKind::Actuator(Actuator { stiffness, ..along(&[(1, 1.0)], 0.0) });
        model.forces.push(Force { name: "spring".to_owned(), kind: spring });
        let system = System::compile(&model).unwrap();
        Dynamics::new(&system).find_equilibrium(&EquilibriumLimits::default())
    };
    // Tolerance of the search: 1e-10 of the loads, which are some k a.
    for (kind, control, wanted) in [
        (ActivationKind::Filter, 0.25, 0.25),
        (ActivationKind::Filter, 2.0, place),
        (ActivationKind::Integrator, 0.0, -0.1),
    ] {
        let state = found(kind, control).unwrap().state;
        assert!((state[0] - wanted).abs() < 1e-9, "{kind:?} {control}: {state:?}");
    }
    let error = found(ActivationKind::Integrator, 0.5).unwrap_err();
    assert!(error.code == "E0607" && error.message.contains("drive"), "{error:?}");
}

/// Time stepping takes the activation along, of second order, and its work is what the masses have: forces act at the activation of the
/// middle of the step. Frames fall into the steps.
#[test]
fn time_stepping_follows_activations() {
    let (lag, t) = (0.2, 0.6);
    let filter = Activation { kind: ActivationKind::Filter, time_constant: lag, range: None, initial: 0.0 };
    let mut model = slides(Actuator { activation: Some(filter), ..along(&[(0, 1.0)], 1.0) }, t);
    model.solver.method = IntegratorKind::Moreau;
    let speed = (t - lag * (1.0 - libm::exp(-t / lag))) / MASSES[0];
    let mut miss = |h: f64| {
        model.solver.step = StepControl::Fixed(h);
        let outcome = scene::run(&model).0;
        assert!(outcome.residual_relative < 1e-12, "{:e}", outcome.residual_relative);
        (outcome.bodies[1].velocity.z - speed).abs()
    };
    // The midpoint rule misses h² (ȧ(t) − ȧ(0))/24 of the impulse.
    let [coarse, fine] = [miss(2e-3), miss(1e-3)];
    let expected = 1e-6 * (1.0 - libm::exp(-t / lag)) / lag / 24.0 / MASSES[0];
    assert!((3.9..4.1).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
    assert!((fine / expected - 1.0).abs() < 0.01, "{fine:e} {expected:e}");
}

/// A filter ten times faster than the step is at its control after it, and the speed misses no more than that step's impulse.
#[test]
fn time_stepping_takes_filters_of_any_speed() {
    let (h, t, range) = (2e-3, 0.1, Some([0.0, 0.7]));
    for range in [None, range] {
        let own = Activation { kind: ActivationKind::Filter, time_constant: 0.1 * h, range, initial: 0.0 };
        let mut model = slides(Actuator { activation: Some(own), ..along(&[(0, 1.0)], 1.0) }, t);
        model.solver.method = IntegratorKind::Moreau;
        model.solver.step = StepControl::Fixed(h);
        let system = System::compile(&model).unwrap();
        let place = system.state_names().iter().position(|name| name == "drive.activation").unwrap();
        let mut run = Simulation::new(&system);
        run.advance_to(t, &mut Keeper::default()).unwrap();
        let most = range.map_or(1.0, |[_, most]| most);
        assert!((run.state()[place] - most).abs() < 1e-12, "{:?}", run.state());
        let miss = run.state()[1] - most * t / MASSES[0];
        assert!(miss.abs() < most * h / MASSES[0], "{miss:e}");
    }
}

/// A body on a ball about its centre of mass, with the joint's axes turned in it, without gravity; an actuator along the turns.
fn on_a_ball(inertia: Vec3, axes: Mat3, gear: Vec3, actuator: Actuator, t_end: f64) -> Model {
    let mut on_body = at(1, 0.0, 0.0, 0.0);
    on_body.pose = Pose { rotation: axes, translation: Vec3::zeros() };
    let ball = joint("ball", JointKind::Spherical, at(0, 0.0, 0.0, 0.0), on_body);
    let mut model = mechanism(vec![ground(), part("top", 1.0, inertia)], vec![ball], 0.0, t_end, 1e-10);
    let terms = (0..3).map(|axis| (JointCoordinate { joint: 0, axis }, gear[axis]));
    let terms = terms.filter(|(_, factor)| *factor != 0.0).collect();
    model.forces =
        vec![Force { name: "drive".to_owned(), kind: ForceKind::Actuator(Actuator { terms, ..actuator }) }];
    model
}

/// A motor along B's joint axes goes with the body: about the axis of a symmetric one, ω₃ grows by g u/I₃, and ω₁ + i ω₂ turns by
/// (I₃ − I₁)/I₁ ∫ω₃ dt. With an axis of the world, ω₃ would not even keep growing. The motor's work is the kinetic energy.
#[test]
fn a_motor_on_a_ball_turns_with_the_body() {
    let ([across, along_axis], gear, u, t) = ([0.3, 0.12], -0.6, 0.4, 1.7);
    // M's x is the body's z.
    let axes = Mat3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0);
    for kind in [IntegratorKind::Ode45, IntegratorKind::Radau5] {
        let (inertia, gear) = (Vec3::new(across, across, along_axis), Vec3::new(gear, 0.0, 0.0));
        let mut model = on_a_ball(inertia, axes, gear, along(&[], u), t);
        model.solver.method = kind;
        let start = Vec3::new(0.7, -0.4, 1.1);
        model.joints[0].velocity = Some(axes.tr_mul(&start).as_slice().to_vec());
        let (outcome, _) = scene::run(&model);
        let spin = |t: f64| start.z + gear.x * u / along_axis * t;
        let phase = (along_axis - across) / across * t * 0.5 * (start.z + spin(t));
        let (s, c) = libm::sincos(phase);
        let want = Vec3::new(start.x * c - start.y * s, start.x * s + start.y * c, spin(t));
        let found = outcome.bodies[1].orientation.to_matrix().tr_mul(&outcome.bodies[1].angular_velocity);
        assert!((found - want).norm() < 1e-8, "{kind:?}: {found:?} {want:?}");
        let gained = 0.5 * along_axis * (spin(t).powi(2) - start.z.powi(2));
        assert!((outcome.energy.work_motors - gained).abs() < 1e-8, "{kind:?}: {:?}", outcome.energy);
    }
}

/// A servo along g on a ball with the same inertia I about all axes, from rest: the body turns about g alone, by
/// θ = (gain u/(k |g|)) (1 − cos ωt) with ω² = k |g|²/I, and l = |g| θ is the component of the rotation vector.
#[test]
fn a_servo_on_a_ball_swings_about_its_gear() {
    let (gear, inertia, stiffness) = (Vec3::new(0.8, -1.1, 0.5), 0.4, 3.0_f64);
    let (size, u) = (gear.norm(), 0.9);
    let omega = size * (stiffness / inertia).sqrt();
    let t = 0.4 * std::f64::consts::TAU / omega;
    for kind in [IntegratorKind::Ode45, IntegratorKind::Radau5] {
        let servo = Actuator { gain: stiffness, stiffness, ..along(&[], u) };
        let mut model = on_a_ball(Vec3::repeat(inertia), Mat3::identity(), gear, servo, t);
        model.solver.method = kind;
        let (outcome, _) = scene::run(&model);
        let want = gear * (u / (size * size) * (1.0 - libm::cos(omega * t)));
        let found = outcome.bodies[1].orientation.to_rotation_vector();
        assert!((found - want).norm() < 1e-8, "{kind:?}: {found:?} {want:?}");
        assert!((outcome.energy.work_motors - outcome.energy.kinetic).abs() < 1e-9, "{:?}", outcome.energy);
    }
}

/// A motor on a free joint pushes along A's joint axes and turns about B's: a body with the same inertia about all axes, whose centre of mass
/// B's frame is at, goes by c u t²/(2m) along x of F, and turns about x of M by d u t²/(2I).
#[test]
fn a_motor_on_a_free_joint_pushes_along_a_and_turns_about_b() {
    let (mass, inertia, u, t) = (1.0, 0.3, 0.7, 1.3);
    let [push, turn] = [1.6, -0.4];
    let turned =
        |axis: Vec3, angle: f64| Quaternion::from_rotation_vector(&(axis.normalize() * angle)).to_matrix();
    let (f, m) = (turned(Vec3::new(1.0, -2.0, 0.5), 0.8), turned(Vec3::new(0.3, 1.0, 1.0), -1.9));
    for kind in [IntegratorKind::Ode45, IntegratorKind::Radau5] {
        let mut model = on_a_ball(Vec3::repeat(inertia), m, Vec3::x(), along(&[], u), t);
        model.joints[0].kind = JointKind::Free;
        model.joints[0].a.pose.rotation = f;
        model.joints[0].elements = Vec::new();
        let ForceKind::Actuator(drive) = &mut model.forces[0].kind else { unreachable!("it has one") };
        drive.terms =
            [(0, push), (3, turn)].map(|(axis, k)| (JointCoordinate { joint: 0, axis }, k)).to_vec();
        model.solver.method = kind;
        let body = &scene::run(&model).0.bodies[1];
        let want = f * Vec3::x() * (push * u * t * t / (2.0 * mass));
        // Ten times the tolerance of the run, over its thousand steps or fewer.
        assert!((body.position - want).norm() < 1e-9, "{kind:?}: {:?} {want:?}", body.position);
        let want = f * turned(Vec3::x(), turn * u * t * t / (2.0 * inertia)) * m.transpose();
        let found = body.orientation.to_matrix();
        assert!((found - want).norm() < 1e-8, "{kind:?}: {found} {want}");
    }
}

/// A ball that closes a loop, or is in body coordinates, has no velocities of its own among the states.
#[test]
fn actuators_of_rotations_need_freedoms_of_the_state() {
    let drive = || on_a_ball(Vec3::repeat(0.1), Mat3::identity(), Vec3::x(), along(&[], 1.0), 0.1);
    let mut by_bodies = drive();
    by_bodies.solver.coordinates = Coordinates::Body;
    let mut closing = drive();
    closing.joints[0].cut = true;
    let free = |axis: usize, mut model: Model| {
        model.joints[0] = Joint {
            cut: model.joints[0].cut,
            ..joint("free", JointKind::Free, model.joints[0].a, model.joints[0].b)
        };
        let ForceKind::Actuator(drive) = &mut model.forces[0].kind else { unreachable!("it has one") };
        drive.terms[0].0.axis = axis;
        model
    };
    let frees = [1, 3, 5].map(|axis| [&by_bodies, &closing].map(|model| free(axis, model.clone())));
    for model in frees.into_iter().flatten().chain([by_bodies.clone(), closing.clone()]) {
        let problems = System::compile(&model).unwrap_err();
        let found: Vec<_> = problems.iter().map(|p| (p.code, p.path.as_str())).collect();
        assert_eq!(found, [("E0336", "force.drive.terms")], "{problems:?}");
    }
    System::compile(&drive()).unwrap();
}
