use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::{Mat3, Vec3};

/// Velocity or acceleration of a rigid body: angular part and linear part of a reference point, in one set
/// of axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Angular velocity ω (rad/s) or acceleration (rad/s²).
    pub angular: Vec3,
    /// Velocity of the reference point (m/s) or its acceleration (m/s²).
    pub linear: Vec3,
}

/// Torque about a reference point and force, in one set of axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Torque (N m).
    pub torque: Vec3,
    /// Force (N).
    pub force: Vec3,
}

macro_rules! linear_space {
    ($name:ident, $first:ident, $second:ident) => {
        impl Add for $name {
            type Output = Self;
            #[inline]
            fn add(self, o: Self) -> Self {
                Self { $first: self.$first + o.$first, $second: self.$second + o.$second }
            }
        }
        impl Sub for $name {
            type Output = Self;
            #[inline]
            fn sub(self, o: Self) -> Self {
                Self { $first: self.$first - o.$first, $second: self.$second - o.$second }
            }
        }
        impl AddAssign for $name {
            #[inline]
            fn add_assign(&mut self, o: Self) {
                *self = *self + o;
            }
        }
        impl SubAssign for $name {
            #[inline]
            fn sub_assign(&mut self, o: Self) {
                *self = *self - o;
            }
        }
        impl Neg for $name {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self { $first: -self.$first, $second: -self.$second }
            }
        }
        impl Mul<f64> for $name {
            type Output = Self;
            #[inline]
            fn mul(self, s: f64) -> Self {
                Self { $first: self.$first * s, $second: self.$second * s }
            }
        }
        impl $name {
            /// Nothing.
            pub const ZERO: Self =
                Self { $first: Vec3::new(0.0, 0.0, 0.0), $second: Vec3::new(0.0, 0.0, 0.0) };
        }
    };
}

linear_space!(Twist, angular, linear);
linear_space!(Wrench, torque, force);

impl Twist {
    /// From both parts.
    #[inline]
    pub fn new(angular: Vec3, linear: Vec3) -> Self {
        Self { angular, linear }
    }

    /// The same motion seen at the reference point displaced by `r`: v + ω × r.
    #[inline]
    pub fn shifted(&self, r: &Vec3) -> Self {
        Self { angular: self.angular, linear: self.linear + self.angular.cross(r) }
    }

    /// Rate of a twist that is carried along by this motion, about the same point fixed in space (Featherstone 2008,
    /// equation 2.31): (ω × μ, ω × ν + v × μ).
    #[inline]
    pub fn cross(&self, carried: &Self) -> Self {
        Self {
            angular: self.angular.cross(&carried.angular),
            linear: self.angular.cross(&carried.linear) + self.linear.cross(&carried.angular),
        }
    }

    /// Rate of a wrench that is carried along by this motion, about the same point fixed in space (Featherstone 2008,
    /// equation 2.32): (ω × τ + v × f, ω × f).
    #[inline]
    pub fn cross_wrench(&self, carried: &Wrench) -> Wrench {
        Wrench {
            torque: self.angular.cross(&carried.torque) + self.linear.cross(&carried.force),
            force: self.angular.cross(&carried.force),
        }
    }

    /// Both parts in other axes.
    #[inline]
    pub fn rotated(&self, rotation: &Mat3) -> Self {
        Self { angular: rotation * self.angular, linear: rotation * self.linear }
    }
}

impl Wrench {
    /// From both parts.
    #[inline]
    pub fn new(torque: Vec3, force: Vec3) -> Self {
        Self { torque, force }
    }

    /// A force that acts at `arm` from the reference point.
    #[inline]
    pub fn of_force(force: Vec3, arm: &Vec3) -> Self {
        Self { torque: arm.cross(&force), force }
    }

    /// Power (W), or work on a displacement, or the matching acceleration.
    #[inline]
    pub fn dot(&self, twist: &Twist) -> f64 {
        self.torque.dot(&twist.angular) + self.force.dot(&twist.linear)
    }

    /// The same wrench about a reference point from which the present one is displaced by `r`.
    #[inline]
    pub fn shifted_back(&self, r: &Vec3) -> Self {
        Self { torque: self.torque + r.cross(&self.force), force: self.force }
    }
}

/// Symmetric 6 × 6 inertia `[A B; Bᵀ D]` of a rigid or articulated body about a reference point:
/// torque = A α + B a, force = Bᵀ α + D a.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpatialInertia {
    /// A (kg m²), symmetric.
    pub angular: Mat3,
    /// B (kg m).
    pub coupling: Mat3,
    /// D (kg), symmetric.
    pub linear: Mat3,
}

impl SpatialInertia {
    /// A rigid body about its centre of mass.
    #[inline(always)]
    pub fn rigid(mass: f64, inertia: Mat3) -> Self {
        Self { angular: inertia, coupling: Mat3::zeros(), linear: Mat3::from_diagonal_element(mass) }
    }

    /// Becomes [`Self::rigid`], in place.
    #[inline(always)]
    pub fn set_rigid(&mut self, mass: f64, inertia: &Mat3) {
        self.angular = *inertia;
        self.coupling = Mat3::zeros();
        self.linear = Mat3::from_diagonal_element(mass);
    }

    /// Wrench that gives the acceleration.
    #[inline(always)]
    pub fn apply(&self, a: &Twist) -> Wrench {
        Wrench {
            torque: self.angular * a.angular + self.coupling * a.linear,
            force: self.coupling.tr_mul(&a.angular) + self.linear * a.linear,
        }
    }

    /// Adds s · u wᵀ; sums of such dyads must be symmetric.
    #[inline(always)]
    pub fn add_dyad(&mut self, s: f64, u: &Wrench, w: &Wrench) {
        let (t, f) = (w.torque * s, w.force * s);
        self.angular += u.torque * t.transpose();
        self.coupling += u.torque * f.transpose();
        self.linear += u.force * f.transpose();
    }

    /// Adds an inertia whose reference point is displaced from the present one by `r`. Moved here, with R = r×, it is
    /// B' = B + R D and A' = A − B' R − (B R)ᵀ, of which the lower triangle is computed.
    #[inline(always)]
    pub fn add_shifted(&mut self, o: &Self, r: &Vec3) {
        let coupling = o.coupling + cross_columns(r, &o.linear);
        let a = |i, j| {
            o.angular[(i, j)] - row_times_cross(&coupling, i, r, j) - row_times_cross(&o.coupling, j, r, i)
        };
        let (yx, zx, zy) = (a(1, 0), a(2, 0), a(2, 1));
        self.angular += Mat3::new(a(0, 0), yx, zx, yx, a(1, 1), zy, zx, zy, a(2, 2));
        self.coupling += coupling;
        self.linear += o.linear;
    }

    /// The mobility that undoes [`Self::apply`], in the same blocks; `None` if the inertia is singular.
    pub fn inverse(&self) -> Option<Self> {
        let mut m = nalgebra::Matrix6::zeros();
        m.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.angular);
        m.fixed_view_mut::<3, 3>(0, 3).copy_from(&self.coupling);
        m.fixed_view_mut::<3, 3>(3, 0).copy_from(&self.coupling.transpose());
        m.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.linear);
        let inverse = m.cholesky()?.inverse();
        Some(Self {
            angular: inverse.fixed_view::<3, 3>(0, 0).into_owned(),
            coupling: inverse.fixed_view::<3, 3>(0, 3).into_owned(),
            linear: inverse.fixed_view::<3, 3>(3, 3).into_owned(),
        })
    }

    /// Acceleration that a wrench causes, where `self` is a mobility.
    #[inline]
    pub fn solve_as_mobility(&self, wrench: &Wrench) -> Twist {
        Twist {
            angular: self.angular * wrench.torque + self.coupling * wrench.force,
            linear: self.coupling.tr_mul(&wrench.torque) + self.linear * wrench.force,
        }
    }
}

/// R M for R = r×.
#[inline]
fn cross_columns(r: &Vec3, m: &Mat3) -> Mat3 {
    Mat3::from_columns(&[
        r.cross(&m.column(0).into_owned()),
        r.cross(&m.column(1).into_owned()),
        r.cross(&m.column(2).into_owned()),
    ])
}

/// Element (i, j) of M R for R = r×: that of (row i of M) × r.
#[inline]
fn row_times_cross(m: &Mat3, i: usize, r: &Vec3, j: usize) -> f64 {
    let (k, l) = ((j + 1) % 3, (j + 2) % 3);
    m[(i, k)] * r[l] - m[(i, l)] * r[k]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> SpatialInertia {
        let mut inertia =
            SpatialInertia::rigid(2.0, Mat3::new(3.0, 0.1, 0.2, 0.1, 2.5, -0.3, 0.2, -0.3, 1.5));
        let u = Wrench::new(Vec3::new(0.3, 0.5, -0.2), Vec3::new(0.7, -0.4, 0.6));
        inertia.add_dyad(-0.2, &u, &u);
        inertia
    }

    /// Adding a shifted inertia is adding what it makes of the shifted motion, shifted back.
    #[test]
    fn shifts_agree() {
        let (inertia, r) = (sample(), Vec3::new(0.4, -1.1, 0.8));
        let motion = Twist::new(Vec3::new(1.0, -2.0, 0.5), Vec3::new(-0.3, 0.9, 1.7));
        let mut sum = sample();
        sum.add_shifted(&inertia, &r);
        let direct = sum.apply(&motion);
        let steps = sample().apply(&motion) + inertia.apply(&motion.shifted(&r)).shifted_back(&r);
        assert!((direct.torque - steps.torque).norm() < 1e-14 && (direct.force - steps.force).norm() < 1e-14);
    }

    #[test]
    fn power_does_not_depend_on_the_reference_point() {
        let r = Vec3::new(0.4, -1.1, 0.8);
        let motion = Twist::new(Vec3::new(1.0, -2.0, 0.5), Vec3::new(-0.3, 0.9, 1.7));
        let wrench = Wrench::new(Vec3::new(0.2, 0.3, 0.4), Vec3::new(-1.0, 2.0, 3.0));
        let here = wrench.shifted_back(&r).dot(&motion);
        assert!((here - wrench.dot(&motion.shifted(&r))).abs() < 1e-14);
    }

    /// What is carried along rigidly keeps its power: the rates of both factors cancel.
    #[test]
    fn carried_twists_and_wrenches_keep_their_power() {
        let carrier = Twist::new(Vec3::new(0.4, 0.7, -1.5), Vec3::new(2.3, -0.9, 0.2));
        let motion = Twist::new(Vec3::new(1.0, -2.0, 0.5), Vec3::new(-0.3, 0.9, 1.7));
        let wrench = Wrench::new(Vec3::new(0.2, 0.3, 0.4), Vec3::new(-1.0, 2.0, 3.0));
        let rate = carrier.cross_wrench(&wrench).dot(&motion) + wrench.dot(&carrier.cross(&motion));
        assert!(rate.abs() < 1e-14);
        // A shift by d is exp(d ×): of second order, the same as `shifted` by −d.
        let shift = Twist::new(Vec3::zeros(), Vec3::new(0.1, 0.2, -0.3));
        assert_eq!(motion + shift.cross(&motion), motion.shifted(&-shift.linear));
    }

    #[test]
    fn the_inverse_undoes_apply() {
        let inertia = sample();
        let a = Twist::new(Vec3::new(1.0, -2.0, 0.5), Vec3::new(-0.3, 0.9, 1.7));
        let back = inertia.inverse().unwrap().solve_as_mobility(&inertia.apply(&a));
        assert!((back.angular - a.angular).norm() + (back.linear - a.linear).norm() < 1e-13);
    }
}
