use carom_math::Vec3;

use super::part::Part;
use crate::near::Cluster;
use crate::near::simd::LANES;
use crate::near::{BaseElement, make_element};

/// Room for clusters is not made for more than this many.
const MOST_CLUSTERS: usize = 1 << 9;

/// Clusters of leaves that were made before: lists that are made one after the other are on much the same leaves.
///
/// Each cluster has one place, which the number of its first leaf says. What comes to a place that is taken takes it over, or
/// as long as there are few places gets twice as many.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownClusters {
    places: Vec<KnownCluster>,
}

#[derive(Clone, Debug)]
struct KnownCluster {
    /// Its first leaf; `NONE` of a place that is free.
    first: u32,
    cluster: Cluster,
    /// By leaf from the first.
    elements: [BaseElement; LANES],
}

const NONE: u32 = u32::MAX;

impl KnownCluster {
    const FREE: Self = Self {
        first: NONE,
        cluster: Cluster::EMPTY,
        elements: [BaseElement {
            barycentre: Vec3::new(0.0, 0.0, 0.0),
            normal: Vec3::new(0.0, 0.0, 0.0),
            area: 0.0,
        }; LANES],
    };

    fn make(&mut self, part: &Part) {
        self.first = part.first();
        self.cluster = Cluster::EMPTY;
        let (leaves, count) = part.leaves();
        for (leaf, known) in leaves[..count].iter().zip(&mut self.elements) {
            *known = make_element(*leaf.corners());
            if known.area > 0.0 {
                self.cluster.push(leaf.first(), known);
            }
        }
        self.cluster.repeat_first();
    }
}

impl KnownClusters {
    /// The lines of the leaves of a part, which are at most eight.
    pub(crate) fn cluster(&mut self, part: &Part) -> &Cluster {
        loop {
            let place = self.place_of(part.first());
            match self.places.get(place).map_or(NONE, |known| known.first) {
                first if first == part.first() => break,
                NONE if !self.places.is_empty() => break,
                _ if self.places.len() < MOST_CLUSTERS => self.grow(),
                _ => break,
            }
        }
        let place = self.place_of(part.first());
        let known = &mut self.places[place];
        if known.first != part.first() {
            known.make(part);
        }
        &known.cluster
    }

    /// The element of a leaf, if its cluster, of which that of the number `first` is the first leaf, is at hand.
    pub(crate) fn element(&self, first: u32, leaf: u32) -> Option<&BaseElement> {
        let known = self.places.get(self.place_of(first))?;
        if known.first == first { Some(&known.elements[(leaf - first) as usize]) } else { None }
    }

    /// Neighbours by number are in different places.
    fn place_of(&self, first: u32) -> usize {
        (first as usize / LANES) & self.places.len().saturating_sub(1)
    }

    /// Twice as many places, or some.
    fn grow(&mut self) {
        let count = (2 * self.places.len()).max(16);
        let before = std::mem::replace(&mut self.places, vec![KnownCluster::FREE; count]);
        for known in before.into_iter().filter(|known| known.first != NONE) {
            let place = self.place_of(known.first);
            self.places[place] = known;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Leaves, whole_cells};
    use super::*;
    use crate::surface::{Resolution, rectangle};

    /// Asks for the clusters of a part, one after the other.
    fn ask(part: &Part, leaves: &Leaves, known: &mut KnownClusters) {
        if !part.is_cluster() {
            let (parts, _) = part.open(0.1);
            return parts.iter().for_each(|part| ask(part, leaves, known));
        }
        let mut expected = Cluster::EMPTY;
        (part.first()..).take(LANES).for_each(|leaf| expected.push(leaf, &leaves.element(leaf)));
        assert_eq!(*known.cluster(part), expected);
        for leaf in (part.first()..).take(LANES) {
            assert_eq!(known.element(part.first(), leaf), Some(&leaves.element(leaf)));
        }
    }

    /// Whatever was asked for before, also where there are more clusters than places.
    #[test]
    fn known_clusters_are_those_made_anew() {
        let mesh = rectangle(0.5, 0.3, Resolution::Divisions(1)).unwrap();
        let leaves = Leaves::new(&whole_cells(&mesh, &[12, 12]), 2).unwrap();
        assert!(leaves.count() / LANES > MOST_CLUSTERS);
        let (parts, _) = leaves.parts(0.1, 0.6);
        let mut known = KnownClusters::default();
        for part in [&parts[0], &parts[0], &parts[1], &parts[0]] {
            ask(part, &leaves, &mut known);
        }
        assert_eq!(known.places.len(), MOST_CLUSTERS);
        assert_eq!(known.element(leaves.count() as u32 - 8, leaves.count() as u32 - 1), None);
    }
}
