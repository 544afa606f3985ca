use super::meeting::{PairBlock, pack};
use super::nodes::{Posed, Side};
use super::workspace::list_near;
use super::{MeshSurface, RegionCounters};
use crate::near::simd::LANES;
use crate::near::{
    Descent, Found, ListCosts, NearList, POSITION_ROUNDING, Placement, Reference, SimdLevel, Sizes,
    SkinChoice, visit_count,
};

/// Pairs of an edge and a triangle that may meet as long as the surfaces have not moved by more than a skin.
#[derive(Clone, Debug, Default)]
struct PairList {
    near: NearList,
    /// Edge · 2³² + triangle, ascending, for the edges of A and those of B.
    pairs: [Vec<u64>; 2],
    /// The same with coordinates.
    blocks: [Vec<PairBlock>; 2],
    /// Its number among all that were made.
    number: u64,
}

/// Pairs that can meet, as [`PairList`] has them.
#[derive(Clone, Copy)]
pub(super) struct Listed<'a> {
    pub(super) pairs: [&'a [u64]; 2],
    pub(super) blocks: [&'a [PairBlock]; 2],
    /// Of the list that they are from: as long as it is the same, whatever is in none of its pairs meets nothing.
    pub(super) number: u64,
}

/// Lists of pairs, remembered from pose to pose: two, so that a trial step that is rejected does not cost the list of the
/// state it started from. What is remembered never shows in an answer: exact signs decide about every pair, and none that
/// can meet is missing.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    lists: [PairList; 2],
    /// The list that was used last.
    latest: usize,
    /// Lists that were made.
    made: u64,
    sizes: Sizes,
    skin: SkinChoice,
    /// What a position may be off by (m).
    rounding: f64,
    descent: Descent,
    found: Found,
    simd: SimdLevel,
}

/// Pairs in a list for each node that there is room for.
const PAIRS_OF_A_NODE: usize = 8;

impl PairList {
    fn with_capacity(pairs: usize) -> Self {
        Self {
            near: NearList::default(),
            pairs: [(); 2].map(|()| Vec::with_capacity(pairs)),
            blocks: [(); 2].map(|()| Vec::with_capacity(pairs.div_ceil(LANES))),
            number: 0,
        }
    }
}

impl Candidates {
    /// With room for so many nodes.
    pub(super) fn new(a: &MeshSurface, b: &MeshSurface, nodes: usize) -> Self {
        let sizes = Sizes {
            base_centre: a.edge_tree.centre,
            base_radius: a.edge_tree.radius,
            target_centre: b.triangle_tree.centre,
            target_radius: b.triangle_tree.radius,
        };
        Self {
            lists: [(); 2].map(|()| PairList::with_capacity(PAIRS_OF_A_NODE * nodes)),
            latest: 0,
            made: 0,
            sizes,
            // As far ahead as the finer surface has room for between its lines.
            skin: SkinChoice::new(a.mean_height.min(b.mean_height)),
            rounding: POSITION_ROUNDING * 3.0 * (a.radius + b.radius),
            descent: Descent::with_capacity(&a.edge_tree, &b.triangle_tree)
                .and_room_for(&b.edge_tree, &a.triangle_tree),
            found: Found::with_capacity(PAIRS_OF_A_NODE * nodes),
            simd: SimdLevel::detect(),
        }
    }

    /// All pairs that can meet, and some more; `back` is the placement of B in A. None if balls around the surfaces are apart.
    pub(super) fn find(
        &mut self,
        posed: &Posed<'_>,
        back: &Placement,
        counters: &mut RegionCounters,
    ) -> Option<Listed<'_>> {
        let valid = [self.latest, 1 - self.latest]
            .into_iter()
            .find(|&list| self.lists[list].near.is_valid(posed.placement, &self.sizes, &self.skin));
        match valid {
            Some(list) => self.latest = list,
            None if self.sizes.gap(posed.placement) > self.rounding => return None,
            None => self.rebuild(posed, back, counters),
        }
        let list = &mut self.lists[self.latest];
        list.near.costs.uses += 1;
        counters.exact_tests += list.near.costs.pairs as u64;
        let (pairs, blocks) = ([0, 1].map(|side| &*list.pairs[side]), [0, 1].map(|side| &*list.blocks[side]));
        Some(Listed { pairs, blocks, number: list.number })
    }

    /// Whether an edge is in a pair of the list that was used last.
    pub(super) fn is_listed(&self, side: Side, edge: u32) -> bool {
        let pairs = &self.lists[self.latest].pairs[side as usize];
        let first = pairs.partition_point(|pair| ((pair >> 32) as u32) < edge);
        pairs.get(first).is_some_and(|pair| (pair >> 32) as u32 == edge)
    }

    fn rebuild(&mut self, posed: &Posed<'_>, back: &Placement, counters: &mut RegionCounters) {
        counters.rebuilds += 1;
        let before = self.lists[self.latest].near;
        let mut skin = self.skin.after(&before, posed.placement, &self.sizes);
        self.latest = 1 - self.latest;
        loop {
            let most_pairs = self.skin.most_pairs();
            self.list(posed, back, skin, most_pairs);
            if self.lists[self.latest].near.costs.pairs <= most_pairs {
                break;
            }
            skin = self.skin.shorten();
        }
        let list = &mut self.lists[self.latest];
        list.near.costs.box_tests = std::mem::take(&mut self.found.box_tests);
        list.near.costs.ray_tests = std::mem::take(&mut self.found.ray_tests);
        counters.box_tests += list.near.costs.box_tests;
        counters.edge_tests += list.near.costs.ray_tests;
        self.order(posed);
    }

    /// Visits all numbers that what later searches cost depends on.
    pub(super) fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        let mut latest = self.latest as u64;
        visit_count(&mut latest, visit);
        self.latest = usize::from(latest != 0);
        self.skin.visit_numbers(visit);
        self.lists.iter_mut().for_each(|list| list.near.visit_numbers(visit));
    }

    /// Makes the lists whose numbers were visited, without counting. False if one cannot have been made there.
    pub(super) fn restore_lists(&mut self, a: &MeshSurface, b: &MeshSurface) -> bool {
        let latest = self.latest;
        for index in 0..self.lists.len() {
            let NearList { reference: Some(Reference { placement, skin }), costs } = self.lists[index].near
            else {
                self.lists[index].pairs.iter_mut().for_each(Vec::clear);
                self.lists[index].blocks.iter_mut().for_each(Vec::clear);
                continue;
            };
            let Ok(back) = Placement::checked(&placement.pose().inverse()) else { return false };
            let is_finite =
                placement.rows.as_flattened().iter().chain(&placement.shift).all(|x| x.is_finite());
            if !is_finite || !skin.is_finite() {
                return false;
            }
            self.latest = index;
            // No further than as many pairs as there were: damaged numbers must not list all.
            let posed = Posed { a, b, placement: &placement };
            self.list(&posed, &back, skin, costs.pairs);
            (self.found.box_tests, self.found.ray_tests) = (0, 0);
            let list = &mut self.lists[index];
            let is_same = list.near.costs.pairs == costs.pairs;
            list.near.costs = costs;
            self.order(&posed);
            if !is_same {
                return false;
            }
        }
        self.latest = latest;
        true
    }

    /// Fills the latest list.
    fn list(&mut self, posed: &Posed<'_>, back: &Placement, skin: f64, most_pairs: usize) {
        let list = &mut self.lists[self.latest];
        let mut costs = ListCosts::default();
        for (side, placement) in [(Side::A, posed.placement), (Side::B, back)] {
            let limits = (skin + self.rounding, most_pairs);
            list_near(posed, side, placement, limits, self.simd, &mut self.descent, &mut self.found);
            list.pairs[side as usize].clear();
            list.pairs[side as usize].extend_from_slice(&self.found.pairs);
            costs.pairs += self.found.pairs.len();
        }
        list.near = NearList { reference: Some(Reference { placement: *posed.placement, skin }), costs };
    }

    /// Puts the pairs of the latest list in their order, and packs them.
    fn order(&mut self, posed: &Posed<'_>) {
        self.made += 1;
        let list = &mut self.lists[self.latest];
        list.number = self.made;
        for (side, pairs) in [Side::A, Side::B].into_iter().zip(&mut list.pairs) {
            pairs.sort_unstable();
            let (edges, triangles) = (posed.surface(side), posed.surface(side.other()));
            pack(pairs, edges, triangles, &mut list.blocks[side as usize]);
        }
    }
}
