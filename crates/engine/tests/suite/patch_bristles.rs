//! Friction that sticks in areal contact: each patch has a bristle, which goes on through merging and splitting.

use carom_engine::function::{Interpolation, Table, TimeFunction};
use carom_engine::law::{
    ArealBlock, ArealForm, BristleKind, FrictionKind, Law, Layers, NormalKind, layer_modulus,
};
use carom_engine::model::{Attachment, BaseSide, Force, ForceAxes, ForceKind, IntegratorKind, Method};
use carom_engine::{Model, Simulation, System};
use carom_geometry::surface::{self, Peanut, Resolution};
use carom_math::{Pose, Quaternion, Vec3};

use crate::scene::{self, Keeper, Kept, both, contact_line, moved, of_mesh};

const G: f64 = 9.81;
const MU: f64 = 0.5;
const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.3;
const LAYER: f64 = 5e-3;

/// Pressure over depth (N/m³).
fn stiffness() -> f64 {
    layer_modulus(YOUNG, POISSON) / LAYER
}

fn sticking(kind: FrictionKind) -> Law {
    let mut law = Law {
        young_modulus: Some(YOUNG),
        poisson_ratio: Some(POISSON),
        mu: Some(MU),
        v_reg: Some(1e-3),
        areal: Some(ArealBlock {
            layers: Layers::One(LAYER),
            young_modulus: None,
            poisson_ratio: None,
            u_max: Some(2e-3),
            may_exceed: false,
            damping: [1e6; 2],
            restitution: None,
            v_small: 0.01,
            form: ArealForm::Ramped(None),
        }),
        ..scene::law(NormalKind::None, 1.0)
    };
    scene::point(&mut law).friction = kind;
    law
}

fn stick_slip() -> Law {
    sticking(FrictionKind::StickSlip(BristleKind::DEFAULT))
}

/// Half of a cube's edge (m), and what presses on each side of it (N).
const HALF: f64 = 0.05;
const CLASP: f64 = 20.0;

/// A cube between two jaws of one body: their normal forces cancel, and friction alone carries it.
fn clasped(mass: f64, base: BaseSide, t_end: f64) -> Model {
    let deep = CLASP / (stiffness() * 4.0 * HALF * HALF);
    let jaw = surface::block(Vec3::repeat(0.08), Resolution::Divisions(8)).unwrap();
    let at = Vec3::new(HALF + 0.08 - deep, 0.0, 0.0);
    let jaws = both(moved(jaw.clone(), at), &moved(jaw, -at));
    let cube = surface::block(Vec3::repeat(HALF), Resolution::Divisions(8)).unwrap();
    let mut body = scene::block("cube", mass, Vec3::repeat(2.0 * HALF), Pose::identity());
    body.shapes[0].shape = of_mesh(cube);
    let jaws = scene::fixed("jaws", of_mesh(jaws), Pose::identity());
    let mut model = scene::model(vec![jaws, body], stick_slip(), G, t_end, 1e-6);
    model.contact_lines = vec![contact_line(Method::Pcm)];
    model.contact_lines[0].base = base;
    model.output.every = Some(0.05);
    model
}

/// 2 μ N = 20 N of friction: a kilogram is held, and 2.5 kg slide with what is too much.
#[test]
fn what_is_clasped_is_held_by_friction_on_both_sides() {
    for kind in [IntegratorKind::Auto, IntegratorKind::Dop853, IntegratorKind::Radau5] {
        let mut held = clasped(1.0, BaseSide::B, 1.0);
        held.solver.method = kind;
        let (_, keeper) = scene::run(&held);
        let place = |frame: usize| keeper.frames[frame].bodies[1].position.z;
        // What it swings on its bristles has died out after half a second.
        let crept = place(20) - place(10);
        assert!(crept.abs() < 0.5e-9, "{kind:?}: {crept:e}");
    }
    let (_, keeper) = scene::run(&clasped(2.5, BaseSide::B, 0.15));
    let speed = |frame: usize| keeper.frames[frame].bodies[1].velocity.z;
    let expected = -(G - 2.0 * MU * CLASP / 2.5);
    let acceleration = (speed(3) - speed(1)) / 0.1;
    // It sinks by some millimetres, and both sides stay covered.
    assert!((acceleration / expected - 1.0).abs() < 1e-3, "{acceleration} {expected}");
}

/// The other laws with bristles hold it as well, from either side and from both.
#[test]
fn each_law_and_each_base_holds() {
    let laws = [
        FrictionKind::StickSlip(BristleKind::DEFAULT),
        FrictionKind::Lugre(BristleKind::DEFAULT),
        FrictionKind::Bristle { bristle: BristleKind::DEFAULT, dwell_time: 0.1 },
    ];
    for kind in laws {
        for base in [BaseSide::A, BaseSide::B, BaseSide::Both] {
            let mut model = clasped(1.0, base, 0.8);
            model.laws = vec![sticking(kind)];
            let (_, keeper) = scene::run(&model);
            let place = |frame: usize| keeper.frames[frame].bodies[1].position.z;
            let crept = place(16) - place(10);
            assert!(crept.abs() < 0.3e-9, "{kind:?} {base:?}: {crept:e}");
        }
    }
}

const FOOT: f64 = 0.01;
const AT: f64 = 0.1;
const MASS: f64 = 1.0;

/// A table on two feet, twisted about the upright between them by a share of what they can hold: μ N times their distance from it.
fn twisted(share: f64, t_end: f64) -> Model {
    let foot = surface::block(Vec3::repeat(FOOT), Resolution::Divisions(3)).unwrap();
    let feet = both(moved(foot.clone(), Vec3::new(AT, 0.0, 0.0)), &moved(foot, Vec3::new(-AT, 0.0, 0.0)));
    let pressed = MASS * G / (stiffness() * 2.0 * 4.0 * FOOT * FOOT);
    let place = Pose::from_translation(Vec3::new(0.0, 0.0, FOOT - pressed));
    let mut table = scene::block("table", MASS, Vec3::new(0.3, 0.1, 0.02), place);
    table.shapes[0].shape = of_mesh(feet);
    let plate = surface::block(Vec3::new(0.5, 0.5, 0.05), Resolution::Divisions(2)).unwrap();
    let plate = scene::fixed("plate", of_mesh(plate), Pose::from_translation(Vec3::new(0.0, 0.0, -0.05)));
    let mut model = scene::model(vec![plate, table], stick_slip(), G, t_end, 1e-8);
    model.contact_lines = vec![contact_line(Method::Pcm)];
    model.contact_lines[0].base = BaseSide::B;
    let torque = share * MU * MASS * G * AT;
    // It comes slowly: at once it would break the bristles loose.
    let points = [(0.0, 0.0), (0.2, torque), (10.0, torque)];
    let pull = TimeFunction::Table(Table::new(&points, Interpolation::Linear).unwrap());
    let zero = || TimeFunction::Constant(0.0);
    let on = Attachment { body: 1, pose: Pose::identity() };
    let kind = ForceKind::Torque { on, components: [zero(), zero(), pull], axes: ForceAxes::World };
    model.forces = vec![Force { name: "wrench".to_owned(), kind }];
    model.output.every = Some(0.05);
    model
}

/// One bristle for both feet would let go at 0.943 of it, the mean distance of a disc with their radius of gyration. Above it the
/// table turns with what is too much.
#[test]
fn two_feet_hold_what_twists_them() {
    let (outcome, keeper) = scene::run(&twisted(0.97, 1.5));
    let turn = |frame: usize| keeper.frames[frame].bodies[1].orientation.to_rotation_vector().z;
    let crept = (turn(30) - turn(20)) * AT;
    assert!(crept.abs() < 0.5e-9, "{crept:e}");
    assert!(outcome.residual_relative < 1e-7, "{:e}", outcome.residual_relative);
    // Each foot has a spin as well: 0.0077 m beside 0.1 m, on an ellipsoid.
    let (_, keeper) = scene::run(&twisted(1.1, 0.6));
    let spin = |frame: usize| keeper.frames[frame].bodies[1].angular_velocity.z;
    let inertia = MASS * (0.3 * 0.3 + 0.1 * 0.1) / 12.0;
    let ellipse = (1.0 + (0.765 * FOOT / AT).powi(2)).sqrt();
    let expected = (1.1 - ellipse) * MU * MASS * G * AT / inertia;
    let gained = (spin(12) - spin(8)) / 0.2;
    assert!((gained / expected - 1.0).abs() < 0.02, "{gained} {expected}");
}

/// A block that turns slowly about its normal is stopped and held.
#[test]
fn a_block_that_is_twisted_about_its_normal_sticks() {
    let mesh = surface::block(Vec3::new(0.02, 0.02, 0.005), Resolution::Divisions(4)).unwrap();
    let pressed = 0.045 * G / (stiffness() * 1.6e-3);
    let place = Pose::from_translation(Vec3::new(0.0, 0.0, 0.005 - pressed));
    let mut body = scene::block("block", 0.045, Vec3::new(0.04, 0.04, 0.01), place);
    body.shapes[0].shape = of_mesh(mesh);
    body.angular_velocity = Vec3::new(0.0, 0.0, 1.0);
    let plate = surface::rectangle(0.5, 0.5, Resolution::Divisions(10)).unwrap();
    let plate = scene::fixed("plate", of_mesh(plate), Pose::identity());
    let mut model = scene::model(vec![plate, body], stick_slip(), G, 2.0, 1e-8);
    model.contact_lines = vec![contact_line(Method::Pcm)];
    model.output.every = Some(0.5);
    let (outcome, keeper) = scene::run(&model);
    let turn = |frame: usize| keeper.frames[frame].bodies[1].orientation.to_rotation_vector().z;
    // It turns by I ω²/(2 μ m g ρ) and no farther.
    let inertia = 0.045 * 2.0 * 0.04 * 0.04 / 12.0;
    let expected = inertia / (2.0 * MU * 0.045 * G * 0.765 * 0.02);
    assert!((turn(4) / expected - 1.0).abs() < 0.05, "{} {expected}", turn(4));
    assert!((turn(4) - turn(2)).abs() * 0.02 < 1e-9, "{:e}", turn(4) - turn(2));
    assert!(outcome.residual_relative < 1e-7, "{:e}", outcome.residual_relative);
}

/// A peanut that comes down on its two lobes while it slides and turns about the upright (rad/s): two patches merge into one and part
/// again.
fn peanut(yaw: f64, t_end: f64) -> Model {
    let lobe_radius = 0.06;
    let shape = Peanut { half_length: 0.15, lobe_radius, lobe_at: 0.08, waist_radius: lobe_radius - 2e-4 };
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
    body.velocity = Vec3::new(2.0, 1.0, -1.0);
    body.angular_velocity = Vec3::new(0.0, 0.0, yaw);
    let mut model = scene::model(vec![plate, body], stick_slip(), G, t_end, 1e-9);
    model.contact_lines = vec![contact_line(Method::Pcm)];
    model.contact_lines[0].base = BaseSide::B;
    model.laws[0].areal.as_mut().unwrap().u_max = Some(5e-3);
    model
}

/// The ledger stays at the integrator's order through merging and splitting, and friction goes on: in a microsecond it changes by no
/// more than its rate makes of it. It slides on: coming to rest it would change faster than that.
#[test]
fn bristles_go_on_through_merging_and_splitting() {
    let mut model = peanut(0.0, 0.004);
    model.output.every = Some(1e-6);
    model.output.patches = Some(2e-5);
    let (outcome, keeper) = scene::run(&model);
    assert!(keeper.frames.last().unwrap().energy.dissipated_friction > 0.0);
    assert!(outcome.residual_relative < 1e-9, "{:e}", outcome.residual_relative);
    let mut counts: Vec<usize> = keeper.frames.iter().map(|f| f.patches.len()).filter(|n| *n > 0).collect();
    counts.dedup();
    let merge = counts.windows(2).position(|pair| pair[0] > 1 && pair[1] == 1).expect("they merge");
    assert!(counts[merge + 1..].iter().any(|n| *n > 1), "they split: {counts:?}");
    let of = |frame: &Kept| frame.contacts.first().map(|c| (c.friction_force, c.normal_force));
    let rows: Vec<(Vec3, f64)> = keeper.frames.iter().filter_map(of).collect();
    let greatest = rows.iter().map(|row| row.1).fold(0.0, f64::max);
    assert!(rows.len() > 1000);
    let worst = rows.windows(2).map(|pair| (pair[1].0 - pair[0].0).norm()).fold(0.0, f64::max);
    assert!(worst < 5e-3 * MU * greatest, "{worst} N of {greatest}");
}

#[test]
fn a_restart_with_bristles_gives_the_same_bits() {
    let model = peanut(0.3, 0.02);
    let system = System::compile(&model).unwrap();
    for look in [6, 20] {
        let mut whole = Keeper { checkpoint_after: look, ..Keeper::default() };
        let outcome = Simulation::new(&system).run(&mut whole).unwrap();
        let (image, _, events) = whole.checkpoints[0].clone();
        let mut rest = Keeper::default();
        let resumed = Simulation::resume(&system, &image).unwrap().run(&mut rest).unwrap();
        assert_eq!(resumed.bodies, outcome.bodies);
        assert_eq!(resumed.energy, outcome.energy);
        assert_eq!(resumed.statistics.rhs, outcome.statistics.rhs);
        assert_eq!(rest.events, whole.events[events..]);
    }
}
