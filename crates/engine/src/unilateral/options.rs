use super::Law;

/// How a system is to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Of impacts.
    pub law: Law,
    /// End (s).
    pub end: f64,
    /// Relative tolerance of the integrator.
    pub relative: f64,
    /// Absolute tolerances of positions and velocities.
    pub absolute: [f64; 2],
    /// Largest step (s).
    pub largest_step: f64,
    /// Impacts slower than this last, with what they had booked as lost (m/s), and so does what they part slower than that: so end
    /// infinitely many impacts in finite time, of one contact or of several in turn.
    pub rest_speed: f64,
}
