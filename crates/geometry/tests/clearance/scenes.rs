use carom_geometry::clearance::{
    ClearanceTree, ClearanceWorkspace, contained, escape, intersects, near_triangles, separation, touching,
    triangle_separation,
};
use carom_geometry::surface::{Gear, Resolution, block, gear, sphere};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{moved, pose, surfaces};

/// A thousand scenes: near pairs and touch as brute force has them, distances symmetric, the same in turned frames and no
/// faster than the way moved.
#[test]
fn a_thousand_scenes_obey_what_distances_obey() {
    let surfaces = surfaces();
    let trees: Vec<_> = surfaces.iter().map(|(_, mesh)| ClearanceTree::new(mesh).unwrap()).collect();
    let mut rng = SplitMix64::new(41);
    let mut workspace = ClearanceWorkspace::new();
    let (mut pairs, mut touches) = (Vec::new(), 0);
    for scene in 0..1000 {
        let (i, j) = (rng.index(trees.len()), rng.index(trees.len()));
        let (a, b, x_ab) = (&trees[i], &trees[j], pose(&mut rng));
        let mut distance =
            |a, b, x_ab: &Pose| separation(a, b, x_ab, f64::INFINITY, None, &mut workspace).distance;
        let here = distance(a, b, &x_ab);
        // Lengths are near 1 m; 1e-12 of them, with room.
        assert!((distance(b, a, &x_ab.inverse()) - here).abs() < 1e-14);
        let frame = rng.pose(1.0);
        let turned = ClearanceTree::new(&moved(&surfaces[i].1, &frame)).unwrap();
        assert!((distance(&turned, b, &frame.compose(&x_ab)) - here).abs() < 1e-14);
        let shift = 0.3 * rng.vector_in_cube(1.0);
        let shifted = Pose { rotation: x_ab.rotation, translation: x_ab.translation + shift };
        assert!((distance(a, b, &shifted) - here).abs() < shift.norm() + 1e-14);

        let touch = touching(a, b, &x_ab, None, &mut workspace);
        assert_eq!(touch.is_some(), here == 0.0);
        let corners = |[p, q]: [u32; 2]| (a.triangle(p), b.triangle(q).map(|v| x_ab.transform_point(&v)));
        if let Some(pair) = touch {
            touches += 1;
            assert!(intersects(&corners(pair).0, &corners(pair).1));
            assert_eq!(touching(a, b, &x_ab, Some(pair), &mut workspace), Some(pair));
        }
        if scene % 5 > 0 {
            continue;
        }
        let reach = rng.uniform(0.0, 0.1);
        assert!(near_triangles(a, b, &x_ab, reach, usize::MAX, &mut workspace, &mut pairs));
        assert!(pairs.is_sorted());
        for p in 0..a.triangles() as u32 {
            for q in 0..b.triangles() as u32 {
                let (t, u) = corners([p, q]);
                if triangle_separation(&t, &u).distance < reach {
                    assert!(pairs.binary_search(&[p, q]).is_ok());
                }
            }
        }
        let count = pairs.len();
        if count > 0 {
            assert!(!near_triangles(a, b, &x_ab, reach, count - 1, &mut workspace, &mut pairs));
        }
    }
    assert!(touches > 200 && touches < 800, "{touches}");
}

fn is_free(a: &ClearanceTree, b: &ClearanceTree, x_ab: &Pose, workspace: &mut ClearanceWorkspace) -> bool {
    touching(a, b, x_ab, None, workspace).is_none() && contained(a, b, x_ab).is_none()
}

#[test]
fn an_escape_is_free_and_no_longer_than_need_be() {
    let axes = [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()];
    let mut workspace = ClearanceWorkspace::new();
    let cube = ClearanceTree::new(&block(Vec3::repeat(0.5), Resolution::Divisions(3)).unwrap()).unwrap();
    let small = ClearanceTree::new(&block(Vec3::repeat(0.1), Resolution::Divisions(2)).unwrap()).unwrap();
    // Crossing, flush with a face, wholly inside.
    for (at, expected) in [
        (Vec3::new(0.45, 0.1, 0.0), 0.15),
        (Vec3::new(0.4, 0.0, 0.0), 0.2),
        (Vec3::new(0.3, 0.05, 0.02), 0.3),
    ] {
        let (direction, way) =
            escape(&cube, &small, &Pose::from_translation(at), &axes, &mut workspace).unwrap();
        assert_eq!(direction, Vec3::x());
        assert!((way / expected - 1.0).abs() < 1e-6, "{way}");
        let there = Pose::from_translation(at + way * direction);
        assert!(is_free(&cube, &small, &there, &mut workspace));
    }
    let apart = Pose::from_translation(Vec3::new(2.0, 0.0, 0.0));
    assert_eq!(escape(&cube, &small, &apart, &axes, &mut workspace), Some((Vec3::x(), 0.0)));
    // In a room one gets back from its wall; from rock there is the room only.
    let room = ClearanceTree::new(&sphere(1.0, Resolution::Facets(320)).unwrap().flipped()).unwrap();
    let in_wall = Pose::from_translation(0.95 * Vec3::x());
    let (direction, way) = escape(&room, &small, &in_wall, &axes, &mut workspace).unwrap();
    assert!(direction == -Vec3::x() && way > 0.05 && way < 0.1, "{way}");
    assert_eq!(escape(&room, &small, &in_wall, &axes[..1], &mut workspace), None);
}

/// Gears of slivers a thousand kilometres long that lie one in the other touch in more places than anybody waits for.
#[test]
fn an_escape_ends_after_a_while() {
    let tree = |teeth, width, layers| {
        let pressure_angle = 20_f64.to_radians();
        let shape =
            Gear { module: 1e6, teeth, pressure_angle, width, backlash: 2e-4, profile_points: 24, layers };
        ClearanceTree::new(&gear(&shape).unwrap()).unwrap()
    };
    let (a, b) = (tree(20, 0.02, 1), tree(30, 0.022, 4));
    let mut workspace = ClearanceWorkspace::new();
    let directions = [Vec3::x(), Vec3::y(), Vec3::new(0.6, 0.8, 0.0), Vec3::z()];
    let at = Pose::from_translation(Vec3::new(2.5e5, 0.0, 0.0));
    escape(&a, &b, &at, &directions, &mut workspace);
    let work = workspace.visits() + workspace.pairs();
    // Nothing is spent once the work is done, whatever is still to try.
    assert!((3_900_000..=4_000_010).contains(&work), "{work}");
    // What comes after has its own.
    assert!(touching(&b, &b, &Pose::identity(), None, &mut workspace).is_some());
}

#[test]
fn escapes_of_all_kinds_are_free() {
    let surfaces = surfaces();
    let trees: Vec<_> = surfaces.iter().map(|(_, mesh)| ClearanceTree::new(mesh).unwrap()).collect();
    let mut rng = SplitMix64::new(43);
    let mut workspace = ClearanceWorkspace::new();
    for _ in 0..150 {
        let (a, b) = (&trees[rng.index(trees.len())], &trees[rng.index(trees.len())]);
        let mut x_ab = pose(&mut rng);
        x_ab.translation *= 0.3;
        let directions = [rng.unit_vector(), rng.unit_vector()];
        let (direction, way) = escape(a, b, &x_ab, &directions, &mut workspace).unwrap();
        let at = |way: f64| Pose { rotation: x_ab.rotation, translation: x_ab.translation + way * direction };
        assert!(is_free(a, b, &at(way), &mut workspace));
        // Shorter ways along either are not free.
        for k in 0..20 {
            let share = if k == 0 { 1.0 - 1e-6 } else { rng.uniform(0.0, 1.0) };
            assert!(way == 0.0 || !is_free(a, b, &at(share * way), &mut workspace), "{share} of {way}");
        }
    }
}
