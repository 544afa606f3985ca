use carom_math::{Mat3, Vec3};

use crate::eigen::principal_axes;

/// How the plane of a region is laid through its contours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlaneFit {
    /// Least squares: the centred covariance, integrated along the contours.
    #[default]
    Covariance,
    /// As published (Dopico et al. 2010, eq. 21–23): the factors of AᵀA, with a row (x, y, z, 1) for every node in B's frame, where the
    /// unknown of the smallest pivot is set to one. It depends on B's frame and on how contours are cut into segments.
    Pivot,
}

/// (λ₂ − λ₁)/λ₃ below which contours are a line to the eye.
const LEAST_DEFINITENESS: f64 = 1e-3;

/// What is known of the contours of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Length-weighted middle (m), in B's frame.
    pub(super) middle: Vec3,
    /// ∫ r rᵀ dl about the middle (m³).
    pub(super) covariance: Mat3,
    /// AᵀA of the pivot form, where it is asked for.
    pub(super) products: Option<[[f64; 4]; 4]>,
    /// Area vector, from A to B (m²); zero if the contours are open.
    pub(super) area_vector: Vec3,
    /// Normals of the triangles that meet, those of A less those of B, by length of their segments.
    pub(super) facing: Vec3,
}

/// A plane through a point with its unit normal, from A to B.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: Vec3,
    pub(super) through: Vec3,
    pub(super) definiteness: f64,
}

pub(super) fn find_plane(shape: &Shape) -> Plane {
    let (moments, axes) = principal_axes(&shape.covariance);
    let definiteness = if moments[2] > 0.0 { (moments[1] - moments[0]) / moments[2] } else { 0.0 };
    // Which way is from A to B.
    let forward = [shape.area_vector, shape.facing].into_iter().find(|v| v.norm_squared() > 0.0);
    let forward = forward.unwrap_or_else(Vec3::z);
    let orient = |normal: Vec3| {
        let along = [forward, shape.facing].into_iter().map(|v| normal.dot(&v)).find(|x| *x != 0.0);
        if along.is_some_and(|x| x < 0.0) { -normal } else { normal }
    };
    if definiteness.is_nan() || definiteness < LEAST_DEFINITENESS {
        let normal = forward.try_normalize(0.0).unwrap_or_else(Vec3::z);
        return Plane { normal, through: shape.middle, definiteness: definiteness.max(0.0) };
    }
    if let Some([x, y, z, d]) = shape.products.map(smallest_pivot) {
        let normal = Vec3::new(x, y, z);
        let squared = normal.norm_squared();
        if squared > 0.0 {
            let foot = shape.middle - normal * ((normal.dot(&shape.middle) + d) / squared);
            return Plane { normal: orient(normal / squared.sqrt()), through: foot, definiteness };
        }
    }
    Plane { normal: orient(axes.column(0).into_owned()), through: shape.middle, definiteness }
}

/// The solution of m x = 0 with x = 1 for the unknown of the smallest pivot, by elimination with the largest diagonal entry
/// first.
fn smallest_pivot(mut m: [[f64; 4]; 4]) -> [f64; 4] {
    let mut order = [0, 1, 2, 3];
    for step in 0..3 {
        let largest = (step + 1..4)
            .fold(step, |best, k| if m[order[k]][order[k]] > m[order[best]][order[best]] { k } else { best });
        order.swap(step, largest);
        let pivot = order[step];
        if m[pivot][pivot] <= 0.0 {
            break;
        }
        for &row in &order[step + 1..] {
            let factor = m[row][pivot] / m[pivot][pivot];
            for &column in &order[step..] {
                m[row][column] -= factor * m[pivot][column];
            }
        }
    }
    let mut x = [0.0; 4];
    x[order[3]] = 1.0;
    for step in (0..3).rev() {
        let pivot = order[step];
        let known: f64 = order[step + 1..].iter().map(|&column| m[pivot][column] * x[column]).sum();
        x[pivot] = if m[pivot][pivot] > 0.0 { -known / m[pivot][pivot] } else { 0.0 };
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of the plane x + 2 y − 2 z = 3 solve it exactly.
    #[test]
    fn the_smallest_pivot_finds_the_plane_of_points_on_it() {
        let mut products = [[0.0; 4]; 4];
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 2.0), (-1.0, 0.5)] {
            let row = [x, y, (x + 2.0 * y - 3.0) / 2.0, 1.0];
            for i in 0..4 {
                for j in 0..4 {
                    products[i][j] += row[i] * row[j];
                }
            }
        }
        let [x, y, z, d] = smallest_pivot(products);
        let scale = 3.0 / Vec3::new(x, y, z).norm();
        let sign = scale.copysign(x);
        let expected = [1.0, 2.0, -2.0, -3.0];
        for (found, expected) in [x, y, z, d].into_iter().zip(expected) {
            assert!((sign * found - expected).abs() < 1e-12, "{x} {y} {z} {d}");
        }
    }
}
