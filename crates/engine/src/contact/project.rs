//! Back onto the constraints, with the energy that this adds.

use super::Evaluator;
use super::energy::stored;
use super::rigid::{cable_of, is_off_contacts, return_to_contacts};
use crate::mechanics::Misfit;

/// What a state cannot be put onto.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Astray {
    /// The constraints of the mechanism.
    Constraint(Misfit),
    /// The rows of a rigid contact: its gap after the corrections (m, or rad).
    Contact { contact: usize, gap: f64 },
}

impl From<Misfit> for Astray {
    fn from(misfit: Misfit) -> Self {
        Self::Constraint(misfit)
    }
}

impl Evaluator<'_> {
    /// Puts positions and velocities of a state back onto the constraints; returns the energy that this has added (J), or
    /// `None` if the state was on them.
    pub(crate) fn project(&mut self, t: f64, y: &mut [f64]) -> Result<Option<f64>, Astray> {
        let is_off = self.workspace.mechanism.is_constrained() && !self.workspace.is_on_constraints(t, y);
        if !is_off && !is_off_contacts(self, t, y) {
            return Ok(None);
        }
        let before = self.energy_at(t, y);
        if is_off {
            self.workspace.return_to_constraints(t, y)?;
        }
        return_to_contacts(self, t, y)?;
        Ok(Some(self.energy_at(t, y) - before))
    }

    /// Velocities after motors or reels have changed their speed at once, an impact without loss in which nothing that only pushes or only pulls
    /// takes part; returns the energy that this has put in (J), or `None` if they have not.
    pub(crate) fn take_speeds(&mut self, t: f64, y: &mut [f64]) -> Result<Option<f64>, Misfit> {
        if self.workspace.moves_as_demanded(t, y) {
            return Ok(None);
        }
        let taut = |contact: usize| cable_of(self, contact).filter(|&g| self.workspace.mechanism.holds[g]);
        let taut: Vec<usize> = (0..self.table.contacts.len()).filter_map(taut).collect();
        let hold = |evaluator: &mut Self, holds: bool| {
            taut.iter().for_each(|&group| evaluator.workspace.mechanism.holds[group] = holds);
        };
        hold(self, false);
        let before = self.energy_at(t, y);
        let taken = self.workspace.take_speeds(t, y);
        let after = self.energy_at(t, y);
        hold(self, true);
        taken.map(|()| Some(after - before))
    }

    /// What bodies, springs and contacts store at a state (J).
    pub(crate) fn energy_at(&mut self, t: f64, y: &[f64]) -> f64 {
        self.update(t, y);
        stored(self)
    }
}
