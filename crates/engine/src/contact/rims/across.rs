//! A cylinder that lies along a face and over its border: an end that is beyond that touches where the side crosses it
//! (`geometry/src/convex/rims/across.rs`).

use carom_geometry::convex::{Grounds, Lie};

use super::ends::Ends;
use super::{BESIDE, OVERLAPPING, forget_certificates};
use crate::contact::Evaluator;

/// Both ends of a solid, by the contact of the first point of each, and how they lie.
pub(super) type Laid = [(usize, Lie); 2];

/// How a solid lies along a face, where it is over the border of that, or was.
pub(super) fn lie_across(
    evaluator: &Evaluator<'_>,
    ends: &Ends<'_>,
    (grounds, face): (&Grounds, usize),
) -> Option<Laid> {
    ends.rims.side()?;
    let [x_wa, x_wb] = ends.surfaces.map(|s| &evaluator.surfaces[s]);
    let lies = [0, 1].map(|end| ends.lie(evaluator, end));
    let plane = x_wb.compose(grounds.pose(face));
    let laid = ends.rims.laid([x_wa, &plane], lies, (grounds, face), BESIDE * ends.rims.radius())?;
    let is_new = [0, 1].iter().any(|&end| laid[end] != lies[end]);
    is_new.then(|| [0, 1].map(|end| (ends.contacts_of(end).start, laid[end])))
}

/// The face over whose border a side leans where the nearest points touch, how its ends lie then, and the contact that touches: the end beyond does so
/// across the border, the other one is over the face, as yet, and comes down as it may.
pub(super) fn lean_across(
    evaluator: &Evaluator<'_>,
    nearest: usize,
    ends: &Ends<'_>,
    grounds: &Grounds,
) -> Option<(usize, Laid, usize)> {
    let radius = ends.rims.side()?;
    let [x_wa, x_wb] = ends.surfaces.map(|s| &evaluator.surfaces[s]);
    let touching = evaluator.motion_of(nearest).position;
    let rolls = Lie::from_code(0);
    let leaning = (0..grounds.count()).flat_map(|face| {
        let plane = x_wb.compose(grounds.pose(face));
        grounds.sides(face).enumerate().filter_map(move |(number, side)| {
            let point = ends.rims.contact_across(x_wa, &plane, &side)?;
            let is_there = point.gap.abs() < OVERLAPPING * radius
                && (point.point_b - touching).norm() < OVERLAPPING * radius;
            let end = usize::from(x_wa.z_axis().dot(&(plane.rotation * side.across)) > 0.0);
            let over = ends.rims.footprint(1 - end, x_wa, &plane, rolls).seen_in(&plane);
            let stands = || {
                ends.rims.room_across((end, number), [x_wa, &plane], rolls, (grounds, face)) > 0.0
                    && side.across.dot(&over.centre) < side.offset
            };
            let steep = -point.normal.dot(&plane.z_axis());
            (is_there && stands()).then_some((steep, face, end, number))
        })
    });
    // Of the two faces that meet there the one that it lies on sooner.
    let (_, face, end, side) = leaning.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let mut laid = [0, 1].map(|end| (ends.contacts_of(end).start, rolls));
    laid[end].1 = Lie::Across { low: 0, side };
    Some((face, laid, laid[end].0))
}

/// Notes how ends lie.
pub(super) fn note(evaluator: &mut Evaluator<'_>, laid: Laid) {
    for (first, lie) in laid {
        evaluator.contacts.memory[first].face = lie.code();
    }
}

/// An end that was to touch across a border beside the one that does, and does not, comes down as it may.
pub(super) fn forget_apart(evaluator: &mut Evaluator<'_>, of_end: usize) {
    let Some((ends, _)) = Ends::of(evaluator, of_end) else { return };
    let is_apart = |&end: &usize| {
        matches!(ends.lie(evaluator, end), Lie::Across { .. }) && !ends.touches(evaluator, end)
    };
    let apart = (0..ends.rims.count_ends()).find(is_apart).map(|end| ends.contacts_of(end).start);
    if let Some(first) = apart {
        evaluator.contacts.memory[first].face = 0;
    }
}

/// Lets a side that lies on a face touch from now on where it crosses the border: its end has come over that, or back, or over another one.
/// False where it does so nowhere.
pub(super) fn turn_across(evaluator: &mut Evaluator<'_>, contact: usize) -> bool {
    let Some((ends, _)) = Ends::of(evaluator, contact) else { return false };
    let Some((on, face)) = ends.on.zip(ends.face(evaluator)) else { return false };
    if ends.rims.count_ends() != 2 || ![0, 1].iter().all(|&end| ends.touches(evaluator, end)) {
        return false;
    }
    let Some(laid) = lie_across(evaluator, &ends, (on.grounds, face)) else { return false };
    let nearest = on.nearest;
    note(evaluator, laid);
    forget_certificates(evaluator, nearest);
    true
}

/// Does a point of an end begin to touch the plane beyond the border of the face on which the other end is? Then the side touches the border.
pub(super) fn comes_down_across(evaluator: &mut Evaluator<'_>, contact: usize) -> bool {
    let Some((ends, index)) = Ends::of(evaluator, contact) else { return false };
    let Some((on, face)) = ends.on.zip(ends.face(evaluator)) else { return false };
    let (end, point) = ends.rims.place(index);
    if ends.rims.count_ends() != 2 || ends.touches(evaluator, end) || !ends.touches(evaluator, 1 - end) {
        return false;
    }
    let Some(laid) = lie_across(evaluator, &ends, (on.grounds, face)) else { return false };
    if !matches!(laid[end].1, Lie::Across { low, .. } if low == point) {
        return false;
    }
    let nearest = on.nearest;
    note(evaluator, laid);
    forget_certificates(evaluator, nearest);
    true
}
