//! The patches of a contact as of its last accepted state.

use carom_math::Vec3;

use super::PatchSeed;
use crate::contact::areal::begin::BeginMotion;
use crate::contact::hands::{Hand, HandBook};
use crate::system::Cell;

/// Numbers of a patch and of a cell in a checkpoint.
const NUMBERS_OF_PATCH: usize = 27;
const NUMBERS_OF_CELL: usize = 4;

/// How a patch began, and what has become of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BegunPatch {
    /// How the surfaces moved when it began, or was hit hardest, if their law measures against it.
    pub(crate) motion: Option<BeginMotion>,
    /// When it began (s).
    pub(crate) begin: f64,
    /// Approach speed that it began with, or that an event has noted since (m/s).
    pub(crate) noted_speed: f64,
    /// The greatest since then at which it was hit harder (m/s).
    pub(crate) hit_speed: f64,
    /// When that was (s); infinite if it was not, or if an event has noted it.
    pub(crate) hit_at: f64,
    /// Has it been hit harder from then to the last accepted state?
    pub(crate) is_hit: bool,
    /// Where it was hit hardest (m).
    pub(crate) hit_place: Vec3,
    /// Force of its layers at the last accepted state (N); 0 until an element is active.
    pub(crate) load: f64,
    /// By how much it is hit harder than what it is measured against, as a mean over its elements, there and at the state before
    /// (m/s), and the time between the two, 0 after a restart (s). None of them means anything without a load.
    pub(super) excess: [f64; 2],
    pub(super) lag: f64,
}

/// Of an areal contact that is closed; of others empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct PatchBook {
    pub(crate) patches: Vec<BegunPatch>,
    /// Cells that they occupy, ascending, and which of them.
    pub(crate) cells: Vec<(Cell, u32)>,
    /// By which bristles of the state each is held.
    pub(crate) held: HandBook,
    /// The element with which the next patch begins in the attempted step, which ends there.
    pub(crate) awaited: Option<PatchSeed>,
}

impl PatchBook {
    /// Forgets all patches.
    pub(crate) fn clear(&mut self) {
        self.patches.clear();
        self.cells.clear();
        self.held.clear();
        self.awaited = None;
    }

    /// One patch for the whole contact, with a place in it.
    pub(crate) fn begin(&mut self, patch: BegunPatch, cell: Cell) {
        self.clear();
        self.patches.push(patch);
        self.cells.push((cell, 0));
        self.held.begin();
    }

    /// Adds a patch at a cell that none occupies.
    pub(super) fn add(&mut self, patch: BegunPatch, cell: Cell) {
        let at = self.cells.partition_point(|(other, _)| *other < cell);
        self.cells.insert(at, (cell, self.patches.len() as u32));
        self.patches.push(patch);
        self.held.weigh(self.patches.iter().map(|patch| patch.load));
    }

    /// Has no element been active since the contact began?
    pub(super) fn is_unfelt(&self) -> bool {
        matches!(&self.patches[..], [patch] if patch.load == 0.0)
    }

    /// The patch that occupies a cell.
    pub(super) fn patch_in(&self, cell: &Cell) -> Option<usize> {
        let found = self.cells.binary_search_by(|(other, _)| other.cmp(cell)).ok()?;
        Some(self.cells[found].1 as usize)
    }

    /// The patch that occupies a cell, or of those that do not the nearest one; of equally near ones the first.
    pub(crate) fn nearest(&self, cell: &Cell) -> usize {
        let nearest = || self.cells.iter().min_by_key(|(other, _)| square(cell, other)).map(|c| c.1 as usize);
        self.patch_in(cell).or_else(nearest).unwrap_or(0)
    }

    /// All numbers that the next steps need; the first is the number of patches.
    pub(crate) fn numbers(&mut self) -> Vec<f64> {
        let mut numbers = vec![self.patches.len() as f64];
        self.visit_numbers(&mut |number| numbers.push(*number));
        numbers
    }

    /// Takes such numbers; false if they make no sense.
    pub(crate) fn recall(&mut self, numbers: &[f64]) -> bool {
        let Some((&count, numbers)) = numbers.split_first() else { return false };
        let patches = numbers.chunks_exact(NUMBERS_OF_PATCH).len().min(count as usize);
        let of_cells = numbers.len() - patches * NUMBERS_OF_PATCH;
        if patches as f64 != count || !of_cells.is_multiple_of(NUMBERS_OF_CELL) {
            return false;
        }
        self.patches.resize(patches, BegunPatch::default());
        self.held.recall((0..patches as u32).map(|part| Hand { part, ..Hand::default() }));
        self.cells.resize(of_cells / NUMBERS_OF_CELL, ([0; 3], 0));
        let mut saved = numbers.iter();
        self.visit_numbers(&mut |number| *number = saved.next().copied().unwrap_or(f64::NAN));
        let hands: Vec<Hand> = (0..patches).map(|part| self.held.own_hand(part)).collect();
        self.held.recall(hands.into_iter());
        self.cells.iter().all(|(_, patch)| (*patch as usize) < patches)
            && self.cells.is_sorted_by(|a, b| a.0 < b.0)
    }

    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        for (index, patch) in self.patches.iter_mut().enumerate() {
            let mut hand = self.held.own_hand(index);
            let mut bristle = f64::from(hand.bristle);
            visit(&mut bristle);
            visit(&mut hand.share);
            hand.bristle = bristle as u32;
            self.held.set_hand(index, hand);
            let mut is_known = f64::from(u8::from(patch.motion.is_some()));
            visit(&mut is_known);
            let mut motion = patch.motion.unwrap_or_default();
            for relative in &mut motion.0 {
                relative.velocity.iter_mut().chain(&mut relative.spin).for_each(&mut *visit);
            }
            patch.motion = (is_known != 0.0).then_some(motion);
            let BegunPatch { begin, noted_speed, hit_speed, hit_at, load, excess, lag, .. } = patch;
            [begin, noted_speed, hit_speed, hit_at, load, lag]
                .into_iter()
                .chain(excess)
                .for_each(&mut *visit);
            patch.hit_place.iter_mut().for_each(&mut *visit);
            let mut is_hit = f64::from(u8::from(patch.is_hit));
            visit(&mut is_hit);
            patch.is_hit = is_hit != 0.0;
        }
        for (cell, patch) in &mut self.cells {
            for place in cell {
                let mut number = f64::from(*place);
                visit(&mut number);
                *place = number as i32;
            }
            let mut number = f64::from(*patch);
            visit(&mut number);
            *patch = number as u32;
        }
    }
}

/// Square of the distance of two cells, in cells.
fn square(a: &Cell, b: &Cell) -> i128 {
    (0..3).map(|k| i128::from(a[k]) - i128::from(b[k])).map(|d| d * d).sum()
}

impl BegunPatch {
    /// One that begins with a motion and an approach speed (m/s).
    pub(crate) fn beginning(motion: Option<BeginMotion>, begin: f64, speed: f64) -> Self {
        let known = Self { motion, begin, noted_speed: speed, hit_speed: speed, ..Self::default() };
        Self { hit_at: f64::INFINITY, ..known }
    }

    /// Velocity of the target of a pass against its base at a place, in base axes, when the patch began (m/s).
    #[inline]
    pub(crate) fn velocity_at_begin(&self, pass: usize, place: &Vec3) -> Option<Vec3> {
        self.motion.as_ref().map(|motion| motion.0[pass].at(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_belongs_to_the_patch_in_its_cell_or_the_nearest() {
        let mut book = PatchBook::default();
        let patch = |begin: f64| BegunPatch::beginning(None, begin, 0.0);
        book.begin(patch(1.0), [0, 0, 0]);
        assert!(book.is_unfelt());
        book.add(patch(2.0), [-9, 0, 0]);
        book.add(patch(3.0), [3, 5, 0]);
        assert!(!book.is_unfelt());
        let begins = [[0, 0, 0], [-9, 0, 0], [-5, 0, 0], [-4, 0, 0], [3, 4, 7]].map(|cell| {
            let patch = book.nearest(&cell);
            book.patches[patch].begin
        });
        assert_eq!(begins, [1.0, 2.0, 2.0, 1.0, 3.0]);
        assert_eq!(book.patch_in(&[3, 4, 7]), None);
        // The same again from its numbers, and not from others.
        book.patches[1].motion = Some(BeginMotion::default());
        let (numbers, mut other) = (book.numbers(), PatchBook::default());
        assert!(other.recall(&numbers));
        assert_eq!((&other.cells, other.patches[1].begin), (&book.cells, 2.0));
        assert!(other.patches[1].motion.is_some() && other.patches[0].motion.is_none());
        for damaged in [&numbers[1..], &numbers[..numbers.len() - 1], &[1e300], &[f64::NAN], &[]] {
            assert!(!other.recall(damaged));
        }
        book.cells.swap(0, 1);
        assert!(!other.recall(&book.numbers()));
    }
}
