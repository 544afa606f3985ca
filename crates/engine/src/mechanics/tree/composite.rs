use std::ops::AddAssign;

use carom_math::{Mat3, Twist, Vec3, Wrench};

use crate::mechanics::BodyData;
use crate::mechanics::kinematics::BodyKinematics;

/// What a rigid body, or a part of a tree that moves as one, answers to displacements with: in world axes, about a point
/// fixed in space.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Composite {
    mass: f64,
    /// h = m c (kg m).
    moment: Vec3,
    /// J about the point (kg m²).
    inertia: Mat3,
    /// P = m v of the centre of mass (N s).
    momentum: Vec3,
    /// T of [`Self::turn`] (N m s).
    turning: Mat3,
    /// Wrench that the motion takes, I a + v ×* I v.
    pub(super) wrench: Wrench,
}

impl Composite {
    /// A body whose centre of mass is at `at` from the point, with its velocity v and acceleration a about the point; what
    /// is to be taken for gravity is in a.
    pub(super) fn of_body(data: &BodyData, body: &BodyKinematics, at: &Vec3, v: &Twist, a: &Twist) -> Self {
        let r = &body.pose.rotation;
        let moment = at * data.mass;
        let inertia = r * data.inertia * r.transpose() + Mat3::from_diagonal_element(moment.dot(at))
            - moment * at.transpose();
        let mut composite = Self { mass: data.mass, moment, inertia, ..Self::default() };
        let momentum = composite.apply(v);
        let spin = v.angular.cross_matrix();
        let product = moment * v.linear.transpose();
        composite.momentum = momentum.force;
        composite.turning = spin * inertia - inertia * spin - momentum.torque.cross_matrix()
            + Mat3::from_diagonal_element(2.0 * moment.dot(&v.linear))
            - product
            - product.transpose();
        composite.wrench = composite.apply(a) + v.cross_wrench(&momentum);
        composite
    }

    /// I m.
    #[inline]
    pub(super) fn apply(&self, m: &Twist) -> Wrench {
        Wrench {
            torque: self.inertia * m.angular + self.moment.cross(&m.linear),
            force: m.linear * self.mass - self.moment.cross(&m.angular),
        }
    }

    /// 2 B m = v ×* I m − I (v × m) + m ×* I v, of which rigid bodies leave (T μ, −2 P × μ) for the angular part μ of m, with
    /// T μ = ω × J μ − J (ω × μ) − v × (h × μ) − h × (v × μ) + μ × L and the angular momentum L about the point.
    #[inline]
    pub(super) fn turn(&self, angular: &Vec3) -> Wrench {
        Wrench { torque: self.turning * angular, force: self.momentum.cross(angular) * -2.0 }
    }

    /// The transpose of [`Self::turn`]: its work on a motion m is that of this vector on μ.
    #[inline]
    pub(super) fn turn_transposed(&self, m: &Twist) -> Vec3 {
        self.turning.tr_mul(&m.angular) + self.momentum.cross(&m.linear) * 2.0
    }
}

impl AddAssign for Composite {
    fn add_assign(&mut self, other: Self) {
        self.mass += other.mass;
        self.moment += other.moment;
        self.inertia += other.inertia;
        self.momentum += other.momentum;
        self.turning += other.turning;
        self.wrench += other.wrench;
    }
}
