//! Patches of one contact that begin one after the other, and patches that are hit harder than they began.

use std::sync::Arc;

use carom_engine::function::{Interpolation, Table, TimeFunction};
use carom_engine::law::{NormalKind, damping_factor};
use carom_engine::model::{
    BaseSide, Force, ForceAxes, ForceKind, IntegratorKind, Joint, JointKind, Method, Motor,
};
use carom_engine::record::{Event, EventKind};
use carom_engine::{EndReason, Model, Simulation, System};
use carom_geometry::surface::{self, Resolution};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Vec3};

use crate::areal_restitution::{MASS, bouncy, plate, stiffness};
use crate::mechanism::{at, joint};
use crate::scene::{self, of_mesh};

/// Of a dumbbell: radius of its balls, distance of their centres, depth at which one of them rests (m).
const RADIUS: f64 = 0.1;
const LENGTH: f64 = 0.5;
const REST: f64 = 2e-4;
/// By how much the other end is raised (rad), and how fast it comes down (rad/s).
const RAISED: f64 = 0.1;
const SPIN: f64 = 1.0;
/// Duration of the pulse that sets it turning (s).
const PULSE: f64 = 0.02;

/// Of a block that comes down softly (m/s²).
const GRAVITY: f64 = 9.81;

/// Triangular, from one time to another, with this integral.
fn pulse(from: f64, to: f64, integral: f64) -> TimeFunction {
    let peak = 2.0 * integral / (to - from);
    let mut points = vec![(from, 0.0), (0.5 * (from + to), peak), (to, 0.0), (to + 1.0, 0.0)];
    if from > 0.0 {
        points.insert(0, (0.0, 0.0));
    }
    TimeFunction::Table(Table::new(&points, Interpolation::Linear).unwrap())
}

/// Two balls in one mesh, the first about the origin, the second raised.
fn two_balls() -> TriangleMesh {
    let mut mesh = surface::sphere(RADIUS, Resolution::Facets(8_000)).unwrap();
    let second = Vec3::new(LENGTH * RAISED.cos(), 0.0, LENGTH * RAISED.sin());
    let (vertices, triangles) = (mesh.vertices.clone(), mesh.triangles.clone());
    let first = vertices.len() as u32;
    mesh.vertices.extend(vertices.iter().map(|p| p + second));
    mesh.triangles.extend(triangles.iter().map(|t| t.map(|v| v + first)));
    mesh
}

/// A hinge whose axis, z of its frames, is the world's y.
fn about_y(mut hinge: Joint) -> Joint {
    let turned = Mat3::from_columns(&[Vec3::z(), Vec3::x(), Vec3::y()]);
    hinge.a.pose.rotation = turned;
    hinge.b.pose.rotation = turned;
    hinge
}

/// One end of a dumbbell rests on a plate, where it is hinged about y at its centre; the other comes down. A pulse sets it turning,
/// after which the angle is that which it would have had at the full speed for half of the pulse's time.
fn dumbbell(restitution: f64, base: BaseSide) -> Model {
    let height = RADIUS - REST;
    let inertia = 0.04;
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, height));
    let shape = Shape::Mesh(Arc::new(two_balls()));
    let mut bar = scene::body("dumbbell", MASS, Mat3::identity() * inertia, shape, pose);
    bar.com = Vec3::new(LENGTH * RAISED.cos(), 0.0, LENGTH * RAISED.sin());
    bar.velocity_stated = false;
    let cells = if base == BaseSide::B { 1 } else { 200 };
    let mut hinge =
        about_y(joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, height), at(1, 0.0, 0.0, 0.0)));
    let momentum = (inertia + MASS * LENGTH * LENGTH) * SPIN;
    hinge.elements[0].motor = Some(Motor::Force(pulse(0.0, PULSE, momentum)));
    let mut model = scene::model(vec![plate(0.7, cells), bar], bouncy(restitution), 0.0, 0.15, 1e-9);
    model.joints = vec![hinge];
    model.contact_lines[0].method = Method::Pcm;
    model.contact_lines[0].base = base;
    model
}

/// Angle by which the dumbbell has turned down when the barycentre of the first triangle of its second ball reaches the plate:
/// z cos φ − x sin φ = −height; and the speed at which the plate is approached along the normal of that triangle.
fn first_touch() -> (f64, f64) {
    let mesh = two_balls();
    let height = RADIUS - REST;
    let of_second = mesh.corners().skip(mesh.triangles.len() / 2);
    let touch = of_second.map(|[a, b, c]| {
        let p = (a + b + c) / 3.0;
        let normal = (b - a).cross(&(c - a)).normalize();
        let angle = p.z.atan2(p.x) + (height / p.x.hypot(p.z)).asin();
        let (sin, cos) = angle.sin_cos();
        let turned = |v: Vec3| Vec3::new(v.x * cos + v.z * sin, v.y, v.z * cos - v.x * sin);
        let velocity = Vec3::y().cross(&turned(p)) * SPIN;
        (angle, turned(normal).dot(&velocity))
    });
    touch.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

fn of_kind(events: &[Event], kind: EventKind) -> Vec<Event> {
    events.iter().filter(|event| event.kind == kind).copied().collect()
}

/// The second end begins when its first element reaches the plate, with its approach speed, and delivers its own restitution:
/// the beginning of the first end was at rest. About a fixed axis every velocity is in proportion to the spin, so that the
/// balance behind χ is exact, whatever the elements: 1e-5 is three times what the first end does meanwhile.
#[test]
fn an_end_that_comes_down_later_has_a_begin_of_its_own() {
    let (angle, speed) = first_touch();
    let time = 0.5 * PULSE + angle / SPIN;
    assert!(time > PULSE);
    for kind in IntegratorKind::SMOOTH {
        for e in [0.5, 0.9] {
            let mut model = dumbbell(e, BaseSide::B);
            model.solver.method = kind;
            let (outcome, keeper) = scene::run(&model);
            let name = kind.name();
            let begins = of_kind(&keeper.events, EventKind::PatchBegin);
            let [begin] = begins[..] else { panic!("{name}: {begins:?}") };
            assert_eq!(keeper.times(EventKind::ContactBegin), [0.0]);
            // The first end holds it by 1.5 N at an arm of some millimetres: 3e-6 of the spin.
            assert!((begin.time - time).abs() < 1e-6, "{name}: {} for {time}", begin.time);
            assert!(
                (begin.approach_speed - speed).abs() < 3e-6,
                "{name}: {} for {speed}",
                begin.approach_speed
            );
            assert_eq!(begin.approach_speed, begin.law_approach_speed);
            assert!((begin.position - Vec3::new(LENGTH, 0.0, 0.0)).norm() < 0.1 * RADIUS, "{begin:?}");
            assert!(begin.gap.abs() < 1e-12 && begin.normal.z > 0.95, "{begin:?}");
            let out = -outcome.bodies[1].angular_velocity.y / SPIN;
            assert!((out - e).abs() < 1e-5, "{name}: {e} delivered as {out}");
            assert!(outcome.residual_relative < 1e-6, "{name}: {:.1e}", outcome.residual_relative);
        }
    }
}

/// The same seen from the plate, and from both sides with half the forces each: elements come and go at other places.
#[test]
fn either_base_sees_the_begin() {
    let (angle, _) = first_touch();
    for base in [BaseSide::A, BaseSide::Both] {
        for kind in [IntegratorKind::Ode45, IntegratorKind::Radau5] {
            let mut model = dumbbell(0.5, base);
            model.solver.method = kind;
            let (outcome, keeper) = scene::run(&model);
            let begins = of_kind(&keeper.events, EventKind::PatchBegin);
            let [begin] = begins[..] else { panic!("{base:?}: {begins:?}") };
            // Triangles of the plate have legs of 7 mm: the nearest barycentre is up to 5 mm off, where the ball is 0.13 mm higher.
            let late = begin.time - (0.5 * PULSE + angle / SPIN);
            assert!((-1e-6..3e-4).contains(&late), "{base:?}: {late}");
            let out = -outcome.bodies[1].angular_velocity.y / SPIN;
            assert!((out - 0.5).abs() < 1e-4, "{base:?} {}: delivered as {out}", kind.name());
        }
    }
}

/// Between the two begins, and after the second, a checkpoint has what each began with: the rest has the same bits.
#[test]
fn a_checkpoint_has_how_patches_began() {
    for kind in IntegratorKind::SMOOTH {
        // Elements on both sides are many: once is enough.
        let base = if kind == IntegratorKind::Dop853 { BaseSide::Both } else { BaseSide::B };
        let mut model = dumbbell(0.5, base);
        model.solver.method = kind;
        let system = System::compile(&model).expect("a sound model");
        let (mut between, mut after) = (0, 0);
        for look in [1, 4, 12, 24] {
            let mut whole = scene::Keeper { checkpoint_after: look, ..scene::Keeper::default() };
            let outcome = Simulation::new(&system).run(&mut whole).unwrap();
            let Some((image, frames, events)) = whole.checkpoints.first() else { break };
            let is_after = of_kind(&whole.events[..*events], EventKind::PatchBegin).len() == 1;
            *(if is_after { &mut after } else { &mut between }) += 1;
            let mut rest = scene::Keeper::default();
            let resumed = Simulation::resume(&system, image).unwrap().run(&mut rest).unwrap();
            assert_eq!(outcome.bodies, resumed.bodies);
            assert_eq!(outcome.energy, resumed.energy);
            assert_eq!(outcome.pairs, resumed.pairs);
            assert_eq!(rest.frames, whole.frames[*frames..]);
            assert_eq!(rest.events, whole.events[*events..]);
        }
        assert!(between > 0 && after > 0, "{}: {between} {after}", kind.name());
    }
}

/// A law that starts smoothly restarts nothing where a patch begins; it is noted at its time all the same.
#[test]
fn a_patch_of_a_smooth_law_is_noted_at_its_time() {
    let (angle, speed) = first_touch();
    for kind in IntegratorKind::SMOOTH {
        let mut model = dumbbell(0.5, BaseSide::B);
        model.laws[0].areal.as_mut().unwrap().restitution = None;
        model.solver.method = kind;
        let (_, keeper) = scene::run(&model);
        let begins = of_kind(&keeper.events, EventKind::PatchBegin);
        let [begin] = begins[..] else { panic!("{}: {begins:?}", kind.name()) };
        assert!((begin.time - 0.5 * PULSE - angle / SPIN).abs() < 1e-6, "{}: {begin:?}", kind.name());
        assert!((begin.approach_speed - speed).abs() < 3e-6, "{}: {begin:?}", kind.name());
        // No step ends there.
        assert!(keeper.steps.iter().all(|step| step.time != begin.time));
        assert!(keeper.events.is_sorted_by(|a, b| a.time <= b.time));
    }
}

/// A block that has come down at 0.01 m/s is hit by 1 m/s while it is in contact: it leaves with e of that, as if it had begun
/// so. The pulse lasts 20 µs, in which the block goes 10 µm deep: 4e-4 J of 5 J are stored by then, and the reference is that of
/// the step with the greatest speed. Both are worth less than 1e-3.
#[test]
fn a_hit_is_an_event_and_loses_what_the_restitution_says() {
    let (soft, hard) = (0.01, 1.0);
    let (head, hit, lasts) = (1e-6, 1.5e-4, 2e-5);
    for kind in IntegratorKind::SMOOTH {
        for e in [0.5, 0.9] {
            let half = Vec3::new(0.1, 0.1, 0.1);
            let mesh = surface::block(half, Resolution::Divisions(4)).unwrap();
            let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + head));
            let shape = Shape::Mesh(Arc::new(mesh));
            let mut block = scene::body("block", MASS, Mat3::identity() * 0.05, shape, pose);
            block.velocity.z = -soft;
            let mut model = scene::model(vec![plate(0.5, 1), block], bouncy(e), 0.0, 0.02, 1e-8);
            model.solver.method = kind;
            model.contact_lines[0].method = Method::Pcm;
            model.contact_lines[0].base = BaseSide::B;
            let zero = || TimeFunction::Constant(0.0);
            let stroke = pulse(hit, hit + lasts, -MASS * (hard - soft));
            let components = [zero(), zero(), stroke];
            let kind_of_force =
                ForceKind::Force { on: at(1, 0.0, 0.0, 0.0), components, axes: ForceAxes::World };
            model.forces = vec![Force { name: "stroke".to_owned(), kind: kind_of_force }];
            let (outcome, keeper) = scene::run(&model);
            let name = kind.name();
            let kinds: Vec<EventKind> = keeper.events.iter().map(|event| event.kind).collect();
            assert_eq!(
                kinds,
                [EventKind::ContactBegin, EventKind::HitHarder, EventKind::ContactEnd],
                "{name}"
            );
            let [begin, harder, end] = keeper.events[..] else { unreachable!() };
            assert!((begin.law_approach_speed - soft).abs() < 1e-9, "{name}: {begin:?}");
            assert!((harder.approach_speed - hard).abs() < 1e-3, "{name}: {harder:?}");
            assert!((hit..hit + 2.0 * lasts).contains(&harder.time), "{name}: {harder:?}");
            assert_eq!(harder.law_approach_speed, harder.approach_speed);
            assert_eq!((harder.begin, harder.begin_speed), (begin.time, begin.approach_speed));
            assert_eq!(end.law_approach_speed, harder.law_approach_speed);
            let out = outcome.bodies[1].velocity.z / hard;
            assert!((out - e).abs() < 1e-3, "{name}: {e} delivered as {out}");
        }
    }
}

/// Speed at which a mass that meets a spring K (1 + χ r) at a speed, under its weight, leaves it, and the greatest speed that it had
/// there, against which r measures from then on; r is 1 before. By the classical Runge-Kutta method, steps of 2e-4 of the spring's
/// time.
fn bounce_of_spring(stiffness: f64, chi: f64, speed: f64, gravity: f64) -> [f64; 2] {
    let h = 2e-4 * (MASS / stiffness).sqrt();
    // Until the weight is carried it moves as on a spring of this frequency, and is fastest there.
    let omega = (stiffness * (1.0 + chi) / MASS).sqrt();
    let fastest = speed.hypot(gravity / omega);
    let rates = |[u, v]: [f64; 2]| [v, gravity - stiffness * u * (1.0 + chi * v / fastest) / MASS];
    let mut x = [gravity / (omega * omega), fastest];
    while x[0] > 0.0 {
        let along = |k: [f64; 2], part: f64| [x[0] + part * h * k[0], x[1] + part * h * k[1]];
        let a = rates(x);
        let b = rates(along(a, 0.5));
        let c = rates(along(b, 0.5));
        let d = rates(along(c, 1.0));
        let mean = [0, 1].map(|k| (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]) / 6.0);
        x = along(mean, 1.0);
    }
    // Back to where it leaves.
    [-(x[1] - rates(x)[1] * x[0] / x[1]), fastest]
}

/// A block that comes down softly is hit harder by its weight until the layer carries it: restitution is measured against the speed
/// it has there, wherever the steps end: each method is right to 3e-6, where speeds at the ends of its steps are off by up to 2e-2 and
/// what leaves by 4e-3.
#[test]
fn the_hardest_hit_is_located_in_the_step() {
    let (speed, e) = (0.03, 0.9);
    let chi = damping_factor(NormalKind::Exact, e).unwrap();
    let [leaves, fastest] = bounce_of_spring(stiffness() * 0.04, chi, speed, GRAVITY);
    assert!(fastest > 1.02 * speed);
    for kind in IntegratorKind::SMOOTH {
        for h_max in [None, Some(2.3e-4)] {
            let mesh = surface::block(Vec3::new(0.1, 0.1, 0.1), Resolution::Divisions(4)).unwrap();
            let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1));
            let mut block = scene::body("block", MASS, Mat3::identity() * 0.05, of_mesh(mesh), pose);
            block.velocity.z = -speed;
            let mut model = scene::model(vec![plate(0.5, 1), block], bouncy(e), GRAVITY, 0.005, 1e-9);
            model.solver.method = kind;
            model.solver.h_max = h_max;
            model.contact_lines[0].method = Method::Pcm;
            model.contact_lines[0].base = BaseSide::B;
            let (_, keeper) = scene::run(&model);
            let [end] = of_kind(&keeper.events, EventKind::ContactEnd)[..] else {
                panic!("{}: {:?}", kind.name(), keeper.events)
            };
            let (out, hit) = (-end.approach_speed / leaves - 1.0, end.law_approach_speed / fastest - 1.0);
            let name = kind.name();
            assert!(hit.abs() < 1e-7, "{name} {h_max:?}: hit faster by {hit:.1e}");
            assert!(out.abs() < 1e-5, "{name} {h_max:?}: leaves faster by {out:.1e}");
        }
    }
}

/// A driven rocker whose one end leaves the plate a little before the other one comes down: two contacts, however long the steps
/// are. Facets of the balls cut 0.03 mm off them, which takes 0.12 ms.
#[test]
fn what_parts_and_meets_elsewhere_within_a_step_is_two_contacts() {
    let (gap, tilt, spin) = (1e-4, 0.02, 1.0);
    let ball = surface::sphere(RADIUS, Resolution::Facets(8_000)).unwrap();
    let moved = |x: f64| ball.vertices.iter().map(move |p| p + Vec3::new(x, 0.0, 0.0));
    let mut mesh = ball.clone();
    mesh.vertices = moved(-0.5 * LENGTH).chain(moved(0.5 * LENGTH)).collect();
    let first = ball.vertices.len() as u32;
    mesh.triangles.extend(ball.triangles.iter().map(|t| t.map(|v| v + first)));
    let height = RADIUS + gap;
    let flat = (gap / (0.5 * LENGTH)).asin();
    let times = [0.0, (tilt - flat) / spin, (tilt + flat) / spin];
    for kind in IntegratorKind::SMOOTH {
        for restitution in [None, Some(0.5)] {
            let pose = Pose::from_translation(Vec3::new(0.0, 0.0, height));
            let mut rocker = scene::body("rocker", MASS, Mat3::identity(), of_mesh(mesh.clone()), pose);
            rocker.velocity_stated = false;
            let ends = [at(0, 0.0, 0.0, height), at(1, 0.0, 0.0, 0.0)];
            let mut hinge = about_y(joint("hinge", JointKind::Revolute, ends[0], ends[1]));
            let start = TimeFunction::Table(
                Table::new(&[(0.0, tilt), (1.0, tilt - spin)], Interpolation::Linear).unwrap(),
            );
            hinge.elements[0].motor = Some(Motor::Position(start));
            let mut model = scene::model(vec![plate(0.7, 1), rocker], bouncy(0.5), 0.0, 0.04, 1e-6);
            model.laws[0].areal.as_mut().unwrap().restitution = restitution;
            model.joints = vec![hinge];
            model.solver.method = kind;
            model.contact_lines[0].method = Method::Pcm;
            model.contact_lines[0].base = BaseSide::B;
            let (_, keeper) = scene::run(&model);
            let [begins, ends] = [EventKind::ContactBegin, EventKind::ContactEnd].map(|of| keeper.times(of));
            let (&[first, second], &[end]) = (&begins[..], &ends[..]) else {
                panic!("{} {restitution:?}: {:?}", kind.name(), keeper.events)
            };
            for (found, known) in [first, end, second].into_iter().zip(times) {
                assert!((found - known).abs() < 1.2e-4, "{}: {found} for {known}", kind.name());
            }
        }
    }
}

/// A run that goes on with surfaces of which one has grown around the other names the pair; with its own ones it does not.
#[test]
fn a_restart_inside_another_surface_is_named() {
    let scene_in = |half: f64| {
        let room = surface::block(Vec3::new(half, half, half), Resolution::Divisions(2)).unwrap();
        let room = scene::fixed("room", Shape::Mesh(Arc::new(room)), Pose::identity());
        let ball = surface::sphere(0.1, Resolution::Facets(200)).unwrap();
        let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 2.0));
        let mut ball = scene::body("ball", 1.0, Mat3::identity(), Shape::Mesh(Arc::new(ball)), pose);
        ball.velocity.x = 0.1;
        let mut model = scene::model(vec![room, ball], bouncy(0.5), 0.0, 1.0, 1e-6);
        model.contact_lines[0].method = Method::Pcm;
        // Enough of them for a look on the way.
        model.solver.h_max = Some(1e-3);
        System::compile(&model).expect("a sound model")
    };
    let (beside, around) = (scene_in(1.0), scene_in(3.0));
    let mut whole = scene::Keeper { checkpoint_after: 1, ..scene::Keeper::default() };
    let outcome = Simulation::new(&beside).run(&mut whole).unwrap();
    assert_eq!(outcome.end, EndReason::Finished);
    let resume = |system| {
        let mut keeper = scene::Keeper::default();
        Simulation::resume(system, &whole.checkpoints[0].0).unwrap().run(&mut keeper).unwrap().end
    };
    assert_eq!(resume(&beside), EndReason::Finished);
    let EndReason::Failed(error) = resume(&around) else { panic!("it has gone on") };
    assert_eq!((error.code, error.pair.as_deref()), ("E0616", Some("all[room|ball]")));
    assert!(error.message.contains("is inside the other") && error.time > 0.0, "{}", error.message);
}
