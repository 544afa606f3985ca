//! Contact by regions of triangle surfaces: energy, restitution, begins, merging and splitting.

use std::sync::Arc;

use carom_engine::law::{Law, NormalKind, VolumeBlock};
use carom_engine::model::{Body, IntegratorKind, Method};
use carom_engine::record::EventKind;
use carom_engine::{Model, Outcome};
use carom_geometry::surface::{self, Peanut, Resolution};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Vec3};

use crate::scene::{self, Keeper};

/// N/m⁵
const STIFFNESS: f64 = 1e10;

fn by_volume(restitution: f64) -> Law {
    Law {
        point: None,
        volume: Some(VolumeBlock { stiffness: Some(STIFFNESS), restitution: Some(restitution), v_small: 0.01 }),
        ..scene::law(NormalKind::None, 1.0)
    }
}

fn by_depth(kind: NormalKind, restitution: f64) -> Law {
    let mut law = scene::law(kind, restitution);
    scene::point(&mut law).stiffness = Some(1e6);
    law
}

fn of_mesh(mesh: TriangleMesh) -> Shape {
    Shape::Mesh(Arc::new(mesh))
}

/// Its upper face is z = 0.
fn plate() -> Body {
    let mesh = surface::block(Vec3::new(0.5, 0.5, 0.05), Resolution::Divisions(1)).unwrap();
    scene::fixed("plate", of_mesh(mesh), Pose::from_translation(Vec3::new(0.0, 0.0, -0.05)))
}

fn faller(mesh: TriangleMesh, height: f64, speed: f64) -> Body {
    let pose = Pose::from_translation(Vec3::new(0.01, 0.02, height));
    let mut body = scene::body("faller", 1.0, Mat3::identity() * 4e-3, of_mesh(mesh), pose);
    body.velocity.z = -speed;
    body
}

fn model(law: Law, body: Body, gravity: f64, t_end: f64) -> Model {
    let mut model = scene::model(vec![plate(), body], law, gravity, t_end, 1e-9);
    model.contact_lines[0].method = Method::Region;
    model
}

fn last_speed(keeper: &Keeper) -> f64 {
    keeper.frames.last().unwrap().bodies[1].velocity.z
}

fn residual(outcome: &Outcome) -> f64 {
    outcome.residual_relative
}

#[test]
fn explore() {
    for (name, law) in [
        ("volume e=1", by_volume(1.0)),
        ("volume e=0.5", by_volume(0.5)),
        ("depth none", by_depth(NormalKind::None, 1.0)),
        ("depth exact 0.5", by_depth(NormalKind::Exact, 0.5)),
        ("depth KV 0.5", by_depth(NormalKind::Anagnostopoulos, 0.5)),
    ] {
        for kind in [IntegratorKind::Ode45, IntegratorKind::Dop853] {
            let ball = surface::sphere(0.1, Resolution::Facets(2000)).unwrap();
            let mut model = model(law.clone(), faller(ball, 0.101, 1.0), 0.0, 0.05);
            model.solver.method = kind;
            if name.contains("KV") { scene::point(&mut model.laws[0]).exponent = 1.0; }
            let (outcome, keeper) = scene::run_any(&model);
            println!("{name} {kind:?}: {:?} v = {}", outcome.end, last_speed(&keeper));
            println!("  steps {:?} residual {:?} {:?} ", outcome.statistics.steps, residual(&outcome), outcome.pairs);
            for e in &keeper.events { println!("  {:?} {:?} {} {}", e.time, e.kind, e.approach_speed, e.impulse_normal); }
        }
    }
}
