//! Bases that are cut into finer elements where the target is near: the forces of stored elements, stiffness of coarse faces,
//! what falls between large triangles.

use carom_engine::analysis::{Dynamics, Rates};
use carom_engine::law::{ArealBlock, ArealForm, Law, Layers, NormalKind, layer_modulus};
use carom_engine::model::{ArealDetection, BaseSide, Body, Method};
use carom_engine::record::BodyState;
use carom_engine::{EndReason, Model, Outcome, System};
use carom_geometry::TriangleMesh;
use carom_geometry::mesh::{Sharpness, SurfaceForm};
use carom_geometry::polygonal::accuracy::{Patches, Refinement, TargetForm};
use carom_geometry::surface::{self, Gear, Resolution};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::scene::{self, of_mesh};

const YOUNG: f64 = 1e6;
const LAYER: f64 = 0.01;
const ACCURACY: f64 = 0.05;

/// Stiffness of the layer (N/m³), with ν = 0.
fn stiffness() -> f64 {
    layer_modulus(YOUNG, 0.0) / LAYER
}

fn rubber(u_max: f64, damping: f64) -> Law {
    Law {
        young_modulus: Some(YOUNG),
        poisson_ratio: Some(0.0),
        mu: Some(0.0),
        point: None,
        areal: Some(ArealBlock {
            layers: Layers::One(LAYER),
            young_modulus: None,
            poisson_ratio: None,
            u_max: Some(u_max),
            may_exceed: false,
            damping: [damping; 2],
            restitution: None,
            v_small: 0.01,
            form: ArealForm::Ramped(Some(0.1 * u_max)),
        }),
        volume: None,
        rigid: None,
        ..scene::law(NormalKind::None, 1.0)
    }
}

/// A square plate of two triangles in z = 0.
fn plate(half: f64) -> Body {
    let mesh = surface::rectangle(half, half, Resolution::Divisions(1)).unwrap();
    scene::fixed("plate", of_mesh(mesh), Pose::identity())
}

fn areal(bodies: Vec<Body>, law: Law, base: BaseSide, gravity: f64, t_end: f64) -> Model {
    let mut model = scene::model(bodies, law, gravity, t_end, 1e-7);
    model.contact_lines[0].method = Method::Pcm;
    model.contact_lines[0].base = base;
    model.contact_lines[0].accuracy = Some(ACCURACY);
    model
}

fn ball(radius: f64, facets: usize, at: Vec3) -> Body {
    let mesh = surface::sphere(radius, Resolution::Facets(facets)).unwrap();
    let inertia = Mat3::identity() * (0.4 * radius * radius);
    scene::body("ball", 1.0, inertia, of_mesh(mesh), Pose::from_translation(at))
}

/// A mesh with the elements of a base for triangles.
fn stored(mesh: &TriangleMesh, target: &TriangleMesh, u_max: f64) -> TriangleMesh {
    let patches = Patches::new(TargetForm::of(&SurfaceForm::of(target)), 0.1 * u_max);
    let refinement = Refinement::to(&SurfaceForm::of(mesh), &patches, ACCURACY);
    let base = refinement.graded(mesh, &Sharpness::of(mesh), 0.1 * u_max).base(mesh, u_max).unwrap();
    let mut leaves = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for element in 0..base.element_count() as u32 {
        let first = leaves.vertices.len() as u32;
        leaves.vertices.extend(base.corners(mesh, element));
        leaves.triangles.push([first, first + 1, first + 2]);
    }
    leaves
}

/// Motion, forces, losses and recorded elements are those of a plate that has the leaves for triangles, bit by bit.
#[test]
fn a_run_has_the_bits_of_stored_elements() {
    let u_max = 0.01;
    let model = |mesh: TriangleMesh, accuracy| {
        let mut ball = ball(0.1, 500, Vec3::new(0.031, 0.017, 0.102));
        ball.velocity = Vec3::new(0.3, -0.2, -0.5);
        let plate = scene::fixed("plate", of_mesh(mesh), Pose::identity());
        let mut law = rubber(u_max, 1e4);
        law.mu = Some(0.4);
        law.v_reg = Some(1e-2);
        let mut model = areal(vec![plate, ball], law, BaseSide::A, 9.81, 0.1);
        model.contact_lines[0].accuracy = accuracy;
        model.output.patches = Some(1e-2);
        model.output.every = Some(1e-2);
        model
    };
    let coarse = surface::rectangle(0.5, 0.5, Resolution::Divisions(1)).unwrap();
    let fine = stored(&coarse, &surface::sphere(0.1, Resolution::Facets(500)).unwrap(), u_max);
    let half = 0.5 * fine.corners().map(|[a, b, c]| (b - a).cross(&(c - a)).norm()).sum::<f64>();
    // Those of the second triangle come after those of the first, which are half of the area.
    let mut area = 0.0;
    let leaves = fine.corners().take_while(|[a, b, c]| {
        area += (b - a).cross(&(c - a)).norm();
        area < half * (1.0 + 1e-9)
    });
    let leaves = leaves.count() as u32;
    assert!(leaves > 500);
    let (refined, rows) = scene::run(&model(coarse, Some(ACCURACY)));
    let (expected, fine_rows) = scene::run(&model(fine, None));
    assert!(expected.pairs[0].impulse_normal > 0.5);
    assert_eq!(refined.bodies, expected.bodies);
    assert_eq!(refined.energy, expected.energy);
    assert_eq!(refined.pairs[0].impulse_normal, expected.pairs[0].impulse_normal);
    let mut elements = 0;
    for (frame, fine) in rows.frames.iter().zip(&fine_rows.frames) {
        assert_eq!(frame.contacts, fine.contacts);
        assert_eq!(frame.patches, fine.patches);
        for (one, other) in frame.elements.iter().zip(&fine.elements) {
            assert_eq!((one.area, one.corners, one.pressure), (other.area, other.corners, other.pressure));
            assert_eq!(one.element * leaves + one.leaf, other.element);
        }
        elements += frame.elements.len();
    }
    assert!(elements > 50, "{elements}");
}

/// Moment about y and lift of a cube pressed `depth` deep into the plate and turned by `angle` about y (N m, N).
fn pressed(base: BaseSide, size: f64, depth: f64, angle: f64, at: Vec3) -> [f64; 2] {
    let half = 0.5 * size;
    let mesh = surface::block(Vec3::new(half, half, half), Resolution::Divisions(1)).unwrap();
    // About the middle of its lower face.
    let turn = Quaternion::from_rotation_vector(&Vec3::new(0.0, angle, 0.0));
    let lower = at - depth * Vec3::z();
    let pose = Pose {
        rotation: turn.to_matrix(),
        translation: lower + turn.to_matrix() * Vec3::new(0.0, 0.0, half),
    };
    let cube = scene::body("cube", 1.0, Mat3::identity(), of_mesh(mesh), pose);
    let model = areal(vec![plate(0.5), cube], rubber(0.01, 0.0), base, 0.0, 1e-9);
    let system = System::compile(&model).expect("a sound model");
    let mut rates = Rates::in_contact(&system);
    let dynamics = Dynamics::new(&system);
    let mut state = rates.initial().to_vec();
    let mut out = vec![0.0; state.len()];
    let (velocity, angular_velocity) = (Vec3::zeros(), Vec3::zeros());
    let frame = BodyState { position: pose.translation, orientation: turn, velocity, angular_velocity };
    assert!(dynamics.write_body(&mut state, 1, &frame));
    rates.update(0.0, &state, &mut out).expect("a sound state");
    // Of 1 kg and 1 kg m²: accelerations are force and moment about the centre, that in body axes.
    let force = Vec3::new(out[7], out[8], out[9]);
    let moment = turn.to_matrix() * Vec3::new(out[10], out[11], out[12]);
    [(moment + (pose.translation - lower).cross(&force)).y, force.z]
}

/// c w⁴/12 for the whole face in contact, with two triangles for the face. As large a part of a plate of two triangles is
/// as stiff to the same 5 %, wherever the face stands on it and however its border runs along rows of elements: elements are
/// made for 99 of 100 places.
#[test]
fn a_face_of_two_triangles_resists_tilting() {
    let (depth, angle) = (1e-3, 1e-3);
    let places = |k: i32| Vec3::new(0.0317 * f64::from(k) - 0.17, 0.0123 * f64::from(k * k % 17) - 0.1, 0.0);
    for (base, size, at) in
        [(BaseSide::B, 0.2, Vec3::zeros()), (BaseSide::Finer, 0.2, places(4))].into_iter().chain(
            [0.2, 0.17, 0.143]
                .into_iter()
                .flat_map(|size| (0..12).map(move |k| (BaseSide::A, size, places(k)))),
        )
    {
        let exact = stiffness() * f64::powi(size, 4) / 12.0;
        let [straight, lift] = pressed(base, size, depth, 0.0, at);
        let [tilted, _] = pressed(base, size, depth, angle, at);
        let found = (straight - tilted) / angle;
        let off = [found / exact - 1.0, lift / (stiffness() * size * size * depth) - 1.0];
        assert!(off.iter().all(|off| off.abs() < 0.05), "{base:?} {size} {at:?}: {off:?}");
    }
}

/// A follower with faces of two triangles on a round cam: it rests where the closed form of the segment that it cuts off says,
/// wherever on the face the cam stands.
#[test]
fn a_flat_follower_rests_on_a_cam() {
    let (radius, width, u_max) = (0.02_f64, 0.01, 1e-3);
    let cam = surface::cylinder(radius, 0.5 * width, Resolution::Divisions(400)).unwrap();
    let across = Quaternion::from_rotation_vector(&Vec3::new(0.5 * std::f64::consts::PI, 0.0, 0.0));
    let mesh = surface::block(Vec3::new(0.03, 0.01, 0.005), Resolution::Divisions(1)).unwrap();
    // A tenth of u_max deep: area of the segment times its stiffness.
    let depth = 0.1 * u_max;
    let half_chord = (depth * (2.0 * radius - depth)).sqrt();
    let angle = (half_chord / radius).asin();
    let load = stiffness() * width * radius * radius * (angle - angle.sin() * angle.cos());
    for k in 0..12 {
        let x = 1e-3 * f64::from(k) * 1.37 - 8e-3;
        let pose = Pose { rotation: across.to_matrix(), translation: Vec3::new(x, 1e-4 * f64::from(k), 0.0) };
        let cam = scene::fixed("cam", of_mesh(cam.clone()), pose);
        let start = Vec3::new(0.0, 0.0, radius + 0.005 - depth);
        let follower = scene::body(
            "follower",
            1.0,
            Mat3::identity(),
            of_mesh(mesh.clone()),
            Pose::from_translation(start),
        );
        let model = areal(vec![cam, follower], rubber(u_max, 0.0), BaseSide::B, 0.0, 1e-9);
        let system = System::compile(&model).expect("a sound model");
        let mut rates = Rates::in_contact(&system);
        let dynamics = Dynamics::new(&system);
        let mut state = rates.initial().to_vec();
        let mut out = vec![0.0; state.len()];
        let (mut low, mut high) = (0.0, 4.0 * depth);
        while high - low > 1e-4 * depth {
            let middle = 0.5 * (low + high);
            let position = Vec3::new(0.0, 0.0, radius + 0.005 - middle);
            let (velocity, angular_velocity) = (Vec3::zeros(), Vec3::zeros());
            let orientation = Quaternion::IDENTITY;
            let frame = BodyState { position, orientation, velocity, angular_velocity };
            assert!(dynamics.write_body(&mut state, 1, &frame));
            rates.update(0.0, &state, &mut out).expect("a sound state");
            if out[9] < load { low = middle } else { high = middle }
        }
        // The cam's facets cut off 0.6 µm; the rest is the accuracy of the force.
        assert!((low - depth).abs() < 0.01 * u_max, "{x}: {low} for {depth}");
    }
}

/// Its middle, where no barycentre of the teeth is, carries a ball.
#[test]
fn a_ball_that_falls_onto_the_end_of_a_gear_is_carried() {
    let gear = Gear {
        module: 0.004,
        teeth: 20,
        pressure_angle: 20_f64.to_radians(),
        width: 0.02,
        backlash: 0.0,
        profile_points: 8,
        layers: 2,
    };
    let place = Pose::from_translation(Vec3::new(0.0, 0.0, -0.01));
    let wheel = scene::fixed("wheel", of_mesh(surface::gear(&gear).unwrap()), place);
    let ball = ball(0.01, 500, Vec3::new(4e-3, -3e-3, 0.015));
    for base in [BaseSide::A, BaseSide::B, BaseSide::Finer] {
        let bodies = vec![wheel.clone(), ball.clone()];
        let mut model = areal(bodies, rubber(4e-3, 3e6), base, 9.81, 0.3);
        model.solver.h_max = Some(1e-3);
        let (outcome, _) = scene::run(&model);
        // c π R δ² = m g: 1.8 mm.
        let sinks = (9.81 / (stiffness() * std::f64::consts::PI * 0.01)).sqrt();
        let z = outcome.bodies[1].position.z;
        assert!((z - (0.01 - sinks)).abs() < 0.1 * sinks, "{base:?}: {z} {sinks}");
    }
}

#[test]
fn the_classic_construction_takes_triangles_as_they_are() {
    let mesh = surface::block(Vec3::new(0.5, 0.5, 0.1), Resolution::Divisions(1)).unwrap();
    let floor = scene::fixed("floor", of_mesh(mesh), Pose::from_translation(Vec3::new(0.0, 0.0, -0.1)));
    let ball = ball(0.1, 500, Vec3::new(0.0, 0.0, 0.1));
    let mut model = areal(vec![floor, ball], rubber(0.01, 0.0), BaseSide::A, 9.81, 1e-3);
    model.contact_lines[0].areal_detection = ArealDetection::Intersection;
    let problems = System::compile(&model).expect_err("a base of large triangles");
    assert_eq!(problems[0].code, "E0419");
    assert!(
        problems[0].help.as_ref().is_some_and(|help| help.contains("accuracy = \"off\"")),
        "{problems:?}"
    );
    model.contact_lines[0].accuracy = None;
    assert!(System::compile(&model).is_ok());
}

/// `check` says how many elements there are and what they are good for; what few carried is told at the end.
#[test]
fn elements_and_their_accuracy_are_told() {
    let drop = |accuracy, u_max, t_end| {
        let ball = ball(0.1, 2000, Vec3::new(0.03, 0.02, 0.0995));
        let mut model = areal(vec![plate(0.5), ball], rubber(u_max, 1e4), BaseSide::A, 9.81, t_end);
        model.contact_lines[0].accuracy = accuracy;
        let system = System::compile(&model).expect("a sound model");
        let law = system.info().pairs[0].law.clone();
        (law, system.notes().to_vec(), scene::run_any(&model).0)
    };
    let (law, notes, Outcome { end, warnings, .. }) = drop(Some(ACCURACY), 5e-3, 0.02);
    assert_eq!(end, EndReason::Finished);
    assert!(law.contains("elements of 2 triangles, error of the force about"), "{law}");
    assert!(notes.is_empty() && warnings.is_empty(), "{notes:?} {warnings:?}");
    let (law, notes, outcome) = drop(None, 5e-3, 0.03);
    assert!(law.contains("2 elements, error of the force about more than 100 %"), "{law}");
    assert!(notes.iter().any(|note| note.message.contains("accuracy = \"5 %\"")), "{notes:?}");
    // No middle of the two triangles is near the ball, which would be 4.9 mm deep at the end: half of u_max is passed unfelt.
    let EndReason::Failed(failure) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!((failure.code, failure.pair.as_deref()), ("E0616", Some("all[plate|ball]")));
    assert!(failure.help.contains("accuracy is \"off\""), "{}", failure.help);
    // A ball that sinks 1 mm where elements are made for 5 mm, and not well.
    let (_, _, Outcome { end, warnings, .. }) = drop(Some(1.0), 5e-2, 0.02);
    assert_eq!(end, EndReason::Finished);
    assert!(warnings.iter().any(|w| w.contains("carried the contact at its peak")), "{warnings:?}");
}
