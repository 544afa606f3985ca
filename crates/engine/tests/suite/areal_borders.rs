//! Borders of open surfaces in areal contact: behind the triangles is solid, beside them is nothing.

use carom_engine::law::Law;
use carom_engine::model::{BaseSide, Body, IntegratorKind};
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model};
use carom_geometry::TriangleMesh;
use carom_geometry::surface::{self, Resolution};
use carom_math::{Mat3, Pose, Vec3};

use crate::areal_depth;
use crate::scene::{self, of_mesh};

const U_MAX: f64 = 5e-3;
/// Half the size of the sheet, whose top is z = 0 (m).
const HALF: f64 = 0.1;
/// Of what comes (m/s).
const SPEED: f64 = 0.1;

fn sheet() -> Body {
    let mesh = surface::rectangle(HALF, HALF, Resolution::Divisions(2)).unwrap();
    scene::fixed("sheet", of_mesh(mesh), Pose::identity())
}

/// A prism along y over a triangle of the xz plane, counter-clockwise seen from −y.
fn prism([p, q, r]: [[f64; 2]; 3], half_length: f64) -> TriangleMesh {
    let at = |[x, z]: [f64; 2], y: f64| Vec3::new(x, y, z);
    let vertices =
        [-half_length, half_length].into_iter().flat_map(|y| [p, q, r].map(|c| at(c, y))).collect();
    let mut triangles = vec![[0, 1, 2], [3, 5, 4]];
    for [a, b] in [[0, 1], [1, 2], [2, 0]] {
        triangles.extend([[a, a + 3, b + 3], [a, b + 3, b]]);
    }
    TriangleMesh { vertices, triangles }
}

fn scene_of(mesh: TriangleMesh, velocity: Vec3, base: BaseSide, t_end: f64) -> Model {
    let law = Law { mu: Some(0.0), ..areal_depth::law(Some(U_MAX)) };
    let mut body = scene::body("body", 1.0, Mat3::identity() * 1e-3, of_mesh(mesh), Pose::identity());
    body.velocity = velocity;
    let mut model = areal_depth::areal(vec![sheet(), body], law, 0.0, t_end);
    let line = &mut model.contact_lines[0];
    (line.base, line.accuracy) = (base, Some(0.05));
    model
}

/// A blade of 30° that goes down beside the border, a tenth of u_max away from it. Lines from its back, which leans over, go through its
/// thin edge and meet the sheet from behind, within its reach. They start where nothing is solid: nothing touches, and nothing acts.
#[test]
fn what_goes_past_a_border_feels_nothing() {
    let (gap, height) = (0.1 * U_MAX, 0.02);
    let [near, far] = [HALF + gap, HALF + gap + height / 3.0_f64.sqrt()];
    let start = 2e-3;
    let blade = || prism([[near, start], [far, start + height], [near, start + height]], 0.05);
    for base in [BaseSide::A, BaseSide::B, BaseSide::Both] {
        for kind in [IntegratorKind::Dop853, IntegratorKind::Radau5] {
            let mut model = scene_of(blade(), -Vec3::z() * SPEED, base, 2.0 * height / SPEED);
            model.solver.method = kind;
            let (outcome, keeper) = scene::run(&model);
            let begins = keeper.times(EventKind::ContactBegin);
            assert!(begins.is_empty(), "{base:?} {}: {begins:?}", kind.name());
            assert_eq!(outcome.bodies[1].velocity, -Vec3::z() * SPEED, "{base:?} {}", kind.name());
        }
    }
}

/// The same blade with its edge over the sheet is pushed out: the begin is where the edge comes to z = 0, to the tolerance of positions
/// over the speed.
#[test]
fn what_comes_down_on_a_sheet_is_felt() {
    let (height, start, inset) = (0.02, 2e-3, 0.05);
    let [near, far] = [HALF - inset, HALF - inset + height / 3.0_f64.sqrt()];
    let blade = prism([[near, start], [far, start + height], [near, start + height]], 0.05);
    let (outcome, keeper) =
        scene::run(&scene_of(blade, -Vec3::z() * SPEED, BaseSide::B, 2.0 * start / SPEED + 1.0));
    let begins = keeper.times(EventKind::ContactBegin);
    assert!((begins[0] - start / SPEED).abs() < 1e-9, "{begins:?}");
    assert!(outcome.bodies[1].velocity.z > 0.0, "{:?}", outcome.bodies[1].velocity);
}

/// A plate thinner than penetration lines are long that is thrown up under a sheet, where the sheet has its solid, and turns a tenth of
/// u_max below it. Elements of its lower face look through it at the sheet, though nothing touches. That is no contact, but a sheet that
/// faces the wrong way, and said.
#[test]
fn what_comes_near_from_behind_is_named() {
    let (thickness, start, gravity) = (0.5 * U_MAX, 0.02, 9.81);
    let speed = (2.0 * gravity * (start - 0.1 * U_MAX)).sqrt();
    for base in [BaseSide::B, BaseSide::Both] {
        let mut plate =
            surface::block(Vec3::new(0.03, 0.03, 0.5 * thickness), Resolution::Divisions(4)).unwrap();
        plate.vertices.iter_mut().for_each(|p| p.z -= start + 0.5 * thickness);
        let mut model = scene_of(plate, Vec3::z() * speed, base, 2.0 * speed / gravity);
        model.gravity = -Vec3::z() * gravity;
        // Steps at whose ends it is near.
        model.solver.h_max = Some(1e-3);
        let (outcome, keeper) = scene::run_any(&model);
        let EndReason::Failed(error) = &outcome.end else { panic!("{base:?}: {:?}", outcome.end) };
        assert!(error.code == "E0616" && error.message.contains("from behind"), "{base:?}: {error}");
        assert!(keeper.times(EventKind::ContactBegin).is_empty(), "{base:?}");
    }
}
