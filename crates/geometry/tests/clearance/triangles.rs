use carom_geometry::clearance::{intersects, triangle_separation};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

/// A triangle of one of many kinds: any, flat in a plane of the frame, on a small grid, a sliver, a segment, a point.
fn triangle(rng: &mut SplitMix64) -> [Vec3; 3] {
    let mut any = || rng.vector_in_cube(1.0);
    let [a, b, c] = [any(), any(), any()];
    let grid = |p: Vec3| p.map(|x| (1.5 * x).round() * 0.25);
    match rng.index(7) {
        0 | 1 => [a, b, c],
        2 => [a, b, c].map(|p| Vec3::new(p.x, p.y, 0.25)),
        3 => [a, b, c].map(grid),
        4 => [a, b, a + 0.3 * (b - a) + 1e-12 * c],
        5 => [grid(a), grid(b), grid(a)],
        _ => [grid(a); 3],
    }
}

/// Points lie on their triangles, are as far apart as said, and the planes through them across the direction separate
/// the two.
#[test]
fn nearest_points_and_direction_prove_the_distance() {
    let mut rng = SplitMix64::new(22);
    let (mut far, mut near) = (0, 0);
    for _ in 0..20_000 {
        let (a, b) = (triangle(&mut rng), triangle(&mut rng));
        let found = triangle_separation(&a, &b);
        let [p, q] = found.points;
        assert!((found.direction.norm() - 1.0).abs() < 1e-14);
        assert!(((q - p).norm() - found.distance).abs() < 1e-14, "{a:?} {b:?} {found:?}");
        for (t, p) in [(&a, &p), (&b, &q)] {
            assert!(triangle_separation(t, &[*p; 3]).distance < 1e-14, "{t:?} {p:?}");
            for _ in 0..20 {
                let n = rng.unit_vector();
                let highest = t.iter().map(|corner| n.dot(corner)).fold(f64::NEG_INFINITY, f64::max);
                assert!(n.dot(p) < highest + 1e-14, "{t:?} {p:?}");
            }
        }
        assert_eq!(found.distance == 0.0, intersects(&a, &b));
        if found.distance > 0.0 {
            let low = b.iter().map(|p| found.direction.dot(p)).fold(f64::INFINITY, f64::min);
            let high = a.iter().map(|p| found.direction.dot(p)).fold(f64::NEG_INFINITY, f64::max);
            // A direction between corners is known to rounding over the distance.
            let tolerance = 1e-14 + (1e-15 / found.distance).min(found.distance);
            assert!((low - high - found.distance).abs() < tolerance, "{a:?} {b:?} {found:?}");
            *(if found.distance > 1e-3 { &mut far } else { &mut near }) += 1;
        }
        let swapped = triangle_separation(&b, &a);
        assert!((swapped.distance - found.distance).abs() < 1e-15);
        // Turning the corners around changes nothing.
        let turned = triangle_separation(&[a[1], a[2], a[0]], &[b[2], b[1], b[0]]);
        assert!((turned.distance - found.distance).abs() < 1e-15);
    }
    assert!(far > 5000 && near > 20, "{far} {near}");
}

/// Grids keep differences exact: two that share a corner, or a point of an edge, touch, and the least shift apart ends that.
#[test]
fn touching_is_exact() {
    let mut rng = SplitMix64::new(23);
    for _ in 0..20_000 {
        let (a, mut b) = (triangle(&mut rng), triangle(&mut rng));
        // A corner of b in the middle of an edge of a; halves are exact.
        let on_a = 0.5 * (a[0] + a[1]);
        if 2.0 * on_a != a[0] + a[1] || on_a - a[0] != a[1] - on_a {
            continue;
        }
        b[0] = on_a;
        assert!(intersects(&a, &b) && intersects(&b, &a));
        assert_eq!(triangle_separation(&a, &b).distance, 0.0);
    }
    let flat = [Vec3::zeros(), Vec3::x(), Vec3::y()];
    let over = |z: f64| [Vec3::new(0.2, 0.2, z), Vec3::new(0.3, 0.4, 1.0), Vec3::new(0.1, 0.2, 2.0)];
    for tiny in [1e-140, 1e-20, 1e-10] {
        let found = triangle_separation(&flat, &over(tiny));
        assert!((found.distance - tiny).abs() <= 1e-15 * tiny && found.direction == Vec3::z(), "{found:?}");
        assert_eq!(triangle_separation(&flat, &over(-tiny)).distance, 0.0);
    }
    assert_eq!(triangle_separation(&flat, &over(0.0)).distance, 0.0);
}

#[test]
fn a_turned_frame_changes_the_distance_by_rounding_only() {
    let mut rng = SplitMix64::new(24);
    for _ in 0..20_000 {
        let (a, b) = (triangle(&mut rng), triangle(&mut rng));
        let frame: Pose = rng.pose(1.0);
        let turned = |t: &[Vec3; 3]| t.map(|p| frame.transform_point(&p));
        let (here, there) =
            (triangle_separation(&a, &b).distance, triangle_separation(&turned(&a), &turned(&b)).distance);
        // Lengths are near 1: 1e-12 relative to them, with room.
        assert!((here - there).abs() < 1e-14, "{a:?} {b:?} {here} {there}");
    }
}
