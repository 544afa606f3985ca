use carom_math::{Mat3, Vec3, orthonormal_basis};

use super::Core;
use super::core::SurfacePoint;
use super::difference::{Difference, Pair};

/// Newton steps and changes of the set before the iteration gives up.
const LIMIT: usize = 12;

/// A step of the normal (rad) after which the next would be below rounding: convergence is quadratic.
const CONVERGED: f64 = 1e-9;

/// A larger first guess of the error of the normal (rad) is no start for Newton's method.
const LARGEST_STEP: f64 = 0.5;

/// Violation of support, relative to the largest coordinate, that rounding explains.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Residual relative to the depth that rounding leaves of zero: with a stiffness near zero the depth is the
/// same all around, as for solids of revolution with a common axis, and the normal stays where it is.
const NEUTRAL_RESIDUAL: f64 = 1e-12;

/// Stiffness relative to the depth that counts as near zero, before weights have settled.
const NEUTRAL_STIFFNESS: f64 = 1e-3;

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
}

/// Several points of one rim in the start: one point that moves with the normal, or the corners of a flat cap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rims {
    /// One that moves if they lie close together.
    MoveIfNear,
    /// One that moves, whenever the normal is not that of the cap.
    Move,
}

/// A pair of surface points with what they do when the normal turns.
#[derive(Clone, Copy)]
struct Member {
    pair: Pair,
    weight: f64,
    a_moves: bool,
    b_moves: bool,
    /// H_A + H_B of the points that move, in A's frame (m).
    hessian: Mat3,
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
    let mut normal = *n;
    let (mut members, mut count) = collect(difference, &normal, pairs, rims);
    if !members[..count].iter().any(|m| m.a_moves || m.b_moves) {
        return None;
    }
    for _ in 0..LIMIT {
        for member in &mut members[..count] {
            refresh(difference, &normal, member)?;
        }
        let active = &mut members[..count];
        let (t1, t2) = orthonormal_basis(&normal);
        let step = newton_step(&normal, [&t1, &t2], active)?;
        let size = step[0].hypot(step[1]);
        if !(size < LARGEST_STEP) {
            return None;
        }
        if let Some(out) = (0..count).find(|&k| active[k].weight < -NEGATIVE) {
            members.copy_within(out + 1..count, out);
            count -= 1;
            if count == 0 {
                return None;
            }
            continue;
        }
        normal = (normal + step[0] * t1 + step[1] * t2).normalize();
        if size > CONVERGED {
            continue;
        }
        for member in &mut members[..count] {
            refresh(difference, &normal, member)?;
        }
        let active = &members[..count];
        let reach = active.iter().map(|m| normal.dot(&m.pair.w)).fold(f64::NEG_INFINITY, f64::max);
        let scale = active.iter().map(|m| m.pair.w.amax()).fold(size_of(difference), f64::max);
        let beyond = difference.support(&normal, &active[0].pair);
        if normal.dot(&beyond.w) <= reach + ROUNDING * scale {
            return Some(finish(normal, -reach, active));
        }
        let known =
            active.iter().any(|m| m.pair.a.branch == beyond.a.branch && m.pair.b.branch == beyond.b.branch);
        if known || count == 3 {
            return None;
        }
        members[count] = Member {
            pair: beyond,
            weight: 0.0,
            a_moves: difference.a.moving_point(beyond.a.branch, &normal).is_some(),
            b_moves: difference.b.moving_point(beyond.b.branch, &toward_a(difference, &normal)).is_some(),
            hessian: Mat3::zeros(),
        };
        count += 1;
    }
    None
}

/// The normal as B sees it: outward, in B's frame.
fn toward_a(difference: &Difference<'_>, n: &Vec3) -> Vec3 {
    -difference.x_ab.rotation.tr_mul(n)
}

fn size_of(difference: &Difference<'_>) -> f64 {
    difference.x_ab.translation.amax()
}

fn finish(normal: Vec3, gap: f64, active: &[Member]) -> Stationary {
    let mut found =
        Stationary { normal, gap, pairs: [Pair::EMPTY; 3], weights: [0.0; 3], count: active.len() };
    for (k, member) in active.iter().enumerate() {
        found.pairs[k] = member.pair;
        found.weights[k] = member.weight.max(0.0);
    }
    let sum: f64 = found.weights.iter().sum();
    found.weights = found.weights.map(|w| w / sum);
    found
}

/// Members from pairs of points: points of one rim or surface that lie close together are one point that moves.
fn collect(difference: &Difference<'_>, n: &Vec3, pairs: &[Pair], rims: Rims) -> ([Member; 3], usize) {
    let none =
        Member { pair: Pair::EMPTY, weight: 0.0, a_moves: false, b_moves: false, hessian: Mat3::zeros() };
    let mut members = [none; 3];
    let mut count = 0;
    let n_b = toward_a(difference, n);
    for pair in pairs {
        let moves = |core: &Core, n: &Vec3, of: &dyn Fn(&Pair) -> SurfacePoint| {
            let branch = of(pair).branch;
            core.moving_point(branch, n).is_some_and(|(point, _)| {
                rims == Rims::Move
                    || pairs
                        .iter()
                        .map(of)
                        .filter(|p| p.branch == branch)
                        .all(|p| core.is_near(branch, &p.point, &point))
            })
        };
        let a_moves = difference.a.is_curved() && moves(difference.a, n, &|p| p.a);
        let b_moves = difference.b.is_curved() && moves(difference.b, &n_b, &|p| p.b);
        let is_same = |m: &Member| {
            let same = |moves: bool, p: &SurfacePoint, q: &SurfacePoint| {
                p.branch == q.branch && (moves || p.point == q.point)
            };
            same(a_moves, &m.pair.a, &pair.a) && same(b_moves, &m.pair.b, &pair.b)
        };
        if count < 3 && !members[..count].iter().any(is_same) {
            members[count] = Member { pair: *pair, weight: 0.0, a_moves, b_moves, hessian: Mat3::zeros() };
            count += 1;
        }
    }
    (members, count)
}

/// Points and Hessian at the normal; `None` if a rim's plane turned across it.
fn refresh(difference: &Difference<'_>, n: &Vec3, member: &mut Member) -> Option<()> {
    if !(member.a_moves || member.b_moves) {
        return Some(());
    }
    member.hessian = Mat3::zeros();
    if member.a_moves {
        let (point, hessian) = difference.a.moving_point(member.pair.a.branch, n)?;
        member.pair.a.point = point;
        member.hessian += hessian;
    }
    if member.b_moves {
        let n_b = toward_a(difference, n);
        let (point, hessian) = difference.b.moving_point(member.pair.b.branch, &n_b)?;
        member.pair.b.point = point;
        let r = &difference.x_ab.rotation;
        member.hessian += r * hessian * r.transpose();
    }
    member.pair = difference.pair(member.pair.a, member.pair.b);
    Some(())
}

fn is_neutral(stiffness: &[f64], residual: &[f64], w: &Vec3) -> bool {
    let size = w.norm();
    stiffness.iter().all(|m| m.abs() <= NEUTRAL_STIFFNESS * size)
        && residual.iter().all(|r| r.abs() <= NEUTRAL_RESIDUAL * size)
}

/// Weights for the Hessian: those of the point nearest to the normal's line, r + D λ ≈ 0.
fn weigh(members: &mut [Member], r: [f64; 2], across: impl Fn(usize, &[Member]) -> [f64; 2]) {
    let (mut second, mut third) = (0.0, 0.0);
    if members.len() == 2 {
        let d = across(1, members);
        second = -(d[0] * r[0] + d[1] * r[1]) / (d[0] * d[0] + d[1] * d[1]).max(f64::MIN_POSITIVE);
    } else if members.len() == 3 {
        let (p, q) = (across(1, members), across(2, members));
        let determinant = p[0] * q[1] - p[1] * q[0];
        if determinant != 0.0 {
            second = (r[1] * q[0] - r[0] * q[1]) / determinant;
            third = (r[0] * p[1] - r[1] * p[0]) / determinant;
        }
        members[2].weight = third.clamp(0.0, 1.0);
    }
    if members.len() > 1 {
        members[1].weight = second.clamp(0.0, 1.0);
    }
    members[0].weight = (1.0 - second - third).clamp(0.0, 1.0);
}

/// Step of the normal in the tangent basis; sets the weights. `None` where the maximum is none, or the matrix is
/// singular.
fn newton_step(n: &Vec3, [t1, t2]: [&Vec3; 2], members: &mut [Member]) -> Option<[f64; 2]> {
    let w1 = members[0].pair.w;
    let r = [t1.dot(&w1), t2.dot(&w1)];
    let across = |k: usize, members: &[Member]| {
        let d = members[k].pair.w - w1;
        ([t1.dot(&d), t2.dot(&d)], n.dot(&d))
    };
    weigh(members, r, |k, members| across(k, members).0);
    let hessian = members.iter().fold(Mat3::zeros(), |sum, m| sum + m.weight * m.hessian);
    let gap = -n.dot(&w1);
    let (h1, h2) = (hessian * t1, hessian * t2);
    let m = [t1.dot(&h1) + gap, t1.dot(&h2), t2.dot(&h2) + gap];
    match members.len() {
        1 => {
            members[0].weight = 1.0;
            let determinant = m[0] * m[2] - m[1] * m[1];
            if is_neutral(&m, &r, &w1) {
                return Some([0.0; 2]);
            }
            if !(determinant > 0.0 && m[0] + m[2] > 0.0) {
                return None;
            }
            Some([(m[1] * r[1] - m[2] * r[0]) / determinant, (m[1] * r[0] - m[0] * r[1]) / determinant])
        }
        2 => {
            // y = −(c/d²) d + z e with e across d; the row along e gives z, the row along d the weight.
            let (d, c) = across(1, members);
            let squared = d[0] * d[0] + d[1] * d[1];
            if squared == 0.0 {
                return None;
            }
            let length = squared.sqrt();
            let (u, e) = ([d[0] / length, d[1] / length], [-d[1] / length, d[0] / length]);
            let times = |v: [f64; 2]| [m[0] * v[0] + m[1] * v[1], m[1] * v[0] + m[2] * v[1]];
            let dot = |p: [f64; 2], q: [f64; 2]| p[0] * q[0] + p[1] * q[1];
            let stiffness = dot(e, times(e));
            let along = -c / length;
            let residual = dot(e, r) + along * dot(e, times(u));
            let z = match stiffness {
                _ if is_neutral(&[stiffness], &[residual], &w1) => 0.0,
                _ if stiffness > 0.0 => -residual / stiffness,
                _ => return None,
            };
            let y = [along * u[0] + z * e[0], along * u[1] + z * e[1]];
            let share = -(dot(u, r) + dot(u, times(y))) / length;
            members[0].weight = 1.0 - share;
            members[1].weight = share;
            Some(y)
        }
        _ => {
            let ((p, c), (q, e)) = (across(1, members), across(2, members));
            let determinant = p[0] * q[1] - p[1] * q[0];
            if determinant == 0.0 {
                return None;
            }
            // Dᵀ y = −(c, e), then D (λ₂, λ₃) = −(r + M y).
            let y = [(p[1] * e - q[1] * c) / determinant, (q[0] * c - p[0] * e) / determinant];
            let f = [-(r[0] + m[0] * y[0] + m[1] * y[1]), -(r[1] + m[1] * y[0] + m[2] * y[1])];
            let second = (f[0] * q[1] - f[1] * q[0]) / determinant;
            let third = (p[0] * f[1] - p[1] * f[0]) / determinant;
            members[0].weight = 1.0 - second - third;
            members[1].weight = second;
            members[2].weight = third;
            Some(y)
        }
    }
}
