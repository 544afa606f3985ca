use crate::{Mat3, Vec3};

/// Quaternion w + xi + yj + zk. As a rotation `R_WB` it need not be of unit length: [`Self::to_matrix`]
/// divides by the squared length, so that an integrator may let the length drift within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion {
    /// Scalar part.
    pub w: f64,
    /// Vector part, x.
    pub x: f64,
    /// Vector part, y.
    pub y: f64,
    /// Vector part, z.
    pub z: f64,
}

impl Quaternion {
    /// No rotation.
    pub const IDENTITY: Self = Self { w: 1.0, x: 0.0, y: 0.0, z: 0.0 };

    /// From components in the order w, x, y, z.
    pub fn new(w: f64, x: f64, y: f64, z: f64) -> Self {
        Self { w, x, y, z }
    }

    /// Rotation by `angle` (rad) about `axis` (any length but zero).
    pub fn from_axis_angle(axis: &Vec3, angle: f64) -> Self {
        let v = axis * (libm::sin(0.5 * angle) / axis.norm());
        Self { w: libm::cos(0.5 * angle), x: v.x, y: v.y, z: v.z }
    }

    /// Rotation about fixed axes, first roll about x, then pitch about y, then yaw about z (rad).
    pub fn from_roll_pitch_yaw(roll: f64, pitch: f64, yaw: f64) -> Self {
        let about = |axis: Vec3, angle| Self::from_axis_angle(&axis, angle);
        about(Vec3::z(), yaw).multiply(&about(Vec3::y(), pitch)).multiply(&about(Vec3::x(), roll))
    }

    /// Rotation by the vector `theta` (rad): its direction is the axis, its length the angle.
    pub fn from_rotation_vector(theta: &Vec3) -> Self {
        let angle = theta.norm();
        // sin(a/2)/a, by its series where the quotient would lose digits.
        let s = if angle < 1e-4 { 0.5 - angle * angle / 48.0 } else { libm::sin(0.5 * angle) / angle };
        Self { w: libm::cos(0.5 * angle), x: s * theta.x, y: s * theta.y, z: s * theta.z }
    }

    /// Rotation vector (rad) of length π at most.
    pub fn to_rotation_vector(&self) -> Vec3 {
        let sign = 1.0_f64.copysign(self.w);
        let v = Vec3::new(self.x, self.y, self.z) * sign;
        let (sine, cosine) = (v.norm(), self.w.abs());
        // angle/sin(angle/2) → 2/cosine for small angles.
        let scale = if sine < 1e-8 { 2.0 / cosine } else { 2.0 * libm::atan2(sine, cosine) / sine };
        v * scale
    }

    /// The inverse rotation, for a quaternion of unit length.
    pub fn conjugate(&self) -> Self {
        Self { w: self.w, x: -self.x, y: -self.y, z: -self.z }
    }

    /// Shortest rotation that takes the unit vector `from` to the unit vector `to`.
    pub fn between(from: &Vec3, to: &Vec3) -> Self {
        let w = 1.0 + from.dot(to);
        if w < 1e-14 {
            let (t, _) = crate::orthonormal_basis(from);
            return Self { w: 0.0, x: t.x, y: t.y, z: t.z };
        }
        let v = from.cross(to);
        Self { w, x: v.x, y: v.y, z: v.z }.normalized()
    }

    /// Rotation matrix of a rotation (proper, orthonormal).
    pub fn from_matrix(r: &Mat3) -> Self {
        // The largest of the four squares is the safe divisor (Shepperd 1978).
        let squares = [
            1.0 + r[(0, 0)] + r[(1, 1)] + r[(2, 2)],
            1.0 + r[(0, 0)] - r[(1, 1)] - r[(2, 2)],
            1.0 - r[(0, 0)] + r[(1, 1)] - r[(2, 2)],
            1.0 - r[(0, 0)] - r[(1, 1)] + r[(2, 2)],
        ];
        let largest = (1..4).fold(0, |k, i| if squares[i] > squares[k] { i } else { k });
        let a = r[(2, 1)] - r[(1, 2)];
        let b = r[(0, 2)] - r[(2, 0)];
        let c = r[(1, 0)] - r[(0, 1)];
        let s01 = r[(0, 1)] + r[(1, 0)];
        let s02 = r[(0, 2)] + r[(2, 0)];
        let s12 = r[(1, 2)] + r[(2, 1)];
        let q = match largest {
            0 => Self::new(squares[0], a, b, c),
            1 => Self::new(a, squares[1], s01, s02),
            2 => Self::new(b, s01, squares[2], s12),
            _ => Self::new(c, s02, s12, squares[3]),
        };
        q.normalized()
    }

    /// Hamilton product `self ⊗ other`: first `other`, then `self`.
    pub fn multiply(&self, o: &Self) -> Self {
        Self {
            w: self.w * o.w - self.x * o.x - self.y * o.y - self.z * o.z,
            x: self.w * o.x + self.x * o.w + self.y * o.z - self.z * o.y,
            y: self.w * o.y - self.x * o.z + self.y * o.w + self.z * o.x,
            z: self.w * o.z + self.x * o.y - self.y * o.x + self.z * o.w,
        }
    }

    /// Length.
    #[inline]
    pub fn norm(&self) -> f64 {
        (self.w * self.w + self.x * self.x + self.y * self.y + self.z * self.z).sqrt()
    }

    /// The same rotation with length one.
    #[inline]
    pub fn normalized(&self) -> Self {
        let s = 1.0 / self.norm();
        Self { w: s * self.w, x: s * self.x, y: s * self.y, z: s * self.z }
    }

    /// Rotation matrix `R_WB`, whatever the length.
    #[inline]
    pub fn to_matrix(&self) -> Mat3 {
        let Self { w, x, y, z } = *self;
        let s = 2.0 / (w * w + x * x + y * y + z * z);
        let (xs, ys, zs) = (s * x, s * y, s * z);
        Mat3::new(
            1.0 - (y * ys + z * zs),
            x * ys - w * zs,
            x * zs + w * ys,
            x * ys + w * zs,
            1.0 - (x * xs + z * zs),
            y * zs - w * xs,
            x * zs - w * ys,
            y * zs + w * xs,
            1.0 - (x * xs + y * ys),
        )
    }

    /// Rate q̇ = ½ q ⊗ (0, ω_B), with the angular velocity in body axes (rad/s).
    #[inline]
    pub fn rate(&self, omega_body: &Vec3) -> Self {
        let (a, b, c) = (0.5 * omega_body.x, 0.5 * omega_body.y, 0.5 * omega_body.z);
        Self {
            w: -self.x * a - self.y * b - self.z * c,
            x: self.w * a + self.y * c - self.z * b,
            y: self.w * b + self.z * a - self.x * c,
            z: self.w * c + self.x * b - self.y * a,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> [Quaternion; 4] {
        [
            Quaternion::IDENTITY,
            Quaternion::from_axis_angle(&Vec3::new(1.0, -2.0, 3.0), 2.9),
            Quaternion::from_axis_angle(&Vec3::y(), std::f64::consts::PI),
            Quaternion::from_roll_pitch_yaw(0.3, -1.2, 2.2),
        ]
    }

    #[test]
    fn matrix_round_trip() {
        for q in samples() {
            let back = Quaternion::from_matrix(&q.to_matrix());
            let dot = q.w * back.w + q.x * back.x + q.y * back.y + q.z * back.z;
            assert!((dot.abs() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn length_does_not_change_the_rotation() {
        for q in samples() {
            let longer = Quaternion::new(1.7 * q.w, 1.7 * q.x, 1.7 * q.y, 1.7 * q.z);
            assert!((longer.to_matrix() - q.to_matrix()).norm() < 1e-15);
        }
    }

    #[test]
    fn product_is_the_matrix_product() {
        for a in samples() {
            for b in samples() {
                let lhs = a.multiply(&b).to_matrix();
                assert!((lhs - a.to_matrix() * b.to_matrix()).norm() < 1e-14);
            }
        }
    }

    #[test]
    fn roll_pitch_yaw_is_about_fixed_axes() {
        let quarter = std::f64::consts::FRAC_PI_2;
        // Roll by 90 deg takes y to z; the yaw that follows about the fixed z axis leaves it there.
        let r = Quaternion::from_roll_pitch_yaw(quarter, 0.0, quarter).to_matrix();
        assert!((r * Vec3::y() - Vec3::z()).norm() < 1e-15);
        assert!((r * Vec3::x() - Vec3::y()).norm() < 1e-15);
    }

    #[test]
    fn rate_is_the_derivative() {
        let omega = Vec3::new(0.4, -0.2, 0.9);
        let h = 1e-6;
        for q in samples() {
            let turned = q.multiply(&Quaternion::from_axis_angle(&omega, h * omega.norm()));
            let rate = q.rate(&omega);
            assert!(((turned.w - q.w) / h - rate.w).abs() < 1e-6);
            assert!(((turned.z - q.z) / h - rate.z).abs() < 1e-6);
        }
    }

    #[test]
    fn rotation_vectors_go_both_ways() {
        for theta in [Vec3::new(1e-6, -2e-6, 0.5e-6), Vec3::new(0.3, -0.2, 0.9), Vec3::new(3.0, 0.1, 0.2)] {
            let back = Quaternion::from_rotation_vector(&theta).to_rotation_vector();
            assert!((back - theta).norm() < 1e-15 * (1.0 + theta.norm()));
        }
    }

    #[test]
    fn between_takes_one_vector_to_the_other() {
        for to in [Vec3::x(), -Vec3::z(), Vec3::new(0.6, 0.0, -0.8)] {
            assert!((Quaternion::between(&Vec3::z(), &to).to_matrix() * Vec3::z() - to).norm() < 1e-15);
        }
    }
}
