//! Two triangles against rational arithmetic.

use std::collections::BTreeMap;

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

/// A polynomial in ε, by exponents.
type Polynomial = BTreeMap<u32, i128>;

fn times(p: &Polynomial, q: &Polynomial) -> Polynomial {
    let mut product = Polynomial::new();
    for ((i, x), (j, y)) in p.iter().flat_map(|x| q.iter().map(move |y| (x, y))) {
        *product.entry(i + j).or_default() += x * y;
    }
    product
}

/// Sign of the determinant of the rows (x, y, z, 1) of four of six points, coordinate j of point i moved by ε^(2^(3 i + 2 − j)) for
/// an infinitely small ε: expanded in full, the lowest power decides.
fn moved_sign(points: &[Point; 6], chosen: [usize; 4]) -> bool {
    let entry = |row: usize, column: usize| match column {
        3 => Polynomial::from([(0, 1)]),
        j => Polynomial::from([(0, points[chosen[row]][j]), (1 << (3 * chosen[row] + 2 - j), 1)]),
    };
    let mut determinant = Polynomial::new();
    for code in 0..256_usize {
        let p = [code % 4, code / 4 % 4, code / 16 % 4, code / 64];
        if (0..4).any(|k| !p.contains(&k)) {
            continue;
        }
        let product = (1..4).fold(entry(0, p[0]), |product, k| times(&product, &entry(k, p[k])));
        let inversions =
            (0..4).flat_map(|i| (0..i).map(move |j| (j, i))).filter(|&(j, i)| p[j] > p[i]).count();
        for (exponent, x) in product {
            *determinant.entry(exponent).or_default() += if inversions % 2 == 0 { x } else { -x };
        }
    }
    determinant.into_values().find(|x| *x != 0).expect("points are moved differently") > 0
}

/// Segments by the definition alone: both triangles moved, every edge against the other, and where its unmoved points say, as a
/// fraction; none for an end whose edge lies in the plane.
fn ends_by_moving(a: [Point; 3], b: [Point; 3]) -> Vec<Option<Vec3>> {
    let points: [Point; 6] = std::array::from_fn(|k| if k < 3 { a[k] } else { b[k - 3] });
    let mut found = Vec::new();
    for (own, [p, q, r]) in [([0, 1, 2], [3, 4, 5]), ([3, 4, 5], [0, 1, 2])] {
        for k in 0..3 {
            let (low, high) = (own[k].min(own[(k + 1) % 3]), own[k].max(own[(k + 1) % 3]));
            let turn = moved_sign(&points, [low, high, p, q]);
            let is_through = moved_sign(&points, [p, q, r, low]) != moved_sign(&points, [p, q, r, high])
                && moved_sign(&points, [low, high, q, r]) == turn
                && moved_sign(&points, [low, high, r, p]) == turn;
            if !is_through {
                continue;
            }
            let [p, q, r, low, high] = [p, q, r, low, high].map(|index| points[index]);
            let normal = cross(minus(q, p), minus(r, p));
            let (s, t) = (dot(normal, minus(low, p)), dot(normal, minus(high, p)));
            let place = |i: usize| (high[i] * s - low[i] * t) as f64 / (s - t) as f64;
            found.push((s != t).then(|| Vec3::new(place(0), place(1), place(2))));
        }
    }
    found
}

/// Triangles that share corners and edges, in one plane, slivers and lines: there is a segment where the definition says so, two ends
/// of it, where rational numbers say.
#[test]
fn degenerate_segments_are_those_of_moved_points() {
    let mut rng = SplitMix64::new(15);
    let (mut segments, mut degenerate) = ([0; 5], 0);
    for round in 0..6_000 {
        let kind = round % 5;
        let (mut a, mut b) = (random(&mut rng, 2), random(&mut rng, 2));
        match kind {
            // A corner in common, an edge in common.
            0 => b[rng.index(3)] = a[rng.index(3)],
            1 => (b[0], b[1]) = (a[1], a[0]),
            // In one plane.
            2 => a.iter_mut().chain(&mut b).for_each(|point| point[2] = point[0] + point[1]),
            // Slivers that nearly share an edge.
            3 => {
                let (p, q) = (random(&mut rng, 1000), random(&mut rng, 1));
                let near = |k: usize| [0, 1, 2].map(|i| p[0][i] + (p[1][i] - p[0][i]) * k as i128 + q[k][i]);
                (a, b) = ([p[0], near(1), near(2)], [near(0), p[1], near(2)]);
            }
            _ => {}
        }
        degenerate += usize::from(ends(a, b).is_err());
        let expected = ends_by_moving(a, b);
        let found = triangle_segment(&real(a), &real(b));
        assert_eq!(expected.len(), if found.is_some() { 2 } else { 0 }, "{a:?} {b:?}");
        let Some(found) = found else { continue };
        segments[kind] += 1;
        let size = a.iter().chain(&b).flatten().map(|x| x.abs()).max().unwrap_or(1) as f64;
        for end in expected.iter().flatten() {
            let distance = (found[0] - end).norm().min((found[1] - end).norm());
            assert!(distance < 1e-12 * size, "{a:?} {b:?} {distance}");
        }
    }
    // In one plane, A's corners move out of it before B's do, and all to one side.
    let counts = (segments[2], segments.iter().filter(|count| **count > 200).count());
    assert!(counts == (0, 4) && degenerate > 3_000, "{segments:?} {degenerate}");
}
