//! Pairs of a line and a triangle that may meet as long as the surfaces have not moved by more than a skin.

mod block;
mod motion;
mod skin;

use super::ray::Placement;
use super::{BaseSurface, ElementHit, TargetSurface};
use block::{Block, Evaluate};

pub(super) use motion::{Reference, Sizes};
pub(super) use skin::SkinChoice;

/// A list with the placement that it was made at.
#[derive(Clone, Debug, Default)]
pub(super) struct PairList {
    blocks: Vec<Block>,
    pairs: usize,
    reference: Option<Reference>,
    /// Searches that used it.
    pub(super) uses: u64,
}

impl PairList {
    /// Room for this many pairs.
    pub(super) fn with_capacity(pairs: usize) -> Self {
        Self { blocks: Vec::with_capacity(block::blocks_of(pairs)), ..Self::default() }
    }

    /// Packs pairs (element · 2³² + triangle), which must be sorted.
    pub(super) fn fill(
        &mut self,
        pairs: &[u64],
        base: &BaseSurface,
        target: &TargetSurface,
        reference: Reference,
    ) {
        block::pack(pairs, base, target, &mut self.blocks);
        self.pairs = pairs.len();
        self.reference = Some(reference);
        self.uses = 0;
    }

    /// How far the surfaces have moved since the list was made (m), and whether that is within its skin.
    pub(super) fn motion(&self, placement: &Placement, sizes: &Sizes) -> Option<f64> {
        self.reference.as_ref().map(|reference| reference.motion(placement, sizes))
    }

    pub(super) fn skin(&self) -> f64 {
        self.reference.as_ref().map_or(0.0, |reference| reference.skin)
    }

    pub(super) fn is_valid(&self, placement: &Placement, sizes: &Sizes) -> bool {
        // Not a number is not valid.
        self.motion(placement, sizes).is_some_and(|motion| motion <= self.skin())
    }

    pub(super) fn len(&self) -> usize {
        self.pairs
    }

    /// Kernel that appends to `hits`, which are empty.
    pub(super) fn evaluation<'a>(
        &'a self,
        placement: &'a Placement,
        reach: f64,
        hits: &'a mut Vec<ElementHit>,
    ) -> Evaluate<'a> {
        Evaluate { blocks: &self.blocks, placement, reach, hits }
    }
}
