//! Friction that sticks, by areal contact: a block that does not creep, a disc that spins down, what is recorded.

use std::sync::Arc;

use carom_engine::law::{
    ArealBlock, ArealForm, BristleKind, FrictionKind, Law, Layers, NormalKind, layer_modulus,
};
use carom_engine::model::Method;
use carom_engine::{Model, System};
use carom_geometry::Shape;
use carom_geometry::surface::{self, Resolution};
use carom_math::{Pose, Vec3};

use crate::scene::{self, Keeper, contact_line};

const G: f64 = 9.81;
const MU: f64 = 0.3;
const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.3;
const LAYER: f64 = 5e-3;

fn law() -> Law {
    let mut law = Law {
        young_modulus: Some(YOUNG),
        poisson_ratio: Some(POISSON),
        mu: Some(MU),
        v_reg: Some(1e-3),
        areal: Some(ArealBlock {
            layers: Layers::One(LAYER),
            young_modulus: None,
            poisson_ratio: None,
            u_max: Some(1e-3),
            may_exceed: false,
            damping: [1e6; 2],
            restitution: None,
            v_small: 0.01,
            form: ArealForm::Ramped(None),
        }),
        ..scene::law(NormalKind::None, 1.0)
    };
    scene::point(&mut law).friction = FrictionKind::StickSlip(BristleKind::DEFAULT);
    law
}

/// A flat body on a plate, as deep in it as its weight presses, under gravity.
fn on_plate(mesh: carom_geometry::TriangleMesh, mass: f64, face: f64, gravity: Vec3, t_end: f64) -> Model {
    let pressed = mass * gravity.z.abs() / (face * layer_modulus(YOUNG, POISSON) / LAYER);
    let low = mesh.vertices.iter().map(|v| v.z).fold(f64::INFINITY, f64::min);
    let place = Pose::from_translation(Vec3::new(0.0, 0.0, -low - pressed));
    let mut body = scene::block("block", mass, Vec3::new(0.04, 0.04, 0.01), place);
    body.shapes[0].shape = Shape::Mesh(Arc::new(mesh));
    let plate = surface::rectangle(0.5, 0.5, Resolution::Divisions(10)).unwrap();
    let plate = scene::fixed("plate", Shape::Mesh(Arc::new(plate)), Pose::identity());
    let mut model = scene::model(vec![plate, body], law(), G, t_end, 1e-6);
    model.gravity = gravity;
    model.contact_lines = vec![contact_line(Method::Pcm)];
    model
}

/// A block of 45 g where gravity leans by a share of the friction angle's tangent.
fn leaning(share: f64, t_end: f64) -> Model {
    let mesh = surface::block(Vec3::new(0.02, 0.02, 0.005), Resolution::Divisions(4)).unwrap();
    let gravity = Vec3::new(share * MU, 0.0, -1.0).normalize() * G;
    let mut model = on_plate(mesh, 0.045, 1.6e-3, gravity, t_end);
    model.output.every = Some(0.5);
    model
}

fn place(keeper: &Keeper, time: f64) -> f64 {
    let frame = keeper.frames.iter().find(|f| (f.time - time).abs() < 1e-9);
    frame.expect("an output time").bodies[1].position.x
}

/// A nanometre a second is what the best regularised law lets it creep; a bristle does not creep at all.
#[test]
fn a_block_holds_below_the_friction_angle_and_slides_above() {
    let (_, keeper) = scene::run(&leaning(0.99, 61.5));
    let crept = place(&keeper, 61.5) - place(&keeper, 1.5);
    assert!(crept.abs() < 60.0 * 1e-9, "{crept:e}");
    let (_, keeper) = scene::run(&leaning(1.01, 2.0));
    let speed = |frame: usize| keeper.frames[frame].bodies[1].velocity.x;
    let slope: f64 = 1.01 * MU;
    let gained = (slope - MU) * G / (1.0 + slope * slope).sqrt();
    assert!(((speed(4) - speed(2)) / gained - 1.0).abs() < 1e-3, "{} {gained}", speed(4) - speed(2));
}

/// A disc pressed evenly is braked by 2/3 μ N R: its spin falls by 2/3 μ m g R/I a second.
#[test]
fn a_spinning_disc_slows_down_as_coulomb_has_it() {
    let (radius, mass) = (0.03, 0.2);
    let mesh = surface::cylinder(radius, 0.005, Resolution::Facets(4000)).unwrap();
    let face = std::f64::consts::PI * radius * radius;
    let mut model = on_plate(mesh, mass, face, Vec3::new(0.0, 0.0, -G), 0.2);
    model.bodies[1].angular_velocity = Vec3::new(0.0, 0.0, 60.0);
    let inertia = model.bodies[1].inertia[(2, 2)];
    model.output.every = Some(0.05);
    let (_, keeper) = scene::run(&model);
    let spin = |frame: usize| keeper.frames[frame].bodies[1].angular_velocity.z;
    let loss = (spin(1) - spin(3)) / 0.1;
    let expected = 2.0 / 3.0 * MU * mass * G * radius / inertia;
    // The face of 4000 facets is a polygon: its radius of gyration is 0.5 % less.
    assert!((loss / expected - 1.0).abs() < 0.01, "{loss} {expected}");
}

/// Recorded patches carry the force of the contact, the bristle's share among it.
#[test]
fn patches_add_up_to_the_force() {
    let mut model = leaning(0.9, 1.0);
    model.output.patches = Some(0.5);
    let (_, keeper) = scene::run(&model);
    let frame = keeper.frames.last().expect("frames");
    let contact = frame.contacts[0];
    let whole = contact.normal * contact.normal_force + contact.friction_force;
    let patches: Vec3 = frame.patches.iter().map(|patch| patch.force).sum();
    assert!(contact.friction_force.norm() > 0.2 * contact.normal_force);
    assert!((patches - whole).norm() < 1e-9 * whole.norm(), "{patches} {whole}");
}

/// No note says that the friction was replaced.
#[test]
fn the_law_names_its_bristle() {
    let system = System::compile(&leaning(0.5, 1.0)).unwrap();
    let info = system.info();
    assert!(info.pairs[0].law.contains("stick-slip with mu = 0.3"), "{}", info.pairs[0].law);
    assert!(system.notes().iter().all(|note| note.code != "N0407"));
}
