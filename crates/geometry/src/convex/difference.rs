use carom_math::{Pose, Vec3};

use super::Core;
use super::core::SurfacePoint;

/// Minkowski difference C = A − B of two cores, in A's frame: the cores overlap where C holds the origin, and
/// their distance is that of C from the origin.
pub(super) struct Difference<'a> {
    pub(super) a: &'a Core,
    pub(super) b: &'a Core,
    /// Pose of B in A.
    pub(super) x_ab: Pose,
}

/// A point w = a − b of C from a point of each core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// In A's frame.
    pub(super) a: SurfacePoint,
    /// In B's frame.
    pub(super) b: SurfacePoint,
    /// In A's frame (m).
    pub(super) w: Vec3,
}

impl Pair {
    /// Anything, to fill arrays with.
    pub(super) const EMPTY: Self = {
        let none = SurfacePoint { point: Vec3::new(0.0, 0.0, 0.0), branch: 0 };
        Self { a: none, b: none, w: Vec3::new(0.0, 0.0, 0.0) }
    };
}

impl<'a> Difference<'a> {
    /// The relative pose is formed once: from here on nothing depends on where the world's origin is.
    pub(super) fn new(a: &'a Core, x_wa: &Pose, b: &'a Core, x_wb: &Pose) -> Self {
        let x_ab = Pose {
            rotation: x_wa.rotation.tr_mul(&x_wb.rotation),
            translation: x_wa.inverse_transform_point(&x_wb.translation),
        };
        Self { a, b, x_ab }
    }

    #[inline]
    pub(super) fn pair(&self, a: SurfacePoint, b: SurfacePoint) -> Pair {
        Pair { a, b, w: a.point - self.x_ab.transform_point(&b.point) }
    }

    /// Farthest point of C along `n`, a vector of any length but zero in A's frame; the search of hulls starts
    /// at the branches of `near`.
    #[inline]
    pub(super) fn support(&self, n: &Vec3, near: &Pair) -> Pair {
        let a = self.a.support(n, near.a.branch);
        let b = self.b.support(&-self.x_ab.rotation.tr_mul(n), near.b.branch);
        self.pair(a, b)
    }

    /// From the middle of A to the middle of B, in A's frame (m).
    pub(super) fn between(&self) -> Vec3 {
        self.x_ab.transform_point(&self.b.interior()) - self.a.interior()
    }

    /// Whether either surface is curved.
    pub(super) fn is_curved(&self) -> bool {
        self.a.is_curved() || self.b.is_curved()
    }
}
