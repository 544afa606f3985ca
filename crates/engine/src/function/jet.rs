use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value with its first and second derivative by time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// f
    pub value: f64,
    /// ḟ
    pub rate: f64,
    /// f̈
    pub acceleration: f64,
}

impl Jet {
    /// A constant.
    pub fn constant(value: f64) -> Self {
        Self { value, rate: 0.0, acceleration: 0.0 }
    }

    /// Time itself.
    pub fn time(t: f64) -> Self {
        Self { value: t, rate: 1.0, acceleration: 0.0 }
    }

    /// g(f) from g and its derivatives at f (chain rule).
    pub(super) fn chain(self, g: f64, dg: f64, ddg: f64) -> Self {
        Self {
            value: g,
            rate: dg * self.rate,
            acceleration: ddg * self.rate * self.rate + dg * self.acceleration,
        }
    }
}

impl Add for Jet {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self {
            value: self.value + o.value,
            rate: self.rate + o.rate,
            acceleration: self.acceleration + o.acceleration,
        }
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, rate: -self.rate, acceleration: -self.acceleration }
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul for Jet {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self {
            value: self.value * o.value,
            rate: self.rate * o.value + self.value * o.rate,
            acceleration: self.acceleration * o.value
                + 2.0 * self.rate * o.rate
                + self.value * o.acceleration,
        }
    }
}

impl Div for Jet {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let x = o.value;
        self * o.chain(1.0 / x, -1.0 / (x * x), 2.0 / (x * x * x))
    }
}
