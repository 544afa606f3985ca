//! Surfaces and poses of the tests.

use std::f64::consts::PI;

use carom_geometry::TriangleMesh;
use carom_geometry::clearance::{NearestTriangles, Separation, triangle_separation};
use carom_geometry::surface::{
    Foot, Gear, Resolution, Terrain, block, foot, funnel, gear, rectangle, sphere, terrain, torus,
};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

/// One of each kind, of some hundred triangles at most and about 1 m large.
pub(crate) fn surfaces() -> Vec<(&'static str, TriangleMesh)> {
    let mut rng = SplitMix64::new(1);
    let teeth = Gear {
        module: 0.1,
        teeth: 9,
        pressure_angle: PI / 9.0,
        width: 0.3,
        backlash: 0.01,
        profile_points: 3,
        layers: 1,
    };
    let sole = Foot { length: 1.0, width: 0.5, height: 0.2, chamfer: 0.03 };
    let hills = Terrain { size: 1.5, relief: 0.3, hurst: 0.7, seed: 3, levels: 3 };
    vec![
        ("torus", torus(0.7, 0.2, Resolution::Facets(300)).unwrap()),
        ("sphere", sphere(0.5, Resolution::Facets(200)).unwrap()),
        ("gear", gear(&teeth).unwrap()),
        ("foot", foot(&sole, Resolution::Facets(200)).unwrap()),
        ("terrain", terrain(&hills).unwrap()),
        ("funnel", funnel(0.6, 0.4, 2).unwrap()),
        ("plate", rectangle(0.8, 0.5, Resolution::Divisions(1)).unwrap()),
        ("block", block(Vec3::new(0.5, 0.4, 0.3), Resolution::Divisions(1)).unwrap()),
        ("blocks", blocks()),
        ("soup", soup(&mut rng, 60)),
        ("debris", debris(&mut rng)),
    ]
}

/// Two blocks with a face in common, each with its own triangles there.
pub(crate) fn blocks() -> TriangleMesh {
    let one = block(Vec3::repeat(0.25), Resolution::Divisions(2)).unwrap();
    let shifted = |x: f64| moved(&one, &Pose::from_translation(x * Vec3::x()));
    joined(&[shifted(-0.25), shifted(0.25)])
}

/// Triangles anywhere.
pub(crate) fn soup(rng: &mut SplitMix64, count: usize) -> TriangleMesh {
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for k in 0..count as u32 {
        let middle = rng.vector_in_cube(0.5);
        let size = 0.5_f64.powf(rng.uniform(0.0, 5.0));
        mesh.vertices.extend((0..3).map(|_| middle + rng.vector_in_cube(size)));
        mesh.triangles.push([3 * k, 3 * k + 1, 3 * k + 2]);
    }
    mesh
}

/// Points, segments, slivers, needles and triangles that are there twice.
pub(crate) fn debris(rng: &mut SplitMix64) -> TriangleMesh {
    let mut mesh = soup(rng, 40);
    for k in 0..40 {
        let [a, b, c] = [3 * k, 3 * k + 1, 3 * k + 2];
        let (p, q) = (mesh.vertices[a], mesh.vertices[b]);
        match k % 5 {
            0 => (mesh.vertices[b], mesh.vertices[c]) = (p, p),
            1 => mesh.vertices[c] = p,
            2 => mesh.vertices[c] = p + 0.375 * (q - p),
            3 => mesh.vertices[c] = p + 0.4 * (q - p) + 1e-13 * Vec3::new(0.3, 0.5, 0.7),
            _ => mesh.triangles[k] = mesh.triangles[k / 2],
        }
    }
    mesh
}

pub(crate) fn moved(mesh: &TriangleMesh, pose: &Pose) -> TriangleMesh {
    let vertices = mesh.vertices.iter().map(|v| pose.transform_point(v)).collect();
    TriangleMesh { vertices, triangles: mesh.triangles.clone() }
}

pub(crate) fn joined(meshes: &[TriangleMesh]) -> TriangleMesh {
    let mut all = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for mesh in meshes {
        let first = all.vertices.len() as u32;
        all.vertices.extend(&mesh.vertices);
        all.triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    all
}

/// The rule as it stands: the least over all pairs, the first of equal ones.
pub(crate) fn brute_force(a: &TriangleMesh, b: &TriangleMesh, x_ab: &Pose) -> Separation {
    let b = moved(b, x_ab);
    let mut best = Separation { distance: f64::INFINITY, nearest: None };
    for (i, p) in (0..).zip(a.corners()) {
        for (j, q) in (0..).zip(b.corners()) {
            let found = triangle_separation(&p, &q);
            if found.distance < best.distance {
                let (points, direction) = (found.points, found.direction);
                let nearest = Some(NearestTriangles { triangles: [i, j], points, direction });
                best = Separation { distance: found.distance, nearest };
            }
        }
    }
    best
}

/// Poses from deep overlap to far apart.
pub(crate) fn pose(rng: &mut SplitMix64) -> Pose {
    let mut pose = rng.pose(0.0);
    pose.translation = rng.uniform(0.0, 2.0) * rng.unit_vector();
    pose
}
