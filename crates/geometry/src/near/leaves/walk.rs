use carom_math::Vec3;

use super::bisect::cut_in_two;
use super::known::KnownClusters;
use super::part::NODE_BISECTIONS;
use super::{Leaves, MOST_BISECTIONS};
use crate::near::{BaseElement, make_element};

/// Makes elements one after the other, where they are not known from clusters. What the way down to a leaf has in common with that to the leaf before is not made
/// again: of neighbours by number that is all but the last bisections.
pub(crate) struct LeafWalk<'a> {
    leaves: &'a Leaves,
    known: &'a KnownClusters,
    /// The last leaf's cell, with its first leaf and the one behind its last; none before the first leaf.
    cell: usize,
    ends: [u32; 2],
    /// Of the last leaf that was made.
    path: u32,
    /// Whether there is one.
    is_made: bool,
    /// Corners on the way from the cell to the leaf.
    way: [[Vec3; 3]; MOST_BISECTIONS as usize + 1],
}

impl<'a> LeafWalk<'a> {
    pub(crate) fn new(leaves: &'a Leaves, known: &'a KnownClusters) -> Self {
        let way = [[Vec3::zeros(); 3]; MOST_BISECTIONS as usize + 1];
        Self { leaves, known, cell: 0, ends: [0; 2], path: 0, is_made: false, way }
    }

    /// The element of a leaf.
    pub(crate) fn element(&mut self, leaf: u32) -> BaseElement {
        if !(self.ends[0] <= leaf && leaf < self.ends[1]) {
            self.cell = self.leaves.cell(leaf);
            self.ends = [self.leaves.first[self.cell], self.leaves.first[self.cell + 1]];
            self.way[0] = self.leaves.cells[self.cell];
            self.is_made = false;
        }
        let path = leaf - self.ends[0];
        let first = self.ends[0] + (path >> NODE_BISECTIONS << NODE_BISECTIONS);
        self.known.element(first, leaf).copied().unwrap_or_else(|| self.make(path))
    }

    /// The element of a leaf of the cell.
    fn make(&mut self, path: u32) -> BaseElement {
        let depth = usize::from(self.depth());
        let differs = u32::BITS - (self.path ^ path).leading_zeros();
        let made = if self.is_made { depth - differs as usize } else { 0 };
        for level in made..depth {
            let half = path >> (depth - 1 - level) & 1;
            self.way[level + 1] = cut_in_two(&self.way[level])[half as usize];
        }
        (self.path, self.is_made) = (path, true);
        make_element(self.way[depth])
    }

    /// Bisections of the cell.
    fn depth(&self) -> u8 {
        self.leaves.depths[self.cell]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::leaves::whole_cells;
    use crate::surface::{Resolution, block};

    /// In any order, forwards, backwards and across triangles.
    #[test]
    fn elements_on_a_walk_are_those_made_alone() {
        let mesh = block(Vec3::new(0.3, 0.2, 0.1), Resolution::Divisions(1)).unwrap();
        let depths: Vec<u8> = (0..12).map(|k| k % 6).collect();
        let leaves = Leaves::new(&whole_cells(&mesh, &depths), mesh.triangles.len()).unwrap();
        let count = leaves.count() as u32;
        let (parts, _) = leaves.parts(0.1, 0.5);
        let mut known = KnownClusters::default();
        for with_known in [false, true] {
            if with_known {
                // Of every second triangle that is cut in more than one, and in no more than eight.
                for part in parts.iter().filter(|part| part.is_cluster()).step_by(2) {
                    known.cluster(part);
                }
            }
            let mut walk = LeafWalk::new(&leaves, &known);
            for leaf in (0..count).chain((0..count).rev()).chain((0..count).map(|k| k * 37 % count)) {
                assert_eq!(walk.element(leaf), leaves.element(leaf), "{leaf}");
            }
        }
    }
}
