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
    /// C has no volume: the unit normal of its plane, or of the separation of two lines, toward B; depth 0.
    Flat(Vec3),
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
    /// No direction farther from the normal than [`APART`], or [`APART_CURVED`], has less depth than this (m).
    pub(in crate::convex) rival: f64,
}

/// Minimum translation of two overlapping cores: expands a polytope within C at the face with the least signed
/// distance from the origin, until a support of C confirms that face to `tolerance` times the distance (0: to
/// rounding, which polytopes reach in finitely many steps).
///
/// The least distance over the faces is a lower bound of the depth and the support an upper bound, so that
/// the answer is global. Distances carry signs: the polytope need not hold the origin, and touching cores are
/// no special case. C without volume (two segments, say) gives its plane's normal and depth 0.
///
/// `start` are four points of C from an earlier answer, or fewer.
///
/// Tilts of a few roundings make coplanar faces of C into many that are nearly so, and thin ones between nearly parallel
/// edges, whose computed normal rounding turns about their length. Their distance is still right, by
/// [`unit_normal`](super::triangle::unit_normal); but the support along such a normal may be a point that the polytope
/// holds already, which says that the face is not to be refined. It is then spent, and its support an upper bound. Each
/// step adds a vertex or spends a face, so that polytopes, of finitely many vertices, come to an end.
///
/// After van den Bergen, "Proximity queries and penetration depth computation on 3D game objects" (2001), with
/// signed distances in place of an initial polytope around the origin.
pub(in crate::convex) fn find_depth(
    difference: &Difference<'_>,
    start: &[Pair],
    tolerance: f64,
    buffers: &mut Buffers,
) -> Depth {
    let corners = match usable_start(start) {
        Some(corners) => corners,
        None => match find_tetrahedron(difference) {
            Ok(corners) => corners,
            Err(normal) => return Depth::Flat(normal),
        },
    };
    let mut polytope = Polytope::new(difference.x_ab.translation.amax(), corners, buffers);
    let apart = if difference.is_curved() { APART_CURVED } else { APART };
    let mut best: Option<Deepest> = None;
    // The least depth over planes of spent faces.
    let mut spent: Option<Deepest> = None;
    loop {
        let nearest = polytope.find_nearest();
        let least = nearest.map_or(f64::INFINITY, |nearest| polytope.buffers.faces[nearest].distance);
        if let Some(spent) = spent.filter(|spent| spent.depth <= least) {
            return Depth::Face(Deepest { rival: polytope.find_rival(&spent.normal, apart), ..spent });
        }
        // A face is left or one is spent, unless coordinates are not finite.
        let Some(index) = nearest else {
            return Depth::Unsure(best.unwrap_or_else(|| polytope.corners_of(0, 0)), f64::INFINITY);
        };
        let face = polytope.buffers.faces[index];
        let first = &polytope.buffers.vertices[face.corners[0] as usize];
        let new = difference.support(&face.normal, first);
        polytope.scale = polytope.scale.max(new.w.amax());
        let depth = face.normal.dot(&new.w);
        let allowed = ROUNDING * polytope.scale + tolerance * face.distance.abs();
        if depth - face.distance <= allowed {
            let rival = polytope.find_rival(&face.normal, apart);
            return Depth::Face(Deepest { depth, rival, ..polytope.finish(index) });
        }
        let is_less = |than: &Option<Deepest>| than.as_ref().is_none_or(|than| depth < than.depth);
        if is_less(&best) {
            best = Some(Deepest { depth, ..polytope.corners_of(index, index) });
        }
        match polytope.add(index, new) {
            Addition::Added => {}
            Addition::Inside if is_less(&spent) => {
                spent = Some(Deepest { depth, ..polytope.corners_of(index, index) });
            }
            Addition::Inside => {}
            Addition::Full => {
                let best = best.unwrap_or_else(|| polytope.corners_of(index, index));
                return Depth::Unsure(best, best.depth - face.distance);
            }
        }
    }
}
