use carom_math::{Pose, Vec3};

use super::polyhedron::Polyhedron;
use crate::ContactPoint;
use crate::kept_speed::{ground_of, kept_speed};

/// How far an edge may lead into a solid whose face its vertex touches: the sine of 30°.
const INTO: f64 = -0.5;

/// Least spokes that are the same: a solid that lies flush on a face, to the margin, is beside none of its others.
const ALIKE: f64 = 1e-6;

/// How far an edge of a vertex may lead behind a face that it presses on: the sine.
const TILT: f64 = 1e-3;

/// By how much of its speed what an edge carries has to come slower than its vertex to a face.
const SLOWER: f64 = 1e-6;

/// What is known of a vertex that begins to touch beside its motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arriving {
    /// The piece that it keeps, if it is among those that it may be on.
    pub piece: Option<usize>,
    /// The normal along which something else pushes it there (world axes; in `met_face` those of the other).
    pub ground: Option<Vec3>,
}

/// A vertex over the piece of another solid that it can touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Over {
    /// Of a sharp solid it is a face.
    pub(super) piece: usize,
    /// Height over a face's plane, or distance from an edge or vertex, less both radii (m).
    pub(super) gap: f64,
    /// Unit vector from the piece to the vertex.
    pub(super) outward: Vec3,
    /// The vertex in the other's frame.
    pub(super) point: Vec3,
}

impl Over {
    /// As a contact, for the vertex as A: its solid is rounded by `rounding` (m), the other one has the pose `x`.
    pub(super) fn contact(&self, x: &Pose, rounding: f64) -> ContactPoint {
        let normal = -(x.rotation * self.outward);
        let point_a = x.transform_point(&self.point) + rounding * normal;
        ContactPoint { gap: self.gap, normal, point_a, point_b: point_a + self.gap * normal }
    }
}

/// The vertex of `own`, placed in the frame of `other`, over a face: the one stated, or the highest plane under it. Planes through the
/// vertex, to the `margin`, behind which its solid goes on do not count: an upright corner on the border of a plate stands on
/// it, and is not beside it, also where it has come beside it by less than the margin, and one that is below the plate there is in it. Of several
/// such planes those count that the corner can press on: where an edge has slid along a face to its end, the corner there meets another face of
/// the other in passing, whose normal is none that it can press with. If it can on none, those count that its solid keeps farthest from.
pub(super) fn over_face(
    own: &Polyhedron,
    vertex: usize,
    other: &Polyhedron,
    place: &Pose,
    margin: f64,
    stated: Option<usize>,
) -> Over {
    let point = place.transform_point(&own.vertices[vertex]);
    let face = stated.unwrap_or_else(|| {
        let counted = counted_faces(own, vertex, other, place, margin);
        highest(other, &point, counted)
    });
    let plane = &other.faces[face];
    Over { piece: face, gap: plane.height(&point), outward: plane.normal, point }
}

/// The face that a vertex meets which begins to touch, and moves at a velocity in the frame of `other`: of those that [`over_face`] counts, and that are as high as the
/// highest but for `rounding` (m), the one along which it goes on fastest. Where a corner slides from one solid onto a flush one, both that one's face and its
/// side are there, and which is higher is chance; it goes on along the face. So it does over a ridge onto a slope, where it is the ridge that its solid lies on.
pub(super) fn met_face(
    own: &Polyhedron,
    vertex: usize,
    other: &Polyhedron,
    (place, velocity, arriving): (&Pose, &Vec3, &Arriving),
    (margin, rounding): (f64, f64),
) -> usize {
    let point = place.transform_point(&own.vertices[vertex]);
    let mut counted: Vec<usize> = counted_faces(own, vertex, other, place, margin).collect();
    let near = (0..other.faces.len()).filter(|&face| other.faces[face].height(&point).abs() <= margin);
    let carried = is_carried(own, vertex, (other, near.clone()), (place, velocity), margin);
    if carried {
        counted = near.collect();
    }
    let top = highest(other, &point, counted.iter().copied());
    // On what it lies it lies, though it is a little before the end of that.
    let highest = other.faces[top].height(&point);
    let least = if highest <= margin { highest.min(0.0) } else { highest } - rounding;
    let is_high = |face: &usize| other.faces[*face].height(&point) >= least;
    // What it leaves it does not meet, where it comes to another one.
    let comes_by = |face: &usize| -other.faces[*face].normal.dot(velocity) / velocity.norm();
    let comes = !carried && counted.iter().any(|face| is_high(face) && comes_by(face) > TILT);
    let as_high = counted.into_iter().filter(|face| is_high(face) && !(comes && comes_by(face) < -TILT));
    if let Some(stated) = arriving.piece.filter(|&stated| as_high.clone().any(|face| face == stated)) {
        return stated;
    }
    // Along the edge between two it goes on whichever it meets.
    let mut normals = as_high.clone().map(|face| other.faces[face].normal);
    let between =
        normals.next().zip(normals.next()).and_then(|(one, two)| one.cross(&two).try_normalize(ALIKE));
    let across = between.map_or(*velocity, |edge| velocity - edge * edge.dot(velocity));
    let inside: Vec3 = own.spokes[vertex].iter().map(|spoke| place.rotation * spoke).sum();
    let (across, ground) = match arriving.ground {
        Some(ground) => (across - ground * ground.dot(&across).min(0.0), ground),
        None => (across, ground_of(&across, &inside)),
    };
    let kept = |face: usize| kept_speed(&other.faces[face].normal, &across, &ground);
    let faster = |best: usize, face: usize| if kept(face) > kept(best) { face } else { best };
    as_high.reduce(faster).unwrap_or(top)
}

/// Does a solid lie with a face at its vertex on an edge where `near` faces of the other meet, and on none of them: is the inward normal of that
/// face between those of two of them? Of what both can push along the normal counts along which they come slowest, at a velocity in the frame of
/// `other`: a ridge carries a box that slides over it; the tip of a wedge that lies on the same floor does not hold the front of a box whose corner can go up the wedge.
fn is_carried(
    own: &Polyhedron,
    vertex: usize,
    (other, near): (&Polyhedron, impl Iterator<Item = usize> + Clone),
    (place, velocity): (&Pose, &Vec3),
    margin: f64,
) -> bool {
    let normals = || near.clone().map(|face| other.faces[face].normal);
    let is_between = |inward: &Vec3| {
        let mut pairs =
            normals().enumerate().flat_map(|(k, one)| normals().skip(k + 1).map(move |two| (one, two)));
        pairs.any(|(one, two)| {
            let axis = one.cross(&two);
            let is_beside = inward.dot(&axis).abs() > TILT * axis.norm();
            let least = TILT * axis.norm();
            !is_beside && one.cross(inward).dot(&axis) > least && inward.cross(&two).dot(&axis) > least
        })
    };
    let at_vertex = own.faces.iter().filter(|face| face.height(&own.vertices[vertex]).abs() <= margin);
    let inward = at_vertex.map(|face| -(place.rotation * face.normal)).filter(is_between);
    let is_pushed = |face: &usize| least_spoke(own, vertex, other, place, *face) >= -TILT;
    let pushed = near.clone().filter(is_pushed).map(|face| other.faces[face].normal);
    leaves_fastest(inward, velocity) > leaves_fastest(pushed, velocity) + SLOWER * velocity.norm()
}

/// The fastest speed along some normals (m/s).
fn leaves_fastest(normals: impl Iterator<Item = Vec3>, velocity: &Vec3) -> f64 {
    normals.map(|normal| normal.dot(velocity)).fold(f64::NEG_INFINITY, f64::max)
}

fn highest(other: &Polyhedron, point: &Vec3, faces: impl Iterator<Item = usize>) -> usize {
    let first_highest = |a: (usize, f64), b: (usize, f64)| if b.1 > a.1 { b } else { a };
    faces
        .map(|face| (face, other.faces[face].height(point)))
        .reduce(first_highest)
        .map_or(0, |(face, _)| face)
}

/// The faces that may be the one under a vertex.
fn counted_faces<'a>(
    own: &'a Polyhedron,
    vertex: usize,
    other: &'a Polyhedron,
    place: &'a Pose,
    margin: f64,
) -> impl Iterator<Item = usize> + use<'a> {
    let point = place.transform_point(&own.vertices[vertex]);
    let height = move |face: usize| other.faces[face].height(&point);
    let all = 0..other.faces.len();
    let is_apart = all.clone().any(|face| height(face) > margin);
    let is_near = move |face: usize| height(face).abs() <= margin;
    let goes_on_behind = move |face: usize| {
        let normal = place.rotation.tr_mul(&other.faces[face].normal);
        let along = || own.spokes[vertex].iter().map(|spoke| spoke.dot(&normal));
        along().sum::<f64>() < 0.0 && along().any(|spoke| spoke < INTO)
    };
    let spoke = move |face: usize| least_spoke(own, vertex, other, place, face);
    let near = || all.clone().filter(move |&face| !is_apart && is_near(face));
    let farthest = if near().nth(1).is_some() {
        near().map(spoke).fold(f64::NEG_INFINITY, f64::max)
    } else {
        f64::NEG_INFINITY
    };
    let counts = move |face: usize| {
        is_apart || !is_near(face) || !goes_on_behind(face) && can_press(spoke(face), farthest)
    };
    let is_any = all.clone().any(counts);
    all.filter(move |&face| !is_any || counts(face))
}

/// Can the corner of a solid that keeps so far from the plane of a face press on that? If not on any, it could first on the one that it keeps `farthest` from.
fn can_press(spoke: f64, farthest: f64) -> bool {
    spoke >= farthest.min(0.0) - ALIKE
}

/// How far the solid of a vertex keeps from the plane of a face, if it lies on that: the least sine of its edges against it.
fn least_spoke(own: &Polyhedron, vertex: usize, other: &Polyhedron, place: &Pose, face: usize) -> f64 {
    let normal = place.rotation.tr_mul(&other.faces[face].normal);
    own.spokes[vertex].iter().map(|spoke| spoke.dot(&normal)).fold(f64::INFINITY, f64::min)
}

/// Height over the highest plane of a vertex that moves at a velocity in the frame of `other`, if it passes an edge or corner of that, to the
/// `margin`: if it rises, faster than what is `still` (m/s), from the face there that it could press on, or, where there is none, from any. It comes out from behind that face, as the end of
/// an edge does that has slid over the corner. Where it is the edge there that carries its solid, as the ridge before a slope, it passes if it rises from any, too.
pub(super) fn passing_height(
    own: &Polyhedron,
    vertex: usize,
    other: &Polyhedron,
    (place, velocity): (&Pose, &Vec3),
    (margin, still): (f64, f64),
) -> Option<f64> {
    let point = place.transform_point(&own.vertices[vertex]);
    let height = |face: usize| other.faces[face].height(&point);
    let is_near = |face: &usize| height(*face).abs() <= margin;
    let near = || (0..other.faces.len()).filter(is_near);
    near().nth(1)?;
    let spoke = |face: usize| least_spoke(own, vertex, other, place, face);
    let farthest = near().map(spoke).fold(f64::NEG_INFINITY, f64::max);
    let rises = |face: usize| other.faces[face].normal.dot(velocity) > still;
    let is_passing =
        if farthest < -TILT || is_carried(own, vertex, (other, near()), (place, velocity), margin) {
            near().any(rises)
        } else {
            near().filter(|&face| can_press(spoke(face), farthest)).all(rises)
        };
    is_passing.then(|| near().map(height).fold(f64::NEG_INFINITY, f64::max))
}

/// How far inside a face a point over it is (m), negative beside it.
pub(super) fn room_on_face(other: &Polyhedron, face: usize, point: &Vec3) -> f64 {
    let others = other.faces.iter().enumerate().filter(|(index, _)| *index != face);
    -others.map(|(_, other)| other.height(point)).fold(f64::NEG_INFINITY, f64::max)
}
