//! Couplings of coordinates that the tree answers itself.

use crate::mechanics::tree::{Couplings, Ratio};
use crate::mechanics::{ConstraintData, Equation, JointRole, Mechanics};
use crate::model::{Formulation, JointCoordinate};

impl Mechanics {
    /// Lets the tree move coupled joints as one freedom, if no other constraint holds, in O(n) instead of one response for each row.
    pub(super) fn take_up_couplings(&mut self, formulation: Formulation) {
        if formulation != Formulation::Kkt || self.constraints.is_empty() {
            return;
        }
        self.is_linear = self.constraints.iter().all(|data| self.is_linear(data));
        let rows: Option<Vec<Ratio>> = self.constraints.iter().map(|data| self.ratio_of(data)).collect();
        self.couplings = rows.and_then(|rows| Couplings::new(&self.links, &self.link_of_freedom, &rows));
    }

    fn is_linear(&self, data: &ConstraintData) -> bool {
        let Equation::Coupling { terms, .. } = &data.equation else { return false };
        terms.iter().all(|(at, _)| self.freedom_of(*at).is_some())
    }

    /// Both freedoms of a coupling that has two.
    fn ratio_of(&self, data: &ConstraintData) -> Option<Ratio> {
        let Equation::Coupling { terms, .. } = &data.equation else { return None };
        let [(a, k), (b, l)] = terms[..] else { return None };
        Some([(self.freedom_of(a)?, k), (self.freedom_of(b)?, l)])
    }

    /// Freedom of a coordinate that is a state.
    fn freedom_of(&self, at: JointCoordinate) -> Option<usize> {
        let JointRole::Carries { link } = self.joints[at.joint].role else { return None };
        Some(self.links[link].first_freedom + at.axis)
    }
}
