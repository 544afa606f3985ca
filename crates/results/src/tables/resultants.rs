//! What the contacts of a pair, or the pairs of a line, amount to at one time: forces add up, of
//! penetrations and approach speeds the greatest counts. A pair that does not touch has zeros.

use carom_engine::record::ContactSample;

use crate::scene::angular_unit;

/// How several contacts become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// Sum.
    Sum,
    /// Greatest, and 0 without any contact.
    Max,
}

impl Combine {
    /// One more contact.
    pub fn add(self, so_far: f64, value: f64) -> f64 {
        match self {
            Self::Sum => so_far + value,
            Self::Max => so_far.max(value),
        }
    }
}

/// A quantity of a pair.
pub struct Resultant {
    /// Name without unit, as in the table of contacts.
    pub base: &'static str,
    /// Unit where surfaces touch.
    pub unit: &'static str,
    /// Meaning.
    pub meaning: &'static str,
    /// How contacts combine.
    pub combine: Combine,
    /// The quantity of one contact.
    pub of: fn(&ContactSample) -> f64,
}

impl Resultant {
    /// Unit; what is measured along the normal is an angle or a torque at stops of angles.
    pub fn unit(&self, angular: bool) -> &'static str {
        let is_along_normal = matches!(self.base, "fn" | "penetration" | "approach_speed");
        if angular && is_along_normal { angular_unit(self.unit) } else { self.unit }
    }
}

const fn sum(
    base: &'static str,
    unit: &'static str,
    meaning: &'static str,
    of: fn(&ContactSample) -> f64,
) -> Resultant {
    Resultant { base, unit, meaning, combine: Combine::Sum, of }
}

const fn max(
    base: &'static str,
    unit: &'static str,
    meaning: &'static str,
    of: fn(&ContactSample) -> f64,
) -> Resultant {
    Resultant { base, unit, meaning, combine: Combine::Max, of }
}

/// All quantities of a pair.
pub const RESULTANTS: [Resultant; 11] = [
    sum("fn", "N", "sum of the normal forces", |c| c.normal_force),
    sum("ftx", "N", "sum of the friction forces on B", |c| c.friction_force.x),
    sum("fty", "N", "sum of the friction forces on B", |c| c.friction_force.y),
    sum("ftz", "N", "sum of the friction forces on B", |c| c.friction_force.z),
    sum("mx", "N m", "sum of the rolling and drilling torques on B", |c| c.torque.x),
    sum("my", "N m", "sum of the rolling and drilling torques on B", |c| c.torque.y),
    sum("mz", "N m", "sum of the rolling and drilling torques on B", |c| c.torque.z),
    sum("power", "W", "power that the contacts dissipate", |c| c.dissipated_power),
    max("penetration", "m", "greatest penetration", |c| -c.gap),
    max("pressure", "Pa", "largest pressure of areal contact", |c| c.pressure),
    max("approach_speed", "m/s", "greatest approach speed", |c| c.approach_speed),
];
