use carom_math::{Vec3, orthonormal_basis};

use super::finish::finish;
use super::member::{Directions, Member};
use super::step::{Step, newton_step};
use super::{NEGATIVE, ROUNDING, SMALL, Stationary};
use crate::convex::difference::{Difference, Pair};

/// Points of C that the model of its support is made of.
const MEMBERS: usize = 8;

/// Evaluations of the support before the descent gives up.
const LIMIT: usize = 200;

/// First and largest radius of trust (rad).
const LARGEST_RADIUS: f64 = 0.1;

/// Share of the promised descent that a step must keep.
const KEPT: f64 = 0.1;

/// Pieces of the support function h of C near a normal, each the support of a pair of points that moves or stands still:
/// at the normal turned by y in the tangent basis T
///
/// h_i(y) = n·w_i + y·Tᵀ w_i + ½ yᵀ (Tᵀ H_i T − n·w_i 1) y.
struct Bundle<'a> {
    difference: &'a Difference<'a>,
    directions: Directions,
    members: [Member; MEMBERS],
    count: usize,
}

/// A step of the normal with the pieces that stop it.
struct Candidate {
    step: [f64; 2],
    /// Largest piece there (m).
    value: f64,
    members: [Member; 3],
    count: usize,
}

/// The minimum of the support of C over unit normals near a given one, as [`super::polish`] seeks it, by steps of which
/// each must go down: for places where several points of C are in turn the farthest, so that Newton's method for
/// three of them leads away. A step goes to the lowest minimum, within a radius of trust, of the largest of the
/// pieces; the support there is a new piece.
///
/// `None`: the limit of evaluations was reached. The answer is the least to rounding of the pieces met.
pub(in crate::convex) fn descend(
    difference: &Difference<'_>,
    n: &Vec3,
    pairs: &[Pair],
) -> Option<Stationary> {
    let mut bundle = Bundle {
        difference,
        directions: Directions::new(difference, n, orthonormal_basis(n)),
        members: [Member::NONE; MEMBERS],
        count: 0,
    };
    let mut scale = difference.x_ab.translation.amax();
    let mut value = f64::NEG_INFINITY;
    let first = difference.support(n, &pairs[0]);
    for pair in pairs.iter().chain([&first]) {
        bundle.add(*pair);
        scale = scale.max(pair.w.amax());
        value = value.max(n.dot(&pair.w));
    }
    let mut radius = LARGEST_RADIUS;
    let mut is_retried = false;
    for _ in 0..LIMIT {
        bundle.refresh();
        let best = bundle.find_candidate(radius, |candidate| candidate.value)?;
        let promised = value - best.value;
        if promised <= ROUNDING * scale && radius < LARGEST_RADIUS && !is_retried {
            // Within a small radius little can be promised.
            radius = LARGEST_RADIUS;
            is_retried = true;
            continue;
        }
        if promised <= ROUNDING * scale {
            let carriers = bundle.find_candidate(radius, |candidate| bundle.aside(candidate))?;
            return Some(bundle.settle(carriers, value, value + ROUNDING * scale));
        }
        let [t1, t2] = bundle.directions.tangents;
        let normal = (bundle.directions.n + best.step[0] * t1 + best.step[1] * t2).normalize();
        let found = difference.support(&normal, &best.members[0].pair);
        let there = normal.dot(&found.w);
        let length = (best.step[0] * best.step[0] + best.step[1] * best.step[1]).sqrt();
        if value - there >= KEPT * promised {
            bundle.directions = Directions::new(difference, &normal, orthonormal_basis(&normal));
            value = there;
            is_retried = false;
            radius = LARGEST_RADIUS.min(2.0 * radius);
        } else {
            radius = 0.5 * length;
        }
        bundle.add(found);
    }
    None
}

impl Bundle<'_> {
    /// Newton's method for the pieces that carry the minimum, whose normal is only known to the root of what rounding
    /// leaves of a descent, as long as its steps shrink and do not go up.
    fn settle(mut self, carriers: Candidate, value: f64, limit: f64) -> Stationary {
        let Candidate { mut members, count, .. } = carriers;
        let mut found = finish(self.difference, &self.directions, -value, &members[..count]);
        let mut last = f64::INFINITY;
        for _ in 0..MEMBERS {
            let [t1, t2] = self.directions.tangents;
            let active = &mut members[..count];
            let Some(Step::Newton(step)) = newton_step(&self.directions.n, [&t1, &t2], active) else { break };
            let squared = step[0] * step[0] + step[1] * step[1];
            let is_carried = active.iter().all(|m| m.weight >= -NEGATIVE);
            if !(is_carried && squared < 0.25 * last && squared < SMALL) {
                break;
            }
            last = squared;
            let normal = (self.directions.n + step[0] * t1 + step[1] * t2).normalize();
            self.directions = Directions::new(self.difference, &normal, orthonormal_basis(&normal));
            if active.iter_mut().any(|m| m.refresh(self.difference, &self.directions).is_none()) {
                break;
            }
            let there = normal.dot(&self.difference.support(&normal, &active[0].pair).w);
            if there > limit {
                break;
            }
            found = finish(self.difference, &self.directions, -there, active);
        }
        found
    }

    /// A new piece, in place of the lowest if there is no room.
    fn add(&mut self, pair: Pair) {
        let member = Member::new(self.difference, &self.directions, pair);
        if self.members[..self.count].iter().any(|other| other.is_same_as(&member)) {
            return;
        }
        let place = if self.count < MEMBERS {
            self.count += 1;
            self.count - 1
        } else {
            let height = |k: &usize| self.directions.n.dot(&self.members[*k].pair.w);
            (0..MEMBERS).min_by(|j, k| height(j).total_cmp(&height(k))).unwrap_or(0)
        };
        self.members[place] = member;
    }

    /// Moves the pieces to the present normal, and forgets those that are not defined there.
    fn refresh(&mut self) {
        let mut kept = 0;
        for k in 0..self.count {
            let mut member = Member::new(self.difference, &self.directions, self.members[k].pair);
            if member.refresh(self.difference, &self.directions).is_some() {
                self.members[kept] = member;
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// The candidate with the least `key` of all sets of one, two or three pieces.
    fn find_candidate(&self, radius: f64, key: impl Fn(&Candidate) -> f64) -> Option<Candidate> {
        let mut best: Option<(f64, Candidate)> = None;
        for i in 0..self.count {
            for j in i..self.count {
                for k in j..self.count {
                    let set: &[usize] = match (i == j, j == k) {
                        (true, true) => &[i],
                        (true, false) => continue,
                        (false, true) => &[i, j],
                        (false, false) => &[i, j, k],
                    };
                    if let Some(candidate) = self.candidate(set, radius) {
                        let key = key(&candidate);
                        if best.as_ref().is_none_or(|(least, _)| key < *least) {
                            best = Some((key, candidate));
                        }
                    }
                }
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// Distance (m) of the pieces' mean, with their weights as far as they are positive, from the line along the normal.
    fn aside(&self, candidate: &Candidate) -> f64 {
        let carriers = &candidate.members[..candidate.count];
        let sum: f64 = carriers.iter().map(|m| m.weight.max(0.0)).sum();
        let mean: Vec3 = carriers.iter().map(|m| m.weight.max(0.0) / sum * m.pair.w).sum();
        self.directions.tangents.iter().map(|t| t.dot(&mean).abs()).sum()
    }

    fn candidate(&self, set: &[usize], radius: f64) -> Option<Candidate> {
        let mut members = [Member::NONE; 3];
        for (member, &k) in members.iter_mut().zip(set) {
            *member = self.members[k];
        }
        let [t1, t2] = &self.directions.tangents;
        let (Step::Newton(step) | Step::Climb(step)) =
            newton_step(&self.directions.n, [t1, t2], &mut members[..set.len()])?;
        let length = (step[0] * step[0] + step[1] * step[1]).sqrt();
        let step = if length > radius { step.map(|y| y * radius / length) } else { step };
        let pieces = self.members[..self.count].iter().map(|member| self.piece(member, &step));
        let value = pieces.fold(f64::NEG_INFINITY, f64::max);
        value.is_finite().then_some(Candidate { step, value, members, count: set.len() })
    }

    fn piece(&self, member: &Member, y: &[f64; 2]) -> f64 {
        let w = &member.pair.w;
        let [t1, t2] = &self.directions.tangents;
        let height = self.directions.n.dot(w);
        let [r11, r12, r22] = member.radii;
        let bend = (r11 - height) * y[0] * y[0] + 2.0 * r12 * y[0] * y[1] + (r22 - height) * y[1] * y[1];
        height + y[0] * t1.dot(w) + y[1] * t2.dot(w) + 0.5 * bend
    }
}
