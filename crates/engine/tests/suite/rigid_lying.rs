//! Capsules and rounded solids that lie, roll and tip on boxes and on each other, against half-spaces, statics and discs in a plane.

use std::sync::Arc;

use carom_engine::model::Body;
use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model, Outcome, System};
use carom_geometry::Shape;
use carom_geometry::convex::{
    ConvexCache, ConvexHull, ConvexShape, ConvexWorkspace, Core, find_convex_contact,
};
use carom_geometry::planar::{Outline, PlanarShape, Polygon};
use carom_math::{Mat3, Pose, Quaternion, Vec2, Vec3};
use carom_testkit::SplitMix64;

use crate::rigid::{law_of, make};
use crate::rigid_planar::in_plane;
use crate::scene::{Keeper, block, body, fixed, floor, run, run_any};

const G: f64 = 9.81;

fn turned(axis: Vec3, angle: f64) -> Mat3 {
    Quaternion::from_axis_angle(&axis.normalize(), angle).to_matrix()
}

/// The z axis along x.
fn along_x() -> Mat3 {
    turned(Vec3::y(), std::f64::consts::FRAC_PI_2)
}

fn placed(rotation: Mat3, x: f64, y: f64, z: f64) -> Pose {
    Pose { rotation, translation: Vec3::new(x, y, z) }
}

/// A capsule with the inertia of a rod as thick.
fn capsule(name: &str, radius: f64, half_length: f64, pose: Pose) -> Body {
    let mass = 1.0;
    let round = 0.5 * mass * radius * radius;
    let across = mass * (0.25 * radius * radius + half_length * half_length / 3.0);
    let inertia = Mat3::from_diagonal(&Vec3::new(across, across, round));
    body(name, mass, inertia, Shape::Capsule { radius, half_length }, pose)
}

fn plate(size: Vec3) -> Body {
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, -0.5 * size.z));
    fixed("plate", Shape::Box { half: 0.5 * size }, pose)
}

fn rounded_box(name: &str, half: Vec3, radius: f64, pose: Pose) -> Body {
    let size = 2.0 * half + Vec3::repeat(2.0 * radius);
    let shape = Shape::Convex(ConvexShape { core: Core::Box { half }, radius });
    Body { shapes: body("", 1.0, Mat3::identity(), shape, pose).shapes, ..block(name, 1.0, size, pose) }
}

fn balances(outcome: &Outcome) {
    assert!(outcome.residual_relative < 1e-8, "residual {}", outcome.residual_relative);
}

/// The deepest overlap of any two bodies of a run (m), by the search for convex solids.
fn deepest(model: &Model, kept: &Keeper) -> f64 {
    let solids: Vec<_> =
        model.bodies.iter().map(|body| ConvexShape::of_shape(&body.shapes[0].shape).unwrap()).collect();
    let mut workspace = ConvexWorkspace::new();
    let mut worst = 0.0_f64;
    for frame in &kept.frames {
        let pose = |k: usize| Pose {
            rotation: frame.bodies[k].orientation.to_matrix(),
            translation: frame.bodies[k].position,
        };
        for pair in &model.pairs {
            let [a, b] = [pair.a.body, pair.b.body];
            let found = find_convex_contact(
                &solids[a],
                &pose(a),
                &solids[b],
                &pose(b),
                &ConvexCache::COLD,
                &mut workspace,
            );
            worst = worst.max(-found.unwrap().point.gap);
        }
    }
    worst
}

/// Drops of capsules and of rounded boxes and hulls onto a box are those onto a half-space, whose contacts need no edges.
#[test]
fn what_falls_on_a_box_falls_as_on_a_half_space() {
    let mut rng = SplitMix64::new(5);
    let corners: Vec<Vec3> =
        (0..14).map(|_| rng.unit_vector().component_mul(&Vec3::new(0.12, 0.08, 0.05))).collect();
    let hull = ConvexShape::hull(ConvexHull::of_points(&corners).unwrap(), 0.01);
    for scene in 0..12 {
        let mut any = |from: f64, to: f64| rng.uniform(from, to);
        let tilt = [0.0, 0.3, 1.0][scene % 3];
        let axis = Vec3::new(any(-1.0, 1.0), any(-1.0, 1.0), 0.3);
        let pose = placed(turned(axis, tilt) * along_x(), 0.1, -0.2, 0.3);
        let mut falling = match scene / 3 {
            0 | 1 => capsule("falling", 0.05, 0.1, pose),
            2 => rounded_box("falling", Vec3::new(0.08, 0.05, 0.04), 0.01, pose),
            _ => body("falling", 1.0, Mat3::identity() * 4e-3, Shape::Convex(hull.clone()), pose),
        };
        falling.velocity = Vec3::new(any(-0.5, 0.5), any(-0.5, 0.5), 0.0);
        let (e, mu) = ([0.0, 0.5][scene % 2], 0.3);
        let end = |ground: Body| {
            let model = make(vec![ground, falling.clone()], law_of(e, mu), 1.0);
            let (outcome, kept) = run_any(&model);
            assert_eq!(outcome.end, EndReason::Finished, "scene {scene}: {:?}", outcome.end);
            balances(&outcome);
            kept
        };
        let [on_box, on_plane] = [plate(Vec3::new(8.0, 8.0, 0.2)), floor()].map(end);
        // The last impacts of a rattle are decided within their rounding, and what they leave of a slip goes on.
        let frames = on_box.frames.iter().zip(&on_plane.frames).take_while(|(frame, _)| frame.time < 0.8);
        for (found, wanted) in frames {
            let (found, wanted) = (&found.bodies[1], &wanted.bodies[1]);
            let off = (found.position - wanted.position).norm();
            assert!(off < 1e-7, "scene {scene}: {off:e}: {} {}", found.position, wanted.position);
        }
    }
}

/// A capsule at rest, along a plate or across a bar, presses where it lies by statics.
#[test]
fn a_capsule_lies_still() {
    for (size, wanted) in [(Vec3::new(2.0, 1.0, 0.1), [-0.4, 0.6]), (Vec3::new(0.5, 1.0, 0.1), [-0.25, 0.25])]
    {
        let lying = capsule("log", 0.1, 0.5, placed(along_x(), 0.1, 0.0, 0.1));
        let (outcome, kept) = run(&make(vec![plate(size), lying], law_of(0.3, 0.4), 1.0));
        balances(&outcome);
        let end = kept.frames.last().unwrap();
        assert!((end.bodies[1].position - Vec3::new(0.1, 0.0, 0.1)).norm() < 1e-12);
        let mut forces: Vec<[f64; 2]> = end.contacts.iter().map(|c| [c.position.x, c.normal_force]).collect();
        forces.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let [left, right] = wanted;
        let share = (0.1 - left) / (right - left);
        let by_statics = [[left, (1.0 - share) * G], [right, share * G]];
        assert_eq!(forces.len(), 2, "{forces:?}");
        for (found, wanted) in forces.iter().zip(by_statics) {
            assert!((found[0] - wanted[0]).abs() < 1e-9 && (found[1] - wanted[1]).abs() < 1e-9, "{forces:?}");
        }
    }
}

/// On two logs side by side a third one rests: each carries m g/(2 cos 30°), at both ends.
#[test]
fn a_log_rests_between_two() {
    let (r, half) = (0.1, 0.4);
    let lying = |name: &str, y: f64, z: f64| capsule(name, r, half, placed(along_x(), 0.0, y, z));
    let ground = |name: &str, y: f64| Body { fixed: true, ..lying(name, y, 0.0) };
    let top = lying("top", 0.0, 3.0_f64.sqrt() * r);
    let model = make(vec![ground("left", -r), ground("right", r), top], law_of(0.0, 0.0), 0.5);
    let (outcome, kept) = run(&model);
    balances(&outcome);
    let end = kept.frames.last().unwrap();
    assert!((end.bodies[2].position - model.bodies[2].position).norm() < 1e-12);
    assert_eq!(end.contacts.len(), 4);
    let each = G / (4.0 * 30.0_f64.to_radians().cos());
    assert!(end.contacts.iter().all(|c| (c.normal_force - each).abs() < 1e-9), "{:?}", end.contacts);
}

/// Rolls off the end of a plate: over its edge, around it and off it as a disc does on a rectangle.
#[test]
fn a_capsule_rolls_off_as_a_disc_does() {
    let (r, mass) = (0.1, 1.0);
    let inertia = Mat3::identity() * (0.5 * mass * r * r);
    for (e, mu, speed) in [(0.0, 0.5, 0.3), (0.0, 0.0, 0.2), (0.4, 0.2, 1.0)] {
        let log = Shape::Capsule { radius: r, half_length: 0.2 };
        let mut rolling = body("log", mass, inertia, log, placed(along_x(), 0.0, 0.4, r));
        rolling.velocity = Vec3::new(0.0, speed, 0.0);
        let solid = make(vec![plate(Vec3::new(1.0, 1.0, 0.2)), rolling], law_of(e, mu), 0.9);
        let planar = |outline: Outline| Shape::Planar(PlanarShape { outline, thickness: 0.1 });
        let half = Vec2::new(0.5, 0.1);
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[x, y]| Vec2::new(x * half.x, y * half.y));
        let table = planar(Outline::Polygon(Arc::new(Polygon::new(corners.to_vec()).unwrap())));
        let table = fixed("table", table, Pose::from_translation(Vec3::new(0.0, -0.1, 0.0)));
        let at = Pose::from_translation(Vec3::new(0.4, r, 0.0));
        let mut disc = body("disc", mass, inertia, planar(Outline::Circle { radius: r }), at);
        disc.velocity = Vec3::new(speed, 0.0, 0.0);
        let flat = in_plane(table, vec![disc], (e, mu), 0.9);
        let [solid, flat] = [&solid, &flat].map(|model| {
            let (outcome, kept) = run(model);
            balances(&outcome);
            kept
        });
        for (found, wanted) in solid.frames.iter().zip(&flat.frames) {
            let (found, wanted) = (found.bodies[1].position, wanted.bodies[1].position);
            let off = Vec3::new(found.x, found.y - wanted.x, found.z - wanted.y).norm();
            assert!(off < 1e-7, "e {e} mu {mu}: {off:e} at {found}");
        }
        assert!(solid.frames.last().unwrap().bodies[1].position.z < -0.1, "it has left");
    }
}

/// Capsules, boxes and rounded boxes that tumble over each other on a plate and down from it: nothing gets into anything, the ledger closes, and the
/// run ends. `RIGID_ROUNDS` scenes from seed `RIGID_FROM` on.
#[test]
fn round_and_sharp_ones_tumble_over_each_other() {
    let first = from_environment("RIGID_FROM", 0);
    for seed in first..first + from_environment("RIGID_ROUNDS", 16) {
        let mut rng = SplitMix64::new(100 + seed);
        let mut bodies = vec![plate(Vec3::new(1.0, 0.6, 0.2))];
        for k in 0..2 + rng.index(2) {
            let rotation = rng.pose(1.0).rotation;
            let (x, y) = (rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1));
            let pose = placed(rotation, x, y, 0.25 + 0.35 * k as f64);
            let name = format!("body{k}");
            let mut one = match rng.index(3) {
                0 => capsule(&name, rng.uniform(0.03, 0.08), rng.uniform(0.03, 0.15), pose),
                1 => rounded_box(&name, Vec3::from_fn(|_, _| rng.uniform(0.03, 0.1)), 0.02, pose),
                _ => block(&name, 1.0, Vec3::from_fn(|_, _| rng.uniform(0.06, 0.2)), pose),
            };
            one.angular_velocity = 3.0 * rng.vector_in_cube(1.0);
            bodies.push(one);
        }
        let (e, mu) = ([0.0, 0.3, 0.6][rng.index(3)], [0.0, 0.3, 0.6][rng.index(3)]);
        let mut model = make(bodies, law_of(e, mu), 1.2);
        // Scenes take some hundreds; what does not get on shows.
        model.solver.max_steps = 50_000;
        let (outcome, kept) = run_any(&model);
        assert_eq!(outcome.end, EndReason::Finished, "seed {seed}: {:?}", outcome.end);
        assert!(outcome.residual_relative < 1e-7, "seed {seed}: {:e}", outcome.residual_relative);
        let depth = deepest(&model, &kept);
        assert!(depth < 1e-9, "seed {seed}: {depth:e}");
    }
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Contacts of a capsule have names by its parts.
#[test]
fn contacts_are_named_by_ends_and_sides() {
    let lying = capsule("log", 0.1, 0.5, placed(along_x(), 0.1, 0.0, 0.1));
    let model = make(vec![plate(Vec3::repeat(1.0)), lying], law_of(0.0, 0.0), 0.1);
    let system = System::compile(&model).unwrap();
    let names: Vec<_> = system.info().contacts.iter().map(|contact| contact.feature_name.clone()).collect();
    for wanted in ["end 0 of B", "end 1 of B", "side of B"] {
        assert!(names.iter().any(|name| name.contains(wanted)), "{wanted}: {names:?}");
    }
}

/// A ladder without friction leaves the wall where its top has come down to two thirds of its height at the start (by energy, and the
/// acceleration of its centre away from the wall), and does not come back. Its gap then grows with the third power of time, in which what
/// implicit methods interpolate from stages alone dips. The place of the end is right to 1e-6 m: the run's tolerance is 1e-9.
#[test]
fn a_ladder_leaves_the_wall_once() {
    use carom_engine::model::IntegratorKind::{Bdf, Dop853, Ode45, Ode113, Radau5};
    let (radius, half, lean) = (0.02, 1.0, 0.25_f64);
    let upright = half * lean.cos();
    let pose = placed(turned(Vec3::y(), -lean), half * lean.sin() + radius, 0.0, upright + radius);
    let wall = fixed("wall", Shape::HalfSpace, placed(along_x(), 0.0, 0.0, 0.0));
    for method in [Ode45, Dop853, Ode113, Radau5, Bdf] {
        let bodies = vec![floor(), wall.clone(), capsule("ladder", radius, half, pose)];
        let mut model = make(bodies, law_of(0.0, 0.0), 0.9);
        model.solver.method = method;
        model.solver.max_steps = 5000;
        let (outcome, kept) = run(&model);
        balances(&outcome);
        let ends: Vec<_> = kept.events.iter().filter(|e| e.kind == EventKind::ContactEnd).collect();
        assert_eq!(ends.len(), 1, "{method:?}: {ends:?}");
        let top = ends[0].position.z - radius;
        assert!((top - 4.0 / 3.0 * upright).abs() < 1e-6, "{method:?}: {top}");
        assert!(kept.times(EventKind::ContactBegin).iter().all(|time| *time == 0.0), "{method:?}");
    }
}
