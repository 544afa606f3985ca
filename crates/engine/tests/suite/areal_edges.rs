//! Edges and corners of coarse surfaces in areal contact: felt in time by elements that are fine beside them, and pushed out along
//! the face that they press into.

use carom_engine::analysis::{Dynamics, Rates};
use carom_engine::law::{Law, layer_modulus};
use carom_engine::model::{BaseSide, Body, LayerSide};
use carom_engine::record::{BodyState, EventKind};
use carom_engine::{Model, System};
use carom_geometry::TriangleMesh;
use carom_geometry::surface::{self, Resolution};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::areal_depth;
use crate::scene::{self, of_mesh};

const U_MAX: f64 = 5e-3;

/// c in N/m³ of the layer of `areal_depth`, with ν = 0.
fn stiffness() -> f64 {
    layer_modulus(1e6, 0.0) / 0.01
}

fn areal(bodies: Vec<Body>, base: BaseSide, t_end: f64) -> Model {
    let law = Law { poisson_ratio: Some(0.0), mu: Some(0.0), ..areal_depth::law(Some(U_MAX)) };
    let mut model = areal_depth::areal(bodies, law, 0.0, t_end);
    model.solver.rtol = 1e-7;
    let line = &mut model.contact_lines[0];
    (line.base, line.accuracy) = (base, Some(0.05));
    line.layer_on = LayerSide::Base;
    model
}

fn bar(half: Vec3) -> TriangleMesh {
    surface::block(half, Resolution::Divisions(1)).unwrap()
}

/// Of the part of a box that is below z = 0, by the divergence theorem over its faces: what closes it above lies in z = 0.
fn volume_below(half: &Vec3, pose: &Pose) -> f64 {
    let corner = |signs: [f64; 3]| pose.transform_point(&half.component_mul(&Vec3::from(signs)));
    let mut volume = 0.0;
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let at = |u: f64, v: f64| {
                let mut signs = [side; 3];
                (signs[(axis + 1) % 3], signs[(axis + 2) % 3]) = (u, v);
                corner(signs)
            };
            let face = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
            let mut below = Vec::new();
            for k in 0..4 {
                let (p, q) = (face[k], face[(k + 1) % 4]);
                below.extend((p.z <= 0.0).then_some(p));
                below.extend(((p.z <= 0.0) != (q.z <= 0.0)).then(|| p + (q - p) * (p.z / (p.z - q.z))));
            }
            for k in 2..below.len() {
                volume += side * below[0].dot(&below[k - 1].cross(&below[k])) / 6.0;
            }
        }
    }
    volume
}

/// What pushes the box, of 1 kg.
fn force_on_box(half: &Vec3, pose: &Pose, base: BaseSide) -> Vec3 {
    let sheet = surface::rectangle(0.5, 0.4, Resolution::Divisions(1)).unwrap();
    let sheet = scene::fixed("sheet", of_mesh(sheet), Pose::identity());
    let body = scene::body("box", 1.0, Mat3::identity(), of_mesh(bar(*half)), *pose);
    let system = System::compile(&areal(vec![sheet, body], base, 1e-9)).expect("a sound model");
    let mut rates = Rates::in_contact(&system);
    let mut state = rates.initial().to_vec();
    let mut out = vec![0.0; state.len()];
    let frame = BodyState {
        position: pose.translation,
        orientation: Quaternion::from_matrix(&pose.rotation),
        velocity: Vec3::zeros(),
        angular_velocity: Vec3::zeros(),
    };
    assert!(Dynamics::new(&system).write_body(&mut state, 1, &frame));
    rates.update(0.0, &state, &mut out).expect("a sound state");
    Vec3::new(out[7], out[8], out[9])
}

/// c V for the volume V that is pressed in, along the face's normal, whichever surface is the base: the sheet's elements feel it along
/// their normals, and those beside the box's edges and corners by the sheet's plane. With the default both are bases.
#[test]
fn what_presses_into_a_face_is_pushed_straight_out() {
    let half = Vec3::new(0.05, 0.04, 0.06);
    let turns = [
        Vec3::new(0.78, 0.0, 0.0),
        Vec3::new(0.35, 0.0, 0.0),
        Vec3::new(0.9, 0.5, 0.0),
        Vec3::new(0.2, 1.2, 0.4),
        Vec3::new(0.15, 0.1, 0.0),
    ];
    for turn in turns {
        let rotation = Quaternion::from_rotation_vector(&turn).to_matrix();
        let lowest = half.dot(&rotation.row(2).transpose().abs());
        for depth in [1e-3, 4e-3] {
            let pose = Pose { rotation, translation: Vec3::new(0.0137, -0.0071, lowest - depth) };
            let exact = stiffness() * volume_below(&half, &pose);
            for base in [BaseSide::B, BaseSide::Finer] {
                let force = force_on_box(&half, &pose, base) / exact;
                let aside = force.x.hypot(force.y);
                // What is farther from the edges is a face, and pushes along its own normal.
                assert!((force.z - 1.0).abs() < 0.08 && aside < 1e-3, "{turn:?} {depth} {base:?}: {force:?}");
            }
        }
    }
}

/// Two coarse bars that cross meet with their edges, where no corner is and no barycentre of theirs. Under the default they are felt
/// at once, wherever they cross, and part with the energy that they came with.
#[test]
fn bars_that_cross_edge_to_edge_bounce() {
    let half = Vec3::new(0.2, 0.02, 0.02);
    let turned = |about: Vec3| Quaternion::from_rotation_vector(&about).to_matrix();
    // An edge upwards along x, and one downwards along y.
    let below = turned(Vec3::new(std::f64::consts::FRAC_PI_4, 0.0, 0.0));
    let above = turned(Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2)) * below;
    let edge = half.y * 2.0_f64.sqrt();
    for at in [[0.0, 0.0], [0.0313, -0.0171], [-0.1037, 0.0711]] {
        let one =
            scene::fixed("below", of_mesh(bar(half)), Pose { rotation: below, translation: Vec3::zeros() });
        let place = Pose { rotation: above, translation: Vec3::new(at[0], at[1], 2.0 * edge + 1e-3) };
        let mut other = scene::body("above", 0.05, Mat3::identity() * 1e3, of_mesh(bar(half)), place);
        other.velocity = Vec3::new(0.0, 0.0, -0.5);
        let mut model = areal(vec![one, other], BaseSide::Finer, 0.05);
        model.contact_lines[0].layer_on = LayerSide::Both;
        let (outcome, rows) = scene::run(&model);
        let begins: Vec<f64> = rows.times(EventKind::ContactBegin);
        assert!(begins.len() == 1 && (begins[0] - 2e-3).abs() < 1e-9, "{at:?}: {begins:?}");
        let velocity = outcome.bodies[1].velocity;
        assert!((velocity.z - 0.5).abs() < 0.025, "{at:?}: {velocity:?}");
        assert!(velocity.x.hypot(velocity.y) < 0.02, "{at:?}: {velocity:?}");
    }
}

/// A cube falls onto a sheet corner first. Both are bases, and beside the corner the cube's elements carry all: that the sheet's carry none
/// is no want of elements.
#[test]
fn a_corner_that_is_carried_by_its_own_elements_is_not_called_coarse() {
    let half = Vec3::repeat(0.05);
    let rotation = Quaternion::from_rotation_vector(&Vec3::new(0.9, 0.5, 0.0)).to_matrix();
    let lowest = half.dot(&rotation.row(2).transpose().abs());
    let sheet = surface::rectangle(0.5, 0.4, Resolution::Divisions(1)).unwrap();
    let sheet = scene::fixed("sheet", of_mesh(sheet), Pose::identity());
    let place = Pose { rotation, translation: Vec3::new(0.0137, -0.0071, lowest + 1e-4) };
    let mut cube = scene::body("cube", 1.0, Mat3::identity(), of_mesh(bar(half)), place);
    cube.velocity = Vec3::new(0.0, 0.0, -0.1);
    let (outcome, rows) = scene::run(&areal(vec![sheet, cube], BaseSide::Finer, 0.06));
    assert_eq!(rows.times(EventKind::ContactBegin).len(), 1);
    assert!(outcome.bodies[1].velocity.z > -0.09, "{:?}", outcome.bodies[1].velocity);
    assert!(!outcome.warnings.iter().any(|w| w.contains("at its peak")), "{:?}", outcome.warnings);
}
