//! Ends of a rigid solid over a half-space, or on a face of another one: how each end lies is kept with the first of its points, for all
//! of them, and the face with the contact of the nearest points.
//!
//! Of two solids these begin the contact. Where they do so over a face of either within which all of the other lies that touches, they give
//! way to the points of its ends, until all of those have parted, or until one comes over the border of the face.

mod across;
mod ends;
mod flat;
mod standing;

use std::ops::Range;

use carom_geometry::GapCourse;
use carom_geometry::convex::{Crossing, FlatPart, Footprint, Grounds, Lie, Rims};
use carom_geometry::{ContactRates, RigidMotion};
use carom_math::{Pose, Vec3};

use self::across::{comes_down_across, forget_apart, turn_across};
pub(super) use self::ends::rounding_of_search;
use self::ends::{Ends, Faces, in_order};
pub(super) use self::flat::slack_of_flat;
pub(crate) use self::flat::{Turns, align_ends, tip_over_border, turns_flat};
use self::flat::{is_on_border, on_part, turn_part};
pub(crate) use self::standing::settle_down;
use self::standing::stand;
use super::commit::{close, open};
use super::facets::POSES;
use super::placed::Placed;
use super::point::motion_at;
use super::rigid::{STILL, takes_over};
use super::{Evaluator, PointMotion};
use crate::model::JointKind;
use crate::record::{ContactMode, Event};

/// What touches may be over the border of its face by this share of the radius, and half of it as it comes to stand: rounding, where a can and
/// the box beside it stand on one floor, or what a can that rocks on an equal one is moved by as it lands, 1e-8 of its height at a time.
const BESIDE: f64 = Grounds::BESIDE;
/// Overlap, over the radius, of what comes to stand: a start is told of more.
const OVERLAPPING: f64 = 1e-6;
/// Sine of the angle to a face's normal of contacts that lie on it.
const ALONG: f64 = 1e-6;
/// A side lies along a border of a face that both its ends are no farther from than this share of their radius.
const ALONG_BORDER: f64 = 1e-6;

/// An end of a pair, by a contact that one of its points is.
#[derive(Clone, Copy)]
struct End<'e> {
    ends: Ends<'e>,
    /// The contact of its first point: the others follow.
    first: usize,
    /// How many there are.
    count: usize,
    /// The number of the contact among the points of both ends.
    index: usize,
}

impl<'e> End<'e> {
    /// That of a contact; none of other finders.
    fn of(evaluator: &'e Evaluator<'_>, contact: usize) -> Option<Self> {
        let (ends, index) = Ends::of(evaluator, contact)?;
        let (end, point) = ends.rims.place(index);
        Some(Self { ends, first: contact - point, count: ends.rims.points_of(end), index })
    }

    /// Contacts of its points.
    fn contacts(&self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// The number of the contact among them.
    fn point(&self) -> usize {
        self.rims().place(self.index).1
    }

    fn lie(&self, evaluator: &Evaluator<'_>) -> Lie {
        self.ends.lie(evaluator, self.rims().place(self.index).0)
    }

    /// What the end touches of its face, where it is flat on that, if what tips over the border there has something to do so on.
    fn part<'p>(&'p self, evaluator: &Evaluator<'_>, poses: [&'p Pose; 2]) -> Option<FlatPart<'p>> {
        self.ends.part(evaluator, self.rims().place(self.index).0, poses)
    }

    fn rims(&self) -> &'e Rims {
        self.ends.rims
    }

    /// What crosses a border there, if this is the point that does.
    fn crossing(&self, evaluator: &Evaluator<'_>, number: usize) -> Option<Crossing> {
        let (end, _) = self.rims().place(self.index);
        self.is_across(evaluator).then(|| self.ends.crossing(evaluator, end, number)).flatten()
    }

    /// Is the contact that of a side or an edge that crosses a border?
    fn is_across(&self, evaluator: &Evaluator<'_>) -> bool {
        matches!(self.lie(evaluator), Lie::Across { low, .. } if low == self.point())
    }

    /// Is the end none of those of a side or edge that leans over a border?
    fn is_beside_line(&self, evaluator: &Evaluator<'_>) -> bool {
        let (end, _) = self.rims().place(self.index);
        self.ends.leaning_line(evaluator).is_some_and(|line| !line.contains(&end))
    }

    /// Does the end touch with its side alone, and this point not?
    fn is_beside_side(&self, evaluator: &Evaluator<'_>) -> bool {
        matches!(self.lie(evaluator), Lie::Across { .. }) && !self.is_across(evaluator)
    }
}

/// Notes how the end lies that a contact is a point of.
fn lay(evaluator: &mut Evaluator<'_>, contact: usize, lie: Lie) {
    let Some(End { first, count, .. }) = End::of(evaluator, contact) else { return };
    let memory = &mut evaluator.contacts.memory[first..first + count];
    memory.iter_mut().zip(lie.codes()).for_each(|(memory, code)| memory.face = code);
}

/// Notes how ends lie.
fn lay_all(evaluator: &mut Evaluator<'_>, laid: &[(usize, Lie)]) {
    laid.iter().for_each(|&(contact, lie)| lay(evaluator, contact, lie));
}

/// Share of the gap (m) of an open contact that both surfaces have to travel before it can close. Over a face the plane that a point is over moves
/// faster beyond the border than the surface does anywhere: at a distance d of it from the body's centre, and of the surface ρ, by d/ρ. Where a side or
/// an edge crosses a border, or a flat end reaches over one, the gap bounds no path.
pub(super) fn certified_share(evaluator: &Evaluator<'_>, contact: usize, gap: f64) -> f64 {
    let Some(end) = End::of(evaluator, contact).filter(|end| end.ends.on.is_some()) else { return 1.0 };
    if end.is_across(evaluator) || matches!(end.lie(evaluator), Lie::Part { .. }) {
        return 0.0;
    }
    let system = &evaluator.system;
    let surface = &system.surfaces[end.ends.surfaces[1]];
    let off =
        evaluator.motion_of(contact).position - evaluator.workspace.bodies[surface.body].pose.translation;
    (surface.shape.bounding_radius() / (off.norm() + gap)).min(1.0)
}

/// Is a contact one of the points of ends?
pub(super) fn is_of_end(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    Ends::of(evaluator, contact).is_some()
}

/// Is it one of the model's B?
pub(super) fn is_end_of_b(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    Ends::of(evaluator, contact).is_some_and(|(ends, _)| ends.swapped)
}

/// Contact point of a point of an end and its motion; one that never touches where the ends stand on no face.
pub(super) fn rim_motion(evaluator: &Evaluator<'_>, contact: usize, placed: &Placed<'_>) -> PointMotion {
    let Some(end) = End::of(evaluator, contact) else { return PointMotion::NEVER };
    let poses = in_order(placed.poses, end.ends.is_second);
    let Some([x_wa, x_wb]) = end.ends.over(evaluator, poses) else { return PointMotion::NEVER };
    let is_held = evaluator.contacts.memory[contact].mode != ContactMode::Open;
    if !is_held && end.is_beside_line(evaluator) {
        return PointMotion::NEVER;
    }
    let point = match end.lie(evaluator) {
        Lie::Across { number, .. } => end
            .crossing(evaluator, number)
            .and_then(|crossing| end.rims().contact_across(&x_wa, &x_wb, &crossing)),
        Lie::Part { angle, about } => {
            let part = end.part(evaluator, [&x_wa, &x_wb]);
            part.map(|part| part.contact(end.point(), (angle, about)))
        }
        lie => Some(end.rims().contact(end.index, &x_wa, &x_wb, (lie, is_held))),
    };
    let Some(point) = point else { return PointMotion::NEVER };
    let size = x_wa.translation.amax().max(x_wb.translation.amax()).max(point.point_a.amax());
    let point = if end.ends.swapped { point.swapped() } else { point };
    motion_at(&point, placed.bodies, POSES * size)
}

/// Motion of a contact of two solids of which one may stand on faces of the other: of a point of its ends, and of the nearest points while they
/// touch nowhere because it stands; none where they are to be searched for.
pub(super) fn stand_motion(
    evaluator: &Evaluator<'_>,
    contact: usize,
    placed: &Placed<'_>,
) -> Option<PointMotion> {
    if is_of_end(evaluator, contact) {
        return Some(rim_motion(evaluator, contact, placed));
    }
    is_silent(evaluator, contact).then_some(PointMotion::NEVER)
}

/// Is a contact one that cannot touch: of ends that stand on no face or touch with a side, or of nearest points while some stand?
pub(super) fn is_silent(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    match End::of(evaluator, contact) {
        Some(end) => {
            (end.ends.on.is_some() && end.ends.face(evaluator).is_none())
                || end.is_beside_side(evaluator)
                || end.is_beside_line(evaluator)
        }
        None => Ends::beside(evaluator, contact).any(|(ends, _)| ends.face(evaluator).is_some()),
    }
}

/// Does a contact that begins give way to others, which have begun in its place? What else begins in the same time may have made it one that cannot
/// touch. The nearest points of a solid that comes to stand on a face do so to
/// the points of its ends that touch, and a point of an end that comes down beside the face to the nearest points.
pub(super) fn gives_way(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    (time, point): (f64, &PointMotion),
    log: &mut Vec<Event>,
) -> bool {
    if is_silent(evaluator, contact) {
        return true;
    }
    if let Some(of_end) = stand(evaluator, contact) {
        close(evaluator, of_end, time, &evaluator.motion_of(of_end), log);
        let contacts = Ends::of(evaluator, of_end).map_or(0..0, |(ends, _)| ends.contacts());
        for beside in contacts {
            let point = evaluator.motion_of(beside);
            if is_beside_ground(evaluator, beside, &point) {
                continue;
            }
            let comes_along = point.approach >= -STILL * evaluator.system.scales.velocity;
            if takes_over(evaluator, beside, &point) || comes_along && lands(evaluator, beside, &point) {
                close(evaluator, beside, time, &point, log);
            }
        }
        forget_apart(evaluator, of_end);
        return true;
    }
    if comes_down_across(evaluator, contact) {
        close(evaluator, contact, time, &evaluator.motion_of(contact), log);
        return true;
    }
    let Some(nearest) = miss_ground(evaluator, contact, (time, point), log) else { return false };
    close(evaluator, nearest, time, &evaluator.motion_of(nearest), log);
    true
}

/// Ends that stand on a face from which a point that begins to touch is beside: what they hold ends, and the contact of the nearest points, which
/// is returned, takes over.
fn miss_ground(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    (time, point): (f64, &PointMotion),
    log: &mut Vec<Event>,
) -> Option<usize> {
    if !is_beside_ground(evaluator, contact, point) {
        return None;
    }
    let (ends, _) = Ends::of(evaluator, contact)?;
    let nearest = ends.on?.nearest;
    let contacts = ends.contacts();
    part_all(evaluator, contacts, time, log);
    Some(nearest)
}

/// Does a point of ends touch the plane of the face on which they stand beside that?
fn is_beside_ground(evaluator: &Evaluator<'_>, contact: usize, point: &PointMotion) -> bool {
    let Some((ends, _)) = Ends::of(evaluator, contact) else { return false };
    let Some((Faces { grounds, .. }, face)) = ends.on.zip(ends.face(evaluator)) else { return false };
    let touching = Footprint { centre: point.position, axis: point.normal, radius: 0.0 };
    let x_wb = &evaluator.surfaces[ends.surfaces[1]];
    grounds.room(face, &touching.seen_in(x_wb)) < -BESIDE * ends.rims.radius()
}

/// Does one of two solids of which only the nearest points touch lie on a face of the other, and reach over its border with an end, or with a
/// part of its side? What carries it there they do not tell. Two that joints hold to the world need no more of them.
pub(super) fn lies_over_border(evaluator: &Evaluator<'_>, nearest: usize) -> bool {
    Ends::beside(evaluator, nearest).any(|(ends, on)| {
        ends.surfaces.iter().any(|&surface| is_free(evaluator, surface))
            && reaches_over(evaluator, nearest, &ends, on.grounds)
    })
}

/// Do no joints hold the body of a surface to the world?
fn is_free(evaluator: &Evaluator<'_>, surface: usize) -> bool {
    let mechanics = &evaluator.system.mechanics;
    let link = mechanics.bodies[evaluator.system.surfaces[surface].body].link;
    let tree = link.map(|link| mechanics.links[link].tree);
    let mut roots = mechanics.links.iter().filter(|link| link.is_root() && Some(link.tree) == tree);
    roots.any(|root| root.kind == JointKind::Free)
}

fn reaches_over(evaluator: &Evaluator<'_>, nearest: usize, ends: &Ends<'_>, grounds: &Grounds) -> bool {
    let [x_wa, x_wb] = ends.surfaces.map(|s| &evaluator.surfaces[s]);
    let normal = evaluator.motion_of(nearest).normal;
    let radius = ends.rims.radius();
    (0..grounds.count()).any(|face| {
        let plane = x_wb.compose(grounds.pose(face));
        if plane.z_axis().cross(&normal).norm() > ALONG {
            return false;
        }
        let lowest = ends.rims.lowest(x_wa, &plane);
        let rooms = lowest.footprints().map(|low| grounds.room(face, &low.seen_in(x_wb)));
        let (least, most) =
            rooms.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), room| (a.min(room), b.max(room)));
        // A side along the border rolls over it, and that of a cylinder has a place where it crosses a straight one.
        let has_no_place = grounds.sides(face).next().is_none() || ends.rims.side().is_none();
        lowest.height.abs() < OVERLAPPING * radius
            && least < -BESIDE * radius
            && (lowest.is_flat || (has_no_place && most > ALONG_BORDER * radius))
    })
}

/// Opens the contacts that are not.
fn part_all(evaluator: &mut Evaluator<'_>, contacts: Range<usize>, time: f64, log: &mut Vec<Event>) {
    for contact in contacts {
        if evaluator.contacts.memory[contact].mode != ContactMode::Open {
            let point = evaluator.motion_of(contact);
            open(evaluator, contact, time, &point, log);
        }
    }
}

/// What of a pair of solids could touch on and what could not is the other way round.
fn forget_certificates(evaluator: &mut Evaluator<'_>, nearest: usize) {
    let stands = evaluator.table.searched(nearest).map_or(&[][..], |pair| &pair.stands);
    let end = nearest + stands.last().map_or(1, |stand| stand.features().end);
    evaluator.contacts.certificates[nearest..end].fill(f64::NEG_INFINITY);
}

/// How the gap of a point goes between two looks.
pub(super) fn course_of_rim(evaluator: &Evaluator<'_>, contact: usize) -> GapCourse {
    let opposite = End::of(evaluator, contact).is_some_and(|end| match end.lie(evaluator) {
        Lie::Rolls { low, .. } => {
            end.count == Rims::POINTS && (contact - end.first + Rims::POINTS - low) % Rims::POINTS == 2
        }
        Lie::Flat { .. } | Lie::Part { .. } | Lie::Across { .. } => false,
    });
    if opposite { GapCourse::Highest } else { GapCourse::Chord }
}

/// Rates of the contact of a held point.
pub(super) fn rim_rates(
    evaluator: &Evaluator<'_>,
    contact: usize,
    motions: [&RigidMotion; 2],
) -> ContactRates {
    let end = End::of(evaluator, contact).expect("a point of an end");
    let [x_wa, x_wb] = end.ends.poses(evaluator).expect("a point that is held stands on something");
    let at_border = match end.lie(evaluator) {
        Lie::Across { number, .. } => end
            .crossing(evaluator, number)
            .and_then(|crossing| end.rims().rates_across([&x_wa, &x_wb], &crossing, motions)),
        Lie::Part { angle, about } => {
            let part = end.part(evaluator, [&x_wa, &x_wb]);
            part.map(|part| part.rates(end.point(), (angle, about), motions))
        }
        Lie::Rolls { .. } | Lie::Flat { .. } => None,
    };
    at_border.unwrap_or_else(|| end.rims().rates(end.index, end.lie(evaluator), [&x_wa, &x_wb], motions))
}

/// How far a held point is from where its end lies otherwise (rad), or what touches from the border of the face that it stands on (m).
pub(super) fn room_on_end(evaluator: &Evaluator<'_>, contact: usize) -> f64 {
    let Some(end) = End::of(evaluator, contact) else { return f64::INFINITY };
    turn_left(evaluator, contact, &end).min(end.ends.room_on_ground(evaluator))
}

/// How far a held point is from where its end lies otherwise (rad).
fn turn_left(evaluator: &Evaluator<'_>, contact: usize, end: &End<'_>) -> f64 {
    let Some([x_wa, x_wb]) = end.ends.poses(evaluator) else { return f64::INFINITY };
    end.rims().room(end.index, &x_wa, &x_wb, (end.lie(evaluator), &spin_of(evaluator, contact)))
}

/// Has the lowest point of a rim swung around, where the evaluator is, within what a step took for straight?
pub(crate) fn has_swung(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    End::of(evaluator, contact).is_some_and(|end| {
        let Some([x_wa, x_wb]) = end.ends.poses(evaluator) else { return false };
        // What has come to the border of its face goes nowhere else.
        end.ends.room_on_ground(evaluator) > turn_left(evaluator, contact, &end)
            && end.rims().has_swung(&x_wa, &x_wb, (end.lie(evaluator), &spin_of(evaluator, contact)))
    })
}

/// Notes how an end lies of which the first point begins to touch.
pub(super) fn land(evaluator: &mut Evaluator<'_>, contact: usize) {
    let Some(end) = End::of(evaluator, contact) else { return };
    let is_open = |other: usize| evaluator.contacts.memory[other].mode == ContactMode::Open;
    let is_known = end.is_across(evaluator) || matches!(end.lie(evaluator), Lie::Part { .. });
    if is_known || !end.contacts().all(is_open) {
        return;
    }
    let Some([x_wa, x_wb]) = end.ends.poses(evaluator) else { return };
    let spin = spin_of(evaluator, contact);
    let whole = end.rims().landed(end.index, &x_wa, &x_wb, &spin);
    let on_part = || end.part(evaluator, [&x_wa, &x_wb])?.landed(&spin);
    let lie = if matches!(whole, Lie::Flat { .. }) { on_part().unwrap_or(whole) } else { whole };
    lay(evaluator, contact, lie);
}

/// How fast the solid turns against the half-space (rad/s).
fn spin_of(evaluator: &Evaluator<'_>, contact: usize) -> Vec3 {
    let pair = &evaluator.table.pairs[evaluator.table.contacts[contact].pair];
    let [a, b] = pair.bodies.map(|body| evaluator.workspace.bodies[body].angular_velocity);
    if is_end_of_b(evaluator, contact) { b - a } else { a - b }
}

/// Does the line that the end is across a round border with touch that at its other end, too? There it may touch again: its own end is too far away to tell.
fn is_across_beside(evaluator: &Evaluator<'_>, end: &End<'_>) -> bool {
    let Lie::Across { number, .. } = end.lie(evaluator) else { return false };
    let own = end.rims().place(end.index).0;
    end.ends.is_on_round_face(evaluator)
        && end.ends.touches(evaluator, number)
        && matches!(end.ends.lie(evaluator, number), Lie::Across { number, .. } if number == own)
}

/// Forgets how an end lay whose last point has parted, and the face that a solid stood on with both.
pub(super) fn take_off(evaluator: &mut Evaluator<'_>, contact: usize) {
    let Some(end) = End::of(evaluator, contact) else { return };
    let is_open = |other: usize| evaluator.contacts.memory[other].mode == ContactMode::Open;
    let (first, is_apart) = (end.first, end.contacts().all(is_open));
    let stays_across = is_across_beside(evaluator, &end);
    let stood = end.ends.face(evaluator).and(end.ends.on).map(|on| on.nearest);
    let all = end.ends.contacts();
    let left = stood.filter(|_| all.clone().all(is_open)).map(|nearest| (nearest, all));
    if is_apart && !stays_across {
        lay(evaluator, first, Lie::apart());
    }
    if let Some((nearest, points)) = left {
        evaluator.contacts.memory[nearest].face = 0;
        // One that was to touch across the border has not.
        evaluator.contacts.memory[points].iter_mut().for_each(|memory| memory.face = 0);
        forget_certificates(evaluator, nearest);
    }
}

/// Follows the lowest point of a rim that rolls.
pub(super) fn follow_rim(evaluator: &mut Evaluator<'_>, contact: usize) {
    change_lie(evaluator, contact, |_, end, [x_wa, x_wb], lie| end.rims().followed(x_wa, x_wb, lie));
}

/// Takes the end of a held point to how it lies from now on, flat, on this point alone or across a border; false where it has come over the
/// border of its face otherwise, and of other finders.
pub(super) fn turn_over(evaluator: &mut Evaluator<'_>, contact: usize) -> bool {
    let Some(end) = End::of(evaluator, contact) else { return false };
    if leaves_by_border(evaluator, contact, &end) {
        return turn_part(evaluator, contact) || turn_across(evaluator, contact);
    }
    if is_on_border(evaluator, &end) {
        return false;
    }
    let spin = spin_of(evaluator, contact);
    change_lie(evaluator, contact, |evaluator, end, poses, lie| {
        let [x_wa, x_wb] = poses;
        let goes_on = end.rims().goes_on(end.index, x_wa, x_wb, (lie, &spin));
        on_part(evaluator, end, poses, goes_on)
    })
}

/// Has a point that leaves how it lay come over the border of its face? Of the two, rad and m, the one that it leaves for is zero where it was
/// located, or a little below, and the other is not.
fn leaves_by_border(evaluator: &Evaluator<'_>, contact: usize, end: &End<'_>) -> bool {
    end.ends.room_on_ground(evaluator) <= turn_left(evaluator, contact, end)
}

fn change_lie(
    evaluator: &mut Evaluator<'_>,
    contact: usize,
    change: impl FnOnce(&Evaluator<'_>, &End<'_>, [&Pose; 2], Lie) -> Lie,
) -> bool {
    let Some(end) = End::of(evaluator, contact) else { return false };
    let Some([x_wa, x_wb]) = end.ends.poses(evaluator) else { return false };
    let lie = change(evaluator, &end, [&x_wa, &x_wb], end.lie(evaluator));
    lay(evaluator, contact, lie);
    true
}

/// Does an open contact that comes nearer strike with the others of a flat end, where one of them is closed?
pub(super) fn lands(evaluator: &Evaluator<'_>, contact: usize, point: &PointMotion) -> bool {
    let Some(end) = End::of(evaluator, contact) else { return false };
    let is_closed = |contact: usize| evaluator.contacts.memory[contact].mode == ContactMode::Closed;
    point.gap <= end.rims().landing(end.index)
        && matches!(end.lie(evaluator), Lie::Flat { .. } | Lie::Part { .. })
        && !is_closed(contact)
        && end.contacts().any(is_closed)
}

/// Opens the contacts of the other points of an end that rolls on the point of this contact from now on, and those of both ends where the
/// solid has come over the border of its face: this contact has ended.
pub(super) fn part_beside(evaluator: &mut Evaluator<'_>, contact: usize, time: f64, log: &mut Vec<Event>) {
    let Some(end) = End::of(evaluator, contact) else { return };
    let has_ended = evaluator.contacts.memory[contact].mode == ContactMode::Open;
    match end.lie(evaluator) {
        _ if has_ended => part_all(evaluator, end.ends.contacts(), time, log),
        Lie::Rolls { .. } => {
            let (first, last) = (end.first, end.first + end.count);
            part_all(evaluator, first..contact, time, log);
            part_all(evaluator, contact + 1..last, time, log);
        }
        Lie::Flat { .. } | Lie::Part { .. } | Lie::Across { .. } => {}
    }
}
