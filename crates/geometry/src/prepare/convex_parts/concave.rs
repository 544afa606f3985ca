//! Edges of dents, which cuts go through.

use std::collections::BTreeMap;

use carom_math::Vec3;

use super::clip::Plane;
use crate::TriangleMesh;

/// Sine of the angle between two triangles below which an edge is no dent.
const FLAT: f64 = 1e-4;

/// An edge at which a surface is bent inwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConcaveEdge {
    ends: [Vec3; 2],
    /// Of its two triangles.
    normals: [Vec3; 2],
}

impl ConcaveEdge {
    /// How much it is worth to cut there: its length, and how deep the dent is.
    pub(super) fn weight(&self) -> f64 {
        (self.ends[1] - self.ends[0]).norm() * self.normals[0].cross(&self.normals[1]).norm()
    }

    /// Planes of both triangles, and the one between them.
    pub(super) fn planes(&self) -> [Plane; 3] {
        let along = (self.ends[1] - self.ends[0]).normalize();
        let between = (self.normals[0] + self.normals[1]).cross(&along);
        let size = between.norm();
        let between = if size > 0.0 { between / size } else { self.normals[0] };
        [self.normals[0], self.normals[1], between].map(|normal| Plane::through(&self.ends[0], normal))
    }

    /// What of it is inside a half-space, if it is not on its plane.
    pub(super) fn clipped(&self, plane: &Plane) -> Option<Self> {
        let [p, q] = self.ends;
        let [from, to] = [p, q].map(|end| plane.height(&end));
        let least = 1e-9 * (q - p).norm();
        if from.min(to) >= -least {
            return None;
        }
        let cut = || p + (q - p) * (from / (from - to));
        let ends = [if from > 0.0 { cut() } else { p }, if to > 0.0 { cut() } else { q }];
        Some(Self { ends, ..*self })
    }
}

/// All of a mesh, in the order of its vertices.
pub(super) fn concave_edges(mesh: &TriangleMesh) -> Vec<ConcaveEdge> {
    let mut edges: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    for (index, &[a, b, c]) in mesh.triangles.iter().enumerate() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            edges.entry([from.min(to), from.max(to)]).or_default().push(index);
        }
    }
    let normal = |index: usize| {
        let [a, b, c] = mesh.triangles[index].map(|v| mesh.vertices[v as usize]);
        (b - a).cross(&(c - a)).try_normalize(0.0)
    };
    let concave = |(ends, triangles): (&[u32; 2], &Vec<usize>)| {
        let &[one, other] = &triangles[..] else { return None };
        let normals = [normal(one)?, normal(other)?];
        let ends_at = ends.map(|v| mesh.vertices[v as usize]);
        let opposite = mesh.triangles[other].iter().find(|v| !ends.contains(v))?;
        let rise = normals[0].dot(&(mesh.vertices[*opposite as usize] - ends_at[0]));
        let is_bent = normals[0].cross(&normals[1]).norm() > FLAT;
        (rise > 0.0 && is_bent).then_some(ConcaveEdge { ends: ends_at, normals })
    };
    edges.iter().filter_map(concave).collect()
}
