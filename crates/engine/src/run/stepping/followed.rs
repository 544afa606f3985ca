//! How velocities at contact points change from the middle of a step to its end. The contact problem stands in the middle, H(q_m) v⁺; bodies
//! that go on with v⁺ turn, and surfaces curve, so that what sticks or stays closed by v⁺ there does not at the end of the step, always to the
//! same side: a block on a turntable would go out by r ω² h/2, and a ball in a bowl lose v² h/R² of its energy, in every second. What is
//! asked for is the velocity at the end, u⁺ + h/2 u̇ with u̇ = Ḣ v. Points are followed from the middle of the step before, where v⁻ was the
//! velocity that it led to: u̇ = (H(q_m) v⁻ − H(q_m⁻) v⁻)/((h + h⁻)/2). It is of second order, and what bodies roll, slide or turn on takes no
//! energy from them. Where a surface has an edge u̇ is large in one step: as much is taken of it as it had in the step before, too.

use carom_math::Vec3;

use super::Stepping;
use crate::contact::stepping::NearPoint;
use crate::run::archive::Archive;

/// A rate u̇ along the normal and along the surfaces (m/s²), in world axes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    along: f64,
    tangential: Vec3,
}

/// A point that took part in the last step, in the middle of it, and how B moved against A there after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FollowedPoint {
    contact: usize,
    position: Vec3,
    /// Its part along the normal, or the rate of a single coordinate, and all of it (m/s).
    along: f64,
    velocity: Vec3,
    rate: Rate,
}

/// Keeps the points of a step that was taken.
pub(super) fn keep(work: &mut Stepping, h: f64) {
    work.followed_step = h;
    let Stepping { followed, near, taking_part, after, rates, .. } = work;
    followed.clear();
    followed.extend(taking_part.iter().map(|&k| {
        let (point, [along, first, second]) = (&near[k], after[k]);
        let [normal, t, s] = point.axes;
        let velocity = normal * along + t * first + s * second;
        let (contact, position) = (point.contact, point.motion.position);
        FollowedPoint { contact, position, along, velocity, rate: rates[k] }
    }));
}

/// What velocities of near points are `ahead` of those in the middle by the end of the step, those of the old velocities being in `before`. Points
/// that are not found among the followed ones, as those of contacts that begin, have none.
pub(super) fn look_ahead(work: &mut Stepping, h: f64) {
    let Stepping { followed, near, before, ahead, rates, followed_step, .. } = work;
    ahead.clear();
    rates.clear();
    let between = 0.5 * (h + *followed_step);
    for (point, now) in near.iter().zip(before.iter()) {
        let Some(last) = find(followed, point) else {
            ahead.push([0.0; 3]);
            rates.push(Rate::default());
            continue;
        };
        let [_, t, s] = point.axes;
        let changed = |axis: &Vec3, now: f64| axis * ((now - axis.dot(&last.velocity)) / between);
        let tangential =
            if point.is_single { Vec3::zeros() } else { changed(&t, now[1]) + changed(&s, now[2]) };
        let rate = Rate { along: (now[0] - last.along) / between, tangential };
        let normal = rate.along * share(rate.along * last.rate.along, rate.along * rate.along);
        let [dot, square] = [&last.rate.tangential, &tangential].map(|other| tangential.dot(other));
        let tangential = tangential * share(dot, square);
        ahead.push([normal, t.dot(&tangential), s.dot(&tangential)].map(|rate| 0.5 * h * rate));
        rates.push(rate);
    }
}

/// The share of a rate that the one before had as well.
fn share(dot: f64, square: f64) -> f64 {
    if square > 0.0 { (dot / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// The followed point of the same contact that is nearest.
fn find<'a>(followed: &'a [FollowedPoint], point: &NearPoint) -> Option<&'a FollowedPoint> {
    let first = followed.partition_point(|other| other.contact < point.contact);
    let own = followed[first..].iter().take_while(|other| other.contact == point.contact);
    let distance = |other: &FollowedPoint| (other.position - point.motion.position).norm_squared();
    own.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// What a checkpoint holds of them.
pub(super) fn visit(followed: &mut Vec<FollowedPoint>, archive: &mut Archive<'_>) {
    let mut numbers: Vec<f64> = Vec::new();
    for point in followed.iter() {
        numbers.extend([point.contact as f64, point.along, point.rate.along]);
        [point.position, point.velocity, point.rate.tangential].iter().for_each(|v| numbers.extend(v.iter()));
    }
    archive.numbers(&mut numbers);
    let vector = |n: &[f64]| Vec3::new(n[0], n[1], n[2]);
    let each = numbers.chunks_exact(12);
    *followed = each
        .map(|n| FollowedPoint {
            contact: n[0] as usize,
            along: n[1],
            position: vector(&n[3..]),
            velocity: vector(&n[6..]),
            rate: Rate { along: n[2], tangential: vector(&n[9..]) },
        })
        .collect();
}
