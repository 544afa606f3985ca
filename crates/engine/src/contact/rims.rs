//! Round ends of a rigid solid over a half-space: how each end lies is kept with the first of its points, for all of them.

use std::ops::Range;

use carom_geometry::GapCourse;
use carom_geometry::convex::{ContactRates, Lie, RigidMotion, Rims};
use carom_math::{Pose, Vec3};

use super::commit::open;
use super::facets::POSES;
use super::placed::Placed;
use super::point::motion_at;
use super::rigid::RigidPoint;
use super::{Evaluator, PointMotion};
use crate::record::{ContactMode, Event};
use crate::system::{PairSource, RimPair};

/// An end of a pair, by a contact that one of its points is.
#[derive(Clone, Copy)]
struct End<'e> {
    pair: &'e RimPair,
    /// The contact of its first point: the others follow.
    first: usize,
    /// How many there are.
    count: usize,
}

impl<'e> End<'e> {
    /// That of a contact; none of other finders.
    fn of(evaluator: &'e Evaluator<'_>, contact: usize) -> Option<Self> {
        let data = &evaluator.table.contacts[contact];
        let PairSource::Rims(pair) = &evaluator.table.pairs[data.pair].source else { return None };
        let (end, point) = pair.rims.place(data.feature);
        Some(Self { pair, first: contact - point, count: pair.rims.points_of(end) })
    }

    /// Contacts of its points.
    fn contacts(&self) -> Range<usize> {
        self.first..self.first + self.count
    }

    fn lie(&self, evaluator: &Evaluator<'_>) -> Lie {
        Lie::from_code(evaluator.contacts.memory[self.first].face)
    }

    fn rims(&self) -> &'e Rims {
        &self.pair.rims
    }
}

/// The point of a contact, and how its end lies.
fn lie_of(evaluator: &Evaluator<'_>, pair: &RimPair, contact: usize) -> (usize, Lie) {
    let feature = evaluator.table.contacts[contact].feature;
    let (_, point) = pair.rims.place(feature);
    (feature, Lie::from_code(evaluator.contacts.memory[contact - point].face))
}

/// Contact point of a point of an end and its motion.
pub(super) fn rim_motion(
    evaluator: &Evaluator<'_>,
    pair: &RimPair,
    contact: usize,
    placed: &Placed<'_>,
) -> PointMotion {
    let [x_wa, x_wb] = placed.poses;
    let (feature, lie) = lie_of(evaluator, pair, contact);
    let is_held = evaluator.contacts.memory[contact].mode != ContactMode::Open;
    let point = pair.rims.contact(feature, x_wa, x_wb, (lie, is_held));
    let size = x_wa.translation.amax().max(x_wb.translation.amax()).max(point.point_a.amax());
    let point = if pair.swapped { point.swapped() } else { point };
    motion_at(&point, placed.bodies, POSES * size)
}

/// How the gap of a point goes between two looks.
pub(super) fn course_of_rim(evaluator: &Evaluator<'_>, contact: usize) -> GapCourse {
    let opposite = End::of(evaluator, contact).is_some_and(|end| match end.lie(evaluator) {
        Lie::Rolls { low, .. } => {
            end.count == Rims::POINTS && (contact - end.first + Rims::POINTS - low) % Rims::POINTS == 2
        }
        Lie::Flat { .. } => false,
    });
    if opposite { GapCourse::Highest } else { GapCourse::Chord }
}

/// Rates of the contact of a held point.
pub(super) fn rim_rates(
    evaluator: &Evaluator<'_>,
    pair: &RimPair,
    contact: usize,
    motions: [&RigidMotion; 2],
) -> ContactRates {
    let (feature, lie) = lie_of(evaluator, pair, contact);
    pair.rims.rates(feature, lie, pair.surfaces.map(|s| &evaluator.surfaces[s]), motions)
}

/// How far a held point is from where its end lies otherwise (rad).
pub(super) fn room_on_end(evaluator: &Evaluator<'_>, contact: usize) -> f64 {
    let Some(end) = End::of(evaluator, contact) else { return f64::INFINITY };
    let [x_wa, x_wb] = end.pair.surfaces.map(|s| &evaluator.surfaces[s]);
    let feature = evaluator.table.contacts[contact].feature;
    end.rims().room(feature, x_wa, x_wb, (end.lie(evaluator), &spin_of(evaluator, contact)))
}

/// Has the lowest point of a rim swung around, where the evaluator is, within what a step took for straight?
pub(crate) fn has_swung(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    End::of(evaluator, contact).is_some_and(|end| {
        let [x_wa, x_wb] = end.pair.surfaces.map(|s| &evaluator.surfaces[s]);
        end.rims().has_swung(x_wa, x_wb, (end.lie(evaluator), &spin_of(evaluator, contact)))
    })
}

/// Notes how an end lies of which the first point begins to touch.
pub(super) fn land(evaluator: &mut Evaluator<'_>, contact: usize) {
    let Some(end) = End::of(evaluator, contact) else { return };
    if end.contacts().any(|other| evaluator.contacts.memory[other].mode != ContactMode::Open) {
        return;
    }
    let [x_wa, x_wb] = end.pair.surfaces.map(|s| &evaluator.surfaces[s]);
    let feature = evaluator.table.contacts[contact].feature;
    let lie = end.rims().landed(feature, x_wa, x_wb, &spin_of(evaluator, contact));
    let first = end.first;
    evaluator.contacts.memory[first].face = lie.code();
}

/// How fast the solid turns against the half-space (rad/s).
fn spin_of(evaluator: &Evaluator<'_>, contact: usize) -> Vec3 {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let [a, b] = pair.bodies.map(|body| evaluator.workspace.bodies[body].angular_velocity);
    if matches!(&pair.source, PairSource::Rims(pair) if pair.swapped) { b - a } else { a - b }
}

/// Forgets how an end lay whose last point has parted.
pub(super) fn take_off(evaluator: &mut Evaluator<'_>, contact: usize) {
    let Some(end) = End::of(evaluator, contact) else { return };
    if end.contacts().all(|other| evaluator.contacts.memory[other].mode == ContactMode::Open) {
        let first = end.first;
        evaluator.contacts.memory[first].face = 0;
    }
}

/// Follows the lowest point of a rim that rolls.
pub(super) fn follow_rim(evaluator: &mut Evaluator<'_>, contact: usize) {
    change_lie(evaluator, contact, |end, _, [x_wa, x_wb], lie| end.rims().followed(x_wa, x_wb, lie));
}

/// Takes the end of a held point to how it lies from now on, flat or on this point alone; false of other finders.
pub(super) fn turn_over(evaluator: &mut Evaluator<'_>, contact: usize) -> bool {
    let spin = spin_of(evaluator, contact);
    change_lie(evaluator, contact, |end, feature, [x_wa, x_wb], lie| {
        end.rims().goes_on(feature, x_wa, x_wb, (lie, &spin))
    })
}

fn change_lie(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    change: impl FnOnce(&End<'_>, usize, [&Pose; 2], Lie) -> Lie,
) -> bool {
    let Some(end) = End::of(evaluator, contact) else { return false };
    let poses = end.pair.surfaces.map(|s| &evaluator.surfaces[s]);
    let feature = evaluator.table.contacts[contact].feature;
    let lie = change(&end, feature, poses, end.lie(evaluator));
    let first = end.first;
    evaluator.contacts.memory[first].face = lie.code();
    true
}

/// Does an open contact that comes nearer strike with the others of a flat end, where one of them is closed?
pub(super) fn lands(evaluator: &Evaluator<'_>, contact: usize, point: &PointMotion) -> bool {
    let Some(end) = End::of(evaluator, contact) else { return false };
    let is_closed = |contact: usize| evaluator.contacts.memory[contact].mode == ContactMode::Closed;
    point.gap <= end.rims().landing(evaluator.table.contacts[contact].feature)
        && matches!(end.lie(evaluator), Lie::Flat { .. })
        && !is_closed(contact)
        && end.contacts().any(is_closed)
}

/// Opens the contacts of the other points of an end that rolls on the point of this contact from now on.
pub(super) fn part_beside(evaluator: &mut Evaluator<'_>, contact: usize, time: f64, log: &mut Vec<Event>) {
    let Some(end) = End::of(evaluator, contact) else { return };
    let (contacts, rolls) = (end.contacts(), matches!(end.lie(evaluator), Lie::Rolls { .. }));
    for beside in contacts.filter(|&beside| rolls && beside != contact) {
        if evaluator.contacts.memory[beside].mode != ContactMode::Open {
            let point = evaluator.motion_of(beside);
            open(evaluator, beside, time, &point, log);
        }
    }
}

/// Turns the points of flat ends that are about to tip over two of them, by these forces (N, three a point), to where these act: the rim is
/// round. Returns the angle by which the farthest has turned (rad), none if none has.
pub(crate) fn align_ends(
    evaluator: &mut Evaluator<'_>,
    points: &[RigidPoint],
    forces: &[f64],
    leaves: impl Fn(usize) -> bool,
) -> Option<f64> {
    let mut farthest: Option<f64> = None;
    for point in points {
        let Some(end) = End::of(evaluator, point.contact).filter(|end| end.first == point.contact) else {
            continue;
        };
        let mut normal = [0.0; Rims::POINTS];
        let mut tips = false;
        let held = end.contacts().enumerate().all(|(k, contact)| {
            let place = points.iter().position(|point| point.contact == contact);
            place.is_some_and(|place| {
                normal[k] = forces[3 * place];
                tips |= leaves(place);
                true
            })
        });
        if let Some((lie, turn)) = Rims::aligned(end.lie(evaluator), normal).filter(|_| held && tips) {
            let first = end.first;
            evaluator.contacts.memory[first].face = lie.code();
            farthest = Some(farthest.map_or(turn, |farthest| farthest.max(turn)));
        }
    }
    farthest
}
