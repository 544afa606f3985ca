/// Circular cylinder about the z axis of the shape, centre at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Radius R > 0 (m).
    pub radius: f64,
    /// Half of the length (m): the ends are at z = ±half_length.
    pub half_length: f64,
    /// Which side of the surface is solid.
    pub side: CylinderSide,
}

/// Which side of a cylinder is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CylinderSide {
    /// The inside is solid.
    Solid,
    /// The inside is a cavity; others touch the wall from within.
    Hollow {
        /// The ends are closed by flat walls; without them the cavity is a tube that a body can leave.
        closed: bool,
    },
}
