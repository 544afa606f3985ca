//! A side or an edge that lies along a face and over its border: an end that is beyond that touches where the border is crossed
//! (`geometry/src/convex/rims/across.rs`).

use carom_geometry::convex::{Grounds, Lie};

use super::ends::Ends;
use super::{BESIDE, OVERLAPPING, forget_certificates, lay, lay_all};
use crate::contact::Evaluator;

/// Both ends of a side or edge, by the contact of the first point of each, and how they lie.
pub(super) type Laid = [(usize, Lie); 2];

/// How a side or an edge between two ends lies along a face, where it is over the border of that, or was.
pub(super) fn lie_across(
    evaluator: &Evaluator<'_>,
    ends: &Ends<'_>,
    line: [usize; 2],
    (grounds, face): (&Grounds, usize),
) -> Option<Laid> {
    let [x_wa, x_wb] = ends.surfaces.map(|s| &evaluator.surfaces[s]);
    let lies = line.map(|end| ends.lie(evaluator, end));
    let plane = x_wb.compose(grounds.pose(face));
    let laid = ends.rims.laid(line, [x_wa, &plane], lies, (grounds, face), BESIDE * ends.rims.radius())?;
    (laid != lies).then(|| [0, 1].map(|k| (ends.contacts_of(line[k]).start, laid[k])))
}

/// The face over whose border a side or an edge leans where the nearest points touch, how its ends lie then, and the contact that touches: the end
/// beyond does so across the border, the other one comes down as it may.
pub(super) fn lean_across(
    evaluator: &Evaluator<'_>,
    nearest: usize,
    ends: &Ends<'_>,
    grounds: &Grounds,
) -> Option<(usize, Laid, usize)> {
    let [x_wa, x_wb] = ends.surfaces.map(|s| &evaluator.surfaces[s]);
    let touching = evaluator.motion_of(nearest).position;
    let close = OVERLAPPING * ends.rims.radius();
    // The place of the nearest points is known to a share of the larger solid.
    let near = |face: usize| OVERLAPPING * ends.rims.radius().max(grounds.reach(face));
    // Of the two faces that meet there the one that it lies on sooner.
    let mut sooner: Option<(f64, usize, (usize, usize))> = None;
    for face in 0..grounds.count() {
        let plane = x_wb.compose(grounds.pose(face));
        for (place, point) in ends.rims.leaning([x_wa, &plane], (grounds, face)) {
            let is_there = point.gap.abs() < close && (point.point_b - touching).norm() < near(face);
            let steep = -point.normal.dot(&plane.z_axis());
            if is_there && sooner.is_none_or(|(other, ..)| steep > other) {
                sooner = Some((steep, face, place));
            }
        }
    }
    let (_, face, (end, number)) = sooner?;
    let partner = ends.rims.partner(end, number);
    let rolls = Lie::apart();
    let plane = x_wb.compose(grounds.pose(face));
    let foot = ends.rims.footprint(partner, x_wa, &plane, rolls).seen_in(x_wb);
    // An edge that passes over a round face touches it where it crosses the border again, far from its end.
    let passes = grounds.circle(face).is_some() && grounds.room(face, &foot) < 0.0;
    let far = if passes { Lie::Across { low: 0, number: end } } else { rolls };
    let [near, other] = [end, partner].map(|end| ends.contacts_of(end).start);
    Some((face, [(near, Lie::Across { low: 0, number }), (other, far)], near))
}

/// The end of a side that was to touch across a straight border beside the one that does, and does not, comes down as it may.
pub(super) fn forget_apart(evaluator: &mut Evaluator<'_>, of_end: usize) {
    let Some((ends, _)) = Ends::of(evaluator, of_end).filter(|(ends, _)| !ends.is_on_round_face(evaluator))
    else {
        return;
    };
    let is_apart = |&end: &usize| {
        matches!(ends.lie(evaluator, end), Lie::Across { .. }) && !ends.touches(evaluator, end)
    };
    let apart = (0..ends.rims.count_ends()).find(is_apart).map(|end| ends.contacts_of(end).start);
    if let Some(first) = apart {
        lay(evaluator, first, Lie::apart());
    }
}

/// Lets a side or an edge that lies on a face touch from now on where it crosses the border: its end has come over that, or back, or over another one.
/// False where it does so nowhere.
pub(super) fn turn_across(evaluator: &mut Evaluator<'_>, contact: usize) -> bool {
    let Some((ends, _)) = Ends::of(evaluator, contact) else { return false };
    let Some((on, face)) = ends.on.zip(ends.face(evaluator)) else { return false };
    let Some(line) = ends.touching_line(evaluator) else { return false };
    let Some(laid) = lie_across(evaluator, &ends, line, (on.grounds, face)) else { return false };
    let nearest = on.nearest;
    lay_all(evaluator, &laid);
    forget_certificates(evaluator, nearest);
    true
}

/// Does a point of an end begin to touch the plane beyond the border of the face on which the other end is? Then the side, or edge, touches the border;
/// or where it was to cross that, and its end has come within: then the end touches.
pub(super) fn comes_down_across(evaluator: &mut Evaluator<'_>, contact: usize) -> bool {
    let Some((ends, index)) = Ends::of(evaluator, contact) else { return false };
    let Some((on, face)) = ends.on.zip(ends.face(evaluator)) else { return false };
    let (end, point) = ends.rims.place(index);
    if ends.touches(evaluator, end) {
        return false;
    }
    let comes = |other: &usize| *other == end || ends.touches(evaluator, *other);
    let Some(line) = ends.line_of((0..ends.rims.count_ends()).filter(comes)) else { return false };
    let Some(laid) = lie_across(evaluator, &ends, line, (on.grounds, face)) else { return false };
    let (first, lies) = (contact - point, ends.lie(evaluator, end));
    let is_this = |lie: Lie| matches!(lie, Lie::Across { low, .. } | Lie::Rolls { low, .. } if low == point);
    if !laid.iter().any(|&(of, lie)| of == first && lie != lies && is_this(lie)) {
        return false;
    }
    let nearest = on.nearest;
    lay_all(evaluator, &laid);
    forget_certificates(evaluator, nearest);
    true
}
