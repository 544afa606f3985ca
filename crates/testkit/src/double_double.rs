use std::ops::{Add, Div, Mul, Neg, Sub};

/// Number of twice the digits of f64, as an unevaluated sum (Dekker 1971, Knuth's two-sum, products by
/// fused multiply-add). Relative error per operation below 1e-31: an oracle for the last digits of f64.
/// No special values: overflow, infinities and NaN are outside its domain.
#[derive(Clone, Copy, Debug)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// Zero.
    pub const ZERO: Self = Self { high: 0.0, low: 0.0 };

    /// The nearest f64.
    pub fn to_f64(self) -> f64 {
        self.high
    }

    /// Square root of a number that is not negative.
    pub fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::ZERO;
        }
        // One Newton step doubles the digits of the root in f64.
        let root = Self::from(self.high.sqrt());
        root + (self - root * root) / (root + root)
    }

    /// Absolute value.
    pub fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }

    /// The larger of two.
    pub fn max(self, other: Self) -> Self {
        if (self - other).high < 0.0 { other } else { self }
    }

    /// The smaller of two.
    pub fn min(self, other: Self) -> Self {
        -(-self).max(-other)
    }

    /// Nearest number of the interval [low, high].
    pub fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }

    fn two_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let shadow = high - a;
        Self { high, low: (a - (high - shadow)) + (b - shadow) }
    }

    /// Needs |a| ≥ |b|.
    fn quick_two_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        Self { high, low: b - (high - a) }
    }
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let s = Self::two_sum(self.high, other.high);
        let t = Self::two_sum(self.low, other.low);
        let s = Self::quick_two_sum(s.high, s.low + t.high);
        Self::quick_two_sum(s.high, s.low + t.low)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let high = self.high * other.high;
        let low = self.high.mul_add(other.high, -high) + (self.high * other.low + self.low * other.high);
        Self::quick_two_sum(high, low)
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        Self::quick_two_sum(first, second) + Self::from(rest.high / other.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dd(x: f64) -> DoubleDouble {
        DoubleDouble::from(x)
    }

    #[test]
    fn digits_beyond_f64_survive() {
        let tiny = dd(1.0) / dd(3.0) * dd(3.0) - dd(1.0);
        assert!(tiny.to_f64().abs() < 1e-31);
        let root = dd(2.0).sqrt();
        assert!((root * root - dd(2.0)).to_f64().abs() < 1e-30);
        assert_eq!((dd(1e16) + dd(1.0) - dd(1e16)).to_f64(), 1.0);
        // 0.1 × 10 − 1 is the error of the literal, exactly 2⁻⁵⁴.
        assert_eq!((dd(0.1) * dd(10.0) - dd(1.0)).to_f64(), 2f64.powi(-54));
    }

    #[test]
    fn comparisons_see_the_low_part() {
        let more = dd(1.0) + dd(1e-20);
        assert_eq!((more.max(dd(1.0)) - dd(1.0)).to_f64(), 1e-20);
        assert_eq!((more.min(dd(1.0)) - dd(1.0)).to_f64(), 0.0);
        assert_eq!((more.clamp(dd(0.0), dd(1.0)) - dd(1.0)).to_f64(), 0.0);
        assert_eq!((-more).abs().to_f64(), 1.0);
    }
}
