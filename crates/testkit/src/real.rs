use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::DoubleDouble;

/// What closed forms are written in, to be evaluated with the digits of f64 or with twice as many.
pub trait Real:
    Copy
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The nearest f64.
    fn to_f64(self) -> f64;

    /// Square root of a number that is not negative.
    fn sqrt(self) -> Self;

    /// Absolute value.
    fn abs(self) -> Self {
        if self.to_f64() < 0.0 { -self } else { self }
    }

    /// Is it less than another one?
    fn is_below(self, other: Self) -> bool {
        (self - other).to_f64() < 0.0
    }

    /// The larger of two.
    fn max(self, other: Self) -> Self {
        if self.is_below(other) { other } else { self }
    }

    /// x^(p/q) of a number that is not negative, for a positive ratio p/q.
    fn power(self, [p, q]: [u32; 2]) -> Self {
        let whole = |x: Self, n: u32| (1..n).fold(x, |product, _| product * x);
        let near = self.to_f64().powf(1.0 / f64::from(q));
        if near <= 0.0 {
            return Self::from(0.0);
        }
        // A Newton step doubles the digits of the root in f64.
        let root = Self::from(near);
        let below = if q > 1 { whole(root, q - 1) } else { Self::from(1.0) };
        let root = root + (self - below * root) / (Self::from(f64::from(q)) * below);
        whole(root, p)
    }
}

impl Real for f64 {
    fn to_f64(self) -> f64 {
        self
    }

    fn sqrt(self) -> Self {
        self.sqrt()
    }
}

impl Real for DoubleDouble {
    fn to_f64(self) -> f64 {
        self.to_f64()
    }

    fn sqrt(self) -> Self {
        self.sqrt()
    }
}

/// Scalar product.
pub fn dot<T: Real>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_have_the_digits_of_their_numbers() {
        for (x, ratio) in [(3.0, [4, 3]), (0.1, [5, 2]), (7.0, [1, 6]), (2.5, [3, 1])] {
            let power = DoubleDouble::from(x).power(ratio);
            let back = power.power([ratio[1], ratio[0]]);
            assert!((back - DoubleDouble::from(x)).to_f64().abs() < 1e-29, "{x}^{ratio:?}");
            let expected = x.powf(f64::from(ratio[0]) / f64::from(ratio[1]));
            assert!((Real::power(x, ratio) / expected - 1.0).abs() < 1e-15, "{x}^{ratio:?}");
        }
        assert_eq!(Real::power(0.0, [4, 3]), 0.0);
    }
}
