use std::fmt;

/// Exponents of the base units. Exponents may be fractional (`N/m^1.5`). The radian multiplies away: it
/// is carried so that a bare number is not taken for an angle, and does not count otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimension {
    /// Exponent of m.
    pub length: f64,
    /// Exponent of kg.
    pub mass: f64,
    /// Exponent of s.
    pub time: f64,
    /// Exponent of rad.
    pub angle: f64,
}

/// Exponents that differ by less are the same; they are small sums of what the user wrote.
const TOLERANCE: f64 = 1e-9;

impl Dimension {
    /// A plain number.
    pub const NONE: Self = Self::new(0.0, 0.0, 0.0);
    /// m
    pub const LENGTH: Self = Self::new(1.0, 0.0, 0.0);
    /// kg
    pub const MASS: Self = Self::new(0.0, 1.0, 0.0);
    /// s
    pub const TIME: Self = Self::new(0.0, 0.0, 1.0);
    /// rad
    pub const ANGLE: Self = Self { length: 0.0, mass: 0.0, time: 0.0, angle: 1.0 };
    /// m/s
    pub const VELOCITY: Self = Self::new(1.0, 0.0, -1.0);
    /// rad/s
    pub const ANGULAR_VELOCITY: Self = Self { length: 0.0, mass: 0.0, time: -1.0, angle: 1.0 };
    /// m/s²
    pub const ACCELERATION: Self = Self::new(1.0, 0.0, -2.0);
    /// kg/m³
    pub const DENSITY: Self = Self::new(-3.0, 1.0, 0.0);
    /// kg m²
    pub const INERTIA: Self = Self::new(2.0, 1.0, 0.0);
    /// N
    pub const FORCE: Self = Self::new(1.0, 1.0, -2.0);
    /// Pa
    pub const PRESSURE: Self = Self::new(-1.0, 1.0, -2.0);
    /// J = N m
    pub const ENERGY: Self = Self::new(2.0, 1.0, -2.0);
    /// W
    pub const POWER: Self = Self::new(2.0, 1.0, -3.0);
    /// Hz
    pub const FREQUENCY: Self = Self::new(0.0, 0.0, -1.0);
    /// N s/m
    pub const VISCOUS: Self = Self::new(0.0, 1.0, -1.0);
    /// N s
    pub const IMPULSE: Self = Self::new(1.0, 1.0, -1.0);
    /// s/m
    pub const SLOWNESS: Self = Self::new(-1.0, 0.0, 1.0);
    /// N/m
    pub const LINE_STIFFNESS: Self = Self::new(0.0, 1.0, -2.0);
    /// N m/rad
    pub const TORSIONAL_STIFFNESS: Self = Self { length: 2.0, mass: 1.0, time: -2.0, angle: -1.0 };
    /// N m s/rad
    pub const TORSIONAL_DAMPING: Self = Self { length: 2.0, mass: 1.0, time: -1.0, angle: -1.0 };
    /// N/m⁵
    pub const VOLUME_STIFFNESS: Self = Self::new(-4.0, 1.0, -2.0);
    /// N s/m³
    pub const AREAL_DAMPING: Self = Self::new(-2.0, 1.0, -1.0);

    const fn new(length: f64, mass: f64, time: f64) -> Self {
        Self { length, mass, time, angle: 0.0 }
    }

    /// N/mⁿ, the unit of a contact stiffness.
    pub fn stiffness(exponent: f64) -> Self {
        Self::new(1.0 - exponent, 1.0, -2.0)
    }

    /// Of a product.
    pub fn times(self, o: Self) -> Self {
        Self {
            length: self.length + o.length,
            mass: self.mass + o.mass,
            time: self.time + o.time,
            angle: self.angle + o.angle,
        }
    }

    /// Of a power.
    pub fn power(self, n: f64) -> Self {
        Self { length: n * self.length, mass: n * self.mass, time: n * self.time, angle: n * self.angle }
    }

    /// Equal apart from radians.
    pub fn matches(self, o: Self) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < TOLERANCE;
        near(self.length, o.length) && near(self.mass, o.mass) && near(self.time, o.time)
    }

    /// Equal, radians included.
    pub fn equals(self, o: Self) -> bool {
        self.matches(o) && (self.angle - o.angle).abs() < TOLERANCE
    }

    /// No metres, kilograms or seconds.
    pub fn is_pure(self) -> bool {
        self.matches(Self::NONE)
    }
}

/// Units people use for composed dimensions, for messages.
const COMPOSED: [(&str, Dimension); 10] = [
    ("N", Dimension::FORCE),
    ("Pa", Dimension::PRESSURE),
    ("N*m", Dimension::ENERGY),
    ("N*m/rad", Dimension::TORSIONAL_STIFFNESS),
    ("N*m*s/rad", Dimension::TORSIONAL_DAMPING),
    ("W", Dimension::POWER),
    ("kg/m^3", Dimension::DENSITY),
    ("N*s/m", Dimension::VISCOUS),
    ("N*s", Dimension::IMPULSE),
    ("N*s/m^3", Dimension::AREAL_DAMPING),
];

impl fmt::Display for Dimension {
    /// As a unit of the model file: `m/s^2`, `N/m^1.5`; `1` for a plain number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = COMPOSED.iter().find(|(_, d)| d.equals(*self)) {
            return f.write_str(name);
        }
        // A force per power of a length is a contact stiffness.
        if self.mass == 1.0 && self.time == -2.0 && self.angle == 0.0 && self.length < 1.0 {
            return write!(f, "N/{}", factor("m", 1.0 - self.length));
        }
        let bases = [("kg", self.mass), ("m", self.length), ("rad", self.angle), ("s", self.time)];
        let above: Vec<String> = bases.iter().filter(|b| b.1 > TOLERANCE).map(|b| factor(b.0, b.1)).collect();
        let below: Vec<String> =
            bases.iter().filter(|b| b.1 < -TOLERANCE).map(|b| factor(b.0, -b.1)).collect();
        let above = if above.is_empty() { "1".to_owned() } else { above.join("*") };
        f.write_str(&above)?;
        below.iter().try_for_each(|b| write!(f, "/{b}"))
    }
}

fn factor(base: &str, exponent: f64) -> String {
    if (exponent - 1.0).abs() < TOLERANCE { base.to_owned() } else { format!("{base}^{exponent}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_print_as_units() {
        assert_eq!(Dimension::ACCELERATION.to_string(), "m/s^2");
        assert_eq!(Dimension::stiffness(1.5).to_string(), "N/m^1.5");
        assert_eq!(Dimension::ANGULAR_VELOCITY.to_string(), "rad/s");
        assert_eq!(Dimension::SLOWNESS.to_string(), "s/m");
        assert_eq!(Dimension::LENGTH.power(-1.0).to_string(), "1/m");
        assert_eq!(Dimension::NONE.to_string(), "1");
    }
}
