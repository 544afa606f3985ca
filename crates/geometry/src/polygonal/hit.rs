/// From which side a penetration line meets the target first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitStatus {
    /// From inside: the barycentre is in the target, and the depth is the penetration.
    Active,
    /// From outside, or along the surface: no contact.
    Invalid,
}

/// First place where the penetration line of a contact element meets the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementHit {
    /// Contact element by its number: that of the triangle in the base's mesh, or of a leaf where the base is refined.
    pub element: u32,
    /// Triangle that is met: its index in the target's mesh. Of equal depths the lowest.
    pub triangle: u32,
    /// Distance u from the barycentre to the target along the line (m), 0 ≤ u ≤ reach.
    pub depth: f64,
    /// Contact or not.
    pub status: HitStatus,
}

impl ElementHit {
    /// Whether it is contact.
    pub fn is_active(&self) -> bool {
        self.status == HitStatus::Active
    }
}

/// What searches have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounters {
    /// Searches.
    pub searches: u64,
    /// Searches for which a list of pairs was made.
    pub rebuilds: u64,
    /// Tests of a box against a box.
    pub box_tests: u64,
    /// Tests of a line against a triangle, exact or inflated by the skin.
    pub ray_tests: u64,
    /// Pairs of an element and a triangle that the last search looked at.
    pub listed_pairs: u64,
}
