/// What has happened to a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The gap closed with a speed of approach.
    Impact,
    /// The same, slower than the speed of rest: it lasts, whatever its restitution.
    Rest,
    /// The normal force reached zero.
    Detachment,
    /// Sticking ended.
    StickToSlip,
    /// The slip came to rest.
    SlipToStick,
    /// The slip came to rest and goes on the other way.
    SlipReversal,
    /// Of forces that are not unique, or without any change of the sets.
    Redistribution,
}

/// A row of the event log.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Time (s).
    pub time: f64,
    /// What happened.
    pub kind: EventKind,
    /// To which contact: the one that was located.
    pub contact: usize,
    /// All positions.
    pub positions: Vec<f64>,
    /// Velocities before and after.
    pub velocities: [Vec<f64>; 2],
    /// Contacts that took part in an impact, with normal and tangential impulse (N s).
    pub impulses: Vec<(usize, [f64; 2])>,
    /// Kinetic energy that was lost (J).
    pub lost: f64,
    /// Share of the expansion that was kept; below 1 the law would have gained energy.
    pub kept: f64,
    /// Pivots of the complementarity problems, all of which were solved.
    pub pivots: usize,
}
