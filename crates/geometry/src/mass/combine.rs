use carom_math::{Mat3, Pose, Vec3};

use super::MassProperties;

impl MassProperties {
    /// Nothing.
    pub const ZERO: Self = Self {
        mass: 0.0,
        com: Vec3::new(0.0, 0.0, 0.0),
        inertia: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// The same solid seen from frame A, given its pose `X_AB` there: com_A = X_AB com_B,
    /// I_A = R_AB I_B R_ABᵀ.
    pub fn transformed(&self, x_ab: &Pose) -> Self {
        let inertia = x_ab.rotation * self.inertia * x_ab.rotation.transpose();
        Self { mass: self.mass, com: x_ab.transform_point(&self.com), inertia: symmetric_part(&inertia) }
    }

    /// One solid from several that share a frame: m = Σ mₖ, c = Σ mₖ cₖ/m, and by the parallel-axis theorem
    /// I = Σ Iₖ + mₖ (‖rₖ‖² 1 − rₖ rₖᵀ) with rₖ = cₖ − c.
    ///
    /// A negative mass cuts a hole. The sum is taken in the order given; without any mass the result is
    /// [`Self::ZERO`].
    pub fn combine(parts: &[Self]) -> Self {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        if mass == 0.0 {
            return Self::ZERO;
        }
        // About the first centre, so that small solids far from the origin keep their digits.
        let origin = parts[0].com;
        let moment = parts.iter().fold(Vec3::zeros(), |sum, part| sum + part.mass * (part.com - origin));
        let com = origin + moment / mass;
        let inertia = parts.iter().fold(Mat3::zeros(), |sum, part| {
            let r = part.com - com;
            sum + part.inertia
                + part.mass * (Mat3::from_diagonal_element(r.norm_squared()) - r * r.transpose())
        });
        Self { mass, com, inertia }
    }
}

fn symmetric_part(m: &Mat3) -> Mat3 {
    0.5 * (m + m.transpose())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use carom_math::Quaternion;

    fn block(half: Vec3) -> MassProperties {
        MassProperties::of_shape(&Shape::Box { half }, 700.0).unwrap()
    }

    #[test]
    fn two_halves_of_a_block_are_the_block() {
        let x_wb = Pose {
            rotation: Quaternion::new(0.3, -0.5, 0.7, 0.2).to_matrix(),
            translation: Vec3::new(3.0, -40.0, 7.0),
        };
        let half = block(Vec3::new(0.1, 0.2, 0.15));
        let side = |x: f64| half.transformed(&x_wb.compose(&Pose::from_translation(Vec3::new(x, 0.0, 0.0))));
        let both = MassProperties::combine(&[side(0.1), side(-0.1)]);
        let whole = block(Vec3::new(0.2, 0.2, 0.15)).transformed(&x_wb);
        // Positions of 40 m leave 1e-14 m; the inertia follows with the arm of 0.1 m.
        assert!((both.mass - whole.mass).abs() <= 1e-15 * whole.mass);
        assert!((both.com - whole.com).norm() < 1e-13);
        assert!((both.inertia - whole.inertia).norm() < 1e-13 * whole.inertia.norm());
    }

    #[test]
    fn a_hole_is_a_negative_mass() {
        let outer = block(Vec3::repeat(0.2));
        let inner = block(Vec3::repeat(0.1));
        let hole = MassProperties { mass: -inner.mass, com: inner.com, inertia: -inner.inertia };
        let shell = MassProperties::combine(&[outer, hole]);
        // m (2 a²)/3 of each cube.
        let expected = 2.0 / 3.0 * (outer.mass * 0.04 - inner.mass * 0.01);
        assert!((shell.inertia[(2, 2)] - expected).abs() < 1e-14 * expected);
    }

    #[test]
    fn nothing_has_no_mass() {
        assert_eq!(MassProperties::combine(&[]), MassProperties::ZERO);
    }
}
