//! Surfaces whose contact is felt at the end of a step that they begin to touch in: what touches first in it is the begin.

use std::f64::consts::FRAC_1_SQRT_2;
use std::sync::Arc;

use carom_engine::Model;
use carom_engine::model::{BaseSide, IntegratorKind, Method};
use carom_engine::record::EventKind;
use carom_geometry::surface::{self, Resolution};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Vec3};

use crate::areal_restitution::bouncy;
use crate::scene;

/// Everything moves along d = (−cos, 0, −sin) of this sine, at this speed (m/s).
const SINE: f64 = 0.1;
const SPEED: f64 = 1.0;
/// How deep the tip of the needle cuts into an edge, and its length and half its width (m).
const CUT: f64 = 5e-4;
const LENGTH: f64 = 0.03;
const HALF: f64 = 2e-3;
/// The longest step, and how long after the tip is in the middle of its cut, which takes 1 ms, the cube touches (s).
const STEP: f64 = 5e-3;
const LATER: f64 = 1.1e-3;
/// Where the post is, beside the table (m).
const ASIDE: f64 = -0.4;

/// Along which everything moves, and what is across it, upwards.
fn along() -> [Vec3; 2] {
    let cosine = (1.0 - SINE * SINE).sqrt();
    [Vec3::new(-cosine, 0.0, -SINE), Vec3::new(-SINE, 0.0, cosine)]
}

fn add(mesh: &mut TriangleMesh, vertices: &[Vec3], triangles: &[[u32; 3]]) {
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend(vertices);
    mesh.triangles.extend(triangles.iter().map(|t| t.map(|v| v + first)));
}

fn cube(half: f64, divisions: u32, pose: &Pose) -> TriangleMesh {
    let mut mesh = surface::block(Vec3::new(half, half, half), Resolution::Divisions(divisions)).unwrap();
    mesh.vertices.iter_mut().for_each(|p| *p = pose.transform_point(p));
    mesh
}

/// A table whose top is z = 0, and a post on one of whose edges, which is the line x = z = 0, the way of what comes lies across.
fn table_and_post() -> TriangleMesh {
    let (half, [d, up]) = (0.1, along());
    let mut mesh = cube(half, 1, &Pose::from_translation(Vec3::new(0.0, 0.0, -half)));
    let [one, other] = [(up + d) * FRAC_1_SQRT_2, (up - d) * FRAC_1_SQRT_2];
    let rotation = Mat3::from_columns(&[other, Vec3::y(), one]);
    let translation = Vec3::y() * ASIDE - (one + other) * half;
    let post = cube(half, 1, &Pose { rotation, translation });
    add(&mut mesh, &post.vertices, &post.triangles);
    mesh
}

/// A cube over the table, and a needle whose tip is in the middle of its cut into the post's edge after a time.
fn cube_and_needle(middle: f64) -> TriangleMesh {
    let (half, [d, up]) = (0.02, along());
    let gap = SPEED * SINE * (middle + LATER);
    let mut mesh = cube(half, 4, &Pose::from_translation(Vec3::new(0.0, 0.0, half + gap)));
    let tip = Vec3::y() * ASIDE - up * CUT - d * (SPEED * middle);
    let foot = tip + up * LENGTH;
    let (x, y) = (d * HALF, Vec3::y() * HALF);
    add(
        &mut mesh,
        &[tip, foot - x, foot + y + x, foot - y + x],
        &[[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]],
    );
    mesh
}

fn scene_of(middle: f64, kind: IntegratorKind) -> Model {
    let fixed = Shape::Mesh(Arc::new(table_and_post()));
    let table = scene::fixed("table", fixed, Pose::identity());
    let shape = Shape::Mesh(Arc::new(cube_and_needle(middle)));
    // So heavy that no force in the step shows.
    let mut cube = scene::body("cube", 1e12, Mat3::identity() * 1e11, shape, Pose::identity());
    cube.velocity = along()[0] * SPEED;
    let mut model = scene::model(vec![table, cube], bouncy(1.0), 0.0, middle + LATER + STEP, 1e-6);
    model.laws[0].areal.as_mut().unwrap().restitution = None;
    model.contact_lines[0].method = Method::Pcm;
    model.contact_lines[0].base = BaseSide::B;
    model.solver.method = kind;
    model.solver.h_max = Some(STEP);
    model
}

/// The tip touches the post and has left it when the cube touches the table, all within one step, at whose end the cube is felt; at its
/// start the cube is nearer the table than the tip is to the post. The begin is that of the tip, wherever the step begins.
#[test]
fn what_touches_first_in_a_step_is_the_begin() {
    for kind in [IntegratorKind::Ode45, IntegratorKind::Dop853, IntegratorKind::Radau5] {
        for place in 0..10 {
            let middle = 0.03 + 0.1 * STEP * f64::from(place);
            let (_, keeper) = scene::run(&scene_of(middle, kind));
            let begins = keeper.times(EventKind::ContactBegin);
            let touch = middle - CUT / SPEED;
            // To the rounding of positions of 0.5 m.
            assert!((begins[0] - touch).abs() < 1e-14, "{} {place}: {begins:?} {touch}", kind.name());
        }
    }
}

/// Two plates of 200 triangles a face, one 10 µm above the other: some 3000 pairs of triangles touch at once, and the step is not cut short
/// over which of them does so first.
#[test]
fn faces_that_come_down_flat_touch_at_once() {
    let (gap, gravity) = (1e-5, 9.81);
    let half = Vec3::new(0.02, 0.02, 0.004);
    for kind in [IntegratorKind::Ode45, IntegratorKind::Dop853, IntegratorKind::Radau5, IntegratorKind::Bdf] {
        let plate = || Shape::Mesh(Arc::new(surface::block(half, Resolution::Divisions(10)).unwrap()));
        let lower = scene::fixed("lower", plate(), Pose::identity());
        let place = Pose::from_translation(Vec3::new(0.0, 0.0, 2.0 * half.z + gap));
        let upper = scene::body("upper", 0.1, Mat3::identity() * 1e-5, plate(), place);
        let mut model = scene::model(vec![lower, upper], bouncy(1.0), gravity, 2e-3, 1e-6);
        model.laws[0].areal.as_mut().unwrap().restitution = None;
        model.contact_lines[0].method = Method::Pcm;
        model.contact_lines[0].base = BaseSide::A;
        model.solver.method = kind;
        let (outcome, keeper) = scene::run(&model);
        let begins = keeper.times(EventKind::ContactBegin);
        let touch = (2.0 * gap / gravity).sqrt();
        // The path of a step that the contact is in is right to 1e-10 m, at 14 mm/s.
        assert!(begins.len() == 1 && (begins[0] - touch).abs() < 7e-9, "{}: {begins:?} {touch}", kind.name());
        let rejected = outcome.statistics.rejected;
        assert!(rejected < 20, "{}: {rejected} steps rejected", kind.name());
    }
}
