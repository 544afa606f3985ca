//! Contact by regions of triangle surfaces: energy, restitution, begins, merging and splitting.

use std::f64::consts::{FRAC_PI_4, PI};

use carom_engine::law::{BristleKind, FrictionKind, Law, NormalKind, VolumeBlock};
use carom_engine::model::{Body, IntegratorKind, Method};
use carom_engine::record::{Event, EventKind};
use carom_engine::{EndReason, Model, Simulation, System};
use carom_geometry::TriangleMesh;
use carom_geometry::surface::{self, Peanut, Resolution, Terrain};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::areal_restitution;
use crate::scene::{self, Keeper, of_mesh};

/// N/m⁵
const STIFFNESS: f64 = 1e10;

pub(crate) fn by_volume(restitution: f64) -> Law {
    Law {
        point: None,
        volume: Some(VolumeBlock {
            stiffness: Some(STIFFNESS),
            restitution: Some(restitution),
            v_small: 0.01,
        }),
        ..scene::law(NormalKind::None, 1.0)
    }
}

fn by_depth(kind: NormalKind, restitution: f64) -> Law {
    let mut law = scene::law(kind, restitution);
    scene::point(&mut law).stiffness = Some(1e6);
    law
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

/// A central impact on a plate.
fn drop_ball(law: Law, kind: IntegratorKind) -> Model {
    let ball = surface::sphere(RADIUS, Resolution::Facets(2000)).unwrap();
    let mut model = model(law, faller(ball, RADIUS + 1e-3, 1.0), 0.0, 0.05);
    model.solver.method = kind;
    model
}

const RADIUS: f64 = 0.1;

/// Two lobes along x and a waist between them, which touches when they are `depth` deep.
fn lobes(depth: f64) -> TriangleMesh {
    let lobe_radius = 0.06;
    let shape = Peanut { half_length: 0.15, lobe_radius, lobe_at: 0.08, waist_radius: lobe_radius - depth };
    let mut mesh = surface::peanut(&shape, Resolution::Facets(6000)).unwrap();
    for p in &mut mesh.vertices {
        *p = Vec3::new(p.z, p.y, -p.x);
    }
    mesh
}

fn of_kind(keeper: &Keeper, kind: EventKind) -> Vec<&Event> {
    keeper.events.iter().filter(|event| event.kind == kind).collect()
}

#[test]
fn a_central_impact_returns_what_was_asked_for() {
    let mut linear = by_depth(NormalKind::Anagnostopoulos, 0.5);
    scene::point(&mut linear).exponent = 1.0;
    for (law, restitution) in [
        (by_volume(1.0), 1.0),
        (by_volume(0.5), 0.5),
        (by_volume(0.1), 0.1),
        (by_depth(NormalKind::None, 1.0), 1.0),
        (by_depth(NormalKind::Exact, 0.5), 0.5),
        (linear, 0.5),
    ] {
        for kind in [IntegratorKind::Ode45, IntegratorKind::Dop853, IntegratorKind::Radau5] {
            let (outcome, keeper) = scene::run(&drop_ball(law.clone(), kind));
            let speed = keeper.frames.last().unwrap().bodies[1].velocity.z;
            // A hundred times rtol; the ball is not central to its facets, which turn it.
            assert!((speed - restitution).abs() < 1e-7, "{kind:?} {restitution}: {speed}");
            assert!(
                outcome.residual_relative < 1e-7,
                "{kind:?} {restitution}: {:e}",
                outcome.residual_relative
            );
            assert_eq!(keeper.times(EventKind::ContactBegin).len(), 1);
        }
    }
}

/// Faces and edges that meet flat touch at many triangles at once, whose directions say nothing: the speed is that of what they share
/// a moment later.
#[test]
fn what_meets_flat_returns_what_was_asked_for() {
    let cube = || surface::block(Vec3::repeat(0.05), Resolution::Divisions(2)).unwrap();
    // Not as large: where sides lie in one plane, which of them is inside is a matter of rounding.
    let larger = || surface::block(Vec3::repeat(0.06), Resolution::Divisions(2)).unwrap();
    let lying = |mesh: &TriangleMesh| {
        // On an edge along x.
        let turn = Quaternion::from_rotation_vector(&Vec3::new(FRAC_PI_4, 0.0, 0.0)).to_matrix();
        TriangleMesh { vertices: mesh.vertices.iter().map(|v| turn * v).collect(), ..mesh.clone() }
    };
    let height = |mesh: &TriangleMesh| -mesh.vertices.iter().map(|v| v.z).fold(f64::INFINITY, f64::min);
    let on = |base: TriangleMesh, mesh: TriangleMesh, law: Law| {
        let top = base.vertices.iter().map(|v| v.z).fold(f64::NEG_INFINITY, f64::max);
        let start = height(&mesh) + top + 0.01;
        let mut model = model(law, faller(mesh, 0.0, 1.0), 0.0, 0.1);
        model.bodies[0] = scene::fixed("base", of_mesh(base), Pose::identity());
        model.bodies[1].position = Vec3::new(0.0, 0.0, start);
        scene::run(&model)
    };
    let plate = || surface::rectangle(0.5, 0.5, Resolution::Divisions(10)).unwrap();
    for law in [by_volume(0.5), by_depth(NormalKind::Exact, 0.5)] {
        let scenes =
            [(plate(), cube()), (larger(), cube()), (plate(), lying(&cube())), (lying(&larger()), cube())];
        for (number, (base, mesh)) in scenes.into_iter().enumerate() {
            let (_, keeper) = on(base, mesh, law.clone());
            let begin = keeper.events.iter().find(|e| e.kind == EventKind::ContactBegin).unwrap();
            assert!((begin.approach_speed - 1.0).abs() < 1e-6, "{number}: {begin:?}");
            assert!(begin.normal.z > 0.999, "{number}: {begin:?}");
            let speed = keeper.frames.last().unwrap().bodies[1].velocity.z;
            assert!((speed - 0.5).abs() < 1e-6, "{number}: {speed}");
        }
    }
}

/// A face pressed whole has V = A u and S = A: with c = k A both methods are one spring, k A² u.
#[test]
fn a_flat_face_bounces_alike_by_region_and_by_areal_contact() {
    const EDGE: f64 = 0.1;
    let stiffness = areal_restitution::stiffness();
    let mut by_region = by_volume(0.5);
    by_region.volume.as_mut().unwrap().stiffness = Some(stiffness / (EDGE * EDGE));
    let episode = |law: Law, method: Method| {
        let block = surface::block(Vec3::repeat(0.5 * EDGE), Resolution::Divisions(4)).unwrap();
        let mut model = model(law, faller(block, 0.5 * EDGE + 1e-3, 1.0), 0.0, 0.1);
        model.contact_lines[0].method = method;
        let (_, keeper) = scene::run(&model);
        let end = of_kind(&keeper, EventKind::ContactEnd)[0];
        [end.time - end.begin, end.impulse_normal, end.peaks.force.value]
    };
    let [region, areal] = [(by_region, Method::Region), (areal_restitution::bouncy(0.5), Method::Pcm)]
        .map(|(l, m)| episode(l, m));
    // Both integrate the same equation at rtol 1e-9.
    for (a, b) in region.iter().zip(&areal) {
        assert!((a / b - 1.0).abs() < 1e-6, "{region:?} {areal:?}");
    }
}

/// ½ m v² = ½ k V² with the cap V = π h² (R − h/3).
#[test]
fn the_greatest_depth_is_that_of_the_volume() {
    let volume = (1.0 / STIFFNESS).sqrt();
    let mut depth = 1e-3;
    for _ in 0..50 {
        depth = (volume / (PI * (RADIUS - depth / 3.0))).sqrt();
    }
    let (outcome, _) = scene::run(&drop_ball(by_volume(1.0), IntegratorKind::Dop853));
    let found = outcome.pairs[0].peaks.penetration.value;
    // Facets of 2000 lie within 0.2 % of the radius inside the ball: the volume of the mesh's cap is smaller by
    // some per cent of it, the depth larger.
    assert!((found / depth - 1.0).abs() < 0.04, "{found} {depth}");
    // The greatest force is k V S at that depth.
    let force = STIFFNESS * volume * PI * (2.0 * RADIUS - depth) * depth;
    let peak = outcome.pairs[0].peaks.force.value;
    assert!((peak / force - 1.0).abs() < 0.04, "{peak} {force}");
}

#[test]
fn regions_that_merge_go_on_by_volume() {
    let run = |rtol: f64| {
        let mut model = model(by_volume(1.0), faller(lobes(2e-3), 0.0605, 1.0), 10.0, 0.02);
        model.solver.rtol = rtol;
        scene::run(&model)
    };
    let (outcome, keeper) = run(1e-9);
    let [begins, merges, splits] = [EventKind::RegionBegin, EventKind::RegionMerge, EventKind::RegionSplit]
        .map(|kind| of_kind(&keeper, kind));
    assert_eq!((begins.len(), merges.len(), splits.len()), (1, 1, 1), "{:?}", keeper.events);
    assert!(begins[0].time < merges[0].time && merges[0].time < splits[0].time);
    assert!(merges[0].force_jump.is_none());
    // The potential is that of one volume: nothing is to be booked, and the residual is the integrator's.
    assert_eq!(outcome.pairs[0].model_defect, 0.0);
    assert!(outcome.residual_relative < 1e-8, "{:e}", outcome.residual_relative);
    let coarse = run(1e-6).0.residual_relative;
    assert!(coarse > 10.0 * outcome.residual_relative, "{coarse:e} {:e}", outcome.residual_relative);
    // The force does not jump: what it changes by in 2 µs about the merging is its rate there.
    let merged = merges[0].time;
    let mut closer = model(by_volume(1.0), faller(lobes(2e-3), 0.0605, 1.0), 10.0, 0.02);
    closer.output.every = Some(1e-6);
    closer.solver.t_end = merged + 3e-6;
    let (_, keeper) = scene::run(&closer);
    let forces: Vec<f64> = keeper
        .frames
        .iter()
        .filter(|f| (f.time - merged).abs() < 3e-6)
        .map(|f| f.contacts[0].normal_force)
        .collect();
    assert!(forces.len() > 4);
    for pair in forces.windows(2) {
        assert!((pair[1] / pair[0] - 1.0).abs() < 2e-3, "{forces:?}");
    }
}

/// Two balls of a body come down one after the other, at once or so that the first step from the first touch ends with two regions: the
/// first is that which is where the contact began, whichever of them a search finds first, and the second begins as fast as it comes.
#[test]
fn each_region_has_the_beginning_of_its_place() {
    let ball = |x: f64, z: f64| {
        let ball = surface::sphere(0.05, Resolution::Facets(1000)).unwrap();
        scene::moved(ball, Vec3::new(x, 0.0, z))
    };
    let at_once = [(0.0, 1.0), (1e-4, 1.0), (0.0, 2.0), (3e-5, 2.0), (0.0, 4.0), (3e-4, -2.0)];
    for (later, spin) in at_once.into_iter().chain([(1e-3, 8.0), (1e-3, -6.0)]) {
        let both = [ball(-0.12, later), ball(0.12, 0.0)];
        let speeds = [[0, 1], [1, 0]].map(|[one, other]| {
            let mut body = faller(scene::both(both[one].clone(), &both[other]), 0.0501, 1.0);
            body.angular_velocity.y = spin;
            let (outcome, keeper) = scene::run(&model(by_volume(0.3), body, 0.0, 0.03));
            // The second ball is the left one, which comes down slower or faster, as the body turns.
            let second = of_kind(&keeper, EventKind::RegionBegin)[0].approach_speed;
            let is_free = at_once.contains(&(later, spin));
            assert!(!is_free || (second - (1.0 - 0.12 * spin)).abs() < 1e-3, "{later}, {spin}: {second}");
            let body = &outcome.bodies[1];
            Vec3::new(body.velocity.z, body.angular_velocity.x, body.angular_velocity.y)
        });
        assert!((speeds[0] - speeds[1]).norm() < 1e-5, "{later}, {spin}: {speeds:?}");
    }
}

/// A body that rests on two lobes is turned: the one lifts off, faster than its damping lets press, while the other goes deeper. What the
/// first stored is lost with it, up to a kink at its end, where a step ends. (A step over it left five times the
/// tolerance in `ring-on-bar`.)
#[test]
fn a_region_that_ends_beside_another_ends_a_step() {
    for (kind, rtol) in
        [(IntegratorKind::Ode45, 1e-7), (IntegratorKind::Dop853, 1e-9), (IntegratorKind::Radau5, 1e-8)]
    {
        let mut body = faller(lobes(2e-3), 0.06 - 1e-3, 0.0);
        body.angular_velocity.y = 2.0;
        let mut model = model(by_volume(0.3), body, 0.0, 0.012);
        model.solver.rtol = rtol;
        model.solver.method = kind;
        let (outcome, keeper) = scene::run(&model);
        let ends = of_kind(&keeper, EventKind::RegionEnd);
        assert_eq!(ends.len(), 1, "{kind:?}: {:?}", keeper.events);
        let nearest = keeper.steps.iter().map(|step| (step.time - ends[0].time).abs()).fold(1.0, f64::min);
        assert!(nearest < 1e-11, "{kind:?}: {nearest:e}");
        assert!(outcome.residual_relative < 5.0 * rtol, "{kind:?}: {:e}", outcome.residual_relative);
    }
}

#[test]
fn regions_that_merge_by_depth_are_events_with_a_jump() {
    for (law, is_damped) in
        [(by_depth(NormalKind::None, 1.0), false), (by_depth(NormalKind::Exact, 0.8), true)]
    {
        let (outcome, keeper) = scene::run(&model(law, faller(lobes(2e-3), 0.0605, 1.0), 10.0, 0.02));
        let merges = of_kind(&keeper, EventKind::RegionMerge);
        assert_eq!(merges.len(), 1, "{:?}", keeper.events);
        // Two equal regions become one of the same depth: it carries half. They differ by facets only.
        let jump = merges[0].force_jump.unwrap();
        let depth = merges[0].gap.abs();
        let one = 1e6 * depth * depth.sqrt();
        assert!(if is_damped { jump < -one } else { (jump / -one - 1.0).abs() < 0.01 }, "{jump} {one}");
        let splits = of_kind(&keeper, EventKind::RegionSplit);
        assert!(splits.is_empty() || splits[0].force_jump.unwrap() > 0.0);
        // What the potential jumps by is booked apart.
        assert!(outcome.pairs[0].model_defect != 0.0);
        assert!(outcome.residual_relative < 1e-7, "{:e}", outcome.residual_relative);
    }
}

#[test]
fn a_restart_gives_the_same_bits() {
    for law in [by_volume(0.5), by_depth(NormalKind::Exact, 0.5)] {
        let model = model(law, faller(lobes(2e-3), 0.0605, 1.0), 10.0, 0.02);
        let system = System::compile(&model).unwrap();
        let mut whole = Keeper { checkpoint_after: 3, ..Keeper::default() };
        let outcome = Simulation::new(&system).run(&mut whole).unwrap();
        let (image, _, events) = whole.checkpoints[0].clone();
        let mut rest = Keeper::default();
        let resumed = Simulation::resume(&system, &image).unwrap().run(&mut rest).unwrap();
        assert_eq!(resumed.bodies, outcome.bodies);
        assert_eq!(resumed.statistics.rhs, outcome.statistics.rhs);
        assert_eq!(rest.events, whole.events[events..]);
    }
}

/// A block that bounces and tumbles over open rough ground: with a potential nothing is lost, whatever comes and goes.
#[test]
fn a_block_over_rough_ground_keeps_its_energy() {
    let rough = Terrain { size: 2.0, relief: 0.1, hurst: 0.7, seed: 3, levels: 5 };
    let ground = of_mesh(surface::terrain(&rough).unwrap());
    let mesh = surface::block(Vec3::new(0.15, 0.1, 0.05), Resolution::Divisions(3)).unwrap();
    let mut body = faller(mesh, 0.25, 1.0);
    body.position += Vec3::new(0.8, 1.0, 0.0);
    body.velocity.x = 0.7;
    body.angular_velocity = Vec3::new(0.4, 2.0, -0.3);
    let mut model = model(by_volume(1.0), body, 9.81, 0.5);
    model.bodies[0] = scene::fixed("plate", ground, Pose::identity());
    let (outcome, keeper) = scene::run(&model);
    assert!(keeper.events.len() > 10, "{}", keeper.events.len());
    assert_eq!(outcome.pairs[0].model_defect, 0.0);
    assert!(outcome.residual_relative < 1e-7, "{:e}", outcome.residual_relative);
}

/// Too soft for a wall, thin or as thick as the ball is wide: named, not passed. In the middle of a wall nothing pushes, and on
/// its far side it pushes on.
#[test]
fn a_wall_is_not_passed() {
    let ball = surface::sphere(RADIUS, Resolution::Facets(2000)).unwrap();
    for (half, stiffness) in [(1e-3, STIFFNESS), (0.03, 1e8), (0.1, 1e7)] {
        let plate = surface::block(Vec3::new(0.5, 0.5, half), Resolution::Divisions(1)).unwrap();
        for speed in [30.0, 300.0] {
            let mut law = by_volume(1.0);
            law.volume.as_mut().unwrap().stiffness = Some(stiffness);
            let mut model = model(law, faller(ball.clone(), 2.0 * RADIUS + half, speed), 0.0, 1.0);
            model.bodies[0] = scene::fixed("wall", of_mesh(plate.clone()), Pose::identity());
            let (outcome, _) = scene::run_any(&model);
            let EndReason::Failed(error) = &outcome.end else { panic!("{half} {speed}: {:?}", outcome.end) };
            assert!(["E0614", "E0618"].contains(&error.code), "{half} {speed}: {error:?}");
            let lowest = outcome.bodies[1].position.z - RADIUS;
            assert!(lowest > -half, "{half} {speed}: {lowest}");
        }
    }
}

/// Of a mesh of two parts one lies on the plate and the other is in it: nothing would push that one out.
#[test]
fn a_part_inside_beside_a_region_is_named() {
    let mut mesh = surface::sphere(RADIUS, Resolution::Facets(2000)).unwrap();
    let small = surface::sphere(0.02, Resolution::Facets(200)).unwrap();
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend(small.vertices.iter().map(|p| p - Vec3::new(0.0, 0.0, RADIUS + 0.05)));
    mesh.triangles.extend(small.triangles.iter().map(|t| t.map(|v| v + first)));
    let (outcome, _) = scene::run_any(&model(by_volume(1.0), faller(mesh, RADIUS - 1e-4, 0.0), 9.81, 0.1));
    assert!(matches!(&outcome.end, EndReason::Failed(error) if error.code == "E0616"), "{:?}", outcome.end);
}

/// A block of 45 g on a plate that leans by a share of the friction angle, after it has settled.
fn leaning(law: Law, share: f64, t_end: f64) -> Model {
    let (mu, g) = (0.3, 9.81);
    let half = Vec3::new(0.02, 0.02, 0.005);
    let mesh = surface::block(half, Resolution::Divisions(2)).unwrap();
    let mass = 0.045;
    let mut block =
        scene::block("block", mass, 2.0 * half, Pose::from_translation(Vec3::new(0.0, 0.0, half.z - 5e-6)));
    block.shapes[0].shape = of_mesh(mesh);
    let mut law = Law { mu: Some(mu), v_reg: Some(1e-3), ..law };
    let point = scene::point(&mut law);
    point.friction = FrictionKind::StickSlip(BristleKind::DEFAULT);
    let mut model = model(law, block, 0.0, t_end);
    let angle = (share * mu).atan();
    model.gravity = Vec3::new(g * angle.sin(), 0.0, -g * angle.cos());
    model.solver.rtol = 1e-6;
    model.output.every = Some(0.5);
    model
}

/// By volume: a flat block by depth is one point with a lever, which rocks.
#[test]
fn a_block_holds_below_the_friction_angle_and_slides_above() {
    let stiffness = Some(2e10);
    let law = Law {
        point: scene::law(NormalKind::Exact, 0.3).point,
        volume: Some(VolumeBlock { stiffness, restitution: Some(0.3), v_small: 0.01 }),
        ..by_volume(0.3)
    };
    let (_, keeper) = scene::run(&leaning(law.clone(), 0.99, 61.5));
    let place =
        |time: f64| keeper.frames.iter().find(|f| (f.time - time).abs() < 1e-9).unwrap().bodies[1].position.x;
    let crept = place(61.5) - place(1.5);
    assert!(crept.abs() < 60.0 * 1e-9, "{crept:e}");
    let (_, keeper) = scene::run(&leaning(law, 1.01, 2.0));
    let speed = |frame: usize| keeper.frames[frame].bodies[1].velocity.x;
    let slope: f64 = 1.01 * 0.3;
    let gained = (slope - 0.3) * 9.81 / (1.0 + slope * slope).sqrt();
    assert!(((speed(4) - speed(2)) / gained - 1.0).abs() < 1e-3, "{} {gained}", speed(4) - speed(2));
}
