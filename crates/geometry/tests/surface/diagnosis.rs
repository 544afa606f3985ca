//! Meshes with known defects, each counted and its first place named.

use carom_geometry::TriangleMesh;
use carom_geometry::surface::*;
use carom_math::Vec3;

use crate::{BUBBLE, foot_with};

fn joined(one: &TriangleMesh, two: &TriangleMesh) -> TriangleMesh {
    let mut mesh = one.clone();
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend(&two.vertices);
    mesh.triangles.extend(two.triangles.iter().map(|t| t.map(|k| k + first)));
    mesh
}

/// Every triangle with vertices of its own, as in an STL file.
fn unshared(mesh: &TriangleMesh) -> TriangleMesh {
    let vertices = mesh.corners().flatten().collect();
    let triangles = (0..mesh.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriangleMesh { vertices, triangles }
}

#[test]
fn sharp_edges_are_those_of_the_box() {
    let cuboid = block(Vec3::new(0.5, 0.4, 0.3), Resolution::Divisions(5)).unwrap();
    for mesh in [cuboid.clone(), unshared(&cuboid), cuboid.flipped().aligned(true).unwrap()] {
        let report = mesh.diagnose().unwrap();
        // Four edges along each axis with 5, 4 and 3 cells.
        assert_eq!((report.sharp.count, report.sharp_inside.count), (4 * (5 + 4 + 3), 0));
        let first = report.sharp.first.unwrap();
        assert!((first.angle.to_degrees() - 90.0).abs() < 1e-9);
        let on_border = |x: f64, half: f64| usize::from((x.abs() - half).abs() < 1e-12);
        let at = first.middle;
        assert_eq!(on_border(at.x, 0.5) + on_border(at.y, 0.4) + on_border(at.z, 0.3), 2, "{at}");
    }
    // Seen from inside all corners are re-entrant.
    let cavity = cuboid.flipped().diagnose().unwrap();
    assert_eq!((cavity.sharp.count, cavity.sharp_inside.count), (0, 48));
}

#[test]
fn round_and_chamfered_surfaces_have_no_sharp_edge() {
    let fine = Resolution::Divisions(12);
    for mesh in
        [sphere(1.0, fine), torus(1.0, 0.3, fine), peanut(&BUBBLE, fine), foot(&foot_with(0.003), fine)]
    {
        let report = mesh.unwrap().diagnose().unwrap();
        assert_eq!((report.sharp.count, report.sharp_inside.count), (0, 0));
    }
    // The rims of a cylinder are right angles, 24 edges each; 120° at the base of a cone of 60°.
    assert_eq!(cylinder(0.5, 1.0, Resolution::Divisions(24)).unwrap().diagnose().unwrap().sharp.count, 48);
    let cone =
        frustum(0.5, 0.0, 0.5 * 0.75_f64.sqrt(), Resolution::Divisions(96)).unwrap().diagnose().unwrap();
    assert_eq!(cone.sharp.count, 96);
    assert!((cone.sharp.first.unwrap().angle.to_degrees() - 120.0).abs() < 0.1);
}

#[test]
fn flipped_triangles_are_found_and_turned() {
    let clean = sphere(1.0, Resolution::Divisions(6)).unwrap();
    let mut dirty = clean.clone();
    for triangle in [7, 8, 100, 300] {
        dirty.triangles[triangle].swap(1, 2);
    }
    let report = dirty.diagnose().unwrap();
    assert_eq!((report.flipped.count, report.flipped.first, report.inward.count), (4, Some(7), 0));
    let cured = dirty.aligned(false).unwrap();
    assert_eq!(cured.topology().unwrap().misoriented.count, 0);
    assert!((cured.signed_volume() - clean.signed_volume()).abs() < 1e-12);
    // Turned as a whole it is inward: only asked for is that changed.
    let inward = clean.flipped();
    let report = inward.diagnose().unwrap();
    assert_eq!((report.flipped.count, report.inward.count, report.inward.first), (0, 1, Some(0)));
    assert_eq!(inward.aligned(false).unwrap(), inward);
    assert!((inward.aligned(true).unwrap().signed_volume() - clean.signed_volume()).abs() < 1e-12);
}

#[test]
fn components_are_told_apart() {
    let ball = sphere(1.0, Resolution::Divisions(3)).unwrap();
    let hollow = joined(&ball, &sphere(0.5, Resolution::Divisions(2)).unwrap().flipped());
    let sheet = rectangle(1.0, 1.0, Resolution::Divisions(2)).unwrap();
    let all = joined(&hollow, &sheet).components().unwrap();
    assert_eq!(
        all.iter().map(|c| (c.first, c.triangles)).collect::<Vec<_>>(),
        [(0, 180), (180, 80), (260, 8)]
    );
    assert_eq!(all.iter().map(|c| c.closed).collect::<Vec<_>>(), [true, true, false]);
    assert!(all[0].signed_volume > 3.0 && all[1].signed_volume < -0.3);
    assert!((all[0].signed_volume / ball.signed_volume() - 1.0).abs() < 1e-12);
    assert_eq!(hollow.diagnose().unwrap().inward.first, Some(180));
}

#[test]
fn a_moebius_strip_has_no_outside() {
    let n = 12;
    let point = |k: u32, side: f64| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(n);
        let r = 1.0 + 0.2 * side * (0.5 * angle).cos();
        Vec3::new(r * angle.cos(), r * angle.sin(), 0.2 * side * (0.5 * angle).sin())
    };
    let vertices = (0..n).flat_map(|k| [point(k, -1.0), point(k, 1.0)]).collect();
    let mut triangles = Vec::new();
    for k in 0..n {
        let (a, b) = (2 * k, 2 * k + 1);
        // After one turn the sides have changed.
        let (c, d) = if k + 1 < n { (a + 2, b + 2) } else { (1, 0) };
        triangles.extend([[a, c, b], [b, c, d]]);
    }
    let strip = TriangleMesh { vertices, triangles }.components().unwrap();
    assert_eq!(strip.len(), 1);
    assert!(!strip[0].orientable && !strip[0].closed);
}

#[test]
fn degenerate_and_duplicate_triangles_are_counted() {
    let mut mesh = sphere(1.0, Resolution::Divisions(4)).unwrap();
    let count = mesh.triangles.len();
    let [a, b, c] = mesh.triangles[5];
    mesh.triangles.extend([[a, b, b], [b, c, a], mesh.triangles[9], [a, c, b]]);
    for mesh in [mesh.clone(), unshared(&mesh)] {
        let report = mesh.diagnose().unwrap();
        assert_eq!((report.degenerate.count, report.degenerate.first), (1, Some(count)));
        assert_eq!((report.duplicate.count, report.duplicate.first), (3, Some(count + 1)));
    }
}

#[test]
fn coarseness_is_measured_against_lengths() {
    // A rectangle of 10 by 10 cells of 0.1: edges 0.1 (220 of them) and the diagonals (100).
    let sheet = rectangle(0.5, 0.5, Resolution::Divisions(10)).unwrap();
    let report = sheet.diagnose().unwrap();
    let mean = (220.0 * 0.1 + 100.0 * 0.1 * 2.0_f64.sqrt()) / 320.0;
    assert!((report.mean_edge - mean).abs() < 1e-14);
    assert!(report.is_fine_for(1.99 * mean) && !report.is_fine_for(2.01 * mean));
    assert_eq!(sheet.find_coarse(0.15).count, 0);
    assert_eq!((sheet.find_coarse(0.14).count, sheet.find_coarse(0.14).first), (200, Some(0)));
    let container = funnel(1.0, 0.5, 0).unwrap();
    assert_eq!(container.find_coarse(0.5).count, 4);
}
