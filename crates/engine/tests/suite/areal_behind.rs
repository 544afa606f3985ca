//! Open surfaces that are met from behind, where their solid is taken to be: said, never a force.

use carom_engine::law::Law;
use carom_engine::model::{BaseSide, Body, IntegratorKind};
use carom_engine::record::{BodyState, EventKind};
use carom_engine::{EndReason, Model};
use carom_geometry::TriangleMesh;
use carom_geometry::surface::{self, Resolution, Terrain};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::areal_depth;
use crate::scene::{self, of_mesh};

const U_MAX: f64 = 5e-3;

/// A sheet, a place on it and the outward normal there.
struct Sheet {
    name: &'static str,
    mesh: TriangleMesh,
    place: Vec3,
    normal: Vec3,
}

fn sheets() -> Vec<Sheet> {
    let flat = surface::rectangle(0.1, 0.1, Resolution::Divisions(2)).unwrap();
    let tilt = Quaternion::from_rotation_vector(&Vec3::new(0.4, -0.3, 0.2)).to_matrix();
    let mut tilted = flat.clone();
    tilted.vertices.iter_mut().for_each(|p| *p = tilt * *p);
    let at = Vec3::new(0.011, 0.007, 0.0);
    // With its back to the plate it is touched on an edge, which lies in no triangle's plane.
    let mut bent = flat.clone();
    bent.vertices.iter_mut().for_each(|p| p.z = 0.01 * p.x.abs());
    let funnel = surface::funnel(0.2, 0.15, 2).unwrap();
    let slope = Vec3::new(-0.15, 0.0, 0.2).normalize();
    let rough =
        surface::terrain(&Terrain { size: 0.2, relief: 0.01, hurst: 0.8, seed: 3, levels: 4 }).unwrap();
    vec![
        Sheet { name: "flat", mesh: flat, place: at, normal: Vec3::z() },
        Sheet { name: "tilted", mesh: tilted, place: tilt * at, normal: tilt * Vec3::z() },
        Sheet { name: "bent", mesh: bent, place: Vec3::new(0.0, 0.007, 0.0), normal: Vec3::z() },
        Sheet { name: "funnel", mesh: funnel, place: Vec3::new(0.12, 0.005, 0.09), normal: slope },
        Sheet { name: "terrain", mesh: rough, place: Vec3::new(0.1, 0.09, 0.0), normal: Vec3::z() },
    ]
}

/// A plate on its way to a sheet along the normal, from its front or its back, so thick, and leant by so much (rad).
#[derive(Clone, Copy, Debug)]
struct Plate {
    thickness: f64,
    lean: f64,
    /// Along the outward normal (m/s).
    speed: f64,
}

impl Plate {
    const HALF: [f64; 2] = [0.03, 0.02];
    const CLEAR: f64 = 0.02;

    fn comes_to(self, sheet: &Sheet, base: BaseSide, kind: IntegratorKind) -> Model {
        let half = Vec3::new(Self::HALF[0], Self::HALF[1], 0.5 * self.thickness);
        let mesh = surface::block(half, Resolution::Divisions(4)).unwrap();
        let axis = Vec3::z().cross(&sheet.normal);
        let upright = Quaternion::from_rotation_vector(
            &(axis.try_normalize(0.0).unwrap_or_default() * axis.norm().atan2(sheet.normal.z)),
        );
        let leant = Quaternion::from_rotation_vector(&Vec3::new(self.lean, 0.6 * self.lean, 0.0));
        let rotation = upright.to_matrix() * leant.to_matrix();
        let away = Self::CLEAR + 0.5 * self.thickness + self.lean.sin() * 0.05;
        let pose = Pose { rotation, translation: sheet.place - sheet.normal * (self.speed.signum() * away) };
        let mut body = scene::body("plate", 1.0, Mat3::identity() * 1e-3, of_mesh(mesh), pose);
        body.velocity = sheet.normal * self.speed;
        let fixed = scene::fixed("sheet", of_mesh(sheet.mesh.clone()), Pose::identity());
        let law = Law { mu: Some(0.0), ..areal_depth::law(Some(U_MAX)) };
        let mut model = areal_depth::areal(vec![fixed, body], law, 0.0, 2.0 * away / self.speed.abs());
        model.solver.method = kind;
        let line = &mut model.contact_lines[0];
        (line.base, line.accuracy) = (base, Some(0.05));
        model
    }
}

const BASES: [BaseSide; 3] = [BaseSide::A, BaseSide::B, BaseSide::Both];
const KINDS: [IntegratorKind; 4] =
    [IntegratorKind::Ode45, IntegratorKind::Dop853, IntegratorKind::Bdf, IntegratorKind::Radau5];

/// Plates flat and leant, thinner than penetration lines are long, that come at the back of sheets, slow and fast, in steps long and short.
/// Lines from their far side look through them at the sheet and would push them on: flat ones by up to the thickness times c, which shot
/// one of 2.5 mm that came with 0.1 m/s out with 1.7 m/s. All end as they meet the sheet, and the pair is named.
#[test]
fn what_comes_at_a_back_is_named() {
    let mut kinds = KINDS.iter().cycle();
    for sheet in sheets() {
        for (thickness, lean) in [(1e-3, 0.0), (2.5e-3, 0.0), (2.5e-3, 0.05), (6e-3, 1.0), (1e-2, 0.0)] {
            for speed in [0.01, 0.1, 10.0] {
                for base in BASES {
                    let kind = *kinds.next().unwrap();
                    let plate = Plate { thickness, lean, speed };
                    let mut model = plate.comes_to(&sheet, base, kind);
                    model.solver.h_max = (kind == IntegratorKind::Dop853).then_some(1e-4 / speed);
                    let (outcome, _) = scene::run_any(&model);
                    let what = format!("{} {plate:?} {base:?} {}", sheet.name, kind.name());
                    let EndReason::Failed(error) = &outcome.end else {
                        panic!("{what}: {:?}, {:?}", outcome.end, outcome.bodies[1].velocity)
                    };
                    assert!(
                        error.code == "E0616" && error.message.contains("from behind"),
                        "{what}: {error}"
                    );
                    assert_eq!(error.pair.as_deref(), Some("all[sheet|plate]"), "{what}");
                    // Nothing has pushed it yet.
                    let gained = outcome.bodies[1].velocity.norm() / speed - 1.0;
                    assert!(gained < 1e-12, "{what}: {gained:e}");
                }
            }
        }
    }
}

/// The same from the front come back.
#[test]
fn what_comes_at_a_front_comes_back() {
    let mut kinds = KINDS.iter().cycle();
    for sheet in sheets() {
        for (thickness, lean) in [(2.5e-3, 0.0), (2.5e-3, 0.05), (6e-3, 0.3), (1e-2, 0.0)] {
            for speed in [-0.1] {
                for base in BASES {
                    let kind = *kinds.next().unwrap();
                    let plate = Plate { thickness, lean, speed };
                    let (outcome, _) = scene::run_any(&plate.comes_to(&sheet, base, kind));
                    let what = format!("{} {plate:?} {base:?} {}", sheet.name, kind.name());
                    assert_eq!(outcome.end, EndReason::Finished, "{what}");
                    let back = outcome.bodies[1].velocity.dot(&sheet.normal);
                    assert!(back > 0.0, "{what}: {back}");
                }
            }
        }
    }
}

/// Kinetic energy of a body (J).
fn kinetic(state: &BodyState, body: &Body) -> f64 {
    let spin = state.angular_velocity;
    0.5 * (body.mass * state.velocity.norm_squared() + spin.dot(&(body.inertia * spin)))
}

/// What comes down on the border of a sheet from the front, leant or round, touches an edge with nothing behind it on one side, and is soon
/// deeper under the border than it has come. It is sent back.
#[test]
fn what_comes_down_on_a_border_comes_back() {
    let mut kinds = KINDS.iter().cycle();
    let mesh = surface::rectangle(0.1, 0.1, Resolution::Divisions(2)).unwrap();
    for outside in [-0.01, -0.002, 0.004] {
        let place = Vec3::new(0.1 + outside, 0.007, 0.0);
        let sheet = Sheet { name: "border", mesh: mesh.clone(), place, normal: Vec3::z() };
        for base in BASES {
            let leant = |lean| Plate { thickness: 6e-3, lean, speed: -0.1 };
            let plates = [0.1, 0.5, 1.0].map(leant);
            let mut models: Vec<(String, Model)> = Vec::new();
            for plate in plates {
                models.push((format!("{plate:?}"), plate.comes_to(&sheet, base, *kinds.next().unwrap())));
            }
            let mut ball = plates[0].comes_to(&sheet, base, *kinds.next().unwrap());
            ball.bodies[1] = areal_depth::ball("plate", 1.0, 0.02, place + Vec3::z() * 0.03);
            ball.bodies[1].velocity = -Vec3::z() * 0.1;
            ball.solver.t_end = 0.3;
            models.push(("ball".to_owned(), ball));
            for (what, model) in &models {
                let (outcome, keeper) = scene::run_any(model);
                let what = format!("{outside} {what} {base:?} {}", model.solver.method.name());
                assert_eq!(outcome.end, EndReason::Finished, "{what}");
                assert_eq!(keeper.times(EventKind::ContactBegin).len(), 1, "{what}");
                let back = outcome.bodies[1].velocity.z;
                assert!(back > 0.0, "{what}: {back}");
                // Nothing is lost or gained but what the ledger shows, as lines along one side's normals leave bodies beside its borders.
                let start = 0.5 * 0.01;
                let gained =
                    kinetic(&outcome.bodies[1], &model.bodies[1]) - start - outcome.pairs[0].model_defect;
                assert!(gained.abs() < 1e-3 * start, "{what}: {gained:e}");
            }
        }
    }
}

/// A ball that comes from behind at the border of a sheet, with its middle beyond it: outwards, its touching place has been straight under the
/// sheet, and is told. Inwards it has been beside the sheet, and is not.
#[test]
fn what_comes_outwards_at_a_border_from_behind_is_named() {
    let (radius, reach, speed) = (0.02, 0.1, 0.1);
    for (base, kind) in BASES.into_iter().zip(KINDS) {
        for outwards in [0.03, -0.03] {
            let sheet = surface::rectangle(reach, reach, Resolution::Divisions(2)).unwrap();
            let velocity = Vec3::new(outwards, 0.0, speed);
            // Where it touches with its middle beyond the border by a quarter of its radius.
            let touching = Vec3::new(reach + 0.25 * radius, 0.013, -0.9375_f64.sqrt() * radius);
            let mut ball = areal_depth::ball("ball", 1.0, radius, touching - velocity * 0.1);
            ball.velocity = velocity;
            let bodies = vec![scene::fixed("sheet", of_mesh(sheet), Pose::identity()), ball];
            let law = Law { mu: Some(0.0), ..areal_depth::law(Some(U_MAX)) };
            let mut model = areal_depth::areal(bodies, law, 0.0, 0.102);
            model.solver.method = kind;
            model.contact_lines[0].base = base;
            let (outcome, keeper) = scene::run_any(&model);
            let what = format!("{base:?} {} {outwards}", kind.name());
            let begins = keeper.times(EventKind::ContactBegin).len();
            match &outcome.end {
                EndReason::Failed(error) if outwards > 0.0 => {
                    assert!(
                        error.code == "E0616" && error.message.contains("from behind"),
                        "{what}: {error}"
                    );
                    assert_eq!(begins, 0, "{what}");
                }
                end => assert!(
                    outwards < 0.0 && *end == EndReason::Finished && begins == 1,
                    "{what}: {end:?} {begins}"
                ),
            }
        }
    }
}

/// A soft box that slides from one sheet onto another one flush with it, a millimetre deep in both.
#[test]
fn what_slides_over_a_seam_goes_on() {
    let (half, depth, speed) = (0.02, 1e-3, 0.2);
    let tile = |name: &str, x: f64| {
        let mesh = surface::rectangle(0.05, 0.05, Resolution::Divisions(20)).unwrap();
        scene::fixed(name, of_mesh(mesh), Pose::from_translation(Vec3::x() * x))
    };
    let gravity = 9.81;
    let mass = areal_depth::stiffness() * 4.0 * half * half * depth / gravity;
    for base in BASES {
        for kind in KINDS {
            let mesh = surface::block(Vec3::repeat(half), Resolution::Divisions(20)).unwrap();
            let pose = Pose::from_translation(Vec3::new(-0.025, 0.0, half - depth));
            let mut body =
                scene::body("box", mass, Mat3::identity() * (mass * half * half / 1.5), of_mesh(mesh), pose);
            body.velocity = Vec3::x() * speed;
            let law = Law { mu: Some(0.0), ..areal_depth::law(Some(U_MAX)) };
            let bodies = vec![tile("one", -0.05), tile("two", 0.05), body];
            let mut model = areal_depth::areal(bodies, law, gravity, 0.05 / speed);
            model.solver.method = kind;
            model.contact_lines[0].base = base;
            let (outcome, keeper) = scene::run_any(&model);
            let what = format!("{base:?} {}", kind.name());
            assert_eq!(outcome.end, EndReason::Finished, "{what}");
            // Its front comes to the seam after 5 mm, leant by what elements leave, and once. It floats on as deep as before.
            let begins = keeper.times(EventKind::ContactBegin);
            assert!(
                begins.len() == 2 && (begins[1] - 0.005 / speed).abs() < 0.01 * half / speed,
                "{what}: {begins:?}"
            );
            let off = outcome.bodies[2].position - Vec3::new(0.025, 0.0, half - depth);
            assert!(off.norm() < 0.02 * depth, "{what}: {off:?}");
        }
    }
}

/// A plate of a fifth of u_max that comes at the back of a sheet of triangles so large, and to be taken as they are, that no barycentre is ever
/// in it. It went through, unfelt, as it overlaps by less than surfaces may unfelt.
#[test]
fn what_no_element_sees_is_named_as_it_touches_a_back() {
    let clear = Plate::CLEAR;
    for sheet in &sheets()[..2] {
        for kind in KINDS {
            let plate = Plate { thickness: 0.2 * U_MAX, lean: 0.0, speed: 0.1 };
            let mut model = plate.comes_to(sheet, BaseSide::A, kind);
            model.contact_lines[0].accuracy = None;
            let outcome = scene::run_any(&model).0;
            let what = format!("{} {}", sheet.name, kind.name());
            let EndReason::Failed(error) = &outcome.end else { panic!("{what}: {:?}", outcome.end) };
            assert!(error.code == "E0616" && error.message.contains("from behind"), "{what}: {error}");
            // At the end of the step that touches, which takes surfaces no farther than u_max.
            let late = error.time - clear / plate.speed;
            assert!(late > -1e-9 && late < U_MAX / plate.speed + 1e-9, "{what}: {late}");
        }
    }
}

/// A needle that flies along a roof's top and meets its ridge, which it passes over: it leaves one slope through the other one's front. On the ridge to
/// rounding, that was told as if it had been under the slope that it leaves.
#[test]
fn what_passes_a_ridge_from_the_front_is_not_named() {
    let mut roof = surface::rectangle(0.1, 0.1, Resolution::Divisions(2)).unwrap();
    roof.vertices.iter_mut().for_each(|p| p.z = -0.5 * p.x.abs());
    let needle = TriangleMesh {
        vertices: vec![
            Vec3::zeros(),
            Vec3::new(-0.05, 0.005, 0.004),
            Vec3::new(-0.05, -0.005, 0.004),
            Vec3::new(-0.05, 0.0, -0.004),
        ],
        triangles: vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
    };
    for base in BASES {
        for slope in [-0.3, 0.0, 0.3] {
            let velocity = Vec3::new(1.0, 0.0, slope);
            let pose = Pose::from_translation(Vec3::new(0.0, 0.013, 0.0) - velocity * 0.01);
            let mut body = scene::body("needle", 1.0, Mat3::identity() * 1e-3, of_mesh(needle.clone()), pose);
            body.velocity = velocity;
            let law = Law { mu: Some(0.0), ..areal_depth::law(Some(U_MAX)) };
            let bodies = vec![scene::fixed("roof", of_mesh(roof.clone()), Pose::identity()), body];
            let mut model = areal_depth::areal(bodies, law, 0.0, 0.012);
            model.contact_lines[0].base = base;
            let outcome = scene::run_any(&model).0;
            if let EndReason::Failed(error) = &outcome.end {
                assert!(!error.message.contains("from behind"), "{base:?} {slope}: {error}");
            }
        }
    }
}
