use carom_math::{Pose, Vec3};

use super::polyhedron::Edge;
use crate::narrowphase::segment::nearest_on_segments;

/// Sine of the angle below which two edges are parallel: the vertices at their ends touch in their place.
const PARALLEL: f64 = 1e-7;
/// Sine of the angle by which a solid may rise over the plane that bears both edges. A contact that is held may do so twice as far.
pub(super) const RISE: f64 = 1e-9;

/// Two edges that cross, one of A and one of B, in B's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crossing {
    /// Unit normal to both, from A to B.
    pub(super) normal: Vec3,
    /// Where the normal to both meets them.
    pub(super) points: [Vec3; 2],
    /// How far inside both edges these places are (m).
    pub(super) room: f64,
    /// Sine of the angle by which a solid rises over the plane through its edge across the normal: where it does, others of its edges
    /// come before this one.
    pub(super) rise: f64,
    /// Sine of the angle between the edges.
    pub(super) sine: f64,
}

impl Crossing {
    /// Signed distance along the normal (m).
    pub(super) fn gap(&self) -> f64 {
        self.normal.dot(&(self.points[1] - self.points[0]))
    }
}

/// Where two edges cross; none where they are parallel. `a` is placed in the frame of B.
pub(super) fn cross_edges(a: &Edge, place: &Pose, b: &Edge) -> Option<Crossing> {
    let along = place.rotation * a.along;
    let across = along.cross(&b.along);
    let sine = across.norm();
    if sine < PARALLEL {
        return None;
    }
    let inward = a.inward.map(|u| place.rotation * u);
    let out_of_a = -(inward[0] + inward[1]);
    let normal = if across.dot(&out_of_a) < 0.0 { -across / sine } else { across / sine };
    let middle = place.transform_point(&a.middle);
    let offset = b.middle - middle;
    let (s, t) = (
        offset.dot(&b.along.cross(&across)) / (sine * sine),
        offset.dot(&along.cross(&across)) / (sine * sine),
    );
    let of_a = inward.iter().map(|u| u.dot(&normal));
    let of_b = b.inward.iter().map(|u| -u.dot(&normal));
    Some(Crossing {
        normal,
        points: [middle + s * along, b.middle + t * b.along],
        room: (a.half_length - s.abs()).min(b.half_length - t.abs()),
        rise: of_a.chain(of_b).fold(f64::NEG_INFINITY, f64::max),
        sine,
    })
}

/// Where two edges cross that stay apart by the radii about them: the normal goes from A's to B's wherever their solids are.
pub(super) fn cross_apart(a: &Edge, place: &Pose, b: &Edge) -> Option<Crossing> {
    let crossing = cross_edges(a, place, b)?;
    let normal = if crossing.gap() < 0.0 { -crossing.normal } else { crossing.normal };
    Some(Crossing { normal, ..crossing })
}

/// Nearest points of two edges in B's frame.
pub(super) fn nearest_on_edges(a: &Edge, place: &Pose, b: &Edge) -> [Vec3; 2] {
    let (middle, along) = (place.transform_point(&a.middle), place.rotation * a.along);
    let (s, t) = nearest_on_segments(&(b.middle - middle), &along, a.half_length, &b.along, b.half_length);
    [middle + s * along, b.middle + t * b.along]
}
