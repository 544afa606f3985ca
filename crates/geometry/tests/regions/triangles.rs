//! Two triangles against rational arithmetic.

use carom_geometry::intersection::triangle_segment;
use carom_math::Vec3;
use carom_testkit::SplitMix64;

type Point = [i128; 3];

fn minus(a: Point, b: Point) -> Point {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Point, b: Point) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Where the edge p–q meets the triangle, as a fraction, if it does so inside both; none if a sign is zero.
fn edge_point(p: Point, q: Point, [a, b, c]: [Point; 3]) -> Result<Option<[f64; 3]>, ()> {
    let normal = cross(minus(b, a), minus(c, a));
    let (s, t) = (dot(normal, minus(p, a)), dot(normal, minus(q, a)));
    if s == 0 || t == 0 {
        return Err(());
    }
    if (s > 0) == (t > 0) {
        return Ok(None);
    }
    // x = (p t − q s)/(t − s): inside if all three edges turn the same way around it, with the denominator kept.
    let scale = t - s;
    let x: Point = [0, 1, 2].map(|i| p[i] * t - q[i] * s);
    let mut turns = [0; 3];
    for (k, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
        let arm: Point = [0, 1, 2].map(|i| x[i] - from[i] * scale);
        turns[k] = dot(normal, cross(minus(to, from), arm)).signum() * scale.signum();
    }
    if turns.contains(&0) {
        return Err(());
    }
    let is_inside = turns.iter().all(|turn| *turn > 0);
    Ok(is_inside.then(|| x.map(|x| x as f64 / scale as f64)))
}

/// All ends by rational numbers; an error where one is on an edge or a corner.
fn ends(a: [Point; 3], b: [Point; 3]) -> Result<Vec<Vec3>, ()> {
    let mut found = Vec::new();
    for (own, other) in [(a, b), (b, a)] {
        for k in 0..3 {
            found.extend(edge_point(own[k], own[(k + 1) % 3], other)?.map(Vec3::from));
        }
    }
    Ok(found)
}

fn random(rng: &mut SplitMix64, span: usize) -> [Point; 3] {
    std::array::from_fn(|_| std::array::from_fn(|_| rng.index(2 * span + 1) as i128 - span as i128))
}

fn real(triangle: [Point; 3]) -> [Vec3; 3] {
    triangle.map(|p| Vec3::from(p.map(|x| x as f64)))
}

#[test]
fn ends_are_those_of_rational_numbers() {
    let mut rng = SplitMix64::new(7);
    let (mut with, mut without) = (0, 0);
    for _ in 0..200_000 {
        let (a, b) = (random(&mut rng, 1000), random(&mut rng, 1000));
        let Ok(expected) = ends(a, b) else { continue };
        let found = triangle_segment(&real(a), &real(b));
        match (found, expected.as_slice()) {
            (None, []) => without += 1,
            (Some(found), [p, q]) => {
                let distance = |x: &Vec3, y: &Vec3| (x - y).norm();
                let same = distance(&found[0], p) + distance(&found[1], q);
                let crossed = distance(&found[0], q) + distance(&found[1], p);
                // 1e-12 of the size, times how flat the two cut each other where the share is small.
                assert!(same.min(crossed) < 1e-9, "{a:?} {b:?} {same} {crossed}");
                // What is behind B lies on the left: the way is along n × m of the normals n of A and m of B.
                let [u, v] = [real(a), real(b)].map(|[p, q, r]| (q - p).cross(&(r - p)));
                assert!((found[1] - found[0]).dot(&u.cross(&v)) > 0.0);
                with += 1;
            }
            (found, expected) => panic!("{a:?} {b:?}: {found:?}, {expected:?}"),
        }
    }
    assert!(with > 10_000 && without > 50_000, "{with} {without}");
}

/// Corners on a small grid: shared corners and edges, common planes, slivers, triangles without an area. A segment is on both; none
/// is only where both touch or are apart; swapping and turning the corners keeps what is found.
#[test]
fn degenerate_triangles_are_decided() {
    let mut rng = SplitMix64::new(9);
    let (mut segments, mut degenerate) = (0, 0);
    for _ in 0..50_000 {
        let (a, b) = (random(&mut rng, 1), random(&mut rng, 1));
        let found = triangle_segment(&real(a), &real(b));
        degenerate += usize::from(ends(a, b).is_err());
        if let Some(segment) = found {
            segments += 1;
            for (point, triangle) in segment.iter().flat_map(|p| [(p, real(a)), (p, real(b))]) {
                assert!(distance(point, &triangle) < 1e-12, "{a:?} {b:?} {point}");
            }
        }
        if let Ok(expected) = ends(a, b) {
            assert_eq!(found.is_some(), expected.len() == 2);
        }
    }
    assert!(segments > 3_000 && degenerate > 20_000, "{segments} {degenerate}");
}

/// Distance of a point from a triangle, which may be a line or a point: the least over a descent on barycentric coordinates.
fn distance(point: &Vec3, [a, b, c]: &[Vec3; 3]) -> f64 {
    let to_line = |p: &Vec3, q: &Vec3| {
        let along = q - p;
        let squared = along.norm_squared();
        let share = if squared > 0.0 { ((point - p).dot(&along) / squared).clamp(0.0, 1.0) } else { 0.0 };
        (point - p - share * along).norm()
    };
    let normal = (b - a).cross(&(c - a));
    let mut least = to_line(a, b).min(to_line(b, c)).min(to_line(c, a));
    let squared = normal.norm_squared();
    if squared > 0.0 {
        let inside =
            [(a, b), (b, c), (c, a)].iter().all(|(p, q)| normal.dot(&(*q - *p).cross(&(point - *p))) >= 0.0);
        if inside {
            least = least.min(normal.dot(&(point - a)).abs() / squared.sqrt());
        }
    }
    least
}
