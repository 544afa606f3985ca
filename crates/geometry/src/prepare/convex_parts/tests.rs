use carom_math::Vec3;

use super::*;
use crate::surface::{self, Resolution};

/// A prism along y over a polygon in x and z, whose corners turn from z to x.
fn prism(polygon: &[[f64; 2]], triangles: &[[usize; 3]], length: f64) -> TriangleMesh {
    let n = polygon.len();
    let vertices =
        [0.0, length].iter().flat_map(|y| polygon.iter().map(|[x, z]| Vec3::new(*x, *y, *z))).collect();
    let mut all: Vec<[u32; 3]> = Vec::new();
    let index = |k: usize| k as u32;
    for &[a, b, c] in triangles {
        all.push([index(a), index(b), index(c)]);
        all.push([index(a + n), index(c + n), index(b + n)]);
    }
    for k in 0..n {
        let next = (k + 1) % n;
        all.push([index(k), index(k + n), index(next)]);
        all.push([index(next), index(k + n), index(next + n)]);
    }
    let mut mesh = TriangleMesh { vertices, triangles: all };
    if mesh.signed_volume() < 0.0 {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    mesh
}

/// Legs of 1 by 3 and of 2 by 1.
fn angle() -> TriangleMesh {
    let corners = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    prism(&corners, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]], 2.0)
}

/// A block of 3 by 2 with a slot of 1 by 1.5 from above.
fn slotted() -> TriangleMesh {
    let corners =
        [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 2.0], [2.0, 0.5], [1.0, 0.5], [1.0, 2.0], [0.0, 2.0]];
    prism(&corners, &[[0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4], [0, 5, 6], [0, 6, 7]], 2.0)
}

fn is_in(hull: &ConvexHull, point: &Vec3) -> bool {
    let size = hull.vertices().iter().map(|v| v.amax()).fold(0.0, f64::max);
    hull.faces()
        .iter()
        .all(|face| face.normal.dot(&(point - hull.vertices()[face.corners[0] as usize])) <= 1e-9 * size)
}

/// An angle is two blocks, a slotted block three: nothing is left between them and the solid.
#[test]
fn what_flat_cuts_can_part_is_parted_without_excess() {
    for (mesh, count) in [(angle(), 2), (slotted(), 3)] {
        let parts = convex_parts(&mesh, 1e-3, 16).unwrap();
        assert_eq!(parts.hulls.len(), count);
        assert!(parts.excess_volume < 1e-9 * mesh.signed_volume(), "{:e}", parts.excess_volume);
        assert_eq!(parts.reach, Reach::default());
        let sum: f64 = parts.hulls.iter().map(|hull| hull.mass_properties(1.0).unwrap().mass).sum();
        assert!((sum / mesh.signed_volume() - 1.0).abs() < 1e-9, "{sum}");
    }
}

/// In the slot no point is farther from the solid than half its width, and in the notch of the angle none than the corner of its hull's
/// face is.
#[test]
fn the_reach_is_that_of_the_farthest_point() {
    // The hull of the angle is cut by the line from (3, 1) to (1, 3): the point (2, 2) is 1 from both legs.
    for (mesh, expected) in [(slotted(), 0.5), (angle(), 1.0)] {
        let whole = convex_parts(&mesh, 1e-3, 1).unwrap();
        let Reach { at_least, at_most } = whole.reach;
        assert!(at_least <= expected + 1e-12 && at_most >= expected - 1e-12, "{:?} {expected}", whole.reach);
        assert!(at_most <= 1.06 * expected && at_least >= 0.97 * expected, "{:?} {expected}", whole.reach);
    }
    assert!(
        convex_parts(&surface::block(Vec3::repeat(0.5), Resolution::Divisions(2)).unwrap(), 1e-6, 9)
            .unwrap()
            .hulls
            .len()
            == 1
    );
}

/// A torus cannot be parted exactly: more parts reach less far, all of it is covered, and the volumes add up.
#[test]
fn more_parts_fit_better_and_all_cover_the_solid() {
    let mesh = surface::torus(1.0, 0.3, Resolution::Facets(500)).unwrap();
    let tree = ClearanceTree::new(&mesh).unwrap();
    let mut reaches = Vec::new();
    for most in [1, 5, 16] {
        let parts = convex_parts(&mesh, 1e-6, most).unwrap();
        assert_eq!(parts.hulls.len(), most);
        assert!(parts.excess_volume > 0.0);
        reaches.push(parts.reach);
        let sum: f64 = parts.hulls.iter().map(|hull| hull.mass_properties(1.0).unwrap().mass).sum();
        let excess = sum - mesh.signed_volume();
        assert!((parts.excess_volume / excess - 1.0).abs() < 1e-9, "{} {excess}", parts.excess_volume);
        let grid = |k: usize| 1.3 * ((k as f64 + 0.5) / 10.0 - 1.0);
        for k in 0..20 * 20 * 8 {
            let point = Vec3::new(grid(k % 20), grid(k / 20 % 20), 0.3 * ((k / 400) as f64 / 4.0 - 0.9));
            let is_covered = parts.hulls.iter().any(|hull| is_in(hull, &point));
            assert!(is_covered || !tree.is_inside(&point), "{point}");
        }
    }
    // The hull of a torus closes its hole by flat faces at the height of the tube, whose middles are farthest; facets are chords.
    let whole = 1.09_f64.sqrt() - 0.3;
    assert!(
        (reaches[0].at_least / whole - 1.0).abs() < 0.05 && reaches[0].at_most >= 0.99 * whole,
        "{reaches:?}"
    );
    assert!(reaches[0].at_most < 1.1 * whole, "{reaches:?}");
    assert!(reaches[1].at_least <= reaches[0].at_most && reaches[2].at_most < 0.3 * whole, "{reaches:?}");
}

#[test]
fn what_bounds_no_solid_has_no_parts() {
    let mut open = angle();
    open.triangles.pop();
    assert!(matches!(convex_parts(&open, 1e-3, 4), Err(NotConvex::NoSolid(_))));
}

/// The points that are compared for a cut are those of the parts that it makes: their hulls have the same volume, also where faces lie in
/// the plane.
#[test]
fn points_beside_a_plane_are_those_of_the_parts() {
    for mesh in [angle(), slotted(), surface::torus(1.0, 0.3, Resolution::Facets(500)).unwrap()] {
        let chain = Chain::of_mesh(&mesh);
        let (points, (low, high)) = (chain.points(), mesh.bounds());
        for axis in [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::new(0.6, 0.0, 0.8)] {
            for share in [0.25, 1.0 / 3.0, 0.5, 0.75] {
                let plane = Plane::through(&(low + share * (high - low)), axis);
                let sides = chain.points_beside(&plane, &points);
                for (side, plane) in sides.iter().zip([plane, plane.turned()]) {
                    // A plane may pass the solid.
                    let Ok(part) = ConvexHull::of_points(&chain.clip(&plane).points()) else {
                        assert!(ConvexHull::volume_of_points(side).is_err());
                        continue;
                    };
                    let (found, wanted) = (
                        ConvexHull::volume_of_points(side).unwrap(),
                        part.mass_properties(1.0).unwrap().mass,
                    );
                    // Rounding of some thousand terms.
                    assert!((found / wanted - 1.0).abs() < 1e-12, "{axis} {share}: {found} {wanted}");
                }
            }
        }
    }
}
