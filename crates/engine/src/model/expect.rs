/// What a run must deliver: one line of `[expect]`. Not part of the model; whoever has the recorded
/// tables compares.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Key as written, such as `ball.x @ 6 s`.
    pub text: String,
    /// Name of the quantity, such as `ball.x`, with or without its unit; for events `drop.begin`.
    pub quantity: String,
    /// When, or over what.
    pub moment: Moment,
    /// What it must be, in SI units.
    pub condition: Condition,
}

/// When a quantity is looked at, or how its values are put together.
#[derive(Clone, Debug, PartialEq)]
pub enum Moment {
    /// At this time (s).
    At(f64),
    /// At the end of the run.
    End,
    /// Largest recorded value.
    Max,
    /// Smallest recorded value.
    Min,
    /// Number of rows, such as of events.
    Count,
    /// Column of the k-th event of the quantity, counted from 0: `drop.begin[0].time`.
    Event {
        /// Index k.
        index: usize,
        /// Column, such as `time`.
        column: String,
    },
}

/// Condition on a value, in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// |x − value| ≤ tol
    Near {
        /// Expected value.
        value: f64,
        /// Largest deviation.
        tol: f64,
    },
    /// x < limit
    Below(f64),
    /// x > limit
    Above(f64),
    /// low ≤ x ≤ high
    Between(f64, f64),
}

impl Condition {
    /// Does the value satisfy it? NaN never does.
    pub fn holds(&self, x: f64) -> bool {
        match *self {
            Self::Near { value, tol } => (x - value).abs() <= tol,
            Self::Below(limit) => x < limit,
            Self::Above(limit) => x > limit,
            Self::Between(low, high) => low <= x && x <= high,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_satisfies_nothing() {
        for condition in [
            Condition::Near { value: 0.0, tol: f64::INFINITY },
            Condition::Below(f64::INFINITY),
            Condition::Above(f64::NEG_INFINITY),
            Condition::Between(f64::NEG_INFINITY, f64::INFINITY),
        ] {
            assert!(!condition.holds(f64::NAN));
            assert!(condition.holds(1.0));
        }
    }
}
