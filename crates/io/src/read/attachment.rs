use carom_engine::model::Attachment;
use carom_math::{Mat3, Pose, Vec3};

use super::Section;
use super::names::BodyNames;

/// Frames on the bodies that one joint, force or constraint joins.
pub(crate) struct Frames<'s, 'c, 'a> {
    pub(crate) section: &'s Section<'c, 'a>,
    pub(crate) bodies: &'s BodyNames,
    pub(crate) prefix: &'s str,
}

impl Frames<'_, '_, '_> {
    /// The frame under a key.
    pub(crate) fn read(&self, key: &str) -> Option<Attachment> {
        if !self.section.has(key) {
            self.section.report_missing(key);
        }
        self.of(&self.section.table(key)?)
    }

    /// The frame that a table states: `body`, `at` and `rot`.
    pub(crate) fn of(&self, table: &Section<'_, '_>) -> Option<Attachment> {
        let body = self.bodies.find(table, "body", self.prefix);
        Some(Attachment { pose: read_pose(table), body: body? })
    }

    /// Both frames of a part that joins two bodies.
    pub(crate) fn pair(&self) -> Option<(Attachment, Attachment)> {
        let (a, b) = (self.read("a"), self.read("b"));
        Some((a?, b?))
    }
}

/// Pose from `at` and `rot`.
pub(crate) fn read_pose(table: &Section<'_, '_>) -> Pose {
    let translation = table.vector_or_default("at");
    Pose { translation, rotation: table.rotation_matrix().unwrap_or_else(Mat3::identity) }
}

/// The frame turned within itself.
pub(crate) fn turned(frame: Attachment, rotation: &Mat3) -> Attachment {
    moved(frame, &Pose { rotation: *rotation, translation: Vec3::zeros() })
}

/// The frame moved within itself.
pub(crate) fn moved(frame: Attachment, by: &Pose) -> Attachment {
    Attachment { body: frame.body, pose: frame.pose.compose(by) }
}
