//! How velocities at contact points change from the middle of a step to its end. The contact problem stands in the middle, H(q_m) v⁺; bodies
//! that go on with v⁺ turn, and surfaces curve, so that what sticks or stays closed by v⁺ there does not at the end of the step, always to the
//! same side: a block on a turntable would go out by r ω² h/2, and a ball in a bowl lose v² h/R² of its energy, in every second. What is
//! asked for is the velocity at the end, u⁺ + h/2 u̇ with u̇ = Ḣ v. Points are followed from the middle of the step before, where v⁻ was the
//! velocity that it led to: u̇ = (H(q_m) v⁻ − H(q_m⁻) v⁻)/((h + h⁻)/2). It is of second order, and what bodies roll, slide or turn on takes no
//! energy from them. Friction that slides acts along its velocity in the middle, and only what stuck in the step before is asked for at the end. Where a surface has an edge u̇ is large in one step: as much is taken of it as it had in the step before, too.

use carom_math::Vec3;
use carom_solvers::friction::Triple;

use super::Stepping;
use crate::contact::stepping::NearPoint;
use crate::run::archive::Archive;

/// Squared area that points span, over that of a square as large, below which they are on a line.
const FLAT: f64 = 1e-9;

/// A rate u̇ along the normal and along the surfaces (m/s²), in world axes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    along: f64,
    tangential: Vec3,
    /// Was the point there in the step before?
    is_known: bool,
}

/// A point that took part in the last step, in the middle of it, and how B moved against A there after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FollowedPoint {
    contact: usize,
    position: Vec3,
    normal: Vec3,
    /// Its part along the normal, or the rate of a single coordinate, and all of it (m/s).
    along: f64,
    velocity: Vec3,
    /// How fast it slipped at the end of the step (m/s).
    slip: f64,
    presses: bool,
    rate: Rate,
}

/// Keeps the points of a step that was taken.
pub(super) fn keep(work: &mut Stepping, h: f64) {
    work.followed_step = h;
    let Stepping { followed, near, taking_part, impulses, after, ahead, rates, .. } = work;
    followed.clear();
    followed.extend(taking_part.iter().zip(&*impulses).map(|(&k, impulse)| {
        let (point, [along, first, second]) = (&near[k], after[k]);
        let [normal, t, s] = point.axes;
        let velocity = normal * along + t * first + s * second;
        let slip = libm::hypot(first + ahead[k][1], second + ahead[k][2]);
        let (contact, position) = (point.contact, point.motion.position);
        let presses = impulse[0] > 0.0;
        FollowedPoint { contact, position, normal, along, velocity, slip, presses, rate: rates[k] }
    }));
}

/// What velocities of near points are `ahead` of those in the middle by the end of the step, those of the old velocities being in `before`, and along what points
/// pressed in the step before. Points that are not found among the followed ones, as those of contacts that begin, have none.
pub(super) fn look_ahead(work: &mut Stepping, h: f64) {
    let Stepping { followed, near, before, ahead, rates, pressed, followed_step, .. } = work;
    ahead.clear();
    pressed.clear();
    rates.clear();
    let between = 0.5 * (h + *followed_step);
    let mut places = before.iter();
    for points in near.chunk_by(|a, b| a.contact == b.contact) {
        let [mut along, mut across] = [Shared::default(); 2];
        let mut slip = 0.0;
        let first = rates.len();
        for (point, now) in points.iter().zip(&mut places) {
            let found = find(followed, point);
            let rate = found.map_or(Rate::default(), |last| last.rate_to(point, now, between));
            if let Some(last) = found {
                along.add(rate.along * last.rate.along, rate.along * rate.along);
                across.add(rate.tangential.dot(&last.rate.tangential), rate.tangential.norm_squared());
                slip += last.slip * last.slip;
            }
            rates.push(rate);
            pressed.push(found.filter(|last| last.presses).map(|last| last.normal));
        }
        let [along, across] = [along, across].map(|sum| 0.5 * h * sum.share());
        let turned =
            across * rates[first..].iter().map(|rate| rate.tangential.norm_squared()).sum::<f64>().sqrt();
        let across = if turned > 0.0 { across * (1.0 - slip.sqrt() / turned).max(0.0) } else { 0.0 };
        let weigh = |[normal, t, s]: Triple| [along * normal, across * t, across * s];
        if let [point] = points {
            ahead.push(weigh(rates[first].along_axes(point)));
            continue;
        }
        let field = Field::of(points, &rates[first..]);
        ahead.extend(points.iter().map(|point| weigh(field.at(point))));
    }
}

/// Rates at the points of a contact as those of two rigid bodies: r ↦ v + w × r along the axes of the points. What does not fit to that, of the order of the square
/// of the step, would have points contradict each other that depend on each other, as the corners of a face do.
struct Field {
    middle: Vec3,
    /// Along the axes, and how the first grows along the others.
    rate: Triple,
    tilt: [f64; 2],
    /// About the normal (1/s²).
    turn: f64,
}

impl Field {
    /// The nearest field to rates of points that were found.
    fn of(points: &[NearPoint], rates: &[Rate]) -> Self {
        let found = || points.iter().zip(rates).filter(|(_, rate)| rate.is_known);
        let share = 1.0 / found().count().max(1) as f64;
        let middle = found().map(|(point, _)| point.motion.position).sum::<Vec3>() * share;
        let mut field = Self { middle, rate: [0.0; 3], tilt: [0.0; 2], turn: 0.0 };
        let (mut square, mut along, mut turn) = ([0.0; 3], [0.0; 2], 0.0);
        for (point, rate) in found() {
            let ([x, y], [normal, t, s]) = (field.place(point), rate.along_axes(point));
            [normal, t, s].iter().zip(&mut field.rate).for_each(|(rate, mean)| *mean += share * rate);
            square = [square[0] + x * x, square[1] + x * y, square[2] + y * y];
            along = [along[0] + x * normal, along[1] + y * normal];
            turn += x * s - y * t;
        }
        let size = square[0] + square[2];
        if size > 0.0 {
            field.turn = turn / size;
            let det = square[0] * square[2] - square[1] * square[1];
            field.tilt = if det > FLAT * size * size {
                [square[2] * along[0] - square[1] * along[1], square[0] * along[1] - square[1] * along[0]]
                    .map(|tilt| tilt / det)
            } else {
                // Points on a line say how it grows along that alone.
                along.map(|along| along / size)
            };
        }
        field
    }

    /// Where a point is from the middle, along the surfaces.
    fn place(&self, point: &NearPoint) -> [f64; 2] {
        let arm = point.motion.position - self.middle;
        [point.axes[1].dot(&arm), point.axes[2].dot(&arm)]
    }

    fn at(&self, point: &NearPoint) -> Triple {
        let ([x, y], [normal, t, s]) = (self.place(point), self.rate);
        [normal + self.tilt[0] * x + self.tilt[1] * y, t - self.turn * y, s + self.turn * x]
    }
}

impl Rate {
    fn along_axes(&self, point: &NearPoint) -> Triple {
        [self.along, point.axes[1].dot(&self.tangential), point.axes[2].dot(&self.tangential)]
    }
}

impl FollowedPoint {
    /// The rate at which its velocity, that of the same bodies' motion, has changed to what it is now along the axes of a point.
    fn rate_to(&self, point: &NearPoint, now: &Triple, between: f64) -> Rate {
        let changed = |k: usize| point.axes[k] * ((now[k] - point.axes[k].dot(&self.velocity)) / between);
        let tangential = if point.is_single { Vec3::zeros() } else { changed(1) + changed(2) };
        Rate { along: (now[0] - self.along) / between, tangential, is_known: true }
    }
}

/// The share of the rates of a contact's points that those before had as well. It is the same for all points, so that it leaves a motion of the two bodies
/// what it is: of points that depend on each other, one that was asked for less would contradict the others.
#[derive(Clone, Copy, Default)]
struct Shared {
    dot: f64,
    square: f64,
}

impl Shared {
    fn add(&mut self, dot: f64, square: f64) {
        self.dot += dot;
        self.square += square;
    }

    fn share(self) -> f64 {
        if self.square > 0.0 { (self.dot / self.square).clamp(0.0, 1.0) } else { 0.0 }
    }
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
        let presses = f64::from(u8::from(point.presses));
        numbers.extend([point.contact as f64, point.along, point.slip, presses, point.rate.along]);
        let vectors = [point.position, point.velocity, point.rate.tangential, point.normal];
        vectors.iter().for_each(|v| numbers.extend(v.iter()));
    }
    archive.numbers(&mut numbers);
    let vector = |n: &[f64]| Vec3::new(n[0], n[1], n[2]);
    let each = numbers.chunks_exact(17);
    *followed = each
        .map(|n| FollowedPoint {
            contact: n[0] as usize,
            along: n[1],
            slip: n[2],
            presses: n[3] != 0.0,
            position: vector(&n[5..]),
            velocity: vector(&n[8..]),
            normal: vector(&n[14..]),
            rate: Rate { along: n[4], tangential: vector(&n[11..]), is_known: true },
        })
        .collect();
}
