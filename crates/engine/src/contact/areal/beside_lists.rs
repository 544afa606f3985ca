//! Which elements of a list are beside edges of the base. Most of a flat face are not, and nothing is asked of them one by one.

use carom_geometry::polygonal::{BaseElement, EdgeZones, PenetrationSearch};
use carom_math::Vec3;

use crate::system::{ArealPass, PassEdges};

/// What was told of the two lists that a search goes to and fro between.
pub(super) struct BesideLists([BesideList; 2]);

/// The elements of a list that are beside edges, in order.
struct BesideList {
    /// Of the list; none has the number 0.
    number: u64,
    beside: Vec<u32>,
}

/// Elements that need not count as they are, asked for in their order.
pub(super) enum MayBeBeside<'a> {
    /// All may be.
    Any,
    /// Those that are left of these, in order.
    Of(&'a [u32]),
}

impl BesideLists {
    /// Room for this many elements in each list.
    pub(super) fn with_capacity(elements: usize) -> Self {
        Self([(); 2].map(|()| BesideList { number: 0, beside: Vec::with_capacity(elements) }))
    }

    /// Of the elements that a search has made for its hits.
    pub(super) fn of(
        &mut self,
        pass: &ArealPass,
        edges: &PassEdges,
        search: &PenetrationSearch,
    ) -> MayBeBeside<'_> {
        if edges.target.is_some() || !pass.base.is_refined() {
            return MayBeBeside::Any;
        }
        MayBeBeside::Of(self.of_list(search.list_number(), |beside| {
            find_beside(&edges.base, search.made_elements(), pass.base.triangles_in_order(), beside);
        }))
    }

    /// What was told of the list of this number, or is told now.
    fn of_list(&mut self, number: u64, tell: impl FnOnce(&mut Vec<u32>)) -> &[u32] {
        if self.0[1].number != number {
            self.0.swap(0, 1);
        }
        // The one that was told of first is that which was made anew.
        if self.0[1].number != number {
            self.0[1].number = number;
            tell(&mut self.0[1].beside);
        }
        &self.0[1].beside
    }
}

impl MayBeBeside<'_> {
    /// Is this element one of them?
    #[inline]
    pub(super) fn has(&mut self, element: u32) -> bool {
        let Self::Of(left) = self else { return true };
        while let [next, others @ ..] = left {
            if *next >= element {
                return *next == element;
            }
            *left = others;
        }
        false
    }
}

/// Replaces `beside` by those of the elements, which are in order, that have a share above 0. Around one that has none others have none,
/// either.
fn find_beside(
    zones: &EdgeZones,
    elements: &[(u32, BaseElement)],
    mut triangle_of: impl FnMut(u32) -> u32,
    beside: &mut Vec<u32>,
) {
    beside.clear();
    let mut clear: Option<(u32, Vec3, f64)> = None;
    for (number, element) in elements {
        let (triangle, place) = (triangle_of(*number), element.barycentre);
        let is_around =
            |&(same, middle, radius): &_| same == triangle && Vec3::norm(&(place - middle)) < radius;
        if clear.as_ref().is_some_and(is_around) {
            continue;
        }
        let here = zones.share_around(triangle, &place);
        if here.share > 0.0 {
            beside.push(*number);
        } else {
            clear = Some((triangle, place, here.radius));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::Sharpness;
    use carom_geometry::polygonal::{BaseSurface, MarkedEdges};
    use carom_geometry::surface::{Resolution, block};

    /// To and fro between two lists each is told of once; one made anew takes the place of that which was used before the other.
    #[test]
    fn each_list_is_told_of_once() {
        let mut lists = BesideLists::with_capacity(1);
        let mut told = Vec::new();
        for number in [1, 1, 2, 1, 2, 2, 3, 2, 3, 4, 3, 4, 2] {
            let beside = lists.of_list(number, |beside| {
                told.push(number);
                beside.clear();
                beside.push(10 * number as u32);
            });
            let mut may_be = MayBeBeside::Of(beside);
            let has = [9, 10, 20, 21, 30, 40].map(|element| may_be.has(element));
            assert_eq!(has, [9, 10, 20, 21, 30, 40].map(|element| element == 10 * number as u32), "{number}");
        }
        assert_eq!(told, [1, 2, 3, 4, 2]);
    }

    /// As each element alone says, for runs of elements anywhere on a block, with gaps as those of a list have them.
    #[test]
    fn elements_beside_edges_are_those_with_a_share() {
        let mesh = block(Vec3::repeat(0.5), Resolution::Divisions(1)).unwrap();
        let zones = MarkedEdges::sharp(&mesh, &Sharpness::of(&mesh)).zones(&mesh, 2e-3);
        let base = BaseSurface::refined(&mesh, &[11; 12], 0.1).unwrap();
        let elements: Vec<_> = (0..).zip(base.elements()).collect();
        let (mut found, mut counts) = (Vec::new(), [0; 2]);
        for (k, run) in elements.windows(40).step_by(13).enumerate() {
            let run: Vec<_> = run.iter().copied().step_by(1 + k % 3).collect();
            let has_share = |(number, element): &&(u32, BaseElement)| {
                zones.share(base.place(*number).0, &element.barycentre) > 0.0
            };
            let expected: Vec<u32> = run.iter().filter(has_share).map(|(number, _)| *number).collect();
            find_beside(&zones, &run, base.triangles_in_order(), &mut found);
            assert_eq!(found, expected, "{k}");
            counts[0] += expected.len();
            counts[1] += run.len() - expected.len();
        }
        assert!(counts[0] > 10_000 && counts[1] > 10_000, "{counts:?}");
    }
}
