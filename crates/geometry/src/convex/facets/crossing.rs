use carom_math::{Pose, Vec3};

use super::polyhedron::Edge;
use crate::convex::lines::PassingLines;
use crate::narrowphase::segment::nearest_on_segments;

/// Sine of the angle by which a solid may rise over the plane that bears both edges. A contact that is held may do so twice as far.
pub(super) const RISE: f64 = 1e-9;

/// Two edges that cross, one of A and one of B, in B's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossing {
    /// Their lines, with the normal from A to B.
    pub(super) lines: PassingLines,
    /// How far inside both edges these places are (m).
    pub(super) room: f64,
    /// Sine of the angle by which a solid rises over the plane through its edge across the normal: where it does, others of its edges
    /// come before this one.
    pub(super) rise: f64,
}

/// Where two edges cross; none where they are parallel: the vertices at their ends touch in their place. `a` is placed in the frame of B.
pub(super) fn cross_edges(a: &Edge, place: &Pose, b: &Edge) -> Option<Crossing> {
    let along = place.rotation * a.along;
    let inward = a.inward.map(|u| place.rotation * u);
    let lines = PassingLines::of([place.transform_point(&a.middle), b.middle], [along, b.along])?;
    let lines = lines.against(&(inward[0] + inward[1]));
    let [s, t] = lines.places;
    let of_a = inward.iter().map(|u| u.dot(&lines.normal));
    let of_b = b.inward.iter().map(|u| -u.dot(&lines.normal));
    Some(Crossing {
        lines,
        room: (a.half_length - s.abs()).min(b.half_length - t.abs()),
        rise: of_a.chain(of_b).fold(f64::NEG_INFINITY, f64::max),
    })
}

/// Where two edges cross that stay apart by the radii about them: the normal goes from A's to B's wherever their solids are.
pub(super) fn cross_apart(a: &Edge, place: &Pose, b: &Edge) -> Option<Crossing> {
    let crossing = cross_edges(a, place, b)?;
    let lines = crossing.lines;
    let normal = if lines.gap() < 0.0 { -lines.normal } else { lines.normal };
    Some(Crossing { lines: PassingLines { normal, ..lines }, ..crossing })
}

/// Nearest points of two edges in B's frame.
pub(super) fn nearest_on_edges(a: &Edge, place: &Pose, b: &Edge) -> [Vec3; 2] {
    let (middle, along) = (place.transform_point(&a.middle), place.rotation * a.along);
    let (s, t) = nearest_on_segments(&(b.middle - middle), &along, a.half_length, &b.along, b.half_length);
    [middle + s * along, b.middle + t * b.along]
}
