//! Mass properties of solids of uniform density.

use carom_math::{Mat3, Vec3};

/// Mass, centre and inertia of a solid, in the frame of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass (m).
    pub com: Vec3,
    /// Inertia about the centre of mass (kg m²).
    pub inertia: Mat3,
}
