//! The first touch of two bodies on known paths: steps that the distance allows, then bisection.

use crate::motion::{Motion, closing_speed};
use crate::surface::{Surface, distance};

/// Two bodies on their paths.
pub(crate) struct Encounter<'a> {
    pub(crate) surfaces: [&'a Surface; 2],
    pub(crate) motions: [&'a Motion; 2],
    /// Greatest distances of their surfaces from the axes that they turn about.
    pub(crate) radii: [f64; 2],
    /// Overlaps that last for longer than this way takes are deep (m).
    pub(crate) size: f64,
    pub(crate) t_end: f64,
    /// What is below it is not told apart from a touch (m).
    pub(crate) clear: f64,
    /// Most looks at the distance.
    pub(crate) looks: u64,
}

/// What the oracle finds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Finding {
    /// They touch, and go on to overlap by far more than the tolerance.
    Touch(Touch),
    /// They stay apart, by this at least (m).
    Apart(f64),
    /// They come too near each other to tell, or the looks do not suffice; with the reason.
    Unclear(&'static str),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) time: f64,
    /// Rate at which the distance falls there (m/s).
    pub(crate) approach: f64,
}

impl Encounter<'_> {
    pub(crate) fn distance(&self, t: f64) -> f64 {
        let [a, b] = self.surfaces;
        let [xa, xb] = self.motions.map(|m| m.pose(t));
        distance(a, &xa, b, &xb).expect("a pair that scenes have")
    }

    fn speed(&self, times: [f64; 2]) -> f64 {
        closing_speed(self.motions, self.radii, times)
    }

    /// Longest time from `t` on in which the distance cannot change by more than `way`.
    fn time_for(&self, t: f64, way: f64) -> f64 {
        let mut step = self.t_end - t;
        for _ in 0..40 {
            let allowed = way / self.speed([t, t + step]);
            if allowed >= step {
                return step;
            }
            // A shorter interval may have a lower bound.
            step = allowed.max(0.25 * step);
            if step == allowed {
                return step;
            }
        }
        way / self.speed([t, self.t_end])
    }

    pub(crate) fn first_touch(&self) -> Finding {
        let (mut t, mut apart) = (0.0, f64::INFINITY);
        for _ in 0..self.looks {
            let d = self.distance(t);
            if d <= 0.0 {
                return if t == 0.0 {
                    Finding::Unclear("overlap at the start")
                } else {
                    self.touch_before(t)
                };
            }
            apart = apart.min(d);
            if t >= self.t_end {
                return if apart > self.clear {
                    Finding::Apart(apart)
                } else {
                    Finding::Unclear("nearly touch")
                };
            }
            let next = t + self.time_for(t, d.max(0.3 * self.clear));
            t = if next > t { next.min(self.t_end) } else { t.next_up() };
        }
        Finding::Unclear("too many looks")
    }

    /// Touch before a time at which they overlap for the first time.
    fn touch_before(&self, overlapped: f64) -> Finding {
        let (mut low, mut high) =
            (overlapped - self.time_for(overlapped.next_down(), self.clear).max(0.0), overlapped);
        // Back to a time at which they are apart.
        while low > 0.0 && self.distance(low) <= 0.0 {
            (low, high) = ((low - 2.0 * (high - low)).max(0.0), low);
        }
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if self.distance(middle) > 0.0 { low = middle } else { high = middle }
        }
        let lasts = self.overlap_after(high);
        let before = (1e-3 * lasts).min(0.5 * high);
        let approach = self.distance(high - before) / before;
        // A chord of a convex region is a quarter as deep as the approach would reach in its time, at least.
        let deep = approach * lasts / 8.0 > 2.0 * self.clear;
        if deep { Finding::Touch(Touch { time: high, approach }) } else { Finding::Unclear("touch lightly") }
    }

    /// For how long they overlap after their touch, at least (s), as far as it matters.
    fn overlap_after(&self, touch: f64) -> f64 {
        let mut lasts = self.clear / self.speed([touch, touch]);
        while touch + lasts < self.t_end
            && self.distance(touch + lasts) <= 0.0
            && self.speed([touch, touch]) * lasts < self.size
        {
            lasts *= 2.0;
        }
        0.5 * lasts
    }
}
