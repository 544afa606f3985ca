//! Broad phase against all pairs.

use carom_geometry::broadphase::{Ball, BroadPhaseFault, Candidates, Certificates, MotionBound, Pair, Plane};
use carom_math::Vec3;
use carom_testkit::SplitMix64;

fn all_pairs(balls: &[Ball], skin: f64) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (i, a) in balls.iter().enumerate() {
        for (j, b) in balls.iter().enumerate().skip(i + 1) {
            if (a.centre - b.centre).norm_squared() <= (a.radius + b.radius + skin).powi(2) {
                pairs.push([i as u32, j as u32]);
            }
        }
    }
    pairs
}

fn found(balls: &[Ball], skin: f64) -> Vec<Pair> {
    let mut candidates = Candidates::default();
    candidates.rebuild(balls, &[], skin).unwrap();
    candidates.pairs().to_vec()
}

fn random_balls(
    count: usize,
    extent: &Vec3,
    rng: &mut SplitMix64,
    radius: impl Fn(&mut SplitMix64) -> f64,
) -> Vec<Ball> {
    (0..count)
        .map(|_| Ball { centre: rng.vector_in_cube(1.0).component_mul(extent), radius: radius(rng) })
        .collect()
}

#[test]
fn pairs_are_those_of_brute_force_for_any_sizes_and_places() {
    let mut rng = SplitMix64::new(91);
    let extents = [
        Vec3::repeat(1.0),
        Vec3::new(100.0, 1.0, 0.01),
        Vec3::new(1e4, 1e4, 1e4),
        Vec3::new(0.0, 0.0, 5.0),
        Vec3::zeros(),
    ];
    for extent in extents {
        for skin in [0.0, 0.01, 1.0] {
            let same = random_balls(400, &extent, &mut rng, |_| 0.05);
            assert_eq!(found(&same, skin), all_pairs(&same, skin));
            let mixed = random_balls(400, &extent, &mut rng, |rng| 10f64.powf(rng.uniform(-4.0, 1.5)));
            assert_eq!(found(&mixed, skin), all_pairs(&mixed, skin));
            let points = random_balls(50, &extent, &mut rng, |_| 0.0);
            assert_eq!(found(&points, skin), all_pairs(&points, skin));
        }
    }
    assert!(found(&[], 0.1).is_empty());
}

#[test]
fn balls_on_a_lattice_that_touch_are_pairs() {
    // Every gap is zero: cells' borders and rounding at their worst.
    let mut balls = Vec::new();
    for i in 0..8 {
        for j in 0..8 {
            for k in 0..8 {
                let centre = 0.1 * Vec3::new(f64::from(i), f64::from(j), f64::from(k)) + Vec3::repeat(1000.0);
                balls.push(Ball { centre, radius: 0.05 });
            }
        }
    }
    assert_eq!(found(&balls, 1e-6).len(), 3 * 8 * 8 * 7);
}

#[test]
fn lists_hold_what_touches_as_long_as_they_are_valid() {
    let mut rng = SplitMix64::new(92);
    let mut balls = random_balls(300, &Vec3::repeat(1.0), &mut rng, |rng| rng.uniform(0.02, 0.2));
    let planes = [Plane { point: Vec3::new(0.0, 0.0, -0.9), normal: Vec3::z() }];
    let mut candidates = Candidates::default();
    let mut rebuilt = 0;
    for _ in 0..60 {
        if candidates.update(&balls, &planes, 0.05).unwrap() {
            rebuilt += 1;
        }
        for pair in all_pairs(&balls, 0.0) {
            assert!(candidates.pairs().binary_search(&pair).is_ok(), "{pair:?}");
        }
        for (k, ball) in balls.iter().enumerate() {
            if ball.centre.z + 0.9 <= ball.radius {
                assert!(candidates.plane_pairs().contains(&[0, k as u32]));
            }
        }
        for ball in &mut balls {
            ball.centre += rng.vector_in_cube(0.004);
        }
    }
    // Two ways of some 0.004 √steps add up to 0.05 after several steps, and not after each.
    assert!((3..30).contains(&rebuilt), "{rebuilt}");
}

#[test]
fn the_two_longest_ways_count_wherever_they_are_and_no_number_is_not_valid() {
    let mut rng = SplitMix64::new(94);
    let balls = random_balls(11, &Vec3::repeat(1.0), &mut rng, |_| 0.1);
    let mut candidates = Candidates::default();
    candidates.rebuild(&balls, &[], 0.1).unwrap();
    let moved = |i: usize, j: usize, way: f64| {
        let mut balls = balls.clone();
        balls[i].centre.x += way;
        balls[j].centre.z += way;
        balls
    };
    for i in 0..11 {
        assert!(!candidates.are_valid(&moved(i, i, f64::NAN), &[]));
        for j in 0..i {
            // Ways of 0.049 and 0.051 add up to less and more than the skin.
            assert!(candidates.are_valid(&moved(i, j, 0.049), &[]));
            assert!(!candidates.are_valid(&moved(i, j, 0.051), &[]), "{i} {j}");
        }
    }
}

#[test]
fn bad_balls_are_named() {
    let mut balls = vec![Ball { centre: Vec3::zeros(), radius: 1.0 }; 4];
    balls[2].centre.y = f64::NAN;
    let fault = Candidates::default().rebuild(&balls, &[], 0.1).unwrap_err();
    assert!(matches!(fault, BroadPhaseFault::BadBall { ball: 2, .. }));
    balls[2] = Ball { centre: Vec3::zeros(), radius: -1.0 };
    assert!(Candidates::default().rebuild(&balls, &[], 0.1).is_err());
}

#[test]
fn certificates_expire_in_order() {
    let mut certificates = Certificates::from_times(vec![2.0, 1.0, 3.0, 1.0]);
    assert_eq!(certificates.earliest(), 1.0);
    assert_eq!(certificates.pop_expired(0.5), None);
    assert_eq!(certificates.pop_expired(1.5), Some(1));
    certificates.set(1, 5.0);
    assert_eq!(certificates.pop_expired(1.5), Some(3));
    certificates.set(3, 1.7);
    certificates.set(0, 1.6);
    assert_eq!(certificates.pop_expired(2.5), Some(0));
    assert_eq!(certificates.pop_expired(2.5), Some(3));
    assert_eq!(certificates.pop_expired(2.5), None);
    assert_eq!(certificates.earliest(), 3.0);
    for k in 0..1000 {
        certificates.set(2, 3.0 + f64::from(k));
    }
    assert_eq!(certificates.earliest(), 5.0);
    // What has expired and has no new certificate comes up again after a restart.
    let mut restarted = Certificates::from_times(certificates.times().to_vec());
    assert_eq!(restarted.pop_expired(0.0), Some(0));
    assert_eq!(restarted.pop_expired(0.0), Some(3));
    assert_eq!(restarted.pop_expired(0.0), None);
}

#[test]
fn no_motion_within_the_bound_closes_the_gap_sooner() {
    let mut rng = SplitMix64::new(93);
    for _ in 0..1000 {
        let bound = MotionBound { speed: rng.uniform(0.0, 10.0), acceleration: rng.uniform(0.0, 100.0) };
        let gap = 10f64.powf(rng.uniform(-9.0, 1.0));
        let t = bound.time_to_close(gap);
        let way = bound.speed * t + 0.5 * bound.acceleration * t * t;
        assert!((way - gap).abs() < 1e-14 * gap.max(way) * 8.0, "{bound:?} {gap}");
    }
    assert_eq!(MotionBound { speed: 0.0, acceleration: 0.0 }.time_to_close(1.0), f64::INFINITY);
    assert_eq!(MotionBound { speed: 1.0, acceleration: 0.0 }.time_to_close(-1.0), 0.0);
}
