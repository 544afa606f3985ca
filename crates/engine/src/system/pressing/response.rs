//! What an elastic layer stores as two surfaces are pressed into each other, from their shapes.

use carom_geometry::TriangleMesh;
use carom_geometry::mesh::SurfaceForm;
use carom_math::{Pose, Vec3};

/// Share of a surface's area that may be more strongly curved than what counts as its curvature: fillets along edges.
const LEFT_OUT: f64 = 0.02;

/// A point this far from the foremost one, relative to the size of the surface, is not in front.
const IN_FRONT: f64 = 0.02;

/// Halvings of the range in which a depth is looked for.
const HALVINGS: u32 = 60;

/// What one surface gives way to, per stiffness c of the layer.
#[derive(Clone, Debug)]
pub(super) enum Side {
    /// The part of it in front of a plane goes into the other: corners of its triangles by their heights along the
    /// direction (m), with twice the area that each covers seen along it, above 0 where it faces the other (m²).
    Cap(Vec<([f64; 3], f64)>),
    /// It is curved so (1/m), 0 if it is flat beside the other.
    Curved(f64),
}

impl Side {
    /// Of a surface at a pose that meets the other one in `direction` (unit, out of it), at a place `touch` (m).
    /// Where that place is in front, the plane across the direction there is what it meets; else its curvature is all
    /// that is known.
    pub(super) fn of(
        mesh: &TriangleMesh,
        form: Option<&SurfaceForm>,
        pose: &Pose,
        direction: &Vec3,
        touch: &Vec3,
    ) -> Self {
        let n = pose.rotation.tr_mul(direction);
        let heights: Vec<f64> = mesh.vertices.iter().map(|v| n.dot(v)).collect();
        let front = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = mesh.bounds();
        let place = n.dot(&pose.inverse_transform_point(touch));
        if front - place > IN_FRONT * (high - low).norm() {
            return Self::Curved(form.map_or(0.0, curvature));
        }
        Self::Cap(cap(mesh, &n, &heights, front, f64::INFINITY))
    }

    /// What is foremost in a direction of the mesh's own axes, down to a depth (m) behind the first of it.
    pub(super) fn ahead(mesh: &TriangleMesh, n: &Vec3, depth: f64) -> Self {
        let heights: Vec<f64> = mesh.vertices.iter().map(|v| n.dot(v)).collect();
        let front = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self::Cap(cap(mesh, n, &heights, front, depth))
    }

    /// Energy over c (m⁴) at a depth (m): ∫ V du of the volume V in front of the plane, which is ∫ ½ z² n·dA over the
    /// part of the surface at heights z above it (the divergence theorem); π u³/(3 κ) of a curved one (F = c π R δ²).
    /// Infinite if nothing gives way.
    fn energy(&self, depth: f64) -> f64 {
        match self {
            Self::Curved(curvature) => std::f64::consts::PI * depth * depth * depth / (3.0 * curvature),
            Self::Cap(triangles) => triangles
                .iter()
                .map(|(heights, twice_area)| 0.5 * twice_area * half_square(heights.map(|z| z + depth)))
                .sum(),
        }
    }
}

/// Triangles by the heights of their corners over the foremost one, with twice their areas seen along n; of those that come as near to
/// it as a depth (m).
fn cap(mesh: &TriangleMesh, n: &Vec3, heights: &[f64], front: f64, depth: f64) -> Vec<([f64; 3], f64)> {
    let behind = |triangle: &[u32; 3]| triangle.map(|k| heights[k as usize] - front);
    let seen = |[a, b, c]: [Vec3; 3]| (b - a).cross(&(c - a)).dot(n);
    let triangles = mesh.triangles.iter().zip(mesh.corners());
    let all = triangles.map(|(triangle, corners)| (behind(triangle), corners));
    let near = all.filter(|(z, _)| z.iter().any(|z| *z > -depth));
    near.map(|(z, corners)| (z, seen(corners))).collect()
}

/// Mean of ½ max(z, 0)² over a triangle with z at its corners: moments of the corner, or of the triangle less the
/// corner, that is above zero.
fn half_square(z: [f64; 3]) -> f64 {
    let mut z = z;
    z.sort_by(f64::total_cmp);
    let [low, middle, high] = z;
    // ∫ ½ z² over a triangle is its area/12 · (a² + b² + c² + ab + bc + ca).
    let whole = |a: f64, b: f64, c: f64| (a * a + b * b + c * c + a * b + b * c + c * a) / 12.0;
    if low >= 0.0 {
        whole(low, middle, high)
    } else if high <= 0.0 {
        0.0
    } else if middle <= 0.0 {
        let share = high / (high - low) * (high / (high - middle));
        share * whole(0.0, 0.0, high)
    } else {
        let below = low / (low - middle) * (low / (low - high));
        whole(low, middle, high) - below * whole(low, 0.0, 0.0)
    }
}

/// Curvature outwards that no more than a small share of the surface exceeds (1/m).
fn curvature(form: &SurfaceForm) -> f64 {
    let mut curved: Vec<[f64; 2]> = form.triangles.iter().map(|t| [t.curvatures[0], t.area]).collect();
    curved.sort_by(|a, b| b[0].total_cmp(&a[0]));
    let mut left = LEFT_OUT * curved.iter().map(|c| c[1]).sum::<f64>();
    let exceeding = curved.iter().take_while(|c| {
        left -= c[1];
        left > 0.0
    });
    curved.get(exceeding.count()).map_or(0.0, |c| c[0])
}

/// What a layer of stiffness c (N/m³) between two surfaces has stored at a depth (m) beyond an energy (J) and what a force (N) adds to it
/// on the way (J).
pub(super) fn calc_excess(sides: &[Side; 2], stiffness: f64, [energy, force]: [f64; 2], depth: f64) -> f64 {
    let [a, b] = sides.each_ref().map(|side| 1.0 / (stiffness * side.energy(depth)));
    1.0 / (a + b) - energy - force * depth
}

/// Depth (m) at which a layer of stiffness c (N/m³) between two surfaces has stored an energy (J) and what a force
/// (N) adds to it on the way: W(u) = E + F u. Two surfaces give way one after the other, 1/W = 1/W_A + 1/W_B, as
/// spheres do, 1/R = 1/R_A + 1/R_B. None if it is more than `most`.
pub(super) fn find_depth(
    sides: &[Side; 2],
    stiffness: f64,
    [energy, force]: [f64; 2],
    most: f64,
) -> Option<f64> {
    let missing = |depth: f64| calc_excess(sides, stiffness, [energy, force], depth);
    let left = missing(most);
    if left.is_nan() || left <= 0.0 {
        return None;
    }
    // What is stored grows faster than in proportion to the depth: there is one root.
    let (mut below, mut above) = (0.0, most);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (below + above);
        if missing(middle) > 0.0 { above = middle } else { below = middle }
    }
    Some(above)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use carom_geometry::surface::{Resolution, block, sphere};

    use super::*;

    fn side(mesh: &TriangleMesh, direction: Vec3, touch: Vec3) -> Side {
        Side::of(mesh, Some(&SurfaceForm::of(mesh)), &Pose::identity(), &direction, &touch)
    }

    fn assert_near(value: f64, exact: f64, tolerance: f64) {
        assert!((value / exact - 1.0).abs() < tolerance, "{value} {exact}");
    }

    /// A ball of 2e4 facets, which cut off 1e-4 of its radius, meets a plane with a cap: V = π u² (R − u/3).
    #[test]
    fn what_is_stored_is_that_of_caps_faces_and_corners() {
        let ball = sphere(0.1, Resolution::Facets(20_000)).unwrap();
        let n = Vec3::new(0.3, -0.5, 0.8).normalize();
        let depth: f64 = 5e-3;
        let cap = PI * (0.1 * depth.powi(3) / 3.0 - depth.powi(4) / 12.0);
        assert_near(side(&ball, n, n * 0.1).energy(depth), cap, 0.02);
        // In a hollow its place is not in front: its curvature counts.
        assert_near(side(&ball, n, -n * 0.1).energy(depth), PI * 0.1 * depth.powi(3) / 3.0, 0.1);
        // A face of a cube, and its corner: areas √3 √3/2 · 3/2 u² over ∫∫ u.
        let cube = block(Vec3::repeat(0.1), Resolution::Divisions(3)).unwrap();
        let face = side(&cube, Vec3::z(), Vec3::new(0.02, 0.01, 0.1));
        assert_near(face.energy(depth), 0.5 * 0.04 * depth * depth, 1e-12);
        let corner = side(&cube, Vec3::repeat(1.0).normalize(), Vec3::repeat(0.1));
        assert_near(corner.energy(depth), 3.0_f64.sqrt() / 8.0 * depth.powi(4), 1e-9);
    }

    /// Of the volume above planes, by halving the depth: the part of a triangle that is above zero.
    #[test]
    fn parts_of_triangles_add_up() {
        for z in [[-1.0, 2.0, 3.0], [-2.0, -1.0, 3.0], [0.5, 1.0, 2.0], [-3.0, -2.0, -1.0]] {
            let n = 400;
            let mut sum = 0.0;
            for i in 0..n {
                for j in 0..n {
                    // The square folded into the triangle.
                    let (s, t) = ((f64::from(i) + 0.5) / f64::from(n), (f64::from(j) + 0.5) / f64::from(n));
                    let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                    let here = z[0] + s * (z[1] - z[0]) + t * (z[2] - z[0]);
                    sum += 0.5 * here.max(0.0).powi(2);
                }
            }
            let mean = sum / f64::from(n * n);
            assert!((half_square(z) - mean).abs() < 1e-4 * (1.0 + mean), "{z:?}");
        }
    }
}
