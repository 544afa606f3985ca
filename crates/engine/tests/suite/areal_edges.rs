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

/// What pushes the box that is pressed into the sheet, of 1 kg.
fn force_on_box(half: &Vec3, pose: &Pose, base: BaseSide) -> Vec3 {
    let sheet = surface::rectangle(0.5, 0.4, Resolution::Divisions(1)).unwrap();
    let sheet = scene::fixed("sheet", of_mesh(sheet), Pose::identity());
    forces_on_box(sheet, half, &[*pose], base)[0]
}

/// What pushes a box of 1 kg at poses against what is fixed.
fn forces_on_box(fixed: Body, half: &Vec3, poses: &[Pose], base: BaseSide) -> Vec<Vec3> {
    let body = scene::body("box", 1.0, Mat3::identity(), of_mesh(bar(*half)), poses[0]);
    let system = System::compile(&areal(vec![fixed, body], base, 1e-9)).expect("a sound model");
    let mut rates = Rates::in_contact(&system);
    let mut state = rates.initial().to_vec();
    let mut out = vec![0.0; state.len()];
    let dynamics = Dynamics::new(&system);
    let mut force_at = |pose: &Pose| {
        let frame = BodyState {
            position: pose.translation,
            orientation: Quaternion::from_matrix(&pose.rotation),
            velocity: Vec3::zeros(),
            angular_velocity: Vec3::zeros(),
        };
        assert!(dynamics.write_body(&mut state, 1, &frame));
        rates.update(0.0, &state, &mut out).expect("a sound state");
        Vec3::new(out[7], out[8], out[9])
    };
    poses.iter().map(&mut force_at).collect()
}

/// Table with its top in z = 0 that ends at x = 0.5 m.
fn table() -> Body {
    let below = Pose::from_translation(Vec3::new(0.0, 0.0, -0.05));
    scene::fixed("table", of_mesh(bar(Vec3::new(0.5, 0.5, 0.05))), below)
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

/// Two bars of two triangles a face that cross, one over the other at a place, and come together with 0.5 m/s after 2 ms.
fn crossing_bars(at: [f64; 2], accuracy: f64) -> Model {
    let half = Vec3::new(0.2, 0.02, 0.02);
    let turned = |about: Vec3| Quaternion::from_rotation_vector(&about).to_matrix();
    // An edge upwards along x, and one downwards along y.
    let below = turned(Vec3::new(std::f64::consts::FRAC_PI_4, 0.0, 0.0));
    let above = turned(Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2)) * below;
    let edge = half.y * 2.0_f64.sqrt();
    let one = scene::fixed("below", of_mesh(bar(half)), Pose { rotation: below, translation: Vec3::zeros() });
    let place = Pose { rotation: above, translation: Vec3::new(at[0], at[1], 2.0 * edge + 1e-3) };
    let mut other = scene::body("above", 0.05, Mat3::identity() * 1e3, of_mesh(bar(half)), place);
    other.velocity = Vec3::new(0.0, 0.0, -0.5);
    let mut model = areal(vec![one, other], BaseSide::Finer, 0.05);
    model.contact_lines[0].layer_on = LayerSide::Both;
    model.contact_lines[0].accuracy = Some(accuracy);
    model
}

/// Two coarse bars that cross meet with their edges, where no corner is and no barycentre of theirs. Under the default they are felt
/// at once, wherever they cross, and part with the energy that they came with.
#[test]
fn bars_that_cross_edge_to_edge_bounce() {
    for at in [[0.0, 0.0], [0.0313, -0.0171], [-0.1037, 0.0711]] {
        let (outcome, rows) = scene::run(&crossing_bars(at, 0.05));
        let begins: Vec<f64> = rows.times(EventKind::ContactBegin);
        assert!(begins.len() == 1 && (begins[0] - 2e-3).abs() < 1e-9, "{at:?}: {begins:?}");
        let velocity = outcome.bodies[1].velocity;
        assert!((velocity.z - 0.5).abs() < 0.025, "{at:?}: {velocity:?}");
        assert!(velocity.x.hypot(velocity.y) < 0.02, "{at:?}: {velocity:?}");
    }
}

/// With a coarser accuracy they are felt later, in proportion, by fewer elements, whose number along an edge goes with one over their
/// length: with 20 % at four tenths of u_max and by a quarter of them. They bounce all the same, by what few large elements make of it.
#[test]
fn a_coarser_accuracy_feels_edges_later_by_fewer_elements() {
    let elements = |accuracy: f64| -> f64 {
        let system = System::compile(&crossing_bars([0.0313, -0.0171], accuracy)).expect("a sound model");
        let law = system.info().pairs[0].law.clone();
        let (before, _) = law.split_once(" elements of 12 triangles").expect("finer elements");
        before.rsplit(' ').next().unwrap().parse().expect("a number")
    };
    let [usual, finer, coarser] = [0.05, 0.02, 0.2].map(elements);
    assert!(coarser < usual / 3.0 && finer >= usual, "{coarser} {usual} {finer}");
    for at in [[0.0, 0.0], [0.0313, -0.0171], [-0.1037, 0.0711]] {
        let (outcome, rows) = scene::run(&crossing_bars(at, 0.2));
        let begins: Vec<f64> = rows.times(EventKind::ContactBegin);
        assert!(begins.len() == 1 && (begins[0] - 2e-3).abs() < 1e-9, "{at:?}: {begins:?}");
        let velocity = outcome.bodies[1].velocity;
        assert!((velocity.z - 0.5).abs() < 0.1, "{at:?}: {velocity:?}");
    }
}

/// Plates that are a thousand u_max wide have millions of elements beside their edges, which is told before a run takes its time.
#[test]
fn the_cost_of_long_edges_is_told() {
    let notes = |accuracy: f64| -> bool {
        let plate = |height: f64| {
            let pose = Pose::from_translation(Vec3::new(0.0, 0.0, height));
            scene::body("plate", 1.0, Mat3::identity(), of_mesh(bar(Vec3::new(2.5, 2.5, 0.5))), pose)
        };
        let mut model = areal(vec![plate(0.0), plate(1.1)], BaseSide::Both, 0.1);
        model.contact_lines[0].accuracy = Some(accuracy);
        let system = System::compile(&model).expect("a sound model");
        system.notes().iter().any(|note| note.code == "N0410")
    };
    assert!(notes(0.05) && !notes(0.25));
}

/// What N0410 proposes has as many elements as it says, far fewer, and keeps what presses face on face: c V of a block on a table, flat and
/// slightly leant, with V of the block's corners alone. Sums over elements are exact where all are in, so that what is off is those that the
/// contour cuts.
#[test]
fn what_is_proposed_for_many_elements_has_far_fewer_and_the_same_force() {
    let half = Vec3::new(0.02, 0.015, 0.01);
    let (depth, u_max) = (1e-5, 2e-5);
    let with = |u_max: f64, accuracy: f64, pose: Pose| {
        let block = scene::body("box", 1.0, Mat3::identity(), of_mesh(bar(half)), pose);
        let mut model = areal(vec![table(), block], BaseSide::B, 1e-9);
        model.laws[0].areal.as_mut().unwrap().u_max = Some(u_max);
        model.contact_lines[0].accuracy = Some(accuracy);
        System::compile(&model).expect("a sound model")
    };
    let number = |text: &str, before: &str| -> f64 {
        let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
        let end = rest.find(|c: char| !(c.is_ascii_digit() || "e-.".contains(c))).unwrap_or(rest.len());
        rest[..end].parse().unwrap_or_else(|e| panic!("{e}: {before} in {text}"))
    };
    let elements = |system: &System| number(&system.info().pairs[0].law, "base B, ");
    let flat = Pose::from_translation(Vec3::new(0.0137, -0.0071, half.z - depth));
    let costly = with(u_max, 0.05, flat);
    let told = costly.notes().iter().find(|note| note.code == "N0410").expect("the cost is told");
    assert_eq!(number(&told.message, "pair \"all[table|box]\": "), elements(&costly));
    let larger = number(&told.message, "u_max = \"");
    let lighter = with(larger, 0.05, flat);
    assert_eq!(number(&told.message, "[pcm] block makes "), elements(&lighter), "{}", told.message);
    assert!(3.0 * elements(&lighter) <= elements(&costly), "{}", told.message);
    // A coarser accuracy is named only with what it makes: here there is room for no fewer.
    if told.message.contains("accuracy = ") {
        let coarser = with(u_max, 0.25, flat);
        assert_eq!(number(&told.message, "contact line makes "), elements(&coarser), "{}", told.message);
    }
    for lean in [0.0, 2e-4, 1e-3] {
        let rotation = Quaternion::from_rotation_vector(&Vec3::new(lean, 0.0, 0.0)).to_matrix();
        let lowest = half.dot(&rotation.row(2).transpose().abs());
        let pose = Pose { rotation, translation: Vec3::new(0.0137, -0.0071, lowest - depth) };
        let system = with(larger, 0.05, pose);
        let mut rates = Rates::in_contact(&system);
        let state = rates.initial().to_vec();
        let mut out = vec![0.0; state.len()];
        rates.update(0.0, &state, &mut out).expect("a sound state");
        let force = out[9] / (stiffness() * volume_below(&half, &pose));
        assert!((force - 1.0).abs() < if lean == 0.0 { 1e-9 } else { 0.01 }, "{lean}: {force}");
    }
}

/// A ball falls by 1 mm on a plate half of whose top is turned against the rest. What it stores there is from nowhere, far more than it
/// brought, and the run says so with the pair's name. On the sound plate it bounces as it came.
#[test]
fn energy_from_a_turned_triangle_is_told() {
    let has_told = |is_turned: bool| {
        let half = Vec3::new(0.2, 0.2, 0.05);
        let mut plate = bar(half);
        if is_turned {
            let on_top = |t: &[u32; 3]| t.iter().all(|&v| plate.vertices[v as usize].z > 0.0);
            let first = plate.triangles.iter().position(on_top).expect("a top");
            plate.triangles[first].swap(0, 1);
        }
        let plate =
            scene::fixed("plate", of_mesh(plate), Pose::from_translation(Vec3::new(0.0, 0.0, -half.z)));
        let ball = areal_depth::faceted_ball("ball", 0.5, 0.05, Vec3::new(0.023, 0.011, 0.051), 2000);
        let law = Law { mu: Some(0.0), ..areal_depth::law(Some(0.02)) };
        let mut model = areal_depth::areal(vec![plate, ball], law, 9.81, 0.1);
        (model.contact_lines[0].base, model.contact_lines[0].accuracy) = (BaseSide::A, Some(0.05));
        let (outcome, _) = scene::run(&model);
        outcome.warnings.iter().any(|told| told.starts_with("W0522") && told.contains("plate"))
    };
    assert!(has_told(true) && !has_told(false));
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

/// A box that hangs over the end of a table and leans on its edge. Lines of the table's end run nearly along the box's bottom: however
/// far away they meet it, all that acts is c V along the bottom's normal, for the volume V of the wedge that is pressed in. One that takes
/// those lines as they are is pushed aside by a quarter of that.
#[test]
fn what_hangs_over_an_edge_is_not_pushed_aside() {
    let half = Vec3::new(0.05, 0.04, 0.03);
    for tilt in [0.005_f64, 0.0145, 0.03] {
        let rotation = Quaternion::from_rotation_vector(&Vec3::new(0.0, tilt, 0.0)).to_matrix();
        let depths: Vec<f64> = (0..8).map(|k| 0.3e-3 + 5e-5 * f64::from(k)).collect();
        // Where the table ends, 30 mm from the box's middle, its bottom is so deep.
        let at_edge = rotation * Vec3::new(0.03, 0.0, -half.z);
        let pose = |depth: &f64| Pose {
            rotation,
            translation: Vec3::new(0.5 - at_edge.x, 0.013, -depth - at_edge.z),
        };
        let poses: Vec<Pose> = depths.iter().map(pose).collect();
        for (depth, force) in depths.iter().zip(forces_on_box(table(), &half, &poses, BaseSide::Finer)) {
            let length = depth / libm::tan(tilt);
            // No farther back than the box goes.
            let beyond = (length - 0.08).max(0.0);
            let volume = 0.5 * libm::tan(tilt) * (length * length - beyond * beyond) * 2.0 * half.y;
            let force = force / (stiffness() * volume);
            // The elements are good for 5 %, but the row at the edge is 1 mm wide: at the steepest a tenth of the wedge.
            let off = [force.z - 1.0, force.x - libm::tan(tilt), force.y];
            assert!(
                off[0].abs() < 0.05 && off[1].abs() < 0.01 && off[2].abs() < 1e-3,
                "{tilt} {depth}: {off:?}"
            );
        }
    }
}

/// Layers of 10 mm of rubber with damping and friction, and the default elements.
fn on_rubber(bodies: Vec<Body>, t_end: f64) -> Model {
    let mut law = Law { young_modulus: Some(20e6), mu: Some(0.2), ..areal_depth::law(Some(U_MAX)) };
    law.areal.as_mut().expect("a layer").damping = [1e4; 2];
    let mut model = areal_depth::areal(bodies, law, 9.81, t_end);
    model.contact_lines[0].accuracy = Some(0.05);
    model
}

/// A box of 0.48 kg that falls by 1 mm with 30 of its 100 mm beyond the end of a table, and rocks on its edge. What it falls by, and as much
/// again as it tips, is m g h = c A u²/2 for u = 23 µm under its face, and six times that where it stands on a tenth of it or less: 0.15 mm.
/// A line that counts as long as it is would be 7.5 mm deep.
#[test]
fn a_box_that_rocks_on_an_edge_is_no_deeper_than_it_falls() {
    let half = Vec3::new(0.05, 0.04, 0.03);
    let square = half.component_mul(&half) * (0.48 / 3.0);
    let inertia = Vec3::new(square.y + square.z, square.z + square.x, square.x + square.y);
    let place = Pose::from_translation(Vec3::new(0.47, 0.013, half.z + 1e-3));
    let falling = scene::body("box", 0.48, Mat3::from_diagonal(&inertia), of_mesh(bar(half)), place);
    let (outcome, _) = scene::run(&on_rubber(vec![table(), falling], 0.1));
    let deepest = outcome.pairs[0].peaks.penetration.value;
    assert!(deepest > 23e-6 && deepest < 0.3e-3, "{deepest}");
    assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
}

/// Speed aside (m/s) of a ball when it comes off the edge that it rolls over and slips on, under μ = 0.2: as of a ball about a fixed line,
/// N = m (g cos θ − v²/R), in steps of 10 µs.
fn speed_off_an_edge(mut speed: f64, radius: f64) -> f64 {
    let (g, mu, step) = (9.81, 0.2, 1e-5);
    let (mut turned, mut spin) = (0.0_f64, speed / radius);
    loop {
        let (along, across) = (g * libm::sin(turned), g * libm::cos(turned));
        let pressed = across - speed * speed / radius;
        if pressed <= 0.0 {
            return speed * libm::cos(turned);
        }
        // Rolling takes two sevenths of what is along.
        let grip = f64::min(along * 2.0 / 7.0, mu * pressed);
        turned += speed / radius * step;
        speed += (along - grip) * step;
        spin += 2.5 * grip / radius * step;
        assert!(spin * radius < speed + 1e-9, "it never spins faster than it goes");
    }
}

/// A ball that rolls over the edge of a table comes off with the speed of the closed form, to 8 %: lines that meet it at less than 65° are taken as
/// they are, and push aside by a little. Those of the table's end that run along under it would throw it off a third faster.
#[test]
fn a_ball_rolls_over_an_edge_and_is_not_thrown() {
    let (radius, speed) = (0.05, 0.15);
    let place = Vec3::new(0.495, 0.013, radius - 1e-4);
    let mut ball = areal_depth::faceted_ball("ball", 0.5, radius, place, 2000);
    ball.velocity = Vec3::new(speed, 0.0, 0.0);
    ball.angular_velocity = Vec3::new(0.0, speed / radius, 0.0);
    let (outcome, _) = scene::run(&on_rubber(vec![table(), ball], 0.3));
    let [off, exact] = [outcome.bodies[1].velocity.x, speed_off_an_edge(speed, radius)];
    assert!((off / exact - 1.0).abs() < 0.08, "{off} {exact}");
}

/// A box that is 3 mm deep beside the end of a table is moved farther over it. Lines of the table's top run along the box's side as that
/// passes them, and would come in as long as they are; what they count grows with how far they are inside. So the force changes with the way
/// by no more than twice u c w, for the top and the end of the table with the width w, and twice that as elements are not spread evenly:
/// over a step that is less than what a single element would come in with that counted at once.
#[test]
fn lines_that_pass_a_side_come_in_little_by_little() {
    let (half, deep, step) = (Vec3::new(0.05, 0.04, 0.03), 3e-3, 2e-7);
    let pose = |k: i32| Pose::from_translation(Vec3::new(0.5493 - step * f64::from(k), 0.013, half.z - deep));
    let poses: Vec<Pose> = (0..3000).map(pose).collect();
    let forces = forces_on_box(table(), &half, &poses, BaseSide::Finer);
    let most = 2.0 * stiffness() * deep * 2.0 * half.y * step;
    for (k, pair) in forces.windows(2).enumerate() {
        let change = (pair[1] - pair[0]).norm();
        assert!(change < 2.0 * most, "{k}: {change} of {most}");
    }
    let [first, .., last] = &forces[..] else { unreachable!() };
    assert!(first.z > 0.0 && last.z > first.z + 100.0 * most, "{first:?} {last:?}");
}
