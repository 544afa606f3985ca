//! Couplings of coordinates that the tree answers itself.

use carom_solvers::Follower;

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
        let Some(couplings) = &self.couplings else { return };
        let sum = |row: usize| match &self.constraints[row].equation {
            Equation::Coupling { offset, .. } => *offset,
            _ => unreachable!("the tree answers couplings alone"),
        };
        let offsets = couplings.offsets(self.freedoms(), sum);
        for (link, leader, ratio) in couplings.followers() {
            let (link, leader) = (&self.links[link], &self.links[leader]);
            let coordinate = Follower { state: link.first_state, leader: leader.first_state, ratio };
            let velocity =
                Follower { state: link.velocities().start, leader: leader.velocities().start, ratio };
            self.followers.extend([coordinate, velocity]);
            self.offsets.extend([offsets[link.first_freedom], 0.0]);
        }
    }

    /// Not that of one coordinate alone: a joint that is locked has no motion but what rounding adds up to.
    fn is_linear(&self, data: &ConstraintData) -> bool {
        let Equation::Coupling { terms, .. } = &data.equation else { return false };
        terms.len() > 1 && terms.iter().all(|(at, _)| self.freedom_of(*at).is_some())
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
