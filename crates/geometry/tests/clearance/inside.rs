use carom_geometry::TriangleMesh;
use carom_geometry::clearance::{ClearanceTree, Contained, contained};
use carom_geometry::surface::{Resolution, block, rectangle, sphere, torus};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{blocks, joined, moved};

fn tree(mesh: &TriangleMesh) -> ClearanceTree {
    ClearanceTree::new(mesh).unwrap()
}

fn ball(radius: f64) -> TriangleMesh {
    sphere(radius, Resolution::Facets(320)).unwrap()
}

fn shell(outer: f64, inner: f64) -> TriangleMesh {
    joined(&[ball(outer), ball(inner).flipped()])
}

/// Points anywhere against what the shapes say, a facet's sagitta away from the surface; many share coordinates with
/// vertices, so that rays meet edges.
#[test]
fn points_are_inside_where_the_shape_is() {
    let mut rng = SplitMix64::new(31);
    let (solid, hollow, room) = (tree(&ball(1.0)), tree(&shell(1.0, 0.5)), tree(&ball(1.0).flipped()));
    let ring = tree(&torus(1.0, 0.3, Resolution::Facets(3000)).unwrap());
    let pair = tree(&blocks());
    assert_eq!([&room, &hollow, &solid].map(ClearanceTree::room), [Some(0), None, None]);
    let mut tried = 0;
    for k in 0..6000 {
        let mut p = rng.vector_in_cube(1.5);
        if k % 3 == 0 {
            // In planes of symmetry and at heights of vertices.
            let grid = solid.triangle(rng.index(solid.triangles()) as u32)[0];
            p = Vec3::new(p.x, if k % 2 == 0 { 0.0 } else { grid.y }, grid.z);
        }
        let r = p.norm();
        if (r - 1.0).abs() > 0.05 && (r - 0.5).abs() > 0.03 {
            assert_eq!(solid.is_inside(&p), r < 1.0);
            assert_eq!(hollow.is_inside(&p), r < 1.0 && r > 0.5);
            assert_eq!(room.is_inside(&p), r > 1.0);
            tried += 1;
        }
        let tube = (p.x.hypot(p.y) - 1.0).hypot(p.z);
        if (tube - 0.3).abs() > 0.03 {
            assert_eq!(ring.is_inside(&p), tube < 0.3);
        }
        // Two cubes with a face in common, from −0.5 to 0.5 along x.
        if p.x != 0.0 {
            let is_in = p.x.abs() < 0.5 && p.y.abs() < 0.25 && p.z.abs() < 0.25;
            assert_eq!(pair.is_inside(&p), is_in);
        }
    }
    assert!(tried > 4000);
}

#[test]
fn shells_are_closed_as_they_are_walked() {
    assert_eq!(tree(&shell(1.0, 0.5)).count_shells(), (2, 2));
    // Blocks with a face in common are one.
    assert_eq!(tree(&blocks()).count_shells(), (1, 1));
    let plate = rectangle(0.1, 0.1, Resolution::Divisions(1)).unwrap();
    assert_eq!(tree(&joined(&[ball(1.0), plate.clone()])).count_shells(), (2, 1));
    assert!(!tree(&plate).is_closed());
    // A flipped triangle does not open a ball, a missing one does.
    let mut flipped = ball(1.0);
    flipped.triangles[7].swap(1, 2);
    let flipped = tree(&flipped);
    assert!(
        flipped.is_closed() && flipped.is_inside(&Vec3::zeros()) && !flipped.is_inside(&Vec3::x().scale(2.0))
    );
    let mut open = ball(1.0);
    open.triangles.pop();
    assert!(!tree(&open).is_closed() && !tree(&open).is_inside(&Vec3::zeros()));
}

#[test]
fn what_is_contained_is_found_either_way() {
    let at = |x: f64| Pose::from_translation(Vec3::new(x, 0.02, 0.03));
    let (large, small) = (tree(&ball(1.0)), tree(&ball(0.2)));
    assert_eq!(contained(&large, &small, &at(0.1)), Some(Contained { is_second: true, triangle: 0 }));
    assert_eq!(contained(&small, &large, &at(0.1)), Some(Contained { is_second: false, triangle: 0 }));
    assert_eq!(contained(&large, &small, &at(1.5)), None);
    // In the cavity, in the wall of it, and a plate, which is open, in a solid.
    let hollow = tree(&shell(1.0, 0.6));
    assert_eq!(contained(&hollow, &small, &at(0.0)), None);
    assert!(contained(&hollow, &tree(&ball(0.1)), &at(0.8)).is_some_and(|c| c.is_second));
    let plate = tree(&rectangle(0.1, 0.1, Resolution::Divisions(1)).unwrap());
    assert!(contained(&large, &plate, &at(0.3)).is_some());
    assert_eq!(contained(&plate, &large, &at(3.0)), None);
    // A room holds what is in it; rock is around.
    let room = tree(&ball(1.0).flipped());
    assert_eq!(contained(&room, &small, &at(0.0)), None);
    assert!(contained(&room, &small, &at(2.0)).is_some_and(|c| c.is_second));
    // A ball in the hole of a torus is not inside; one in its tube is.
    let ring = tree(&torus(1.0, 0.4, Resolution::Facets(2000)).unwrap());
    assert_eq!(contained(&ring, &small, &at(0.0)), None);
    assert!(contained(&ring, &small, &at(1.0)).is_some());
    let one_of_two = tree(&joined(&[moved(&ball(0.1), &at(5.0)), ball(0.1)]));
    assert_eq!(contained(&large, &one_of_two, &at(0.1)), Some(Contained { is_second: true, triangle: 320 }));
}

/// A part turned inwards is a cavity where it is in another one, a room where it is in none; where it is in neither it bounds nothing.
#[test]
fn parts_turned_inwards_are_known() {
    let all =
        |tree: &ClearanceTree| (0..tree.triangles() as u32).filter(|t| tree.is_turned_inwards(*t)).count();
    let beside = moved(&ball(0.5), &Pose::from_translation(Vec3::new(3.0, 0.0, 0.0)));
    for (parts, room, wrong) in [
        (vec![ball(1.0), ball(0.5).flipped()], None, 0),
        (vec![ball(1.0), beside.clone()], None, 0),
        (vec![ball(1.0).flipped()], Some(0), 0),
        (vec![ball(1.0), beside.flipped()], Some(320), 0),
        (vec![ball(1.0).flipped(), ball(0.5)], Some(0), 0),
        (vec![ball(1.0).flipped(), ball(0.5).flipped()], Some(0), 320),
    ] {
        let tree = tree(&joined(&parts));
        assert_eq!((tree.room(), all(&tree)), (room, wrong));
    }
    // What of a cavity sticks out of its solid is none; that it starts there or in the solid is chance.
    let across = moved(&ball(0.5), &Pose::from_translation(Vec3::new(0.0, 0.0, -1.0))).flipped();
    let (solid, across) = (tree(&ball(1.0)), tree(&joined(&[ball(1.0), across])));
    assert_eq!(across.room(), None);
    for triangle in 320..640 {
        assert_eq!(across.is_turned_inwards(triangle), !solid.is_inside(&across.triangle(triangle)[0]));
    }
}

#[test]
fn walls_are_as_thick_as_they_were_made() {
    let plate = tree(&block(Vec3::new(0.5, 0.4, 0.01), Resolution::Divisions(4)).unwrap());
    let wall = plate.thinnest_wall().unwrap();
    assert!((wall.thickness - 0.02).abs() < 1e-15);
    assert!(plate.triangle(wall.triangle)[0].z * plate.triangle(wall.opposite)[0].z < 0.0);
    // Facets of 320 on a sphere lie some 1e-2 within it at most.
    let hollow = tree(&shell(1.0, 0.9)).thinnest_wall().unwrap();
    assert!((hollow.thickness - 0.1).abs() < 0.02, "{hollow:?}");
    assert!(tree(&ball(1.0).flipped()).thinnest_wall().is_none());
    assert!(tree(&rectangle(0.1, 0.1, Resolution::Divisions(1)).unwrap()).thinnest_wall().is_none());
    // Of a wedge of 40° the triangles at its edge are over little, and it is no sheet; one of 20° is.
    let wedge = |angle: f64| {
        let mut wedge = block(Vec3::new(0.5, 0.5, 0.5), Resolution::Divisions(8)).unwrap();
        wedge.vertices.iter_mut().for_each(|p| p.z *= 2.0 * (p.x + 0.501) * (0.5 * angle.to_radians()).tan());
        tree(&wedge)
    };
    assert!(wedge(40.0).thinnest_wall().unwrap().thickness < 0.1);
    assert_eq!(wedge(40.0).thinnest_sheet(0.3), None);
    assert!(wedge(20.0).thinnest_sheet(0.3).unwrap().thickness < 0.1);
    assert_eq!(plate.thinnest_sheet(0.05), Some(wall));
    assert_eq!(plate.thinnest_sheet(0.01), None);
    // Its large sides are those of the sheet, its small ones are not.
    for (triangle, sheet) in (0..).zip(plate.sheets(0.05)) {
        let corners = plate.triangle(triangle);
        let is_large = corners.iter().all(|corner| corner.z == corners[0].z);
        assert!(
            if is_large { (sheet - 0.02).abs() < 1e-15 } else { sheet.is_infinite() },
            "{triangle} {sheet}"
        );
    }
    assert!(plate.sheets(0.01).iter().all(|sheet| sheet.is_infinite()));
    // The thinnest is the least of all.
    let gear = &crate::kit::surfaces()[2].1;
    let tree = tree(gear);
    let all = (0..tree.triangles() as u32).filter_map(|k| tree.wall(k));
    let least = all.fold(f64::INFINITY, |least, wall| least.min(wall.thickness));
    assert_eq!(tree.thinnest_wall().unwrap().thickness, least);
}
