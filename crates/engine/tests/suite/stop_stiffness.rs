//! Stops that state no stiffness: what they give by, whatever else is in the model and however it is written down.

use carom_engine::function::{Interpolation, Op, Program, Table, TimeFunction};
use carom_engine::model::{
    Activation, ActivationKind, Actuator, AxisElements, AxisLimit, AxisServo, AxisSpring, Body, Force,
    ForceKind, Joint, JointKind, Motor, Stop,
};
use carom_engine::{Model, System};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::actuator::along;
use crate::ali3p::four_bar;
use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene::{block, run};

const G: f64 = 9.81;

/// Digits of a stiffness in the words of a law.
const PRINTED: f64 = 1e-6;

const SLIDES_AND_TURNS: [JointKind; 2] = [JointKind::Prismatic, JointKind::Revolute];

/// A cube of this edge, and of its inertia, where its joints put it.
fn cube(name: &str, mass: f64, edge: f64) -> Body {
    let mut body = block(name, mass, Vec3::from_element(edge), Pose::identity());
    (body.pose_stated, body.velocity_stated) = (false, false);
    body
}

fn shapeless(mut body: Body) -> Body {
    body.shapes.clear();
    body
}

fn stopped(mut joint: Joint, lower: Option<f64>, upper: Option<f64>) -> Joint {
    let stop = Stop::Compliant { stiffness: None, exponent: 1.5, restitution: 1.0 };
    joint.elements[0].limit = Some(AxisLimit { lower, upper, stop });
    joint
}

fn guide(kind: JointKind, a: usize, b: usize) -> Joint {
    joint("guide", kind, at(a, 0.0, 0.0, 0.0), at(b, 0.0, 0.0, 0.0))
}

/// A body on a joint along or about z with a stop just above where it starts.
fn before_a_stop(kind: JointKind, body: Body) -> Model {
    let guide = stopped(guide(kind, 0, 1), None, Some(1e-3));
    mechanism(vec![ground(), body], vec![guide], G, 1.0, 1e-9)
}

/// K of the stop of the joint of this name, in SI units.
fn stiffness_of(model: &Model, name: &str) -> f64 {
    let system = System::compile(model).expect("a sound model");
    let pair = system.info().pairs.iter().find(|pair| pair.line == format!("{name}.limit")).expect("a stop");
    let law = pair.law.strip_prefix("K = ").expect("a stiffness");
    law.split(' ').next().expect("a number").parse().expect("a number")
}

fn stiffness(model: &Model) -> f64 {
    stiffness_of(model, "guide")
}

#[track_caller]
fn assert_same(a: f64, b: f64) {
    assert!((a / b - 1.0).abs() < 2.0 * PRINTED, "{a:e} {b:e}");
}

/// To what is left of the start of a loop, too.
#[track_caller]
fn assert_close(a: f64, b: f64) {
    assert!((a / b - 1.0).abs() < 1e-5, "{a:e} {b:e}");
}

/// The deepest that a level body goes into the stop that it hits at a speed: its energy alone counts.
fn deepest(mut model: Model, speed: f64) -> f64 {
    model.joints[0].position = Some(vec![0.0]);
    model.joints[0].velocity = Some(vec![speed]);
    model.gravity = Vec3::new(G, 0.0, 0.0);
    model.solver.t_end = 0.1;
    run(&model).0.pairs[0].peaks.penetration.value
}

/// A stop gives by a hundredth of the size of what hits it, or of a radian, at the speed of a fall through that size: of a slide √(tr J/2m),
/// half an edge of a cube, of a turn √(J/m), edge/√6. With a shape and without, whatever the exponent.
#[test]
fn a_stop_gives_by_a_hundredth() {
    let edge = 0.3;
    let fall = (G * 0.5 * edge).sqrt();
    let spin = (G / (edge / 6.0_f64.sqrt())).sqrt();
    let cases = [(JointKind::Prismatic, fall, 5e-3 * edge), (JointKind::Revolute, spin, 0.01)];
    for (kind, speed, depth) in cases {
        for wanted in [1.0, 1.5] {
            for body in [cube("body", 1.2, edge), shapeless(cube("body", 1.2, edge))] {
                let mut model = before_a_stop(kind, body);
                if let Some(AxisLimit { stop: Stop::Compliant { exponent, .. }, .. }) =
                    &mut model.joints[0].elements[0].limit
                {
                    *exponent = wanted;
                }
                let found = deepest(model, speed);
                assert!((found / depth - 1.0).abs() < 1e-6, "{kind:?} {wanted}: {found} {depth}");
            }
        }
    }
}

/// A sticker of a quarter of a millimetre on a robot, and a shot of 300 m/s beside it, leave its stops as they are. The smallest shape of
/// the model made those of a slide a thousand times as stiff, the fastest body a hundred thousand times.
#[test]
fn what_a_joint_does_not_move_leaves_its_stop() {
    for kind in SLIDES_AND_TURNS {
        let alone = before_a_stop(kind, cube("body", 1.2, 0.3));
        let mut beside = alone.clone();
        let sticker = block("sticker", 1.0, Vec3::new(0.04, 0.04, 2.5e-4), Pose::identity());
        beside.bodies[1].shapes.extend(sticker.shapes);
        let mut shot = block("shot", 0.01, Vec3::from_element(0.01), Pose::identity());
        shot.position = Vec3::new(50.0, 0.0, 0.0);
        shot.velocity = Vec3::new(0.0, 300.0, 0.0);
        beside.bodies.push(shot);
        assert_eq!(stiffness(&alone), stiffness(&beside));
    }
}

/// Without gravity stops are as stiff as on earth: something else moves what they stop. What starts faster than it would fall is stopped
/// within the same hundredth, and one as fast in the state of its bodies as in that of its joint.
#[test]
fn stops_hold_without_gravity_and_fast_starts() {
    for (kind, size, fast) in [(JointKind::Prismatic, 0.15, 5.0), (JointKind::Revolute, 1.0, 40.0)] {
        let mut model = before_a_stop(kind, cube("body", 1.2, 0.3));
        let on_earth = stiffness(&model);
        model.gravity = Vec3::zeros();
        assert_eq!(stiffness(&model), on_earth);
        model.joints[0].velocity = Some(vec![fast]);
        assert!(stiffness(&model) > 4.0 * on_earth);
        let found = deepest(model.clone(), fast);
        assert!((found / (0.01 * size) - 1.0).abs() < 1e-6, "{kind:?}: {found}");
        let by_joint = stiffness(&model);
        (model.joints[0].velocity, model.bodies[1].velocity_stated) = (None, true);
        match kind {
            JointKind::Prismatic => model.bodies[1].velocity = Vec3::new(0.0, 0.0, fast),
            _ => model.bodies[1].angular_velocity = Vec3::new(0.0, 0.0, fast),
        }
        assert_same(stiffness(&model), by_joint);
    }
}

/// Narrow limits give by a hundredth of what lies between them: a slide of 2 mm that falls from the middle of it goes 0.02 mm beyond,
/// and a little for what it falls there. A turn of 0.02 rad is as much stiffer, by its way and its speed.
#[test]
fn narrow_limits_give_by_their_width() {
    let between = |kind: JointKind, half: f64| {
        let body = shapeless(cube("body", 1.2, 0.3));
        let guide = stopped(guide(kind, 0, 1), Some(-half), Some(half));
        mechanism(vec![ground(), body], vec![guide], G, 0.05, 1e-9)
    };
    let (outcome, _) = run(&between(JointKind::Prismatic, 1e-3));
    let found = outcome.pairs[0].peaks.penetration.value / 2e-3;
    // The fall goes on, for two hundredths of its way: 1.02^(1/2.5).
    assert!((0.01..0.0101).contains(&found), "{found}");
    for kind in SLIDES_AND_TURNS {
        // ½ (n + 1) J v²/δ^(n+1), v² and δ by the width.
        let ratio = stiffness(&between(kind, 0.01)) / stiffness(&between(kind, 0.04));
        assert!((ratio / 8.0 - 1.0).abs() < 1e-5, "{kind:?}: {ratio}");
    }
    assert_same(stiffness(&between(JointKind::Revolute, 0.5)), stiffness(&between(JointKind::Revolute, 2.0)));
}

/// An inertia that no part of this shape can have does not make a body larger than its farthest point: a finger of 4 cm by 2 cm by 12 cm
/// with that of a machine of 0.8 m gives by a hundredth of 6.4 cm.
#[test]
fn inertia_beyond_the_shape_does_not_soften_stops() {
    let mut finger = block("finger", 0.03, Vec3::new(0.04, 0.02, 0.12), Pose::identity());
    (finger.pose_stated, finger.velocity_stated) = (false, false);
    let reach = Vec3::new(0.02, 0.01, 0.06).norm();
    finger.inertia = shapeless(cube("machine", 0.03, 1.6)).inertia;
    let found = deepest(before_a_stop(JointKind::Prismatic, finger), (G * reach).sqrt());
    assert!((found / (0.01 * reach) - 1.0).abs() < 1e-6, "{found} of {reach}");
}

/// What is stated to push a coordinate beyond its limits, by whatever drives it, goes a hundredth of the way between them at most: 30 N
/// on such a finger stood a sixth of its way beyond. What holds it within pushes nothing.
#[test]
fn stated_efforts_go_a_hundredth_beyond() {
    let half = 0.0104;
    let elements = AxisElements::default;
    let spring = |rest| AxisSpring { stiffness: 2e3, damping: 0.0, rest };
    let servo = |target, effort| AxisServo {
        stiffness: 2e3,
        damping: 0.0,
        target: TimeFunction::Constant(target),
        effort,
    };
    let force = |effort| Some(Motor::Force(TimeFunction::Constant(effort)));
    let position =
        |range| Actuator { gain: 2e3, stiffness: 2e3, control_range: range, ..along(&[(0, 1.0)], 0.0) };
    let filter = Activation { kind: ActivationKind::Filter, time_constant: 0.1, range: None, initial: 0.0 };
    let integrator = Activation { kind: ActivationKind::Integrator, range: Some([-30.0, 7.0]), ..filter };
    let of_elements: Vec<(AxisElements, f64)> = vec![
        (AxisElements { motor: force(30.0), ..elements() }, 30.0),
        (AxisElements { motor: force(-30.0), ..elements() }, 30.0),
        (AxisElements { spring: Some(spring(half + 0.01)), ..elements() }, 20.0),
        (AxisElements { spring: Some(spring(-half - 0.01)), ..elements() }, 20.0),
        (AxisElements { spring: Some(spring(0.003)), ..elements() }, 0.0),
        // What a target may be set to, by the most that the servo gives.
        (AxisElements { servo: Some(servo(0.0, Some(30.0))), ..elements() }, 30.0),
        (AxisElements { servo: Some(servo(half + 0.02, None)), ..elements() }, 40.0),
        (AxisElements { servo: Some(servo(0.0, None)), ..elements() }, 0.0),
        (AxisElements { motor: force(30.0), spring: Some(spring(half + 0.01)), ..elements() }, 50.0),
    ];
    let of_actuators: Vec<(Actuator, f64)> = vec![
        (Actuator { control: TimeFunction::Constant(15.0), ..along(&[(0, 2.0)], 0.0) }, 30.0),
        (Actuator { control: TimeFunction::Constant(15.0), gain: 2.0, ..along(&[(0, -1.0)], 0.0) }, 30.0),
        (Actuator { control_range: Some([-0.3, 0.1]), gain: 100.0, ..along(&[(0, 1.0)], 0.0) }, 30.0),
        (Actuator { effort_range: Some([-30.0, 10.0]), ..along(&[(0, 1.0)], 0.0) }, 30.0),
        (Actuator { effort_range: Some([0.0, 30.0]), ..position(None) }, 30.0),
        (Actuator { bias: -30.0, ..along(&[(0, 1.0)], 0.0) }, 30.0),
        (position(Some([-half, half])), 0.0),
        (position(Some([-half, half + 0.015])), 30.0),
        (
            Actuator {
                control: TimeFunction::Constant(30.0),
                activation: Some(filter),
                ..along(&[(0, 1.0)], 0.0)
            },
            30.0,
        ),
        (Actuator { activation: Some(integrator), ..along(&[(0, 1.0)], 0.0) }, 30.0),
        // Without end: not stated.
        (
            Actuator {
                activation: Some(Activation { range: None, ..integrator }),
                ..along(&[(0, 1.0)], 0.0)
            },
            0.0,
        ),
    ];
    let finger = |elements: AxisElements| {
        let mut guide = guide(JointKind::Prismatic, 0, 1);
        guide.elements[0] = elements;
        let body = shapeless(cube("finger", 0.003, 0.12));
        mechanism(vec![ground(), body], vec![stopped(guide, Some(-half), Some(half))], G, 1.0, 1e-9)
    };
    let bare = stiffness(&finger(elements()));
    let way = 2.0 * half;
    let expect = |model: Model, effort: f64, which: usize| {
        let found = stiffness(&model);
        let wanted = bare.max(effort / (0.01 * way).powf(1.5));
        assert!((found / wanted - 1.0).abs() < 2.0 * PRINTED, "{which}: {found:e} {wanted:e}");
    };
    // An effort of 20 N is above what the fall of the finger asks for.
    assert!(bare < 20.0 / (0.01 * way).powf(1.5));
    for (which, (elements, effort)) in of_elements.into_iter().enumerate() {
        expect(finger(elements), effort, which);
    }
    for (which, (actuator, effort)) in of_actuators.into_iter().enumerate() {
        let mut model = finger(elements());
        model.forces = vec![Force { name: "drive".to_owned(), kind: ForceKind::Actuator(actuator) }];
        expect(model, effort, which);
    }
    // It stands there: 30 N less its weight.
    let mut pushed = finger(AxisElements { motor: force(30.0), ..elements() });
    if let Some(AxisLimit { stop: Stop::Compliant { restitution, .. }, .. }) =
        &mut pushed.joints[0].elements[0].limit
    {
        *restitution = 0.0;
    }
    let (outcome, _) = run(&pushed);
    let beyond = (outcome.bodies[1].position.z - half) / way;
    let wanted = 0.01 * (1.0 - 0.003 * G / 30.0_f64).powf(1.0 / 1.5);
    assert!((beyond / wanted - 1.0).abs() < 1e-3, "{beyond} {wanted}");
}

/// How long a run looks at a drive changes no stop: a ramp, and a saw tooth that never pushes with more than 3 N but of which intervals
/// of time know less the longer they are, state nothing. A table is stated whole, be the run over before its greatest value or not.
#[test]
fn stops_do_not_depend_on_how_long_a_run_is() {
    let program = |ops: &[Op]| TimeFunction::Program(Program::new(ops.to_vec()).expect("an expression"));
    let ramp = program(&[Op::Constant(2.0), Op::Time, Op::Mul]);
    let saw = program(&[Op::Constant(3.0), Op::Time, Op::Time, Op::Floor, Op::Sub, Op::Mul]);
    let table = Table::new(&[(0.0, 0.0), (5.0, 30.0), (6.0, -10.0)], Interpolation::Linear);
    let table = TimeFunction::Table(table.expect("a table"));
    let half = 0.0104;
    let finger = |function: &TimeFunction, which: usize, t_end: f64| {
        let mut guide = guide(JointKind::Prismatic, 0, 1);
        let elements = &mut guide.elements[0];
        let mut forces = Vec::new();
        match which {
            0 => elements.motor = Some(Motor::Force(function.clone())),
            1 => {
                let (target, stiffness) = (function.clone(), 1.0);
                elements.servo = Some(AxisServo { stiffness, damping: 0.0, target, effort: None });
            }
            _ => {
                let actuator = Actuator { control: function.clone(), ..along(&[(0, 1.0)], 0.0) };
                forces.push(Force { name: "drive".to_owned(), kind: ForceKind::Actuator(actuator) });
            }
        }
        let body = shapeless(cube("finger", 0.003, 0.12));
        let guide = stopped(guide, Some(-half), Some(half));
        let mut model = mechanism(vec![ground(), body], vec![guide], G, t_end, 1e-9);
        model.forces = forces;
        stiffness(&model)
    };
    for which in 0..3 {
        let bare = finger(&TimeFunction::Constant(0.0), which, 1.0);
        for t_end in [1.0, 100.0, 1e4] {
            assert_eq!(finger(&ramp, which, t_end), bare, "{which}: a ramp for {t_end} s");
            assert_eq!(finger(&saw, which, t_end), bare, "{which}: a saw tooth for {t_end} s");
            let stated = finger(&TimeFunction::Constant(30.0), which, t_end);
            assert!(
                stated > bare && stated == finger(&table, which, t_end),
                "{which}: a table for {t_end} s"
            );
        }
    }
}

/// What hangs on a joint counts, not the body that it names: a carriage of 1 cm that carries a cube of 30 cm has the stops of that cube,
/// along a rail and about a pivot, and on another joint across it too. By the carriage they were a hundred times stiffer.
#[test]
fn stops_go_by_all_that_hangs_on_a_joint() {
    for kind in SLIDES_AND_TURNS {
        let load = || shapeless(cube("load", 100.0, 0.3));
        let alone = stiffness(&before_a_stop(kind, load()));
        let carriage = || shapeless(cube("carriage", 1e-6, 0.01));
        for between in [JointKind::Fixed, JointKind::Prismatic] {
            // Along x, across the rail.
            let mut mount = joint("mount", between, at(1, 0.0, 0.0, 0.0), at(2, 0.0, 0.0, 0.0));
            if between == JointKind::Prismatic {
                let across = Quaternion::from_axis_angle(&Vec3::y(), std::f64::consts::FRAC_PI_2);
                for end in [&mut mount.a, &mut mount.b] {
                    end.pose.rotation = across.to_matrix();
                }
            }
            let mut model = before_a_stop(kind, carriage());
            model.bodies.push(load());
            model.joints.push(mount);
            assert_same(stiffness(&model), alone);
        }
    }
}

/// Two bodies that move freely: their stop is the same whichever the joint names first, whichever the model does, and whether a joint that
/// leaves all free ties one to the world; and it is that of the lesser, about as if the other were held.
#[test]
fn stops_do_not_depend_on_the_order_of_bodies() {
    let palm = || Body { pose_stated: true, ..cube("palm", 10.0, 0.2) };
    let finger = || cube("finger", 0.1, 0.03);
    let orders = |kind: JointKind| {
        let of = |bodies: [Body; 2], [a, b]: [usize; 2]| {
            let joint = stopped(guide(kind, a, b), Some(-0.3), Some(0.3));
            mechanism(bodies.into(), vec![joint], G, 1.0, 1e-9)
        };
        // The lesser hangs on nothing fixed all the same.
        let mut tied = of([finger(), palm()], [0, 1]);
        tied.bodies.push(ground());
        tied.bodies[1].pose_stated = false;
        tied.joints.push(joint("free", JointKind::Free, at(2, 0.0, 0.0, 0.0), at(0, 0.0, 0.0, 0.0)));
        let held = stopped(guide(kind, 0, 1), Some(-0.3), Some(0.3));
        let held = mechanism(vec![ground(), finger()], vec![held], G, 1.0, 1e-9);
        let free = [
            of([palm(), finger()], [0, 1]),
            of([palm(), finger()], [1, 0]),
            of([finger(), palm()], [0, 1]),
            of([finger(), palm()], [1, 0]),
            tied,
        ];
        (free.map(|model| stiffness(&model)), stiffness(&held))
    };
    for kind in SLIDES_AND_TURNS {
        let (free, held) = orders(kind);
        for other in &free[1..] {
            assert_same(free[0], *other);
        }
        // What resists is a hundredth less at most, 1/m and 1/J of the palm.
        assert!((0.985..1.0).contains(&(free[0] / held)), "{kind:?}: {free:?} {held}");
    }
}

/// The stops of all joints of a four-bar are the same whichever of its joints closes the loop.
#[test]
fn stops_do_not_depend_on_the_joint_that_is_cut() {
    let mut assembled = four_bar();
    let frames = run(&assembled).1.frames;
    for (body, state) in assembled.bodies.iter_mut().zip(&frames[0].bodies).skip(1) {
        (body.position, body.orientation, body.pose_stated) = (state.position, state.orientation, true);
    }
    let all = |cut: usize| {
        let mut model = assembled.clone();
        for (index, joint) in model.joints.iter_mut().enumerate() {
            *joint = stopped(joint.clone(), Some(-9.0), Some(9.0));
            (joint.position, joint.velocity, joint.cut) = (None, None, index == cut);
        }
        let names: Vec<String> = model.joints.iter().map(|joint| joint.name.clone()).collect();
        names.iter().map(|name| stiffness_of(&model, name)).collect::<Vec<f64>>()
    };
    let first = all(2);
    for cut in [1, 3] {
        for (a, b) in first.iter().zip(all(cut)) {
            assert_close(*a, b);
        }
    }
}

/// A crank of 10 cm at 60 degrees, a rod of 30 cm, and what slides on a rail, with a stop on the rail and one on the crank: the first body of
/// it is on the rod and on the rail, the others are welded to that. Places are from that first one.
fn slider_crank(sliding: &[(Body, Vec3)], cut: usize) -> Model {
    let angle = std::f64::consts::FRAC_PI_3;
    let pin = Vec3::new(0.1 * angle.cos(), 0.1 * angle.sin(), 0.0);
    let slope = -(pin.y / 0.3).asin();
    let head = Vec3::new(pin.x + 0.3 * slope.cos(), 0.0, 0.0);
    let placed = |mut body: Body, position: Vec3, turned: f64| {
        (body.position, body.pose_stated) = (position, true);
        body.orientation = Quaternion::from_axis_angle(&Vec3::z(), turned);
        body
    };
    let long = |name: &str, inertia| part(name, 1.0, Vec3::from_element(inertia));
    let mut bodies = vec![
        ground(),
        placed(long("crank", 0.004), Vec3::zeros(), angle),
        placed(long("rod", 0.01), pin, slope),
    ];
    let mut slide = joint("slide", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(3, 0.0, 0.0, 0.0));
    for end in [&mut slide.a, &mut slide.b] {
        // Along x to the last bit.
        end.pose.rotation = Mat3::new(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0);
    }
    let turn = |name: &str, a, b| joint(name, JointKind::Revolute, a, b);
    let mut joints = vec![
        stopped(turn("crank", at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0)), Some(-9.0), Some(9.0)),
        turn("pin", at(1, 0.1, 0.0, 0.0), at(2, 0.0, 0.0, 0.0)),
        turn("head", at(2, 0.3, 0.0, 0.0), at(3, 0.0, 0.0, 0.0)),
        stopped(slide, None, Some(1.0)),
    ];
    for (index, (body, place)) in sliding.iter().enumerate() {
        bodies.push(placed(body.clone(), head + place, 0.0));
        if index > 0 {
            let on = at(3, place.x, place.y, place.z);
            let weld = joint(&body.name, JointKind::Fixed, on, at(3 + index, 0.0, 0.0, 0.0));
            joints.push(weld);
        }
    }
    for (joint, position) in [angle, slope - angle, -slope, head.x].into_iter().enumerate() {
        joints[joint].position = (joint != cut).then(|| vec![position]);
    }
    joints[cut].cut = true;
    mechanism(bodies, joints, G, 1.0, 1e-9)
}

/// In a loop a rigid body counts as what it is, not as it is written down: a block of 2 kg, one body, or two halves on a pin of next to
/// no mass, has one stop; and a pin alone, which the rail names, does not set it: the crank and the rod do. By the pin alone it was
/// a thousand times as stiff.
#[test]
fn stops_in_loops_go_by_all_that_moves_in_them() {
    let still = Vec3::zeros();
    let pin = |mass: f64| (part("a pin", mass, Vec3::from_element(1e-6 * mass)), still);
    let half =
        |name: &str, side: f64| (part(name, 1.0, Vec3::from_element(0.02)), Vec3::new(0.0, 0.2 * side, 0.0));
    let spread = 2.0 * 0.2 * 0.2;
    let whole = (part("block", 2.0, Vec3::new(0.04 + spread, 0.04, 0.04 + spread)), still);
    let block = [pin(1e-6), half("upper", 1.0), half("lower", -1.0)];
    for stop in ["slide", "crank"] {
        let of = |sliding: &[(Body, Vec3)], cut: usize| stiffness_of(&slider_crank(sliding, cut), stop);
        for cut in [2, 3] {
            assert_close(of(&block, cut), of(std::slice::from_ref(&whole), 2));
            // It weighs 1/2000 of crank and rod, and is three times as far from their centre as they are.
            let heavier = of(&[pin(1e-3)], cut) / of(&[pin(1e-5)], 2);
            assert!((0.99..1.01).contains(&heavier), "{stop}, cut at {cut}: {heavier}");
        }
    }
}

/// What hangs on the world beside a loop, in a loop of its own, is not moved in it.
#[test]
fn stops_in_loops_leave_out_what_is_beside_them() {
    let block = (part("block", 2.0, Vec3::from_element(0.04)), Vec3::zeros());
    let alone = slider_crank(&[block], 2);
    let mut beside = alone.clone();
    let shift = alone.bodies.len() - 1;
    for body in &alone.bodies[1..] {
        let mut other = Body { name: format!("other {}", body.name), ..body.clone() };
        other.mass *= 100.0;
        other.position += Vec3::new(0.0, 0.0, 50.0);
        beside.bodies.push(other);
    }
    for joint in &alone.joints {
        let mut other = Joint { name: format!("other {}", joint.name), ..joint.clone() };
        for end in [&mut other.a, &mut other.b] {
            match end.body {
                0 => end.pose.translation += Vec3::new(0.0, 0.0, 50.0),
                _ => end.body += shift,
            }
        }
        beside.joints.push(other);
    }
    for stop in ["slide", "crank"] {
        assert_close(stiffness_of(&beside, stop), stiffness_of(&alone, stop));
    }
}

/// K δⁿ is a force, of a turn a moment: in other units of length and time, at 9.81 m/s² or more and below 1 m, it is the same one.
#[test]
fn stops_do_not_depend_on_units() {
    for kind in SLIDES_AND_TURNS {
        let model = |length: f64, time: f64, width: Option<f64>| {
            let body = shapeless(cube("body", 1.2, 0.3 * length));
            let bounds = [-1.0, 1.0].map(|side| {
                let half = width?;
                Some(side * if kind == JointKind::Prismatic { half * length } else { half })
            });
            let guide = stopped(guide(kind, 0, 1), bounds[0], bounds[1].or(Some(0.1)));
            mechanism(vec![ground(), body], vec![guide], G * length / (time * time), 1.0, 1e-9)
        };
        for width in [None, Some(0.02)] {
            for (length, time) in [(0.5_f64, 0.3_f64), (2.0, 1.0), (1.2, 0.2)] {
                let unit = match kind {
                    JointKind::Prismatic => length.powf(1.0 - 1.5) / (time * time),
                    _ => length * length / (time * time),
                };
                assert_same(
                    stiffness(&model(length, time, width)),
                    unit * stiffness(&model(1.0, 1.0, width)),
                );
            }
        }
    }
}

/// A stated stiffness is taken, whatever drives the joint.
#[test]
fn a_stated_stiffness_is_kept() {
    let mut model = before_a_stop(JointKind::Prismatic, part("body", 1.0, Vec3::repeat(0.1)));
    let elements = &mut model.joints[0].elements[0];
    elements.motor = Some(Motor::Force(TimeFunction::Constant(1e6)));
    if let Some(AxisLimit { stop: Stop::Compliant { stiffness, .. }, .. }) = &mut elements.limit {
        *stiffness = Some(2.5e3);
    }
    assert_eq!(stiffness(&model), 2.5e3);
}
