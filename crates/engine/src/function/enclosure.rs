//! What a jet can be in an interval of time: the chain rule on intervals.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::interval::Interval;

/// Bounds of a value and its first and second derivative by time. Where a derivative jumps, those of both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Enclosure {
    pub(super) value: Interval,
    pub(super) rate: Interval,
    pub(super) acceleration: Interval,
}

impl Enclosure {
    pub(super) const UNKNOWN: Self =
        Self { value: Interval::ENTIRE, rate: Interval::ENTIRE, acceleration: Interval::ENTIRE };

    pub(super) fn constant(value: Interval) -> Self {
        Self { value, rate: Interval::ZERO, acceleration: Interval::ZERO }
    }

    pub(super) fn time(t: Interval) -> Self {
        Self { value: t, rate: Interval::point(1.0), acceleration: Interval::ZERO }
    }

    /// g(f) from bounds of g and its derivatives over f.
    pub(super) fn chain(self, g: Interval, dg: Interval, ddg: Interval) -> Self {
        Self {
            value: g,
            rate: dg * self.rate,
            acceleration: ddg * self.rate.square() + dg * self.acceleration,
        }
    }

    pub(super) fn hull(self, o: Self) -> Self {
        Self {
            value: self.value.hull(o.value),
            rate: self.rate.hull(o.rate),
            acceleration: self.acceleration.hull(o.acceleration),
        }
    }

    /// 1/f
    fn reciprocal(self) -> Self {
        let x = self.value;
        if x.contains(0.0) {
            return Self::UNKNOWN;
        }
        let one = Interval::point(1.0) / x;
        self.chain(one, -one.square(), one * one.square() * Interval::point(2.0))
    }

    pub(super) fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        if root.lo < 0.0 {
            return Self::UNKNOWN;
        }
        if root.lo == 0.0 {
            // The derivative has no bound next to zero.
            let unknown = if self.rate == Interval::ZERO { Interval::ZERO } else { Interval::ENTIRE };
            return Self { value: root, rate: unknown, acceleration: unknown };
        }
        let (half, quarter) = (Interval::point(0.5), Interval::point(-0.25));
        self.chain(root, half / root, quarter / (root * self.value))
    }

    pub(super) fn sin(self) -> Self {
        let (sin, cos) = (self.value.sin(), self.value.cos());
        self.chain(sin, cos, -sin)
    }

    pub(super) fn cos(self) -> Self {
        let (sin, cos) = (self.value.sin(), self.value.cos());
        self.chain(cos, -sin, -cos)
    }

    pub(super) fn tan(self) -> Self {
        let tan = self.value.tan();
        if tan == Interval::ENTIRE {
            return Self::UNKNOWN;
        }
        let slope = Interval::point(1.0) + tan.square();
        self.chain(tan, slope, Interval::point(2.0) * tan * slope)
    }

    /// fⁿ of a constant n; derivatives of small whole powers have no division by f.
    pub(super) fn power(self, n: f64) -> Self {
        let x = self.value;
        let term = |factor: f64, n: f64| {
            if factor == 0.0 { Interval::ZERO } else { Interval::point(factor) * x.power(n) }
        };
        let value = x.power(n);
        if value == Interval::ENTIRE {
            return Self::UNKNOWN;
        }
        self.chain(value, term(n, n - 1.0), term(n * (n - 1.0), n - 2.0))
    }

    /// atan2(y, x) apart from its cut, the negative x axis: θ̇ = (x ẏ − y ẋ)/r², θ̈ = (x ÿ − y ẍ)/r² − 2 θ̇ (x ẋ + y ẏ)/r².
    /// The second value says whether the cut is.
    pub(super) fn arc_tangent(y: Self, x: Self) -> (Self, bool) {
        let is_cut = y.value.contains(0.0) && x.value.lo <= 0.0;
        let square = x.value.square() + y.value.square();
        if square.lo <= 0.0 {
            return (Self { value: Interval::ANGLES, ..Self::UNKNOWN }, true);
        }
        let rate = (x.value * y.rate - y.value * x.rate) / square;
        let growth = (x.value * x.rate + y.value * y.rate) / square;
        let bend = (x.value * y.acceleration - y.value * x.acceleration) / square;
        let value = if is_cut { Interval::ANGLES } else { y.value.angle_above(x.value) };
        (Self { value, rate, acceleration: bend - Interval::point(2.0) * rate * growth }, is_cut)
    }
}

impl Add for Enclosure {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self {
            value: self.value + o.value,
            rate: self.rate + o.rate,
            acceleration: self.acceleration + o.acceleration,
        }
    }
}

impl Neg for Enclosure {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, rate: -self.rate, acceleration: -self.acceleration }
    }
}

impl Sub for Enclosure {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul for Enclosure {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self {
            value: self.value * o.value,
            rate: self.rate * o.value + self.value * o.rate,
            acceleration: self.acceleration * o.value
                + Interval::point(2.0) * self.rate * o.rate
                + self.value * o.acceleration,
        }
    }
}

impl Div for Enclosure {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        Mul::mul(self, o.reciprocal())
    }
}
