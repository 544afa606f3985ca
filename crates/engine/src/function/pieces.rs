//! Where expressions go from one piece to the next: a branch of `floor`, `min`, `max`, `abs` or `atan2` changes.

use super::program::{MAX_DEPTH, Op, Program, apply, is_first, on_side};
use super::stretch::{Branches, mix, piece_of, piece_of_constant};
use super::{Jet, TimeFunction};

/// Looks at stretches of time before a search for a change gives up.
const LOOKS: u32 = 200_000;

/// What decides a branch passes zero within this share of the time, or else touches it.
const SHORTEST_TOUCH: f64 = 64.0 * f64::EPSILON;

/// A value that differs by more than this share of its size (or of 1) on both sides of a break jumps there.
const JUMP: f64 = 1e-9;
/// A table that goes from point to point within this share of the time jumps, too: no step would be short enough.
const SHORTEST_RAMP: f64 = 1e-9;

/// A function of time that changes too often, or hangs on a difference that is nothing but rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooManyBreaks {
    /// Up to here it has no break (s).
    pub clear_to: f64,
}

/// A value that jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueJump {
    /// When (s).
    pub time: f64,
    /// Values before and after.
    pub values: [f64; 2],
}

/// A number between a and b, if there is one: that with the fewest binary digits, so that what is found does not hang on where a
/// search begins.
fn between(a: f64, b: f64) -> Option<f64> {
    const EXPONENT: u64 = 0x7ff << 52;
    let mut step = f64::from_bits((b - a).to_bits() & EXPONENT);
    for _ in 0..3 {
        let middle = ((a / step).floor() + 1.0) * step;
        if middle > a && middle < b {
            return Some(middle);
        }
        step *= 0.5;
    }
    None
}

impl Program {
    /// May it have breaks?
    pub(super) fn has_branches(&self) -> bool {
        self.ops().iter().any(|op| matches!(op, Op::Floor | Op::Min | Op::Max | Op::Abs | Op::Atan2))
    }

    /// The expression that is left at time `t` with the branches taken: equal numbers are equal functions.
    fn piece(&self, t: f64) -> u64 {
        let mut stack = [(Jet::constant(0.0), 0_u64); MAX_DEPTH];
        let mut top = 0;
        for &op in self.ops() {
            let rest = top - op.operands();
            let ((a, piece_a), (b, piece_b)) = (stack[rest], stack[(rest + 1).min(MAX_DEPTH - 1)]);
            let made = apply(op, t, a, b);
            let piece = match op {
                Op::Floor => piece_of_constant(made.value),
                Op::Min if is_first(t, a, b) => piece_a,
                Op::Max if is_first(t, -a, -b) => piece_a,
                Op::Min | Op::Max => piece_b,
                Op::Abs if is_first(t, Jet::constant(0.0), a) => piece_a,
                Op::Abs => piece_of(Op::Neg, piece_a, 0),
                // The cut is where x < 0 and y changes its sign.
                Op::Atan2 if b.value < 0.0 && on_side(t, a).value.is_sign_negative() => {
                    mix(piece_of(op, piece_a, piece_b), 1)
                }
                _ => piece_of(op, piece_a, piece_b),
            };
            stack[rest] = (made, piece);
            top = rest + 1;
        }
        stack[0].1
    }

    /// The first number after which the piece is another one than at `a`, if it is another one at `b`.
    fn change(&self, a: f64, b: f64) -> Option<f64> {
        let before = self.piece(a);
        if self.piece(b) == before {
            return None;
        }
        let (mut left, mut right) = (a, b);
        while let Some(middle) = between(left, right) {
            if self.piece(middle) == before { left = middle } else { right = middle }
        }
        Some(right)
    }

    /// Goes through (from, until] from left to right, to the first change that `take` wants; on request only where the value
    /// may jump.
    fn find_change(
        &self,
        from: f64,
        until: f64,
        only_jumps: bool,
        mut take: impl FnMut(f64) -> bool,
    ) -> Result<Option<f64>, TooManyBreaks> {
        let mut todo = vec![[from, until]];
        let mut looks = 0;
        while let Some([a, b]) = todo.pop() {
            looks += 1;
            if looks > LOOKS {
                return Err(TooManyBreaks { clear_to: a });
            }
            let stretch = self.stretch([a, b]);
            if stretch.branches == Branches::Known || only_jumps && !stretch.may_jump() {
                continue;
            }
            match between(a, b) {
                Some(middle) if stretch.branches == Branches::Open => todo.extend([[middle, b], [a, middle]]),
                // What decides is zero to rounding for a while, which is where it turns.
                Some(_) if b - a > SHORTEST_TOUCH * b && stretch.hides_change(b - a) => {}
                // What decides is zero to rounding, or there is no time between.
                _ => {
                    if let Some(time) = self.change(a, b).filter(|&time| take(time)) {
                        return Ok(Some(time));
                    }
                }
            }
        }
        Ok(None)
    }
}

impl TimeFunction {
    /// The first time in (from, until] at which the function or a derivative may jump: steps end there. The function
    /// goes on at that time as it does after it; immediately before is the next smaller number. `from` and `until` are finite and
    /// not negative.
    pub fn next_break(&self, from: f64, until: f64) -> Result<Option<f64>, TooManyBreaks> {
        match self {
            Self::Program(program) if program.has_branches() && from < until => {
                program.find_change(from, until, false, |_| true)
            }
            Self::Table(table) => {
                let next = table.times().partition_point(|&time| time <= from);
                Ok(table.times().get(next).copied().filter(|&time| time <= until))
            }
            Self::Constant(_) | Self::Program(_) => Ok(None),
        }
    }

    /// Is it one piece in (start, end], as far as one look tells?
    pub fn is_one_piece(&self, start: f64, end: f64) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Program(program) => {
                !program.has_branches() || program.stretch([start, end]).branches == Branches::Known
            }
            Self::Table(_) => matches!(self.next_break(start, end), Ok(None)),
        }
    }

    /// May it have breaks?
    pub fn has_breaks(&self) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Program(program) => program.has_branches(),
            Self::Table(_) => true,
        }
    }

    /// The first time in (from, until] at which the value itself jumps.
    pub fn first_jump(&self, from: f64, until: f64) -> Result<Option<ValueJump>, TooManyBreaks> {
        let jump_at =
            |time: f64| ValueJump { time, values: [self.value(time.next_down()), self.value(time)] };
        let jumps = |time: f64| {
            let [before, after] = jump_at(time).values;
            (after - before).abs() > JUMP * before.abs().max(after.abs()).max(1.0)
        };
        match self {
            Self::Program(program) if program.has_branches() && from < until => {
                Ok(program.find_change(from, until, true, jumps)?.map(jump_at))
            }
            Self::Table(table) => Ok(table
                .shortest_segments(SHORTEST_RAMP)
                .find(|(times, [before, after])| times[1] > from && times[1] <= until && before != after)
                .map(|(times, values)| ValueJump { time: times[0], values })),
            Self::Constant(_) | Self::Program(_) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_between_have_few_digits() {
        assert_eq!(between(0.3, 0.5), Some(0.375));
        assert_eq!(between(0.0, 1.0), Some(0.5));
        assert_eq!(between(0.0, 1e9), Some(536_870_912.0));
        assert_eq!(between(1.0, 1.0_f64.next_up()), None);
        let (a, b) = (1.0 / 3.0, (1.0_f64 / 3.0).next_up().next_up());
        assert_eq!(between(a, b), Some(a.next_up()));
    }
}
