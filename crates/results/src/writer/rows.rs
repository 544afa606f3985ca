//! Rows of the tables that take many at a time, for whoever keeps them.

use carom_engine::record::{ElementSample, Frame, JointSample, PatchSample};

use crate::Scene;
use crate::manifest::FinalJoint;
use crate::tables::{
    Columns, Table, contacts, contours, elements, energy, mechanism, patches, regions, searches, states,
};

/// Tables that rows are pushed to.
pub(super) trait Pending {
    /// Rows of a table that wait to be kept.
    fn pending(&mut self, table: Table) -> &mut Columns;
}

/// Tables that a frame has rows in.
pub(super) const OF_FRAMES: [Table; 9] = [
    Table::States,
    Table::Contacts,
    Table::Energy,
    Table::Searches,
    Table::Mechanism,
    Table::Patches,
    Table::Elements,
    Table::Regions,
    Table::Contours,
];

/// All rows of an output time.
pub(super) fn push_frame(to: &mut impl Pending, scene: &Scene, frame: &Frame<'_>) {
    states::push(to.pending(Table::States), scene, frame);
    contacts::push(to.pending(Table::Contacts), scene, frame);
    energy::push(to.pending(Table::Energy), frame);
    searches::push(to.pending(Table::Searches), scene, frame);
    regions::push(to.pending(Table::Regions), scene, frame);
    contours::push(to.pending(Table::Contours), scene, frame);
    mechanism::push(to.pending(Table::Mechanism), scene, frame);
    push_patches(to, scene, (frame.time, patches::OUTPUT), frame.patches, frame.elements);
}

/// Patches and their elements at a time, with the word for what time it is.
pub(super) fn push_patches(
    to: &mut impl Pending,
    scene: &Scene,
    (time, moment): (f64, &str),
    of_patches: &[PatchSample],
    of_elements: &[ElementSample],
) {
    patches::push(to.pending(Table::Patches), scene, time, moment, of_patches);
    elements::push(to.pending(Table::Elements), scene, time, moment, of_elements);
}

/// Joints at the last output time.
#[derive(Clone, Default)]
pub(super) struct LastJoints {
    time: f64,
    joints: Vec<JointSample>,
}

impl LastJoints {
    pub(super) fn keep(&mut self, frame: &Frame<'_>) {
        self.time = frame.time;
        self.joints.clear();
        self.joints.extend_from_slice(frame.joints);
    }

    /// Those at `time`; none if that was no output time.
    pub(super) fn at(&self, time: f64, scene: &Scene) -> Vec<FinalJoint> {
        let joints = if self.time == time { &self.joints[..] } else { &[] };
        scene.joints.iter().zip(joints).map(|(joint, sample)| FinalJoint::new(joint.kind, sample)).collect()
    }
}
