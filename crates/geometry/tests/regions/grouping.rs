//! What is one region and what is two, where only faces or only insides say so.

use carom_geometry::TriangleMesh;
use carom_geometry::intersection::Side;
use carom_math::Vec3;

use crate::kit::{Pair, at, turned};
use crate::meshes;

/// Two meshes as one.
pub(crate) fn joined(one: &TriangleMesh, other: &TriangleMesh) -> TriangleMesh {
    let first = one.vertices.len() as u32;
    let vertices = one.vertices.iter().chain(&other.vertices).copied().collect();
    let more = other.triangles.iter().map(|t| t.map(|v| v + first));
    TriangleMesh { vertices, triangles: one.triangles.iter().copied().chain(more).collect() }
}

/// A shell, a ball with a cavity, half in a plate: its two surfaces hang together over the ring in the plate's face only,
/// and both contours of the ring lie in one triangle.
#[test]
fn a_ring_in_one_triangle_joins_its_contours() {
    let shell = joined(&meshes::sphere(0.2, 6), &meshes::sphere(0.15, 6).flipped());
    let plate = meshes::block(Vec3::new(2.0, 2.0, 0.5), 1, 0.0);
    let mut pair = Pair::new(&shell, &plate);
    let (region, overlap) = pair.one(&at(0.3, -0.9, 0.5));
    assert_eq!(region.loops, 2);
    assert_eq!(pair.search.triangles(0, Side::B).len(), 1);
    let exact = 2.0 / 3.0 * std::f64::consts::PI * (0.008 - 0.003_375);
    assert!((overlap.volume / exact - 1.0).abs() < 0.03, "{}", overlap.volume);
    // Swapped, the face is A's.
    let (region, again) = Pair::new(&plate, &shell).one(&at(-0.3, 0.9, -0.5));
    assert_eq!(region.loops, 2);
    assert!((again.volume / overlap.volume - 1.0).abs() < 1e-12);
    // Across the diagonal of the face, which joins them too.
    let (region, _) = pair.one(&at(0.05, 0.05, 0.5));
    assert_eq!(region.loops, 2);
    // A ball inside the ring is a region of its own, in the same triangle.
    let nested = joined(&shell, &meshes::sphere(0.1, 6));
    let mut pair = Pair::new(&nested, &plate);
    let mut loops: Vec<u32> = pair.find(&at(0.3, -0.9, 0.5)).iter().map(|region| region.loops).collect();
    loops.sort_unstable();
    assert_eq!(loops, [1, 2]);
}

/// Two pins that stand in one triangle of a plate are two regions, also when they are parts of one body whose other end is in the
/// same plate.
#[test]
fn pins_in_one_triangle_are_apart() {
    let pin = meshes::block(Vec3::new(0.02, 0.02, 0.2), 2, 0.0);
    let pins = joined(&meshes::moved(&pin, &at(0.1, -0.3, 0.0)), &meshes::moved(&pin, &at(0.2, -0.3, 0.0)));
    let mut pair = Pair::new(&pins, &meshes::block(Vec3::new(0.5, 0.5, 0.1), 1, 0.0));
    let regions = pair.find(&turned(Vec3::z(), 0.01, Vec3::new(0.0, 0.0, 0.29)));
    assert_eq!(regions.len(), 2);
    for region in &regions {
        assert!((region.overlap.unwrap().volume - 0.04 * 0.04 * 0.01).abs() < 1e-16);
        assert!((region.indentation - 0.01).abs() < 1e-15);
    }
    assert_eq!(pair.search.triangles(0, Side::B), pair.search.triangles(1, Side::B));
}

/// A long edge through both prongs of a fork: the stretches of one edge belong to different regions.
#[test]
fn an_edge_through_two_prongs_has_two_regions() {
    let prong = meshes::block(Vec3::new(0.02, 0.3, 0.3), 2, 0.0);
    let fork =
        joined(&meshes::moved(&prong, &at(-0.2, 0.0, 0.0)), &meshes::moved(&prong, &at(0.2, 0.0, 0.0)));
    let mut pair = Pair::new(&meshes::block(Vec3::new(1.0, 0.1, 0.1), 1, 0.0), &fork);
    // The bar's lower edge is in both prongs, its ends are outside.
    let regions = pair.find(&turned(Vec3::x(), 0.3, Vec3::new(0.0, 0.0, 0.38)));
    assert_eq!(regions.len(), 2);
    let volumes: Vec<f64> = regions.iter().map(|region| region.overlap.unwrap().volume).collect();
    assert!((volumes[0] / volumes[1] - 1.0).abs() < 1e-12 && volumes[0] > 0.0, "{volumes:?}");
    assert!(regions[0].point.x * regions[1].point.x < 0.0);
    // Lower, the bar joins nothing either: prongs are apart.
    assert_eq!(pair.find(&turned(Vec3::x(), 0.3, Vec3::zeros())).len(), 2);
}

/// A cavity that holds a ball away from its wall has no region; one that touches has.
#[test]
fn a_ball_in_a_hollow_block_touches_its_wall() {
    let hollow = joined(&meshes::block(Vec3::repeat(0.5), 2, 0.0), &meshes::sphere(0.3, 8).flipped());
    let mut pair = Pair::new(&meshes::sphere(0.2, 8), &hollow);
    assert!(pair.find(&at(0.0, 0.0, 0.0)).is_empty() && pair.search.contained().is_empty());
    let (region, overlap) = pair.one(&at(0.0, 0.0, 0.11));
    assert!((region.normal - Vec3::z()).norm() < 0.02 && overlap.volume > 0.0);
    // In the wall as a whole.
    let mut pair = Pair::new(&meshes::sphere(0.05, 4), &hollow);
    assert!(pair.find(&at(0.0, 0.0, 0.4)).is_empty());
    assert_eq!(pair.search.contained().len(), 1);
}
