//! Motors that prescribe a joint's motion.

use crate::mechanics::{Equation, JointRole, Mechanics, Owner};
use crate::model::Formulation;

impl Mechanics {
    /// Lets links make the motion of their motors themselves, if no other constraint holds: the tree then answers with
    /// these joints moving as they are told, in O(n), instead of one response for each row. With other constraints rows
    /// share what they push redundantly, which takes all of them.
    pub(super) fn take_up_drives(&mut self, formulation: Formulation) {
        if formulation != Formulation::Kkt || self.constraints.is_empty() {
            return;
        }
        let links: Option<Vec<usize>> =
            (0..self.constraints.len()).map(|group| self.link_driven_by(group)).collect();
        let Some(links) = links else { return };
        for (group, link) in links.into_iter().enumerate() {
            self.links[link].drive = Some(group);
        }
        self.is_driven_only = true;
    }

    /// The link that a constraint group moves, if that is all it does: a motor on the only freedom of a joint that carries
    /// a body.
    fn link_driven_by(&self, group: usize) -> Option<usize> {
        let data = &self.constraints[group];
        let (Owner::Motor(joint, 0), Equation::Drive { .. }) = (data.owner, &data.equation) else {
            return None;
        };
        let JointRole::Carries { link } = self.joints[joint].role else { return None };
        (self.links[link].kind.freedoms() == 1).then_some(link)
    }
}
