//! The largest penetration of areal contact where a law leaves it out: enough for what comes, and not much more.

use std::sync::Arc;

use carom_engine::function::TimeFunction;
use carom_engine::law::{
    ArealBlock, ArealForm, BristleKind, FrictionKind, Law, Layers, NormalKind, layer_modulus,
};
use carom_engine::model::{
    Attachment, AxisElements, Body, Force, ForceKind, Joint, JointKind, Method, Motor,
};
use carom_engine::{EndReason, Model, System};
use carom_geometry::surface::{self, Resolution};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::mechanism::joint;
use crate::scene;

/// c of a layer of 10 mm (N/m³).
pub(crate) fn stiffness() -> f64 {
    layer_modulus(1e6, 0.3) / 0.01
}

pub(crate) fn law(u_max: Option<f64>) -> Law {
    Law {
        young_modulus: Some(1e6),
        poisson_ratio: Some(0.3),
        point: None,
        areal: Some(ArealBlock {
            layers: Layers::One(0.01),
            young_modulus: None,
            poisson_ratio: None,
            u_max,
            may_exceed: false,
            damping: [0.0; 2],
            restitution: None,
            v_small: 0.01,
            form: ArealForm::Ramped(None),
        }),
        volume: None,
        rigid: None,
        ..scene::law(NormalKind::None, 1.0)
    }
}

pub(crate) fn areal(bodies: Vec<Body>, law: Law, gravity: f64, t_end: f64) -> Model {
    let mut model = scene::model(bodies, law, gravity, t_end, 1e-6);
    model.contact_lines[0].method = Method::Pcm;
    model
}

/// Elements as fine as model files have them.
fn refined(mut model: Model) -> Model {
    model.contact_lines[0].accuracy = Some(0.05);
    model
}

pub(crate) fn block(half: Vec3, cells: u32) -> Shape {
    Shape::Mesh(Arc::new(surface::block(half, Resolution::Divisions(cells)).unwrap()))
}

pub(crate) fn plate() -> Body {
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, -0.5));
    scene::fixed("plate", block(Vec3::repeat(0.5), 1), pose)
}

pub(crate) fn ball(name: &str, mass: f64, radius: f64, place: Vec3) -> Body {
    faceted_ball(name, mass, radius, place, 5000)
}

pub(crate) fn faceted_ball(name: &str, mass: f64, radius: f64, place: Vec3, facets: usize) -> Body {
    let mesh = surface::sphere(radius, Resolution::Facets(facets)).unwrap();
    let inertia = Mat3::identity() * (0.4 * mass * radius * radius);
    scene::body(name, mass, inertia, Shape::Mesh(Arc::new(mesh)), Pose::from_translation(place))
}

/// u_max of the first pair, as its law says it.
fn u_max(model: &Model) -> f64 {
    let system = System::compile(model).expect("a sound model");
    let law = &system.info().pairs[0].law;
    assert!(law.contains("(estimated"), "{law}");
    let number = law.split("u_max = ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a number");
    number.parse().expect("a number")
}

/// The same for landing as it starts, without room for edges and corners.
fn as_it_starts(model: &Model) -> f64 {
    let system = System::compile(model).expect("a sound model");
    let law = &system.info().pairs[0].law;
    let number = law.split(" m as it starts").next().filter(|part| part.len() < law.len());
    number.map_or_else(
        || u_max(model),
        |part| part.rsplit(' ').next().and_then(|n| n.parse().ok()).expect("a number"),
    )
}

/// Runs with u_max left out: finishes, with a greatest depth of 1/3 to 1 of it as it starts; which is returned.
fn assert_enough(what: &str, model: &Model) -> f64 {
    let estimated = as_it_starts(model);
    let (outcome, _) = scene::run(model);
    assert_eq!(outcome.end, EndReason::Finished, "{what}");
    let deepest = outcome.pairs[0].peaks.penetration.value;
    assert!(deepest > 0.0, "{what}: no contact");
    assert!(deepest < estimated && estimated < 3.0 * deepest, "{what}: {deepest} of {estimated}");
    deepest
}

/// m g (h + u) = c π R u³/3: depths of a ball without damping, to a few per cent, as facets cut corners and R is not
/// much more than u.
#[test]
fn balls_that_fall_from_any_height_find_room() {
    let (mass, radius) = (1.0, 0.05);
    for height in [0.0, 0.01, 0.1, 1.0, 3.0] {
        let place = Vec3::new(0.05, 0.03, radius + height + 1e-6);
        let fall = (2.0 * height / 9.81_f64).sqrt();
        let model = areal(vec![plate(), ball("ball", mass, radius, place)], law(None), 9.81, fall + 0.05);
        let deepest = assert_enough(&format!("from {height} m"), &model);
        let scale = stiffness() * std::f64::consts::PI * radius / 3.0;
        let exact = (0..100).fold(1e-3_f64, |u, _| (mass * 9.81 * (height + u) / scale).cbrt());
        assert!((deepest / exact - 1.0).abs() < 0.06, "from {height} m: {deepest} {exact}");
    }
}

/// A block that lies flat: m g (h + u) = ½ c A u². A start speed in place of the fall is the same.
#[test]
fn blocks_that_fall_flat_and_balls_that_are_thrown_find_room() {
    let half = Vec3::new(0.04, 0.05, 0.03);
    let inertia = Mat3::from_diagonal(&Vec3::new(3.4e-3, 2.5e-3, 4.1e-3)) / 3.0;
    let shape = block(half, 4);
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.03 + 0.5));
    let model = areal(vec![plate(), scene::body("block", 1.0, inertia, shape, pose)], law(None), 9.81, 0.35);
    let deepest = assert_enough("block", &model);
    let exact = (2.0 * 9.81 * 0.5 / (stiffness() * 0.008)).sqrt();
    assert!((deepest / exact - 1.0).abs() < 0.05, "{deepest} {exact}");
    // Two balls in free space, one of them fast and heavy: ½ μ v².
    let mut heavy = ball("heavy", 50.0, 0.05, Vec3::new(0.0, 0.0, 0.2));
    heavy.velocity = Vec3::new(0.0, 0.0, -3.0);
    let light = ball("light", 0.5, 0.05, Vec3::zeros());
    assert_enough("balls", &areal(vec![heavy, light], law(None), 0.0, 0.1));
}

/// ½ k s² of a spring goes into a ball that it throws against a plate.
#[test]
fn what_springs_throw_finds_room() {
    let radius = 0.05;
    let thrown = ball("ball", 1.0, radius, Vec3::new(0.0, 0.0, radius + 0.1));
    let anchor = Pose::from_translation(Vec3::new(0.0, 0.0, 0.5 + 1.0));
    let mut model = areal(vec![plate(), thrown], law(None), 0.0, 0.1);
    let attachment = |body: usize, pose: Pose| Attachment { body, pose };
    model.forces.push(Force {
        name: "spring".to_owned(),
        kind: ForceKind::SpringDamper {
            a: attachment(0, anchor),
            b: attachment(1, Pose::identity()),
            stiffness: 2e3,
            damping: 0.0,
            length: Some(1.0 - radius),
            actuator: None,
        },
    });
    // It is relaxed where the surfaces meet.
    if let ForceKind::SpringDamper { length, .. } = &mut model.forces[0].kind {
        *length = Some(1.0 - radius);
    }
    assert_enough("spring", &model);
}

/// A slider with a ball below it, on rails over the plate, which a motor moves: by a force, or by a given motion that
/// ends so deep in the plate.
#[test]
fn presses_find_room() {
    let radius = 0.05;
    let motors = [
        ("force", Motor::Force(TimeFunction::Constant(-500.0))),
        ("speed", Motor::Velocity(TimeFunction::Constant(-0.1))),
    ];
    for (what, motor) in motors {
        let start = Vec3::new(0.0, 0.0, radius + 0.01);
        let slider = ball("slider", 5.0, radius, start);
        let mut model = areal(vec![plate(), slider], law(None), 9.81, 0.104);
        model.joints.push(Joint {
            name: "rails".to_owned(),
            kind: JointKind::Prismatic,
            a: Attachment { body: 0, pose: Pose::from_translation(Vec3::new(0.0, 0.0, 0.5)) },
            b: Attachment { body: 1, pose: Pose::identity() },
            cut: false,
            position: Some(vec![start.z]),
            velocity: None,
            elements: vec![AxisElements { motor: Some(motor), ..AxisElements::default() }],
        });
        assert_enough(what, &model);
    }
}

/// What needs more says how much: with that it ends well, and needed no less than two thirds of it.
#[test]
fn what_goes_too_deep_says_what_would_have_done() {
    let radius = 0.05;
    let block_pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.03 + 0.3));
    let cube = scene::body("ball", 1.0, Mat3::identity() * 1e-3, block(Vec3::repeat(0.03), 4), block_pose);
    for body in [ball("ball", 1.0, radius, Vec3::new(0.0, 0.0, radius + 0.3)), cube] {
        let with = |u_max: f64| areal(vec![plate(), body.clone()], law(Some(u_max)), 9.81, 0.3);
        let (outcome, _) = scene::run_any(&with(1e-3));
        let EndReason::Failed(error) = outcome.end else { panic!("not too deep") };
        assert_eq!(error.code, "E0614", "{error:?}");
        let number = error.help.split('"').nth(1).and_then(|q| q.split(' ').next()).expect("a number");
        let needed = 1e-3 * number.parse::<f64>().expect("a number of millimetres");
        let (outcome, _) = scene::run(&with(needed));
        assert_eq!(outcome.end, EndReason::Finished, "{needed}");
        let deepest = outcome.pairs[0].peaks.penetration.value;
        assert!(needed < 1.5 * deepest, "{needed} {deepest}");
    }
}

/// A cube of 1 kg and 80 mm that falls by 0.1 m.
fn falling_block(spin: Vec3) -> Body {
    let half = 0.04;
    let inertia = Mat3::identity() * ((2.0 * half) * (2.0 * half) / 6.0);
    let mut body = scene::body(
        "block",
        1.0,
        inertia,
        block(Vec3::repeat(half), 1),
        Pose::from_translation(Vec3::new(0.0, 0.0, half + 0.1)),
    );
    body.angular_velocity = spin;
    body
}

/// Depth (m) at which a cube of half edge h, turned, has stored m g (0.1 m + u) and its energy of turning in a layer c: with the volume
/// below a plane ∫ V du = ∫ max(0, u − z) dV over the heights z of what it is made of above its lowest corner, on a grid.
fn depth_of_turned_cube(turned: &Mat3, spin: f64) -> f64 {
    let (half, n) = (0.04, 40);
    let down = turned.row(2).transpose() * half;
    let lowest = down.abs().sum();
    let at = |i: usize| (2.0 * i as f64 + 1.0) / n as f64 - 1.0;
    let mut heights = Vec::with_capacity(n * n * n);
    for (i, j, k) in (0..n * n * n).map(|p| (p / n / n, p / n % n, p % n)) {
        heights.push(lowest + down.dot(&Vec3::new(at(i), at(j), at(k))));
    }
    let cell = (2.0 * half / n as f64).powi(3);
    let turning = 0.5 * 4.0 * half * half / 6.0 * spin * spin;
    let missing = |u: f64| {
        let stored: f64 = heights.iter().map(|z| (u - z).max(0.0)).sum();
        stiffness() * stored * cell - 9.81 * (0.1 + u) - turning
    };
    let (mut below, mut above) = (0.0, half);
    for _ in 0..20 {
        let middle = 0.5 * (below + above);
        if missing(middle) > 0.0 { above = middle } else { below = middle }
    }
    above
}

/// A cube that turns as it falls comes down on an edge or a corner, which goes several times as deep as a face: there is room for the
/// deepest way in which it lies before it must have landed. The plate takes some of it, the grid is one of 2 mm, and it is looked at every
/// 0.1 rad: 12 %.
#[test]
fn what_turns_as_it_falls_finds_room_for_its_corners() {
    // Until its centre would be where the plate is.
    let time = (2.0 * 0.14 / 9.81_f64).sqrt();
    for spin in [[9.0, 3.0, 1.0], [-4.0, 7.0, 2.0], [2.0, -1.0, 6.0]].map(Vec3::from) {
        let turned =
            |part: f64| Quaternion::from_axis_angle(&spin.normalize(), spin.norm() * time * part).to_matrix();
        let ways = (0..=20).map(|part| depth_of_turned_cube(&turned(f64::from(part) / 20.0), spin.norm()));
        let deepest = ways.fold(0.0, f64::max);
        let model = refined(areal(vec![plate(), falling_block(spin)], law(None), 9.81, 0.22));
        let room = as_it_starts(&model) / 1.5;
        assert!((room / deepest - 1.0).abs() < 0.12, "{spin:?}: {room} {deepest}");
        let (outcome, _) = scene::run(&model);
        assert_eq!(outcome.end, EndReason::Finished, "{spin:?}");
        assert!(outcome.pairs[0].peaks.penetration.value > 0.0, "{spin:?}: no contact");
    }
}

/// What turns about the way it comes, by next to nothing, or so that it looks as before, has as much room as if it did not; and so has a
/// sheet, which has no volume from elsewhere.
#[test]
fn what_turns_and_lands_as_it_lay_has_no_more_room() {
    let room = |body: Body| as_it_starts(&areal(vec![plate(), body], law(None), 9.81, 0.1));
    let face = room(falling_block(Vec3::zeros()));
    for spin in [Vec3::new(0.0, 0.0, 5.0), Vec3::new(1e-9, 2e-9, 0.0)] {
        // The energy of turning counts: 3 % of what falling has, and depth goes with its root.
        let turned = room(falling_block(spin)) / face;
        assert!((1.0 - 1e-6..1.02).contains(&turned), "{spin:?}: {turned}");
    }
    let rolling = |spin: f64| {
        let mesh = surface::cylinder(0.04, 0.05, Resolution::Facets(2000)).unwrap();
        let lying = Quaternion::from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2).to_matrix();
        let pose = Pose { rotation: lying, translation: Vec3::new(0.0, 0.0, 0.0401) };
        let mut body = scene::body("roller", 1.0, Mat3::identity() * 8e-4, Shape::Mesh(Arc::new(mesh)), pose);
        body.angular_velocity = Vec3::new(0.0, spin, 0.0);
        body.velocity = Vec3::new(0.04 * spin, 0.0, 0.0);
        room(body)
    };
    // About its own axis: facets lie flat or on their edges, with 1.8 times the energy. On a corner of its rim it would go ten times as deep.
    let [slow, fast] = [rolling(1e-6), rolling(1.0)];
    assert!(fast < 2.0 * slow, "{slow} {fast}");
    let sheet = |spin: f64| {
        let corner = |x: f64, y: f64| Vec3::new(x, y, 0.0);
        let vertices =
            vec![corner(-0.04, -0.04), corner(0.04, -0.04), corner(0.04, 0.04), corner(-0.04, 0.04)];
        let mesh = TriangleMesh { vertices, triangles: vec![[0, 2, 1], [0, 3, 2]] };
        let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1));
        let mut body = scene::body("sheet", 1.0, Mat3::identity() * 1e-3, Shape::Mesh(Arc::new(mesh)), pose);
        body.angular_velocity = Vec3::new(spin, 0.0, 0.0);
        room(body)
    };
    let [still, turning] = [sheet(0.0), sheet(2.0)];
    assert!((turning / still - 1.0).abs() < 0.01, "{still} {turning}");
}

/// A cube that falls flat may come to land on a corner as it bounces: there is room for that, however few digits of its start say so. A ball
/// has the same room in all directions, and what a joint holds lands as it starts.
#[test]
fn what_falls_flat_has_room_for_its_corners() {
    let model = areal(vec![plate(), falling_block(Vec3::zeros())], law(None), 9.81, 0.1);
    let on_corner =
        Quaternion::from_axis_angle(&Vec3::new(1.0, -1.0, 0.0).normalize(), 2.0_f64.sqrt().atan());
    let corner = depth_of_turned_cube(&on_corner.to_matrix(), 0.0);
    let [room, flat] = [u_max(&model), as_it_starts(&model)];
    // The plate takes some of it, and there is room for a quarter of the half edge at most.
    let want = corner.min(0.25 * 0.04);
    assert!((room / (1.5 * want) - 1.0).abs() < 0.12, "{room} {corner}");
    assert!(flat < 0.5 * room, "{flat} {room}");
    let place = Vec3::new(0.0, 0.0, 0.1);
    let ball = areal(vec![plate(), ball("ball", 1.0, 0.05, place)], law(None), 9.81, 0.1);
    assert!(u_max(&ball) < 1.2 * as_it_starts(&ball), "{} {}", u_max(&ball), as_it_starts(&ball));
}

/// Which of two bodies that turn is named first says nothing of their room.
#[test]
fn two_that_turn_have_the_same_room_the_other_way_round() {
    let mut other = falling_block(Vec3::new(1.0, 4.0, -2.0));
    other.name = "other".to_owned();
    other.position = Vec3::new(0.01, 0.02, -0.1);
    other.velocity = Vec3::new(0.0, 0.0, 2.0);
    let pair = [falling_block(Vec3::new(5.0, -3.0, 1.0)), other];
    let [there, back] = [[0, 1], [1, 0]].map(|order| {
        as_it_starts(&areal(order.map(|k: usize| pair[k].clone()).to_vec(), law(None), 0.0, 0.1))
    });
    assert!((there / back - 1.0).abs() < 1e-9, "{there} {back}");
}

/// A corner that comes down where u_max is a five-thousandth of what it takes stops the run, as elements are too coarse for that, and
/// says which u_max makes the elements that feel it: with that it ends well.
#[test]
fn what_is_not_felt_says_which_depth_would_be() {
    let onto_corner = {
        let tip = Quaternion::from_axis_angle(&Vec3::new(1.0, -1.0, 0.0), 0.9553);
        let pose = Pose { rotation: tip.to_matrix(), translation: Vec3::new(0.01, 0.02, 0.17) };
        scene::body("block", 1.0, Mat3::identity() * 1e-3, block(Vec3::repeat(0.04), 1), pose)
    };
    let with = |u_max: f64| refined(areal(vec![plate(), onto_corner.clone()], law(Some(u_max)), 9.81, 0.2));
    let (outcome, _) = scene::run_any(&with(3e-6));
    let EndReason::Failed(error) = outcome.end else { panic!("felt") };
    assert_eq!(error.code, "E0616", "{error:?}");
    assert!(error.help.starts_with("u_max = "), "{}", error.help);
    let number = error.help.split('"').nth(1).and_then(|q| q.split(' ').next()).expect("a number");
    let needed = 1e-3 * number.parse::<f64>().expect("a number of millimetres");
    let (outcome, _) = scene::run(&with(needed));
    assert_eq!(outcome.end, EndReason::Finished, "{needed}");
    let deepest = outcome.pairs[0].peaks.penetration.value;
    assert!(needed < 2.0 * deepest, "{needed} {deepest}");
}

/// Of a regularised law of points elements take the coefficients, which is told; Coulomb's own and bristles are as asked for.
#[test]
fn a_friction_law_that_areal_contact_does_not_know_is_told() {
    for (friction, is_told) in [
        (FrictionKind::Coulomb { smooth_step: true, v_stribeck: None }, false),
        (FrictionKind::StickSlip(BristleKind::DEFAULT), false),
        (FrictionKind::Threlfall, true),
    ] {
        let mut law =
            Law { mu: Some(0.3), point: scene::law(NormalKind::Exact, 0.5).point, ..law(Some(0.01)) };
        scene::point(&mut law).friction = friction;
        let ball = ball("ball", 1.0, 0.05, Vec3::new(0.0, 0.0, 0.06));
        let system = System::compile(&areal(vec![plate(), ball], law, 9.81, 1.0)).expect("a sound model");
        let told =
            system.notes().iter().any(|note| note.code == "N0407" && note.message.contains("threlfall"));
        assert_eq!(told, is_told);
    }
}

/// What is too much for the layer of the smaller body, and a motor that goes on into the plate, are told with a note
/// that asks for the number; what has a bound is not.
#[test]
fn what_nothing_bounds_is_told() {
    let radius = 0.05;
    let start = Vec3::new(0.0, 0.0, radius + 0.01);
    let notes = |model: &Model| {
        let system = System::compile(model).expect("a sound model");
        system
            .notes()
            .iter()
            .filter(|note| note.code == "N0406")
            .map(|n| n.message.clone())
            .collect::<Vec<_>>()
    };
    let of_mass = |mass: f64| areal(vec![plate(), ball("ball", mass, radius, start)], law(None), 9.81, 1.0);
    assert!(notes(&of_mass(1.0)).is_empty());
    let heavy = notes(&of_mass(1e6));
    assert!(matches!(&heavy[..], [one] if one.contains("plate|ball") && one.contains("u_max")), "{heavy:?}");
    let mut pressed = of_mass(1.0);
    pressed.joints.push(Joint {
        name: "rails".to_owned(),
        kind: JointKind::Prismatic,
        a: Attachment { body: 0, pose: Pose::from_translation(Vec3::new(0.0, 0.0, 0.5)) },
        b: Attachment { body: 1, pose: Pose::identity() },
        cut: false,
        position: Some(vec![start.z]),
        velocity: None,
        elements: vec![AxisElements {
            motor: Some(Motor::Velocity(TimeFunction::Constant(-0.1))),
            ..AxisElements::default()
        }],
    });
    let driven = notes(&pressed);
    assert!(matches!(&driven[..], [one] if one.contains("motor")), "{driven:?}");
}

/// A free joint holds nothing, with inertia of its own so small that nothing feels it: a ball on one falls as one without does, and one
/// beside it goes round its hinge.
#[test]
fn free_joints_hold_nothing() {
    let radius = 0.05;
    let [falls, swings] = [Vec3::new(0.05, 0.03, 0.4), Vec3::new(0.6, 0.0, 0.3)];
    let estimates = |with_joint: bool| {
        let bodies = vec![plate(), ball("falls", 1.0, radius, falls), ball("swings", 1.0, radius, swings)];
        let mut model = areal(bodies, law(None), 9.81, 1.0);
        let anchor = |body: usize, place: Vec3| Attachment { body, pose: Pose::from_translation(place) };
        let hinge = Vec3::new(0.3, 0.0, 0.3);
        let top = Vec3::new(0.0, 0.0, 0.5);
        let (a, b) = (anchor(0, hinge + top), anchor(2, hinge - swings));
        model.joints.push(joint("hinge", JointKind::Spherical, a, b));
        if with_joint {
            let mut free = joint("free", JointKind::Free, anchor(0, top), anchor(1, Vec3::zeros()));
            free.position = Some(vec![falls.x, falls.y, falls.z, 1.0, 0.0, 0.0, 0.0]);
            free.elements[0].armature = 1e-12;
            model.joints.push(free);
        }
        let system = System::compile(&model).expect("a sound model");
        system.info().pairs.iter().map(|pair| pair.law.clone()).collect::<Vec<_>>()
    };
    let alone = estimates(false);
    assert!(alone.len() > 1 && alone.iter().all(|law| law.contains("(estimated)")), "{alone:?}");
    assert_eq!(alone, estimates(true));
}

/// Two corners over each other, one of which has a face across the way beside steep ones: it counts as that however the scene is turned,
/// not as the triangle of the corner that rounding makes the nearest.
#[test]
fn the_estimate_does_not_depend_on_axes() {
    let mesh = |vertices: &[[f64; 3]], triangles: &[[u32; 3]]| {
        let vertices = vertices.iter().map(|v| Vec3::from(*v)).collect();
        scene::of_mesh(TriangleMesh { vertices, triangles: triangles.to_vec() })
    };
    let wedge = [[0.0, 0.0, 0.0], [0.2, -0.15, 0.015], [0.2, 0.15, 0.015], [0.0, 0.0, 0.2]];
    let wedge = mesh(&wedge, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
    let tip = [[0.0, 0.0, 0.0], [0.1, 0.0, -0.1], [-0.05, 0.08, -0.1], [-0.05, -0.08, -0.1]];
    let tip = mesh(&tip, &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]);
    let estimate = |turn: &Quaternion| {
        let rotation = turn.to_matrix();
        let at = |place: Vec3| Pose { rotation, translation: rotation * place };
        let mut body =
            scene::body("wedge", 1.0, Mat3::identity() * 1e-2, wedge.clone(), at(Vec3::new(0.0, 0.0, 0.1)));
        body.velocity = rotation * Vec3::new(0.0, 0.0, -1.0);
        let bodies = vec![scene::fixed("tip", tip.clone(), at(Vec3::zeros())), body];
        let mut model = areal(bodies, law(None), 0.0, 0.1);
        model.gravity = rotation * Vec3::new(3.0, 0.0, -3.0);
        u_max(&model)
    };
    let first = estimate(&Quaternion::IDENTITY);
    for turn in 1..24 {
        let axis = Vec3::new(1.0, 0.3 * f64::from(turn), -0.5);
        let turned = estimate(&Quaternion::from_axis_angle(&axis, 0.7 * f64::from(turn)));
        assert!((turned / first - 1.0).abs() < 1e-5, "{turn}: {turned} {first}");
    }
}
