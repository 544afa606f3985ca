//! Boxes: aligned, nearly so, and with common planes, edges and corners.

use carom_geometry::intersection::{Side, contours_brute_force};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{Pair, at, overlap_by_clipping, turned};
use crate::meshes;

fn cube(n: u32) -> carom_geometry::TriangleMesh {
    meshes::block(Vec3::repeat(0.5), n, 0.0)
}

/// A corner of the one in the other: a block of 0.3 by 0.2 by 0.1. Its contour is not plane, and plane, centroid and area are
/// those of the line, not of the segments that triangles cut it into.
#[test]
fn overlap_of_aligned_boxes_is_a_block() {
    let (plain, _) = Pair::new(&cube(1), &cube(1)).one(&at(-0.7, -0.8, -0.9));
    for n in [1, 3, 4] {
        let (region, overlap) = Pair::new(&cube(n), &cube(n)).one(&at(-0.7, -0.8, -0.9));
        // A's faces inside B look along +x, +y and +z.
        let area = Vec3::new(0.2 * 0.1, 0.3 * 0.1, 0.3 * 0.2);
        assert!((overlap.volume - 0.006).abs() < 1e-16, "{}", overlap.volume);
        assert!((overlap.area_vector - area).norm() < 1e-16);
        assert!((overlap.area - region.normal.dot(&area)).abs() < 1e-16);
        assert_eq!((region.loops, region.open_chains), (1, 0));
        assert!((region.normal - plain.normal).norm() < 1e-14 && (region.point - plain.point).norm() < 1e-15);
        // The contour runs along six edges of the block.
        assert!((region.length - 2.0 * (0.3 + 0.2 + 0.1)).abs() < 1e-15);
    }
}

/// Face on face, turned about the normal and shifted: area, centroid, depth and volume are those of the overlap of two
/// squares, whatever the triangles.
#[test]
fn a_box_that_stands_on_another_has_a_plane_region() {
    let depth = 1e-3;
    for n in [1, 2, 5] {
        let mut pair = Pair::new(&meshes::block(Vec3::new(0.2, 0.2, 0.1), n, 0.0), &cube(n));
        let x_ba = turned(Vec3::z(), 0.3, Vec3::new(0.1, -0.05, 0.6 - depth));
        let (region, overlap) = pair.one(&x_ba);
        assert!((region.normal + Vec3::z()).norm() < 1e-12, "{}", region.normal);
        assert!((region.point - Vec3::new(0.1, -0.05, 0.5)).norm() < 1e-12);
        assert!((region.indentation - depth).abs() < 1e-15);
        assert!((overlap.area - 0.16).abs() < 1e-14);
        assert!((overlap.volume - 0.16 * depth).abs() < 1e-16);
        assert!(overlap.moment.norm() < 1e-13);
        // Turned by 0.4 about y, an edge goes first: a wedge of known section.
        let angle: f64 = 0.4;
        let drop = 0.2 * angle.sin() + 0.1 * angle.cos() - depth;
        let (region, overlap) = pair.one(&turned(Vec3::y(), angle, Vec3::new(0.0, 0.0, 0.5 + drop)));
        let section = 0.5 * depth * depth * (angle.tan() + 1.0 / angle.tan());
        assert!((overlap.volume / (section * 0.4) - 1.0).abs() < 1e-10, "{}", overlap.volume);
        assert!((region.indentation - depth).abs() < 1e-14);
        assert!((region.normal + Vec3::z()).norm() < 1e-10);
    }
}

/// A box with its diagonal upright through a face: the contour is a regular triangle.
#[test]
fn a_corner_through_a_face_is_a_tetrahedron() {
    let (half, depth) = (0.2, 0.05);
    let diagonal = Vec3::repeat(1.0).normalize();
    let axis = diagonal.cross(&-Vec3::z());
    let angle = libm::atan2(axis.norm(), diagonal.dot(&-Vec3::z()));
    for n in [1, 3] {
        let mut pair =
            Pair::new(&meshes::block(Vec3::repeat(half), n, 0.0), &meshes::block(Vec3::repeat(0.5), 1, 0.0));
        let height = 0.5 - depth + half * 3_f64.sqrt();
        let (region, overlap) = pair.one(&turned(axis, angle, Vec3::new(0.25, -0.25, height)));
        // Legs of the corner are √3 times the depth.
        let leg = 3_f64.sqrt() * depth;
        assert!((overlap.volume - leg * leg * leg / 6.0).abs() < 1e-16);
        assert!((overlap.area - 1.5 * 3_f64.sqrt() * depth * depth).abs() < 1e-15);
        assert!((region.point - Vec3::new(0.25, -0.25, 0.5)).norm() < 1e-14);
        assert!((region.normal + Vec3::z()).norm() < 1e-12);
        assert!((region.indentation - depth).abs() < 1e-14);
        assert_eq!(pair.search.triangles(0, Side::B).len(), 1);
    }
}

#[test]
fn a_box_in_a_box_is_contained_and_said_so() {
    let (small, large) = (meshes::block(Vec3::repeat(0.1), 2, 0.0), cube(2));
    let mut pair = Pair::new(&small, &large);
    assert!(pair.find(&at(0.2, 0.1, 0.0)).is_empty());
    let [contained] = pair.search.contained() else { panic!("one part") };
    assert_eq!((contained.side, contained.vertex), (Side::A, 0));
    assert!((contained.volume - 0.008).abs() < 1e-16);
    let mut pair = Pair::new(&large, &small);
    assert!(pair.find(&at(0.2, 0.1, 0.0)).is_empty());
    assert_eq!(pair.search.contained()[0].side, Side::B);
    assert!(pair.find(&at(0.9, 0.9, 0.0)).is_empty() && pair.search.contained().is_empty());
}

/// Common planes, edges and corners in every way: all tests are degenerate. Contours close, regions enclose the block that both
/// have in common, to rounding, and touching boxes enclose nothing.
#[test]
fn boxes_on_a_grid_enclose_what_they_have_in_common() {
    let (one, other) =
        (meshes::block(Vec3::repeat(0.5), 2, 0.0), meshes::block(Vec3::new(0.25, 0.5, 0.75), 2, 0.0));
    let mut pair = Pair::new(&one, &other);
    let (mut touching, mut overlapping) = (0, 0);
    for code in 0..11_i32.pow(3) {
        let step = |k: u32| 0.25 * f64::from(code / 11_i32.pow(k) % 11 - 5);
        let place = Vec3::new(step(0), step(1), step(2));
        let common = |half: f64, shift: f64| (half.min(shift + 0.5) - (-half).max(shift - 0.5)).max(0.0);
        let expected = common(0.25, place.x) * common(0.5, place.y) * common(0.75, place.z);
        let found = pair.volume(&Pose::from_translation(place));
        assert!((found - expected).abs() < 1e-15, "{place}: {found}, {expected}");
        for region in pair.search.regions() {
            assert!(region.open_chains == 0 && region.overlap.unwrap().volume > -1e-16);
            assert!(region.indentation >= 0.0 && region.normal.norm() - 1.0 < 1e-15);
        }
        touching += usize::from(expected == 0.0 && !pair.search.regions().is_empty());
        overlapping += usize::from(expected > 0.0);
    }
    assert!(touching > 0 && overlapping > 100, "{touching} {overlapping}");
}

/// Where the boxes of the trees are aligned or nearly so: nodes are those of all edges against all triangles, and the volume that
/// of clipped half-spaces.
#[test]
fn boxes_turned_by_little_are_those_of_brute_force() {
    let mut rng = SplitMix64::new(11);
    let (one, other) = (cube(3), meshes::block(Vec3::new(0.4, 0.5, 0.3), 2, 0.0));
    let mut pair = Pair::new(&one, &other);
    let mut nodes = 0;
    for exponent in [-16, -12, -9, -8, -6, -4, -3] {
        for _ in 0..12 {
            let angle = libm::pow(10.0, f64::from(exponent));
            let place = 0.25 * Vec3::new(0.0, 0.0, 0.0).map(|_: f64| rng.index(7) as f64 - 3.0);
            let x_ba = turned(rng.unit_vector(), angle, place + angle * rng.vector_in_cube(1.0));
            let volume = pair.volume(&x_ba);
            let expected = overlap_by_clipping(&one, &other, &x_ba);
            // Clipping keeps what is 1e-14 outside.
            assert!((volume - expected).abs() < 1e-13, "{angle}: {volume} {expected}");
            let brute = contours_brute_force(&pair.a, &pair.b, &x_ba).unwrap();
            assert_eq!(pair.search.contours().nodes(), brute.nodes());
            assert_eq!(pair.search.contours().segments(), brute.segments());
            pair.assert_pairs_are_those_of(&brute, &x_ba);
            assert_eq!(brute.open_chains().count(), 0);
            nodes += brute.nodes().len();
        }
    }
    assert!(nodes > 1000, "{nodes}");
}

/// An edge over a crossing edge, a corner on a face: moved in by 1e-9 they have a region of that depth, moved out none.
#[test]
fn edges_and_corners_that_touch_have_regions_when_they_are_in() {
    let diagonal = std::f64::consts::FRAC_1_SQRT_2;
    let quarter = std::f64::consts::FRAC_PI_4;
    let mut pair = Pair::new(&cube(1), &cube(1));
    for depth in [1e-3, 1e-6, 1e-9] {
        // A's lower edge along x, B's upper edge along y.
        let upright = turned(Vec3::x(), quarter, Vec3::zeros());
        let x_wb = turned(Vec3::y(), quarter, Vec3::zeros());
        let lift =
            |sign: f64| Pose { translation: Vec3::new(0.1, 0.2, 2.0 * diagonal - sign * depth), ..upright };
        let x_ba = |sign: f64| x_wb.inverse().compose(&lift(sign));
        let (region, overlap) = pair.one(&x_ba(1.0));
        // Rounding of positions is 1e-16, which the share of the depth is off by.
        let tolerance = 1e-15 / depth;
        assert!((region.indentation / depth - 1.0).abs() < 4.0 * tolerance, "{}", region.indentation);
        let normal = x_wb.rotation * region.normal;
        assert!((normal + Vec3::z()).norm() < 1e-6 + 4.0 * tolerance, "{normal}");
        // Two wedges across each other: sections of 2 (d − s) by 2 s at the height s: 4 d³/6.
        assert!(
            (overlap.volume / (4.0 * depth * depth * depth / 6.0) - 1.0).abs() < 10.0 * tolerance + 1e-12
        );
        assert!(pair.find(&x_ba(-1.0)).is_empty());
    }
}
