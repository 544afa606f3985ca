//! A cam with a flat follower, whose faces are two triangles each as in a file of a CAD program.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use carom_engine::function::TimeFunction;
use carom_engine::law::{ArealBlock, ArealForm, Law, Layers, NormalKind, layer_modulus};
use carom_engine::model::{AxisSpring, BaseSide, JointKind, Method, Motor};
use carom_engine::{EndReason, Model};
use carom_geometry::surface::{self, Resolution};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::mechanism::{at, ground, joint};
use crate::scene::{self, Keeper};

const RADIUS: f64 = 0.02;
const WIDTH: f64 = 0.01;
const LIFT: f64 = 0.005;
/// Half the angle that lifts.
const RISE: f64 = 1.3;
const SPEED: f64 = 10.0;
const U_MAX: f64 = 1e-3;
const YOUNG: f64 = 1e7;
const LAYER: f64 = 0.01;
const MASS: f64 = 0.2;
const SPRING: f64 = 500.0;
/// Half the height of the follower.
const HALF: f64 = 0.005;

/// Angle from where the lift is greatest, over half of that which lifts.
fn from_nose(angle: f64) -> f64 {
    (angle.rem_euclid(TAU) - PI) / RISE
}

/// How high a flat face stands over a cam that is turned by `angle`.
fn lift(angle: f64) -> f64 {
    let from_nose = from_nose(angle);
    RADIUS + if from_nose.abs() < 1.0 { 0.5 * LIFT * (1.0 + (PI * from_nose).cos()) } else { 0.0 }
}

/// A prism about y whose outline has that support function, of `sides` chords. Unturned, its base circle is up.
fn cam(sides: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for y in [-0.5 * WIDTH, 0.5 * WIDTH] {
        mesh.vertices.push(Vec3::new(0.0, y, 0.0));
        for k in 0..sides {
            let angle = TAU * f64::from(k) / f64::from(sides);
            let (sine, cosine) = angle.sin_cos();
            let slope = (lift(angle + 1e-6) - lift(angle - 1e-6)) / 2e-6;
            let out = Vec3::new(sine, 0.0, cosine) * lift(angle) + Vec3::new(cosine, 0.0, -sine) * slope;
            mesh.vertices.push(out + y * Vec3::y());
        }
    }
    let other = sides + 1;
    for k in 0..sides {
        let (one, next) = (1 + k, 1 + (k + 1) % sides);
        mesh.triangles.extend([
            [one, next, other + next],
            [one, other + next, other + one],
            [0, next, one],
            [other, other + one, other + next],
        ]);
    }
    mesh
}

/// Stiffness of the layer (N/m³), with ν = 0.
fn stiffness() -> f64 {
    layer_modulus(YOUNG, 0.0) / LAYER
}

/// Force of the base circle that is `depth` deep: a segment of the circle, times its width.
fn force(depth: f64) -> f64 {
    let angle = (1.0 - depth / RADIUS).acos();
    stiffness() * WIDTH * RADIUS * RADIUS * (angle - angle.sin() * angle.cos())
}

/// A follower of `divisions` a face under a spring that presses the base circle `depth` deep.
fn scene(divisions: u32, accuracy: Option<f64>, depth: f64, t_end: f64) -> Model {
    let law = Law {
        young_modulus: Some(YOUNG),
        poisson_ratio: Some(0.0),
        mu: Some(0.0),
        point: None,
        areal: Some(ArealBlock {
            layers: Layers::One(LAYER),
            young_modulus: None,
            poisson_ratio: None,
            u_max: Some(U_MAX),
            may_exceed: false,
            damping: [1e6; 2],
            restitution: None,
            v_small: 0.01,
            form: ArealForm::Ramped(None),
        }),
        volume: None,
        rigid: None,
        ..scene::law(NormalKind::None, 1.0)
    };
    let shape = |mesh| Shape::Mesh(Arc::new(mesh));
    let cam = scene::body("cam", 1.0, Mat3::identity(), shape(cam(360)), Pose::identity());
    let face = surface::block(Vec3::new(0.03, 0.01, HALF), Resolution::Divisions(divisions)).unwrap();
    let rest = RADIUS - depth + HALF;
    let place = Pose::from_translation(Vec3::new(0.0, 0.0, rest));
    let follower = scene::body("follower", MASS, Mat3::identity(), shape(face), place);
    let mut model = scene::model(vec![ground(), cam, follower], law, 0.0, t_end, 1e-6);
    model.pairs.retain(|pair| pair.a.body == 1 && pair.b.body == 2);
    let across = Quaternion::from_rotation_vector(&Vec3::new(-0.5 * PI, 0.0, 0.0)).to_matrix();
    let (mut on_ground, mut on_cam) = (at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
    (on_ground.pose.rotation, on_cam.pose.rotation) = (across, across);
    let mut shaft = joint("shaft", JointKind::Revolute, on_ground, on_cam);
    shaft.elements[0].motor = Some(Motor::Velocity(TimeFunction::Constant(SPEED)));
    let mut guide = joint("guide", JointKind::Prismatic, at(0, 0.0, 0.0, 0.0), at(2, 0.0, 0.0, 0.0));
    guide.elements[0].spring =
        Some(AxisSpring { stiffness: SPRING, damping: 0.0, rest: rest - force(depth) / SPRING });
    model.joints = vec![shaft, guide];
    let line = &mut model.contact_lines[0];
    (line.method, line.base, line.accuracy) = (Method::Pcm, BaseSide::B, accuracy);
    model.output.every = Some(1e-3);
    model
}

/// Largest distance of the follower from where the closed form has it while the base circle is under it (m), from when it has
/// settled on.
fn off_the_base_circle(rows: &Keeper, depth: f64) -> f64 {
    let is_round = |time: f64| from_nose(-SPEED * time).abs() > 1.1;
    let settled = rows.frames.iter().filter(|frame| frame.time > 0.05 && is_round(frame.time));
    settled.map(|frame| (frame.bodies[2].position.z - HALF - (RADIUS - depth)).abs()).fold(0.0, f64::max)
}

/// Within 1 % of u_max at a tenth of it, which elements are made for, and deeper. The cam's chords cut off 0.08 % of u_max. No
/// rows of elements come and go at once: it takes fewer evaluations than a follower of 64 rows of triangles, which at the
/// greater depth is off by more than that 1 %.
#[test]
fn a_follower_of_two_triangles_a_face_keeps_to_the_base_circle() {
    for depth in [0.1 * U_MAX, 0.4 * U_MAX] {
        let (outcome, rows) = scene::run(&scene(1, Some(0.05), depth, TAU / SPEED));
        let off = off_the_base_circle(&rows, depth);
        assert!(off < 0.01 * U_MAX, "{depth}: {off}");
        let (stored, _) = scene::run(&scene(64, None, depth, TAU / SPEED));
        let [ours, theirs] = [&outcome, &stored].map(|outcome| outcome.statistics.rhs);
        assert!(ours < theirs, "{depth}: {ours} {theirs}");
    }
}

/// As they are, the two triangles have their middles beside the cam.
#[test]
fn triangles_as_they_are_do_not_carry_the_follower() {
    let (outcome, _) = scene::run_any(&scene(1, None, 0.1 * U_MAX, TAU / SPEED));
    let EndReason::Failed(failure) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(failure.code, "E0616");
}
