use carom_math::Vec3;

use super::bisect::cut_in_two;
use super::{Leaves, MOST_BISECTIONS};
use crate::polygonal::base::{BaseElement, make_element};

/// Makes elements one after the other. What the way down to a leaf has in common with that to the leaf before is not made
/// again: of neighbours by number that is all but the last bisections.
pub(in crate::polygonal) struct LeafWalk<'a> {
    leaves: &'a Leaves,
    /// The last leaf's triangle, with its first leaf and the one behind its last; none before the first leaf.
    triangle: usize,
    ends: [u32; 2],
    path: u32,
    /// Corners on the way from the triangle to the leaf.
    way: [[Vec3; 3]; MOST_BISECTIONS as usize + 1],
}

impl<'a> LeafWalk<'a> {
    pub(in crate::polygonal) fn new(leaves: &'a Leaves) -> Self {
        let way = [[Vec3::zeros(); 3]; MOST_BISECTIONS as usize + 1];
        Self { leaves, triangle: 0, ends: [0; 2], path: 0, way }
    }

    /// The element of a leaf.
    pub(in crate::polygonal) fn element(&mut self, leaf: u32) -> BaseElement {
        let [first, behind] = self.ends;
        let mut made = 0;
        if first <= leaf && leaf < behind {
            let differs = self.path ^ (leaf - first);
            made = usize::from(self.depth()) - (u32::BITS - differs.leading_zeros()) as usize;
        } else {
            let (triangle, _) = self.leaves.place(leaf);
            self.triangle = triangle as usize;
            self.ends = [self.leaves.first[self.triangle], self.leaves.first[self.triangle + 1]];
            self.way[0] = self.leaves.triangles[self.triangle];
        }
        self.path = leaf - self.ends[0];
        let depth = usize::from(self.depth());
        for level in made..depth {
            let half = self.path >> (depth - 1 - level) & 1;
            self.way[level + 1] = cut_in_two(&self.way[level])[half as usize];
        }
        make_element(self.way[depth])
    }

    /// Bisections of the triangle.
    fn depth(&self) -> u8 {
        self.leaves.depths[self.triangle]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Resolution, block};

    /// In any order, forwards, backwards and across triangles.
    #[test]
    fn elements_on_a_walk_are_those_made_alone() {
        let mesh = block(Vec3::new(0.3, 0.2, 0.1), Resolution::Divisions(1)).unwrap();
        let depths: Vec<u8> = (0..12).map(|k| k % 6).collect();
        let leaves = Leaves::new(&mesh, &depths).unwrap();
        let count = leaves.count() as u32;
        let mut walk = LeafWalk::new(&leaves);
        for leaf in (0..count).chain((0..count).rev()).chain((0..count).map(|k| k * 37 % count)) {
            assert_eq!(walk.element(leaf), leaves.element(leaf), "{leaf}");
        }
    }
}
