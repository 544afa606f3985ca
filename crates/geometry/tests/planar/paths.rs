//! The trees give the bits of brute force; exchanging the shapes exchanges their contacts; frames do not matter.

use carom_geometry::planar::{
    Planar, Polygon, contact, count_features, find_in_skin, find_in_skin_by_all_pairs,
};
use carom_math::{Pose, Quaternion, Vec2, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{circle, pose, random_pose, shape, star};

#[test]
fn nearest_edges_are_those_of_brute_force() {
    let mut rng = SplitMix64::new(11);
    for round in 0..200 {
        let polygon = star(&mut rng, 3 + round);
        for _ in 0..50 {
            let point = Vec2::new(rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5));
            assert_eq!(polygon.nearest(&point), polygon.nearest_by_all(&point));
        }
        for point in polygon.points() {
            assert_eq!(polygon.nearest(point), polygon.nearest_by_all(point));
        }
    }
}

/// The skin's vertices are the same by boxes and by all pairs, on random poses and for outlines that share corners and edges.
#[test]
fn vertices_in_the_skin_are_those_of_all_pairs() {
    let mut rng = SplitMix64::new(12);
    let mut hits = 0;
    for round in 0..300 {
        let (a, b) = (star(&mut rng, 4 + round % 90), star(&mut rng, 5 + round % 70));
        let skin = 0.1 * rng.uniform(0.001, 1.0);
        let poses = [random_pose(&mut rng, 0.9), random_pose(&mut rng, 0.9)];
        let (b_in_a, a_in_b) = (Planar::of(&poses[1], &poses[0]), Planar::of(&poses[0], &poses[1]));
        let found = find_in_skin(&a, &b, &b_in_a, &a_in_b, skin);
        assert_eq!(found, find_in_skin_by_all_pairs(&a, &b, &b_in_a, &a_in_b, skin), "{round}");
        hits += found.len();
    }
    assert!(hits > 1000, "{hits}");
    let square = Polygon::rectangle(1.0, 1.0).unwrap();
    for (x, y) in [(0.0, 1.0), (1.0, 1.0), (0.5, 1.0), (0.0, 0.99), (0.3, 0.98)] {
        let (b_in_a, a_in_b) = (
            Planar::of(&pose(x, y, 0.0), &Pose::identity()),
            Planar::of(&Pose::identity(), &pose(x, y, 0.0)),
        );
        let found = find_in_skin(&square, &square, &b_in_a, &a_in_b, 0.05);
        assert!(!found.is_empty());
        assert_eq!(found, find_in_skin_by_all_pairs(&square, &square, &b_in_a, &a_in_b, 0.05));
    }
}

#[test]
fn order_does_not_matter() {
    let mut rng = SplitMix64::new(13);
    let shapes = [shape(star(&mut rng, 9)), shape(star(&mut rng, 14)), circle(0.4), circle(0.0)];
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i + 1..] {
            for _ in 0..20 {
                let (x_wa, x_wb) = (random_pose(&mut rng, 1.0), random_pose(&mut rng, 1.0));
                let of = |swap: bool| -> Vec<_> {
                    let features = 0..count_features(a, b);
                    let point = |feature: usize| {
                        if swap {
                            contact(b, &x_wb, a, &x_wa, feature).unwrap().swapped()
                        } else {
                            contact(a, &x_wa, b, &x_wb, feature).unwrap()
                        }
                    };
                    let mut gaps: Vec<f64> = features.map(point).map(|point| point.gap).collect();
                    gaps.sort_by(f64::total_cmp);
                    gaps
                };
                // That of two circles is taken in the frame of the first.
                let same = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-15;
                assert!(of(false).iter().zip(&of(true)).all(same), "{i}");
            }
        }
    }
}

/// A plane that is turned in space sees the same gaps and turned normals, to rounding.
#[test]
fn contacts_turn_with_the_frame() {
    let mut rng = SplitMix64::new(14);
    let shapes = [shape(star(&mut rng, 9)), shape(star(&mut rng, 14)), circle(0.4)];
    for _ in 0..100 {
        let frame = Pose {
            rotation: Quaternion::from_axis_angle(&rng.unit_vector(), rng.uniform(-3.0, 3.0)).to_matrix(),
            translation: rng.vector_in_cube(2.0),
        };
        let (x_wa, x_wb) = (random_pose(&mut rng, 1.0), random_pose(&mut rng, 1.0));
        for (a, b) in [(0, 1), (1, 2)] {
            let (a, b) = (&shapes[a], &shapes[b]);
            for feature in 0..count_features(a, b) {
                let here = contact(a, &x_wa, b, &x_wb, feature).unwrap();
                let there = contact(a, &frame.compose(&x_wa), b, &frame.compose(&x_wb), feature).unwrap();
                assert!((here.gap - there.gap).abs() < 1e-14, "{here:?} {there:?}");
                assert!(
                    (frame.rotation * here.normal - there.normal).norm() < 1e-12 / here.gap.abs().max(1e-3)
                );
                assert!((there.point_a + there.normal * there.gap - there.point_b).norm() < 1e-14);
                assert!(there.normal.dot(&(frame.rotation * Vec3::z())).abs() < 1e-14);
            }
        }
    }
}
