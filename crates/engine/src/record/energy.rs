//! The accounts of the energy ledger, and what they fail to balance.

/// Energy accounts (J), each computed on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential of gravity, zero at the world's origin.
    pub gravity: f64,
    /// Potential of springs.
    pub springs: f64,
    /// Potential stored in contacts.
    pub contact_elastic: f64,
    /// Work done by motors since the start.
    pub work_motors: f64,
    /// Work done by external forces since the start.
    pub work_external: f64,
    /// Lost in normal damping since the start.
    pub dissipated_normal: f64,
    /// Lost in friction since the start, rolling and drilling included.
    pub dissipated_friction: f64,
    /// Lost in viscous friction since the start.
    pub dissipated_viscous: f64,
    /// Lost in impacts since the start.
    pub dissipated_impact: f64,
    /// Added by projections onto constraints since the start.
    pub projection: f64,
    /// Force work that is not an exact gradient of the stored energy, since the start.
    pub model_defect: f64,
    /// What the accounts fail to balance: the integrator's error.
    pub residual: f64,
}

/// residual = change of the states + what was lost − what was put in − what is no gradient.
///
/// `start` is the sum of the state accounts at the start (J).
pub fn residual(energy: &Energy, start: f64) -> f64 {
    let put_in = energy.work_motors + energy.work_external + energy.projection + energy.model_defect;
    let lost = energy.dissipated_normal
        + energy.dissipated_friction
        + energy.dissipated_viscous
        + energy.dissipated_impact;
    (sum_of_states(energy) - start) + lost - put_in
}

/// Sum of the accounts that are functions of the state (J).
pub fn sum_of_states(energy: &Energy) -> f64 {
    energy.kinetic + energy.gravity + energy.springs + energy.contact_elastic
}
