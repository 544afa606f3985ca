//! How a contact moves and turns while its solids do.

use carom_math::Vec3;

/// Velocity of a rigid solid (world axes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// A point of it (m).
    pub origin: Vec3,
    /// Velocity of that point (m/s).
    pub velocity: Vec3,
    /// Angular velocity (rad/s).
    pub spin: Vec3,
}

/// Rates of a contact (world axes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRates {
    /// Of its place, halfway between the surfaces (m/s).
    pub position: Vec3,
    /// Of its normal, from A to B (1/s).
    pub normal: Vec3,
}

/// A tip c, the centre of a rounding or a point, over a piece of another solid: a face or line, or an edge or corner that it is about.
pub(crate) struct TipOver {
    pub(crate) centre: Vec3,
    /// u, from the piece to the tip (unit vector).
    pub(crate) outward: Vec3,
    /// Of an edge or corner: what turns u, as it sees the tip move, over their distance (1/s); zero of a face.
    pub(crate) turning: Vec3,
    /// From the tip to the contact, halfway between the surfaces (m).
    pub(crate) depth: f64,
}

impl RigidMotion {
    /// Velocity of the solid at a point (m/s).
    pub(crate) fn at(&self, point: &Vec3) -> Vec3 {
        self.velocity + self.spin.cross(&(point - self.origin))
    }
}

impl ContactRates {
    /// The same contact with A and B exchanged.
    pub(crate) fn swapped(self) -> Self {
        Self { normal: -self.normal, ..self }
    }
}

impl TipOver {
    /// Rates of its contact, with the tip's solid as the A, for the piece as it moves `under` and the tip `over` it.
    pub(crate) fn rates(&self, [under, over]: [&RigidMotion; 2]) -> ContactRates {
        self.rates_with(under, over.at(&self.centre))
    }

    /// The same for a tip with a velocity ċ of its own (m/s): u̇ = ω × u + what turns it besides, and ṗ = ċ − d u̇ − ḋ u, of which ḋ is half of
    /// the speed of the tip along u.
    pub(crate) fn rates_with(&self, under: &RigidMotion, tip: Vec3) -> ContactRates {
        let outward = &self.outward;
        let rate = under.spin.cross(outward) + self.turning;
        let opening = outward.dot(&(tip - under.at(&self.centre)));
        ContactRates { position: tip - self.depth * rate - 0.5 * opening * outward, normal: -rate }
    }

    /// What turns the unit vector from an edge or corner to a tip, `away` (m), as they part with a speed across (m/s).
    pub(crate) fn turning(away: &Vec3, across: &Vec3) -> Vec3 {
        let outward = away.normalize();
        (across - outward * outward.dot(across)) / away.norm()
    }
}
