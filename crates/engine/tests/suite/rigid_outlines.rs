//! Circles, points and corners on outlines: over their ends, into their hollows, against their acute corners.

use std::sync::Arc;

use carom_engine::Model;
use carom_engine::model::Body;
use carom_engine::record::{BodyState, EventKind};
use carom_geometry::Shape;
use carom_geometry::planar::{Outline, PlanarShape, Polygon};
use carom_math::{Mat3, Pose, Quaternion, Vec2, Vec3};
use carom_testkit::SplitMix64;

use crate::rigid_planar::in_plane;
use crate::scene::{Keeper, body, fixed, run};

const G: f64 = 9.81;
/// What the integrator's tolerance of 1e-9 leaves of a contact between its events (m).
const DEPTH: f64 = 1e-10;

fn planar(outline: Outline) -> Shape {
    Shape::Planar(PlanarShape { outline, thickness: 0.02 })
}

fn polygon(points: &[Vec2]) -> Shape {
    planar(Outline::Polygon(Arc::new(Polygon::new(points.to_vec()).unwrap())))
}

fn circle(radius: f64) -> Shape {
    planar(Outline::Circle { radius })
}

fn at(x: f64, y: f64, angle: f64) -> Pose {
    let rotation = Quaternion::from_axis_angle(&Vec3::z(), angle).to_matrix();
    Pose { rotation, translation: Vec3::new(x, y, 0.0) }
}

/// A body of 1 kg with this radius of gyration about the axis across the plane (m).
fn mover(name: &str, shape: Shape, gyration: f64, pose: Pose) -> Body {
    body(name, 1.0, Mat3::identity() * (gyration * gyration), shape, pose)
}

/// A table on one side of x = 0, with its top at y = 0.
fn table(side: f64) -> Body {
    let outline = Outline::Polygon(Arc::new(Polygon::rectangle(1.0, 0.2).unwrap()));
    fixed("table", planar(outline), at(-0.5 * side, -0.1, 0.0))
}

/// Events that only end a run, not its steps, are as few as what happens.
fn run_soon(model: &Model, what: &str) -> Keeper {
    let (outcome, kept) = run(model);
    assert!(outcome.residual_relative < 1e-7, "{what}: residual {}", outcome.residual_relative);
    assert!(outcome.statistics.steps < 5000, "{what}: {} steps", outcome.statistics.steps);
    kept
}

/// Without friction a disc follows the corner until v² = g R cos θ, where its energy says v² = v₀² + 2 g R (1 − cos θ), and then falls.
#[test]
fn a_disc_slides_over_either_end_of_a_table() {
    let (radius, speed, t_end) = (0.05, 0.3, 0.8);
    let gr = G * radius;
    let cos = (speed * speed + 2.0 * gr) / (3.0 * gr);
    let along = (gr * cos).sqrt() * cos;
    for side in [1.0, -1.0] {
        let mut disc = mover("disc", circle(radius), 0.03, at(-0.1 * side, radius, 0.0));
        disc.velocity.x = speed * side;
        let kept = run_soon(&in_plane(table(side), vec![disc], (0.0, 0.0), t_end), "a disc");
        let last = kept.frames.last().unwrap().bodies[1];
        assert!((last.velocity.x * side - along).abs() < 1e-7, "{side}: {} for {along}", last.velocity.x);
        let energy = 0.5 * last.velocity.norm_squared() + G * (last.position.y - radius);
        assert!((energy - 0.5 * speed * speed).abs() < 1e-7, "{side}: {energy}");
        assert!(last.position.y < -0.5, "{side}: {}", last.position.y);
    }
}

/// A point that slides off an edge flies on as a body that is thrown, whichever end it was.
#[test]
fn a_point_slides_off_either_end_of_a_table_and_falls() {
    let (speed, t_end) = (0.5, 0.6);
    for side in [1.0, -1.0] {
        let mut point = mover("point", circle(0.0), 0.01, at(-0.1 * side, 0.0, 0.0));
        point.velocity.x = speed * side;
        let kept = run_soon(&in_plane(table(side), vec![point], (0.3, 0.0), t_end), "a point");
        for frame in &kept.frames {
            let fall = (frame.time - 0.1 / speed).max(0.0);
            let place = Vec3::new(side * (speed * frame.time - 0.1), -0.5 * G * fall * fall, 0.0);
            let off = (frame.bodies[1].position - place).norm();
            // It leaves 1e-9 of the edge beyond the end.
            assert!(off < 1e-8, "{side}, {}: {off}", frame.time);
        }
    }
}

/// Corners and points of a body in the world.
fn corners<'a>(state: &BodyState, points: &'a [Vec2]) -> impl Iterator<Item = Vec2> + use<'a> {
    let (turn, place) = (state.orientation.to_matrix(), state.position);
    points.iter().map(move |p| (turn * Vec3::new(p.x, p.y, 0.0) + place).xy())
}

/// What slides into the corner of a hollow stops at its second side: blocks by their vertices, and bodies of points.
#[test]
fn corners_and_points_stay_out_of_both_sides_of_a_hollow() {
    let mut rng = SplitMix64::new(31);
    for scene in 0..24 {
        let mut any = |from: f64, to: f64| rng.uniform(from, to);
        let slopes = [any(0.2, 1.5), any(0.2, 1.5)];
        let (x, angle, spin) = (any(-0.15, 0.15), any(-1.5, 1.5), [0.0, 5.0, -5.0][scene % 3]);
        let half = Vec2::new(any(0.02, 0.06), any(0.02, 0.06));
        let is_of_points = scene % 4 == 3;
        let (e, mu) = ([0.0, 0.3][scene / 3 % 2], [0.0, 0.2, 0.6][scene / 2 % 3]);
        let top = |side: usize| Vec2::new([-0.6, 0.6][side], 0.6 * slopes[side]);
        let below = |side: usize| Vec2::new([-0.6, 0.6][side], -0.5);
        let vee = polygon(&[below(0), below(1), top(1), Vec2::zeros(), top(0)]);
        let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let points = signs.map(|(i, j)| Vec2::new(i * half.x, j * half.y));
        let pose = at(x, 0.15 + x.abs() * 1.5, angle);
        let mut block = mover("block", polygon(&points), half.norm() / 3.0_f64.sqrt(), pose);
        if is_of_points {
            let only = block.shapes[0].clone();
            let named = |(k, p): (usize, &Vec2)| {
                let mut point = only.clone();
                (point.name, point.shape, point.pose) = (format!("p{k}"), circle(0.0), at(p.x, p.y, 0.0));
                point
            };
            block.shapes = points.iter().enumerate().map(named).collect();
        }
        block.angular_velocity.z = spin;
        let what = format!("scene {scene}: slopes {slopes:?}, x {x}, angle {angle}, e {e}, mu {mu}");
        let shapes = block.shapes.len();
        let mut model = in_plane(fixed("vee", vee, at(0.0, 0.0, 0.0)), vec![block], (e, mu), 1.0);
        let first = model.pairs[0].clone();
        model.pairs.extend((1..shapes).map(|shape| {
            let mut pair = first.clone();
            pair.b.shape = shape;
            pair
        }));
        let kept = run_soon(&model, &what);
        let mut lowest = f64::INFINITY;
        for frame in &kept.frames {
            for p in corners(&frame.bodies[1], &points) {
                let slope = slopes[usize::from(p.x > 0.0)];
                lowest = lowest.min((p.y - slope * p.x.abs()) / slope.hypot(1.0));
            }
        }
        assert!(lowest > -DEPTH, "{what}: {lowest}");
        assert!(lowest < 1e-6, "{what}: it has not come down, {lowest}");
    }
}

/// Distance of a point from a triangle, negative inside (m).
fn distance(point: Vec2, triangle: &[Vec2]) -> f64 {
    let edges = || (0..3).map(|k| (triangle[k], triangle[(k + 1) % 3] - triangle[k]));
    let inside = edges().all(|(from, along)| along.perp(&(point - from)) >= 0.0);
    let near = |(from, along): (Vec2, Vec2)| {
        let place = ((point - from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        (point - from - along * place).norm()
    };
    let nearest = edges().map(near).fold(f64::INFINITY, f64::min);
    if inside { -nearest } else { nearest }
}

/// Triangles with acute corners tumble onto a disc and past it.
#[test]
fn acute_corners_stay_out_of_a_disc() {
    let mut rng = SplitMix64::new(32);
    let mut touching = 0;
    for scene in 0..60 {
        let mut any = |from: f64, to: f64| rng.uniform(from, to);
        let (base, tip) = (any(0.02, 0.05), any(0.08, 0.2));
        let points = [
            Vec2::new(-tip / 3.0, -0.5 * base),
            Vec2::new(2.0 * tip / 3.0, 0.0),
            Vec2::new(-tip / 3.0, 0.5 * base),
        ];
        let radius = any(0.03, 0.1);
        let pose = at(any(-0.12, 0.12), radius + 0.25, any(-3.1, 3.1));
        let mut needle = mover("needle", polygon(&points), tip / 4.0, pose);
        needle.velocity.x = any(-0.5, 0.5);
        needle.angular_velocity.z = any(-8.0, 8.0);
        let (e, mu) = ([0.0, 0.5][scene % 2], [0.0, 0.4][scene / 2 % 2]);
        let what = format!("scene {scene}: {base} {tip} {radius} {e} {mu}");
        let ground = fixed("disc", circle(radius), at(0.0, 0.0, 0.0));
        let kept = run_soon(&in_plane(ground, vec![needle], (e, mu), 0.5), &what);
        let gaps = kept.frames.iter().map(|frame| {
            let world: Vec<Vec2> = corners(&frame.bodies[1], &points).collect();
            distance(Vec2::zeros(), &world) - radius
        });
        let least = gaps.fold(f64::INFINITY, f64::min);
        assert!(least > -DEPTH, "{what}: {least}");
        touching += usize::from(kept.events.iter().any(|event| event.impact.is_some()));
    }
    assert!(touching > 30, "{touching}");
}

/// A triangle spins beside a disc that comes at it, and its corner meets the disc, whenever one begins to look. Where the middle of the disc is,
/// the strips of its edges sweep twice as fast as any of its corners goes: what was far by its own travel was near.
#[test]
fn a_corner_that_spins_into_a_disc_is_seen() {
    let points = [Vec2::new(0.0392, 0.1153), Vec2::new(-0.1185, 0.0211), Vec2::new(0.0793, -0.1364)];
    let touch = 0.02196443;
    for (k, h_max) in (0..40).flat_map(|k| [1e-4, 1e-3, 4e-3, 1e-2].map(|h_max| (k, h_max))) {
        let start = touch - 0.002 * (f64::from(k) + 1.0);
        let velocities = [Vec3::new(-0.295054, -0.703827, 0.0), Vec3::new(-1.814058, 0.503586, 0.0)];
        let spin = -29.2817;
        let place = |k: usize, x: f64, y: f64| Vec2::new(x, y) + velocities[k].xy() * start;
        let [a, b] = [place(0, -0.668687, 0.214923), place(1, -0.372157, 0.262215)];
        let mut triangle = mover("triangle", polygon(&points), 0.06, at(a.x, a.y, 2.5046 + spin * start));
        let mut disc = mover("disc", circle(0.1606), 0.11, at(b.x, b.y, 0.0));
        (triangle.velocity, disc.velocity) = (velocities[0], velocities[1]);
        triangle.angular_velocity.z = spin;
        let far = fixed("ground", circle(0.01), at(10.0, 0.0, 0.0));
        let mut model = in_plane(far, vec![triangle, disc], (0.5, 0.0), touch - start + 0.01);
        model.solver.h_max = Some(h_max);
        let kept = run_soon(&model, &format!("steps of {h_max}"));
        let first = kept.events.iter().find(|event| event.impact.is_some()).expect("an impact");
        let off = first.time - (touch - start);
        assert!(off.abs() < 1e-6 && first.gap.abs() < DEPTH, "{k}, {h_max}: {off} {first:?}");
    }
}

/// Two wedges slide on a floor at each other, and meet tip on tip: each tip is on the other's face and under neither, which an acute one may
/// push as well. Mirror images with their centres of mass on the floor are pushed neither up nor down nor turned, and go apart at e times
/// the speed, or stay.
#[test]
fn wedges_that_slide_on_a_floor_meet_with_their_tips() {
    const HALF: f64 = 0.1;
    let mut rng = SplitMix64::new(48);
    for scene in 0..60 {
        let (angle, height) = (rng.uniform(0.45, 1.5), rng.uniform(0.02, 0.08));
        let (e, speed) = ([0.0, 0.3, 0.8][scene % 3], 10.0_f64.powf(rng.uniform(-3.0, 0.0)));
        let (place, time) = (rng.uniform(-0.5, 0.5), rng.uniform(0.05, 0.15));
        let top = HALF - height / angle.tan();
        // Counter-clockwise, with the tip ahead of the centre on either side.
        let right = [(-HALF, 0.0), (HALF, 0.0), (top, height), (-HALF, height)].map(|(x, y)| Vec2::new(x, y));
        let left = [1, 0, 3, 2].map(|k| Vec2::new(-right[k].x, right[k].y));
        let wedge = |name: &str, points: &[Vec2], ahead: f64| {
            let start = at(place - ahead * (HALF + speed * time), 0.0, 0.0);
            let mut wedge = mover(name, polygon(points), 0.04, start);
            wedge.velocity.x = ahead * speed;
            wedge
        };
        let floor = Outline::Polygon(Arc::new(Polygon::rectangle(4.0, 0.2).unwrap()));
        let floor = fixed("floor", planar(floor), at(0.0, -0.1, 0.0));
        let wedges = vec![wedge("first", &right, 1.0), wedge("second", &left, -1.0)];
        let what = format!("scene {scene}, {angle} rad, e = {e}");
        let kept = run_soon(&in_plane(floor, wedges, (e, 0.0), 2.0 * time), &what);
        let last = kept.frames.last().unwrap();
        for (wedge, ahead) in last.bodies[1..].iter().zip([1.0, -1.0]) {
            let after = -ahead * e * speed;
            let off = wedge.position.x + ahead * HALF - (place + after * time);
            assert!((wedge.velocity.x - after).abs() < 1e-9, "{what}: {} for {after}", wedge.velocity.x);
            assert!(off.abs() < 1e-9, "{what}: {off}");
        }
    }
}

/// A flat block that is thrown against a wall strikes it with one corner, then with the other, and lies on it (of Housner's ratio 1 − 3/2 sin² α
/// less than zero is left). From then on nothing presses it, and it falls along the wall as if that were not there.
#[test]
fn a_block_falls_along_a_wall_that_it_does_not_press() {
    let mut rng = SplitMix64::new(64);
    for scene in 0..60 {
        let half = Vec2::new(rng.uniform(0.01, 0.03), rng.uniform(0.06, 0.1));
        let shape = |half: Vec2| {
            planar(Outline::Polygon(Arc::new(Polygon::rectangle(2.0 * half.x, 2.0 * half.y).unwrap())))
        };
        let start = at(0.1, 0.0, rng.uniform(-0.1, 0.1));
        let mut block = mover("block", shape(half), half.norm() / 3.0_f64.sqrt(), start);
        block.velocity.x = -rng.uniform(1.0, 4.0);
        let wall = fixed("wall", shape(Vec2::new(0.1, 4.0)), at(-0.1, 0.0, 0.0));
        let kept = run_soon(&in_plane(wall, vec![block], (0.0, 1.0), 0.4), &format!("scene {scene}"));
        let struck = kept.events.iter().rfind(|event| event.impact.is_some()).expect("it strikes").time;
        let free: Vec<_> = kept.frames.iter().filter(|frame| frame.time > struck).collect();
        let [(from, first), (to, last)] =
            [free[0], free[free.len() - 1]].map(|frame| (frame.time, frame.bodies[1]));
        assert!(to - from > 0.2 && (last.position.x - half.x).abs() < 1e-8, "{scene}: {from} {last:?}");
        let gained = last.velocity.y - first.velocity.y + G * (to - from);
        assert!(gained.abs() < 1e-8, "{scene}: {gained} from {from}");
    }
}

/// What is beneath a ground changes nothing of what falls onto it: a plate with a slope at its end, over whose far side corners that point up are, has
/// the same begins and rests as one that is twenty times as thick. Blocks in the hollow come to lie on both of its sides.
#[test]
fn a_plate_with_a_hollow_is_a_ground_as_a_thick_one() {
    let ground = |thick: f64| {
        let points = [(-2.0, -thick), (2.0, -thick), (2.0, 0.0), (-1.0, 0.0), (-2.0, 0.6)];
        fixed("ground", polygon(&points.map(|(x, y)| Vec2::new(x, y))), at(0.0, 0.0, 0.0))
    };
    let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let points = signs.map(|(i, j)| Vec2::new(0.07 * i, 0.04 * j));
    for (x, angle, mu) in [(0.018, 1.34, 0.6), (-0.9, 0.2, 0.1), (-1.3, 2.0, 0.0), (-1.02, -0.7, 0.3)] {
        let what = format!("x {x}, angle {angle}, mu {mu}");
        let keeps = [0.1, 2.0].map(|thick| {
            let block = mover("block", polygon(&points), 0.0465, at(x, 0.75, angle));
            run_soon(&in_plane(ground(thick), vec![block], (0.0, mu), 1.2), &what)
        });
        let begins = keeps.each_ref().map(|kept| {
            let begins = kept.events.iter().filter(|event| event.kind == EventKind::ContactBegin);
            begins.map(|event| event.time).collect::<Vec<_>>()
        });
        assert!(!begins[0].is_empty(), "{what}: it lands");
        // It falls at least 0.6 m.
        assert!(begins[0][0] > (2.0 * 0.6 / G).sqrt() - 0.1, "{what}: {begins:?}");
        assert_eq!(begins[0].len(), begins[1].len(), "{what}: {begins:?}");
        // Steps differ, and with them what tolerances of 1e-9 leave.
        for (thin, thick) in begins[0].iter().zip(&begins[1]) {
            assert!((thin - thick).abs() < 1e-6, "{what}: {thin} and {thick}");
        }
        let last = keeps.each_ref().map(|kept| kept.frames.last().unwrap().bodies[1].position);
        assert!((last[0] - last[1]).norm() < 1e-6, "{what}: {last:?}");
        let lowest = keeps[0].frames.iter().flat_map(|frame| corners(&frame.bodies[1], &points));
        let over = |p: Vec2| p.y - (-0.6 * (p.x + 1.0)).max(0.0);
        let depth = lowest.map(over).fold(f64::INFINITY, f64::min);
        assert!(depth > -2.0 * DEPTH, "{what}: {depth}");
    }
}

/// What slides along a floor meets a wall that is upright, leans back or leans over it, at s/v; not with a corner that is out of the wall's reach, but with
/// the tip that lies in the hollow.
#[test]
fn a_tip_that_slides_into_a_hollow_stops_at_its_wall() {
    let (way, speed) = (0.3, 1.6);
    // A wedge whose tip is at its left, flat on the floor.
    let points = [(0.0, 0.0), (0.12, 0.0), (0.12, 0.05)].map(|(x, y)| Vec2::new(x - 0.08, y - 0.05 / 3.0));
    for lean in [-0.6, -0.2, 0.0, 1e-3, 0.2, 0.5] {
        let top = Vec2::new(0.15 * lean, 0.15);
        let outline = [(2.0, 0.0), (0.0, 0.0), (top.x, top.y), (-2.0, 0.15), (-2.0, -0.2), (2.0, -0.2)];
        let ground = fixed("ground", polygon(&outline.map(|(x, y)| Vec2::new(x, y))), at(0.0, 0.0, 0.0));
        let mut wedge = mover("wedge", polygon(&points), 0.03, at(way + 0.08, 0.05 / 3.0, 0.0));
        wedge.velocity.x = -speed;
        let what = format!("lean {lean}");
        let kept = run_soon(&in_plane(ground, vec![wedge], (0.0, 0.0), 0.5), &what);
        let hit = kept.events.iter().find(|event| event.kind == EventKind::ContactBegin && event.time > 0.0);
        let hit = hit.unwrap_or_else(|| panic!("{what}: it meets the wall")).time;
        assert!((hit - way / speed).abs() < 1e-9, "{what}: {hit}");
        let tips = kept.frames.iter().map(|frame| corners(&frame.bodies[1], &points[..1]).next().unwrap());
        let over = tips.map(|p| (p.x - lean * p.y) / lean.hypot(1.0)).fold(f64::INFINITY, f64::min);
        assert!(over > -DEPTH, "{what}: {over}");
    }
}
