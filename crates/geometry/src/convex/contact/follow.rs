use super::cache::ConvexCache;
use super::found::{FLAT, Found, of_stationary, rest_on_flat};
use crate::convex::difference::{Difference, Pair};
use crate::convex::expand::APART;
use crate::convex::polish::{Rims, polish};
use crate::convex::triangle::SLIVER;

/// The last answer at the present poses, if it is still the answer.
#[inline]
pub(super) fn follow(difference: &Difference<'_>, cache: &mut ConvexCache, start: &[Pair]) -> Option<Found> {
    if difference.is_curved() {
        // A minimum of the depth may have a rival, that of a distance is the only one.
        let proof = cache.proof;
        let limit = || proof.limit(&difference.x_ab, difference.b.bounding_radius());
        if let Some(found) = polish(difference, &cache.normal, start, Rims::Move) {
            let is_least = found.gap >= 0.0 || -found.gap <= limit();
            return is_least.then(|| of_stationary(&found, cache));
        }
        let normal = cache.normal;
        return rest_on_flat(difference, &normal, start.first()?, limit().max(0.0), cache);
    }
    if cache.overlap { follow_face(difference, cache, start) } else { None }
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
