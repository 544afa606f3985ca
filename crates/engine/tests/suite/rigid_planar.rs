//! Blocks of a plane that fall on each other, slide, rock and tip: nothing gets into anything, energy only falls, and the run ends.

use std::sync::Arc;

use carom_engine::model::{Body, JointKind};
use carom_engine::record::BodyState;
use carom_engine::{Model, Outcome};
use carom_geometry::Shape;
use carom_geometry::planar::{Outline, PlanarShape, Polygon};
use carom_math::{Mat3, Pose, Quaternion, Vec2, Vec3};
use carom_testkit::SplitMix64;

use crate::mechanism::{at, joint};
use crate::rigid::{law_of, make};
use crate::scene::{Keeper, Kept, body, fixed, run};

const G: f64 = 9.81;
const MASS: f64 = 2.8;
const SIZE: Vec2 = Vec2::new(0.2, 0.1);
/// Moment of inertia of a block about the axis across the plane, over its mass (m²).
const INERTIA: f64 = (0.2 * 0.2 + 0.1 * 0.1) / 12.0;

/// What the integrator's tolerance of 1e-9 leaves of a contact between its events (m).
const DEPTH: f64 = 1e-10;

fn rectangle(size: Vec2) -> Shape {
    let outline = Outline::Polygon(Arc::new(Polygon::rectangle(size.x, size.y).unwrap()));
    Shape::Planar(PlanarShape { outline, thickness: 0.2 })
}

fn block(name: &str, x: f64, y: f64, angle: f64) -> Body {
    let turn = Quaternion::from_axis_angle(&Vec3::z(), angle).to_matrix();
    let pose = Pose { rotation: turn, translation: Vec3::new(x, y, 0.0) };
    body(name, MASS, Mat3::identity() * (MASS * INERTIA), rectangle(SIZE), pose)
}

/// A table whose top is at y = 0, and blocks that stay in the plane.
fn planar(table: Vec2, x: f64, blocks: Vec<Body>, law: (f64, f64), t_end: f64) -> Model {
    let pose = Pose::from_translation(Vec3::new(x, -0.5 * table.y, 0.0));
    in_plane(fixed("table", rectangle(table), pose), blocks, law, t_end)
}

/// A fixed body, and others that stay in the plane; gravity along −y.
pub(crate) fn in_plane(ground: Body, others: Vec<Body>, (e, mu): (f64, f64), t_end: f64) -> Model {
    let bodies = std::iter::once(ground).chain(others).collect();
    let mut model = make(bodies, law_of(e, mu), t_end);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let origin = |body: usize| at(body, 0.0, 0.0, 0.0);
    let planes =
        (1..model.bodies.len()).map(|k| joint(&format!("plane{k}"), JointKind::Planar, origin(0), origin(k)));
    model.joints = planes.collect();
    model
}

/// Greatest separation of two rectangles along the normals of their sides (m): negative where they overlap.
fn separation(rectangles: [(&BodyState, Vec2); 2]) -> f64 {
    let turned = rectangles.map(|(state, _)| state.orientation.to_matrix());
    let offset = rectangles[1].0.position - rectangles[0].0.position;
    let reach = |k: usize, n: &Vec3| {
        let local = turned[k].tr_mul(n);
        0.5 * (local.x.abs() * rectangles[k].1.x + local.y.abs() * rectangles[k].1.y)
    };
    let normals = turned.iter().flat_map(|r| [r.column(0).into_owned(), r.column(1).into_owned()]);
    normals.map(|n| offset.dot(&n).abs() - reach(0, &n) - reach(1, &n)).fold(f64::NEG_INFINITY, f64::max)
}

fn deepest(model: &Model, kept: &Keeper, table: Vec2) -> f64 {
    let size = |k: usize| if k == 0 { table } else { SIZE };
    let pairs = || model.pairs.iter().map(|pair| [pair.a.body, pair.b.body]);
    let all = kept
        .frames
        .iter()
        .flat_map(|frame| pairs().map(|pair| -separation(pair.map(|k| (&frame.bodies[k], size(k))))));
    all.fold(0.0, f64::max)
}

/// Kinetic energy and that of gravity never grow: impacts and friction only take.
fn only_loses(kept: &Keeper, what: &str) {
    let energy = |frame: &Kept| {
        let of = |body: &BodyState| {
            let spin = body.angular_velocity.z;
            MASS * (0.5 * body.velocity.norm_squared() + 0.5 * INERTIA * spin * spin + G * body.position.y)
        };
        frame.bodies[1..].iter().map(of).sum::<f64>()
    };
    let all: Vec<f64> = kept.frames.iter().map(energy).collect();
    let moved = all[0] - all[all.len() - 1];
    for pair in all.windows(2) {
        assert!(pair[1] <= pair[0] + 1e-8 * moved.max(1.0), "{what}: {} after {}", pair[1], pair[0]);
    }
}

fn across(kept: &Keeper) -> f64 {
    let contacts = kept.frames.iter().flat_map(|frame| &frame.contacts);
    contacts.map(|contact| contact.friction_force.z.abs()).fold(0.0, f64::max)
}

fn ends_soon(outcome: &Outcome, what: &str) {
    assert!(outcome.residual_relative < 1e-7, "{what}: residual {}", outcome.residual_relative);
    // Each of the causes that were found made tens of thousands, up to the limit of time.
    assert!(outcome.statistics.steps < 10_000, "{what}: {} steps", outcome.statistics.steps);
}

#[test]
fn blocks_that_fall_on_each_other_end_their_events() {
    let mut rng = SplitMix64::new(5);
    for scene in 0..32 {
        let mut any = |from: f64, to: f64| rng.uniform(from, to);
        let x = [0.0, 1.0, 30.0][scene % 3] * any(0.5, 1.0);
        let drop = [0.0, 0.001, 0.05, 0.3][scene % 4] * any(0.5, 1.0);
        let (e, mu) = ([0.0, 0.2, 0.5, 0.8][scene / 2 % 4], [0.0, 0.1, 0.3, 0.6][scene / 3 % 4]);
        let angle = if scene % 5 < 2 { 0.0 } else { any(-1.4, 1.4) };
        let lifted = if angle == 0.0 { 0.0 } else { 0.09 };
        let level = |k: f64| 0.05 + drop + lifted + k * (0.11 + 1.3 * lifted);
        let count = 1 + scene % 3;
        let blocks = (0..count).map(|k| {
            let place = k as f64;
            let turn = if k == 0 { angle } else { 0.0 };
            let mut block = block(&format!("b{k}"), x + 0.03 * place, level(place), turn);
            block.velocity.x = [0.0, 0.5, -1.0][scene / 4 % 3];
            block
        });
        // On every other table the blocks go over the end.
        let (table, beside) =
            if scene % 2 == 0 { (Vec2::new(0.3, 0.2), 0.05) } else { (Vec2::new(100.0, 0.2), 0.0) };
        let model = planar(table, x - beside, blocks.collect(), (e, mu), 0.8);
        let what = format!("scene {scene}: x {x} drop {drop} angle {angle} e {e} mu {mu}, {count} blocks");
        let (outcome, kept) = run(&model);
        ends_soon(&outcome, &what);
        assert!(deepest(&model, &kept, table) < DEPTH, "{what}: {}", deepest(&model, &kept, table));
        only_loses(&kept, &what);
        assert!(across(&kept) < 1e-9, "{what}: {} N across", across(&kept));
    }
}

/// Three blocks that lie flush and do not slip tip over the end of a table as one body does about the corner: their contacts depend on each
/// other, and share what holds them.
#[test]
fn a_stack_tips_over_an_end_as_one_body() {
    let (beyond, height, t_end) = (0.02, 0.15, 0.3);
    let blocks = (0..3).map(|k| block(&format!("b{k}"), beyond, 0.05 + 0.1 * f64::from(k), 0.0)).collect();
    let table = Vec2::new(1.0, 0.2);
    let model = planar(table, -0.5, blocks, (0.0, 3.0), t_end);
    let (outcome, kept) = run(&model);
    ends_soon(&outcome, "a stack");
    assert!(deepest(&model, &kept, table) < DEPTH);
    assert!(across(&kept) < 1e-9, "{} N across", across(&kept));
    // θ̈ = g (d cos θ + h sin θ) / (i + d² + h²).
    let inertia = (0.2 * 0.2 + 0.3 * 0.3) / 12.0 + beyond * beyond + height * height;
    let rates = |[angle, rate]: [f64; 2]| [rate, G * (beyond * angle.cos() + height * angle.sin()) / inertia];
    let (steps, mut y) = (2000, [0.0, 0.0]);
    let h = t_end / f64::from(steps);
    for _ in 0..steps {
        let along = |k: [f64; 2], by: f64| [y[0] + by * h * k[0], y[1] + by * h * k[1]];
        let k1 = rates(y);
        let k2 = rates(along(k1, 0.5));
        let k3 = rates(along(k2, 0.5));
        let k4 = rates(along(k3, 1.0));
        y = [0, 1].map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    let turn = Quaternion::from_axis_angle(&Vec3::z(), -y[0]).to_matrix();
    for (k, body) in kept.frames.last().unwrap().bodies[1..].iter().enumerate() {
        let place = turn * Vec3::new(beyond, 0.05 + 0.1 * k as f64, 0.0);
        assert!((body.position - place).norm() < 1e-7, "{k}: {} for {place}", body.position);
        assert!((body.angular_velocity.z + y[1]).abs() < 1e-6, "{k}: {}", body.angular_velocity.z);
    }
}
