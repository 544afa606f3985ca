use carom_geometry::Shape;
use carom_math::{Vec3, orthonormal_basis};

use crate::contact::Evaluator;
use crate::system::PairSource;

/// What a closed rigid contact does until the next event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Holding {
    /// It has closed, and the event that decides has yet to be settled: no force.
    #[default]
    Undecided,
    /// It touches without force: others that its motion depends on carry the load, or nothing presses its bodies together or takes them apart.
    Idle,
    /// Normal and tangents are held.
    Stick,
    /// The normal is held; friction is μ λ_N against the slip.
    Slide,
}

impl Holding {
    /// All of them, in the order of their numbers in checkpoints.
    pub(crate) const ALL: [Self; 4] = [Self::Undecided, Self::Idle, Self::Stick, Self::Slide];

    /// Are there rows of it?
    pub(crate) fn has_rows(self) -> bool {
        matches!(self, Self::Stick | Self::Slide)
    }
}

/// The frozen set of a rigid contact, with what it is frozen about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Hold {
    pub(crate) holding: Holding,
    /// First tangent, near which that of the present normal is taken (world axes).
    pub(crate) tangent: Vec3,
    /// Direction of the slip at the start of the step (world axes).
    pub(crate) direction: Vec3,
    /// Has the slip, which began from rest or has turned, left rest (`multipliers::INCIPIENT`)?
    pub(crate) is_slipping: bool,
    /// Speed at which that slip counts as ended (m/s): zero, where it turns back, but for one that errors lead around rest; of one that begins,
    /// against what is left of speeds there.
    pub(crate) ends_at: f64,
    /// Multipliers λ_N, λ_T (N) near which those of contacts that depend on each other are taken: of the last event.
    pub(crate) multipliers: [f64; 3],
    /// How often in a row it was found that what contradicted was to go on as it was.
    pub(crate) doubts: u32,
}

impl Hold {
    /// Unit tangents at a normal, which turn with it; of contacts in a plane, whose unit normal is `across`, the first stays in it.
    pub(crate) fn tangents(&self, normal: &Vec3, across: Option<Vec3>) -> [Vec3; 2] {
        let along = self.tangent - normal * normal.dot(&self.tangent);
        let length = along.norm();
        let any = || match across {
            Some(across) => across.cross(normal).try_normalize(0.0).unwrap_or_default(),
            None => orthonormal_basis(normal).0,
        };
        let first = if length > 0.1 { along / length } else { any() };
        [first, normal.cross(&first)]
    }
}

/// Unit normal of the plane in which a contact's outlines lie, where the evaluator is; none in space. A half-space has its own normal in that plane.
pub(super) fn plane_of(evaluator: &Evaluator<'_>, contact: usize) -> Option<Vec3> {
    let PairSource::Planar(planar) = &evaluator.table.pairs[evaluator.table.contacts[contact].pair].source
    else {
        return None;
    };
    let is_outline =
        |surface: &&usize| !matches!(evaluator.system.surfaces[**surface].shape, Shape::HalfSpace);
    planar.surfaces.iter().find(is_outline).map(|&surface| evaluator.surfaces[surface].z_axis())
}
