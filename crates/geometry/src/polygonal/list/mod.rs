//! Pairs of a line and a triangle that may meet as long as the surfaces have not moved by more than a skin.

mod block;
mod grouping;

use super::{BaseElement, BaseSurface, ElementHit, TargetSurface};
use crate::near::{KnownClusters, ListCosts, NearList, Placement, Reference};
use block::{Block, Evaluate};

pub(super) use grouping::Grouping;

/// A list with the placement that it was made at.
#[derive(Clone, Debug, Default)]
pub(super) struct PairList {
    blocks: Vec<Block>,
    /// Elements of the pairs with their numbers, in order, where the base is refined.
    made: Vec<(u32, BaseElement)>,
    /// No other list of the search has had it; 0 before it is made.
    pub(super) number: u64,
    pub(super) near: NearList,
}

impl PairList {
    /// Room for this many pairs.
    pub(super) fn with_capacity(pairs: usize) -> Self {
        Self { blocks: Vec::with_capacity(block::blocks_of(pairs)), ..Self::default() }
    }

    /// Packs pairs (element · 2³² + triangle), those of each element together, by increasing element.
    /// Leaves that are `known` need not be made.
    pub(super) fn fill(
        &mut self,
        pairs: &[u64],
        base: &BaseSurface,
        target: &TargetSurface,
        known: &KnownClusters,
        reference: Reference,
        costs: ListCosts,
    ) {
        self.made.clear();
        if let Some(mut walk) = base.leaf_walk(known) {
            for element in pairs.iter().map(|pair| (pair >> 32) as u32) {
                if self.made.last().is_none_or(|&(last, _)| last != element) {
                    self.made.push((element, walk.element(element)));
                }
            }
            // In the order of the pairs.
            let mut made = self.made.iter().peekable();
            let element = |number: u32| {
                while made.next_if(|(before, _)| *before < number).is_some() {}
                made.peek().map_or_else(|| base.element(number), |(_, element)| *element)
            };
            block::pack(pairs, element, target, &mut self.blocks);
        } else {
            block::pack(pairs, |number| base.element(number), target, &mut self.blocks);
        }
        self.near = NearList { reference: Some(reference), costs };
    }

    /// Elements made for it with their numbers, in order.
    pub(super) fn made(&self) -> &[(u32, BaseElement)] {
        &self.made
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
