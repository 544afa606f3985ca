//! Ends that lie flat: their points, and what of them is over the border of the face (`geometry/src/convex/rims/part.rs`).

use carom_geometry::convex::{Bound, Lie, Rims};
use carom_math::{Pose, Vec3};

use super::across::lie_across;
use super::ends::{Ends, Faces};
use super::standing::{Standing, take_up};
use super::{BESIDE, End, lay, part_all};
use crate::contact::Evaluator;
use crate::contact::commit::close;
use crate::contact::rigid::RigidPoint;
use crate::record::{ContactMode, Event};

/// How an end lies that has come down flat with its point, on a part of the face where it reaches over the border.
pub(super) fn on_part(evaluator: &Evaluator<'_>, end: &End<'_>, poses: [&Pose; 2], lie: Lie) -> Lie {
    let Lie::Flat { angle } = lie else { return lie };
    end.part(evaluator, poses).and_then(|part| part.lie_towards(end.point(), angle)).unwrap_or(lie)
}

/// Lets an end that is flat touch from now on what is on the face: it has come over the border, or back, or other places are in the midst of what it
/// touches. False where that is nothing, and of other ends.
pub(super) fn turn_part(evaluator: &mut Evaluator<'_>, contact: usize) -> bool {
    let Some(end) = End::of(evaluator, contact) else { return false };
    let (Lie::Flat { angle } | Lie::Part { angle, .. }) = end.lie(evaluator) else { return false };
    let Some([x_wa, x_wb]) = end.ends.poses(evaluator) else { return false };
    let lie = end.part(evaluator, [&x_wa, &x_wb]).and_then(|part| part.lie(angle));
    lie.is_some_and(|lie| {
        lay(evaluator, contact, lie);
        true
    })
}

/// How deep a point of a flat end may be that others hold (m): what counts as flat is tilted.
pub(in crate::contact) fn slack_of_flat(evaluator: &Evaluator<'_>, contact: usize) -> f64 {
    End::of(evaluator, contact).map_or(0.0, |end| match end.lie(evaluator) {
        Lie::Flat { .. } | Lie::Part { .. } => end.rims().landing(end.index),
        Lie::Rolls { .. } | Lie::Across { .. } => 0.0,
    })
}

/// Is a contact a point of a flat end of which all touch? These turn to where their forces act.
pub(crate) fn turns_flat(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    End::of(evaluator, contact).is_some_and(|end| {
        matches!(end.lie(evaluator), Lie::Flat { .. } | Lie::Part { .. })
            && end.contacts().all(|point| evaluator.contacts.memory[point].mode != ContactMode::Open)
    })
}

/// What bounds a part of a face at a point of the end that touches it; none of other ends.
fn bound_of(evaluator: &Evaluator<'_>, end: &End<'_>, point: usize) -> Option<Bound> {
    let Lie::Part { angle, about } = end.lie(evaluator) else { return None };
    let [x_wa, x_wb] = end.ends.poses(evaluator)?;
    Some(end.part(evaluator, [&x_wa, &x_wb])?.bound(point, (angle, about)))
}

/// Is a point of a flat end on the border of the face? Then that does not roll on it.
pub(super) fn is_on_border(evaluator: &Evaluator<'_>, end: &End<'_>) -> bool {
    bound_of(evaluator, end, end.point()).is_some_and(|bound| bound != Bound::Rim)
}

/// The border on which all the points of a flat end are that touch, if others do not; and how it lies with two of them where that is crossed, if it does not.
fn border_under(evaluator: &Evaluator<'_>, end: &End<'_>) -> Option<(Bound, Option<Lie>)> {
    let lie = end.lie(evaluator);
    let Lie::Part { angle, about } = lie else { return None };
    let touches = |point: usize| evaluator.contacts.memory[end.first + point].mode != ContactMode::Open;
    if (0..end.count).all(touches) {
        return None;
    }
    let [x_wa, x_wb] = end.ends.poses(evaluator)?;
    let part = end.part(evaluator, [&x_wa, &x_wb])?;
    let border = part.border_under((angle, about), touches)?;
    // As it is noted.
    let along = part.lie_along(border).map(|along| Lie::from_codes(along.codes()));
    Some((border, along.filter(|along| *along != lie)))
}

/// Lets a solid whose flat end touches nothing but a border of the face any more tip over that. First two of its points go to where the border is crossed:
/// what friction they find there may hold it down. Then the other solid stands on its end, with what is along the border. Of these contacts the first one
/// is taken that is so; false if none is.
pub(crate) fn tip_over_border(
    evaluator: &mut Evaluator<'_>,
    contacts: &[usize],
    time: f64,
    log: &mut Vec<Event>,
) -> bool {
    let border = |&contact: &usize| {
        let end = End::of(evaluator, contact).filter(|end| end.ends.on.is_some())?;
        Some((contact, border_under(evaluator, &end)?))
    };
    let Some((contact, (border, along))) = contacts.iter().find_map(border) else { return false };
    let Some(along) = along else { return hand_over(evaluator, (contact, border), time, log).is_some() };
    lay(evaluator, contact, along);
    let points = End::of(evaluator, contact).map_or(0..0, |end| end.contacts());
    for point in points {
        if evaluator.contacts.memory[point].mode == ContactMode::Open {
            close(evaluator, point, time, &evaluator.motion_of(point), log);
        }
    }
    true
}

/// Lets the points of an end give way to what is along the border of the face.
fn hand_over(
    evaluator: &mut Evaluator<'_>,
    (contact, border): (usize, Bound),
    time: f64,
    log: &mut Vec<Event>,
) -> Option<()> {
    let end = End::of(evaluator, contact)?;
    let nearest = end.ends.on?.nearest;
    let from = (end.rims().place(end.index).0, end.ends.face(evaluator)?);
    let place = evaluator.motion_of(contact).position;
    let standing = stand_beyond(evaluator, &end.ends, from, (border, &place))?;
    let points = end.ends.contacts();
    part_all(evaluator, points, time, log);
    take_up(evaluator, nearest, &standing);
    for contact in standing.contacts {
        close(evaluator, contact, time, &evaluator.motion_of(contact), log);
    }
    Some(())
}

/// How the other one of two solids stands on an end that is flat on its face, with what is along the border of that, at a place there.
pub(super) fn stand_beyond(
    evaluator: &Evaluator<'_>,
    ends: &Ends<'_>,
    (end, face): (usize, usize),
    (border, place): (Bound, &Vec3),
) -> Option<Standing> {
    let Faces { grounds, nearest, .. } = ends.on?;
    let is_other = |(other, _): &(Ends<'_>, Faces<'_>)| other.is_second != ends.is_second;
    let (other, on) = Ends::beside(evaluator, nearest).find(is_other)?;
    let own_face = ends.rims.face_of(end, on.grounds)?;
    let [x_wa, x_wb] = other.surfaces.map(|s| &evaluator.surfaces[s]);
    let plane = x_wb.compose(on.grounds.pose(own_face));
    let code = on.code(own_face);
    match border {
        Bound::Rim => None,
        Bound::Side(number) => {
            let line = other.rims.edge_along((grounds, face), number)?;
            let contacts = line.map(|end| other.contacts_of(end).start).into();
            if let Some(laid) = lie_across(evaluator, &other, line, (on.grounds, own_face)) {
                return Some(Standing { contacts, code, laid: laid.into() });
            }
            let is_within = |&end: &usize| {
                let foot = other.rims.footprint(end, x_wa, &plane, Lie::apart());
                on.grounds.room(own_face, &foot.seen_in(x_wb)) >= -0.5 * BESIDE * other.rims.radius()
            };
            line.iter().all(is_within).then(|| Standing { contacts, code, laid: Vec::new() })
        }
        Bound::Circle => {
            let end = other.rims.end_of(grounds, face)?;
            let contacts = other.contacts_of(end);
            let part = other.rims.part(end, [x_wa, &plane], (on.grounds, own_face));
            let laid = match part.lie_at(place) {
                Some(lie) => vec![(contacts.start, lie)],
                // Tilted, one of both rims has its lowest point there, or they cross.
                None if part.deepest()?.0 == Bound::Rim => Vec::new(),
                None => return None,
            };
            Some(Standing { contacts: contacts.collect(), code, laid })
        }
    }
}

/// How a flat end lies with a point where these normal forces (N) on its points act.
fn aligned(evaluator: &Evaluator<'_>, end: &End<'_>, forces: [f64; Rims::POINTS]) -> Option<(Lie, f64)> {
    match end.lie(evaluator) {
        Lie::Part { angle, about } => {
            let [x_wa, x_wb] = end.ends.poses(evaluator)?;
            end.part(evaluator, [&x_wa, &x_wb])?.aligned((angle, about), forces)
        }
        lie => Rims::aligned(lie, forces),
    }
}

/// The same with its point `low`, which touches alone, nearer to where the end goes down fastest as its points leave (m/s²).
fn rolled(
    evaluator: &Evaluator<'_>,
    end: &End<'_>,
    low: usize,
    leaving: ([f64; Rims::POINTS], f64),
) -> Option<(Lie, f64)> {
    match end.lie(evaluator) {
        Lie::Part { angle, about } => {
            let [x_wa, x_wb] = end.ends.poses(evaluator)?;
            end.part(evaluator, [&x_wa, &x_wb])?.rolled((angle, about), low, leaving)
        }
        lie => Rims::rolled(lie, low, leaving),
    }
}

/// How the points of the flat end that has to turn farthest do so from one answer to the next: where each turn is the same share of the one before it,
/// or goes back by that, two of them say where they lead (Aitken).
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// The end, by its first contact, with its last turn (rad), if that was as the forces say.
    last: Option<(usize, f64)>,
    /// The end whose next turn is so many times what the forces say.
    stretch: Option<(usize, f64)>,
}

/// Longest turn over what forces say.
const LONGEST: f64 = 20.0;

impl Turns {
    /// The next turn of an end over what the forces say.
    fn stretch_of(&self, end: usize) -> f64 {
        self.stretch.filter(|(stretched, _)| *stretched == end).map_or(1.0, |(_, stretch)| stretch)
    }

    /// Notes the farthest turn, that of an end (rad).
    fn note(&mut self, end: usize, turn: f64) {
        if self.stretch.take().is_some() {
            self.last = None;
            return;
        }
        let last = self.last.replace((end, turn)).filter(|(other, _)| *other == end);
        let share = last.map(|(_, last)| turn / last).filter(|share| *share < 1.0);
        self.stretch = share.map(|share| (end, (1.0 / (1.0 - share)).min(LONGEST)));
    }
}

/// A flat end whose points have turned on (rad).
fn turned_on(lie: Lie, turn: f64) -> Lie {
    match lie {
        Lie::Flat { angle } => Lie::Flat { angle: angle + turn },
        Lie::Part { angle, about } => Lie::Part { angle: angle + turn, about },
        Lie::Rolls { .. } | Lie::Across { .. } => lie,
    }
}

/// Turns the points of flat ends that are about to tip, by these forces (N, three a point) and the accelerations that they leave (m/s²), of which those
/// up to `least` are none: one of them to where the forces act, and one that bears all of them to where the end goes down. The rim is round. Returns the
/// angle by which the farthest has to turn (rad), none if none has.
pub(crate) fn align_ends(
    evaluator: &mut Evaluator<'_>,
    points: &[RigidPoint],
    (forces, accelerations, least): (&[f64], &[f64], f64),
    turns: &mut Turns,
    leaves: impl Fn(usize) -> bool,
) -> Option<f64> {
    let mut farthest: Option<(usize, f64)> = None;
    for point in points {
        let Some(end) = End::of(evaluator, point.contact).filter(|end| end.first == point.contact) else {
            continue;
        };
        let (mut normal, mut leaving) = ([0.0; Rims::POINTS], [0.0; Rims::POINTS]);
        let mut tips = false;
        let held = end.contacts().enumerate().all(|(k, contact)| {
            let place = points.iter().position(|point| point.contact == contact);
            place.is_some_and(|place| {
                (normal[k], leaving[k]) = (forces[3 * place], accelerations[3 * place]);
                tips |= leaves(place);
                true
            })
        });
        if !held || !tips {
            continue;
        }
        let mut bearing = (0..end.count).filter(|&k| normal[k] > 0.0);
        let alone = bearing.next().filter(|_| bearing.next().is_none());
        let turned = aligned(evaluator, &end, normal)
            .map(|(lie, turn)| (turned_on(lie, (turns.stretch_of(end.first) - 1.0) * turn), turn))
            .or_else(|| alone.and_then(|low| rolled(evaluator, &end, low, (leaving, least))));
        if let Some((lie, turn)) = turned {
            lay(evaluator, point.contact, lie);
            farthest = farthest.filter(|(_, other)| other.abs() > turn.abs()).or(Some((point.contact, turn)));
        }
    }
    let (end, turn) = farthest?;
    turns.note(end, turn);
    Some(turn.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An angle that forces bring nearer to where they act, by this share of the way too little or too far, in so many turns down to 1e-7 rad.
    fn count_turns(share: f64) -> usize {
        let (mut turns, mut off) = (Turns::default(), 0.3);
        (0..64)
            .find(|_| {
                let turn = (1.0 - share) * off;
                off -= turns.stretch_of(7) * turn;
                turns.note(7, turn);
                off.abs() < 1e-7
            })
            .expect("it gets there")
    }

    /// Turns that leave 0.86 of the way took a hundred; those that go back as far as they came, or farther, led nowhere.
    #[test]
    fn turns_lead_to_where_forces_act() {
        for share in [0.86, 0.5, -0.5, -1.0, -1.5] {
            let turns = count_turns(share);
            assert!(turns < 4, "{share}: {turns}");
        }
    }

    /// What one end has turned says nothing of another.
    #[test]
    fn turns_are_those_of_one_end() {
        let mut turns = Turns::default();
        turns.note(7, 0.2);
        turns.note(3, 0.1);
        assert_eq!((turns.stretch_of(3), turns.stretch_of(7)), (1.0, 1.0));
        turns.note(3, 0.05);
        assert_eq!((turns.stretch_of(3), turns.stretch_of(7)), (2.0, 1.0));
    }
}
