//! Depth of overlapping cores, by an expanding polytope.

mod polytope;
mod start;

use carom_math::Vec3;

use super::difference::{Difference, Pair};

use polytope::{Addition, Polytope};
use start::{find_tetrahedron, usable_start};

pub(super) use polytope::Buffers;

/// What rounding leaves of a support distance, relative to the largest coordinate.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Cosine of the angle (11°) within which directions are not among the rivals of a face of a polytope: what is
/// within it is proven otherwise.
pub(super) const APART: f64 = 0.98;

/// The same (6°) for curved cores, where it is taken for granted that one minimum of the depth has no second one so
/// near.
const APART_CURVED: f64 = 0.995;

/// Answer of the depth search.
pub(in crate::convex) enum Depth {
    /// The nearest face.
    Face(Deepest),
    /// Nothing is less deep than what is known.
    Proven,
    /// The polytope reached its limit: the best plane met, and by how much (m) its depth may be too large. Solids of revolution with a common axis have the same depth all around.
    Unsure(Deepest, f64),
}

/// The face of C nearest to the origin: a plane n·w = depth that supports C, and points that carry the
/// nearest point.
#[derive(Clone, Copy, Debug)]
pub(in crate::convex) struct Deepest {
    /// Unit normal from A to B, in A's frame.
    pub(in crate::convex) normal: Vec3,
    /// Depth (m), ≥ 0 to rounding for overlapping cores.
    pub(in crate::convex) depth: f64,
    /// Corners of the face and a vertex far below it: a start for the next search.
    pub(in crate::convex) pairs: [Pair; 4],
    /// Weights of the corners.
    pub(in crate::convex) weights: [f64; 3],
}

/// The plane of a face, moved out to the support of C along its normal.
#[derive(Clone, Copy)]
struct Plane {
    face: usize,
    /// Distance of the support (m).
    depth: f64,
}

/// A direction whose surroundings are known.
#[derive(Clone, Copy, Debug)]
pub(in crate::convex) struct Known {
    /// Unit vector in A's frame.
    pub(in crate::convex) normal: Vec3,
    /// No direction near it has less depth than this (m).
    pub(in crate::convex) depth: f64,
}

/// Search for the minimum translation of two overlapping cores: a polytope within C, expanded at the face with the least
/// signed distance from the origin.
///
/// The least distance over the faces is a lower bound of the depth and the support along a face's normal an upper bound,
/// so that the answer is global. Distances carry signs: the polytope need not hold the origin, and touching cores are
/// no special case.
///
/// Tilts of a few roundings make coplanar faces of C into many that are nearly so, and thin ones between nearly parallel
/// edges, whose computed normal rounding turns about their length. Their distance is still right, by
/// [`unit_normal`](super::triangle::unit_normal); but the support along such a normal may be a point that the polytope
/// holds already, which says that the face is not to be refined. It is then spent, and its support an upper bound. Each
/// step adds a vertex or spends a face, so that polytopes, of finitely many vertices, come to an end.
///
/// After van den Bergen, "Proximity queries and penetration depth computation on 3D game objects" (2001), with
/// signed distances in place of an initial polytope around the origin.
pub(in crate::convex) struct Expansion<'a> {
    difference: &'a Difference<'a>,
    polytope: Polytope<'a>,
    /// Cosine of the angle within which directions are not rivals.
    apart: f64,
    /// The plane with the least depth met.
    best: Option<Plane>,
    /// The same of the planes of spent faces.
    spent: Option<Plane>,
}

impl<'a> Expansion<'a> {
    /// From four points of C of an earlier answer, or fewer. C without volume (two segments, say) has depth 0; the error
    /// is the unit normal of its plane, or of the separation of two lines, toward B.
    pub(in crate::convex) fn start(
        difference: &'a Difference<'a>,
        start: &[Pair],
        buffers: &'a mut Buffers,
    ) -> Result<Self, Vec3> {
        let corners = match usable_start(start) {
            Some(corners) => corners,
            None => find_tetrahedron(difference)?,
        };
        let polytope = Polytope::new(difference.x_ab.translation.amax(), corners, buffers);
        let apart = if difference.is_curved() { APART_CURVED } else { APART };
        Ok(Self { difference, polytope, apart, best: None, spent: None })
    }

    /// Expands until a support of C confirms the nearest face to `tolerance` times the distance (0: to rounding, which
    /// polytopes reach in finitely many steps), or no face far from the known directions is nearer than `ceiling` (m). What
    /// was known in an earlier call is so still.
    pub(in crate::convex) fn find(&mut self, tolerance: f64, known: &[Known], ceiling: f64) -> Depth {
        let mut seen = 0;
        loop {
            self.polytope.close_known(seen, known, self.apart);
            seen = self.polytope.buffers.faces.len();
            let nearest = self.polytope.find_nearest();
            let least =
                nearest.map_or(f64::INFINITY, |nearest| self.polytope.buffers.faces[nearest].distance);
            if let Some(spent) = self.spent.filter(|spent| spent.depth <= least.min(ceiling)) {
                self.spent = None;
                return Depth::Face(self.finish(spent));
            }
            // A face is left or one is spent, unless coordinates are not finite.
            let Some(index) = nearest.filter(|_| least < ceiling) else { return Depth::Proven };
            let face = self.polytope.buffers.faces[index];
            let first = &self.polytope.buffers.vertices[face.corners[0] as usize];
            let new = self.difference.support(&face.normal, first);
            self.polytope.scale = self.polytope.scale.max(new.w.amax());
            let depth = face.normal.dot(&new.w);
            let allowed = ROUNDING * self.polytope.scale + tolerance * face.distance.abs();
            if depth - face.distance <= allowed {
                return Depth::Face(Deepest { depth, ..self.polytope.finish(index) });
            }
            let here = Plane { face: index, depth };
            let is_less = |than: &Option<Plane>| than.is_none_or(|than| depth < than.depth);
            if is_less(&self.best) {
                self.best = Some(here);
            }
            match self.polytope.add(index, new) {
                Addition::Added => {}
                Addition::Inside if is_less(&self.spent) => self.spent = Some(here),
                Addition::Inside => {}
                Addition::Full => {
                    // What is best of all may be known.
                    let best = self.best.filter(|_| known.is_empty()).unwrap_or(here);
                    return Depth::Unsure(self.finish(best), best.depth - face.distance);
                }
            }
        }
    }

    fn finish(&self, plane: Plane) -> Deepest {
        Deepest { depth: plane.depth, ..self.polytope.corners_of(plane.face, plane.face) }
    }

    /// Least depth (m) that a direction far from `normal` may have: the cosine of the angle is below [`APART`], or
    /// [`APART_CURVED`].
    pub(in crate::convex) fn find_rival(&self, normal: &Vec3, known: &[Known]) -> f64 {
        let others = known.iter().filter(|other| normal.dot(&other.normal) < self.apart);
        others.map(|other| other.depth).fold(self.polytope.find_rival(normal, known, self.apart), f64::min)
    }
}
