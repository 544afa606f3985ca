//! What a run has done, summed.

use super::{Jump, Peak, Peaks};

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected attempts.
    pub rejected: u64,
    /// Right-hand sides.
    pub rhs: u64,
    /// Events of contacts.
    pub events: u64,
    /// Looks at single contacts inside accepted steps, to locate their peaks; beside the right-hand sides.
    pub looks: u64,
    /// Impacts of rigid contacts.
    pub impacts: u64,
    /// Of these, those whose law would have gained energy.
    pub scaled_impacts: u64,
    /// Iterations of the contact problems of rigid contacts.
    pub contact_iterations: u64,
    /// Jacobians of an implicit method.
    pub jacobians: u64,
    /// Factorisations of its linear systems.
    pub factorizations: u64,
    /// Its Newton iterations.
    pub newton_iterations: u64,
    /// Wall time of the run without loading and output (s).
    pub wall_s: f64,
}

/// Where the run stands, for progress displays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Time reached (s).
    pub time: f64,
    /// End of the run (s).
    pub t_end: f64,
    /// Mean of the steps since the last look (s): single ones may be short for an event and long after it.
    pub step: f64,
    /// Counters so far.
    pub statistics: Statistics,
    /// Closed contacts now.
    pub closed: usize,
    /// Greatest penetration at this moment (m).
    pub penetration: f64,
    /// |residual| over the energy moved so far.
    pub residual_relative: f64,
}

/// Totals of one pair over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairTotals {
    /// Greatest values; the force is the sum over the pair's contacts.
    pub peaks: Peaks,
    /// Least sum of the normal forces (N); 0 once nothing touches.
    pub least_force: Peak,
    /// Normal impulse (N s).
    pub impulse_normal: f64,
    /// Energy lost in the pair (J).
    pub dissipated: f64,
    /// Number of contact begins.
    pub begins: u64,
    /// Energy that its contacts have stored beyond the work that went into them (J): the pair's share of
    /// [`Energy::model_defect`].
    pub model_defect: f64,
    /// The step that added most to it.
    pub worst_jump: Jump,
}
