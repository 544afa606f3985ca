//! What the loads of constraint rows leave at the joints on their way inward: G M⁻¹ Gᵀ without the accelerations of any link.

use carom_math::Wrench;

use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::tree::{Link, TreeWorkspace};

/// At one freedom: what is left of a row's loads when they have come inward to it, u, and D⁻¹ u.
#[derive(Clone, Copy, Debug)]
struct Share {
    freedom: usize,
    left: f64,
    moved: f64,
}

/// With M = L D Lᵀ along the trees a row's loads g leave u = L⁻¹ g, nothing but at the joints that carry them, and two rows make
/// gᵀ M⁻¹ g′ = Σ u · D⁻¹ u′ over the joints that carry both: neither is followed outward again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Through {
    shares: Vec<Share>,
    /// By row: where its shares end.
    ends: Vec<usize>,
    /// Links that carry loads of the row at hand, and by link whether it is one of them.
    path: Vec<usize>,
    carries: Vec<bool>,
    /// By freedom: D⁻¹ u of the row that is spread.
    moved: Vec<f64>,
    spread: Option<usize>,
}

impl Through {
    pub(crate) fn new(links: usize, freedoms: usize) -> Self {
        Self {
            path: Vec::with_capacity(links),
            carries: vec![false; links],
            moved: vec![0.0; freedoms],
            ..Self::default()
        }
    }

    pub(crate) fn clear(&mut self) {
        self.shares.clear();
        self.ends.clear();
    }

    /// Follows the loads of one more row. They begin on links `of_row`, and nothing else is in `loads` and `efforts`. Links that carry none
    /// are not looked at, so that rows between few of many bodies cost no more with the others there.
    pub(crate) fn follow(
        &mut self,
        links: &[Link],
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
        of_row: impl Iterator<Item = usize>,
        (loads, efforts): (&[Wrench], &[f64]),
    ) {
        self.path.clear();
        for link in of_row {
            climb(links, link, &mut self.carries, |link| self.path.push(link));
        }
        // Links come after those that carry them.
        self.path.sort_unstable_by(|a, b| b.cmp(a));
        for &link in &self.path {
            tree.take_load(link, &loads[link]);
        }
        for &link in &self.path {
            self.carries[link] = false;
            let first = links[link].first_freedom;
            let shares = &mut self.shares;
            let rotation = &bodies[links[link].body].pose.rotation;
            tree.leave(link, &links[link], rotation, efforts, |k, left, moved| {
                shares.push(Share { freedom: first + k, left, moved });
            });
        }
        self.ends.push(self.shares.len());
    }

    fn of(&self, row: usize) -> std::ops::Range<usize> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        start..self.ends[row]
    }

    /// Lays a row out for its products with others, until it is taken up.
    pub(crate) fn spread(&mut self, row: usize) {
        debug_assert_eq!(self.spread.replace(row), None, "the one before it was not taken up");
        for share in &self.shares[self.of(row)] {
            self.moved[share.freedom] = share.moved;
        }
    }

    pub(crate) fn take_up(&mut self, row: usize) {
        debug_assert_eq!(self.spread.take(), Some(row), "another one is spread");
        for share in &self.shares[self.of(row)] {
            self.moved[share.freedom] = 0.0;
        }
    }

    /// G M⁻¹ Gᵀ of a row and the one that is spread.
    pub(crate) fn product(&self, row: usize) -> f64 {
        self.shares[self.of(row)].iter().map(|share| share.left * self.moved[share.freedom]).sum()
    }
}

/// Marks a link and those that carry it, up to one that is marked already.
pub(super) fn climb(links: &[Link], link: usize, marked: &mut [bool], mut visit: impl FnMut(usize)) {
    let mut next = Some(link).filter(|&link| !marked[link]);
    while let Some(link) = next {
        marked[link] = true;
        visit(link);
        next = links[link].parent.filter(|&parent| !marked[parent]);
    }
}
