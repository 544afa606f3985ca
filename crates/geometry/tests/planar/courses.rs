//! What a search inside a step calls clear is clear: bounds between two looks against the gap at many times between them.

use carom_geometry::Shape;
use carom_geometry::planar::{
    Against, Looks, Polygon, contact_against, count_features, least_gap, second_features,
};
use carom_math::{Pose, Quaternion, Vec2, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{circle, pose, random_pose, shape, star};

/// Looks at the gap between the two.
const TIMES: usize = 200;

/// A body that moves on uniformly and turns about its origin, for one unit of time.
#[derive(Clone, Copy)]
struct Motion {
    from: [f64; 3],
    change: [f64; 3],
}

impl Motion {
    fn random(rng: &mut SplitMix64, reach: f64) -> Self {
        let from = [rng.uniform(-reach, reach), rng.uniform(-reach, reach), rng.uniform(-3.0, 3.0)];
        let size = rng.uniform(0.0, 1.0);
        let change = [rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)];
        Self { from, change }
    }

    fn at(&self, t: f64) -> Pose {
        let [x, y, angle] = [0, 1, 2].map(|k| self.from[k] + t * self.change[k]);
        pose(x, y, angle)
    }

    fn speed(&self) -> f64 {
        self.change[0].hypot(self.change[1])
    }
}

/// Bounds of what a point of one, as far as `radius` from its origin, moves over the other, and of its acceleration there.
fn bounds(own: &Motion, other: &Motion, radius: f64, apart: f64) -> (f64, f64) {
    let (own_spin, spin) = (own.change[2].abs(), other.change[2].abs());
    let speed = own.speed() + other.speed() + own_spin * radius;
    let seen = speed + spin * apart;
    (seen, own_spin * own_spin * radius + spin * spin * apart + 2.0 * spin * seen)
}

/// Random triangles have the acute corners that a star has not.
fn triangle(rng: &mut SplitMix64) -> Polygon {
    loop {
        let points = [0, 1, 2].map(|_| Vec2::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)));
        if let Ok(polygon) = Polygon::new(points.to_vec()) {
            return polygon;
        }
    }
}

#[test]
fn what_is_clear_between_looks_is_clear() {
    let mut rng = SplitMix64::new(21);
    let (mut clear, mut touching) = (0, 0);
    for round in 0..4000 {
        let polygon = |rng: &mut SplitMix64| {
            if rng.index(2) == 0 { triangle(rng) } else { star(rng, 4 + round % 9) }
        };
        let b = shape(polygon(&mut rng));
        let a = match round % 4 {
            0 => shape(polygon(&mut rng)),
            1 => circle(0.0),
            _ => circle(rng.uniform(0.01, 1.0)),
        };
        let motions = [Motion::random(&mut rng, 1.6), Motion::random(&mut rng, 0.2)];
        let [from, to] = [0.0, 1.0].map(|t| motions.map(|motion| motion.at(t)));
        let primary = 0..count_features(&a, &b);
        let edges = if round % 2 == 0 { Against::Soft } else { Against::Rigid };
        let at = |k: usize| motions.map(|motion| motion.at(k as f64 / TIMES as f64));
        let gap_of = |feature: usize, against: Against, poses: &[Pose; 2]| {
            contact_against((&a, &poses[0]), (&b, &poses[1]), feature, against).unwrap().gap
        };
        let is_inside =
            |poses: &[Pose; 2]| primary.clone().any(|feature| gap_of(feature, edges, poses) <= 0.0);
        let inside = (0..TIMES).find(|&k| is_inside(&at(k))).unwrap_or(TIMES);
        let cases = primary.clone().map(|feature| (feature, edges));
        for (feature, against) in
            cases.chain(second_features(&a, &b).map(|feature| (feature, Against::Second)))
        {
            let gap = |poses: &[Pose; 2]| gap_of(feature, against, poses);
            let (seen, bending) = slowest(&motions, [&a, &b]);
            let looks = Looks {
                poses: [[&from[0], &from[1]], [&to[0], &to[1]]],
                travel: seen,
                turn: motions.iter().map(|motion| motion.change[2].abs()).sum(),
                slack: 0.0,
            };
            if gap(&from) <= 0.0 {
                continue;
            }
            let least = least_gap((&a, &b), &looks, (feature, against), |_, first, last| {
                let above = |t: f64| first + t * (last - first) - 0.5 * bending * t * (1.0 - t);
                let lowest = 0.5 - (last - first) / bending;
                first.min(last).min(if (0.0..1.0).contains(&lowest) { above(lowest) } else { f64::INFINITY })
            });
            // From the inside it may come under every edge.
            let lowest = (0..=inside).map(|k| gap(&at(k))).fold(f64::INFINITY, f64::min);
            clear += usize::from(least > 0.0);
            touching += usize::from(lowest <= 0.0);
            assert!(
                least <= 0.0 || lowest > 0.0,
                "round {round}, feature {feature}, {against:?}: {least} {lowest}"
            );
        }
    }
    assert!(clear > 10_000 && touching > 300, "{clear} {touching}");
}

/// The larger of the bounds of both bodies' points.
fn slowest(motions: &[Motion; 2], shapes: [&Shape; 2]) -> (f64, f64) {
    let radius = shapes.map(|shape| match shape {
        Shape::Planar(planar) => planar.bounding_radius(),
        _ => unreachable!("both are planar"),
    });
    let centre = |motion: &Motion, t: f64| {
        Vec3::new(motion.from[0] + t * motion.change[0], motion.from[1] + t * motion.change[1], 0.0)
    };
    let far = [0.0, 1.0]
        .map(|t| (centre(&motions[0], t) - centre(&motions[1], t)).norm())
        .into_iter()
        .fold(0.0, f64::max);
    let of = |own: usize| bounds(&motions[own], &motions[1 - own], radius[own], far + radius[own]);
    let [a, b] = [of(0), of(1)];
    (a.0.max(b.0), a.1.max(b.1))
}

/// Any motion of two outlines that turn, about points that are far from them too: no feature touches before their surfaces have travelled
/// against each other by what its gap was. What is between the strips of edges is swept by lines that are on no surface.
#[test]
fn what_turns_travels_by_its_gaps() {
    let mut rng = SplitMix64::new(17);
    let mut closed = [0; 2];
    for round in 0..6000 {
        let kind = round % 2;
        let outline = star(&mut rng, 3 + round % 5);
        let other = star(&mut rng, 3 + round % 4);
        let radius = if kind == 0 { rng.uniform(0.0, 2.0) } else { 0.0 };
        let corners = [
            outline.points().to_vec(),
            if kind == 0 { vec![Vec2::zeros()] } else { other.points().to_vec() },
        ];
        let shapes = [shape(outline), if kind == 0 { circle(radius) } else { shape(other) }];
        let mut poses = [random_pose(&mut rng, 0.2), random_pose(&mut rng, 3.0)];
        let about = [0, 1].map(|_| Vec3::new(rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0), 0.0));
        let spins = [rng.uniform(-5.0, 5.0), rng.uniform(-1.0, 1.0)];
        let features = 0..count_features(&shapes[0], &shapes[1]);
        let gap = |poses: &[Pose; 2], feature: usize| {
            let [a, b] = [0, 1].map(|k| (&shapes[k], &poses[k]));
            contact_against(a, b, feature, Against::Rigid).unwrap().gap
        };
        let gaps: Vec<f64> = features.clone().map(|feature| gap(&poses, feature)).collect();
        if gaps.iter().any(|gap| *gap <= 0.0) {
            continue;
        }
        let farthest = gaps.iter().copied().fold(0.0, f64::max);
        let mut travelled = 0.0;
        while travelled < farthest {
            let step = 1e-3;
            let reach = [0, 1].map(|k| {
                let place = |p: &Vec2| poses[k].transform_point(&Vec3::new(p.x, p.y, 0.0)) - about[k];
                corners[k].iter().map(|p| place(p).norm()).fold(0.0, f64::max)
            });
            travelled += (spins[0].abs() * reach[0] + spins[1].abs() * (reach[1] + radius)) * step;
            poses = [0, 1].map(|k| {
                let turn = Quaternion::from_axis_angle(&Vec3::z(), spins[k] * step).to_matrix();
                let arm = poses[k].translation - about[k];
                Pose { rotation: turn * poses[k].rotation, translation: about[k] + turn * arm }
            });
            let now: Vec<f64> = features.clone().map(|feature| gap(&poses, feature)).collect();
            for (feature, (gap, first)) in now.iter().zip(&gaps).enumerate() {
                let is_late = *gap > 0.0 || travelled >= *first;
                assert!(is_late, "{round}: feature {feature} has {gap} after {travelled} of {first}");
            }
            if now.iter().any(|gap| *gap <= 0.0) {
                closed[kind] += 1;
                break;
            }
        }
    }
    assert!(closed.iter().all(|&count| count > 200), "{closed:?}");
}
