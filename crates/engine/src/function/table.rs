use super::interval::Interval;
use super::{Jet, JetRange};

/// What rounding makes of a point's value, per size of the terms.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// What happens between the points of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight lines.
    Linear,
    /// Natural cubic spline: continuous up to the second derivative.
    Cubic,
}

impl Interpolation {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Linear, Self::Cubic];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Cubic => "cubic",
        }
    }
}

/// Why points make no table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TableFault {
    /// There are fewer than two points.
    TooShort,
    /// The time of this point is not after that of the one before.
    Order(usize),
    /// This point is not finite.
    NotFinite(usize),
}

/// Values at increasing times.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    times: Vec<f64>,
    values: Vec<f64>,
    /// Second derivatives at the points; zero for straight lines.
    curvatures: Vec<f64>,
    interpolation: Interpolation,
}

impl Table {
    /// From points (time in s, value).
    pub fn new(points: &[(f64, f64)], interpolation: Interpolation) -> Result<Self, TableFault> {
        if points.len() < 2 {
            return Err(TableFault::TooShort);
        }
        if let Some(k) = points.iter().position(|p| !(p.0.is_finite() && p.1.is_finite())) {
            return Err(TableFault::NotFinite(k));
        }
        if let Some(k) = points.windows(2).position(|p| p[1].0 <= p[0].0) {
            return Err(TableFault::Order(k + 1));
        }
        let times: Vec<f64> = points.iter().map(|p| p.0).collect();
        let values: Vec<f64> = points.iter().map(|p| p.1).collect();
        let curvatures = match interpolation {
            Interpolation::Linear => vec![0.0; times.len()],
            Interpolation::Cubic => natural_spline(&times, &values),
        };
        Ok(Self { times, values, curvatures, interpolation })
    }

    /// Times of the points (s).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Points and what is between them.
    pub fn points(&self) -> (impl Iterator<Item = (f64, f64)>, Interpolation) {
        (self.times.iter().copied().zip(self.values.iter().copied()), self.interpolation)
    }

    /// Value and derivatives at time `t` (s), from the interval that begins at or before it.
    pub fn jet(&self, t: f64) -> Jet {
        let last = self.times.len() - 1;
        if t < self.times[0] {
            return Jet::constant(self.values[0]);
        }
        if t >= self.times[last] {
            return Jet::constant(self.values[last]);
        }
        let k = self.times.partition_point(|&time| time <= t) - 1;
        self.jet_of(k, t)
    }

    /// Value and derivatives of the piece from point `k` on.
    fn jet_of(&self, k: usize, t: f64) -> Jet {
        let h = self.times[k + 1] - self.times[k];
        let (b, slope) = ((t - self.times[k]) / h, (self.values[k + 1] - self.values[k]) / h);
        let a = 1.0 - b;
        let (m0, m1) = (self.curvatures[k], self.curvatures[k + 1]);
        let sixth = h * h / 6.0;
        Jet {
            value: a * self.values[k]
                + b * self.values[k + 1]
                + sixth * ((a * a * a - a) * m0 + (b * b * b - b) * m1),
            rate: slope + h / 6.0 * ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1),
            acceleration: a * m0 + b * m1,
        }
    }

    /// Bounds in [t₀, t₁]: of each piece at its ends and where it turns, with a margin for rounding.
    pub fn range(&self, t: [f64; 2]) -> JetRange {
        let last = self.times.len() - 1;
        let mut bounds: Option<[Interval; 3]> = None;
        let mut take = |jet: Jet, margin: [f64; 3]| {
            let new = [jet.value, jet.rate, jet.acceleration];
            let new = [0, 1, 2].map(|k| Interval::point(new[k]).padded(margin[k]));
            bounds = Some(bounds.map_or(new, |old| [0, 1, 2].map(|k| old[k].hull(new[k]))));
        };
        if t[0] < self.times[0] {
            take(Jet::constant(self.values[0]), [0.0; 3]);
        }
        if t[1] >= self.times[last] {
            take(Jet::constant(self.values[last]), [0.0; 3]);
        }
        let first = self.times.partition_point(|&time| time <= t[0]).saturating_sub(1);
        for k in (first..last).take_while(|&k| self.times[k] <= t[1]) {
            let (from, to) = (t[0].max(self.times[k]), t[1].min(self.times[k + 1]));
            if from > to {
                continue;
            }
            let margin = self.rounding_of(k);
            for time in [from, to].into_iter().chain(self.turns(k).filter(|&time| from < time && time < to)) {
                take(self.jet_of(k, time), margin);
            }
        }
        let [value, rate, acceleration] = bounds.unwrap_or([Interval::ENTIRE; 3]).map(|x| [x.lo, x.hi]);
        JetRange { value, rate, acceleration }
    }

    /// Times and values at the ends of the segments that are no longer than a share of their time.
    pub(super) fn shortest_segments(&self, share: f64) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
        let segments = self.times.windows(2).zip(self.values.windows(2));
        let short = segments.filter(move |(t, _)| t[1] - t[0] <= share * t[1].abs());
        short.map(|(t, v)| ([t[0], t[1]], [v[0], v[1]]))
    }

    /// Times at which the rate of the cubic from point `k` on, or its value, may be extreme: zeros of the acceleration
    /// and of the rate. May be outside of the piece.
    fn turns(&self, k: usize) -> impl Iterator<Item = f64> {
        let h = self.times[k + 1] - self.times[k];
        let (m0, m1) = (self.curvatures[k], self.curvatures[k + 1]);
        // Rate r₀ + m₀ s + (m₁ − m₀) s²/(2 h) at s = t − t_k.
        let start = self.jet_of(k, self.times[k]).rate;
        let square = 0.5 * (m1 - m0) / h;
        let root = (m0 * m0 - 4.0 * square * start).max(0.0).sqrt();
        // Without cancellation (Press et al., Numerical Recipes, 5.6).
        let larger = -0.5 * (m0 + root.copysign(m0));
        let places = [-0.5 * m0 / square, larger / square, start / larger];
        places.into_iter().map(move |s| self.times[k] + s).filter(|t| t.is_finite())
    }

    /// Margins for rounding of value, rate and acceleration on the piece from point `k` on.
    fn rounding_of(&self, k: usize) -> [f64; 3] {
        let h = self.times[k + 1] - self.times[k];
        let value = self.values[k].abs().max(self.values[k + 1].abs());
        let bend = self.curvatures[k].abs().max(self.curvatures[k + 1].abs());
        // Times round, too.
        let time = self.times[k].abs().max(self.times[k + 1].abs()) / h;
        let step = (self.values[k + 1] - self.values[k]).abs() + h * h * bend;
        [value + (1.0 + time) * step, (step + h * h * bend * time) / h, (1.0 + time) * bend]
            .map(|x| ROUNDING * x)
    }
}

/// Second derivatives of the natural cubic spline (tridiagonal system, Thomas's algorithm).
fn natural_spline(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut m = vec![0.0; n];
    let mut upper = vec![0.0; n];
    for k in 1..n - 1 {
        let (left, right) = (x[k] - x[k - 1], x[k + 1] - x[k]);
        let bend = 6.0 * ((y[k + 1] - y[k]) / right - (y[k] - y[k - 1]) / left);
        let pivot = 2.0 * (left + right) - left * upper[k - 1];
        upper[k] = right / pivot;
        m[k] = (bend - left * m[k - 1]) / pivot;
    }
    for k in (1..n - 1).rev() {
        m[k] -= upper[k] * m[k + 1];
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spline_goes_through_its_points_and_is_smooth() {
        let points = [(0.0, 1.0), (0.5, 2.0), (1.5, -1.0), (2.0, 0.0)];
        let table = Table::new(&points, Interpolation::Cubic).unwrap();
        for (t, value) in points {
            assert!((table.jet(t).value - value).abs() < 1e-15);
        }
        for t in [0.5, 1.5] {
            let (before, after) = (table.jet(t - 1e-9), table.jet(t));
            assert!((before.rate - after.rate).abs() < 1e-7);
            assert!((before.acceleration - after.acceleration).abs() < 1e-7);
        }
    }

    #[test]
    fn bad_points_are_named() {
        let table = |points: &[(f64, f64)]| Table::new(points, Interpolation::Linear).unwrap_err();
        assert_eq!(table(&[(0.0, 0.0)]), TableFault::TooShort);
        assert_eq!(table(&[(0.0, 0.0), (0.0, 1.0)]), TableFault::Order(1));
        assert_eq!(table(&[(0.0, 0.0), (1.0, f64::NAN)]), TableFault::NotFinite(1));
    }
}
