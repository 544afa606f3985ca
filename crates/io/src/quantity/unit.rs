use std::f64::consts::PI;

use super::Dimension;

/// Value of one unit: `factor · 10^power` in SI. The power of ten is kept apart so that `60 mm` is read
/// as the decimal 60e-3 and gives the same bits as the number 0.06.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    pub(crate) power_of_ten: f64,
    pub(crate) factor: f64,
    pub(crate) dimension: Dimension,
}

impl Unit {
    pub(crate) fn times(self, o: Self) -> Self {
        Self {
            power_of_ten: self.power_of_ten + o.power_of_ten,
            factor: self.factor * o.factor,
            dimension: self.dimension.times(o.dimension),
        }
    }

    pub(crate) fn power(self, n: f64) -> Self {
        Self {
            power_of_ten: n * self.power_of_ten,
            factor: if self.factor == 1.0 { 1.0 } else { libm::pow(self.factor, n) },
            dimension: self.dimension.power(n),
        }
    }
}

/// Units by name: name, power of ten, factor, dimension.
const UNITS: [(&str, f64, f64, Dimension); 61] = [
    ("m", 0.0, 1.0, Dimension::LENGTH),
    ("nm", -9.0, 1.0, Dimension::LENGTH),
    ("um", -6.0, 1.0, Dimension::LENGTH),
    ("µm", -6.0, 1.0, Dimension::LENGTH),
    ("mm", -3.0, 1.0, Dimension::LENGTH),
    ("cm", -2.0, 1.0, Dimension::LENGTH),
    ("dm", -1.0, 1.0, Dimension::LENGTH),
    ("km", 3.0, 1.0, Dimension::LENGTH),
    ("g", -3.0, 1.0, Dimension::MASS),
    ("ug", -9.0, 1.0, Dimension::MASS),
    ("µg", -9.0, 1.0, Dimension::MASS),
    ("mg", -6.0, 1.0, Dimension::MASS),
    ("kg", 0.0, 1.0, Dimension::MASS),
    ("t", 3.0, 1.0, Dimension::MASS),
    ("s", 0.0, 1.0, Dimension::TIME),
    ("ns", -9.0, 1.0, Dimension::TIME),
    ("us", -6.0, 1.0, Dimension::TIME),
    ("µs", -6.0, 1.0, Dimension::TIME),
    ("ms", -3.0, 1.0, Dimension::TIME),
    ("min", 0.0, 60.0, Dimension::TIME),
    ("h", 0.0, 3600.0, Dimension::TIME),
    ("N", 0.0, 1.0, Dimension::FORCE),
    ("nN", -9.0, 1.0, Dimension::FORCE),
    ("uN", -6.0, 1.0, Dimension::FORCE),
    ("µN", -6.0, 1.0, Dimension::FORCE),
    ("mN", -3.0, 1.0, Dimension::FORCE),
    ("kN", 3.0, 1.0, Dimension::FORCE),
    ("MN", 6.0, 1.0, Dimension::FORCE),
    ("GN", 9.0, 1.0, Dimension::FORCE),
    ("Pa", 0.0, 1.0, Dimension::PRESSURE),
    ("mPa", -3.0, 1.0, Dimension::PRESSURE),
    ("hPa", 2.0, 1.0, Dimension::PRESSURE),
    ("kPa", 3.0, 1.0, Dimension::PRESSURE),
    ("MPa", 6.0, 1.0, Dimension::PRESSURE),
    ("GPa", 9.0, 1.0, Dimension::PRESSURE),
    ("TPa", 12.0, 1.0, Dimension::PRESSURE),
    ("J", 0.0, 1.0, Dimension::ENERGY),
    ("nJ", -9.0, 1.0, Dimension::ENERGY),
    ("uJ", -6.0, 1.0, Dimension::ENERGY),
    ("mJ", -3.0, 1.0, Dimension::ENERGY),
    ("kJ", 3.0, 1.0, Dimension::ENERGY),
    ("MJ", 6.0, 1.0, Dimension::ENERGY),
    ("GJ", 9.0, 1.0, Dimension::ENERGY),
    ("W", 0.0, 1.0, Dimension::POWER),
    ("uW", -6.0, 1.0, Dimension::POWER),
    ("mW", -3.0, 1.0, Dimension::POWER),
    ("kW", 3.0, 1.0, Dimension::POWER),
    ("MW", 6.0, 1.0, Dimension::POWER),
    ("GW", 9.0, 1.0, Dimension::POWER),
    ("Hz", 0.0, 1.0, Dimension::FREQUENCY),
    ("kHz", 3.0, 1.0, Dimension::FREQUENCY),
    ("MHz", 6.0, 1.0, Dimension::FREQUENCY),
    ("GHz", 9.0, 1.0, Dimension::FREQUENCY),
    ("rad", 0.0, 1.0, Dimension::ANGLE),
    ("urad", -6.0, 1.0, Dimension::ANGLE),
    ("µJ", -6.0, 1.0, Dimension::ENERGY),
    ("mrad", -3.0, 1.0, Dimension::ANGLE),
    ("deg", 0.0, PI / 180.0, Dimension::ANGLE),
    ("rev", 0.0, 2.0 * PI, Dimension::ANGLE),
    ("rpm", 0.0, PI / 30.0, Dimension::ANGULAR_VELOCITY),
    ("%", -2.0, 1.0, Dimension::NONE),
];

/// Units whose letter is a common name of a parameter (height, thickness, work). A parameter may take
/// the name; the letter is then no unit in its scope.
const WEAK: [&str; 4] = ["h", "t", "J", "W"];

/// The unit of this name.
pub(crate) fn find_unit(name: &str) -> Option<Unit> {
    UNITS.iter().find(|u| u.0 == name).map(|u| Unit { power_of_ten: u.1, factor: u.2, dimension: u.3 })
}

/// A unit whose name no parameter may have.
pub(crate) fn is_strong_unit(name: &str) -> bool {
    !is_weak_unit(name) && find_unit(name).is_some()
}

/// A unit that a parameter of the same name replaces.
pub(crate) fn is_weak_unit(name: &str) -> bool {
    WEAK.contains(&name)
}

/// All names, for suggestions.
pub(crate) fn unit_names() -> impl Iterator<Item = &'static str> + Clone {
    UNITS.iter().map(|u| u.0)
}
