//! Sweeps over random meshes and poses.

use carom_geometry::TriangleMesh;
use carom_geometry::convex::ConvexHull;
use carom_geometry::intersection::{Contours, MeshSurface, RegionSearch, Side, contours_brute_force};
use carom_geometry::mesh::weld;
use carom_geometry::surface::hull;
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{Pair, overlap_by_clipping};
use crate::meshes;

/// Hull of some points on a sphere: a random convex polyhedron.
fn polyhedron(rng: &mut SplitMix64, corners: usize) -> TriangleMesh {
    let points: Vec<Vec3> = (0..corners).map(|_| rng.unit_vector()).collect();
    hull(&ConvexHull::of_points(&points).unwrap(), 0).unwrap()
}

/// The overlap of convex bodies is one region or none, of the volume that clipping gives.
#[test]
fn convex_polyhedra_overlap_as_clipping_says() {
    let mut rng = SplitMix64::new(17);
    let (mut overlapping, mut apart) = (0, 0);
    for _ in 0..60 {
        let (corners_a, corners_b) = (4 + rng.index(20), 4 + rng.index(20));
        let (a, b) = (polyhedron(&mut rng, corners_a), polyhedron(&mut rng, corners_b));
        let mut pair = Pair::new(&a, &b);
        for _ in 0..10 {
            let place = rng.uniform(0.0, 1.8) * rng.unit_vector();
            let x_ba = Pose { rotation: rng.rotation().to_matrix(), translation: place };
            let expected = overlap_by_clipping(&a, &b, &x_ba);
            let found = pair.volume(&x_ba);
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
            let pieces = pair.search.regions().len() + pair.search.contained().len();
            assert_eq!(pieces, usize::from(expected > 0.0), "{expected}");
            overlapping += usize::from(expected > 0.0);
            apart += usize::from(expected == 0.0);
        }
    }
    assert!(overlapping > 100 && apart > 50, "{overlapping} {apart}");
}

/// Bodies that are not convex, at poses that go on in small steps and jump: nodes are those of brute force whatever list was
/// used, contours close, volumes are not negative, and each region is made of whole contours.
#[test]
fn contours_close_and_volumes_are_positive() {
    let mut rng = SplitMix64::new(23);
    let bodies = [
        (meshes::torus(1.0, 0.3, 24, 12), meshes::sphere(1.0, 4), 1.6),
        (meshes::torus(1.0, 0.3, 16, 8), meshes::torus(0.8, 0.25, 20, 10), 1.6),
        (meshes::block(Vec3::new(0.5, 0.8, 0.3), 3, 0.3), meshes::torus(1.0, 0.3, 16, 8), 1.6),
    ];
    let (mut regions, mut loops) = (0, 0);
    for (a, b, distance) in bodies {
        let mut pair = Pair::new(&a, &b);
        let mut pose = Pose::identity();
        for k in 0..200 {
            if k % 10 == 0 {
                let place = rng.uniform(0.0, 1.0) * distance * rng.unit_vector();
                pose = Pose { rotation: rng.rotation().to_matrix(), translation: place };
            } else {
                pose.translation += 0.01 * rng.unit_vector();
            }
            let found = pair.find(&pose);
            let contours = pair.search.contours().clone();
            // All against all takes its time: at the last look with a list.
            if k % 10 == 9 {
                let brute = contours_brute_force(&pair.a, &pair.b, &pose).unwrap();
                assert_eq!(contours.nodes(), brute.nodes());
                pair.assert_pairs_are_those_of(&brute, &pose);
            }
            assert_eq!(contours.open_chains().count(), 0);
            let total: usize = contours.loops().map(<[u32]>::len).sum();
            assert_eq!((total, contours.segments().len()), (contours.nodes().len(), contours.nodes().len()));
            assert_eq!(
                found.iter().map(|region| region.loops as usize).sum::<usize>(),
                contours.loops().count()
            );
            for region in &found {
                let overlap = region.overlap.expect("closed");
                assert!(overlap.volume > -1e-15, "{}", overlap.volume);
                assert!(region.indentation >= 0.0 && region.point.iter().all(|x| x.is_finite()));
            }
            assert_regions_are_whole(&mut pair.search);
            regions += found.len();
            loops += contours.loops().count();
            // What was remembered does not show.
            let mut cold = RegionSearch::new(&pair.a, &pair.b);
            cold.find(&pair.a, &pair.b, &pose).unwrap();
            assert_eq!(cold.regions(), found);
        }
        assert!(pair.search.counters().rebuilds < 150, "{:?}", pair.search.counters());
    }
    assert!(regions > 300 && loops > regions + 20, "{regions} {loops}");
}

/// Segments are of one region from end to end, and their triangles are among those it covers.
fn assert_regions_are_whole(search: &mut RegionSearch) {
    let contours: Contours = search.contours().clone();
    for segment in contours.segments() {
        let [from, to] = segment.nodes.map(|node| search.region_of_node(node));
        assert_eq!(from, to);
        for (side, triangle) in [Side::A, Side::B].into_iter().zip(segment.triangles) {
            assert!(search.triangles(from, side).binary_search(&triangle).is_ok());
        }
    }
}

/// Balls of one body at random places over a plate, none of which touches another: as many regions as balls that are in, each of
/// the volume of its ball alone.
#[test]
fn balls_on_a_plate_are_a_region_each() {
    let mut rng = SplitMix64::new(31);
    let ball = meshes::sphere(0.05, 3);
    let mut counts = [0; 12];
    for _ in 0..60 {
        let plate = meshes::block(Vec3::new(0.5, 0.5, 0.1), 1 + rng.index(6) as u32, 0.0);
        let mut balls = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
        let mut places: Vec<Vec3> = Vec::new();
        while places.len() < 10 {
            let place =
                Vec3::new(rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), 0.1 + rng.uniform(-0.08, 0.1));
            if places.iter().all(|other| (place - other).norm() > 0.11) {
                let first = balls.vertices.len() as u32;
                balls.vertices.extend(ball.vertices.iter().map(|v| v + place));
                balls.triangles.extend(ball.triangles.iter().map(|t| t.map(|v| v + first)));
                places.push(place);
            }
        }
        let mut alone = Pair::new(&ball, &plate);
        let volumes: Vec<f64> =
            places.iter().map(|place| alone.volume(&Pose::from_translation(*place))).collect();
        let cut = places.iter().filter(|place| {
            let heights = ball.vertices.iter().map(|v| v.z + place.z - 0.1);
            heights.clone().any(|z| z < 0.0) && heights.into_iter().any(|z| z > 0.0)
        });
        let mut pair = Pair::new(&balls, &plate);
        let all = pair.volume(&Pose::identity());
        assert!((all - volumes.iter().sum::<f64>()).abs() < 1e-16);
        assert_eq!(pair.search.regions().len(), cut.clone().count());
        counts[cut.count()] += 1;
        let inside = volumes.iter().filter(|volume| **volume > 0.0).count();
        assert_eq!(pair.search.regions().len() + pair.search.contained().len(), inside);
    }
    assert!(counts.iter().filter(|count| **count > 0).count() > 4, "{counts:?}");
}

/// Meshes with triangles missing, doubled and turned: no panic, every segment is on a loop or a chain, and numbers are finite.
#[test]
fn dirty_meshes_have_regions_or_none() {
    let mut rng = SplitMix64::new(29);
    let mut chains = 0;
    for _ in 0..40 {
        let a = meshes::dirty(&meshes::torus(1.0, 0.3, 16, 8), &mut rng);
        let b = meshes::dirty(&meshes::sphere(1.0, 3), &mut rng);
        let surface = |mesh: &TriangleMesh| {
            let mut clean = weld(mesh, 0.0).unwrap().mesh;
            let area = |&[a, b, c]: &[u32; 3]| {
                let [a, b, c] = [a, b, c].map(|v| clean.vertices[v as usize]);
                (b - a).cross(&(c - a)).norm()
            };
            clean.triangles = clean.triangles.iter().copied().filter(|t| area(t) > 1e-9).collect();
            MeshSurface::new(&clean).unwrap()
        };
        let (a, b) = (surface(&a), surface(&b));
        let mut search = RegionSearch::new(&a, &b);
        for _ in 0..20 {
            let place = rng.uniform(0.0, 1.6) * rng.unit_vector();
            let x_ba = Pose { rotation: rng.rotation().to_matrix(), translation: place };
            search.find(&a, &b, &x_ba).unwrap();
            let contours = search.contours();
            let on_loops: usize = contours.loops().map(<[u32]>::len).sum();
            let on_chains: usize = contours.open_chains().map(|chain| chain.len() - 1).sum();
            assert_eq!(on_loops + on_chains, contours.segments().len());
            chains += contours.open_chains().count();
            for region in search.regions() {
                let numbers = [region.point.norm(), region.normal.norm(), region.indentation, region.length];
                assert!(numbers.iter().all(|x| x.is_finite()), "{region:?}");
                assert!((region.normal.norm() - 1.0).abs() < 1e-12);
            }
        }
    }
    assert!(chains > 100, "{chains}");
}

/// A search that goes on from the numbers of another has its lists: the same bits, and the same costs.
#[test]
fn a_search_goes_on_from_saved_numbers() {
    let (torus, ball) = (meshes::torus(1.0, 0.3, 48, 24), meshes::sphere(1.0, 8));
    let pose = |k: i32| crate::kit::turned(Vec3::new(1.0, 2.0, 3.0), 2e-4 * f64::from(k), -0.76 * Vec3::z());
    let mut whole = Pair::new(&torus, &ball);
    let mut rebuilds = 0;
    for k in 0..60 {
        let mut fresh = Pair::new(&torus, &ball);
        let mut numbers = Vec::new();
        whole.search.visit_numbers(&mut |number| numbers.push(*number));
        let mut saved = numbers.into_iter();
        fresh.search.visit_numbers(&mut |number| *number = saved.next().unwrap());
        assert!(saved.next().is_none() && fresh.search.restore_lists(&fresh.a, &fresh.b));
        assert_eq!(fresh.find(&pose(k)), whole.find(&pose(k)));
        assert_eq!(fresh.search.counters(), whole.search.counters());
        for side in [Side::A, Side::B] {
            assert_eq!(fresh.search.triangles(0, side), whole.search.triangles(0, side));
        }
        rebuilds = whole.search.counters().rebuilds;
    }
    // Some of the poses were found in lists that were made before, and some needed new ones.
    assert!((3..50).contains(&rebuilds), "{rebuilds}");
    let mut damaged = Pair::new(&torus, &ball);
    damaged.search.visit_numbers(&mut |number| *number = f64::NAN);
    assert!(!damaged.search.restore_lists(&damaged.a, &damaged.b));
}
