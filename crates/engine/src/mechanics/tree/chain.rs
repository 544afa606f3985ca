use std::ops::Range;

use super::Link;
use crate::mechanics::joint;

/// The freedoms of all trees one behind the other, each as a link without mass whose column is constant in what it hangs
/// on: a place. Places of a link are numbered like its freedoms, but begin at the parent, so that those of a reversed
/// joint run backwards; the three of a quaternion turn about each other's columns and count as one step. A free root is
/// three displacements in world axes and then a rotation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    pub(crate) places: Vec<Place>,
    /// Of each place, the places from the root to itself, one list after the other.
    paths: Vec<usize>,
    first_in_paths: Vec<usize>,
    /// By link: last place that moves it; none if its joints and those below it are fixed.
    last_of_link: Vec<Option<usize>>,
}

/// A freedom.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) link: usize,
    /// Which of the link's freedoms it is.
    pub(crate) freedom: usize,
    /// Its velocity among the states.
    pub(crate) velocity: usize,
    /// Its coordinate among the states; of a quaternion the first three stand for rotations about the columns.
    pub(crate) coordinate: usize,
    /// Columns of places from this one on turn with it, as far as they are beyond it.
    pub(crate) carries_from: usize,
    /// A function of time.
    pub(crate) is_driven: bool,
    /// Inertia of what moves with it alone.
    pub(crate) armature: f64,
}

impl Chain {
    pub(crate) fn new(links: &[Link]) -> Self {
        let mut chain = Self::default();
        for (index, link) in links.iter().enumerate() {
            let n = link.kind.freedoms();
            let behind = link.parent.and_then(|parent| chain.last_of_link[parent]);
            let mut last = behind;
            let rotation = rotation_places(link);
            for place in link.freedoms() {
                let step = place - link.first_freedom;
                let freedom = if link.reversed { n - 1 - step } else { step };
                let carries_from = match &rotation {
                    // Columns are fixed in the body carried, or where they hang.
                    Some(r) if r.contains(&place) => {
                        if link.reversed {
                            r.end
                        } else {
                            r.start
                        }
                    }
                    _ => place,
                };
                chain.places.push(Place {
                    link: index,
                    freedom,
                    velocity: link.velocities().start + freedom,
                    coordinate: link.first_state + freedom,
                    carries_from,
                    is_driven: link.drive.is_some(),
                    armature: link.armature[freedom],
                });
                let start = chain.paths.len();
                if let Some(last) = last {
                    let end = chain.first_in_paths.get(last + 1).map_or(start, |&end| end);
                    chain.paths.extend_from_within(chain.first_in_paths[last]..end);
                }
                chain.paths.push(place);
                chain.first_in_paths.push(start);
                last = Some(place);
            }
            chain.last_of_link.push(last);
        }
        chain.first_in_paths.push(chain.paths.len());
        chain
    }

    /// Where the path of a place lies among all of them.
    pub(crate) fn path_range(&self, place: usize) -> Range<usize> {
        self.first_in_paths[place]..self.first_in_paths[place + 1]
    }

    /// Places from the root to this one.
    pub(crate) fn path(&self, place: usize) -> &[usize] {
        &self.paths[self.path_range(place)]
    }

    /// Places that move a link; none for a fixed body.
    pub(crate) fn path_of_link(&self, link: Option<usize>) -> &[usize] {
        link.and_then(|link| self.last_of_link[link]).map_or(&[], |place| self.path(place))
    }

    /// Length of all paths together.
    pub(crate) fn pairs(&self) -> usize {
        self.paths.len()
    }
}

/// Places of a link's quaternion.
pub(super) fn rotation_places(link: &Link) -> Option<Range<usize>> {
    let (_, omega) = joint::quaternion_at(link.kind)?;
    let step = if link.reversed { link.kind.freedoms() - 3 - omega } else { omega };
    let start = link.first_freedom + step;
    Some(start..start + 3)
}
