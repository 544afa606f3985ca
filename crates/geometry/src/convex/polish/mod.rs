mod bundle;
mod finish;
mod member;
mod step;

use carom_math::{Vec3, orthonormal_basis};

use super::difference::{Difference, Pair};

use finish::finish;
use member::{Directions, Member, collect};
use step::{Step, newton_step};

pub(super) use bundle::descend;

/// Newton steps and changes of the set before the iteration gives up.
const LIMIT: usize = 40;

/// Size that the next step of the normal (rad) must not have for another: convergence is quadratic, so that after
/// steps s and t the next is about t³/s².
const CONVERGED: f64 = 1e-14;

/// A step small enough even for the first.
const SMALL: f64 = 1e-9;

/// Way that a point may move in the last step, relative to its distance: the weights are wrong by its square.
const FAR: f64 = 1e-6;

/// Longest step of the normal (rad). What Newton's method wants to be longer is cut where solids overlap.
const LARGEST_STEP: f64 = 0.5;

/// Violation of support, relative to the largest coordinate, that rounding explains.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Negative weights up to this are zero to rounding.
const NEGATIVE: f64 = 1e-9;

/// A stationary point of the separation: normal, gap, and the points that carry it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stationary {
    /// Unit normal from A to B, in A's frame.
    pub(super) normal: Vec3,
    /// Gap of the cores (m).
    pub(super) gap: f64,
    pub(super) pairs: [Pair; 3],
    pub(super) weights: [f64; 3],
    pub(super) count: usize,
    /// Correction (m) of the mean of the points of A.
    pub(super) shift: Vec3,
}

/// Several points of one rim in the start: one point that moves with the normal, or the corners of a flat cap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rims {
    /// One that moves if they lie close together.
    MoveIfNear,
    /// One that moves, whenever the normal is not that of the cap.
    Move,
}

/// Newton's method on the conditions of a contact between curved surfaces: a local maximum over unit normals
/// n of the separation s(n) = −max_C n·w, which is the distance of cores apart and minus the depth of cores
/// that overlap.
///
/// The maximum is carried by k ≤ 3 support points w_i(n) of C with weights λ_i ≥ 0, Σ λ_i = 1:
///
/// (I − n nᵀ) Σ λ_i w_i(n) = 0, n·(w_i − w_1) = 0,
///
/// 2 + (k − 1) equations for n and λ. A corner stands still; a rim or a smooth surface moves with the normal,
/// dw = H dn. With the step T y of the normal in the tangent basis T, g = −n·w and H = Σ λ_i H_i the Newton matrix
/// is
///
/// | Tᵀ H T + g 1 | D |
/// |---|---|
/// | Dᵀ | 0 |
///
/// with columns Tᵀ (w_i − w_1) of D. It is regular at g = 0. For k = 1 these are the common-normal conditions
/// d × n_A = 0, n_B × n_A = 0 with n_B = −n_A demanded, not only parallel.
///
/// `None`: no curved point takes part, or no certified answer within the limit; the caller then keeps the result
/// that it started from. The answer is certified by one more support of C: no point lies beyond the plane.
///
/// Source of the common-normal conditions: Flores & Lankarani, Contact Force Models for Multibody Dynamics
/// (2016), chapter 2.
pub(super) fn polish(
    difference: &Difference<'_>,
    n: &Vec3,
    pairs: &[Pair],
    rims: Rims,
) -> Option<Stationary> {
    if !difference.is_curved() {
        return None;
    }
    let mut directions = Directions::new(difference, n, orthonormal_basis(n));
    let (mut members, mut count) = collect(difference, &directions, pairs, rims);
    if !members[..count].iter().any(|m| m.a_moves || m.b_moves) {
        return None;
    }
    let mut last = f64::INFINITY;
    for _ in 0..LIMIT {
        for member in &mut members[..count] {
            member.refresh(difference, &directions)?;
        }
        let active = &mut members[..count];
        let [t1, t2] = directions.tangents;
        let (mut step, mut is_settled) = match newton_step(&directions.n, [&t1, &t2], active) {
            Some(Step::Newton(step)) => (step, true),
            Some(Step::Climb(step)) => (step, false),
            None if count == 3 => {
                let spare = find_spare(&directions.n, active);
                members.copy_within(spare + 1..count, spare);
                count = 2;
                continue;
            }
            None => return None,
        };
        let mut squared = step[0] * step[0] + step[1] * step[1];
        if squared.is_nan() {
            return None;
        }
        if squared >= LARGEST_STEP * LARGEST_STEP {
            if directions.n.dot(&active[0].pair.w) < 0.0 {
                // Apart another start is found at once.
                return None;
            }
            let share = LARGEST_STEP / squared.sqrt();
            step = step.map(|y| share * y);
            squared = LARGEST_STEP * LARGEST_STEP;
            is_settled = false;
        }
        // Weights of a step that was cut mean nothing yet.
        let out = (0..count).find(|&k| active[k].weight < -NEGATIVE);
        if let (Some(out), true) = (out, is_settled) {
            members.copy_within(out + 1..count, out);
            count -= 1;
            if count == 0 {
                return None;
            }
            continue;
        }
        let normal = (directions.n + step[0] * t1 + step[1] * t2).normalize();
        directions = Directions::new(difference, &normal, orthonormal_basis(&normal));
        let next = squared * (squared / last) * (squared / last);
        // A point that a small turn moves far, like that of a rim near its cap, has weights only after another step.
        let moved = squared * active.iter().map(|m| m.stretch()).fold(0.0, f64::max);
        let size = active[0].pair.w.amax().max(difference.x_ab.translation.amax());
        let is_near = moved <= FAR * FAR * size * size;
        let is_converged =
            is_near && (squared <= SMALL * SMALL || (last < 1.0 && next <= CONVERGED * CONVERGED));
        last = if is_settled { squared } else { f64::INFINITY };
        if !(is_converged && is_settled) {
            continue;
        }
        for member in &mut members[..count] {
            member.refresh(difference, &directions)?;
        }
        let active = &members[..count];
        let reach = active.iter().map(|m| normal.dot(&m.pair.w)).fold(f64::NEG_INFINITY, f64::max);
        let scale = active.iter().map(|m| m.pair.w.amax()).fold(difference.x_ab.translation.amax(), f64::max);
        let beyond = difference.support(&normal, &active[0].pair);
        if normal.dot(&beyond.w) <= reach + ROUNDING * scale {
            return Some(finish(difference, &directions, -reach, active));
        }
        let known = active.iter().any(|m| m.is_same_as(&Member { pair: beyond, ..*m }));
        if known {
            // The same rim at a normal that is not settled yet.
            continue;
        }
        if count == 3 {
            return None;
        }
        members[count] = Member::new(difference, &directions, beyond);
        count += 1;
    }
    None
}

/// Of three points on a line the one that does not carry. That is the inner one, unless it lies beyond the other two:
/// then it carries, together with the end beyond the foot of the origin.
fn find_spare(n: &Vec3, members: &[Member]) -> usize {
    let side = |k: usize| (members[(k + 1) % 3].pair.w - members[(k + 2) % 3].pair.w).norm_squared();
    let inner = (1..3).fold(0, |inner, k| if side(k) > side(inner) { k } else { inner });
    let (first, last) = ((inner + 1) % 3, (inner + 2) % 3);
    let start = members[first].pair.w;
    let along = members[last].pair.w - start;
    let share = |p: &Vec3| along.dot(&(p - start)) / along.norm_squared();
    let bend = members[inner].pair.w;
    let height = n.dot(&(bend - start)) - share(&bend) * n.dot(&along);
    match height > 0.0 {
        true if share(&Vec3::zeros()) < share(&bend) => last,
        true => first,
        false => inner,
    }
}
