//! Episodes of contacts, from begin to end, and what was greatest in them.

/// A greatest value and when it was.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// Value.
    pub value: f64,
    /// Time (s).
    pub time: f64,
}

impl Peak {
    /// Takes a greater value; of equal ones the first counts. True if it is one.
    pub fn raise(&mut self, value: f64, time: f64) -> bool {
        let is_greater = value > self.value;
        if is_greater {
            *self = Self { value, time };
        }
        is_greater
    }

    /// Takes that of another peak.
    pub fn join(&mut self, other: &Self) {
        self.raise(other.value, other.time);
    }
}

/// Greatest values of an episode or of a pair, located inside the steps. At stops of angles in N m and rad.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peaks {
    /// Normal force (N); of a pair the sum over its contacts, of a cable its tension.
    pub force: Peak,
    /// Penetration (m).
    pub penetration: Peak,
    /// Pressure of areal contact (Pa); 0 of others.
    pub pressure: Peak,
}

impl Peaks {
    /// Those of an episode that begins.
    pub fn beginning(time: f64) -> Self {
        let none = Peak { value: 0.0, time };
        Self { force: none, penetration: none, pressure: none }
    }
}

/// A contact from its begin to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// Index into [`super::RunInfo::contacts`].
    pub contact: usize,
    /// When it began (s).
    pub begin: f64,
    /// When it ended (s); `None` if it holds at the end of the run.
    pub end: Option<f64>,
    /// Until when the numbers count: its end, or that of the run (s).
    pub until: f64,
    /// Approach speed at its begin (m/s).
    pub approach_speed: f64,
    /// Speed at which it parted (m/s); `None` if it holds.
    pub separation_speed: Option<f64>,
    /// Normal impulse (N s).
    pub impulse_normal: f64,
    /// Greatest values.
    pub peaks: Peaks,
}

/// Greatest and least sum of the normal forces of a contact line's pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct LineTotals {
    /// Name of the line.
    pub name: String,
    /// Greatest sum (N, or N m at stops of angles).
    pub force: Peak,
    /// Least sum; 0 once nothing touches.
    pub least_force: Peak,
}
