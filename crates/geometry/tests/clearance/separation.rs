use carom_geometry::clearance::{ClearanceTree, ClearanceWorkspace, separation};
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
