use carom_math::Vec3;

use super::Stationary;
use super::member::{Directions, Member};
use crate::convex::difference::{Difference, Pair};

/// Radius of curvature, relative to the largest coordinate, below which rounding of the normal does not show.
const FLAT: f64 = 30.0;

/// Distance of the nearest points across the normal, relative to the largest coordinate, that rounding leaves of a
/// normal where surfaces are not very flat.
const ASIDE: f64 = 1e-14;

/// The answer from the members that carry it.
#[inline]
pub(super) fn finish(
    difference: &Difference<'_>,
    directions: &Directions,
    gap: f64,
    active: &[Member],
) -> Stationary {
    let normal = directions.n;
    let mut found = Stationary {
        normal,
        gap,
        pairs: [Pair::EMPTY; 3],
        weights: [0.0; 3],
        count: active.len(),
        shift: Vec3::zeros(),
    };
    for (k, member) in active.iter().enumerate() {
        found.pairs[k] = member.pair;
        found.weights[k] = member.weight.max(0.0);
    }
    let sum: f64 = found.weights.iter().sum();
    found.weights = found.weights.map(|w| w / sum);
    let size = active[0].pair.w.amax().max(difference.x_ab.translation.amax());
    if active.iter().all(|m| m.stretch() < FLAT * FLAT * size * size) {
        return found;
    }
    let w: Vec3 = active.iter().zip(found.weights).map(|(m, weight)| weight * m.pair.w).sum();
    let aside = w - normal.dot(&w) * normal;
    if aside.norm_squared() > ASIDE * ASIDE * size * size {
        found.shift = share_of_a(difference, directions, active, &found.weights, &aside);
    }
    found
}

/// What A's part is of a difference across the normal: the normal that closes it is within rounding of this one, but
/// moves the point of a surface far that is very flat there.
#[cold]
fn share_of_a(
    difference: &Difference<'_>,
    directions: &Directions,
    active: &[Member],
    weights: &[f64; 3],
    aside: &Vec3,
) -> Vec3 {
    if let [first, rest @ ..] = active
        && rest.len() == 2
        && rest.iter().all(|m| m.b_moves && m.pair.b.branch == first.pair.b.branch)
    {
        // On a face of A the foot is free, as far as the face goes.
        let branch = first.pair.a.branch;
        let mean: Vec3 = active.iter().zip(weights).map(|(m, weight)| *weight * m.pair.a.point).sum();
        let face = difference.a.flat_near(&directions.n, branch);
        let holds = |face: Vec3| difference.a.is_over_flat(&face, branch, &(mean - aside));
        return if face.is_some_and(holds) { -aside } else { Vec3::zeros() };
    }
    let (n, [t1, t2]) = directions.of_a();
    let (mut of_a, mut of_both) = ([0.0; 3], [0.0; 3]);
    for (member, weight) in active.iter().zip(weights) {
        let alone = member.a_moves.then(|| difference.a.moving_point(member.pair.a.branch, n, [t1, t2]));
        let radii = alone.flatten().map_or([0.0; 3], |moving| moving.radii);
        for k in 0..3 {
            of_a[k] += weight * radii[k];
            of_both[k] += weight * member.radii[k];
        }
    }
    let [h11, h12, h22] = of_both;
    let determinant = h11 * h22 - h12 * h12;
    let r = [t1.dot(aside), t2.dot(aside)];
    let turn = [(h12 * r[1] - h22 * r[0]) / determinant, (h12 * r[0] - h11 * r[1]) / determinant];
    let [a11, a12, a22] = of_a;
    let shift = (a11 * turn[0] + a12 * turn[1]) * t1 + (a12 * turn[0] + a22 * turn[1]) * t2;
    // Edges and corners, which do not move, leave no more to close.
    if shift.norm_squared() <= 4.0 * aside.norm_squared() { shift } else { Vec3::zeros() }
}
