use carom_math::Pose;

use crate::mechanics::kinematics::BodyKinematics;

/// Where the two surfaces of a pair are, and how the bodies move that carry A and B.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) poses: [&'a Pose; 2],
    pub(crate) bodies: [&'a BodyKinematics; 2],
}

impl<'a> Placed<'a> {
    /// Surfaces and bodies by their indices, at the poses last computed.
    pub(crate) fn of(
        surfaces: [usize; 2],
        bodies: [usize; 2],
        all: (&'a [Pose], &'a [BodyKinematics]),
    ) -> Self {
        Self { poses: surfaces.map(|s| &all.0[s]), bodies: bodies.map(|b| &all.1[b]) }
    }
}
