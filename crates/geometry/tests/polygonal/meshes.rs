//! Surfaces of the tests and of the speed example, as small as they can be written.

use std::f64::consts::TAU;

use carom_geometry::TriangleMesh;
use carom_geometry::mesh::weld;
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

/// Torus about z, `around` × `across` quadrangles cut into triangles.
pub(crate) fn torus(ring: f64, tube: f64, around: u32, across: u32) -> TriangleMesh {
    let point = |i: u32, j: u32| {
        let (u, v) = (TAU * f64::from(i) / f64::from(around), TAU * f64::from(j) / f64::from(across));
        let r = ring + tube * libm::cos(v);
        Vec3::new(r * libm::cos(u), r * libm::sin(u), tube * libm::sin(v))
    };
    let vertices = (0..around).flat_map(|i| (0..across).map(move |j| point(i, j))).collect();
    let index = |i: u32, j: u32| (i % around) * across + j % across;
    let quad = |i, j| [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
    let triangles = (0..around)
        .flat_map(|i| (0..across).map(move |j| quad(i, j)))
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    TriangleMesh { vertices, triangles }
}

/// Icosahedron with edges cut into `frequency` pieces, on a sphere: 20 `frequency`² triangles.
pub(crate) fn sphere(radius: f64, frequency: u32) -> TriangleMesh {
    let g = 0.5 * (1.0 + 5_f64.sqrt());
    let corner = |k: usize| {
        let (s, t) = ([1.0, -1.0][k % 2], g * [1.0, -1.0][k / 2 % 2]);
        [Vec3::new(0.0, s, t), Vec3::new(s, t, 0.0), Vec3::new(t, 0.0, s)][k / 4]
    };
    let corners: Vec<Vec3> = (0..12).map(corner).collect();
    let mut faces = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                let near = |i: usize, j: usize| (corners[i] - corners[j]).norm() < 2.1;
                if near(a, b) && near(b, c) && near(a, c) {
                    let (p, q, r) = (corners[a], corners[b], corners[c]);
                    let outward = (q - p).cross(&(r - p)).dot(&p) > 0.0;
                    faces.push(if outward { [p, q, r] } else { [p, r, q] });
                }
            }
        }
    }
    let mut mesh = subdivided(&faces, frequency);
    for vertex in &mut mesh.vertices {
        *vertex *= radius / vertex.norm();
    }
    mesh
}

/// Box of edges 2 `half`, every face cut into `n` × `n` squares; `round` > 0 pulls its corners in, as a superellipsoid.
pub(crate) fn block(half: Vec3, n: u32, round: f64) -> TriangleMesh {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let mut faces = Vec::new();
    for k in 0..3 {
        for sign in [1.0, -1.0] {
            let (w, u, v) = (sign * axes[k], axes[(k + 1) % 3], sign * axes[(k + 2) % 3]);
            let corner = |a: f64, b: f64| w + a * u + b * v;
            let (p, q, r, s) = (corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0));
            faces.extend([[p, q, r], [p, r, s]]);
        }
    }
    let mut mesh = subdivided(&faces, n);
    for vertex in &mut mesh.vertices {
        let power = vertex.map(|x| x.powi(8)).sum();
        *vertex *= (1.0 - round) + round / power.powf(0.125);
        vertex.component_mul_assign(&half);
    }
    mesh
}

/// Heights over a square of edge `size` about the origin, 2 `n`² triangles.
pub(crate) fn terrain(size: f64, n: u32, height: impl Fn(f64, f64) -> f64) -> TriangleMesh {
    let at = |i: u32| size * (f64::from(i) / f64::from(n) - 0.5);
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for i in 0..=n {
        for j in 0..=n {
            mesh.vertices.push(Vec3::new(at(i), at(j), height(at(i), at(j))));
        }
    }
    for i in 0..n {
        for j in 0..n {
            let a = i * (n + 1) + j;
            mesh.triangles.extend([[a, a + n + 1, a + n + 2], [a, a + n + 2, a + 1]]);
        }
    }
    mesh
}

/// Hills of three wavelengths.
pub(crate) fn hills(x: f64, y: f64) -> f64 {
    let wave = |k: f64, a: f64, phase: f64| a * libm::sin(k * x + phase) * libm::cos(k * y - phase);
    wave(2.0, 0.08, 0.3) + wave(7.0, 0.02, 1.1) + wave(31.0, 0.003, 2.0)
}

/// Every triangle cut into `n`² similar ones, with shared vertices.
pub(crate) fn subdivided(faces: &[[Vec3; 3]], n: u32) -> TriangleMesh {
    let mut soup = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    let share = |k: u32| f64::from(k) / f64::from(n);
    for [a, b, c] in faces {
        let point = |i: u32, j: u32| a + share(i) * (b - a) + share(j) * (c - a);
        for i in 0..n {
            for j in 0..n - i {
                push(&mut soup, [point(i, j), point(i + 1, j), point(i, j + 1)]);
                if i + j + 2 <= n {
                    push(&mut soup, [point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)]);
                }
            }
        }
    }
    weld(&soup, 1e-9).unwrap().mesh
}

/// Triangle of its own at the end of a mesh.
pub(crate) fn push(mesh: &mut TriangleMesh, corners: [Vec3; 3]) {
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend(corners);
    mesh.triangles.push([first, first + 1, first + 2]);
}

/// A twentieth of the faces gone, a twentieth flipped, some twice, some flat, one huge and one tiny.
pub(crate) fn dirty(mesh: &TriangleMesh, rng: &mut SplitMix64) -> TriangleMesh {
    let mut dirty = mesh.clone();
    dirty.triangles.retain(|_| rng.index(20) != 0);
    for triangle in &mut dirty.triangles {
        if rng.index(20) == 0 {
            triangle.swap(1, 2);
        }
    }
    for _ in 0..8 {
        let twice = dirty.triangles[rng.index(dirty.triangles.len())];
        dirty.triangles.push(twice);
        let [a, b, _] = twice;
        dirty.triangles.push([a, b, a]);
        let (p, q) = (dirty.vertices[a as usize], dirty.vertices[b as usize]);
        push(&mut dirty, [p, q, p + 1e-14 * (q - p)]);
    }
    let size = mesh.extent().norm();
    let middle = dirty.vertices[0];
    push(&mut dirty, [middle + size * Vec3::x(), middle + size * Vec3::y(), middle - size * Vec3::z()]);
    push(&mut dirty, [middle, middle + 1e-6 * size * Vec3::x(), middle + 1e-6 * size * Vec3::y()]);
    dirty
}

/// The mesh in another frame.
pub(crate) fn moved(mesh: &TriangleMesh, pose: &Pose) -> TriangleMesh {
    let vertices = mesh.vertices.iter().map(|v| pose.transform_point(v)).collect();
    TriangleMesh { vertices, triangles: mesh.triangles.clone() }
}
