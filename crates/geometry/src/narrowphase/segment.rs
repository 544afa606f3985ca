use carom_math::Vec3;

/// Sine of the angle below which two axes count as parallel: what rounding leaves of exactly parallel
/// axes. Over a length L it misplaces the distance by less than this times L.
const PARALLEL: f64 = 8.0 * f64::EPSILON;

/// Nearest points of two segments, as signed distances (m) along their axes from their middles.
///
/// The first is {s u : |s| ≤ h_u}, the second {d + t v : |t| ≤ h_v}, with unit axes u, v and
/// d = `offset`. The distance is convex in (s, t), so that its minimum is the crossing of the two lines,
/// s = d·(v × w)/w², t = d·(u × w)/w² with w = u × v, if that lies on both segments, and else one of the
/// four ends with its foot on the other segment. All that exist are compared, in a fixed order: close to
/// parallel the crossing is uncertain, but a candidate is a pair of points of the segments, whose distance
/// can only be too large, and there the ends are as near to rounding.
///
/// Parallel axes: the middle of the common stretch, or the nearest ends if there is none.
#[inline]
pub(crate) fn nearest_on_segments(offset: &Vec3, u: &Vec3, half_u: f64, v: &Vec3, half_v: f64) -> (f64, f64) {
    let cosine = u.dot(v);
    let (offset_u, offset_v) = (offset.dot(u), offset.dot(v));
    let w = u.cross(v);
    let sine_squared = w.norm_squared();
    if sine_squared <= PARALLEL * PARALLEL {
        return middle_of_parallel(offset_u, half_u, cosine, half_v);
    }
    let foot_on_u = |t: f64| (offset_u + t * cosine).clamp(-half_u, half_u);
    let foot_on_v = |s: f64| (s * cosine - offset_v).clamp(-half_v, half_v);
    let crossing = (
        (offset.dot(&v.cross(&w)) / sine_squared).clamp(-half_u, half_u),
        (offset.dot(&u.cross(&w)) / sine_squared).clamp(-half_v, half_v),
    );
    let candidates = [
        crossing,
        (-half_u, foot_on_v(-half_u)),
        (half_u, foot_on_v(half_u)),
        (foot_on_u(-half_v), -half_v),
        (foot_on_u(half_v), half_v),
    ];
    let squared = |(s, t): (f64, f64)| (offset + t * v - s * u).norm_squared();
    let mut best = (squared(candidates[0]), candidates[0]);
    for &candidate in &candidates[1..] {
        let value = squared(candidate);
        if value < best.0 {
            best = (value, candidate);
        }
    }
    best.1
}

/// The second segment reaches from `centre` − h_v to `centre` + h_v along the first.
fn middle_of_parallel(centre: f64, half_u: f64, cosine: f64, half_v: f64) -> (f64, f64) {
    let low = (centre - half_v).clamp(-half_u, half_u);
    let high = (centre + half_v).clamp(-half_u, half_u);
    let s = 0.5 * (low + high);
    (s, ((s - centre) * cosine).clamp(-half_v, half_v))
}
