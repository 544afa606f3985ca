use carom_geometry::TriangleMesh;
use carom_geometry::mesh::{MeshFault, weld};
use carom_math::{Pose, Vec3};

use crate::meshes::{block, flipped, joined, moved, prism, soup};

#[test]
fn a_cube_is_closed() {
    let report = block(Vec3::repeat(0.5)).topology().unwrap();
    assert_eq!((report.edges, report.duplicate_vertices, report.degenerate_triangles), (18, 0, 0));
    assert_eq!((report.boundary.count, report.non_manifold.count, report.misoriented.count), (0, 0, 0));
    assert!(report.closed);
    assert_eq!(report.signed_volume, 1.0);
    assert_eq!((report.low, report.high), (Vec3::repeat(-0.5), Vec3::repeat(0.5)));
    assert_eq!((report.shortest_edge, report.longest_edge), (1.0, 2f64.sqrt()));
}

#[test]
fn a_soup_counts_as_its_surface() {
    let report = soup(&block(Vec3::repeat(0.5))).topology().unwrap();
    assert_eq!((report.edges, report.duplicate_vertices, report.closed), (18, 36 - 8, true));
}

#[test]
fn a_closed_surface_inside_out_has_a_negative_volume() {
    let report = flipped(&block(Vec3::repeat(0.5))).topology().unwrap();
    assert!(report.closed);
    assert_eq!(report.signed_volume, -1.0);
}

#[test]
fn cubes_that_share_an_edge_are_closed_but_no_manifold() {
    let cube = block(Vec3::repeat(0.5));
    let beside = moved(&cube, &Pose::from_translation(Vec3::new(1.0, 1.0, 0.0)));
    let report = joined(&cube, &beside).topology().unwrap();
    assert_eq!((report.non_manifold.count, report.misoriented.count, report.closed), (1, 0, true));
    assert_eq!(report.non_manifold.first, Some(Vec3::new(0.5, 0.5, 0.0)));
    assert_eq!((report.duplicate_vertices, report.signed_volume), (2, 2.0));
}

#[test]
fn a_fin_on_a_cube_leaves_a_border_and_an_odd_edge() {
    let mut mesh = block(Vec3::repeat(0.5));
    mesh.vertices.push(Vec3::new(0.0, -2.0, -2.0));
    mesh.triangles.push([0, 1, 8]);
    let report = mesh.topology().unwrap();
    assert_eq!((report.boundary.count, report.non_manifold.count, report.misoriented.count), (2, 1, 1));
    assert_eq!(report.misoriented.first, Some(Vec3::new(0.0, -0.5, -0.5)));
    assert!(!report.closed);
}

#[test]
fn degenerate_triangles_are_counted_and_the_first_is_named() {
    let mut mesh = prism(0.5, 1.0, 7);
    let regular = mesh.topology().unwrap();
    assert_eq!((regular.degenerate_triangles, regular.first_degenerate), (0, None));
    // A needle of height 1e-13 and a triangle with a doubled corner.
    mesh.vertices.push(0.5 * (mesh.vertices[2] + mesh.vertices[4]) + 1e-14 * Vec3::z());
    let middle = (mesh.vertices.len() - 1) as u32;
    mesh.triangles.extend([[2, middle, 4], [2, 2, 4]]);
    let report = mesh.topology().unwrap();
    assert_eq!((report.degenerate_triangles, report.first_degenerate), (2, Some(28)));
}

#[test]
fn welding_a_cracked_soup_closes_it() {
    let mut cracked = soup(&block(Vec3::repeat(0.5)));
    for (k, vertex) in cracked.vertices.iter_mut().enumerate() {
        vertex.x += 1e-6 * (k % 3) as f64;
    }
    assert!(!cracked.topology().unwrap().closed);
    let welded = weld(&cracked, 1e-5).unwrap();
    let report = welded.mesh.topology().unwrap();
    assert_eq!((welded.merged_vertices, welded.dropped_triangles), (28, 0));
    assert!(report.closed && report.duplicate_vertices == 0);
    assert!((report.signed_volume - 1.0).abs() < 1e-5);
}

#[test]
fn an_unusable_mesh_has_no_topology() {
    let mesh = TriangleMesh { vertices: vec![Vec3::repeat(f64::NAN)], triangles: vec![[0, 0, 0]] };
    assert!(matches!(mesh.topology(), Err(MeshFault::NotFinite { vertex: 0, triangle: Some(0), .. })));
    assert!(matches!(weld(&mesh, 0.0), Err(MeshFault::NotFinite { .. })));
}
