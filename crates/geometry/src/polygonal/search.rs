use std::borrow::Cow;

use carom_math::Pose;

use super::list::{Grouping, PairList};
use super::{BaseElement, BaseSurface, ElementHit, SearchCounters, SearchFault, SimdLevel, TargetSurface};
use crate::near::{
    Descent, Found, ListCosts, Near, POSITION_ROUNDING, Placement, Reference, Sizes, SkinChoice, visit_count,
};

/// Pairs of an element that there is room for from the start.
const PAIRS_OF_AN_ELEMENT: usize = 8;

/// More room than for this many pairs is made when it is needed. Memory that is never written costs nothing.
const MOST_ROOM: usize = 1 << 14;

/// Searches the hits of one pair of surfaces at one pose after the other. What it remembers makes it fast and never
/// shows in its answers.
///
/// 1. The list of the search before, or the one before that, if the surfaces have not moved by more than its skin.
/// 2. Balls around the surfaces that are apart: no hits.
/// 3. A new list. It replaces the older one, so that a trial step that is rejected does not cost the list of the state it
///    started from.
#[derive(Clone, Debug)]
pub struct PenetrationSearch {
    lists: [PairList; 2],
    /// The list that was used last.
    latest: usize,
    /// Lists that were made, those of a restored search included.
    made: u64,
    sizes: Sizes,
    skin: SkinChoice,
    /// What a position may be off by (m).
    rounding: f64,
    descent: Descent,
    found: Found,
    grouping: Grouping,
    simd: SimdLevel,
    counters: SearchCounters,
}

impl PenetrationSearch {
    /// Workspace for these two surfaces; it must not be used with others.
    pub fn new(base: &BaseSurface, target: &TargetSurface) -> Self {
        Self::with_simd(base, target, SimdLevel::detect())
    }

    /// The same with chosen instructions, for comparisons.
    pub fn with_simd(base: &BaseSurface, target: &TargetSurface, simd: SimdLevel) -> Self {
        let sizes = Sizes {
            base_centre: base.tree.centre,
            base_radius: base.tree.radius,
            target_centre: target.tree.centre,
            target_radius: target.tree.radius,
        };
        let room = pairs_with_room(base, target);
        let size = target.radius() + 2.0 * base.radius() + base.reach();
        Self {
            lists: [(); 2].map(|()| PairList::with_capacity(room)),
            latest: 0,
            made: 0,
            sizes,
            skin: if base.is_refined() {
                SkinChoice::of_leaves(base.reach())
            } else {
                SkinChoice::new(base.reach())
            },
            rounding: POSITION_ROUNDING * size,
            descent: Descent::with_capacity(&base.tree, &target.tree),
            found: Found::with_capacity(room),
            grouping: if base.is_refined() {
                Grouping::sorting(room)
            } else {
                Grouping::new(base.element_count(), room)
            },
            simd,
            counters: SearchCounters::default(),
        }
    }

    /// Replaces `hits` by those at `x_tb`, the pose of the base's frame in the target's frame, in the order of elements;
    /// the same bits as [`super::penetration_brute_force`]. Its rotation must be one to rounding.
    pub fn search(
        &mut self,
        base: &BaseSurface,
        target: &TargetSurface,
        x_tb: &Pose,
        hits: &mut Vec<ElementHit>,
    ) -> Result<(), SearchFault> {
        let placement = Placement::checked(x_tb)?;
        self.counters.searches += 1;
        hits.clear();
        if !base.is_refined() {
            // At most one an element: after the first search there is room for all that come.
            hits.reserve(base.element_count());
        }
        let valid = [self.latest, 1 - self.latest]
            .into_iter()
            .find(|&list| self.lists[list].near.is_valid(&placement, &self.sizes, &self.skin));
        match valid {
            Some(list) => self.latest = list,
            None if self.sizes.gap(&placement) > self.rounding => {
                self.counters.listed_pairs = 0;
                return Ok(());
            }
            None => self.rebuild(base, target, &placement),
        }
        let list = &mut self.lists[self.latest];
        hits.reserve(list.made().len());
        list.near.costs.uses += 1;
        self.counters.listed_pairs = list.near.costs.pairs as u64;
        self.counters.ray_tests += list.near.costs.pairs as u64;
        self.simd.run(list.evaluation(&placement, base.reach(), hits));
        Ok(())
    }

    /// An element of `base`, which the searches are on. Those of the last search's hits are at hand, the leaves of a refined
    /// base too.
    #[inline]
    pub fn element<'a>(&'a self, base: &'a BaseSurface, element: u32) -> Cow<'a, BaseElement> {
        let of_leaf = || {
            let made = self.made_elements();
            made.binary_search_by_key(&element, |(number, _)| *number).ok().map(|index| &made[index].1)
        };
        let known = if base.is_refined() { of_leaf() } else { base.stored(element) };
        known.map_or_else(|| Cow::Owned(base.element(element)), Cow::Borrowed)
    }

    /// Leaves of a refined base that were made for the last search with their numbers, in order: those of all its hits.
    pub fn made_elements(&self) -> &[(u32, BaseElement)] {
        self.lists[self.latest].made()
    }

    /// Number of the list that [`Self::made_elements`] is of: what is told of its elements holds as long as it is used.
    pub fn list_number(&self) -> u64 {
        self.lists[self.latest].number
    }

    /// What all searches so far have cost.
    pub fn counters(&self) -> SearchCounters {
        self.counters
    }

    /// Visits all numbers that what later searches cost depends on, counters included. After a visit that has changed them
    /// [`Self::restore_lists`] makes the lists that belong to them.
    pub fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        let mut latest = self.latest as u64;
        visit_count(&mut latest, visit);
        self.latest = usize::from(latest != 0);
        self.skin.visit_numbers(visit);
        self.lists.iter_mut().for_each(|list| list.near.visit_numbers(visit));
        let SearchCounters { searches, rebuilds, box_tests, ray_tests, listed_pairs } = &mut self.counters;
        for count in [searches, rebuilds, box_tests, ray_tests, listed_pairs] {
            visit_count(count, visit);
        }
    }

    /// Makes the lists of the search whose numbers were visited, pair by pair, without counting. False if a list cannot have
    /// been made there.
    #[must_use]
    pub fn restore_lists(&mut self, base: &BaseSurface, target: &TargetSurface) -> bool {
        for index in 0..self.lists.len() {
            let Some(Reference { placement, skin }) = self.lists[index].near.reference else { continue };
            let numbers = placement.rows.as_flattened().iter().chain(&placement.shift);
            if !numbers.chain([&skin]).all(|x| x.is_finite()) {
                return false;
            }
            let costs = self.lists[index].near.costs;
            // No further than as many pairs as there were: damaged numbers must not list all.
            self.descend(base, target, &placement, skin, costs.pairs);
            (self.found.box_tests, self.found.ray_tests) = (0, 0);
            if self.found.pairs.len() != costs.pairs {
                return false;
            }
            self.fill(index, base, target, Reference { placement, skin }, costs);
        }
        true
    }

    fn rebuild(&mut self, base: &BaseSurface, target: &TargetSurface, placement: &Placement) {
        self.counters.rebuilds += 1;
        let mut skin = self.skin.after(&self.lists[self.latest].near, placement, &self.sizes);
        self.descend(base, target, placement, skin, self.skin.most_pairs());
        while self.found.pairs.len() > self.skin.most_pairs() {
            skin = self.skin.shorten();
            self.descend(base, target, placement, skin, self.skin.most_pairs());
        }
        let costs = ListCosts {
            box_tests: std::mem::take(&mut self.found.box_tests),
            ray_tests: std::mem::take(&mut self.found.ray_tests),
            pairs: self.found.pairs.len(),
            uses: 0,
        };
        self.counters.box_tests += costs.box_tests;
        self.counters.ray_tests += costs.ray_tests;
        self.latest = 1 - self.latest;
        self.fill(self.latest, base, target, Reference { placement: *placement, skin }, costs);
    }

    /// Makes a list of what was found.
    fn fill(
        &mut self,
        list: usize,
        base: &BaseSurface,
        target: &TargetSurface,
        reference: Reference,
        costs: ListCosts,
    ) {
        self.made += 1;
        self.lists[list].number = self.made;
        let pairs = self.grouping.by_element(&self.found.pairs);
        self.lists[list].fill(pairs, base, target, self.descent.known(), reference, costs);
    }

    fn descend(
        &mut self,
        base: &BaseSurface,
        target: &TargetSurface,
        placement: &Placement,
        skin: f64,
        most_pairs: usize,
    ) {
        Near {
            base: &base.tree,
            target: &target.tree,
            triangles: &target.triangles,
            placement,
            reach: base.reach(),
            skin: skin + self.rounding,
            most_pairs,
            buffers: &mut self.descent,
            found: &mut self.found,
        }
        .list(self.simd);
    }
}

/// No more than all, and no more than lists with a skin have where triangles of both are about as large.
fn pairs_with_room(base: &BaseSurface, target: &TargetSurface) -> usize {
    let elements = base.element_count();
    (elements * target.triangle_count().min(PAIRS_OF_AN_ELEMENT)).min(MOST_ROOM)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Resolution, rectangle};

    /// A leaf has eight lines, and may meet both triangles of the target with each.
    #[test]
    fn descents_stop_at_the_most_pairs_on_refined_triangles_as_well() {
        let mesh = rectangle(0.5, 0.5, Resolution::Divisions(1)).unwrap();
        let below = mesh.flipped();
        let target = TargetSurface::new(&below).unwrap();
        let (fine, coarse) = (rectangle(0.5, 0.5, Resolution::Divisions(32)).unwrap(), [12; 2]);
        let bases =
            [BaseSurface::new(&fine, 0.1).unwrap(), BaseSurface::refined(&mesh, &coarse, 0.1).unwrap()];
        for base in bases {
            let mut search = PenetrationSearch::new(&base, &target);
            let placement = Placement::checked(&Pose::identity()).unwrap();
            let mut pairs_with = |most: usize| {
                search.descend(&base, &target, &placement, 0.01, most);
                search.found.pairs.len()
            };
            assert!(pairs_with(usize::MAX) > 2000);
            let pairs = pairs_with(100);
            assert!(pairs > 100 && pairs <= 100 + 16, "{pairs}");
        }
    }
}
