//! What a search keeps from pose to pose never shows in what it finds.

use carom_geometry::TriangleMesh;
use carom_geometry::intersection::{RegionSearch, Side};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::grouping::joined;
use crate::kit::{Pair, at, turned};
use crate::meshes;

/// A search that goes on and one that starts here agree in every bit.
fn assert_same_as_cold(pair: &mut Pair, x_ba: &Pose) {
    pair.find(x_ba);
    let mut cold = RegionSearch::new(&pair.a, &pair.b);
    cold.find(&pair.a, &pair.b, x_ba).unwrap();
    assert_eq!(pair.search.regions(), cold.regions());
    assert_eq!(pair.search.contained(), cold.contained());
    let (kept, fresh) = (pair.search.contours(), cold.contours());
    assert_eq!((kept.nodes(), kept.segments()), (fresh.nodes(), fresh.segments()));
    assert!(kept.loops().eq(fresh.loops()) && kept.open_chains().eq(fresh.open_chains()));
    for region in 0..cold.regions().len() {
        for side in [Side::A, Side::B] {
            assert_eq!(pair.search.triangles(region, side), cold.triangles(region, side));
        }
    }
}

/// Steps of all sizes from a place on and back to it: nodes that stay, that come and go, on edges with several, around holes in one
/// triangle, at borders, and parts that go in without a contour while a list is valid.
#[test]
fn steps_of_all_sizes_find_what_a_first_search_finds() {
    let sphere = |radius: f64, frequency: u32| meshes::sphere(radius, frequency);
    let shell = joined(&sphere(0.2, 6), &sphere(0.15, 6).flipped());
    let nested = joined(&shell, &sphere(0.1, 6));
    let plate = meshes::block(Vec3::new(2.0, 2.0, 0.5), 1, 0.0);
    let prong = meshes::block(Vec3::new(0.02, 0.3, 0.3), 2, 0.0);
    let fork =
        joined(&meshes::moved(&prong, &at(-0.2, 0.0, 0.0)), &meshes::moved(&prong, &at(0.2, 0.0, 0.0)));
    let bar = meshes::block(Vec3::new(1.0, 0.1, 0.1), 1, 0.0);
    let sheet = meshes::terrain(1.0, 6, |x, y| 0.05 * (9.0 * x).sin() * (7.0 * y).cos());
    let crumb = meshes::block(Vec3::repeat(1e-4), 1, 0.0);
    let block = meshes::block(Vec3::repeat(0.5), 2, 0.0);
    let scenes: [(&TriangleMesh, &TriangleMesh, Pose); 7] = [
        (&nested, &plate, at(0.3, -0.9, 0.5)),
        (&bar, &fork, turned(Vec3::x(), 0.3, Vec3::new(0.0, 0.0, 0.38))),
        (&sphere(0.2, 8), &sheet, at(0.45, 0.1, 0.15)),
        (&joined(&crumb, &meshes::moved(&sphere(0.2, 4), &at(0.0, 0.5, 0.0))), &block, at(0.1, 0.0, 0.5)),
        (&crumb, &block, at(0.1, 0.2, 0.5)),
        (&meshes::torus(1.0, 0.3, 24, 12), &sphere(1.0, 4), at(0.0, 0.0, -0.76)),
        (&block, &block, at(0.3, 0.2, 0.9)),
    ];
    let mut rng = SplitMix64::new(41);
    for (a, b, place) in scenes {
        let mut pair = Pair::new(a, b);
        let mut swapped = Pair::new(b, a);
        for k in 0..120 {
            let size = libm::pow(10.0, -1.0 - f64::from(k % 12));
            let turn = turned(rng.unit_vector(), 0.1 * size, Vec3::zeros());
            let x_ba = Pose {
                rotation: turn.rotation * place.rotation,
                translation: place.translation + 0.1 * size * rng.unit_vector(),
            };
            assert_same_as_cold(&mut pair, &x_ba);
            assert_same_as_cold(&mut swapped, &x_ba.inverse());
        }
        // Lists were kept for several poses, or these scenes would show nothing.
        let counters = pair.search.counters();
        assert!(counters.rebuilds < counters.searches, "{counters:?}");
    }
}
