use carom_math::{Mat3, Vec3};

use crate::eigen::principal_axes;

/// Directions in which a quadric says less than this share of what it says most are left alone.
const VAGUE: f64 = 1e-5;

/// Weighted sum of squared distances from planes n·x = h: xᵀA x − 2 b·x + c.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadric {
    matrix: Mat3,
    vector: Vec3,
    constant: f64,
    /// Sum of the weights.
    pub(super) weight: f64,
}

impl Quadric {
    pub(super) fn zero() -> Self {
        Self { matrix: Mat3::zeros(), vector: Vec3::zeros(), constant: 0.0, weight: 0.0 }
    }

    /// Of one plane, by its unit normal.
    pub(super) fn of_plane(normal: &Vec3, offset: f64, weight: f64) -> Self {
        Self {
            matrix: weight * normal * normal.transpose(),
            vector: weight * offset * normal,
            constant: weight * offset * offset,
            weight,
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.matrix += other.matrix;
        self.vector += other.vector;
        self.constant += other.constant;
        self.weight += other.weight;
    }

    /// At least zero, which rounding may miss.
    pub(super) fn error(&self, x: &Vec3) -> f64 {
        (x.dot(&(self.matrix * x)) - 2.0 * self.vector.dot(x) + self.constant).max(0.0)
    }

    /// Where it is least; of a line or plane of such places the one next to `from` (Lindstrom, "Out-of-core simplification of large
    /// polygonal models", Proc. SIGGRAPH 2000, 259–262).
    pub(super) fn best(&self, from: &Vec3) -> Vec3 {
        let (values, axes) = principal_axes(&self.matrix);
        let slope = self.vector - self.matrix * from;
        let mut place = *from;
        for k in 0..3 {
            if values[k] > VAGUE * values[2] {
                let axis = axes.column(k);
                place += axis * (axis.dot(&slope) / values[k]);
            }
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_planes_meet_in_a_point_and_two_in_a_line() {
        let mut quadric = Quadric::zero();
        quadric.add(&Quadric::of_plane(&Vec3::x(), 1.0, 2.0));
        quadric.add(&Quadric::of_plane(&Vec3::y(), -2.0, 1.0));
        let from = Vec3::new(5.0, 5.0, 7.0);
        assert!((quadric.best(&from) - Vec3::new(1.0, -2.0, 7.0)).norm() < 1e-14);
        // 2 · 4² + 7² from `from`.
        assert!((quadric.error(&from) - 81.0).abs() < 1e-12);
        quadric.add(&Quadric::of_plane(&Vec3::z(), 3.0, 0.5));
        assert!((quadric.best(&from) - Vec3::new(1.0, -2.0, 3.0)).norm() < 1e-14);
    }
}
