//! Where in a step something is greatest, from little. θ runs from 0 at the start of the step to 1 at its end.
//!
//! A step resolves what it integrates: of anything smooth it holds at most one maximum, and three values tell where to
//! look. The looks are joined by successive parabolic interpolation (Brent, Algorithms for Minimization without
//! Derivatives, 5.2), or where rates are known by the cubic through them.

/// A maximum is sought that far outside the step too, over its length: what predicts it errs by the third derivative.
const MARGIN: f64 = 0.15;
/// Share of the curvature by which a prediction may be too low.
const DOUBT: f64 = 0.1;
/// What a look must promise, over the value itself.
const GAIN: f64 = 1e-10;
/// The same where rates are known.
const GAIN_WITH_RATES: f64 = 1e-13;
/// The second look is at least that far from the first, to see the slope there.
const APART: f64 = 0.02;

/// A parabola over the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    start: f64,
    middle: f64,
    end: f64,
}

impl Arc {
    /// From its mean: Simpson's rule read backwards.
    pub(super) fn of_mean(start: f64, mean: f64, end: f64) -> Self {
        Self { start, middle: 1.5 * mean - 0.25 * (start + end), end }
    }

    /// From the value `r` steps before the start.
    pub(super) fn of_three(before: f64, r: f64, start: f64, end: f64) -> Self {
        let middle = -0.25 * before / (r * (r + 1.0))
            + 0.5 * (0.5 + r) * start / r
            + 0.5 * (0.5 + r) * end / (1.0 + r);
        Self { start, middle, end }
    }

    /// Upside down.
    pub(super) fn mirrored(self) -> Self {
        Self { start: -self.start, middle: -self.middle, end: -self.end }
    }

    /// Where to look for a maximum greater than `known`, if there may be one.
    pub(super) fn turn(&self, known: f64) -> Option<f64> {
        let bend = self.start - 2.0 * self.middle + self.end;
        let slope = 4.0 * self.middle - 3.0 * self.start - self.end;
        let at = -slope / (4.0 * bend);
        if bend >= 0.0 || !(-MARGIN..=1.0 + MARGIN).contains(&at) {
            return None;
        }
        let top = self.start + at * (slope + 2.0 * bend * at);
        let bound = top.max(self.start).max(self.end) - DOUBT * bend;
        (bound - known > GAIN * bound.abs()).then(|| at.clamp(0.05, 0.95))
    }
}

/// Next place to look for a value greater than all `samples` (θ, value), of which there are three or more in order of θ.
pub(super) fn next_look(samples: impl ExactSizeIterator<Item = (f64, f64)> + Clone) -> Option<f64> {
    let len = samples.len();
    let mut all = samples.clone();
    let (mut best, mut greatest) = (0, f64::NEG_INFINITY);
    for (index, (_, value)) in samples.enumerate() {
        if value > greatest {
            (best, greatest) = (index, value);
        }
    }
    let first = best.saturating_sub(1).min(len - 3);
    let [(x0, y0), (x1, y1), (x2, y2)] = [all.nth(first)?, all.next()?, all.next()?];
    let (left, right) = ((y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1));
    let bend = (right - left) / (x2 - x0);
    // Not a number where a look has failed.
    if bend.is_nan() || bend >= 0.0 {
        return None;
    }
    let at = 0.5 * (x0 + x1) - 0.5 * left / bend;
    if !(0.0..=1.0).contains(&at) {
        return None;
    }
    if len == 3 && (at - x1).abs() < APART {
        return Some(x1 + APART.copysign(at - x1));
    }
    let top = y0 + (at - x0) * (left + bend * (at - x1));
    (top - greatest > GAIN * greatest.abs()).then_some(at)
}

/// The same of `samples` (θ, value, rate by θ), of which there are two or more: where the rate falls through zero.
pub(super) fn next_look_with_rates(samples: &[(f64, f64, f64)]) -> Option<f64> {
    let [(x0, y0, r0), (x1, y1, r1)] =
        samples.windows(2).map(|w| [w[0], w[1]]).find(|[l, r]| l.2 > 0.0 && r.2 <= 0.0)?;
    let width = x1 - x0;
    let (rise, m0, m1) = (y1 - y0, r0 * width, r1 * width);
    let a = 3.0 * (m0 + m1 - 2.0 * rise);
    let b = 2.0 * (3.0 * rise - 2.0 * m0 - m1);
    // Derivative of the cubic: positive at the left end, negative at the right.
    let root = 2.0 * m0 / (-b + (b * b - 4.0 * a * m0).max(0.0).sqrt());
    // Rounding of the values bends the cubic where they are close: the rates alone then tell.
    let root = if root > 0.0 && root < 1.0 { root } else { m0 / (m0 - m1) };
    let at = x0 + root * width;
    let nearer = if root < 0.5 { r0 * root } else { -r1 * (1.0 - root) };
    let greatest = y0.max(y1);
    (at > x0 && at < x1 && 0.5 * nearer * width > GAIN_WITH_RATES * greatest.abs()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks until none is promising; returns the greatest value and how many looks it took.
    fn seek(f: impl Fn(f64) -> f64, first: f64) -> (f64, usize) {
        let mut samples = vec![(0.0, f(0.0)), (first, f(first)), (1.0, f(1.0))];
        while let Some(at) = next_look(samples.iter().copied()) {
            let index = samples.partition_point(|s| s.0 < at);
            samples.insert(index, (at, f(at)));
            assert!(samples.len() < 20);
        }
        (samples.iter().map(|s| s.1).fold(f64::MIN, f64::max), samples.len() - 2)
    }

    /// Steps of 1 to 30 % of a half-wave, wherever its top lies in them: found to 1e-9 in few looks.
    #[test]
    fn tops_of_waves_are_found_wherever_they_lie() {
        for width in [0.03, 0.2, 0.5, 1.0] {
            for k in 0..40 {
                let top = 0.01 + 0.98 * f64::from(k) / 39.0;
                let f =
                    |x: f64| libm::cos(width * (x - top)) + 0.1 * width * libm::sin(3.0 * width * (x - top));
                let mean = (0..2000).map(|i| f((f64::from(i) + 0.5) / 2000.0)).sum::<f64>() / 2000.0;
                let truth = (0..200_001).map(|i| f(f64::from(i) / 2e5)).fold(f64::MIN, f64::max);
                let first = Arc::of_mean(f(0.0), mean, f(1.0)).turn(f(0.0).max(f(1.0))).unwrap_or(0.5);
                let (found, looks) = seek(f, first);
                assert!(truth - found < 1e-9, "width {width} top {top}: {:e}", truth - found);
                assert!(looks <= 6, "{looks}");
            }
        }
    }

    #[test]
    fn what_rises_or_falls_all_through_costs_nothing() {
        for f in [|x: f64| x, |x: f64| x * x.sqrt(), |x: f64| 1.0 - 0.5 * x * x - x] {
            let mean = (0..2000).map(|i| f((f64::from(i) + 0.5) / 2000.0)).sum::<f64>() / 2000.0;
            assert_eq!(Arc::of_mean(f(0.0), mean, f(1.0)).turn(f(0.0).max(f(1.0))), None);
        }
        // Nor does what stays below what is known.
        assert_eq!(Arc::of_mean(0.0, 2.0 / 3.0, 0.0).turn(2.0), None);
        assert!(Arc::of_mean(0.0, 2.0 / 3.0, 0.0).turn(0.9).is_some());
    }

    #[test]
    fn three_values_make_the_same_parabola() {
        let f = |x: f64| 2.0 + 3.0 * x - 5.0 * x * x;
        for r in [0.1, 1.0, 7.0] {
            let arc = Arc::of_three(f(-r), r, f(0.0), f(1.0));
            assert!((arc.middle - f(0.5)).abs() < 1e-13);
            assert!((arc.turn(0.0).unwrap() - 0.3).abs() < 1e-13);
        }
    }

    #[test]
    fn rates_lead_to_the_top_in_two_or_three_looks() {
        for width in [0.1, 0.3, 1.0] {
            for top in [0.05, 0.31, 0.5, 0.93] {
                let f = |x: f64| (x, libm::cos(width * (x - top)), -width * libm::sin(width * (x - top)));
                let mut samples = vec![f(0.0), f(1.0)];
                while let Some(at) = next_look_with_rates(&samples) {
                    let index = samples.partition_point(|s| s.0 < at);
                    samples.insert(index, f(at));
                }
                let found = samples.iter().map(|s| s.1).fold(f64::MIN, f64::max);
                assert!(1.0 - found < 1e-13 && samples.len() <= 5, "{} {}", 1.0 - found, samples.len());
            }
        }
    }
}
