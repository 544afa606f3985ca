use super::{NearList, Placement, Sizes};

/// How far lists look ahead. Only speed depends on it.
///
/// A longer skin makes more pairs to evaluate in every search, a shorter one more lists. Both costs are known from what was
/// counted; the skin grows while lists cost more than their evaluation and shrinks when they cost much less. Counts, not
/// clocks: a run can be repeated step by step. Where to hold the balance was measured: gears, bubbles, cams.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkinChoice {
    reach: f64,
    skin: f64,
    /// Cost of making a list, beside that of one of stored elements.
    making: f64,
}

/// Leaves are cut on the way.
const MAKING_LEAVES: f64 = 2.0;

/// What was counted when a list was made and used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListCosts {
    pub(crate) box_tests: u64,
    pub(crate) ray_tests: u64,
    pub(crate) pairs: usize,
    /// Searches that used it.
    pub(crate) uses: u64,
}

impl ListCosts {
    /// Cost of making it, in nanoseconds of the machine that it was measured on; only the ratio to evaluation matters.
    fn build(&self) -> f64 {
        3.0 * self.box_tests as f64 + 8.0 * self.ray_tests as f64 + 40.0 * self.pairs as f64
    }

    /// Cost of evaluating it once, in the same unit.
    fn evaluation(&self) -> f64 {
        50.0 + 5.0 * self.pairs as f64
    }
}

impl SkinChoice {
    pub(crate) fn new(reach: f64) -> Self {
        Self { reach, skin: reach / 16.0, making: 1.0 }
    }

    /// For lists of a base that is refined.
    pub(crate) fn of_leaves(reach: f64) -> Self {
        Self { making: MAKING_LEAVES, ..Self::new(reach) }
    }

    /// Skin of the list (m) that takes the place of one which is out of date at a placement.
    pub(crate) fn after(&mut self, before: &NearList, placement: &Placement, sizes: &Sizes) -> f64 {
        match before.reference {
            Some(reference) => {
                let motion = reference.motion(placement, sizes);
                self.next(reference.skin, motion, &before.costs)
            }
            None => self.skin,
        }
    }

    /// Skin of the next list (m), when that with `skin` and these costs is out of date after a `motion` (m).
    fn next(&mut self, skin: f64, motion: f64, costs: &ListCosts) -> f64 {
        let (build, evaluation) = (self.making * costs.build(), costs.evaluation() * costs.uses as f64);
        let factor = match () {
            // Poses that jump leave every skin that pays.
            () if costs.uses <= 1 && motion > self.reach.max(2.0 * skin) => 0.25,
            () if build > 32.0 * evaluation => 2.0,
            () if build > 8.0 * evaluation => 1.4,
            () if build < 2.0 * evaluation => 0.7,
            () => 1.0,
        };
        self.skin = (factor * skin).max(self.least());
        self.skin
    }

    pub(crate) fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        visit(&mut self.skin);
    }

    fn least(&self) -> f64 {
        self.reach / 30.0
    }

    /// Whether a list with this skin has been used for so long that a shorter one pays, though it is still valid.
    pub(crate) fn is_worn(&self, skin: f64, costs: &ListCosts) -> bool {
        let evaluation = costs.evaluation() * costs.uses as f64;
        skin > self.least() && costs.pairs > 0 && evaluation > 4.0 * self.making * costs.build()
    }

    /// A skin that gave too many pairs is halved.
    pub(crate) fn shorten(&mut self) -> f64 {
        self.skin *= 0.5;
        self.skin
    }

    /// More pairs than this are not worth a skin that looks ahead far; up to a fifth of the reach any number is. Where
    /// triangles are small, pairs grow with the third power of the skin.
    pub(crate) fn most_pairs(&self) -> usize {
        if self.skin > 0.2 * self.reach { 128 } else { usize::MAX }
    }
}
