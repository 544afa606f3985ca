//! Finds the first sign change of a zero function inside a step, also where both ends have the old sign. What is called
//! clear is proven so, by a lower bound between two looks that the caller gives.

use crate::root::find_right_root;

/// Value and rate of a zero function at one time, with what else was seen there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look<S> {
    /// Time, from the start of the step.
    pub at: f64,
    /// Value.
    pub z: f64,
    /// Rate dz/dt: it says only which brackets hold one crossing.
    pub rate: f64,
    /// What the lower bound is made from.
    pub seen: S,
}

/// Outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum First<S> {
    /// No crossing, for certain.
    None,
    /// The first crossing is after `left`, and at `right` at the latest.
    Between {
        /// Time at which there was none yet.
        left: f64,
        /// A look with the new sign.
        right: Look<S>,
    },
    /// Up to this time there is none; of what comes after nothing is known within the looks allowed.
    Unknown {
        /// The time.
        from: f64,
    },
}

/// How finely is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// What rounding leaves of values.
    pub value: f64,
    /// Shortest interval that is halved.
    pub time: f64,
    /// Most looks.
    pub looks: u32,
}

/// First crossing of a function from above to zero or below between two looks. It is above zero at `a` by definition.
///
/// An interval is clear where `least`, a lower bound between two looks, is above what rounding leaves of values: surfaces
/// that slide along each other a unit in the last place apart do not meet. Where the cubic Hermite interpolant falls
/// throughout and agrees with a look at the middle, a crossing is located, and what comes before it is searched likewise:
/// a shallow dip early in a long step hides behind a deep one. Else the interval is halved.
pub fn find_first_crossing<S: Copy>(
    look: &mut impl FnMut(f64) -> Look<S>,
    least: &mut impl FnMut(&Look<S>, &Look<S>) -> f64,
    a: Look<S>,
    b: Look<S>,
    Resolution { value, time, looks }: Resolution,
) -> First<S> {
    let mut search = Search { look, least, rounding: value, tick: time, looks };
    search.between(a, b)
}

/// Least value between two times, `width` apart, of a function with values `a` and `b` there and a second derivative of
/// `bending` at most: it is above its chord less ½ M τ (w − τ).
pub fn least_above_chord(a: f64, b: f64, bending: f64, width: f64) -> f64 {
    let slope = (b - a) / width;
    let lowest = 0.5 * width - slope / bending;
    if !(bending > 0.0 && lowest > 0.0 && lowest < width) {
        // A bound that is no number bounds nothing.
        return if bending.is_nan() { f64::NEG_INFINITY } else { a.min(b) };
    }
    a + slope * lowest - 0.5 * bending * lowest * (width - lowest)
}

/// Looks that it may take to prove clear what touches, to rounding, all along an interval. Where it takes more, nothing is known from there: a
/// step that begins where bodies touch knows that they do.
const TOUCHING: f64 = 200.0;

struct Search<'a, L, B> {
    look: &'a mut L,
    least: &'a mut B,
    rounding: f64,
    tick: f64,
    /// How many are left.
    looks: u32,
}

impl<L, B> Search<'_, L, B> {
    fn between<S: Copy>(&mut self, a: Look<S>, b: Look<S>) -> First<S>
    where
        L: FnMut(f64) -> Look<S>,
        B: FnMut(&Look<S>, &Look<S>) -> f64,
    {
        if b.z > 0.0 && (self.least)(&a, &b) > -self.rounding {
            return First::None;
        }
        let at = 0.5 * (a.at + b.at);
        if b.at - a.at <= self.tick || at <= a.at || at >= b.at {
            return if b.z <= 0.0 { First::Between { left: a.at, right: b } } else { First::None };
        }
        if self.looks == 0 {
            return First::Unknown { from: a.at };
        }
        self.looks -= 1;
        let middle = (self.look)(at);
        // A bound falls with the square of the interval.
        let touches = a.at > 0.0 && [a.z, middle.z, b.z].iter().all(|z| z.abs() <= self.rounding);
        if touches && (self.least)(&a, &b) < -TOUCHING * TOUCHING * self.rounding {
            return First::Unknown { from: a.at };
        }
        let predicted = 0.5 * (a.z + b.z) + 0.125 * (b.at - a.at) * (a.rate - b.rate);
        let defect = (middle.z - predicted).abs();
        if b.z <= 0.0 && 16.0 * defect <= a.z - b.z && hermite_falls(&a, &b) {
            let root = find_right_root(|at| (self.look)(at).z, a.at, b.at, b.z, true);
            let root = (self.look)(root);
            return match self.up_to(a, root) {
                // Whoever locates it in the whole bracket finds that root.
                First::Between { right, .. } if right.at == root.at => {
                    First::Between { left: a.at, right: b }
                }
                found => found,
            };
        }
        match self.between(a, middle) {
            First::None if middle.z > 0.0 => self.between(middle, b),
            found => found,
        }
    }

    /// The first crossing up to a root.
    fn up_to<S: Copy>(&mut self, a: Look<S>, root: Look<S>) -> First<S>
    where
        L: FnMut(f64) -> Look<S>,
        B: FnMut(&Look<S>, &Look<S>) -> f64,
    {
        let at = 0.5 * (a.at + root.at);
        let ends = root.at - a.at <= self.tick || at <= a.at || at >= root.at;
        if ends || (self.least)(&a, &root) >= root.z.min(-self.rounding) {
            return First::Between { left: a.at, right: root };
        }
        if self.looks == 0 {
            return First::Unknown { from: a.at };
        }
        self.looks -= 1;
        let middle = (self.look)(at);
        match self.between(a, middle) {
            First::None => self.up_to(middle, root),
            found => found,
        }
    }
}

/// Does the cubic Hermite interpolant fall all the way? Then it crosses zero once at most.
fn hermite_falls<S>(a: &Look<S>, b: &Look<S>) -> bool {
    let h = b.at - a.at;
    // p'(s)/h at the ends and where p' is extreme; a quadratic that is negative there is negative.
    let slope = (b.z - a.z) / h;
    let (c2, c3) = (3.0 * slope - 2.0 * a.rate - b.rate, a.rate + b.rate - 2.0 * slope);
    let extreme = -c2 / (3.0 * c3);
    let at_extreme = a.rate - c2 * c2 / (3.0 * c3);
    a.rate <= 0.0 && b.rate <= 0.0 && !(extreme > 0.0 && extreme < 1.0 && at_extreme > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First crossing in (0, h] of a function given with its rate, whose second derivative is at most `bending`.
    fn first(f: impl Fn(f64) -> (f64, f64), h: f64, bending: f64) -> Option<f64> {
        let mut look = |at: f64| {
            let (z, rate) = f(at);
            Look { at, z, rate, seen: () }
        };
        let mut least =
            |a: &Look<()>, b: &Look<()>| least_above_chord(a.z.max(0.0), b.z, bending, b.at - a.at);
        let (a, b) = (look(0.0), look(h));
        let resolution = Resolution { value: 1e-16, time: 1e-17, looks: 10_000 };
        match find_first_crossing(&mut look, &mut least, a, b, resolution) {
            First::None => None,
            First::Between { left, right } => {
                Some(find_right_root(|t| f(t).0, left, right.at, right.z, true))
            }
            First::Unknown { from } => panic!("gave up at {from}"),
        }
    }

    #[test]
    fn touch_and_go_within_the_step_is_found() {
        // Parabola that dips below zero between 0.5 − 0.1 and 0.5 + 0.1.
        let t = first(|t| ((t - 0.5) * (t - 0.5) - 0.01, 2.0 * (t - 0.5)), 1.0, 2.0);
        assert!((t.unwrap() - 0.4).abs() < 1e-15);
    }

    #[test]
    fn shallow_dip_is_found() {
        let t = first(|t| ((t - 0.5) * (t - 0.5) - 1e-12, 2.0 * (t - 0.5)), 1.0, 2.0);
        assert!((t.unwrap() - 0.499_999).abs() < 1e-9);
    }

    /// A dip of every width at every place, beside which both ends are far away.
    #[test]
    fn narrow_dips_are_found_wherever_they_are() {
        for k in 0..400 {
            let (at, width) = (0.1 + 0.002 * f64::from(k), libm::exp2(-f64::from(k % 10)));
            // 1 − exp(−x²/2)·(1 + d): second derivative at most (1 + d)/width² · 1.
            let d = 1e-3;
            let f = |t: f64| {
                let x = (t - at) / width;
                let e = (1.0 + d) * libm::exp(-0.5 * x * x);
                (1.0 - e, e * x / width)
            };
            let t = first(f, 1.0, 1.01 / (width * width));
            let want = at - width * (2.0 * libm::log(1.0 + d)).sqrt();
            if want > 0.0 {
                assert!((t.expect("it dips") - want).abs() < 1e-9, "{at} {width}");
            }
        }
    }

    #[test]
    fn near_misses_are_no_crossings() {
        assert_eq!(first(|t| ((t - 0.5) * (t - 0.5) + 1e-9, 2.0 * (t - 0.5)), 1.0, 2.0), None);
        assert_eq!(first(|_| (1e-9, 0.0), 1.0, 0.0), None);
        // From a gap of zero that opens.
        assert_eq!(first(|t| (0.1 * t + t * t, 0.1 + 2.0 * t), 1.0, 2.0), None);
        assert_eq!(first(|t| (t * t, 2.0 * t), 1.0, 2.5), None);
    }

    #[test]
    fn first_of_two_crossings() {
        // Below zero on (0.2, 0.3) and from 0.9 on; the second derivative is at most 2.8.
        let f = |t: f64| (0.9 - t) * (t - 0.2) * (t - 0.3);
        let rate = |t: f64| -3.0 * t * t + 2.8 * t - 0.51;
        let t = first(|t| (f(t), rate(t)), 1.0, 2.8);
        assert!((t.unwrap() - 0.2).abs() < 1e-12);
    }

    /// A throw on a rope: taut near its crest and again far below, where values, rates and the middle look like one fall.
    #[test]
    fn a_shallow_dip_before_a_deep_one_comes_first() {
        let distance = |t: f64| {
            let (x, z) = (0.73 + 1.37 * t, 2.0 + 1.8 * t - 4.905 * t * t);
            let d = (x * x + z * z).sqrt();
            (d, (1.37 * x + (1.8 - 9.81 * t) * z) / d)
        };
        let (crest, top) = (0..400_000)
            .map(|k| 1e-6 * f64::from(k))
            .map(|t| (t, distance(t).0))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap();
        for beyond in [0.05, 1e-3, 1e-6, 1e-9] {
            let f = |t: f64| (top - beyond - distance(t).0, -distance(t).1);
            let t = first(f, 3.75, 9.81).unwrap();
            assert!(f(t).0 <= 0.0 && f(t).0 > -1e-13 && t < crest, "{beyond}: {t}");
        }
    }

    /// Falls to a tenth of rounding at 0.3 and stays there: that takes 1e8 looks to prove clear. The search says soon up to where it is clear.
    #[test]
    fn what_stays_in_touch_is_left_to_the_next_step() {
        let looks = std::cell::Cell::new(0);
        let mut look = |at: f64| {
            looks.set(looks.get() + 1);
            let left = (0.3 - at).max(0.0);
            Look { at, z: 1e-17 + left * left, rate: -2.0 * left, seen: () }
        };
        let mut least = |a: &Look<()>, b: &Look<()>| least_above_chord(a.z.max(0.0), b.z, 2.0, b.at - a.at);
        let (a, b) = (look(0.0), look(1.0));
        let resolution = Resolution { value: 1e-16, time: 1e-17, looks: 20_000 };
        let First::Unknown { from } = find_first_crossing(&mut look, &mut least, a, b, resolution) else {
            panic!("nothing crosses, and nothing proves it")
        };
        // Of what touches as much is cleared as a few looks do.
        assert!((from - 0.3).abs() < 1e-5, "{from}");
        assert!(looks.get() < 500, "{} looks", looks.get());
    }

    #[test]
    fn bounds_that_are_no_numbers_prove_nothing() {
        assert_eq!(least_above_chord(1.0, 1.0, f64::NAN, 1.0), f64::NEG_INFINITY);
        assert_eq!(least_above_chord(1.0, 1.0, f64::INFINITY, 1.0), f64::NEG_INFINITY);
        assert_eq!(least_above_chord(1.0, 3.0, 0.0, 1.0), 1.0);
        assert_eq!(least_above_chord(1.0, 1.0, 8.0, 1.0), 0.0);
    }
}
