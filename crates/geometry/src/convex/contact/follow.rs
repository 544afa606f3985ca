use super::cache::ConvexCache;
use super::found::{FLAT, Found, of_stationary, rest_on_flat};
use crate::convex::difference::{Difference, Pair};
use crate::convex::expand::APART;
use crate::convex::polish::{Rims, polish};
use crate::convex::triangle::SLIVER;

/// What has become of the last answer.
pub(super) enum Followed {
    /// It is the answer.
    Answer(Found),
    /// It is a minimum of the depth, but others may be less: [`search`](super::search::search) them.
    Minimum(Found),
    /// It is no start.
    Lost,
}

/// The last answer at the present poses, and whether it is still the answer. The cache is that of what is found.
#[inline]
pub(super) fn follow(difference: &Difference<'_>, cache: &mut ConvexCache, start: &[Pair]) -> Followed {
    if difference.is_curved() {
        // A minimum of the depth may have a rival, that of a distance is the only one.
        let (proof, normal) = (cache.proof, cache.normal);
        let is_least = |found: &Found| {
            let depth = -found.gap;
            depth <= 0.0 || depth <= proof.limit(&difference.x_ab, difference.b.bounding_radius())
        };
        let stationary = polish(difference, &normal, start, Rims::Move);
        let found = match (stationary, start) {
            (Some(stationary), _) => Some(of_stationary(&stationary, cache)),
            (None, [first, ..]) => rest_on_flat(difference, &normal, first, f64::INFINITY, cache),
            (None, []) => None,
        };
        return match found {
            Some(found) if is_least(&found) => Followed::Answer(found),
            Some(found) => Followed::Minimum(found),
            None => Followed::Lost,
        };
    }
    let face = if cache.overlap { follow_face(difference, cache, start) } else { None };
    face.map_or(Followed::Lost, Followed::Answer)
}

/// The face of C that was nearest is so still:
///
/// - no point of C lies beyond the face's plane;
/// - the foot of the origin lies within the face, a distance T from its sides. At an angle θ from the normal the
///   depth is then at least δ cos θ + T sin θ, with the depth δ of the face: no less than δ if T ≥ δ tan(θ/2);
/// - beyond an angle θ₀ from the normal of the last full search no depth is less than δ, by its proof. So θ is θ₀
///   and the angle between that normal and the face's.
fn follow_face(difference: &Difference<'_>, cache: &mut ConvexCache, start: &[Pair]) -> Option<Found> {
    let &[a, b, c, _] = start else { return None };
    let area = (b.w - a.w).cross(&(c.w - a.w));
    let size = area.norm();
    let longest = [b.w - a.w, c.w - b.w, a.w - c.w].map(|side| side.norm_squared());
    if size <= SLIVER * longest.iter().copied().fold(0.0, f64::max) {
        return None;
    }
    let sign = 1.0_f64.copysign(area.dot(&cache.normal));
    let normal = area * (sign / size);
    let depth = normal.dot(&a.w);
    let rival = cache.proof.limit(&difference.x_ab, difference.b.bounding_radius());
    // Tangents of half angles.
    let proven = ((1.0 - APART) / (1.0 + APART)).sqrt();
    let turned = (normal - cache.proof.normal).norm() / (normal + cache.proof.normal).norm();
    let inside = depth * (proven + turned) / (1.0 - proven * turned);
    let foot = depth * normal;
    // Twice the areas that the foot makes with the sides, and from them its distances.
    let parts =
        [(&b, &c), (&c, &a), (&a, &b)].map(|(p, q)| sign * normal.dot(&(p.w - foot).cross(&(q.w - foot))));
    let sides = [longest[1], longest[2], longest[0]];
    let is_inside =
        parts.iter().zip(sides).all(|(part, side)| *part > 0.0 && part * part >= inside * inside * side);
    if !(depth > 0.0 && depth <= rival && turned < 1.0 && is_inside) {
        return None;
    }
    let scale = a.w.amax().max(difference.x_ab.translation.amax());
    if normal.dot(&difference.support(&normal, &a).w) > depth + FLAT * scale {
        return None;
    }
    let point_a = (parts[0] * a.a.point + parts[1] * b.a.point + parts[2] * c.a.point) / size;
    cache.normal = normal;
    Some(Found { normal, gap: -depth, point_a })
}
