//! Every way to the hits gives the bits of brute force.

use carom_geometry::TriangleMesh;
use carom_geometry::polygonal::{
    BaseSurface, ElementHit, PenetrationSearch, SimdLevel, TargetSurface, penetration_brute_force,
};
use carom_geometry::surface::{Resolution, rectangle};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::meshes;

struct Pair {
    name: &'static str,
    base: BaseSurface,
    target: TargetSurface,
    /// Poses near contact: translations of this cube about that place.
    place: Vec3,
    spread: f64,
}

fn pair(
    name: &'static str,
    (base, reach): (&TriangleMesh, f64),
    target: &TriangleMesh,
    place: Vec3,
    spread: f64,
) -> Pair {
    let base = BaseSurface::new(base, reach).unwrap();
    Pair { name, base, target: TargetSurface::new(target).unwrap(), place, spread }
}

/// The same with a base whose triangles are bisected up to six times, each as often as chance says.
fn refined(
    name: &'static str,
    (base, reach): (&TriangleMesh, f64),
    target: &TriangleMesh,
    place: Vec3,
    spread: f64,
) -> Pair {
    let mut rng = SplitMix64::new(5);
    let depths: Vec<u8> = base.triangles.iter().map(|_| rng.index(7) as u8).collect();
    let base = BaseSurface::refined(base, &depths, reach).unwrap();
    assert!(base.is_refined());
    Pair { name, base, target: TargetSurface::new(target).unwrap(), place, spread }
}

fn pairs() -> Vec<Pair> {
    let mut rng = SplitMix64::new(11);
    let torus = meshes::torus(1.0, 0.3, 32, 12);
    let sphere = meshes::sphere(1.0, 4);
    let block = meshes::block(Vec3::new(0.3, 0.2, 0.1), 4, 0.5);
    let terrain = meshes::terrain(4.0, 24, meshes::hills);
    let funnel = meshes::terrain(2.0, 1, |x, y| 0.5 * (x + y).abs());
    let coarse_block = meshes::block(Vec3::new(0.3, 0.2, 0.1), 1, 0.5);
    let coarse_torus = meshes::torus(1.0, 0.3, 8, 6);
    let dirty_block = meshes::dirty(&coarse_block, &mut SplitMix64::new(12));
    let dirty_torus = meshes::dirty(&torus, &mut rng);
    let dirty_sphere = meshes::dirty(&sphere, &mut rng);
    vec![
        pair("torus on sphere", (&torus, 0.05), &sphere, Vec3::zeros(), 1.5),
        pair("sphere on torus", (&sphere, 0.4), &torus, Vec3::zeros(), 1.5),
        pair("block on terrain", (&block, 0.03), &terrain, Vec3::zeros(), 0.3),
        pair("terrain on block", (&terrain, 0.3), &block, Vec3::zeros(), 0.3),
        pair("sphere in funnel of two triangles", (&sphere, 0.2), &funnel, Vec3::new(0.0, 0.0, 1.2), 0.4),
        pair("dirty torus on dirty sphere", (&dirty_torus, 0.05), &dirty_sphere, Vec3::zeros(), 1.5),
        pair("dirty sphere on terrain", (&dirty_sphere, 1.0), &terrain, Vec3::new(0.0, 0.0, 0.9), 0.3),
        refined("refined block on terrain", (&coarse_block, 0.03), &terrain, Vec3::zeros(), 0.3),
        refined("refined torus on sphere", (&coarse_torus, 0.1), &sphere, Vec3::zeros(), 1.5),
        refined("refined funnel under sphere", (&funnel, 0.2), &sphere, Vec3::new(0.0, 0.0, -1.2), 0.4),
        refined("dirty refined block on terrain", (&dirty_block, 0.1), &terrain, Vec3::zeros(), 0.3),
    ]
}

fn assert_same_bits(found: &[ElementHit], expected: &[ElementHit], what: &str) {
    let bits = |h: &ElementHit| (h.element, h.triangle, h.depth.to_bits(), h.status);
    assert_eq!(found.len(), expected.len(), "{what}: number of hits");
    for (f, e) in found.iter().zip(expected) {
        assert_eq!(bits(f), bits(e), "{what}");
    }
}

fn random_pose(pair: &Pair, rng: &mut SplitMix64) -> Pose {
    let rotation = rng.rotation().to_matrix();
    Pose { rotation, translation: pair.place + rng.vector_in_cube(pair.spread) }
}

#[test]
fn cold_searches_are_brute_force() {
    let mut rng = SplitMix64::new(1);
    let mut hits = Vec::new();
    for pair in pairs() {
        let mut contacts = 0;
        let mut search = PenetrationSearch::new(&pair.base, &pair.target);
        for _ in 0..80 {
            let pose = random_pose(&pair, &mut rng);
            let expected = penetration_brute_force(&pair.base, &pair.target, &pose).unwrap();
            search.search(&pair.base, &pair.target, &pose, &mut hits).unwrap();
            assert_same_bits(&hits, &expected, pair.name);
            contacts += usize::from(!hits.is_empty());
        }
        assert!(contacts > 24, "{}: only {contacts} poses in contact", pair.name);
    }
}

#[test]
fn coherent_searches_are_brute_force() {
    let mut rng = SplitMix64::new(2);
    let mut hits = Vec::new();
    for pair in pairs() {
        let mut search = PenetrationSearch::new(&pair.base, &pair.target);
        let with = |simd| PenetrationSearch::with_simd(&pair.base, &pair.target, simd);
        let mut levels: Vec<_> = SimdLevel::all().into_iter().map(with).collect();
        for _ in 0..4 {
            let mut pose = random_pose(&pair, &mut rng);
            let velocity = rng.vector_in_cube(0.1 * pair.base.reach());
            let turn = Quaternion::from_rotation_vector(&rng.vector_in_cube(0.01)).to_matrix();
            for step in 0..20 {
                // A trial step that is rejected, now and then.
                if step % 7 == 3 {
                    let trial = random_pose(&pair, &mut rng);
                    search.search(&pair.base, &pair.target, &trial, &mut hits).unwrap();
                }
                let expected = penetration_brute_force(&pair.base, &pair.target, &pose).unwrap();
                search.search(&pair.base, &pair.target, &pose, &mut hits).unwrap();
                assert_same_bits(&hits, &expected, pair.name);
                for level in &mut levels {
                    level.search(&pair.base, &pair.target, &pose, &mut hits).unwrap();
                    assert_same_bits(&hits, &expected, pair.name);
                }
                pose = Pose { rotation: turn * pose.rotation, translation: pose.translation + velocity };
            }
        }
        let counters = search.counters();
        assert!(counters.rebuilds < counters.searches, "{}: lists are never used again", pair.name);
    }
}

/// Lists are valid for every motion within their skin, however it is made up of shift and turn about any point.
#[test]
fn motions_within_the_skin_are_brute_force() {
    let mut rng = SplitMix64::new(3);
    let mut hits = Vec::new();
    for pair in pairs() {
        let (mut searches, mut rebuilds) = (0, 0);
        for _ in 0..6 {
            let mut search = PenetrationSearch::new(&pair.base, &pair.target);
            let pose = random_pose(&pair, &mut rng);
            for _ in 0..12 {
                // The first skin is a sixteenth of the reach; sizes are 4 m at most.
                let small = pair.base.reach() / 16.0;
                let turn =
                    Quaternion::from_rotation_vector(&(rng.uniform(0.0, 0.3) * small * rng.unit_vector()));
                let about = rng.vector_in_cube(1.0);
                let shift = rng.uniform(0.0, 0.5) * small * rng.unit_vector();
                let turn = turn.to_matrix();
                let moved = Pose {
                    rotation: turn * pose.rotation,
                    translation: about + turn * (pose.translation - about) + shift,
                };
                let expected = penetration_brute_force(&pair.base, &pair.target, &moved).unwrap();
                search.search(&pair.base, &pair.target, &moved, &mut hits).unwrap();
                assert_same_bits(&hits, &expected, pair.name);
            }
            searches += search.counters().searches;
            rebuilds += search.counters().rebuilds;
        }
        assert!(2 * rebuilds < searches, "{}: {rebuilds} lists in {searches} searches", pair.name);
    }
}

/// A search that goes on from visited numbers counts what the uninterrupted one counts, at any instructions; and numbers
/// of a list that cannot be are refused.
#[test]
fn searches_go_on_from_their_numbers_with_the_same_counters() {
    let mut rng = SplitMix64::new(4);
    let (mut hits, mut again) = (Vec::new(), Vec::new());
    for pair in pairs() {
        let mut whole = PenetrationSearch::new(&pair.base, &pair.target);
        let mut rest = PenetrationSearch::with_simd(&pair.base, &pair.target, SimdLevel::plain());
        let mut pose = random_pose(&pair, &mut rng);
        let velocity = rng.vector_in_cube(0.02 * pair.base.reach());
        for step in 0..60 {
            if step % 20 == 7 {
                pose = random_pose(&pair, &mut rng);
            }
            if step % 20 == 12 {
                let mut numbers = Vec::new();
                whole.visit_numbers(&mut |number| numbers.push(*number));
                // What it did before does not matter.
                rest.search(&pair.base, &pair.target, &random_pose(&pair, &mut rng), &mut again).unwrap();
                let before = rest.list_number();
                let mut saved = numbers.iter();
                rest.visit_numbers(&mut |number| *number = *saved.next().unwrap());
                assert!(rest.restore_lists(&pair.base, &pair.target) && saved.next().is_none());
                // What was told of the elements of its lists before does not hold for those that it has now.
                assert!(rest.list_number() > before, "{}: {before}", pair.name);
            }
            whole.search(&pair.base, &pair.target, &pose, &mut hits).unwrap();
            if step >= 12 {
                rest.search(&pair.base, &pair.target, &pose, &mut again).unwrap();
                assert_same_bits(&again, &hits, pair.name);
                assert_eq!(rest.counters(), whole.counters(), "{} {step}", pair.name);
            }
            pose.translation += velocity;
        }
        assert!(whole.counters().rebuilds > 2, "{}", pair.name);
        // A skin that would list all pairs, and a place that is none.
        let mut index = 0;
        rest.visit_numbers(&mut |number| {
            *number *= if [15, 33].contains(&index) { 1e6 } else { 1.0 };
            index += 1;
        });
        assert!(!rest.restore_lists(&pair.base, &pair.target), "{}", pair.name);
        rest.visit_numbers(&mut |number| *number = f64::NAN);
        assert!(!rest.restore_lists(&pair.base, &pair.target), "{}", pair.name);
    }
}

/// A ball that turns in place moves none of its points by more than its radius times the angle, though the corners of the box around it
/// move by √3 of that: the first list, whose skin is a sixteenth of the reach, holds for as long.
#[test]
fn a_list_holds_until_the_targets_farthest_point_has_moved_by_its_skin() {
    let (radius, reach) = (1.0, 0.1);
    let plate = rectangle(3.0, 3.0, Resolution::Divisions(12)).unwrap();
    let base = BaseSurface::new(&plate, reach).unwrap();
    let target = TargetSurface::new(&meshes::sphere(radius, 8)).unwrap();
    let mut search = PenetrationSearch::new(&base, &target);
    let mut hits = Vec::new();
    for (way, lists) in [(0.0, 1), (0.9, 1), (0.999, 1), (1.001, 2)] {
        let turned = Quaternion::from_rotation_vector(&Vec3::new(way * reach / 16.0 / radius, 0.0, 0.0));
        let rotation = turned.to_matrix();
        let pose = Pose { rotation, translation: rotation * Vec3::new(0.0, 0.0, 0.05 - radius) };
        search.search(&base, &target, &pose, &mut hits).unwrap();
        assert_eq!(search.counters().rebuilds, lists, "{way}");
        assert!(!hits.is_empty());
        assert_same_bits(&hits, &penetration_brute_force(&base, &target, &pose).unwrap(), "ball");
    }
}

/// A search goes to and fro between two lists: each keeps its number as long as it is used, and no list made later has that of one before.
#[test]
fn lists_keep_their_numbers_and_share_none() {
    let plate = rectangle(3.0, 3.0, Resolution::Divisions(12)).unwrap();
    let base = BaseSurface::new(&plate, 0.1).unwrap();
    let target = TargetSurface::new(&meshes::sphere(1.0, 8)).unwrap();
    let mut search = PenetrationSearch::new(&base, &target);
    let mut hits = Vec::new();
    let places = [0.0, 0.5, 0.0, 0.5, 0.0, -0.5, 0.0, 0.5];
    let numbers = places.map(|x| {
        let pose = Pose::from_translation(Vec3::new(x, 0.0, -0.95));
        search.search(&base, &target, &pose, &mut hits).unwrap();
        search.list_number()
    });
    // The list at -0.5 takes the place of that at 0.5, which was used before the other.
    assert_eq!(numbers, [1, 2, 1, 2, 1, 3, 1, 4]);
}
