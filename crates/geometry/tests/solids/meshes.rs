//! Closed meshes of known solids, with shared vertices and outward triangles.

use std::f64::consts::TAU;

use carom_geometry::TriangleMesh;
use carom_math::{Pose, Vec3};

pub(crate) fn block(half: Vec3) -> TriangleMesh {
    let corner = |k: usize| Vec3::new(sign(k), sign(k >> 1), sign(k >> 2)).component_mul(&half);
    TriangleMesh {
        vertices: (0..8).map(corner).collect(),
        triangles: vec![
            [0, 2, 3],
            [0, 3, 1],
            [4, 5, 7],
            [4, 7, 6],
            [0, 1, 5],
            [0, 5, 4],
            [2, 6, 7],
            [2, 7, 3],
            [0, 4, 6],
            [0, 6, 2],
            [1, 3, 7],
            [1, 7, 5],
        ],
    }
}

fn sign(bit: usize) -> f64 {
    [-1.0, 1.0][bit & 1]
}

/// Prism over a regular polygon of `sides` corners on a circle, from z = −half to half.
pub(crate) fn prism(radius: f64, half: f64, sides: u32) -> TriangleMesh {
    let mut mesh =
        TriangleMesh { vertices: vec![-half * Vec3::z(), half * Vec3::z()], triangles: Vec::new() };
    for k in 0..sides {
        let angle = TAU * f64::from(k) / f64::from(sides);
        for z in [-half, half] {
            mesh.vertices.push(Vec3::new(radius * angle.cos(), radius * angle.sin(), z));
        }
        let (low, high) = (2 + 2 * k, 3 + 2 * k);
        let (next_low, next_high) = (2 + 2 * ((k + 1) % sides), 3 + 2 * ((k + 1) % sides));
        mesh.triangles.extend([
            [0, next_low, low],
            [1, high, next_high],
            [low, next_low, next_high],
            [low, next_high, high],
        ]);
    }
    mesh
}

pub(crate) fn moved(mesh: &TriangleMesh, pose: &Pose) -> TriangleMesh {
    TriangleMesh {
        vertices: mesh.vertices.iter().map(|v| pose.transform_point(v)).collect(),
        triangles: mesh.triangles.clone(),
    }
}

pub(crate) fn flipped(mesh: &TriangleMesh) -> TriangleMesh {
    TriangleMesh {
        vertices: mesh.vertices.clone(),
        triangles: mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
    }
}

/// Both surfaces in one mesh.
pub(crate) fn joined(one: &TriangleMesh, two: &TriangleMesh) -> TriangleMesh {
    let first = one.vertices.len() as u32;
    TriangleMesh {
        vertices: one.vertices.iter().chain(&two.vertices).copied().collect(),
        triangles: one
            .triangles
            .iter()
            .copied()
            .chain(two.triangles.iter().map(|t| t.map(|index| index + first)))
            .collect(),
    }
}

/// As an STL file holds it: three vertices of its own for each triangle.
pub(crate) fn soup(mesh: &TriangleMesh) -> TriangleMesh {
    TriangleMesh {
        vertices: mesh.corners().flatten().collect(),
        triangles: (0..mesh.triangles.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect(),
    }
}
