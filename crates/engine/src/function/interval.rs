//! Intervals with outward rounding: every operation encloses the exact results for all operands inside, and
//! what floating point makes of them.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Error of libm's functions (units in the last place), with room.
const LIBM_ULPS: u32 = 2;
/// Arguments of sine and cosine beyond which their turning points are not looked for.
const LARGE_ANGLE: f64 = 1e12;

/// All numbers from `lo` to `hi`; an unbounded end stands for finite numbers of any size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) lo: f64,
    pub(super) hi: f64,
}

/// A bound made by rounding, moved outward. Sums and products that are zero are so exactly, but for underflow.
fn down(x: f64) -> f64 {
    if x == 0.0 { x } else { x.next_down() }
}

fn up(x: f64) -> f64 {
    if x == 0.0 { x } else { x.next_up() }
}

/// a + b of bounds, moved outward unless one of them is zero.
fn sum(a: f64, b: f64, outward: fn(f64) -> f64) -> f64 {
    if a == 0.0 || b == 0.0 { a + b } else { outward(a + b) }
}

/// a · b of bounds: an unbounded end times zero is zero.
fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

impl Interval {
    pub(super) const ZERO: Self = Self { lo: 0.0, hi: 0.0 };
    /// Nothing is known.
    pub(super) const ENTIRE: Self = Self { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// What an arc tangent can be.
    pub(super) const ANGLES: Self = Self { lo: -PI.next_up(), hi: PI.next_up() };

    /// From bounds; nothing is known where they are no numbers.
    pub(super) fn new(lo: f64, hi: f64) -> Self {
        if lo.is_nan() || hi.is_nan() { Self::ENTIRE } else { Self { lo, hi } }
    }

    pub(super) fn point(x: f64) -> Self {
        Self::new(x, x)
    }

    pub(super) fn is_point(self) -> bool {
        self.lo == self.hi
    }

    pub(super) fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    pub(super) fn width(self) -> f64 {
        self.hi - self.lo
    }

    pub(super) fn hull(self, o: Self) -> Self {
        Self { lo: self.lo.min(o.lo), hi: self.hi.max(o.hi) }
    }

    /// What both say; if rounding leaves nothing, what this one says.
    pub(super) fn tightened_by(self, o: Self) -> Self {
        let (lo, hi) = (self.lo.max(o.lo), self.hi.min(o.hi));
        if lo <= hi { Self { lo, hi } } else { self }
    }

    /// With a margin on both sides.
    pub(super) fn padded(self, margin: f64) -> Self {
        Self::new(self.lo - margin, self.hi + margin)
    }

    /// Bounds of a function of libm's that rises from one to the other.
    fn of_libm(lo: f64, hi: f64) -> Self {
        let (mut lo, mut hi) = (lo, hi);
        for _ in 0..LIBM_ULPS {
            (lo, hi) = (lo.next_down(), hi.next_up());
        }
        Self::new(lo, hi)
    }

    /// x²
    pub(super) fn square(self) -> Self {
        let (a, b) = (self.lo * self.lo, self.hi * self.hi);
        let least = if self.contains(0.0) { 0.0 } else { down(a.min(b)) };
        Self::new(least, up(a.max(b)))
    }

    /// √x; nothing is known where there is none.
    pub(super) fn sqrt(self) -> Self {
        if self.lo < 0.0 {
            return Self::ENTIRE;
        }
        Self::new(down(self.lo.sqrt()), up(self.hi.sqrt()))
    }

    /// sin x, with its turning points.
    pub(super) fn sin(self) -> Self {
        self.wave(libm::sin, FRAC_PI_2)
    }

    /// cos x
    pub(super) fn cos(self) -> Self {
        self.wave(libm::cos, 0.0)
    }

    /// A wave of period 2π that is greatest at `crest` and least half a period on.
    fn wave(self, f: fn(f64) -> f64, crest: f64) -> Self {
        let largest = self.lo.abs().max(self.hi.abs());
        // Also false for what is not finite.
        if !(largest < LARGE_ANGLE && self.width() < TAU) {
            return Self { lo: -1.0, hi: 1.0 };
        }
        let (a, b) = (f(self.lo), f(self.hi));
        let bounds = Self::of_libm(a.min(b), a.max(b));
        let slack = 4.0 * f64::EPSILON * (largest + TAU);
        let passes = |place: f64| {
            let next = ((self.lo - slack - place) / TAU).ceil() * TAU + place;
            // The quotient rounds: one before may be the next.
            next <= self.hi + slack || next - TAU >= self.lo - slack
        };
        let lo = if passes(crest + 0.5 * TAU) { -1.0 } else { bounds.lo.max(-1.0) };
        let hi = if passes(crest) { 1.0 } else { bounds.hi.min(1.0) };
        Self { lo, hi }
    }

    /// tan x; nothing is known of an interval with a pole.
    pub(super) fn tan(self) -> Self {
        let cos = self.cos();
        if cos.contains(0.0) {
            return Self::ENTIRE;
        }
        Self::of_libm(libm::tan(self.lo), libm::tan(self.hi))
    }

    /// atan2(y, x) of a box that neither holds the origin nor is cut by the negative x axis: greatest and least at corners.
    pub(super) fn angle_above(self, x: Self) -> Self {
        let corners = [(self.lo, x.lo), (self.lo, x.hi), (self.hi, x.lo), (self.hi, x.hi)];
        let angles = corners.map(|(y, x)| libm::atan2(y, x));
        let lo = angles.into_iter().fold(f64::INFINITY, f64::min);
        Self::of_libm(lo, angles.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }

    /// xⁿ, as libm's `pow` has it.
    pub(super) fn power(self, n: f64) -> Self {
        let whole = n.fract() == 0.0;
        if n == 0.0 {
            return Self::point(1.0);
        }
        if n == 1.0 {
            return self;
        }
        if !whole && self.lo < 0.0 || n < 0.0 && self.contains(0.0) && self.lo < 0.0 {
            return Self::ENTIRE;
        }
        let (a, b) = (libm::pow(self.lo, n), libm::pow(self.hi, n));
        let is_even = whole && n % 2.0 == 0.0;
        if is_even && self.contains(0.0) && n > 0.0 {
            return Self::new(0.0, Self::of_libm(a.max(b), a.max(b)).hi);
        }
        let bounds = Self::of_libm(a.min(b), a.max(b));
        if self.lo >= 0.0 || is_even { Self::new(bounds.lo.max(0.0), bounds.hi) } else { bounds }
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self::new(sum(self.lo, o.lo, down), sum(self.hi, o.hi, up))
    }
}

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        Self { lo: -self.hi, hi: -self.lo }
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let products =
            [product(self.lo, o.lo), product(self.lo, o.hi), product(self.hi, o.lo), product(self.hi, o.hi)];
        let lo = products.into_iter().fold(f64::INFINITY, f64::min);
        let hi = products.into_iter().fold(f64::NEG_INFINITY, f64::max);
        Self::new(down(lo), up(hi))
    }
}

impl Div for Interval {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        if o.contains(0.0) {
            return Self::ENTIRE;
        }
        let quotients = [self.lo / o.lo, self.lo / o.hi, self.hi / o.lo, self.hi / o.hi];
        if quotients.iter().any(|q| q.is_nan()) {
            return Self::ENTIRE;
        }
        let lo = quotients.into_iter().fold(f64::INFINITY, f64::min);
        let hi = quotients.into_iter().fold(f64::NEG_INFINITY, f64::max);
        Self::new(down(lo), up(hi))
    }
}
