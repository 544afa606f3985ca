//! Pairs of a line and a triangle that may meet as long as the surfaces have not moved by more than a skin.

mod block;
mod grouping;
mod motion;
mod skin;

use super::leaves::KnownClusters;
use super::ray::Placement;
use super::{BaseElement, BaseSurface, ElementHit, TargetSurface};
use block::{Block, Evaluate};

pub(super) use grouping::Grouping;
pub(super) use motion::{Reference, Sizes};
pub(super) use skin::{ListCosts, SkinChoice};

/// A list with the placement that it was made at.
#[derive(Clone, Debug, Default)]
pub(super) struct PairList {
    blocks: Vec<Block>,
    /// Elements of the pairs with their numbers, in order, where the base is refined.
    made: Vec<(u32, BaseElement)>,
    reference: Option<Reference>,
    pub(super) costs: ListCosts,
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
        self.reference = Some(reference);
        self.costs = costs;
    }

    /// Number of elements made for it.
    pub(super) fn made_count(&self) -> usize {
        self.made.len()
    }

    /// An element, if it is one of those made for this list.
    #[inline]
    pub(super) fn made(&self, element: u32) -> Option<&BaseElement> {
        let found = self.made.binary_search_by_key(&element, |(number, _)| *number);
        found.ok().map(|index| &self.made[index].1)
    }

    /// Where it was made, if it was.
    pub(super) fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref()
    }

    /// Whether the surfaces have not moved by more than its skin since it was made, and it has not been used for long
    /// enough to pay for a shorter one.
    pub(super) fn is_valid(&self, placement: &Placement, sizes: &Sizes, choice: &SkinChoice) -> bool {
        // Not a number is not valid.
        self.reference.as_ref().is_some_and(|reference| {
            reference.motion(placement, sizes) <= reference.skin
                && !choice.is_worn(reference.skin, &self.costs)
        })
    }

    /// Visits where it was made and what it has cost, but not its pairs.
    pub(super) fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        let mut is_made = f64::from(u8::from(self.reference.is_some()));
        visit(&mut is_made);
        let nowhere = Reference { placement: Placement { rows: [[0.0; 3]; 3], shift: [0.0; 3] }, skin: 0.0 };
        let mut reference = self.reference.unwrap_or(nowhere);
        let Placement { rows, shift } = &mut reference.placement;
        rows.as_flattened_mut().iter_mut().chain(shift).for_each(&mut *visit);
        visit(&mut reference.skin);
        self.reference = (is_made != 0.0).then_some(reference);
        let ListCosts { box_tests, ray_tests, pairs, uses } = &mut self.costs;
        let mut count = *pairs as u64;
        [box_tests, ray_tests, &mut count, uses].into_iter().for_each(|n| visit_count(n, visit));
        *pairs = count as usize;
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

/// A count as a number, exact up to 2⁵³.
pub(super) fn visit_count(count: &mut u64, visit: &mut dyn FnMut(&mut f64)) {
    let mut number = *count as f64;
    visit(&mut number);
    *count = number as u64;
}
