//! The ends of a rigid solid and what they may stand on.

use std::ops::Range;

use carom_geometry::convex::{Crossing, FlatPart, Grounds, Lie, Rims};
use carom_math::Pose;

use super::BESIDE;
use crate::contact::convex::SEARCH_ULPS;
use crate::contact::facets::POSES;
use crate::contact::observe::gap_epsilon;
use crate::contact::{Evaluator, PointMotion};
use crate::record::ContactMode;
use crate::system::{ConvexPair, PairSource, Stand};

/// The ends of a pair's solid over a half-space, or of one of two over the other.
#[derive(Clone, Copy)]
pub(super) struct Ends<'e> {
    pub(super) rims: &'e Rims,
    /// The faces that they may stand on; none of a half-space.
    pub(super) on: Option<Faces<'e>>,
    /// Of the solid and of what it stands on.
    pub(super) surfaces: [usize; 2],
    /// The solid is the second of the pair's surfaces.
    pub(super) is_second: bool,
    /// It is the model's B.
    pub(super) swapped: bool,
    /// The contact of the first point.
    pub(super) first: usize,
}

/// Faces of the other of two solids.
#[derive(Clone, Copy)]
pub(super) struct Faces<'e> {
    pub(super) grounds: &'e Grounds,
    /// How many the pair has before these.
    pub(super) before: usize,
    /// The contact of the nearest points.
    pub(super) nearest: usize,
}

impl Faces<'_> {
    /// What is kept with the nearest points of a face that is stood on.
    pub(super) fn code(&self, face: usize) -> usize {
        1 + self.before + face
    }
}

impl<'e> Ends<'e> {
    /// Those that a contact is a point of, and its number among their points; none of other contacts.
    pub(super) fn of(evaluator: &'e Evaluator<'_>, contact: usize) -> Option<(Self, usize)> {
        let data = &evaluator.table.contacts[contact];
        match &evaluator.table.pairs[data.pair].source {
            PairSource::Rims(pair) => {
                let ends = Self {
                    rims: &pair.rims,
                    on: None,
                    surfaces: pair.surfaces,
                    is_second: false,
                    swapped: pair.swapped,
                    first: contact - data.feature,
                };
                Some((ends, data.feature))
            }
            PairSource::Convex(pair) => {
                let stand = pair.stands.iter().find(|stand| stand.features().contains(&data.feature))?;
                Some((Self::of_stand(pair, stand, contact - data.feature), data.feature - stand.first))
            }
            _ => None,
        }
    }

    fn of_stand(pair: &ConvexPair, stand: &'e Stand, nearest: usize) -> Self {
        Self {
            rims: &stand.rims,
            on: Some(Faces { grounds: &stand.grounds, before: stand.faces_before, nearest }),
            surfaces: in_order(pair.surfaces, stand.is_second),
            is_second: stand.is_second,
            swapped: pair.swapped != stand.is_second,
            first: nearest + stand.first,
        }
    }

    /// Those beside the nearest points of two solids, of either on the other.
    pub(super) fn beside(
        evaluator: &'e Evaluator<'_>,
        nearest: usize,
    ) -> impl Iterator<Item = (Self, Faces<'e>)> {
        let pair = evaluator.table.searched(nearest);
        let stands = pair.into_iter().flat_map(|pair| pair.stands.iter().map(move |stand| (pair, stand)));
        stands.filter_map(move |(pair, stand)| {
            let ends = Self::of_stand(pair, stand, nearest);
            Some((ends, ends.on?))
        })
    }

    /// Contacts of all points.
    pub(super) fn contacts(&self) -> Range<usize> {
        self.first..self.first + self.rims.count()
    }

    /// The face that they stand on; none of a half-space, or where they are apart from all.
    pub(super) fn face(&self, evaluator: &Evaluator<'_>) -> Option<usize> {
        let Faces { grounds, before, nearest } = self.on?;
        let face = (evaluator.contacts.memory[nearest].face as usize).checked_sub(1 + before)?;
        (face < grounds.count()).then_some(face)
    }

    /// Is that a round one?
    pub(super) fn is_on_round_face(&self, evaluator: &Evaluator<'_>) -> bool {
        self.on.zip(self.face(evaluator)).is_some_and(|(on, face)| on.grounds.circle(face).is_some())
    }

    /// The solid and the half-space that it is over, by the poses of both; none where it stands on no face.
    pub(super) fn over(&self, evaluator: &Evaluator<'_>, [x_wa, x_wb]: [&Pose; 2]) -> Option<[Pose; 2]> {
        match self.on {
            None => Some([*x_wa, *x_wb]),
            Some(on) => self.face(evaluator).map(|face| [*x_wa, x_wb.compose(on.grounds.pose(face))]),
        }
    }

    /// The same where the evaluator is.
    pub(super) fn poses(&self, evaluator: &Evaluator<'_>) -> Option<[Pose; 2]> {
        self.over(evaluator, self.surfaces.map(|s| &evaluator.surfaces[s]))
    }

    /// How far what touches the face that they stand on is from its border, where the evaluator is (m); infinite over a half-space.
    pub(super) fn room_on_ground(&self, evaluator: &Evaluator<'_>) -> f64 {
        let (Some((Faces { grounds, .. }, face)), Some([x_wa, x_wf])) =
            (self.on.zip(self.face(evaluator)), self.poses(evaluator))
        else {
            return f64::INFINITY;
        };
        let x_wb = &evaluator.surfaces[self.surfaces[1]];
        let room = |end: usize| match self.lie(evaluator, end) {
            Lie::Across { number, .. } => {
                let other = self.lie(evaluator, self.rims.partner(end, number));
                self.rims.room_across((end, number), [&x_wa, &x_wf], other, (grounds, face))
            }
            Lie::Part { about, .. } => self.rims.part(end, [&x_wa, &x_wf], (grounds, face)).room(about),
            lie => grounds.room(face, &self.rims.footprint(end, &x_wa, &x_wf, lie).seen_in(x_wb)),
        };
        let touching = (0..self.rims.count_ends()).filter(|&end| self.touches(evaluator, end));
        touching.map(room).fold(f64::INFINITY, f64::min) + BESIDE * self.rims.radius()
    }

    /// Contacts of the points of an end.
    pub(super) fn contacts_of(&self, end: usize) -> Range<usize> {
        let Range { start, end } = self.rims.indices_of(end);
        self.first + start..self.first + end
    }

    /// Does an end touch?
    pub(super) fn touches(&self, evaluator: &Evaluator<'_>, end: usize) -> bool {
        self.contacts_of(end).any(|contact| evaluator.contacts.memory[contact].mode != ContactMode::Open)
    }

    /// How an end lies.
    pub(super) fn lie(&self, evaluator: &Evaluator<'_>, end: usize) -> Lie {
        let mut codes = [0; 4];
        let memory = &evaluator.contacts.memory[self.contacts_of(end)];
        codes.iter_mut().zip(memory).for_each(|(code, memory)| *code = memory.face);
        Lie::from_codes(codes)
    }

    /// What an end touches of the face that they stand on, where it is flat on it; none where the other solid could not stand on this one:
    /// what carries what tips over the border, no contact would tell.
    pub(super) fn part<'p>(
        &'p self,
        evaluator: &Evaluator<'_>,
        end: usize,
        poses: [&'p Pose; 2],
    ) -> Option<FlatPart<'p>> {
        let (on, face) = self.on.zip(self.face(evaluator))?;
        is_mutual(evaluator, on.nearest).then(|| self.rims.part(end, poses, (on.grounds, face)))
    }

    /// What crosses the border of the face that they stand on at an end.
    pub(super) fn crossing(&self, evaluator: &Evaluator<'_>, end: usize, number: usize) -> Option<Crossing> {
        let (on, face) = self.on.zip(self.face(evaluator))?;
        self.rims.crossing((end, number), (on.grounds, face))
    }

    /// The ends of the side or edge of which alone both touch.
    pub(super) fn touching_line(&self, evaluator: &Evaluator<'_>) -> Option<[usize; 2]> {
        self.line_of((0..self.rims.count_ends()).filter(|&end| self.touches(evaluator, end)))
    }

    /// Two ends that a side or an edge joins; none of more or fewer.
    pub(super) fn line_of(&self, mut ends: impl Iterator<Item = usize>) -> Option<[usize; 2]> {
        let line = [ends.next()?, ends.next()?];
        (ends.next().is_none() && self.rims.is_line(line)).then_some(line)
    }

    /// The ends of the side or edge that leans over a border, which it touches with one end alone: nothing else can touch.
    pub(super) fn leaning_line(&self, evaluator: &Evaluator<'_>) -> Option<[usize; 2]> {
        self.face(evaluator)?;
        let mut touching = (0..self.rims.count_ends()).filter(|&end| self.touches(evaluator, end));
        match (touching.next(), touching.next()) {
            (Some(end), None) => match self.lie(evaluator, end) {
                Lie::Across { number, .. } => Some([end, self.rims.partner(end, number)]),
                Lie::Rolls { .. } | Lie::Flat { .. } | Lie::Part { .. } => None,
            },
            _ => None,
        }
    }
}

/// What the search for nearest points, as which a point of ends on a face begins, leaves of its gap (m), and whether the end is round; none of other
/// contacts.
pub(in crate::contact) fn rounding_of_search(
    evaluator: &Evaluator<'_>,
    contact: usize,
    point: &PointMotion,
) -> Option<(f64, bool)> {
    let (ends, index) = Ends::of(evaluator, contact)?;
    let is_round = ends.rims.points_of(ends.rims.place(index).0) > 1;
    ends.on.is_some().then(|| (gap_epsilon(point) * (SEARCH_ULPS / POSES), is_round))
}

/// Can either of two solids stand on the other?
pub(super) fn is_mutual(evaluator: &Evaluator<'_>, nearest: usize) -> bool {
    evaluator.table.searched(nearest).is_some_and(|pair| pair.stands.len() == 2)
}

/// Two things of a pair's surfaces, those of a stand's solid first.
pub(super) fn in_order<T>([first, second]: [T; 2], is_second: bool) -> [T; 2] {
    if is_second { [second, first] } else { [first, second] }
}
