use super::{ListCosts, Placement, Reference, Sizes, SkinChoice};

/// What a list of near pairs knows about itself: the placement that it was made at, and what it has cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NearList {
    pub(crate) reference: Option<Reference>,
    pub(crate) costs: ListCosts,
}

impl NearList {
    /// Whether the surfaces have not moved by more than its skin since it was made, and it has not been used for long
    /// enough to pay for a shorter one.
    pub(crate) fn is_valid(&self, placement: &Placement, sizes: &Sizes, choice: &SkinChoice) -> bool {
        // Not a number is not valid.
        self.reference.as_ref().is_some_and(|reference| {
            reference.motion(placement, sizes) <= reference.skin
                && !choice.is_worn(reference.skin, &self.costs)
        })
    }

    /// Visits where it was made and what it has cost.
    pub(crate) fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut f64)) {
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
}

/// A count as a number, exact up to 2⁵³.
pub(crate) fn visit_count(count: &mut u64, visit: &mut dyn FnMut(&mut f64)) {
    let mut number = *count as f64;
    visit(&mut number);
    *count = number as u64;
}
