//! Which branch of a quantity that is smooth by pieces is met: of triangle surfaces, which elements carry it.

/// Numbers of the branches of what is sought of a contact; where one changes, its quantity may have a kink or a jump. All are 0 where
/// nothing is known of branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Branch {
    /// All active elements, and the triangles that they meet.
    pub(crate) force: u32,
    /// The deepest of them.
    pub(crate) depth: u32,
    /// The one with the largest pressure.
    pub(crate) pressure: u32,
}

/// Odd, with bits all over.
const SPREAD: [u32; 3] = [0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D];

impl Branch {
    /// The number of an element that meets a triangle; of the first ones, too, not that of none.
    #[inline]
    pub(crate) fn of(element: u32, triangle: u32) -> u32 {
        let mixed = element.wrapping_add(1).wrapping_mul(SPREAD[0]) ^ triangle.wrapping_mul(SPREAD[1]);
        (mixed ^ (mixed >> 15)).wrapping_mul(SPREAD[2])
    }

    /// The same elements of another base are others.
    pub(crate) fn in_pass(self, number: usize) -> Self {
        let of = |branch: u32| branch.rotate_left(7 * number as u32);
        Self { force: of(self.force), depth: of(self.depth), pressure: of(self.pressure) }
    }

    /// That of a sum of forces.
    pub(crate) fn with(self, other: Self) -> Self {
        Self { force: self.force.wrapping_add(other.force), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elements, triangles and passes have numbers of their own, none of them that of nothing; a sum has one whatever its order.
    #[test]
    fn numbers_tell_what_carries() {
        let branch = |element, triangle| Branch { force: Branch::of(element, triangle), ..Branch::default() };
        let all: Vec<Branch> = (0..4).flat_map(|e| (0..4).map(move |t| branch(e, t))).collect();
        let numbers = all.iter().flat_map(|branch| [0, 1].map(|pass| branch.in_pass(pass).force));
        let distinct: std::collections::BTreeSet<u32> = numbers.chain([0]).collect();
        assert_eq!(distinct.len(), 2 * all.len() + 1);
        assert_eq!(all[1].with(all[6]), all[6].with(all[1]));
        assert_ne!(all[1].with(all[6]), all[1].with(all[7]));
    }
}
