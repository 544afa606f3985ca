//! Rigid contact as complementarity, for systems given by matrices: impacts, sticking, slipping, detachment, all found by
//! linear complementarity problems at events; between events the motion is smooth (Pfeiffer & Glocker 1996).
//!
//! Contacts are planar: a normal and one tangent. Normal gaps are positive apart; multipliers λ_N ≥ 0 push apart.

mod contact_problem;
mod dependent;
mod error;
mod event;
mod impact;
mod matrices;
mod motion;
mod options;
mod run;
mod watch;

pub use crate::law::ImpactLaw as Law;
pub use error::Error;
pub use event::{Event, EventKind};
pub use impact::{Impact, solve_impact};
pub use options::Options;
pub use run::{Run, run};

/// Friction and restitution of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// Coefficient μ of friction, for sticking and slipping.
    pub friction: f64,
    /// Normal coefficient e_N of restitution.
    pub normal: f64,
    /// Tangential reversibility e_T; 0 for all but bodies like super balls.
    pub tangential: f64,
    /// Share ν of Coulomb's bound that holds against the reversed impulse: 1 all of it, 0 none.
    pub bound: f64,
}

impl ContactLaw {
    /// All four finite and not negative, the last three at most 1.
    fn is_sound(&self) -> bool {
        let shares = [self.normal, self.tangential, self.bound];
        self.friction.is_finite() && self.friction >= 0.0 && shares.iter().all(|e| (0.0..=1.0).contains(e))
    }
}

/// Where a contact's gap moves: ġ = w·u and g̈ = w·u̇ + w̄ along the normal and the tangent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactRows {
    /// w_N.
    pub normal: Vec<f64>,
    /// w_T.
    pub tangent: Vec<f64>,
    /// w̄_N (m/s²).
    pub normal_bias: f64,
    /// w̄_T (m/s²).
    pub tangent_bias: f64,
}

/// A mechanical system M(q) u̇ = h(t, q, u) + Σ (w_N λ_N + w_T λ_T), q̇ = N(q) u, with gaps g(q) that do not depend on time.
/// Nothing that is called between events may allocate.
pub trait UnilateralSystem {
    /// Number of velocities u.
    fn freedom(&self) -> usize;
    /// Number of positions q; that of the velocities unless said otherwise.
    fn positions(&self) -> usize {
        self.freedom()
    }
    /// Writes q̇ = N(q) u; q̇ = u unless said otherwise.
    fn position_rates(&self, _q: &[f64], u: &[f64], rates: &mut [f64]) {
        rates.copy_from_slice(u);
    }
    /// Writes M, row by row: symmetric, positive definite.
    fn mass_matrix(&self, q: &[f64], mass: &mut [f64]);
    /// Writes h.
    fn force(&self, t: f64, q: &[f64], u: &[f64], h: &mut [f64]);
    /// Laws of all contacts that there may be; number and order are those of the contacts.
    fn contacts(&self) -> &[ContactLaw];
    /// Gap g_N of a contact.
    fn gap(&self, contact: usize, q: &[f64]) -> f64;
    /// Writes the rows of a contact; they have room for all velocities.
    fn rows(&self, contact: usize, q: &[f64], u: &[f64], rows: &mut ContactRows);
    /// Potential of all forces that do work (J); without one there is no ledger.
    fn potential(&self, _q: &[f64]) -> Option<f64> {
        None
    }
}
