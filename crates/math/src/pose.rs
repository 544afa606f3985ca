use crate::{Mat3, Vec3};

/// Rigid pose `X_AB` of a frame B in a frame A: rotation `R_AB` and origin `p_AB`, in A's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Rotation `R_AB`: `v_A = R_AB v_B`.
    pub rotation: Mat3,
    /// Origin of B seen from A, in A's axes (m).
    pub translation: Vec3,
}

impl Pose {
    /// B coincides with A.
    pub fn identity() -> Self {
        Self { rotation: Mat3::identity(), translation: Vec3::zeros() }
    }

    /// B is A shifted.
    pub fn from_translation(translation: Vec3) -> Self {
        Self { rotation: Mat3::identity(), translation }
    }

    /// `X_AC = X_AB X_BC`.
    #[inline]
    pub fn compose(&self, x_bc: &Pose) -> Pose {
        Pose {
            rotation: self.rotation * x_bc.rotation,
            translation: self.translation + self.rotation * x_bc.translation,
        }
    }

    /// `X_BA`.
    pub fn inverse(&self) -> Pose {
        let rotation = self.rotation.transpose();
        Pose { rotation, translation: -(rotation * self.translation) }
    }

    /// Point given in B, seen in A.
    #[inline]
    pub fn transform_point(&self, p_b: &Vec3) -> Vec3 {
        self.translation + self.rotation * p_b
    }

    /// Point given in A, seen in B. The difference is formed first, so that the result keeps its
    /// digits far from the origin.
    #[inline]
    pub fn inverse_transform_point(&self, p_a: &Vec3) -> Vec3 {
        self.rotation.tr_mul(&(p_a - self.translation))
    }

    /// Third column of the rotation: B's z axis in A.
    #[inline]
    pub fn z_axis(&self) -> Vec3 {
        self.rotation.column(2).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quaternion;

    #[test]
    fn inverse_undoes_compose() {
        let a = Pose {
            rotation: Quaternion::from_axis_angle(&Vec3::new(1.0, 2.0, -0.5), 0.7).to_matrix(),
            translation: Vec3::new(3.0, -1.0, 2.0),
        };
        let x = a.compose(&a.inverse());
        assert!((x.rotation - Mat3::identity()).norm() < 1e-15);
        assert!(x.translation.norm() < 1e-15);
        let p = Vec3::new(0.3, 0.2, 0.1);
        assert!((a.inverse_transform_point(&a.transform_point(&p)) - p).norm() < 1e-15);
    }
}
