//! The regions of a contact as of its last accepted state, and which of them the regions of another state go on from.

use carom_geometry::intersection::{Region, RegionSearch, Side};
use carom_math::Vec3;

use super::REGIONS;
use crate::contact::hands::{Hand, HandBook};

/// Numbers of a region in a checkpoint before its lists of triangles.
const NUMBERS: usize = 14;

/// How a region began, and where it was last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BegunRegion {
    /// Counts the regions of a contact.
    pub(crate) number: u32,
    /// When it began (s).
    pub(crate) begin: f64,
    /// Approach speed δ̇⁻ that its law keeps (m/s).
    pub(crate) speed: f64,
    /// Damping that its law keeps.
    pub(crate) damping: f64,
    /// Normal force at the last accepted state (N).
    pub(crate) load: f64,
    /// What was stored in it there (J).
    pub(super) stored: f64,
    /// Its point there, in B's frame (m).
    pub(super) point: Vec3,
    /// Half of the length of its contours (m): no part of it is farther from its point.
    pub(super) extent: f64,
    /// Which of the book's triangles it covered of A and of B, from one to the one before another; none before it was seen.
    pub(super) covered: [[u32; 2]; 2],
}

impl BegunRegion {
    /// Has it been found at an accepted state?
    pub(super) fn is_seen(&self) -> bool {
        self.covered[0][0] < self.covered[0][1]
    }
}

/// Of a contact by regions that is closed; of others empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionBook {
    /// In the order of the search at the last accepted state.
    pub(crate) regions: Vec<BegunRegion>,
    /// Those before them: a buffer.
    pub(super) spare: Vec<BegunRegion>,
    /// By which bristles of the state each is held.
    pub(crate) held: HandBook,
    /// Triangles, those of each region and surface together and ascending.
    triangles: Vec<u32>,
    /// Number of the next one.
    pub(crate) next: u32,
    /// How long before the end of the attempted step, which a change of the regions ends, they were as they had been (s).
    pub(crate) awaited: Option<f64>,
}

impl RegionBook {
    /// Forgets all regions.
    pub(crate) fn clear(&mut self) {
        self.regions.clear();
        self.held.clear();
        self.triangles.clear();
        self.next = 0;
        self.awaited = None;
    }

    /// Makes room for what surfaces of so many triangles need, as long as few of them are in two regions.
    pub(super) fn reserve(&mut self, triangles: usize) {
        self.triangles.reserve(triangles.saturating_sub(self.triangles.len()));
        for list in [&mut self.regions, &mut self.spare] {
            list.reserve(REGIONS.saturating_sub(list.len()));
        }
    }

    /// Triangles of a surface that a region covered.
    pub(super) fn triangles(&self, region: &BegunRegion, side: Side) -> &[u32] {
        let [from, to] = region.covered[side as usize];
        &self.triangles[from as usize..to as usize]
    }

    /// Takes the regions of a search in place of those that there are.
    pub(super) fn replace(&mut self, regions: Vec<BegunRegion>, search: &RegionSearch) {
        self.spare = std::mem::replace(&mut self.regions, regions);
        self.triangles.clear();
        for (index, region) in self.regions.iter_mut().enumerate() {
            let lists = [Side::A, Side::B].map(|side| search.triangles(index, side));
            region.covered = keep_lists(&mut self.triangles, lists);
        }
    }

    /// All numbers that the next steps need; the first two say how many regions there are, and how many there have been.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let mut numbers = vec![self.regions.len() as f64, f64::from(self.next)];
        for (index, region) in self.regions.iter().enumerate() {
            let Hand { bristle, share, .. } = self.held.own_hand(index);
            let bristle = f64::from(bristle);
            let [x, y, z] = region.point.into();
            let lists = [Side::A, Side::B].map(|side| self.triangles(region, side));
            let BegunRegion { number, begin, speed, damping, load, stored, extent, .. } = *region;
            numbers.extend([f64::from(number), begin, speed, damping, load, stored]);
            numbers.extend([x, y, z, extent, bristle, share]);
            numbers.extend(lists.map(|list| list.len() as f64));
            numbers.extend(lists.into_iter().flatten().map(|&triangle| f64::from(triangle)));
        }
        numbers
    }

    /// Takes such numbers; false if they make no sense.
    pub(crate) fn recall(&mut self, numbers: &[f64]) -> bool {
        let Some((&[count, next], mut rest)) = numbers.split_first_chunk() else { return false };
        self.clear();
        self.next = next as u32;
        let mut hands = Vec::new();
        while let Some((&of_region, lists)) = rest.split_first_chunk::<NUMBERS>() {
            let [number, begin, speed, damping, load, stored, x, y, z, extent, bristle, share, a, b] =
                of_region;
            let Some((list_a, lists)) = lists.split_at_checked(a as usize) else { return false };
            let Some((list_b, lists)) = lists.split_at_checked(b as usize) else { return false };
            let both: [Vec<u32>; 2] = [list_a, list_b].map(|list| list.iter().map(|&t| t as u32).collect());
            let covered = keep_lists(&mut self.triangles, both.each_ref().map(Vec::as_slice));
            let (number, point) = (number as u32, Vec3::new(x, y, z));
            hands.push(Hand { part: self.regions.len() as u32, bristle: bristle as u32, share });
            self.regions.push(BegunRegion {
                number,
                begin,
                speed,
                damping,
                load,
                stored,
                point,
                extent,
                covered,
            });
            rest = lists;
        }
        self.held.recall(hands.into_iter());
        rest.is_empty() && self.regions.len() as f64 == count
    }
}

/// Adds two lists, and says where they are.
fn keep_lists(triangles: &mut Vec<u32>, lists: [&[u32]; 2]) -> [[u32; 2]; 2] {
    lists.map(|list| {
        let from = triangles.len() as u32;
        triangles.extend_from_slice(list);
        [from, triangles.len() as u32]
    })
}

/// From which begun regions those of a state go on: from all whose triangles they share on both surfaces, else from the nearest
/// that no other goes on from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lineage {
    /// Of each region found, from the first of its parents to the first of the next one's.
    starts: Vec<u32>,
    parents: Vec<u32>,
    /// Is a begun region gone on from?
    has_child: Vec<bool>,
}

impl Lineage {
    pub(super) fn with_capacity(regions: usize) -> Self {
        Self {
            starts: Vec::with_capacity(regions + 1),
            parents: Vec::with_capacity(2 * regions),
            has_child: Vec::with_capacity(regions),
        }
    }

    /// Of the regions that were found last, whose surfaces travel no farther than `travel` in a step (m).
    pub(super) fn find(&mut self, search: &RegionSearch, book: &RegionBook, travel: f64) {
        self.starts.clear();
        self.parents.clear();
        self.has_child.clear();
        self.has_child.resize(book.regions.len(), false);
        for found in 0..search.regions().len() {
            self.starts.push(self.parents.len() as u32);
            let [a, b] = [Side::A, Side::B].map(|side| search.triangles(found, side));
            for (index, begun) in book.regions.iter().enumerate() {
                let [of_a, of_b] = [Side::A, Side::B].map(|side| book.triangles(begun, side));
                if have_common(a, of_a) && have_common(b, of_b) {
                    self.parents.push(index as u32);
                    self.has_child[index] = true;
                }
            }
        }
        self.starts.push(self.parents.len() as u32);
        self.join_by_place(search.regions(), book, travel);
    }

    /// What moves on to other triangles in one step is the same region: the nearest two first, in whatever order they are found.
    fn join_by_place(&mut self, regions: &[Region], book: &RegionBook, travel: f64) {
        while let Some((found, parent)) = self.nearest_apart(regions, book, travel) {
            self.parents.insert(self.starts[found + 1] as usize, parent as u32);
            self.starts[found + 1..].iter_mut().for_each(|start| *start += 1);
            self.has_child[parent] = true;
        }
    }

    /// Of the regions without parents and the begun ones without children the two that are nearest, if they are within reach.
    fn nearest_apart(&self, regions: &[Region], book: &RegionBook, travel: f64) -> Option<(usize, usize)> {
        let within = |region: &Region, begun: &BegunRegion| {
            let distance = (begun.point - region.point).norm();
            let reach = begun.extent + 0.5 * region.length + travel;
            (!begun.is_seen() || distance <= reach).then_some(distance)
        };
        let new = || regions.iter().enumerate().filter(|(found, _)| self.parents(*found).is_empty());
        let lost = book.regions.iter().enumerate().filter(|(index, _)| !self.has_child[*index]);
        let near = lost.flat_map(|(index, begun)| {
            new().filter_map(move |(found, region)| Some((within(region, begun)?, found, index)))
        });
        near.min_by(|x, y| x.0.total_cmp(&y.0)).map(|(_, found, index)| (found, index))
    }

    /// Begun regions that a region goes on from, ascending; none if it is new.
    pub(super) fn parents(&self, found: usize) -> &[u32] {
        &self.parents[self.starts[found] as usize..self.starts[found + 1] as usize]
    }

    /// Does nothing go on from a begun region?
    pub(super) fn is_over(&self, begun: usize) -> bool {
        !self.has_child[begun]
    }

    /// Number of regions that go on from a begun one.
    pub(super) fn children(&self, begun: usize) -> usize {
        self.parents.iter().filter(|&&parent| parent as usize == begun).count()
    }

    /// Damping of a region: the mean of those that it goes on from by their loads, or that of the nearest; none if no region
    /// has begun.
    pub(super) fn damping(&self, found: usize, region: &Region, book: &RegionBook) -> Option<f64> {
        let parents = self.parents(found);
        if parents.is_empty() {
            return Some(nearest(book, &region.point)?.damping);
        }
        Some(mean(book, parents, |begun| begun.damping))
    }
}

/// Mean over begun regions by their loads; without loads they count alike.
pub(super) fn mean(book: &RegionBook, parents: &[u32], of: fn(&BegunRegion) -> f64) -> f64 {
    let begun = || parents.iter().map(|&parent| &book.regions[parent as usize]);
    let load: f64 = begun().map(|region| region.load).sum();
    if load > 0.0 {
        begun().map(|region| region.load / load * of(region)).sum()
    } else {
        begun().map(of).sum::<f64>() / parents.len() as f64
    }
}

/// The begun region whose point is nearest; of equally near ones the first.
pub(super) fn nearest<'b>(book: &'b RegionBook, point: &Vec3) -> Option<&'b BegunRegion> {
    let distance = |begun: &BegunRegion| (begun.point - point).norm();
    book.regions.iter().min_by(|x, y| distance(x).total_cmp(&distance(y)))
}

/// Have two ascending lists an entry in common?
pub(super) fn have_common(a: &[u32], b: &[u32]) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_survive_a_checkpoint() {
        let begun = |number: u32, covered: [[u32; 2]; 2]| BegunRegion {
            number,
            begin: 0.25,
            speed: 1.5,
            damping: 0.3,
            load: 7.0,
            stored: 0.7,
            point: Vec3::new(1.0, 2.0, 3.0),
            extent: 0.5,
            covered,
        };
        let regions = vec![begun(3, [[0, 2], [2, 2]]), begun(5, [[2, 2], [2, 5]])];
        let book = RegionBook { regions, triangles: vec![1, 4, 2, 9, 11], next: 6, ..RegionBook::default() };
        assert_eq!(book.triangles(&book.regions[1], Side::B), [2, 9, 11]);
        let mut other = RegionBook::default();
        assert!(other.recall(&book.numbers()));
        assert_eq!([0, 1].map(|part| other.held.own_hand(part).bristle), [0, 1]);
        assert_eq!((&other.regions, &other.triangles, other.next), (&book.regions, &book.triangles, 6));
        assert!(!other.recall(&book.numbers()[..12]) && !other.recall(&[]));
    }

    #[test]
    fn means_are_by_load() {
        let begun = |load: f64, speed: f64| BegunRegion { load, speed, ..BegunRegion::default() };
        let regions = vec![begun(3.0, 1.0), begun(1.0, 5.0)];
        let book = RegionBook { regions, next: 2, ..RegionBook::default() };
        assert_eq!(mean(&book, &[0, 1], |begun| begun.speed), 2.0);
        assert_eq!(mean(&book, &[1], |begun| begun.speed), 5.0);
    }
}
