//! Friction that sticks in contact by regions: each has a bristle, which goes on through merging and splitting.

use carom_engine::law::{BristleKind, FrictionKind, Law, NormalKind, VolumeBlock};
use carom_engine::model::{IntegratorKind, Method};
use carom_engine::record::EventKind;
use carom_engine::{Model, Simulation, System};
use carom_geometry::surface::{self, Peanut, Resolution};
use carom_math::{Pose, Quaternion, Vec3};

use crate::scene::{self, Keeper, Kept, both, moved, of_mesh};

const G: f64 = 9.81;
const MU: f64 = 0.5;
/// N/m⁵
const STIFFNESS: f64 = 1e10;

fn sticking() -> Law {
    let mut law = Law {
        mu: Some(MU),
        v_reg: Some(1e-3),
        volume: Some(VolumeBlock { stiffness: Some(STIFFNESS), restitution: Some(1.0), v_small: 0.01 }),
        ..scene::law(NormalKind::Exact, 1.0)
    };
    scene::point(&mut law).friction = FrictionKind::StickSlip(BristleKind::DEFAULT);
    law
}

/// Half of a cube's edge, and how far it is in each jaw (m).
const HALF: f64 = 0.05;
const DEEP: f64 = 1e-5;

/// A cube between two jaws of one body, 20 N on each side: their normal forces cancel, and friction alone carries it.
fn clasped(mass: f64, t_end: f64) -> Model {
    let jaw = surface::block(Vec3::repeat(0.08), Resolution::Divisions(2)).unwrap();
    let at = Vec3::new(HALF + 0.08 - DEEP, 0.0, 0.0);
    let jaws = both(moved(jaw.clone(), at), &moved(jaw, -at));
    let cube = surface::block(Vec3::repeat(HALF), Resolution::Divisions(2)).unwrap();
    let mut body = scene::block("cube", mass, Vec3::repeat(2.0 * HALF), Pose::identity());
    body.shapes[0].shape = of_mesh(cube);
    let jaws = scene::fixed("jaws", of_mesh(jaws), Pose::identity());
    let mut model = scene::model(vec![jaws, body], sticking(), G, t_end, 1e-6);
    model.contact_lines[0].method = Method::Region;
    model.output.every = Some(0.05);
    model
}

/// 2 μ N = 20 N of friction, as far as p = k V on 0.01 m² goes: a kilogram is held, and 2.5 kg slide with what is too much.
#[test]
fn what_is_clasped_is_held_by_friction_on_both_sides() {
    let normal = STIFFNESS * 2.0 * DEEP * (4.0 * HALF * HALF) * (4.0 * HALF * HALF);
    assert!((normal - 20.0).abs() < 1e-9);
    for kind in [IntegratorKind::Auto, IntegratorKind::Dop853, IntegratorKind::Radau5] {
        let mut held = clasped(1.0, 1.0);
        held.solver.method = kind;
        let (_, keeper) = scene::run(&held);
        let place = |frame: usize| keeper.frames[frame].bodies[1].position.z;
        // What it swings on its bristles has died out after half a second.
        let crept = place(20) - place(10);
        assert!(crept.abs() < 0.5e-9, "{kind:?}: {crept:e}");
    }
    let (_, keeper) = scene::run(&clasped(2.5, 0.15));
    let speed = |frame: usize| keeper.frames[frame].bodies[1].velocity.z;
    let expected = -(G - 2.0 * MU * normal / 2.5);
    let acceleration = (speed(3) - speed(1)) / 0.1;
    // It sinks by some millimetres, and both sides stay covered.
    assert!((acceleration / expected - 1.0).abs() < 1e-3, "{acceleration} {expected}");
}

/// A peanut that comes down on its two lobes while it slides and turns about the upright (rad/s): two regions merge into one and part
/// again.
fn peanut(yaw: f64, t_end: f64) -> Model {
    let lobe_radius = 0.06;
    let shape = Peanut { half_length: 0.15, lobe_radius, lobe_at: 0.08, waist_radius: lobe_radius - 2e-3 };
    let mut mesh = surface::peanut(&shape, Resolution::Facets(6000)).unwrap();
    for p in &mut mesh.vertices {
        *p = Vec3::new(p.z, p.y, -p.x);
    }
    let plate = surface::block(Vec3::new(0.5, 0.5, 0.05), Resolution::Divisions(1)).unwrap();
    let plate = scene::fixed("plate", of_mesh(plate), Pose::from_translation(Vec3::new(0.0, 0.0, -0.05)));
    let turn = Quaternion::from_rotation_vector(&Vec3::new(0.0, 0.0, 0.2)).to_matrix();
    let place = Pose { rotation: turn, translation: Vec3::new(0.01, 0.02, 0.0605) };
    let mut body = scene::block("peanut", 1.0, Vec3::new(0.3, 0.1, 0.1), place);
    body.shapes[0].shape = of_mesh(mesh);
    body.velocity = Vec3::new(0.02, 0.01, -1.0);
    body.angular_velocity = Vec3::new(0.0, 0.0, yaw);
    let mut law = sticking();
    law.volume.as_mut().unwrap().stiffness = Some(STIFFNESS);
    let mut model = scene::model(vec![plate, body], law, G, t_end, 1e-9);
    model.contact_lines[0].method = Method::Region;
    model
}

/// The ledger stays at the integrator's order through merging and splitting, and friction goes on: in a microsecond it changes by no
/// more than its rate makes of it. It does not turn: where it does the friction of two regions is at two places, and that of the one
/// between them.
#[test]
fn bristles_go_on_through_merging_and_splitting() {
    let run = |rtol: f64| {
        let mut model = peanut(0.0, 0.03);
        model.solver.rtol = rtol;
        scene::run(&model)
    };
    let (outcome, keeper) = run(1e-9);
    let time_of =
        |kind: EventKind| keeper.events.iter().find(|event| event.kind == kind).map(|event| event.time);
    let (merge, split) = (time_of(EventKind::RegionMerge), time_of(EventKind::RegionSplit));
    let (Some(merge), Some(split)) = (merge, split) else { panic!("{:?}", keeper.events) };
    assert!(merge < split);
    assert!(keeper.frames.last().unwrap().energy.dissipated_friction > 0.0);
    assert!(outcome.residual_relative < 1e-7, "{:e}", outcome.residual_relative);
    let coarse = run(1e-6).0.residual_relative;
    assert!(coarse > 10.0 * outcome.residual_relative, "{coarse:e} {:e}", outcome.residual_relative);
    // From before the merging to behind the splitting.
    let mut closer = peanut(0.0, split + 2e-5);
    closer.output.every = Some(1e-6);
    let (_, keeper) = scene::run(&closer);
    let of = |frame: &Kept| frame.contacts.first().map(|c| (c.friction_force, c.normal_force));
    let rows: Vec<(Vec3, f64)> =
        keeper.frames.iter().filter(|frame| frame.time > merge - 2e-5).filter_map(of).collect();
    let greatest = rows.iter().map(|row| row.1).fold(0.0, f64::max);
    assert!(rows.len() > 100);
    for pair in rows.windows(2) {
        let change = (pair[1].0 - pair[0].0).norm();
        assert!(change < 5e-3 * MU * greatest, "{change} N of {greatest}");
    }
}

#[test]
fn a_restart_with_bristles_gives_the_same_bits() {
    let model = peanut(0.3, 0.02);
    let system = System::compile(&model).unwrap();
    let mut whole = Keeper { checkpoint_after: 12, ..Keeper::default() };
    let outcome = Simulation::new(&system).run(&mut whole).unwrap();
    let (image, _, events) = whole.checkpoints[0].clone();
    let mut rest = Keeper::default();
    let resumed = Simulation::resume(&system, &image).unwrap().run(&mut rest).unwrap();
    assert_eq!(resumed.bodies, outcome.bodies);
    assert_eq!(resumed.statistics.rhs, outcome.statistics.rhs);
    assert_eq!(rest.events, whole.events[events..]);
}
