//! Blocks that are thrown onto grounds with slopes, hollows, walls and stairs, by every kind of method.

use std::sync::Arc;

use carom_engine::model::{IntegratorKind, StepControl};
use carom_engine::record::BodyState;
use carom_geometry::Shape;
use carom_geometry::planar::{Outline, PlanarShape, Polygon};
use carom_math::{Mat3, Pose, Quaternion, Vec2, Vec3};
use carom_testkit::SplitMix64;

use crate::rigid_planar::in_plane;
use crate::scene::{body, fixed, run};

/// Outlines, counter-clockwise (m): a plate with a ramp, a trough, stairs, a floor between two walls.
const GROUNDS: [&[(f64, f64)]; 4] = [
    &[(-2.0, -0.1), (2.0, -0.1), (2.0, 0.0), (-1.0, 0.0), (-2.0, 0.6)],
    &[
        (-2.0, -0.1),
        (2.0, -0.1),
        (2.0, 0.5),
        (1.0, 0.5),
        (0.6, 0.1),
        (0.0, 0.0),
        (-0.6, 0.1),
        (-1.0, 0.5),
        (-2.0, 0.5),
    ],
    &[
        (-2.0, -0.1),
        (2.0, -0.1),
        (2.0, 0.0),
        (0.5, 0.0),
        (0.5, 0.15),
        (0.0, 0.15),
        (0.0, 0.3),
        (-0.5, 0.3),
        (-0.5, 0.45),
        (-2.0, 0.45),
    ],
    &[(-0.6, -0.1), (0.6, -0.1), (0.6, 0.9), (0.5, 0.9), (0.5, 0.0), (-0.5, 0.0), (-0.5, 0.9), (-0.6, 0.9)],
];

fn polygon(points: Vec<Vec2>) -> Shape {
    let outline = Outline::Polygon(Arc::new(Polygon::new(points).unwrap()));
    Shape::Planar(PlanarShape { outline, thickness: 0.02 })
}

fn at(x: f64, y: f64, angle: f64) -> Pose {
    let rotation = Quaternion::from_axis_angle(&Vec3::z(), angle).to_matrix();
    Pose { rotation, translation: Vec3::new(x, y, 0.0) }
}

/// Depth of a point inside an outline (m), zero outside: by the parity of the edges that a ray crosses.
fn depth_in(points: &[Vec2], point: Vec2) -> f64 {
    let edges = || (0..points.len()).map(|k| (points[k], points[(k + 1) % points.len()]));
    let is_crossed = |(from, to): &(Vec2, Vec2)| {
        let side = (to - from).perp(&(point - from));
        (from.y > point.y) != (to.y > point.y) && (side > 0.0) == (to.y > from.y)
    };
    let distance = |(from, to): (Vec2, Vec2)| {
        let along = to - from;
        let share = ((point - from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        (point - (from + share * along)).norm()
    };
    let is_inside = edges().filter(is_crossed).count() % 2 == 1;
    if is_inside { edges().map(distance).fold(f64::INFINITY, f64::min) } else { 0.0 }
}

/// How deep a block of this half size and a ground are in each other, by the corners of both (m).
fn overlap(state: &BodyState, half: Vec2, ground: &[Vec2]) -> f64 {
    let turn = state.orientation.to_matrix();
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(i, j)| {
        let arm = Vec3::new(i * half.x, j * half.y, 0.0);
        (turn * arm + state.position).xy()
    });
    let in_block = |p: &Vec2| {
        let seen = turn.tr_mul(&(Vec3::new(p.x, p.y, 0.0) - state.position));
        (half.x - seen.x.abs()).min(half.y - seen.y.abs())
    };
    let in_ground = corners.iter().map(|corner| depth_in(ground, *corner));
    in_ground.chain(ground.iter().map(in_block)).fold(0.0, f64::max)
}

/// They come down, and nothing ends the run, makes energy or is inside of anything.
#[test]
fn blocks_get_along_with_grounds() {
    let mut rng = SplitMix64::new(56);
    for scene in 0..48 {
        let mut any = |from: f64, to: f64| rng.uniform(from, to);
        let points: Vec<Vec2> = GROUNDS[scene % 4].iter().map(|&(x, y)| Vec2::new(x, y)).collect();
        let method = [IntegratorKind::Ode45, IntegratorKind::Dop853, IntegratorKind::Moreau][scene / 4 % 3];
        let (e, mu) = ([0.0, 0.2, 0.5][scene / 5 % 3], [0.0, 0.1, 0.3, 0.6][scene / 3 % 4]);
        let halves: Vec<Vec2> =
            (0..1 + scene % 2).map(|_| Vec2::new(any(0.03, 0.1), any(0.03, 0.1))).collect();
        let blocks = halves.iter().enumerate().map(|(k, half)| {
            let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let shape = polygon(signs.map(|(i, j)| Vec2::new(i * half.x, j * half.y)).to_vec());
            let inertia = Mat3::identity() * (half.norm_squared() / 3.0);
            let pose = at(any(-0.3, 0.3), 0.75 + 0.35 * k as f64, any(-3.0, 3.0));
            let mut block = body(&format!("b{k}"), 1.0, inertia, shape, pose);
            (block.velocity.x, block.angular_velocity.z) = (any(-2.0, 2.0), any(-6.0, 6.0));
            block
        });
        let blocks = blocks.collect();
        let ground = fixed("ground", polygon(points.clone()), at(0.0, 0.0, 0.0));
        let mut model = in_plane(ground, blocks, (e, mu), 1.0);
        model.solver.method = method;
        let is_stepped = method == IntegratorKind::Moreau;
        if is_stepped {
            model.solver.step = StepControl::Fixed(1e-3);
        }
        let what = format!("scene {scene}, {method:?}, e {e}, mu {mu}");
        let (outcome, kept) = run(&model);
        let deepest = kept.frames.iter().flat_map(|frame| {
            frame.bodies[1..].iter().zip(&halves).map(|(state, half)| overlap(state, *half, &points))
        });
        let deepest = deepest.fold(0.0, f64::max);
        assert!(!kept.events.is_empty(), "{what}: they come down");
        if is_stepped {
            // A step that a bounce takes part in leaves what goes down until its end.
            assert!(deepest < 5e-3, "{what}: {deepest}");
        } else {
            assert!(outcome.residual_relative < 1e-6, "{what}: residual {}", outcome.residual_relative);
            assert!(deepest < 1e-9, "{what}: {deepest}");
        }
    }
}
