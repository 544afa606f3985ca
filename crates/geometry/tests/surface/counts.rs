use carom_geometry::surface::*;
use carom_math::Vec3;

use crate::{BUBBLE, PINION, area};

#[test]
fn counts_of_the_published_meshes() {
    let ring = torus(1.0, 0.3, Resolution::Facets(4096)).unwrap();
    assert_eq!((ring.vertices.len(), ring.triangles.len()), (2048, 4096));
    assert_eq!(ring, torus_grid(1.0, 0.3, 64, 32).unwrap());
    let ball = sphere(1.0, Resolution::Facets(500)).unwrap();
    assert_eq!((ball.vertices.len(), ball.triangles.len()), (252, 500));
    assert_eq!(ball, sphere(1.0, Resolution::Divisions(5)).unwrap());
    assert_eq!(peanut(&BUBBLE, Resolution::Facets(950)).unwrap().triangles.len(), 950);
    assert_eq!(foot(&Foot::ROVER, Resolution::Facets(570)).unwrap().triangles.len(), 570);
    assert_eq!(foot(&Foot::ROVER, Resolution::Divisions(19)).unwrap().triangles.len(), 570);
    let hills = terrain(&Terrain { size: 10.0, relief: 1.0, hurst: 0.8, seed: 1, levels: 7 }).unwrap();
    assert_eq!((hills.vertices.len(), hills.triangles.len()), (129 * 129, 32_768));
    for (subdivisions, triangles) in [4, 16, 64, 256, 1024, 4096, 16_384].into_iter().enumerate() {
        assert_eq!(funnel(1.0, 0.5, subdivisions as u32).unwrap().triangles.len(), triangles);
    }
}

#[test]
fn counts_are_those_of_the_documentation() {
    let count = |mesh: Result<carom_geometry::TriangleMesh, _>| mesh.unwrap().triangles.len();
    assert_eq!(count(block(Vec3::new(0.4, 0.2, 0.1), Resolution::Divisions(8))), 4 * (8 * 4 + 4 * 2 + 2 * 8));
    assert_eq!(count(rectangle(0.4, 0.1, Resolution::Divisions(8))), 2 * 8 * 2);
    assert_eq!(count(sphere(1.0, Resolution::Divisions(7))), 20 * 49);
    assert_eq!(count(ellipsoid(Vec3::new(1.0, 2.0, 3.0), Resolution::Divisions(4))), 320);
    // Per tooth: 2 (12 + 1) outline points (12 on each flank, one more below the base circle), two triangles each
    // in four layers; on both ends 2·12 across the tooth, and 146 in rings inside the root circle.
    assert_eq!(count(gear(&PINION)), 20 * (2 * 4 * 26 + 2 * 2 * 12) + 2 * 146);
}

#[test]
fn a_wanted_count_is_met_within_the_distance_of_two_resolutions() {
    // The number of triangles grows with the square of the divisions n, so that neighbours differ by 2/n.
    for wanted in [500, 2000, 20_000] {
        let meshes = [
            cylinder(0.3, 0.5, Resolution::Facets(wanted)),
            capsule(0.3, 0.5, Resolution::Facets(wanted)),
            beam(0.5, 0.1, 0.05, Resolution::Facets(wanted)),
            frustum(0.5, 0.0, 0.7, Resolution::Facets(wanted)),
            foot(&Foot::ROVER, Resolution::Facets(wanted)),
            peanut(&BUBBLE, Resolution::Facets(wanted)),
        ];
        for mesh in meshes {
            let got = mesh.unwrap().triangles.len();
            assert!(wanted.abs_diff(got) * 4 < wanted, "{got} of {wanted}");
        }
    }
}

#[test]
fn dimensions_are_those_asked_for() {
    let near = |a: Vec3, b: Vec3| assert!((a - b).amax() < 1e-15, "{a} {b}");
    let fine = Resolution::Divisions(32);
    near(torus(1.0, 0.25, fine).unwrap().extent(), Vec3::new(2.5, 2.5, 0.5));
    near(capsule(0.2, 0.5, fine).unwrap().extent(), Vec3::new(0.4, 0.4, 1.4));
    near(beam(0.5, 0.125, 0.25, fine).unwrap().extent(), Vec3::new(1.25, 0.25, 0.5));
    near(frustum(0.5, 0.25, 0.125, fine).unwrap().extent(), Vec3::new(1.0, 1.0, 0.25));
    near(block(Vec3::new(1.0, 0.25, 0.5), fine).unwrap().extent(), Vec3::new(2.0, 0.5, 1.0));
    // The bottom of the arc lies between two points: 0.25 mm of sagitta at this resolution.
    let extent = foot(&Foot::ROVER, fine).unwrap().extent();
    assert!((extent - Vec3::new(0.06, 0.043, 0.02)).amax() < 0.007);
    let bubble = peanut(&BUBBLE, Resolution::Divisions(400)).unwrap();
    let radius = |v: &Vec3| v.xy().norm();
    near(bubble.extent().z * Vec3::z(), 0.4 * Vec3::z());
    let widest = bubble.vertices.iter().max_by(|a, b| radius(a).total_cmp(&radius(b))).unwrap();
    // Rings are 1.6 mm apart; at the lobe the radius falls off with the square of that.
    assert!((radius(widest) - 0.1004).abs() < 1e-5 && (widest.z.abs() - 0.115).abs() < 1e-3);
    let waist = bubble.vertices.iter().min_by(|a, b| a.z.abs().total_cmp(&b.z.abs())).unwrap();
    assert!((radius(waist) - 0.05).abs() < 1e-4);
}

#[test]
fn subdivision_changes_only_the_number_of_triangles() {
    let coarse = block(Vec3::new(0.5, 0.3, 0.2), Resolution::Divisions(2)).unwrap();
    let fine = subdivide(&coarse, 3).unwrap();
    assert_eq!(fine.triangles.len(), 64 * coarse.triangles.len());
    assert!(fine.topology().unwrap().closed);
    assert!((fine.signed_volume() / 0.24 - 1.0).abs() < 1e-13);
    assert!((area(&fine) / area(&coarse) - 1.0).abs() < 1e-13);
    // The children's children of triangle 5 are where it was.
    let parent = TriangleNormal::of(&coarse, 5);
    for child in 5 * 64..6 * 64 {
        assert!((TriangleNormal::of(&fine, child).0 - parent.0).norm() < 1e-14);
    }
    assert_eq!(subdivide(&coarse, 0).unwrap(), coarse);
}

struct TriangleNormal(Vec3);

impl TriangleNormal {
    fn of(mesh: &carom_geometry::TriangleMesh, triangle: usize) -> Self {
        let [a, b, c] = mesh.triangles[triangle].map(|k| mesh.vertices[k as usize]);
        Self((b - a).cross(&(c - a)).normalize())
    }
}
