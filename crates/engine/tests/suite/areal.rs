//! Areal contact: closed forms of the elastic foundation, invariants, balances, limits.

use std::f64::consts::PI;

use carom_engine::analysis::{Dynamics, Rates};
use carom_engine::law::{ArealBlock, ArealForm, Law, Layers, NormalKind, layer_modulus};
use carom_engine::model::{ArealDetection, BaseSide, Body, IntegratorKind, Method, ShapeRef, WideLine};
use carom_engine::record::{BodyState, EventKind};
use carom_engine::{EndReason, Model, System};
use carom_geometry::TriangleMesh;
use carom_geometry::surface::{self, Resolution};
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::scene::{self, of_mesh};

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.4;
const LAYER: f64 = 0.01;

/// c_l of the laws here (N/m³).
fn stiffness() -> f64 {
    layer_modulus(YOUNG, POISSON) / LAYER
}

fn foam(damping: f64, mu: f64) -> Law {
    Law {
        young_modulus: Some(YOUNG),
        poisson_ratio: Some(POISSON),
        mu: Some(mu),
        v_reg: Some(1e-3),
        point: None,
        areal: Some(ArealBlock {
            layers: Layers::One(LAYER),
            young_modulus: None,
            poisson_ratio: None,
            u_max: Some(0.03),
            may_exceed: false,
            damping: [damping; 2],
            restitution: None,
            v_small: 0.01,
            form: ArealForm::Ramped(Some(1e-3)),
        }),
        volume: None,
        rigid: None,
        ..scene::law(NormalKind::None, 1.0)
    }
}

fn sphere(name: &str, radius: f64, facets: usize, pose: Pose) -> Body {
    let mesh = surface::sphere(radius, Resolution::Facets(facets)).unwrap();
    scene::body(name, 10.0, Mat3::identity() * (4.0 * radius * radius), of_mesh(mesh), pose)
}

/// A square plate in z = 0.
fn plate(half: f64, cells: u32) -> Body {
    let mesh = surface::rectangle(half, half, Resolution::Divisions(cells)).unwrap();
    scene::fixed("plate", of_mesh(mesh), Pose::identity())
}

/// A cube of 0.2 m and 10 kg.
fn cube(name: &str, pose: Pose) -> Body {
    let half = Vec3::new(0.1, 0.1, 0.1);
    let mesh = surface::block(half, Resolution::Divisions(8)).unwrap();
    scene::body(name, 10.0, Mat3::identity() * (10.0 * 0.04 / 6.0), of_mesh(mesh), pose)
}

fn areal(bodies: Vec<Body>, law: Law, gravity: f64, t_end: f64, rtol: f64) -> Model {
    let mut model = scene::model(bodies, law, gravity, t_end, rtol);
    model.contact_lines[0].method = Method::Pcm;
    model
}

fn random_orientation(random: &mut SplitMix64) -> Quaternion {
    let mut component = || random.uniform(-1.0, 1.0);
    let q = Quaternion { w: component(), x: component(), y: component(), z: component() };
    q.normalized()
}

/// Mean over 50 rotations and places of the lift of a sphere that is pressed `depth` deep into a plate.
fn mean_force(base: BaseSide, facets: usize, cells: u32, radius: f64, depth: f64) -> f64 {
    let mut random = SplitMix64::new(7);
    let poses = 50;
    let place = Pose::from_translation(Vec3::new(0.0, 0.0, radius - depth));
    let bodies = vec![plate(0.5, cells), sphere("ball", radius, facets, place)];
    let mut model = areal(bodies, foam(0.0, 0.0), 0.0, 1e-9, 1e-6);
    model.contact_lines[0].base = base;
    let system = System::compile(&model).expect("a sound model");
    let mut rates = Rates::in_contact(&system);
    let dynamics = Dynamics::new(&system);
    let mut state = rates.initial().to_vec();
    let mut out = vec![0.0; state.len()];
    let mut total = 0.0;
    for _ in 0..poses {
        let orientation = random_orientation(&mut random);
        let position =
            Vec3::new(random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), place.translation.z);
        let (velocity, angular_velocity) = (Vec3::zeros(), Vec3::zeros());
        let frame = BodyState { position, orientation, velocity, angular_velocity };
        assert!(dynamics.write_body(&mut state, 1, &frame));
        rates.update(0.0, &state, &mut out).expect("a sound state");
        // At rest without gravity: contact alone accelerates the ball's 10 kg.
        total += 10.0 * out[9];
    }
    total / f64::from(poses)
}

/// A plane as base: F = c_l π δ² (R − δ/3), the volume under the cap. Facets cut corners and barycentres sample: the error
/// of the mean over rotations falls with the square of the edge length.
#[test]
fn a_sphere_on_a_plane_has_the_volume_of_its_cap() {
    let (radius, depth) = (1.0, 0.02);
    let exact = stiffness() * PI * depth * depth * (radius - depth / 3.0);
    // 125 and 500 of the plate's elements are active; edges are half as long.
    let errors = [(40, 20_480), (80, 81_920)]
        .map(|(cells, facets)| mean_force(BaseSide::A, facets, cells, radius, depth) / exact - 1.0);
    let slope = (errors[0] / errors[1]).abs().log2();
    assert!(errors[1].abs() < 5e-3 && (1.7..2.3).contains(&slope), "{errors:?} {slope}");
}

/// The sphere as base: c_l π R δ², lines along its radii.
#[test]
fn a_plane_on_a_sphere_has_the_force_of_the_normals() {
    let (radius, depth) = (1.0, 0.02);
    let exact = stiffness() * PI * radius * depth * depth;
    let errors =
        [20_480, 81_920].map(|facets| mean_force(BaseSide::B, facets, 1, radius, depth) / exact - 1.0);
    let slope = (errors[0] / errors[1]).abs().log2();
    assert!(errors[1].abs() < 7e-3 && (1.7..2.3).contains(&slope), "{errors:?} {slope}");
}

/// A flat face reaches a flat plate with all barycentres at once, at √(2h/g). Without damping it comes up again.
#[test]
fn a_flat_fall_begins_on_time_and_bounces_back() {
    let (height, gravity) = (0.1, 9.81);
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 + height));
    let mut model = areal(vec![plate(0.5, 1), cube("cube", pose)], foam(0.0, 0.3), gravity, 0.4, 1e-9);
    model.contact_lines[0].base = BaseSide::B;
    let (outcome, keeper) = scene::run(&model);
    let fall = (2.0 * height / gravity).sqrt();
    let begin = keeper.times(EventKind::ContactBegin)[0];
    assert!((begin - fall).abs() < 1e-9, "{begin} {fall}");
    // Half a period of the oscillation on the foundation c A, about the place where it would rest.
    let omega = (stiffness() * 0.04 / 10.0).sqrt();
    let speed = gravity * fall;
    let lasts = (PI + 2.0 * (gravity / (omega * speed)).atan()) / omega;
    let end = keeper.times(EventKind::ContactEnd)[0];
    assert!((end - begin - lasts).abs() < 1e-8, "{} {lasts}", end - begin);
    let sinks =
        gravity / omega.powi(2) + ((gravity / omega.powi(2)).powi(2) + (speed / omega).powi(2)).sqrt();
    // All elements are equally deep: the force is c A u, the pressure c u. Located on the dense output at rtol 1e-9.
    let peaks = outcome.pairs[0].peaks;
    for (what, ratio) in [
        ("depth", peaks.penetration.value / sinks),
        ("force", peaks.force.value / (stiffness() * 0.04 * sinks)),
        ("pressure", peaks.pressure.value / (stiffness() * sinks)),
    ] {
        assert!((ratio - 1.0).abs() < 1e-6, "{what} {:e}", ratio - 1.0);
    }
    let turn = begin + 0.5 * lasts;
    assert!((peaks.force.time - turn).abs() < 1e-3 * lasts, "{} {turn}", peaks.force.time);
    // The patch at that moment is recorded, though the model asks for none: its elements carry the whole force.
    let [(time, patches, elements)] = &keeper.peak_patches[..] else { panic!("one episode") };
    assert_eq!(*time, peaks.pressure.time);
    let load: f64 = elements.iter().map(|e| e.pressure * e.area).sum();
    assert!((load / peaks.force.value - 1.0).abs() < 1e-9 && patches.len() == 1);
    assert_eq!(patches[0].pressure, peaks.pressure.value);
    assert_eq!(keeper.episodes[0].peaks, peaks);
    assert!(outcome.residual_relative < 1e-8, "{:.2e}", outcome.residual_relative);
    let top =
        keeper.frames.iter().filter(|f| f.time > end).map(|f| f.bodies[1].position.z).fold(0.0, f64::max);
    assert!(
        (top - 0.1 - height).abs() < 1e-4 && outcome.energy.model_defect.abs() < 1e-7,
        "{top} {:?}",
        outcome.energy
    );
}

pub(crate) fn collision(base: BaseSide, turned: &Mat3, shifted: &Vec3) -> Model {
    let place = |p: Vec3, r: Mat3| Pose { rotation: turned * r, translation: turned * p + shifted };
    let rotation = Quaternion::from_rotation_vector(&Vec3::new(0.3, 0.5, -0.2)).to_matrix();
    let mut ball = sphere("ball", 0.15, 500, place(Vec3::new(0.0, 0.0, 0.3), Mat3::identity()));
    ball.velocity = turned * Vec3::new(0.4, 0.1, -1.5);
    ball.angular_velocity = turned * Vec3::new(1.0, -2.0, 3.0);
    let mut cube = cube("cube", place(Vec3::new(0.02, -0.03, 0.0), rotation));
    cube.angular_velocity = turned * Vec3::new(-1.0, 0.5, 0.2);
    let mut law = foam(1e4, 0.4);
    law.areal.as_mut().unwrap().u_max = Some(0.1);
    let mut model = areal(vec![cube, ball], law, 0.0, 0.15, 1e-8);
    model.contact_lines[0].base = base;
    model
}

/// Action is reaction: momentum and angular momentum do not change; the ledger balances with the model's defect in it.
#[test]
fn a_collision_keeps_the_momenta_and_balances_the_ledger() {
    for base in [BaseSide::A, BaseSide::B, BaseSide::Both] {
        let model = collision(base, &Mat3::identity(), &Vec3::zeros());
        let (outcome, keeper) = scene::run(&model);
        let momenta = |frame: &scene::Kept| {
            let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
            for (body, state) in model.bodies.iter().zip(&frame.bodies) {
                let r = state.orientation.to_matrix();
                linear += state.velocity * body.mass;
                angular += state.position.cross(&state.velocity) * body.mass
                    + r * body.inertia * r.transpose() * state.angular_velocity;
            }
            (linear, angular)
        };
        let (first, last) = (momenta(&keeper.frames[0]), momenta(keeper.frames.last().unwrap()));
        let impulse = outcome.pairs[0].impulse_normal;
        assert!(impulse > 5.0, "the bodies meet: {impulse}");
        // Linear momentum to rounding; angular momentum to the tolerance of the spins.
        assert!((first.0 - last.0).norm() < 1e-12, "{base:?}");
        assert!((first.1 - last.1).norm() < 1e-6, "{base:?} {:e}", (first.1 - last.1).norm());
        assert!(outcome.residual_relative < 1e-6, "{base:?} {:.2e}", outcome.residual_relative);
        assert!(outcome.energy.dissipated_normal > 0.05 && outcome.energy.dissipated_friction > 0.01);
    }
}

/// Forces at the first instant of contact do not depend on where the world's axes are.
#[test]
fn forces_do_not_depend_on_the_world_frame() {
    let turned = Quaternion::from_rotation_vector(&Vec3::new(0.7, -0.4, 1.1)).to_matrix();
    let press = |turned: &Mat3, shifted: &Vec3| {
        let mut model = collision(BaseSide::Both, turned, shifted);
        let deeper = turned * Vec3::new(0.0, 0.0, -0.03);
        model.bodies[1].position += deeper;
        model.solver.t_end = 1e-9;
        scene::run(&model).1.frames[0].contacts[0]
    };
    let here = press(&Mat3::identity(), &Vec3::zeros());
    let there = press(&turned, &Vec3::new(3.0, -2.0, 5.0));
    let scale = here.normal_force;
    assert!(scale > 1000.0);
    assert!((there.normal_force - scale).abs() < 1e-11 * scale);
    assert!((there.friction_force - turned * here.friction_force).norm() < 1e-11 * scale);
    assert!((there.torque - turned * here.torque).norm() < 1e-11 * scale);
}

/// With both as base the force is the mean of the two.
#[test]
fn two_bases_share_the_force() {
    let force = |base| {
        let mut model = collision(base, &Mat3::identity(), &Vec3::zeros());
        model.bodies[1].position.z -= 0.03;
        model.solver.t_end = 1e-9;
        let contact = scene::run(&model).1.frames[0].contacts[0];
        contact.normal * contact.normal_force + contact.friction_force
    };
    let [a, b, both] = [BaseSide::A, BaseSide::B, BaseSide::Both].map(force);
    assert!((both - 0.5 * (a + b)).norm() < 1e-12 * both.norm());
}

/// A block on a slope below the angle of friction creeps at the speed that the regularisation needs: μ(2 − x)x = tan θ.
#[test]
fn a_block_on_a_slope_creeps_as_the_regularisation_says() {
    let slope = 0.2_f64;
    let sinks = 98.1 * slope.cos() / (stiffness() * 0.04);
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 - sinks));
    let mut law = foam(2e5, 0.5);
    law.areal.as_mut().unwrap().form = ArealForm::NoTension;
    let mut model = areal(vec![plate(0.5, 1), cube("cube", pose)], law, 9.81, 1.0, 1e-6);
    model.contact_lines[0].base = BaseSide::B;
    model.gravity = Vec3::new(slope.sin(), 0.0, -slope.cos()) * 9.81;
    let (outcome, _) = scene::run(&model);
    let x = 1.0 - (1.0 - slope.tan() / 0.5).sqrt();
    let creep = outcome.bodies[1].velocity.x;
    // The cube leans: more load on its lower elements, which changes no sum.
    assert!((creep / (1e-3 * x) - 1.0).abs() < 1e-3, "{creep} {}", 1e-3 * x);
}

/// Penetration lines end somewhere: what is deeper is an error that names the pair, unless the model allows it.
#[test]
fn a_penetration_beyond_its_limit_is_named() {
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.11));
    let mut law = foam(0.0, 0.0);
    law.areal.as_mut().unwrap().u_max = Some(4e-3);
    let mut cube = cube("cube", pose);
    cube.velocity.z = -5.0;
    let mut model = areal(vec![plate(0.5, 1), cube], law, 0.0, 0.02, 1e-6);
    model.contact_lines[0].base = BaseSide::B;
    let (outcome, _) = scene::run_any(&model);
    let EndReason::Failed(error) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(error.code, "E0614");
    assert_eq!(error.pair.as_deref(), Some("all[plate|cube]"));
    // v/ω with ω = √(c A/m).
    let sinks = 5.0 / (stiffness() * 0.04 / 10.0).sqrt();
    assert!((4e-3..6e-3).contains(&sinks));
    model.laws[0].areal.as_mut().unwrap().may_exceed = true;
    let (outcome, _) = scene::run(&model);
    assert!((outcome.pairs[0].peaks.penetration.value / sinks - 1.0).abs() < 1e-3);
    assert!(outcome.warnings.iter().any(|w| w.contains("u_max")), "{:?}", outcome.warnings);
    // Where penetration lines end, elements would go without a word.
    let u_max = 0.9 * sinks / 1.5;
    model.laws[0].areal.as_mut().unwrap().u_max = Some(u_max);
    let EndReason::Failed(error) = scene::run_any(&model).0.end else { panic!("it has gone on") };
    assert!(error.code == "E0614" && error.message.contains("1.5 times its u_max"), "{}", error.message);
}

/// A run goes on from a checkpoint with the same bits: what searches remember never shows.
#[test]
fn a_collision_is_resumed_with_the_same_bits() {
    let model = collision(BaseSide::Both, &Mat3::identity(), &Vec3::zeros());
    let system = System::compile(&model).expect("a sound model");
    let mut whole = scene::Keeper { checkpoint_after: 3, ..scene::Keeper::default() };
    let outcome = carom_engine::Simulation::new(&system).run(&mut whole).unwrap();
    let (image, ..) = &whole.checkpoints[0];
    let mut rest = scene::Keeper::default();
    let resumed = carom_engine::Simulation::resume(&system, image).unwrap().run(&mut rest).unwrap();
    assert_eq!(outcome.bodies, resumed.bodies);
    assert_eq!(outcome.energy, resumed.energy);
    assert_eq!(outcome.pairs, resumed.pairs);
}

/// Rows of areal contacts are in the order of time, with no depth where contact begins, and are counted.
#[test]
fn events_of_one_step_are_in_the_order_of_time() {
    let at = |x: f64, z: f64| Pose::from_translation(Vec3::new(x, 0.0, z));
    // The one listed first falls lower, a little later, within a step of the other.
    let bodies = vec![plate(1.0, 1), cube("late", at(-0.5, 0.2 + 2e-5)), cube("early", at(0.5, 0.2))];
    let mut model = areal(bodies, foam(0.0, 0.0), 9.81, 0.3, 1e-6);
    model.pairs.retain(|pair| pair.a.body == 0);
    model.contact_lines[0].base = BaseSide::B;
    let (outcome, keeper) = scene::run(&model);
    assert!(keeper.events.len() >= 4 && outcome.statistics.events == keeper.events.len() as u64);
    assert!(keeper.events.is_sorted_by(|one, two| one.time <= two.time), "{:?}", keeper.events);
    for event in keeper.events.iter().filter(|e| e.kind == EventKind::ContactBegin) {
        // At the first touch of the surfaces, to rounding.
        assert!(event.peaks.penetration.value < 1e-15);
        assert!(event.gap.abs() < 1e-15 && event.approach_speed > 0.0);
        let height = if event.contact == 0 { 0.1 + 2e-5 } else { 0.1 };
        assert!((event.time - (2.0 * height / 9.81_f64).sqrt()).abs() < 1e-7, "{event:?}");
    }
}

/// What is recorded of elements and patches adds up to the contact's wrench.
#[test]
fn elements_and_patches_add_up_to_the_wrench() {
    for base in [BaseSide::A, BaseSide::B, BaseSide::Both] {
        let mut model = collision(base, &Mat3::identity(), &Vec3::zeros());
        model.output.every = Some(2e-3);
        model.output.patches = Some(4e-3);
        let (_, keeper) = scene::run(&model);
        let touching = keeper.frames.iter().filter(|f| !f.patches.is_empty());
        let mut seen = 0;
        for frame in touching {
            seen += 1;
            let contact = frame.contacts[0];
            let whole = contact.normal * contact.normal_force + contact.friction_force;
            let about = |at: Vec3, force: Vec3, torque: Vec3| torque + (at - contact.position).cross(&force);
            let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
            for e in &frame.elements {
                let f = (e.normal * e.pressure + e.shear) * e.area;
                force += f;
                torque += about(e.position, f, Vec3::zeros());
            }
            let (mut of_patches, mut moment) = (Vec3::zeros(), Vec3::zeros());
            for p in &frame.patches {
                of_patches += p.force;
                moment += about(p.position, p.force, p.torque);
            }
            let scale = whole.norm();
            assert!((force - whole).norm() < 1e-12 * scale && (of_patches - whole).norm() < 1e-12 * scale);
            assert!(
                (torque - contact.torque).norm() < 1e-12 * scale && (moment - torque).norm() < 1e-12 * scale
            );
            let deepest = frame.elements.iter().map(|e| e.penetration).fold(0.0, f64::max);
            assert_eq!(deepest, -contact.gap);
        }
        assert!(seen >= 2, "{seen}");
        // Every second frame has them.
        assert!(keeper.frames.iter().skip(1).step_by(2).all(|f| f.patches.is_empty()));
    }
}

/// The classic construction finds the same elements: whole runs have the same bits.
#[test]
fn the_classic_construction_runs_with_the_same_bits() {
    let mut model = collision(BaseSide::A, &Mat3::identity(), &Vec3::zeros());
    // The lines must end within the bodies.
    model.laws[0].areal.as_mut().unwrap().u_max = Some(0.05);
    let (lines, kept) = scene::run(&model);
    model.contact_lines[0].areal_detection = ArealDetection::Intersection;
    let (contours, again) = scene::run(&model);
    assert!(lines.pairs[0].begins > 0);
    assert_eq!(lines.bodies, contours.bodies);
    assert_eq!(lines.energy, contours.energy);
    assert_eq!(kept.events, again.events);
}

/// Searches of areal pairs are made before the run: a line whose pairs come up in it is refused.
#[test]
fn wide_lines_are_refused() {
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.2));
    let mut model = areal(vec![plate(0.5, 1), cube("cube", pose)], foam(0.0, 0.0), 9.81, 0.1, 1e-6);
    let side = |body| vec![ShapeRef { body, shape: 0 }];
    let patterns = ["plate".to_owned(), "cube".to_owned()];
    model.wide_lines = vec![WideLine { line: Some(0), patterns, sides: [side(0), side(1)] }];
    model.pairs.clear();
    let problems = System::compile(&model).expect_err("a refusal");
    assert_eq!((problems.len(), problems[0].code), (1, "E0421"));
}

/// An open surface has no inside, and the classic construction says so.
#[test]
fn the_classic_construction_refuses_open_surfaces() {
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.2));
    let mut model = areal(vec![plate(0.5, 1), cube("cube", pose)], foam(0.0, 0.0), 9.81, 0.1, 1e-6);
    model.contact_lines[0].areal_detection = ArealDetection::Intersection;
    let problems = System::compile(&model).expect_err("a refusal");
    assert_eq!(problems[0].code, "E0419");
    assert!(problems[0].message.contains("\"plate\"") && problems[0].message.contains("open edges"));
}

/// Derivatives of the wrench by poses and velocities in closed form are those of the right-hand side, on patches of every
/// kind of base and form of damping. Increments of the differences are small beside the elements, whose coming and going
/// the derivatives leave out.
#[test]
fn tangents_are_derivatives_of_the_wrench() {
    let mut random = SplitMix64::new(3);
    for base in [BaseSide::A, BaseSide::B, BaseSide::Both] {
        for form in [ArealForm::Plain, ArealForm::NoTension, ArealForm::Ramped(Some(0.02))] {
            let turned = random_orientation(&mut random).to_matrix();
            let mut model = collision(base, &turned, &random.vector_in_cube(1.0));
            model.bodies[1].position -= turned * Vec3::new(0.0, 0.0, 0.03);
            model.laws[0].areal.as_mut().unwrap().form = form;
            model.laws[0].v_reg = Some(0.5);
            let miss = crate::tangent::miss(&model);
            assert!(miss < 1e-6, "{base:?} {form:?} {miss:.2e}");
        }
    }
}

/// A cube that slides over a plate of springs, deep by `depth`: its front presses elements all at once, its back lets them go.
fn sliding_cube(depth: f64, turn: f64) -> Model {
    let rotation = Quaternion::from_axis_angle(&Vec3::z(), turn).to_matrix();
    let at = Vec3::new(0.0, 0.0, 0.1 - depth);
    let mut cube = cube("cube", Pose { rotation, translation: at });
    cube.velocity = Vec3::new(1.0, 0.0, 0.0);
    let law = Law { mu: Some(0.0), ..foam(0.0, 0.0) };
    let mut model = areal(vec![plate(0.5, 20), cube], law, 0.0, 0.05, 1e-6);
    model.contact_lines[0].base = BaseSide::A;
    model
}

/// The ledger's model defect is that of its pairs, and the worst step is one in which a vertical face of the target passes the
/// barycentre of the triangle that it names.
#[test]
fn the_worst_jump_names_its_triangle() {
    let model = sliding_cube(1e-3, 0.2);
    let (outcome, keeper) = scene::run(&model);
    let totals = &outcome.pairs[0];
    let defect = outcome.energy.model_defect;
    assert!((totals.model_defect - defect).abs() < 1e-12 * outcome.energy_moved.max(1.0));
    let jump = totals.worst_jump;
    let triangle = jump.triangle.expect("a triangle of the plate");
    // One element of the plate stores c A δ²/2 at once; the cube has risen little.
    let mesh = surface::rectangle(0.5, 0.5, Resolution::Divisions(20)).unwrap();
    let [a, b, c] = mesh.corners().nth(triangle.triangle as usize).unwrap();
    let stored = 0.5 * stiffness() * 0.5 * (b - a).cross(&(c - a)).norm() * 1e-6;
    assert!(triangle.on_a && jump.energy.abs() > 0.2 * stored, "{jump:?} {stored:e}");
    // Where the cube was at the end of that step, to a step.
    let frame =
        keeper.frames.iter().min_by(|f, g| (f.time - jump.time).abs().total_cmp(&(g.time - jump.time).abs()));
    let body = frame.unwrap().bodies[1];
    let since = jump.time - frame.unwrap().time;
    let local =
        body.orientation.to_matrix().tr_mul(&((a + b + c) / 3.0 - (body.position + body.velocity * since)));
    let off = (local.x.abs() - 0.1).abs().min((local.y.abs() - 0.1).abs());
    assert!(off < 2e-3, "{off} of {local}, {jump:?}");
}

/// Five per cent of the faces gone, five per cent flipped, five per cent twice.
fn dirty(mesh: &TriangleMesh, random: &mut SplitMix64) -> TriangleMesh {
    let mut mesh = mesh.clone();
    mesh.triangles.retain(|_| random.index(20) != 0);
    for triangle in &mut mesh.triangles {
        if random.index(20) == 0 {
            triangle.swap(1, 2);
        }
    }
    for _ in 0..mesh.triangles.len() / 20 {
        mesh.triangles.push(mesh.triangles[random.index(mesh.triangles.len())]);
    }
    mesh
}

/// Holes and flipped faces take their own share of the force and no more: over fifty poses the mean is within 15 % of
/// the clean mesh's, with the dirty one as base and as target.
#[test]
fn dirty_meshes_carry_nearly_the_same() {
    let (radius, depth) = (1.0, 0.03);
    let clean = surface::sphere(radius, Resolution::Facets(2000)).unwrap();
    for base in [BaseSide::A, BaseSide::B] {
        let mut random = SplitMix64::new(11);
        let mut sums = [0.0; 2];
        for _ in 0..50 {
            let rotation = random_orientation(&mut random).to_matrix();
            let spoilt = dirty(&clean, &mut random);
            for (sum, mesh) in sums.iter_mut().zip([&clean, &spoilt]) {
                let translation = Vec3::new(0.0, 0.0, radius - depth);
                let pose = Pose { rotation, translation };
                let ball = scene::body("ball", 10.0, Mat3::identity() * 4.0, of_mesh(mesh.clone()), pose);
                let mut model = areal(vec![plate(0.5, 20), ball], foam(0.0, 0.0), 0.0, 1e-9, 1e-6);
                model.contact_lines[0].base = base;
                let (_, keeper) = scene::run(&model);
                *sum += keeper.frames[0].contacts[0].normal_force;
            }
        }
        let ratio = sums[1] / sums[0];
        assert!((ratio - 1.0).abs() < 0.15, "{base:?}: {ratio}");
    }
}

/// A sheet without thickness that moves: its scale is that of its sides, and it falls as anything does.
#[test]
fn a_flat_sheet_falls() {
    let mesh = surface::rectangle(0.5, 0.2, Resolution::Divisions(4)).unwrap();
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, 1.0));
    let sheet = scene::body("sheet", 1.0, Mat3::identity() * 0.1, of_mesh(mesh), start);
    let (outcome, _) = scene::run(&areal(vec![plate(1.0, 1), sheet], foam(0.0, 0.0), 9.81, 0.4, 1e-6));
    let fallen = 1.0 - outcome.bodies[1].position.z;
    assert!((fallen - 0.5 * 9.81 * 0.16).abs() < 1e-9, "{fallen}");
}

/// A method of many steps is warned of damping that begins at once, and of nothing else.
#[test]
fn jumps_without_events_are_told() {
    let mut model = sliding_cube(1e-3, 0.2);
    let codes = |m: &Model| m.validate().iter().map(|p| p.code).collect::<Vec<_>>();
    model.solver.method = IntegratorKind::Ode113;
    let block = model.laws[0].areal.as_mut().unwrap();
    (block.damping, block.form) = ([1e4; 2], ArealForm::NoTension);
    assert_eq!(codes(&model), ["W0502"]);
    model.laws[0].areal.as_mut().unwrap().form = ArealForm::Ramped(None);
    assert!(codes(&model).is_empty());
    (model.laws[0].areal.as_mut().unwrap().form, model.solver.method) =
        (ArealForm::Plain, IntegratorKind::Bdf);
    assert!(codes(&model).is_empty());
}
