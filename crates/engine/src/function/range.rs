use super::enclosure::Enclosure;
use super::interval::Interval;

/// Bounds \[least, greatest\] of a value and its first and second derivative over an interval of time. Infinite where there is
/// no bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JetRange {
    /// f
    pub value: [f64; 2],
    /// ḟ; where it jumps, on both sides. A jump of f itself is not in it.
    pub rate: [f64; 2],
    /// f̈, likewise.
    pub acceleration: [f64; 2],
}

impl From<Enclosure> for JetRange {
    fn from(bounds: Enclosure) -> Self {
        let ends = |x: Interval| [x.lo, x.hi];
        Self { value: ends(bounds.value), rate: ends(bounds.rate), acceleration: ends(bounds.acceleration) }
    }
}
