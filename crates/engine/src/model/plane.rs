use carom_math::{Mat3, Vec3};

/// Plane of a planar model: its axes in their order, the normal being the third.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// x to the right, y up; angles turn x to y.
    Xy,
    /// y to the right, z up; angles turn y to z.
    Yz,
    /// z to the right, x up; angles turn z to x.
    Zx,
}

impl Plane {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Xy, Self::Yz, Self::Zx];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xy => "xy",
            Self::Yz => "yz",
            Self::Zx => "zx",
        }
    }

    /// Rotation that takes the x, y and z axes to the first and the second axis of the plane and to its normal.
    pub fn rotation(self) -> Mat3 {
        let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
        match self {
            Self::Xy => Mat3::identity(),
            Self::Yz => Mat3::from_columns(&[y, z, x]),
            Self::Zx => Mat3::from_columns(&[z, x, y]),
        }
    }

    /// Unit normal, about which angles turn.
    pub fn normal(self) -> Vec3 {
        self.rotation().column(2).into()
    }

    /// The vector with two components in the plane.
    pub fn vector(self, first: f64, second: f64) -> Vec3 {
        self.rotation() * Vec3::new(first, second, 0.0)
    }
}
