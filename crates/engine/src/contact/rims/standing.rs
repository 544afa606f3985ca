//! Solids that come to stand on a face of each other, where they begin to touch at their nearest points or have got there since.

use carom_geometry::convex::{Bound, Footprint, Grounds, Lie};

use super::across::{lean_across, lie_across};
use super::ends::{Ends, Faces, is_mutual};
use super::flat::stand_beyond;
use super::{ALONG, BESIDE, OVERLAPPING, forget_certificates, lay_all, spin_of};
use crate::contact::Evaluator;
use crate::contact::commit::{close, open};
use crate::record::{ContactMode, Event};

/// How one of two solids stands on a face of the other.
pub(super) struct Standing {
    /// The contacts of which the lowest is the one that touches.
    pub(super) contacts: Vec<usize>,
    /// What is kept with the nearest points of the face.
    pub(super) code: usize,
    /// How ends lie, by the contact of the first point of each, where a side, an edge or what is flat is over the border.
    pub(super) laid: Vec<(usize, Lie)>,
}

/// Lets one of two solids stand on the face of the other over which their nearest points begin to touch. Returns the contact of the point of its
/// ends that touches in their place.
pub(super) fn stand(evaluator: &mut Evaluator<'_>, nearest: usize) -> Option<usize> {
    let standing = find_standing(evaluator, nearest)?;
    take_up(evaluator, nearest, &standing);
    let gap = |contact: &usize| evaluator.motion_of(*contact).gap;
    standing.contacts.into_iter().min_by(|a, b| gap(a).total_cmp(&gap(b)))
}

/// Notes how one of two solids stands on the other from now on.
pub(super) fn take_up(evaluator: &mut Evaluator<'_>, nearest: usize, standing: &Standing) {
    evaluator.contacts.memory[nearest].face = standing.code as u32;
    lay_all(evaluator, &standing.laid);
    forget_certificates(evaluator, nearest);
}

/// The face on which one of two solids stands whose nearest points touch: to all that touches lies within it, that is the border of a half-space; or
/// its side or an edge leans over the border.
fn find_standing(evaluator: &Evaluator<'_>, nearest: usize) -> Option<Standing> {
    let beside = || Ends::beside(evaluator, nearest);
    // What is flat on a face of either bears it where the other one's edge would, as yet, too.
    let standing = |ends: &Ends<'_>, on: &Faces<'_>, (face, laid): (usize, Vec<(usize, Lie)>)| Standing {
        contacts: ends.contacts().collect(),
        code: on.code(face),
        laid,
    };
    let on_face =
        beside().find_map(|(ends, on)| Some(standing(&ends, &on, find_face(evaluator, &ends, on)?)));
    on_face.or_else(|| {
        beside().find_map(|(ends, on)| {
            if let Some(line) = find_line(evaluator, &ends, on.grounds) {
                return Some(standing(&ends, &on, line));
            }
            tip_beyond(evaluator, &ends, on).or_else(|| {
                let (face, laid, touching) = lean_across(evaluator, nearest, &ends, on.grounds)?;
                Some(Standing { contacts: vec![touching], code: on.code(face), laid: laid.into() })
            })
        })
    })
}

/// The face behind whose plane nothing of a solid is, and within which all that touches it lies, but for what is flat beyond the border; with how such
/// ends lie.
fn find_face(
    evaluator: &Evaluator<'_>,
    ends: &Ends<'_>,
    Faces { grounds, nearest, .. }: Faces<'_>,
) -> Option<(usize, Vec<(usize, Lie)>)> {
    let [x_wa, x_wb] = ends.surfaces.map(|s| &evaluator.surfaces[s]);
    let beside = BESIDE * ends.rims.radius();
    (0..grounds.count()).find_map(|face| {
        let plane = x_wb.compose(grounds.pose(face));
        let lowest = ends.rims.lowest(x_wa, &plane);
        if lowest.height <= -OVERLAPPING * ends.rims.radius() {
            return None;
        }
        let is_within = |low: Footprint| grounds.room(face, &low.seen_in(x_wb)) > -0.5 * beside;
        if lowest.footprints().all(is_within) {
            return Some((face, Vec::new()));
        }
        if lowest.is_flat && is_mutual(evaluator, nearest) {
            let first = ends.contacts_of(lowest.end).start;
            let part = ends.rims.part(lowest.end, [x_wa, &plane], (grounds, face));
            if let Some(lie) = part.landed(&spin_of(evaluator, first)) {
                return Some((face, vec![(first, lie)]));
            }
            if part.deepest().is_some_and(|(bound, _)| bound == Bound::Rim) {
                return Some((face, Vec::new()));
            }
        }
        None
    })
}

/// The face on which a solid lies with a side or an edge that crosses the border, and how that lies.
fn find_line(
    evaluator: &Evaluator<'_>,
    ends: &Ends<'_>,
    grounds: &Grounds,
) -> Option<(usize, Vec<(usize, Lie)>)> {
    let [x_wa, x_wb] = ends.surfaces.map(|s| &evaluator.surfaces[s]);
    let low = OVERLAPPING * ends.rims.radius();
    (0..grounds.count()).find_map(|face| {
        let plane = x_wb.compose(grounds.pose(face));
        if ends.rims.lowest(x_wa, &plane).height <= -low {
            return None;
        }
        let heights = ends.rims.heights(x_wa, &plane).enumerate();
        let line = ends.line_of(heights.filter(|(_, height)| *height < low).map(|(end, _)| end))?;
        lie_across(evaluator, ends, line, (grounds, face)).map(|laid| (face, laid.into()))
    })
}

/// How the other one of two solids stands on an end that is hardly tilted against its face, where what of that is lowest over the face is on the border.
fn tip_beyond(evaluator: &Evaluator<'_>, ends: &Ends<'_>, on: Faces<'_>) -> Option<Standing> {
    let Faces { grounds, nearest, .. } = on;
    if !is_mutual(evaluator, nearest) {
        return None;
    }
    let [x_wa, x_wb] = ends.surfaces.map(|s| &evaluator.surfaces[s]);
    (0..grounds.count()).find_map(|face| {
        let plane = x_wb.compose(grounds.pose(face));
        if plane.z_axis().cross(&x_wa.z_axis()).norm() > ALONG {
            return None;
        }
        let lowest = ends.rims.lowest(x_wa, &plane);
        let part = ends.rims.part(lowest.end, [x_wa, &plane], (grounds, face));
        let (bound, place) = part.deepest()?;
        let touches = plane.inverse_transform_point(&place).z.abs() < OVERLAPPING * ends.rims.radius();
        if touches { stand_beyond(evaluator, ends, (lowest.end, face), (bound, &place)) } else { None }
    })
}

/// Lets solids stand, as they do when they begin to touch, of which only the nearest points touch as yet: they have slid, rolled or tipped there.
/// Returns the nearest points that give way, of the last of them.
pub(crate) fn settle_down(
    evaluator: &mut Evaluator<'_>,
    (time, y): (f64, &[f64]),
    log: &mut Vec<Event>,
) -> Option<usize> {
    let may_stand = |evaluator: &Evaluator<'_>, contact: usize| {
        evaluator.contacts.memory[contact].mode == ContactMode::Closed
            && Ends::beside(evaluator, contact).next().is_some()
    };
    if !evaluator.contacts.active.iter().any(|&contact| may_stand(evaluator, contact)) {
        return None;
    }
    evaluator.update(time, y);
    let mut last = None;
    for slot in 0..evaluator.contacts.active.len() {
        let nearest = evaluator.contacts.active[slot];
        if may_stand(evaluator, nearest) && find_standing(evaluator, nearest).is_some() {
            let point = evaluator.motion_of(nearest);
            open(evaluator, nearest, time, &point, log);
            close(evaluator, nearest, time, &point, log);
            last = Some(nearest);
        }
    }
    last
}
