//! What coordinates meet at their limits.

use super::touch::Softness;

/// Exponent of stops that state none.
const EXPONENT: f64 = 1.5;

/// Force stiffness δ^exponent beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stop {
    /// N m/rad^exponent or N/m^exponent.
    pub(super) stiffness: f64,
    /// `None`: that of model files.
    pub(super) exponent: Option<f64>,
    pub(super) restitution: f64,
}

impl Stop {
    /// One that gives under a load as far as MuJoCo's limit does for the inertia there; restitution as of contacts.
    pub(super) fn giving(softness: Softness, load: f64, inertia: f64) -> Self {
        let stiffness = load / softness.sag(load / inertia).powf(EXPONENT);
        Self { stiffness, exponent: None, restitution: 0.1 }
    }

    /// A spring that loses nothing.
    pub(super) fn elastic(stiffness: f64) -> Self {
        Self { stiffness, exponent: Some(1.0), restitution: 1.0 }
    }

    /// The same on a coordinate of which that one is the multiple by a factor.
    pub(super) fn geared(self, factor: f64) -> Self {
        let power = self.exponent.unwrap_or(EXPONENT) + 1.0;
        Self { stiffness: self.stiffness * factor.abs().powf(power), ..self }
    }
}
