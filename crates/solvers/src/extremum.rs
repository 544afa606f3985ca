//! Where in a step something is greatest, from little. θ runs from 0 at the start of the step to 1 at its end.
//!
//! A step resolves what it integrates: of anything smooth it holds at most one maximum, and three values tell where to
//! look first. From then on the next look is at the maximum of the polynomial through the best value and its neighbours,
//! with their rates where these are known (Newton's divided differences, confluent at a known rate).

/// A maximum is sought that far outside the step too, over its length: a parabola errs by the third derivative.
const MARGIN: f64 = 0.5;
/// Share of the curvature by which a prediction may be too low.
const DOUBT: f64 = 0.1;
/// What a look must promise, over the value itself.
const GAIN: f64 = 1e-10;
/// The same where rates are known.
const GAIN_WITH_RATES: f64 = 1e-13;
/// Three values tell no slope: a fourth is taken at least that far from the best of them.
const APART: f64 = 0.02;
/// Samples that a polynomial goes through at most.
pub(crate) const WINDOW: usize = 5;
const NODES: usize = 2 * WINDOW;
/// Halvings of a bracket of the polynomial's maximum: to 1e-12 of its width.
const HALVINGS: usize = 40;

/// A parabola over the step.
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    start: f64,
    middle: f64,
    end: f64,
}

impl Arc {
    /// From its mean: Simpson's rule read backwards.
    pub fn of_mean(start: f64, mean: f64, end: f64) -> Self {
        Self { start, middle: 1.5 * mean - 0.25 * (start + end), end }
    }

    /// From the value `r` steps before the start.
    pub fn of_three(before: f64, r: f64, start: f64, end: f64) -> Self {
        let middle = -0.25 * before / (r * (r + 1.0))
            + 0.5 * (0.5 + r) * start / r
            + 0.5 * (0.5 + r) * end / (1.0 + r);
        Self { start, middle, end }
    }

    /// Upside down.
    pub fn mirrored(self) -> Self {
        Self { start: -self.start, middle: -self.middle, end: -self.end }
    }

    /// Where to look for a maximum greater than `known`, if there may be one.
    pub fn turn(&self, known: f64) -> Option<f64> {
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

/// What is known at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// θ
    pub at: f64,
    /// There.
    pub value: f64,
    /// By θ.
    pub rate: Option<f64>,
}

/// The polynomial through samples, in Newton's form: Σ `differences`ᵢ Π_{j<i} (θ − `nodes`ⱼ).
#[derive(Default)]
pub(crate) struct Interpolant {
    nodes: [f64; NODES],
    differences: [f64; NODES],
    len: usize,
}

impl Interpolant {
    /// Through at most [`WINDOW`] samples, in order of θ.
    pub(crate) fn new(samples: &[Sample]) -> Self {
        let mut f = Self::default();
        let (mut column, mut rates) = ([0.0; NODES], [0.0; NODES]);
        for sample in samples {
            // A node stands twice where the rate is known: the difference of the two is the rate.
            rates[f.len] = sample.rate.unwrap_or_default();
            for _ in 0..1 + usize::from(sample.rate.is_some()) {
                f.nodes[f.len] = sample.at;
                column[f.len] = sample.value;
                f.len += 1;
            }
        }
        for order in 0..f.len {
            f.differences[order] = column[0];
            for i in 0..f.len - order - 1 {
                let width = f.nodes[i + order + 1] - f.nodes[i];
                column[i] = if width > 0.0 { (column[i + 1] - column[i]) / width } else { rates[i] };
            }
        }
        f
    }

    /// Value and rate.
    pub(crate) fn at(&self, place: f64) -> (f64, f64) {
        let (mut value, mut rate) = (0.0, 0.0);
        for (node, difference) in self.nodes.iter().zip(self.differences).take(self.len).rev() {
            rate = rate * (place - node) + value;
            value = value * (place - node) + difference;
        }
        (value, rate)
    }

    /// Its maximum, and where: it rises at a place of that value towards another, where it falls or has fallen.
    pub(crate) fn top_between(&self, (at, value): (f64, f64), beyond: f64) -> (f64, f64) {
        let (mut low, mut low_value, mut high) = (at, value, beyond);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let (middle_value, rate) = self.at(middle);
            if rate * (high - low) > 0.0 && middle_value >= low_value {
                (low, low_value) = (middle, middle_value);
            } else {
                high = middle;
            }
        }
        (low, low_value)
    }
}

/// Next place to look for a value greater than all `samples`, of which there are two or more with rates, or three or more, in
/// order of θ.
pub fn next_look(samples: &[Sample]) -> Option<f64> {
    // A look may have failed.
    if samples.iter().any(|s| !s.value.is_finite()) {
        return None;
    }
    let best = (0..samples.len()).max_by(|&a, &b| samples[a].value.total_cmp(&samples[b].value))?;
    let first = best.saturating_sub(WINDOW / 2).min(samples.len().saturating_sub(WINDOW));
    let f = Interpolant::new(&samples[first..samples.len().min(first + WINDOW)]);
    let Sample { at, value, .. } = samples[best];
    let slope = f.at(at).1;
    let beyond = if slope > 0.0 { samples.get(best + 1) } else { best.checked_sub(1).map(|i| &samples[i]) };
    let is_parabola = f.len == 3;
    let Some(beyond) = beyond else {
        // The values rise up to an end of the step, unless the parabola errs.
        let bend = f.differences[2];
        let may_turn = is_parabola && slope.abs() < -2.0 * MARGIN * bend;
        let neighbour = samples[best.saturating_sub(1).max(usize::from(best == 0))];
        return may_turn.then_some(0.5 * (at + neighbour.at));
    };
    let (low, low_value) = f.top_between((at, value), beyond.at);
    if is_parabola && (low - at).abs() < APART {
        return Some(at + APART.copysign(slope));
    }
    let least_gain = if samples[best].rate.is_some() { GAIN_WITH_RATES } else { GAIN };
    (low_value - value > least_gain * value.abs()).then_some(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks until none is promising; returns the greatest value and how many samples it took.
    fn seek(f: impl Fn(f64) -> Sample, first: Option<f64>) -> (f64, usize) {
        let mut samples: Vec<_> = [Some(0.0), first, Some(1.0)].into_iter().flatten().map(&f).collect();
        while let Some(at) = next_look(&samples) {
            let index = samples.partition_point(|s| s.at < at);
            samples.insert(index, f(at));
            assert!(samples.len() < 20);
        }
        (samples.iter().map(|s| s.value).fold(f64::MIN, f64::max), samples.len())
    }

    /// A skew wave whose top is near `top`, in a step of `width` rad; with its rate.
    fn wave(width: f64, top: f64, x: f64) -> (f64, f64) {
        let u = width * (x - top);
        let rate = 0.3 * width * libm::cos(3.0 * u) - libm::sin(u);
        (libm::cos(u) + 0.1 * width * libm::sin(3.0 * u), width * rate)
    }

    fn waves() -> impl Iterator<Item = (f64, f64)> {
        let tops = |width| (0..40).map(move |k| (width, 0.01 + 0.98 * f64::from(k) / 39.0));
        [0.03, 0.2, 0.5, 1.0].into_iter().flat_map(tops)
    }

    /// Steps of 1 to 30 % of a half-wave, wherever its top lies in them: found to 1e-9 in few looks, if the mean calls for any.
    #[test]
    fn tops_of_waves_are_found_wherever_they_lie() {
        for (width, top) in waves() {
            let f = |x: f64| wave(width, top, x).0;
            let mean = (0..2000).map(|i| f((f64::from(i) + 0.5) / 2000.0)).sum::<f64>() / 2000.0;
            let truth = (0..200_001).map(|i| f(f64::from(i) / 2e5)).fold(f64::MIN, f64::max);
            let ends = f(0.0).max(f(1.0));
            let (found, samples) = match Arc::of_mean(f(0.0), mean, f(1.0)).turn(ends) {
                Some(first) => seek(|at| Sample { at, value: f(at), rate: None }, Some(first)),
                None => (ends, 2),
            };
            assert!(truth - found < 1e-9, "width {width} top {top}: {:e}", truth - found);
            assert!(samples - 2 <= 6, "{samples}");
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
                let f = |at: f64| {
                    let u = width * (at - top);
                    Sample { at, value: libm::cos(u), rate: Some(-width * libm::sin(u)) }
                };
                let (found, samples) = seek(f, None);
                assert!(1.0 - found < 1e-13 && samples <= 5, "{width} {top}: {:e} {samples}", 1.0 - found);
            }
        }
        for (width, top) in waves() {
            let f = |at: f64| {
                let (value, rate) = wave(width, top, at);
                Sample { at, value, rate: Some(rate) }
            };
            let truth = (0..200_001).map(|i| f(f64::from(i) / 2e5).value).fold(f64::MIN, f64::max);
            let (found, samples) = seek(f, None);
            assert!(truth - found < 1e-9 && samples <= 5, "{width} {top}: {:e} {samples}", truth - found);
        }
    }

    #[test]
    fn polynomials_are_met_with_and_without_rates() {
        let f = |x: f64| (1.0 + x * (2.0 - x * (0.5 - x)), 2.0 - x * (1.0 - 3.0 * x));
        for knows_rate in [|_: usize| false, |_| true, |i| i == 1, |i| i != 1] {
            let samples = [0.0, 0.3, 0.9, 1.0].map(|x| (x, f(x)));
            let known = samples.iter().enumerate().map(|(i, &(at, (value, rate)))| Sample {
                at,
                value,
                rate: knows_rate(i).then_some(rate),
            });
            let p = Interpolant::new(&known.collect::<Vec<_>>());
            let (value, rate) = p.at(0.6);
            assert!((value - f(0.6).0).abs() < 1e-12 && (rate - f(0.6).1).abs() < 1e-12);
        }
    }
}
