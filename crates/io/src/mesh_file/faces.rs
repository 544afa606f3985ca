//! Faces with any number of corners as triangles.

use carom_geometry::planar::triangulate;
use carom_math::{Vec2, Vec3};

/// Faces in the order of a file.
#[derive(Default)]
pub(super) struct Faces {
    corners: Vec<u32>,
    /// Where the corners of each end.
    ends: Vec<usize>,
}

impl Faces {
    pub(super) fn push(&mut self, corners: impl IntoIterator<Item = u32>) {
        self.corners.extend(corners);
        self.ends.push(self.corners.len());
    }

    /// Their triangles, by indices of vertices. What asks for a vertex that is not there is kept as it is, for the mesh to be refused.
    pub(super) fn into_triangles(self, vertices: &[Vec3]) -> Vec<[u32; 3]> {
        let mut triangles = Vec::with_capacity(self.ends.len());
        let mut start = 0;
        for end in self.ends {
            let face = &self.corners[start..end];
            start = end;
            if let &[a, b, c] = face {
                triangles.push([a, b, c]);
                continue;
            }
            let place = |&corner: &u32| vertices.get(corner as usize).copied();
            let points: Option<Vec<Vec3>> = face.iter().map(place).collect();
            let cut = points.map_or_else(|| fan(face.len()), |points| cut_face(&points));
            triangles.extend(cut.into_iter().map(|of| of.map(|k| face[k as usize])));
        }
        triangles
    }
}

/// Triangles of a face by the numbers of its corners, seen along the normal of its vector area Σ pₖ × pₖ₊₁ / 2 (Newell's): of a convex one a fan about the first.
/// A fan about a corner of one that is not would fold over itself, and stand outside.
pub(crate) fn cut_face(points: &[Vec3]) -> Vec<[u32; 3]> {
    let count = points.len();
    if count <= 3 {
        return fan(count);
    }
    let arm = |k: usize| points[k % count] - points[0];
    let area: Vec3 = (0..count).map(|k| arm(k).cross(&arm(k + 1))).sum();
    let axis = area.iamax();
    let (x, y) =
        if area[axis] > 0.0 { ((axis + 1) % 3, (axis + 2) % 3) } else { ((axis + 2) % 3, (axis + 1) % 3) };
    let flat: Vec<Vec2> = (0..count).map(|k| Vec2::new(arm(k)[x], arm(k)[y])).collect();
    let turns_left = |k: usize| {
        let [before, at, after] = [k, k + 1, k + 2].map(|k| flat[k % count]);
        (at - before).perp(&(after - at)) > 0.0
    };
    if (0..count).all(turns_left) { fan(count) } else { triangulate(&flat) }
}

fn fan(count: usize) -> Vec<[u32; 3]> {
    (2..count as u32).map(|k| [0, k - 1, k]).collect()
}

#[cfg(test)]
mod tests {
    use carom_math::Vec3;

    use super::cut_face;

    /// Areas of the triangles of a face add up to that of its outline, none is turned over: of an L, in any plane, from any corner on, either way round,
    /// and with a corner more on a straight edge. A fan about a corner of it has three times its area.
    #[test]
    fn a_face_that_is_not_convex_is_covered_once() {
        let l = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let across = [Vec3::new(0.6, 0.0, 0.8), Vec3::y(), Vec3::new(1.0, -2.0, 0.5), Vec3::z()];
        for axis in across.map(|axis| axis.normalize()) {
            let along = axis.cross(&Vec3::new(0.3, 0.9, -0.4)).normalize();
            let place = |p: [f64; 2]| Vec3::new(5.0, 1.0, -2.0) + p[0] * along + p[1] * axis.cross(&along);
            for first in 0..l.len() {
                for sign in [1.0, -1.0] {
                    let mut points: Vec<Vec3> =
                        (0..l.len()).map(|k| place(l[(first + k) % l.len()])).collect();
                    if sign < 0.0 {
                        points.reverse();
                    }
                    let area = |[a, b, c]: [u32; 3]| {
                        let [a, b, c] = [a, b, c].map(|k| points[k as usize]);
                        (b - a).cross(&(c - a)).dot(&axis) / 2.0 * sign
                    };
                    let areas: Vec<f64> = cut_face(&points).into_iter().map(area).collect();
                    assert_eq!(areas.len(), 5);
                    assert!(areas.iter().all(|area| *area > -1e-15), "{areas:?}");
                    assert!((areas.iter().sum::<f64>() - 3.0).abs() < 1e-14, "{areas:?}");
                }
            }
        }
    }
}
