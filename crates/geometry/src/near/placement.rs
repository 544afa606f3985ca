use carom_math::{Mat3, Pose, Vec3};

use super::SearchFault;

/// `X_TB`, the pose of the base in the target, as plain numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    pub(crate) rows: [[f64; 3]; 3],
    pub(crate) shift: [f64; 3],
}

impl Placement {
    pub(crate) fn checked(x_tb: &Pose) -> Result<Self, SearchFault> {
        let r = &x_tb.rotation;
        let placement = Self {
            rows: [0, 1, 2].map(|i| [r[(i, 0)], r[(i, 1)], r[(i, 2)]]),
            shift: x_tb.translation.into(),
        };
        let mut numbers = placement.rows.as_flattened().iter().chain(&placement.shift);
        if numbers.all(|x| x.is_finite()) { Ok(placement) } else { Err(SearchFault::PoseNotFinite) }
    }

    /// The pose that it was made of.
    pub(crate) fn pose(&self) -> Pose {
        let rotation = Mat3::from_fn(|i, j| self.rows[i][j]);
        Pose { rotation, translation: Vec3::from(self.shift) }
    }

    #[inline(always)]
    pub(crate) fn turn(&self, v: [f64; 3]) -> [f64; 3] {
        [dot(self.rows[0], v), dot(self.rows[1], v), dot(self.rows[2], v)]
    }

    #[inline(always)]
    pub(crate) fn take(&self, p: [f64; 3]) -> [f64; 3] {
        let v = self.turn(p);
        [v[0] + self.shift[0], v[1] + self.shift[1], v[2] + self.shift[2]]
    }
}

#[inline(always)]
pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
