//! Constraints whose rows are linear in the state, with constant coefficients.

use super::{Mechanism, Workspace};
use crate::mechanics::{Configuration, Equation, JointRole, Mechanics};

/// What such a row may be off by, as a share of the largest of its terms (or of 1): rounding that dozens of steps add up, and far below all
/// tolerances. Integrators add little else, as stages and differences are sums of states and rates that are on the rows: what linear solves with
/// Jacobians by differences leave across them, the check sees. Putting
/// the state back after every step for the last bits would evaluate its end again each time.
const ADDED_UP: f64 = 1e-14;

/// Is a state on the rows, in position and velocity?
pub(super) fn is_on_linear_rows(mechanics: &Mechanics, y: &[f64]) -> bool {
    mechanics.constraints.iter().all(|data| {
        let Equation::Coupling { terms, offset } = &data.equation else { return false };
        let (mut sums, mut sizes) = ([-offset, 0.0], [offset.abs().max(1.0), 1.0]);
        for (at, k) in terms {
            let JointRole::Carries { link } = mechanics.joints[at.joint].role else { return false };
            let link = &mechanics.links[link];
            let here = [y[link.first_state + at.axis], y[link.velocities().start + at.axis]];
            for (value, (sum, size)) in here.iter().zip(sums.iter_mut().zip(&mut sizes)) {
                *sum += k * value;
                *size = size.max((k * value).abs());
            }
        }
        sums.iter().zip(&sizes).all(|(sum, size)| sum.abs() <= ADDED_UP * size)
    })
}

impl Mechanism {
    /// Rows and multipliers of couplings that the tree has answered itself.
    pub(super) fn find_multipliers(&mut self, here: &Configuration<'_>) {
        let mechanics = here.mechanics;
        let Some(couplings) = &mechanics.couplings else { return };
        self.solver.write(here, &mechanics.constraints, |_| true);
        self.speeds.fill(0.0);
        self.tree.pushes_of_couplings(&mechanics.links, couplings, &self.efforts, &mut self.speeds);
        self.solver.multipliers.resize(mechanics.constraints.len(), 0.0);
        couplings.multipliers(&mut self.speeds, &mut self.solver.multipliers);
    }
}

impl Workspace<'_> {
    /// Writes the rows of couplings that the tree answers itself, for what asks for them after an evaluation.
    pub(crate) fn write_coupled_rows(&mut self) {
        if self.mechanics.couplings.is_none() {
            return;
        }
        let (mechanism, here, _) = self.parts();
        mechanism.solver.write(&here, &here.mechanics.constraints, |_| true);
    }
}
