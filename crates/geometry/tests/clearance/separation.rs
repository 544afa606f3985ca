use carom_geometry::clearance::{
    ClearanceTree, ClearanceWorkspace, separation, separation_bound, triangle_separation,
};
use carom_geometry::polygonal::SimdLevel;
use carom_testkit::SplitMix64;

use crate::kit::{brute_force, pose, surfaces};

/// Every pair of kinds at poses from overlap to far, in every bit: cold, with a good hint, with a bad one, at every level of
/// instructions; below and above what is enough.
#[test]
fn a_separation_is_that_of_brute_force_in_every_bit() {
    let surfaces = surfaces();
    let trees: Vec<_> = surfaces.iter().map(|(_, mesh)| ClearanceTree::new(mesh).unwrap()).collect();
    let mut rng = SplitMix64::new(11);
    let mut workspaces: Vec<_> = SimdLevel::all().into_iter().map(ClearanceWorkspace::with).collect();
    let (mut apart, mut together) = (0, 0);
    for (a, mesh_a) in surfaces.iter().enumerate() {
        for (b, mesh_b) in surfaces.iter().enumerate() {
            for _ in 0..4 {
                let x_ab = pose(&mut rng);
                let expected = brute_force(&mesh_a.1, &mesh_b.1, &x_ab);
                *(if expected.distance > 0.0 { &mut apart } else { &mut together }) += 1;
                let random = [rng.index(mesh_a.1.triangles.len()), rng.index(mesh_b.1.triangles.len())];
                let hints = [None, expected.nearest.map(|n| n.triangles), Some(random.map(|i| i as u32))];
                for workspace in &mut workspaces {
                    let mut find =
                        |enough: f64, hint| separation(&trees[a], &trees[b], &x_ab, enough, hint, workspace);
                    let far = find(0.7 * expected.distance, None);
                    for hint in hints {
                        let found = find(f64::INFINITY, hint);
                        assert_eq!(found, expected, "{} {}", mesh_a.0, mesh_b.0);
                        assert_eq!(find(1.001 * expected.distance + 1e-9, hint), expected);
                        // Bounds depend on nothing else either.
                        assert_eq!(find(0.7 * expected.distance, hint), far);
                    }
                    if expected.distance > 0.0 {
                        assert!(far.nearest.is_none());
                        let slack = 1e-12;
                        assert!(far.distance >= 0.7 * expected.distance);
                        assert!(far.distance <= expected.distance + slack);
                    }
                }
            }
        }
    }
    assert!(apart > 150 && together > 100, "{apart} {together}");
}

/// Whatever the hint and the instructions, the bound is a number of three binary digits, or the mark, that is not above the
/// distance, at most a fifth below, and on the same side of the mark; the triangles are as near as said.
#[test]
fn a_bound_is_a_little_less_than_the_distance_whatever_the_hint() {
    let surfaces = surfaces();
    let trees: Vec<_> = surfaces.iter().map(|(_, mesh)| ClearanceTree::new(mesh).unwrap()).collect();
    let mut rng = SplitMix64::new(12);
    let mut workspaces: Vec<_> = SimdLevel::all().into_iter().map(ClearanceWorkspace::with).collect();
    let (mut rounded, mut between) = (0, 0);
    for _ in 0..600 {
        let (i, j) = (rng.index(trees.len()), rng.index(trees.len()));
        let (a, b, x_ab) = (&trees[i], &trees[j], pose(&mut rng));
        let whole = separation(a, b, &x_ab, f64::INFINITY, None, &mut workspaces[0]);
        let (distance, nearest) = (whole.distance, whole.nearest.unwrap().triangles);
        let random = [rng.index(a.triangles()), rng.index(b.triangles())].map(|k| k as u32);
        let mark = distance * [0.0, 0.5, 0.95, 1.0, 1.001, 2.0][rng.index(6)];
        let mut seen = None;
        for workspace in &mut workspaces {
            for hint in [None, Some(nearest), Some(random)] {
                let (bound, near) = separation_bound(a, b, &x_ab, [mark, f64::INFINITY], hint, workspace);
                assert_eq!(*seen.get_or_insert(bound), bound);
                assert!(bound <= distance && bound >= 0.8 * distance);
                assert_eq!(bound < mark, distance < mark);
                assert!(bound == mark || bound.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - 3);
                let [p, q] = near.unwrap();
                let corners = b.triangle(q).map(|v| x_ab.transform_point(&v));
                let found = triangle_separation(&a.triangle(p), &corners).distance;
                assert!(found >= distance && (found <= 1.25 * bound));
                // Above what is enough there is a bound only.
                let (far, none) = separation_bound(a, b, &x_ab, [mark, 0.7 * distance], hint, workspace);
                let is_apart = distance > 0.0;
                assert!(!is_apart || (none.is_none() && far >= 0.7 * distance && far <= distance + 1e-12));
            }
        }
        rounded += usize::from(seen != Some(distance));
        between += usize::from(distance > 0.0);
    }
    assert!(rounded > 100 && between > 300, "{rounded} {between}");
}
