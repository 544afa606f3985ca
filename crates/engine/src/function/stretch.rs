//! An expression over a stretch of time: bounds of it and of its derivatives, and whether it is one piece.

use super::enclosure::Enclosure;
use super::interval::Interval;
use super::program::{MAX_DEPTH, Op, Program, apply};
use super::{Jet, JetRange};

/// Bounds this many times what rounding leaves at the ends of a stretch are rounding all over it.
const NOISE: f64 = 4.0;

/// Growth of the rate over the second derivative times the length, at most, where what decides a branch touches zero without
/// passing it.
const TOUCH: f64 = 4.0;

/// How an expression goes on from time to time, at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Smoothness {
    /// The value may jump.
    Jumps,
    /// The value is continuous; the first derivative may jump.
    Bends,
    /// The first derivative is continuous.
    Smooth,
}

/// Which branch of `floor`, `min`, `max`, `abs` and `atan2` a stretch is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Branches {
    /// The same ones all over the stretch.
    Known,
    /// What decides is zero to rounding all over the stretch.
    Rounding,
    /// Shorter stretches will tell.
    Open,
}

/// An expression in [t₀, t₁].
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    over: Enclosure,
    /// At t₀ and at t₁.
    ends: [Enclosure; 2],
    smoothness: Smoothness,
    constant: Option<f64>,
    /// The expression that is left with the branches taken: equal numbers are equal functions.
    piece: u64,
    pub(super) branches: Branches,
}

/// Mixes two numbers to one (the finaliser of SplitMix64; Steele, Lea & Flood 2014).
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.rotate_left(31);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub(super) fn piece_of_constant(value: f64) -> u64 {
    mix(1, (value + 0.0).to_bits())
}

/// The piece that an operation without branches makes of its operands' pieces.
pub(super) fn piece_of(op: Op, a: u64, b: u64) -> u64 {
    let word = match op {
        Op::Constant(value) => return piece_of_constant(value),
        Op::Time => 2,
        Op::Add => 3,
        Op::Sub => 4,
        Op::Mul => 5,
        Op::Div => 6,
        Op::Pow => 7,
        Op::Neg => 8,
        Op::Sqrt => 9,
        Op::Sin => 10,
        Op::Cos => 11,
        Op::Tan => 12,
        Op::Atan2 => 13,
        Op::Floor => 14,
        Op::Min => 15,
        Op::Max => 16,
        Op::Abs => 17,
    };
    let operands = if op.operands() == 2 { mix(a, b) } else { a };
    mix(word, if op.operands() == 0 { 0 } else { operands })
}

impl Stretch {
    fn constant(value: f64) -> Self {
        let at = Enclosure::constant(Interval::point(value));
        Self {
            over: at,
            ends: [at; 2],
            smoothness: Smoothness::Smooth,
            constant: Some(value),
            piece: piece_of_constant(value),
            branches: Branches::Known,
        }
    }

    fn time(t: [f64; 2]) -> Self {
        Self {
            over: Enclosure::time(Interval::new(t[0], t[1])),
            ends: t.map(|t| Enclosure::time(Interval::point(t))),
            smoothness: Smoothness::Smooth,
            constant: None,
            piece: piece_of(Op::Time, 0, 0),
            branches: Branches::Known,
        }
    }

    /// Applies an operation without branches to all that is known of its operands.
    fn map(
        op: Op,
        a: &Self,
        b: &Self,
        length: Interval,
        f: impl Fn(Enclosure, Enclosure) -> Enclosure,
    ) -> Self {
        let two = op.operands() == 2;
        let mut made = Self {
            over: f(a.over, b.over),
            ends: [0, 1].map(|k| f(a.ends[k], b.ends[k])),
            smoothness: if two { a.smoothness.min(b.smoothness) } else { a.smoothness },
            constant: None,
            piece: piece_of(op, a.piece, b.piece),
            branches: if two { a.branches.max(b.branches) } else { a.branches },
        };
        if made.over.value == Interval::ENTIRE {
            made.smoothness = Smoothness::Jumps;
        }
        made.tighten(length);
        made
    }

    /// Uses the ends: what grows from one to the other stays between them; what bends keeps to its chord within f̈ h²/8.
    fn tighten(&mut self, length: Interval) {
        if self.smoothness == Smoothness::Jumps || length.hi == 0.0 {
            return;
        }
        let [start, end] = self.ends;
        let back = Interval::new(-length.hi, 0.0);
        let way = Interval::new(0.0, length.hi);
        let between = |a: Interval, b: Interval, slope: Interval| {
            let hull = a.hull(b);
            let reached = (a + slope * way).tightened_by(b + slope * back);
            let reached =
                if slope.lo >= 0.0 || slope.hi <= 0.0 { reached.tightened_by(hull) } else { reached };
            // What floating point makes of the places between may stray as far as it does at the ends.
            reached.padded(a.width() + b.width())
        };
        if self.smoothness == Smoothness::Smooth {
            let rate = between(start.rate, end.rate, self.over.acceleration);
            self.over.rate = self.over.rate.tightened_by(rate);
            let bend = self.over.acceleration;
            let sag =
                Interval::new(-bend.hi.max(0.0), -bend.lo.min(0.0)) * way * way * Interval::point(0.125);
            let chord = start.value.hull(end.value) + sag;
            let stray = start.value.width() + end.value.width();
            self.over.value = self.over.value.tightened_by(chord.padded(stray));
        }
        let value = between(start.value, end.value, self.over.rate);
        self.over.value = self.over.value.tightened_by(value);
    }

    /// Is the value zero to rounding, compared with what rounding leaves at the ends?
    fn is_rounding(&self) -> bool {
        let noise = self.ends[0].value.width() + self.ends[1].value.width();
        self.over.value.width() <= NOISE * noise
    }

    /// How far branches that hang on this difference are known if its sign is not.
    fn unsure(&self) -> Branches {
        if self.is_rounding() { Branches::Rounding } else { Branches::Open }
    }

    /// min(a, b) or max(a, b).
    fn choose(op: Op, a: &Self, b: &Self, length: Interval) -> Self {
        let [first, second] = if op == Op::Min { [a, b] } else { [b, a] };
        let ahead = Self::map(Op::Sub, first, second, length, |x, y| x - y);
        let is_same = a.piece == b.piece && a.branches.max(b.branches) == Branches::Known;
        // Ties take a, whose derivatives then count.
        let Interval { lo, hi } = ahead.over.value;
        if is_same || hi <= 0.0 {
            return *a;
        }
        if lo > 0.0 {
            return *b;
        }
        let either = |x: Enclosure, y: Enclosure| {
            let (u, v) = (x.value, y.value);
            let value = if op == Op::Min {
                Interval::new(u.lo.min(v.lo), u.hi.min(v.hi))
            } else {
                Interval::new(u.lo.max(v.lo), u.hi.max(v.hi))
            };
            let is_first = if op == Op::Min { u.hi <= v.lo } else { u.lo >= v.hi };
            let is_second = if op == Op::Min { v.hi < u.lo } else { v.lo > u.hi };
            if is_first {
                x
            } else if is_second {
                y
            } else {
                Enclosure { value, ..x.hull(y) }
            }
        };
        let mut made = Self::map(op, a, b, Interval::ZERO, either);
        made.smoothness = made.smoothness.min(Smoothness::Bends);
        made.branches = made.branches.max(ahead.unsure());
        made.tighten(length);
        made
    }

    fn abs(a: &Self, length: Interval) -> Self {
        let absolute = |x: Enclosure| {
            let Interval { lo, hi } = x.value;
            if lo >= 0.0 {
                x
            } else if hi < 0.0 {
                -x
            } else {
                Enclosure { value: Interval::new(0.0, hi.max(-lo)), ..x.hull(-x) }
            }
        };
        if a.over.value.lo >= 0.0 {
            return *a;
        }
        if a.over.value.hi < 0.0 {
            return Self::map(Op::Neg, a, a, length, |x, _| -x);
        }
        let mut made = Self::map(Op::Abs, a, a, Interval::ZERO, |x, _| absolute(x));
        made.smoothness = made.smoothness.min(Smoothness::Bends);
        made.branches = made.branches.max(a.unsure());
        made.tighten(length);
        made
    }

    fn floor(a: &Self) -> Self {
        let floor = |x: Interval| Interval::new(x.lo.floor(), x.hi.floor());
        let steps = floor(a.over.value);
        if steps.is_point() {
            return Self::constant(steps.lo);
        }
        Self {
            over: Enclosure::constant(steps),
            ends: a.ends.map(|x| Enclosure::constant(floor(x.value))),
            smoothness: Smoothness::Jumps,
            constant: None,
            piece: a.piece,
            branches: a.branches.max(a.unsure()),
        }
    }

    fn arc_tangent(y: &Self, x: &Self, length: Interval) -> Self {
        let mut made = Self::map(Op::Atan2, y, x, Interval::ZERO, |y, x| Enclosure::arc_tangent(y, x).0);
        if Enclosure::arc_tangent(y.over, x.over).1 {
            made.smoothness = Smoothness::Jumps;
            made.branches = made.branches.max(y.unsure());
        }
        made.tighten(length);
        made
    }

    fn apply(op: Op, t: [f64; 2], length: Interval, a: &Self, b: &Self) -> Self {
        // Constants are computed as the program computes them.
        let constants = match op.operands() {
            1 => a.constant.map(|x| [x, 0.0]),
            2 => a.constant.zip(b.constant).map(|(x, y)| [x, y]),
            _ => None,
        };
        if let Some([x, y]) = constants {
            return Self::constant(apply(op, 0.0, Jet::constant(x), Jet::constant(y)).value);
        }
        let map = |f: fn(Enclosure, Enclosure) -> Enclosure| Self::map(op, a, b, length, f);
        match op {
            Op::Constant(value) => Self::constant(value),
            Op::Time => Self::time(t),
            Op::Add => map(|a, b| a + b),
            Op::Sub => map(|a, b| a - b),
            Op::Mul => map(|a, b| a * b),
            Op::Div => map(|a, b| a / b),
            Op::Pow => match b.constant {
                Some(n) => Self::map(op, a, b, length, |a, _| a.power(n)),
                None => map(|_, _| Enclosure::UNKNOWN),
            },
            Op::Neg => map(|a, _| -a),
            Op::Sqrt => map(|a, _| a.sqrt()),
            Op::Sin => map(|a, _| a.sin()),
            Op::Cos => map(|a, _| a.cos()),
            Op::Tan => map(|a, _| a.tan()),
            Op::Atan2 => Self::arc_tangent(a, b, length),
            Op::Floor => Self::floor(a),
            Op::Min | Op::Max => Self::choose(op, a, b, length),
            Op::Abs => Self::abs(a, length),
        }
    }

    /// May the value jump?
    pub(super) fn may_jump(&self) -> bool {
        self.smoothness == Smoothness::Jumps
    }

    /// Is a change of branches within a stretch of this length nothing to a step: does the rate vary by no more than the
    /// second derivative makes of it?
    pub(super) fn hides_change(&self, length: f64) -> bool {
        let bend = self.over.acceleration.hi.abs().max(self.over.acceleration.lo.abs());
        self.smoothness > Smoothness::Jumps && self.over.rate.width() <= TOUCH * bend * length
    }

    /// The bounds alone.
    pub(super) fn range(&self) -> JetRange {
        JetRange::from(self.over)
    }
}

impl Program {
    /// What the expression is in [t₀, t₁].
    pub(super) fn stretch(&self, t: [f64; 2]) -> Stretch {
        let length = Interval::point(t[1]) - Interval::point(t[0]);
        let length = if t[0] == t[1] { Interval::ZERO } else { length };
        let mut stack = [Stretch::constant(0.0); MAX_DEPTH];
        let mut top = 0;
        for &op in self.ops() {
            let rest = top - op.operands();
            let (a, b) = (stack[rest], stack[(rest + 1).min(MAX_DEPTH - 1)]);
            stack[rest] = Stretch::apply(op, t, length, &a, &b);
            top = rest + 1;
        }
        stack[0]
    }
}
