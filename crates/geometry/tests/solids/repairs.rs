//! Meshes that are broken on purpose: what is found is what was put in, and what comes out of a repair is the solid again.

use carom_geometry::TriangleMesh;
use carom_geometry::clearance::intersects;
use carom_geometry::prepare::{MeshSurvey, RepairOptions, Repaired, repair, survey};
use carom_geometry::surface::{Resolution, torus};
use carom_math::{Pose, Vec3};

use crate::meshes::{block, flipped, joined, moved, prism, soup};

/// A cube of 1 m³ about a point that is not the origin.
fn cube() -> TriangleMesh {
    moved(&block(Vec3::repeat(0.5)), &Pose::from_translation(Vec3::new(3.0, -2.0, 1.0)))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn found(mesh: &TriangleMesh) -> MeshSurvey {
    survey(mesh).unwrap()
}

fn repaired(mesh: &TriangleMesh, largest_hole: Option<f64>) -> Repaired {
    repair(mesh, &RepairOptions { tolerance: 1e-9, largest_hole }).unwrap()
}

/// Closed, outward, of this volume (to rounding), without a fault, and with nothing left to repair.
#[track_caller]
fn assert_whole(mesh: &TriangleMesh, volume: f64) {
    let found = found(mesh);
    assert!(found.is_sound(), "{found:#?}");
    let solid = found.solid.unwrap();
    assert!((solid.mass - volume).abs() < 1e-13 * volume, "{} {volume}", solid.mass);
    assert!(repaired(mesh, Some(1.0)).is_unchanged());
}

/// How many faults of each kind there are.
fn faults(found: &MeshSurvey) -> [usize; 8] {
    [
        found.borders.len(),
        found.topology.non_manifold.count,
        found.pinched.count,
        found.diagnosis.flipped.count,
        found.diagnosis.inward.count,
        found.diagnosis.duplicate.count,
        found.topology.degenerate_triangles,
        found.crossings.as_ref().unwrap().count,
    ]
}

#[test]
fn sound_solids_have_no_faults_and_their_closed_forms() {
    let cube = cube();
    let of_cube = found(&cube);
    assert_eq!(faults(&of_cube), [0; 8]);
    assert_eq!((of_cube.triangles, of_cube.vertices, of_cube.components.len()), (12, 8, 1));
    assert_eq!((of_cube.area, of_cube.median_edge), (6.0, 1.0));
    assert!(of_cube.convexity.is_ok());
    let solid = of_cube.solid.unwrap();
    // A cube: V = 1, I = 1/6, its centre where it was put.
    assert!((solid.mass - 1.0).abs() < 1e-14 && (solid.com - Vec3::new(3.0, -2.0, 1.0)).norm() < 1e-14);
    assert!((solid.inertia - carom_math::Mat3::identity() / 6.0).norm() < 1e-14);
    assert!((of_cube.thinnest.unwrap().thickness - 1.0).abs() < 1e-12);
    for mesh in [&prism(0.5, 1.0, 24), &soup(&cube), &torus(1.0, 0.3, Resolution::Facets(500)).unwrap()] {
        let found = found(mesh);
        assert_eq!(faults(&found), [0; 8]);
        assert!(found.is_sound());
    }
    // Dents are no faults.
    assert!(found(&torus(1.0, 0.3, Resolution::Facets(500)).unwrap()).convexity.is_err());
}

#[test]
fn a_missing_face_is_one_border_and_is_closed_on_request() {
    let mut mesh = cube();
    mesh.triangles.truncate(10);
    let open = found(&mesh);
    assert_eq!(faults(&open), [1, 0, 0, 0, 0, 0, 0, 0]);
    let border = &open.borders[0];
    assert!(border.is_loop && border.vertices.len() == 4 && (border.length - 4.0).abs() < 1e-14);
    assert!(open.solid.is_err());
    let left = repaired(&mesh, None);
    assert!(left.is_unchanged() && left.borders_left == 1 && left.mesh == mesh);
    // √2 m across.
    assert_eq!(repaired(&mesh, Some(1.4)).borders_left, 1);
    let closed = repaired(&mesh, Some(1.42));
    assert_eq!((closed.filled_holes, closed.filled_triangles, closed.borders_left), (1, 2, 0));
    assert_whole(&closed.mesh, 1.0);
}

/// The hole of an L-shaped bar's end has a re-entrant corner: triangles of least area stay within it.
#[test]
fn a_hole_with_a_dent_is_closed_flat() {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let n = outline.len() as u32;
    let vertices = [0.0, 3.0].iter().flat_map(|&z| outline.map(|[x, y]| Vec3::new(x, y, z))).collect();
    let sides = (0..n).flat_map(|k| {
        let next = (k + 1) % n;
        [[k, next, n + next], [k, n + next, n + k]]
    });
    let mesh = TriangleMesh { vertices, triangles: sides.collect() };
    assert_eq!(found(&mesh).borders.len(), 2);
    let closed = repaired(&mesh, Some(3.0));
    assert_eq!((closed.filled_holes, closed.filled_triangles), (2, 8));
    assert_whole(&closed.mesh, 9.0);
    assert!((found(&closed.mesh).area - (2.0 * 3.0 + 8.0 * 3.0)).abs() < 1e-13);
}

/// Two holes that touch in a vertex are two borders, as the triangles around it say.
#[test]
fn holes_that_touch_are_told_apart() {
    let mut mesh = prism(0.5, 1.0, 12);
    // Of the fan at the lower end, two triangles with one between them.
    let fan: Vec<usize> = (0..mesh.triangles.len()).filter(|&t| mesh.triangles[t].contains(&0)).collect();
    mesh.triangles.remove(fan[5]);
    mesh.triangles.remove(fan[2]);
    let open = found(&mesh);
    assert_eq!(faults(&open), [2, 0, 1, 0, 0, 0, 0, 0]);
    assert!(open.borders.iter().all(|border| border.is_loop && border.vertices.len() == 3));
    let volume = prism(0.5, 1.0, 12).signed_volume();
    let closed = repaired(&mesh, Some(1.0));
    assert_eq!((closed.filled_holes, closed.filled_triangles), (2, 2));
    assert_whole(&closed.mesh, volume);
}

#[test]
fn turned_triangles_and_parts_are_turned_back() {
    let mut mesh = cube();
    for t in [2, 7, 8] {
        mesh.triangles[t].swap(0, 2);
    }
    assert_eq!(faults(&found(&mesh)), [0, 0, 0, 3, 0, 0, 0, 0]);
    let back = repaired(&mesh, None);
    assert_eq!((back.flipped, back.turned_parts), (3, 0));
    assert_whole(&back.mesh, 1.0);

    let inward = flipped(&cube());
    assert_eq!(faults(&found(&inward)), [0, 0, 0, 0, 1, 0, 0, 0]);
    let back = repaired(&inward, None);
    assert_eq!((back.flipped, back.turned_parts), (0, 1));
    assert_whole(&back.mesh, 1.0);
}

/// A hollow cube and a cube beside it: cavities stay cavities, and go the way of what is around them.
#[test]
fn cavities_stay_and_turn_with_their_solid() {
    let small = moved(&block(Vec3::repeat(0.25)), &at(3.0, -2.0, 1.0));
    let hollow = joined(&cube(), &flipped(&small));
    let both = joined(&hollow, &moved(&cube(), &at(5.0, 0.0, 0.0)));
    let volume = 2.0 - 0.125;
    assert!(repaired(&both, None).is_unchanged());
    assert!((both.signed_volume() - volume).abs() < 1e-14);
    let turned = joined(&flipped(&hollow), &moved(&cube(), &at(5.0, 0.0, 0.0)));
    let back = repaired(&turned, None);
    assert_eq!(back.turned_parts, 2);
    assert!((found(&back.mesh).solid.unwrap().mass - volume).abs() < 1e-13);
}

#[test]
fn copies_go_and_walls_stay() {
    let mut mesh = cube();
    mesh.triangles.extend([mesh.triangles[4], mesh.triangles[9]]);
    mesh.triangles[13].swap(0, 1);
    let twice = found(&mesh);
    assert_eq!((twice.diagnosis.duplicate.count, twice.diagnosis.duplicate.first), (2, Some(12)));
    let back = repaired(&mesh, None);
    assert_eq!((back.copies, back.opposite), (2, 0));
    assert_whole(&back.mesh, 1.0);

    let all_twice = joined(&cube(), &cube());
    assert_eq!(repaired(&all_twice, None).copies, 12);
    assert_whole(&repaired(&all_twice, None).mesh, 1.0);

    // Two cubes with a common face, which both of them have.
    let glued = joined(&cube(), &moved(&cube(), &at(1.0, 0.0, 0.0)));
    let wall = repaired(&glued, None);
    assert_eq!((wall.copies, wall.opposite, wall.merged_vertices), (0, 2, 4));
    assert!((found(&wall.mesh).solid.unwrap().mass - 2.0).abs() < 1e-14);
}

/// A vertex on an edge of its neighbour leaves a triangle without a normal, which a swap takes away without a crack.
#[test]
fn flat_triangles_go_without_a_crack() {
    let mut mesh = cube();
    let [a, b, c] = mesh.triangles[0];
    let middle = mesh.vertices.len() as u32;
    mesh.vertices.push(0.5 * (mesh.vertices[a as usize] + mesh.vertices[b as usize]));
    // The first triangle is cut at the middle of its edge, the neighbour is not: the flat one fills the crack.
    mesh.triangles[0] = [a, middle, c];
    mesh.triangles.extend([[middle, b, c], [a, b, middle]]);
    // Both of the first touch the neighbour there.
    assert_eq!(faults(&found(&mesh)), [0, 0, 0, 0, 0, 0, 1, 2]);
    let back = repaired(&mesh, None);
    assert_eq!((back.swapped, back.degenerate), (1, 0));
    assert_eq!(back.mesh.triangles.len(), 14);
    assert_whole(&back.mesh, 1.0);

    // The same crack with nothing in it is closed without being asked for: it has no width.
    mesh.triangles.pop();
    assert_eq!(found(&mesh).borders.len(), 1);
    let back = repaired(&mesh, None);
    assert_eq!((back.closed_cracks, back.filled_holes, back.swapped, back.borders_left), (1, 0, 1, 0));
    assert_whole(&back.mesh, 1.0);

    // Beside everything it is dropped.
    let mut mesh = cube();
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend([1.0, 2.0, 3.0].map(|x| Vec3::new(x, 7.0, 0.0)));
    mesh.triangles.push([first, first + 1, first + 2]);
    let back = repaired(&mesh, None);
    assert_eq!((back.swapped, back.degenerate), (0, 1));
    assert_whole(&back.mesh, 1.0);
}

#[test]
fn cracks_are_welded_within_the_tolerance_only() {
    let mut mesh = soup(&cube());
    for (k, vertex) in mesh.vertices.iter_mut().enumerate() {
        vertex.x += 1e-8 * (k % 3) as f64;
    }
    assert!(!found(&mesh).topology.closed);
    assert!(repaired(&mesh, None).borders_left > 0);
    let welded = repair(&mesh, &RepairOptions { tolerance: 1e-7, largest_hole: None }).unwrap();
    assert_eq!((welded.merged_vertices, welded.borders_left), (28, 0));
    assert!((found(&welded.mesh).solid.unwrap().mass - 1.0).abs() < 1e-7);
}

#[test]
fn what_hangs_together_in_a_point_or_an_edge_is_told() {
    let in_a_point = joined(&cube(), &moved(&cube(), &at(1.0, 1.0, 1.0)));
    assert_eq!(faults(&found(&in_a_point)), [0, 0, 1, 0, 0, 0, 0, 0]);
    let in_an_edge = joined(&cube(), &moved(&cube(), &at(1.0, 1.0, 0.0)));
    assert_eq!(faults(&found(&in_an_edge)), [0, 1, 0, 0, 0, 0, 0, 0]);
    // A fin: its border ends at the edge with three triangles.
    let mut fin = cube();
    fin.vertices.push(Vec3::new(3.0, -4.0, -1.0));
    fin.triangles.push([0, 1, 8]);
    let found = found(&fin);
    assert_eq!((found.borders.len(), found.topology.non_manifold.count), (1, 1));
    assert!(!found.borders[0].is_loop && found.borders[0].vertices == [1, 8, 0]);
}

/// All pairs of triangles of two cubes, against each other, by the exact test.
#[test]
fn crossings_are_those_of_brute_force() {
    let (one, other) = (cube(), moved(&cube(), &at(0.4, 0.3, 0.2)));
    let both = joined(&one, &other);
    let of_pairs = one.corners().flat_map(|a| other.corners().map(move |b| intersects(&a, &b)));
    let expected = of_pairs.filter(|crosses| *crosses).count();
    let crossings = found(&both).crossings.unwrap();
    assert!(expected > 5 && crossings.count == expected, "{expected} {crossings:?}");
    let [a, b] = crossings.first[0].triangles;
    assert!(intersects(&both.triangle(a), &both.triangle(b)));
    // Repair leaves them, and says what it did: nothing.
    assert!(repaired(&both, Some(1.0)).is_unchanged());

    // Neighbours that are folded onto each other, and a fan that winds over itself.
    let flat = |triangles: Vec<[u32; 3]>| TriangleMesh {
        vertices: [[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [1.0, 0.5], [1.0, -1.0], [0.5, 2.0]]
            .map(|[x, y]| Vec3::new(x, y, 0.0))
            .to_vec(),
        triangles,
    };
    let count = |triangles| found(&flat(triangles)).crossings.unwrap().count;
    assert_eq!(count(vec![[0, 1, 2], [1, 0, 3]]), 1);
    assert_eq!(count(vec![[0, 1, 2], [1, 0, 4]]), 0);
    assert_eq!(count(vec![[0, 1, 2], [0, 3, 5]]), 1);
    assert_eq!(count(vec![[0, 1, 3], [0, 2, 5]]), 0);
}

#[test]
fn all_kinds_of_faults_at_once_become_the_solid_again() {
    let mut mesh = soup(&prism(0.5, 1.0, 24));
    let volume = mesh.signed_volume();
    let missing = mesh.triangles.remove(40);
    for t in [3, 17, 60] {
        mesh.triangles[t].swap(0, 1);
    }
    mesh.triangles.extend([mesh.triangles[20], mesh.triangles[50]]);
    mesh.triangles.push([missing[0], missing[0], missing[1]]);
    let inward = mesh.flipped();
    for mesh in [mesh, inward] {
        let back = repaired(&mesh, Some(3.0));
        assert_eq!((back.copies, back.degenerate, back.filled_holes, back.filled_triangles), (2, 1, 1, 1));
        assert_whole(&back.mesh, volume);
    }
}
