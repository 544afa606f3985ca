//! The faces of a polytope that take part in a contact.

use carom_math::Vec3;

use crate::convex::Core;
use crate::convex::hull::ConvexHull;

/// Squareness to the contact, over that of the squarest face, from which on a face takes part: 37 degrees.
const LEAST: f64 = 0.8;

/// Depth below the deepest corner, over that of the contact, within which corners lead on to other faces. The other surface may
/// be tilted against the normal.
const MARGIN: f64 = 2.0;

/// A face of a core, and its part in the contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facing {
    /// Index of a hull's face; other cores choose their own.
    pub(super) face: usize,
    /// 1 of the squarest face, falling to 0 without a jump as another one is less square.
    pub(super) share: f64,
    /// Least and greatest x and y in the frame of the contact; all of the plane until they are asked for.
    bounds: [[f64; 2]; 2],
}

impl Facing {
    fn new(face: usize, share: f64) -> Self {
        Self { face, share, bounds: [[f64::NEG_INFINITY; 2], [f64::INFINITY; 2]] }
    }

    /// Finds the bounds of a hull's face; `place` takes points to the frame of the contact.
    pub(super) fn bound(&mut self, core: &Core, place: impl Fn(&Vec3) -> Vec3) {
        let Core::Hull(hull) = core else { return };
        let corners = hull.faces()[self.face].corners.iter().map(|&k| place(&hull.vertices()[k as usize]));
        let nothing = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        self.bounds = corners.fold(nothing, |[low, high], p| {
            [[low[0].min(p.x), low[1].min(p.y)], [high[0].max(p.x), high[1].max(p.y)]]
        });
    }

    /// False where nothing of one is over the other.
    pub(super) fn may_overlap(&self, other: &Self) -> bool {
        let [[low, high], [of_low, of_high]] = [self.bounds, other.bounds];
        (0..2).all(|k| low[k] <= of_high[k] && of_low[k] <= high[k])
    }
}

/// The faces toward the unit vector `n` of the core's frame, the squarest at the deepest corner first, for a contact of depth
/// `depth` (m).
///
/// Of a hull these are all that have corners within the contact and are about as square as the squarest. One alone would
/// jump: the flat sole of a foot, read from single precision, is many triangles at 1e-7 rad, and a finely
/// faceted ball that is pressed in deeper than its facets are curved rolls from one to the next.
pub(super) fn find_facing(core: &Core, n: &Vec3, depth: f64, seen: &mut Vec<u32>, found: &mut Vec<Facing>) {
    found.clear();
    match core {
        Core::Hull(hull) => find_faces_of_hull(hull, n, depth, seen, found),
        _ => found.push(Facing::new(0, 1.0)),
    }
}

/// `seen` is for the corners whose faces have been looked at: most are corners of several faces that are found.
fn find_faces_of_hull(hull: &ConvexHull, n: &Vec3, depth: f64, seen: &mut Vec<u32>, found: &mut Vec<Facing>) {
    let cosine = |face: usize| hull.faces()[face].normal.dot(n);
    let deepest = hull.support(n, 0);
    let level = deepest.point.dot(n) - MARGIN * depth;
    let best = hull.face_indices_at(deepest.branch).max_by(|f, g| cosine(*f).total_cmp(&cosine(*g)));
    let Some(best) = best else { return };
    let least = LEAST * cosine(best);
    found.push(Facing::new(best, cosine(best)));
    seen.clear();
    let mut next = 0;
    while next < found.len() {
        for &corner in &hull.faces()[found[next].face].corners {
            if seen.contains(&corner) || hull.vertices()[corner as usize].dot(n) < level {
                continue;
            }
            seen.push(corner);
            for face in hull.face_indices_at(corner) {
                if cosine(face) > least && found.iter().all(|known| known.face != face) {
                    found.push(Facing::new(face, cosine(face)));
                }
            }
        }
        next += 1;
    }
    let squarest = found.iter().map(|facing| facing.share).fold(0.0, f64::max);
    for facing in &mut *found {
        let part = ((facing.share / squarest - LEAST) / (1.0 - LEAST)).max(0.0);
        facing.share = part * part;
    }
}
