//! Where in a step something is greatest that has kinks and several maxima: of the elements of triangle surfaces now this one, now
//! that one is the deepest. θ runs from 0 at the start of the step to 1 at its end.
//!
//! Hints, such as values at the stages of the method, show where it bulges; they promise, and are never taken for values. From
//! then on the next look is at the maximum of the polynomial through a greatest value and its neighbours, or, where that polynomial
//! does not foretell the value itself, where the chords on both sides of a gap meet: above what is concave, and at a kink. Jumps, as
//! where the deepest element is left by what touched it, are halved.
//!
//! Where none of these promises anything, gaps are looked into whose sides disagree: the marks on either side foretell something else
//! than is on the other. Whoever knows it gives each mark the number of the branch that it is on, of a quantity that is smooth by pieces:
//! between two branches it is enough that one side disagrees, as the other may agree by chance. All this seeks; it bounds nothing of what
//! may be between looks.

use crate::extremum::{Interpolant, Sample, WINDOW};

/// What a look must promise, over what is known.
const GAIN: f64 = 1e-7;
/// The same where hints promise, or chords.
const GAIN_OF_HINTS: f64 = 1e-6;
/// What the polynomial misses a value by shows a kink, if it is more than this share of what chords promise; and so many times
/// that is believed of them.
const KINKED: f64 = 0.1;
const BELIEVED: f64 = 4.0;
/// Times that a jump is greater than what chords change over it.
const JUMP: f64 = 3.0;
/// A side that is so much nearer to where chords meet than the other has closed in.
const CLOSED_IN: f64 = 0.1;
/// Marks that a side of a gap is foretold from.
const CUBIC: usize = 4;
/// Both sides of a gap disagree, if each is off by more than that share of what the marks about it differ by.
const BROKEN: f64 = 0.03;
/// The same where the branch changes, for the side that is off by more.
const CHANGED: f64 = 0.01;
/// Where sides of a gap meet is looked at that share of the gap off its ends at least: what is left has well known sides.
const NEAREST: f64 = 1.0 / 16.0;
/// Halvings of a gap to where its sides meet.
const MEETING: usize = 30;
/// Looks nearer to each other than this share of the step show nothing new.
const APART: f64 = 1e-9;
/// A hint that near to a place is looked at itself.
const AT_HINT: f64 = 1e-3;
/// Share of what the quantity changes in the step by which hints may be too low.
const DOUBT: f64 = 0.02;

/// A value, or a hint of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// θ
    pub at: f64,
    /// There.
    pub value: f64,
    /// Number of the branch that it is on; where it changes may be a kink or a jump. All are equal where nothing is known of branches.
    pub branch: u32,
    /// It is near the value only.
    pub is_hint: bool,
}

/// A place to look at, and the value that is promised there.
#[derive(Clone, Copy)]
struct Promise {
    at: f64,
    value: f64,
    gain: f64,
}

/// Next place to look for a value greater than `known` and all values among the marks, which are in order of θ.
pub fn next_bump(marks: &[Mark], known: f64) -> Option<f64> {
    if marks.iter().any(|mark| !mark.value.is_finite()) {
        return None;
    }
    let known = marks.iter().filter(|mark| !mark.is_hint).map(|mark| mark.value).fold(known, f64::max);
    let lowest = marks.iter().map(|mark| mark.value).fold(f64::INFINITY, f64::min);
    // Nothing rises above the marks by more than they differ.
    let may_exceed = |value: f64| value + (value - lowest) > known;
    if !marks.iter().any(|mark| may_exceed(mark.value)) {
        return None;
    }
    let doubt = DOUBT * (known - lowest);
    let is_top = |&i: &usize| {
        let neighbours = [i.checked_sub(1), Some(i + 1)].into_iter().flatten();
        neighbours.filter_map(|j| marks.get(j)).all(|other| other.value <= marks[i].value)
    };
    let hinted = marks.iter().filter(|mark| mark.is_hint);
    let hinted = hinted.map(|m| Promise { at: m.at, value: m.value + doubt, gain: GAIN_OF_HINTS });
    let tops = (0..marks.len()).filter(|&i| may_exceed(marks[i].value)).filter(is_top);
    let tops = tops.flat_map(|i| [polynomial(marks, i), chords(marks, i)]);
    let jumps = (0..marks.len()).filter_map(|i| jump(marks, i));
    let is_good = |p: &Promise| {
        let is_new = marks.iter().all(|mark| mark.is_hint || (mark.at - p.at).abs() > APART);
        is_new && p.value - known > p.gain * p.value.abs() && (0.0..=1.0).contains(&p.at)
    };
    let greatest = |p: &Promise, q: &Promise| p.value.total_cmp(&q.value);
    // A polynomial through a jump promises anything.
    let best = jumps.filter(is_good).max_by(greatest);
    let best = best.or_else(|| hinted.chain(tops.flatten()).filter(is_good).max_by(greatest));
    let best = best.or_else(|| {
        let steepest = marks.iter().map(|mark| mark.value).fold(known, f64::max) - lowest;
        let may_exceed_at = |i: usize| may_exceed(marks[i].value) || may_exceed(marks[i + 1].value);
        let gaps = (0..marks.len() - 1).filter(|&i| may_exceed_at(i));
        gaps.filter_map(|i| a_break(marks, i, known, steepest)).filter(is_good).max_by(greatest)
    })?;
    let hint = marks.iter().find(|mark| mark.is_hint && (mark.at - best.at).abs() < AT_HINT);
    Some(hint.map_or(best.at, |hint| hint.at))
}

/// The polynomial through at most [`WINDOW`] marks.
fn through(marks: &[Mark]) -> Interpolant {
    let mut samples = [Sample { at: 0.0, value: 0.0, rate: None }; WINDOW];
    for (sample, mark) in samples.iter_mut().zip(marks) {
        (sample.at, sample.value) = (mark.at, mark.value);
    }
    Interpolant::new(&samples[..marks.len()])
}

/// Marks around one of them, without it if it is not wanted, as samples.
fn interpolant(marks: &[Mark], i: usize, wanted: bool) -> (Interpolant, usize) {
    let first = i.saturating_sub(WINDOW / 2).min(marks.len().saturating_sub(WINDOW));
    let mut samples = [Sample { at: 0.0, value: 0.0, rate: None }; WINDOW];
    let mut len = 0;
    for (j, mark) in marks.iter().enumerate().skip(first).take(WINDOW) {
        if wanted || j != i {
            samples[len] = Sample { at: mark.at, value: mark.value, rate: None };
            len += 1;
        }
    }
    (Interpolant::new(&samples[..len]), len)
}

/// What the polynomial through a greatest mark and its neighbours promises; if that is nothing, what the one without what was before the
/// step does: a kink there bends a polynomial through both.
fn polynomial(marks: &[Mark], i: usize) -> Option<Promise> {
    let before = marks.partition_point(|mark| mark.at < 0.0);
    let of_step = || top_beside(&marks[before..], i.checked_sub(before)?);
    top_beside(marks, i).or_else(|| if before > 0 { of_step() } else { None })
}

fn top_beside(marks: &[Mark], i: usize) -> Option<Promise> {
    let Mark { at, value, is_hint, .. } = marks[i];
    let (f, len) = interpolant(marks, i, true);
    let gain = if is_hint { GAIN_OF_HINTS } else { GAIN };
    let slope = f.at(at).1;
    let beyond = if slope > 0.0 { marks.get(i + 1) } else { i.checked_sub(1).map(|before| &marks[before]) };
    match beyond {
        // What rose before the step has been sought there.
        Some(beyond) if len > 2 && at.max(beyond.at) > 0.0 => {
            let (at, value) = f.top_between((at, value), beyond.at);
            Some(Promise { at, value, gain })
        }
        _ => None,
    }
}

/// What the chord before a gap promises that a value after it belies, or the other way round: there is a jump in the gap.
fn jump(marks: &[Mark], i: usize) -> Option<Promise> {
    let [a, b, c, d] = marks.get(i..i + 4)? else { return None };
    let slope = |p: &Mark, q: &Mark| (q.value - p.value) / (q.at - p.at);
    let width = c.at - b.at;
    let [left, right] = [b.value + slope(a, b) * width, c.value - slope(c, d) * width];
    // What the chords change is little against what is between them.
    let size = JUMP * [slope(a, b), slope(c, d)].map(f64::abs).into_iter().fold(0.0, f64::max) * width;
    let value = if b.value - c.value > size { left } else { right };
    let jumps = (b.value - c.value).abs() > size;
    jumps.then_some(Promise { at: 0.5 * (b.at + c.at), value, gain: GAIN_OF_HINTS })
}

/// What the chords beside the two gaps at a greatest mark promise, if there is a kink.
fn chords(marks: &[Mark], i: usize) -> Option<Promise> {
    let (f, len) = interpolant(marks, i, false);
    if len < 3 {
        return None;
    }
    let Mark { at, value, .. } = marks[i];
    let error = (f.at(at).0 - value).abs();
    let meeting = |j: usize| {
        let [a, b, c, d] = marks.get(j.checked_sub(1)?..j + 3)? else { return None };
        let [left, right] = [(a, b), (c, d)].map(|(p, q)| (q.value - p.value) / (q.at - p.at));
        let at = (c.value - b.value + left * b.at - right * c.at) / (left - right);
        let top = b.value + left * (at - b.at);
        if !(left > right && at > b.at && at < c.at && error > KINKED * (top - value)) {
            return None;
        }
        // A little beyond, if one side has closed in: else the other never would.
        let [from, to] = [at - b.at, c.at - at];
        let at = if from < CLOSED_IN * to {
            at + from
        } else if to < CLOSED_IN * from {
            at - to
        } else {
            at
        };
        Some(Promise { at, value: value + (top - value).min(BELIEVED * error), gain: GAIN_OF_HINTS })
    };
    let gaps = [i.checked_sub(1), Some(i)].into_iter().flatten();
    gaps.filter_map(meeting).max_by(|p, q| p.value.total_cmp(&q.value))
}

/// What is reached in a gap at most, if both sides go on as they come to it. A chord over a change of the branch tells nothing of how steep the
/// branch is that the gap begins with: it counts for no less than the whole range of the step.
fn most_of(marks: &[Mark], i: usize, steepest: f64) -> f64 {
    let [b, c] = [&marks[i], &marks[i + 1]];
    let slope = |p: &Mark, q: &Mark| (p.value - q.value) / (p.at - q.at).abs();
    let going_on = |p: &Mark, q: &Mark| {
        let slope = slope(p, q);
        if p.branch == q.branch { slope } else { slope.max(steepest) }
    };
    let left = i.checked_sub(1).map_or(steepest, |a| going_on(b, &marks[a]));
    let right = marks.get(i + 2).map_or(steepest, |d| going_on(c, d));
    let width = c.at - b.at;
    (b.value + left.max(0.0) * width).max(c.value + right.max(0.0) * width)
}

/// What the marks on one side of a gap foretell in it, by a polynomial through those nearest to it.
struct Side {
    f: Interpolant,
    /// What it exceeds the mark on the other side of the gap by.
    excess: f64,
}

impl Side {
    /// From the marks on a side of the gap, of which those in this order are nearest to it.
    fn new(marks: &[Mark], is_left: bool, beyond: &Mark) -> Option<Self> {
        let of = |len: usize| {
            let nearest = if is_left { &marks[marks.len() - len..] } else { &marks[..len] };
            let f = through(nearest);
            let excess = f.at(beyond.at).0 - beyond.value;
            Self { f, excess }
        };
        let most = (marks.len() >= 2).then(|| of(marks.len().min(CUBIC)))?;
        let less = (marks.len() >= CUBIC).then(|| of(CUBIC - 1));
        Some(less.into_iter().fold(most, |p, q| if q.excess.abs() < p.excess.abs() { q } else { p }))
    }
}

/// What a gap promises of which the two sides disagree: what is smooth is foretold by either.
fn a_break(marks: &[Mark], i: usize, known: f64, steepest: f64) -> Option<Promise> {
    let [b, c] = [&marks[i], &marks[i + 1]];
    let most = most_of(marks, i, steepest);
    if c.at <= 0.0 || most - known <= GAIN_OF_HINTS * most.abs() {
        return None;
    }
    let left = Side::new(&marks[..=i], true, c);
    let right = Side::new(&marks[i + 1..], false, b);
    let excess = |side: &Option<Side>| side.as_ref().map_or(f64::INFINITY, |side| side.excess);
    let [over, under] = [excess(&left), excess(&right)];
    let beside = &marks[i.saturating_sub(1)..(i + 3).min(marks.len())];
    let values = || beside.iter().map(|mark| mark.value);
    let range = values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min);
    let (off, share) = if b.branch == c.branch {
        (over.abs().min(under.abs()), BROKEN)
    } else {
        // What disagrees on one side may agree by chance on the other.
        let sides = [&left, &right].into_iter().flatten().map(|side| side.excess.abs());
        (sides.reduce(f64::max).unwrap_or(f64::INFINITY), CHANGED)
    };
    if off < share * range {
        return None;
    }
    let value = most.min(b.value.max(c.value) + off);
    // Hints are known better before they tell of what is between them.
    let hint = beside.iter().filter(|mark| mark.is_hint).max_by(|p, q| p.value.total_cmp(&q.value));
    let start = b.at.max(0.0);
    let at = match (&left, &right, hint) {
        (_, _, Some(hint)) => hint.at,
        (Some(left), Some(right), _) if over > 0.0 && under > 0.0 => {
            let margin = NEAREST * (c.at - start);
            meeting(&left.f, &right.f, b.at, c.at).clamp(start + margin, c.at - margin)
        }
        _ => 0.5 * (start + c.at),
    };
    Some(Promise { at, value, gain: GAIN_OF_HINTS })
}

/// Where two sides meet between two places.
fn meeting(left: &Interpolant, right: &Interpolant, from: f64, to: f64) -> f64 {
    let [mut low, mut high] = [from, to];
    for _ in 0..MEETING {
        let middle = 0.5 * (low + high);
        if left.at(middle).0 < right.at(middle).0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stages of an explicit method, and the step before.
    const STAGES: [f64; 6] = [-0.7, 0.0, 0.2, 0.3, 0.8, 1.0];

    /// The same of an implicit one.
    const FEW_STAGES: [f64; 5] = [-0.9, 0.0, 0.155, 0.645, 1.0];

    fn seek(f: &dyn Fn(f64) -> f64, error: f64, known: f64) -> (f64, usize) {
        seek_from(&STAGES, f, error, known, 12)
    }

    /// With nothing known of branches.
    fn seek_from(
        stages: &[f64],
        f: &dyn Fn(f64) -> f64,
        error: f64,
        known: f64,
        most: usize,
    ) -> (f64, usize) {
        seek_on_branches(stages, &|x| (f(x), 0), error, known, most)
    }

    /// Looks until none is promising, or `most` are made; returns the greatest value and the number of looks.
    fn seek_on_branches(
        stages: &[f64],
        f: &dyn Fn(f64) -> (f64, u32),
        error: f64,
        known: f64,
        most: usize,
    ) -> (f64, usize) {
        let mark = |at: f64, off: f64, is_hint: bool| {
            let (value, branch) = f(at);
            Mark { at, value: value + off, branch, is_hint }
        };
        let mut marks: Vec<_> = (stages.iter().enumerate())
            .map(|(k, &at)| {
                let is_hint = at > 0.0 && at < 1.0;
                let off = if is_hint { error * [1.0, -1.0, 0.3][k % 3] } else { 0.0 };
                mark(at, off, is_hint)
            })
            .collect();
        let mut looks = 0;
        while let Some(at) = next_bump(&marks, known).filter(|_| looks < most) {
            let index = marks.partition_point(|m| m.at < at);
            if marks.get(index).is_some_and(|m| m.at == at) {
                marks.remove(index);
            }
            marks.insert(index, mark(at, 0.0, false));
            looks += 1;
        }
        let inside = marks.iter().filter(|m| !m.is_hint && m.at >= 0.0);
        (inside.map(|m| m.value).fold(f64::MIN, f64::max), looks)
    }

    fn truth(f: &dyn Fn(f64) -> f64) -> f64 {
        (0..=100_000).map(|i| f(f64::from(i) / 1e5)).fold(f64::MIN, f64::max)
    }

    fn places() -> impl Iterator<Item = f64> {
        (0..40).map(|k| 0.01 + 0.98 * f64::from(k) / 39.0)
    }

    /// To what a hint must promise, in two or three looks of most.
    #[test]
    fn smooth_tops_are_found_in_few_looks() {
        let mut all = Vec::new();
        for width in [0.1, 0.5, 1.5] {
            for top in places() {
                let f = |x: f64| libm::cos(width * (x - top)) + 0.05 * libm::sin(2.0 * width * (x - top));
                let (found, looks) = seek(&f, 1e-4 * width * width, 0.0);
                assert!(truth(&f) - found < 1e-6, "{width} {top}: {:e}", truth(&f) - found);
                all.push(looks);
            }
        }
        assert!(all.iter().sum::<usize>() < 3 * all.len(), "{all:?}");
    }

    /// But for those in the last gap, where nothing on the other side tells of them.
    #[test]
    fn kinks_are_found() {
        for top in places().filter(|top| *top < 0.8) {
            for (rises, falls) in [(0.1, 0.3), (0.5, 0.01), (0.02, 0.02)] {
                let f = |x: f64| {
                    let u = x - top;
                    1.0 + (rises * u - 0.2 * u * u).min(-falls * u - 0.1 * u * u)
                };
                let (found, _) = seek(&f, 1e-5, 0.0);
                assert!(1.0 - found < 1e-5, "{top} {rises} {falls}: {:e}", 1.0 - found);
            }
        }
    }

    /// In the last gaps of few stages, where little tells of them; nearer to the end 24 looks come to 1.2e-6. To what a look has to promise.
    #[test]
    fn kinks_and_jumps_in_wide_gaps_are_found() {
        for top in places().filter(|top| (0.16..0.96).contains(top)) {
            for falls in [0.05, 0.3] {
                let kink = |x: f64| 1.0 + (0.1 * (x - top)).min(-falls * (x - top));
                let (found, looks) = seek_from(&FEW_STAGES, &kink, 0.0, 0.0, 24);
                assert!(1.0 - found < 1e-6, "{top} {falls}: {:e} in {looks}", 1.0 - found);
            }
            // Rising on both sides, it falls at once by less than it rises over the gap.
            let jump = |x: f64| 1.0 + 0.05 * (x - top) - if x < top { 0.0 } else { 0.06 };
            let (found, looks) = seek_from(&FEW_STAGES, &jump, 0.0, 0.0, 24);
            assert!(1.0 - found < 1e-6, "{top}: {:e} in {looks}", 1.0 - found);
        }
    }

    /// A curve that rises, falls at once, and then bends so that it foretells what was before it fell; and one that falls twice. Branches
    /// tell of both. One fall takes a look at each hint and some 16 halvings of the 0.05 by which the curve rises, down to 1e-6, each with a look
    /// beside it now and then.
    #[test]
    fn jumps_between_branches_are_found() {
        for top in places().filter(|top| (0.16..0.96).contains(top)) {
            for falls in [1e-4, 1e-3, 0.02] {
                let bent = |x: f64| {
                    let [u, v] = [x - top, (x - top) / (1.0 - top)];
                    if u < 0.0 { (1.0 + 0.05 * u, 1) } else { (1.0 - falls - falls * v * v, 2) }
                };
                let twice = |x: f64| {
                    let [first, second] = [0.7 * top, top];
                    let fallen = u32::from(x >= first) + u32::from(x >= second);
                    (1.0 + 0.05 * x - falls * f64::from(fallen), fallen)
                };
                let curves: [&dyn Fn(f64) -> (f64, u32); 2] = [&bent, &twice];
                for (k, curve) in curves.into_iter().enumerate() {
                    for stages in [&STAGES[..], &FEW_STAGES] {
                        let (found, looks) = seek_on_branches(stages, curve, 0.0, 0.0, 48);
                        let missed = truth(&|x| curve(x).0) - found;
                        assert!(missed < 1e-6, "{k} {top} {falls}: {missed:e} in {looks}");
                        assert!(k > 0 || looks <= 32, "{k} {top} {falls}: {looks}");
                    }
                }
            }
        }
    }

    /// One stage alone is on a branch that rises steeply and falls at once, where the value before it was lower and the greatest of those after it
    /// is at a fall, too. Nothing says how steep the branch is. (With the chord to the value before it in its place it was missed.)
    #[test]
    fn a_rise_of_which_one_value_is_known_is_found() {
        for end in [0.265, 0.28, 0.29] {
            let curve = |x: f64| match x {
                x if x < 0.15 => (1.0 + 0.002 * x, 1),
                x if x < end => (1.02 + 0.2 * (x - 0.2), 2),
                x if x < 0.42 => (1.0225 + 0.08 * (x - 0.3), 1),
                x => (0.95 + 0.01 * x, 3),
            };
            let (found, looks) = seek_on_branches(&STAGES, &curve, 0.0, 0.0, 48);
            let missed = truth(&|x| curve(x).0) - found;
            assert!(missed < 1e-6, "{end}: {missed:e} in {looks}");
        }
    }

    /// A kink before the step hides no top just before its end.
    #[test]
    fn what_was_before_the_step_hides_nothing() {
        for steep in [-0.08, -0.03, 0.2, 1.0] {
            let f = |x: f64| 1.0 - 0.05 * (x - 0.97) * (x - 0.97) + steep * x.min(0.0);
            let (found, looks) = seek_from(&FEW_STAGES, &f, 0.0, 0.0, 12);
            assert!(1.0 - found < 1e-9 && looks <= 4, "{steep}: {:e} in {looks}", 1.0 - found);
        }
    }

    /// A value that rises, falls at once and goes on low.
    #[test]
    fn jumps_are_halved() {
        for top in places().filter(|top| *top < 0.8) {
            let f = |x: f64| if x < top { 1.0 + 0.01 * (x - top) } else { 0.3 - 0.01 * x };
            let (found, looks) = seek(&f, 1e-6, 0.0);
            assert!(1.0 - found < 1e-5 && looks <= 12, "{top}: {:e} in {looks}", 1.0 - found);
        }
    }

    #[test]
    fn what_rises_or_rests_costs_nothing() {
        for f in [|x: f64| x, |x: f64| x - 0.2 * x * x, |_| 1.0, |x: f64| 1.0 - x] {
            assert_eq!(seek(&f, 0.0, 0.0).1, 0);
        }
        assert_eq!(seek(&|x| 1.0 - (x - 0.5) * (x - 0.5), 1e-4, 1.1).1, 0);
    }
}
