//! Rigid bodies that roll, slide and swing on each other, joints holding some of them: searches end, and forces are those of a joint where a
//! contact sticks.

use std::sync::Arc;

use carom_engine::model::{Body, Coordinates, Detection, JointKind};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model};
use carom_geometry::Shape;
use carom_geometry::convex::{ConvexShape, Core, MprOptions};
use carom_geometry::planar::{Outline, PlanarShape, Polygon};
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_math::{Mat3, Pose, Quaternion, Vec2, Vec3};

use crate::mechanism::{at, joint};
use crate::rigid::{law_of, make};
use crate::rigid_planar::in_plane;
use crate::scene::{Keeper, ball, block, body, fixed, floor, run, run_any};

fn turned(axis: Vec3, degrees: f64) -> Mat3 {
    Quaternion::from_axis_angle(&axis.normalize(), degrees.to_radians()).to_matrix()
}

fn capsule(radius: f64, half_length: f64) -> Shape {
    Shape::Capsule { radius, half_length }
}

fn moving(mut body: Body, velocity: Vec3, angular_velocity: Vec3) -> Body {
    (body.velocity, body.angular_velocity) = (velocity, angular_velocity);
    body
}

/// Runs to its end within a few steps and evaluations, where searches that prove nothing would take them by the thousand.
fn run_soon(model: &Model, what: &str) -> Keeper {
    let (outcome, kept) = run(model);
    assert!(outcome.residual_relative < 1e-6, "{what}: residual {:e}", outcome.residual_relative);
    let statistics = &outcome.statistics;
    assert!(statistics.steps < 1000 && statistics.rhs < 20_000, "{what}: {statistics:?}");
    kept
}

/// Without friction or a bounce a block lands on a ball, slides off it and leaves it, its gap like the third power of time: on its way its
/// face and then its edge turn on the ball, and no direction that stays proves them apart.
#[test]
fn a_block_that_turns_leaves_a_ball() {
    let ball = fixed(
        "ball",
        Shape::Sphere { radius: 0.3, hollow: false },
        Pose::from_translation(Vec3::new(0.0, 0.0, -0.3)),
    );
    let pose = Pose::from_translation(Vec3::new(-0.0084, 0.008, 0.075));
    let falling = block("block", 0.16, Vec3::new(0.07, 0.048, 0.071), pose);
    let falling = moving(falling, Vec3::new(-0.34, 0.165, 0.0), Vec3::new(-1.8, -3.9, -3.4));
    let model = make(vec![ball, falling], law_of(0.0, 0.2), 0.8);
    let kept = run_soon(&model, "a block on a ball");
    assert!(kept.frames.last().unwrap().contacts.is_empty(), "it has left");
}

/// A capsule that bounces on another across it and rolls off: the normal is across both axes, which turn.
#[test]
fn a_capsule_that_turns_on_another_rolls_off() {
    let lying = Pose { rotation: turned(Vec3::x(), 90.0), translation: Vec3::new(0.0, 0.0, -0.1) };
    let rotation = turned(Vec3::new(-0.21, -0.436, -0.875), 6.2);
    let pose = Pose { rotation, translation: Vec3::new(-0.03, 0.017, 0.128) };
    let inertia = Mat3::from_diagonal(&Vec3::new(2e-3, 2e-3, 1e-3));
    let falling = moving(
        body("falling", 1.0, inertia, capsule(0.05, 0.058), pose),
        Vec3::new(0.25, 0.27, 0.0),
        Vec3::new(-1.3, 1.1, 1.6),
    );
    let model = make(vec![fixed("log", capsule(0.1, 0.25), lying), falling], law_of(0.6, 0.0), 0.8);
    let kept = run_soon(&model, "a capsule on another");
    assert!(kept.frames.last().unwrap().bodies[1].position.z < -0.2, "it has fallen off");
}

/// A door falls on a post and bounces there to rest, in joint and in body coordinates: in the last flights gaps are of the size of their
/// rounding.
#[test]
fn a_door_comes_to_rest_on_a_post() {
    let post = fixed(
        "post",
        Shape::Sphere { radius: 0.05, hollow: false },
        Pose::from_translation(Vec3::new(0.189_375_8, 0.093_019_28, -0.100_838_83)),
    );
    let door =
        block("door", 1.68, Vec3::new(0.4, 0.3, 0.02), Pose::from_translation(Vec3::new(0.2, 0.0, 0.0)));
    let axis = Vec3::new(-0.318_331_33, 1.0, 0.468_556_78).normalize();
    let along = Quaternion::between(&Vec3::z(), &axis).to_matrix();
    let mut hinge = joint("hinge", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, -0.2, 0.0, 0.0));
    // The hinge is at the world's origin; the post's frame is at its centre.
    hinge.a.pose.translation = -post.position;
    (hinge.a.pose.rotation, hinge.b.pose.rotation) = (along, along);
    let mut model = make(vec![post, door], law_of(0.5, 0.3), 0.6);
    model.joints.push(hinge);
    let end = |coordinates: Coordinates| {
        let mut model = model.clone();
        model.solver.coordinates = coordinates;
        let kept = run_soon(&model, "a door on a post");
        assert_eq!(kept.frames.last().unwrap().contacts.len(), 1, "it rests there");
        kept.frames.last().unwrap().bodies[1].position
    };
    assert!((end(Coordinates::Joint) - end(Coordinates::Body)).norm() < 1e-8);
}

/// A beam that leans on the tip of a wedge and sticks there moves as one that is pinned to it, while the wedge slides down a rail aslant:
/// of a body of a plane that a joint holds besides, what rounding leaves of a row across the plane holds nothing.
#[test]
fn a_beam_that_sticks_to_a_wedge_is_pinned_to_it() {
    let planar = |points: &[Vec2]| {
        let outline = Outline::Polygon(Arc::new(Polygon::new(points.to_vec()).unwrap()));
        Shape::Planar(PlanarShape { outline, thickness: 0.02 })
    };
    let wedge = planar(&[Vec2::new(-0.04, -0.02), Vec2::new(0.04, -0.02), Vec2::new(0.0, 0.04)]);
    let beam =
        planar(&[Vec2::new(-0.1, -0.05), Vec2::new(0.1, -0.05), Vec2::new(0.1, 0.05), Vec2::new(-0.1, 0.05)]);
    let end = |sticks: bool| {
        let wedge = body("wedge", 0.034, Mat3::identity() * 1e-5, wedge.clone(), Pose::identity());
        let lies = Pose::from_translation(Vec3::new(0.099, 0.09, 0.0));
        let beam = body("beam", 0.28, Mat3::identity() * 1.167e-3, beam.clone(), lies);
        let ground = fixed("ground", Shape::Sphere { radius: 0.1, hollow: false }, Pose::identity());
        let mut model = in_plane(ground, vec![wedge, beam], (0.0, 2.0), 0.1);
        model.pairs.retain(|pair| pair.a.body == 1 && pair.b.body == 2 && sticks);
        let mut rail = joint("rail", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
        let z = Vec3::new(1.0, -0.4, 0.0).normalize();
        let along = Mat3::from_columns(&[Vec3::z().cross(&z), Vec3::z(), z]);
        (rail.a.pose.rotation, rail.b.pose.rotation) = (along, along);
        model.joints.push(rail);
        if !sticks {
            let (on_wedge, on_beam) = (at(1, 0.0, 0.04, 0.0), at(2, -0.099, -0.05, 0.0));
            model.joints.push(joint("pin", JointKind::Revolute, on_wedge, on_beam));
        }
        let (_, kept) = run(&model);
        let last = kept.frames.last().unwrap();
        let projected = last.energy.projection;
        assert!(projected.abs() < 1e-8, "corrections did {projected:e} J");
        [last.bodies[1].position, last.bodies[2].position]
    };
    let (stuck, pinned) = (end(true), end(false));
    for (a, b) in stuck.iter().zip(&pinned) {
        assert!((a - b).norm() < 1e-8, "{stuck:?} for {pinned:?}");
    }
    assert!(stuck[1].y < 0.08, "it falls");
}

/// An ellipsoid on a ball joint comes down on a log and rolls there, stuck: what the joint and the contact could press against each other
/// with, along the line between them, is open, and stays of the size of the loads.
#[test]
fn what_a_joint_and_a_contact_press_with_stays_small() {
    let log = Pose { rotation: turned(Vec3::x(), 90.0), translation: Vec3::new(0.0, 0.0, -0.1) };
    let semi_axes = Vec3::new(0.0396, 0.02774, 0.02677);
    let shape = Shape::Convex(ConvexShape { core: Core::Ellipsoid { semi_axes }, radius: 0.0 });
    let mass = 0.086;
    let squares = semi_axes.component_mul(&semi_axes) * (0.2 * mass);
    let inertia =
        Mat3::from_diagonal(&Vec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y));
    let egg = body("egg", mass, inertia, shape, Pose::from_translation(Vec3::new(0.01814, 0.02221, 0.13961)));
    let log = fixed("log", capsule(0.1, 0.25), log);
    let arm = Vec3::new(-0.05319, 0.13736, -0.04603);
    let mut ball_joint =
        joint("ball", JointKind::Spherical, at(0, 0.0, 0.0, 0.0), at(1, arm.x, arm.y, arm.z));
    let there = egg.position + arm - log.position;
    ball_joint.a.pose.translation = log.orientation.to_matrix().transpose() * there;
    let mut model = make(vec![log, egg], law_of(0.3, 1.0), 0.8);
    model.gravity.y = 1.0;
    model.joints.push(ball_joint);
    model.solver.coordinates = Coordinates::Body;
    let kept = run_soon(&model, "an egg on a ball joint");
    let forces = kept.frames.iter().flat_map(|frame| &frame.contacts).map(|c| c.normal_force);
    let largest = forces.fold(0.0, f64::max);
    assert!(largest > 0.1 && largest < 10.0, "{largest} N where it weighs 0.8 N");
}

/// A box that falls on a log so that it comes to lie along it.
fn on_a_log(log: Shape) -> Model {
    let lying = Pose { rotation: turned(Vec3::x(), 90.0), translation: Vec3::new(0.0, 0.0, -0.1) };
    let pose = Pose::from_translation(Vec3::new(0.004, 0.002_87, 0.207_14));
    let falling = block("block", 1.27, Vec3::new(0.123_823, 0.140_215, 0.104_534), pose);
    let falling = moving(falling, Vec3::new(0.4316, 0.3071, 0.0), Vec3::new(-0.252, 3.82, -2.31));
    let mut model = make(vec![fixed("log", log, lying), falling], law_of(0.0, 0.2), 0.21);
    model.solver.rtol = 1e-6;
    model
}

/// Another one that turns faster.
fn spinning_on_a_log(log: Shape) -> Model {
    let lying = Pose { rotation: turned(Vec3::x(), 90.0), translation: Vec3::new(0.0, 0.0, -0.1) };
    let pose = Pose::from_translation(Vec3::new(-0.010_814_106_715, -0.013_450_011_145, 0.200_522_378_037));
    let size = Vec3::new(0.149_506_072_034_6, 0.065_464_399_620_8, 0.117_393_955_346_4);
    let falling = block("block", 700.0 * size.product(), size, pose);
    let speed = Vec3::new(-0.054_157_146_388, -0.403_643_279_570, 0.0);
    let spin = Vec3::new(-3.746_413_201_635, -1.232_185_585_339, 3.877_742_417_724);
    let bodies = vec![fixed("log", log, lying), moving(falling, speed, spin)];
    let mut model = make(bodies, law_of(0.0, 0.5), 0.8);
    model.gravity.y = 1.0;
    model.solver.rtol = 1e-6;
    model
}

fn cylinder(radius: f64, half_length: f64) -> Shape {
    Shape::Cylinder(Cylinder { radius, half_length, side: CylinderSide::Solid })
}

/// Along a capsule or a cylinder a box has contacts of its own at both ends of the line on which it lies: no point runs from end to end, and nothing is
/// corrected.
#[test]
fn a_box_comes_to_lie_along_a_log() {
    for mut model in [
        on_a_log(capsule(0.1, 0.25)),
        spinning_on_a_log(capsule(0.1, 0.25)),
        on_a_log(cylinder(0.1, 0.25)),
        spinning_on_a_log(cylinder(0.1, 0.25)),
    ] {
        model.solver.rtol = 1e-9;
        let (outcome, kept) = run(&model);
        let done = kept.frames.last().unwrap().energy.projection;
        assert!(done.abs() < 1e-9 * outcome.energy_reference, "{done:e} J of {:e}", outcome.energy_reference);
        assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
    }
}

/// As the box rolls on the capsule, two contacts meet in all but the same place, so that their speeds along each other are what hardly anything
/// moves with: ending what an impact to rest leaves of these took up to 1e-3 of the energy, at tolerances in between. What is left is of the
/// share of a speed of rest that the ridge lets through, below 1e-5.
#[test]
fn rebounds_of_contacts_in_one_place_take_next_to_no_energy() {
    for rtol in (0..400).step_by(5).chain([15, 120, 126, 139, 152, 211]) {
        let mut model = spinning_on_a_log(capsule(0.1, 0.25));
        model.solver.rtol = 1e-5 * 10.0_f64.powf(-0.01 * f64::from(rtol));
        let (outcome, kept) = run(&model);
        let done = kept.frames.last().unwrap().energy.projection;
        assert!(
            done.abs() < 1e-5 * outcome.energy_reference,
            "{rtol}: {done:e} J of {:e}",
            outcome.energy_reference
        );
    }
}

/// A cylinder that comes to lie along another one touches a line with one point, which runs from end to end: what corrections of that do is told.
#[test]
fn corrections_that_show_in_the_energy_are_told() {
    let mut model = on_a_log(cylinder(0.1, 0.25));
    let rotation = turned(Vec3::x(), 92.0);
    let translation = Vec3::new(0.0, 0.0, 0.07);
    model.bodies[1] = crate::scene::cylinder("rod", 1.1, 0.05, 0.2, Pose { rotation, translation });
    model.solver.t_end = 0.08;
    let (outcome, kept) = run(&model);
    let done = kept.frames.last().unwrap().energy.projection;
    let is_told = outcome.warnings.iter().any(|warning| warning.contains("W0520"));
    assert_eq!(is_told, done.abs() > 1e-3 * outcome.energy_reference, "{done:e} J: {:?}", outcome.warnings);
    assert!(is_told, "{done:e} J of {:e}", outcome.energy_reference);
}

/// Where a box comes to lie along a cylinder of which it has one point, as portal refinement finds it, with normals that are off by 3e-4, a
/// storm names the pair that it is about. With normals to the tolerance that holds unless stated it goes on to the end.
#[test]
fn a_storm_names_its_pair() {
    let mut model = on_a_log(cylinder(0.1, 0.25));
    model.contact_lines[0].detection = Detection::Mpr(MprOptions::default());
    assert_eq!(run_any(&model).0.end, EndReason::Finished);
    let coarse = MprOptions { relative_tolerance: 3e-4, ..MprOptions::default() };
    model.contact_lines[0].detection = Detection::Mpr(coarse);
    let (outcome, _) = run_any(&model);
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!((error.code, error.pair.as_deref()), ("E0603", Some("all[log|block]")), "{error}");
    assert!(error.help.contains("moreau"), "{}", error.help);
}

/// A ball that slides with any spin slows its slip u by 7/2 μ g along u, and rolls 2/7 u₀/(μ g) later with v₀ − 2/7 u₀. Friction along a slip
/// that all but ends is that of what errors leave of it: the step that ends there passes its error test too, and what has ended is known as
/// well as the tolerance says. Jacobians of implicit methods have the forces of contacts in them.
#[test]
fn a_ball_rolls_when_its_slip_has_ended_with_every_integrator() {
    use carom_engine::model::IntegratorKind::{Bdf, Dop853, Ode45, Ode113, Radau5, Rodas3};
    let (radius, mu, rtol) = (0.1, 0.25, 1e-6);
    let velocity = Vec3::new(2.0, 0.0, 0.0);
    let spin = Vec3::new(3.0, -40.0, 10.0);
    let slip = velocity + spin.cross(&Vec3::new(0.0, 0.0, -radius));
    let ends = 2.0 / 7.0 * slip.norm() / (mu * 9.81);
    let rolls = velocity - 2.0 / 7.0 * slip;
    for method in [Ode45, Dop853, Ode113, Radau5, Bdf, Rodas3] {
        let thrown = moving(ball("ball", 1.0, radius, Vec3::new(0.0, 0.0, radius)), velocity, spin);
        let mut model = make(vec![floor(), thrown], law_of(0.0, mu), 1.0);
        model.solver.method = method;
        model.solver.rtol = rtol;
        let kept = run_soon(&model, &format!("{method:?}"));
        let rest = kept.times(EventKind::Stick)[0];
        // Ten times the tolerance, and a hundred of `bdf`, whose order is lower: of the speeds.
        let off = if method == Bdf { 100.0 * rtol } else { 10.0 * rtol };
        let within = off * slip.norm();
        assert!((rest - ends).abs() < within / (3.5 * mu * 9.81), "{method:?}: {rest} {ends}");
        let end = kept.frames.last().unwrap().bodies[1].velocity;
        assert!((end - rolls).norm() < within, "{method:?}: {end} {rolls}");
    }
}
