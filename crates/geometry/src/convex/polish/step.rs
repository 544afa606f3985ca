use carom_math::Vec3;

use super::member::Member;
use crate::convex::core::length;

/// Longest step of the normal (rad) outside of the reach of Newton's method.
const LONGEST_CLIMB: f64 = 0.2;

/// Area relative to the square of the longer side below which three points lie on a line.
const COLLINEAR: f64 = 1e-9;

/// Least stiffness that a climb counts on, relative to the larger one.
const WEAKEST: f64 = 1e-12;

/// A step of the normal in the tangent basis.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Newton's, at a place that has a maximum nearby.
    Newton([f64; 2]),
    /// Uphill, where Newton's method would not lead to a maximum.
    Climb([f64; 2]),
}

/// Residual relative to the depth that rounding leaves of zero: with a stiffness near zero the depth is the
/// same all around, as for solids of revolution with a common axis, and the normal stays where it is.
const NEUTRAL_RESIDUAL: f64 = 1e-12;

/// Stiffness relative to the depth that counts as near zero, before weights have settled.
const NEUTRAL_STIFFNESS: f64 = 1e-3;

/// Step of the normal in the tangent basis; sets the weights. `None` where there is no maximum, or the matrix is singular.
#[inline]
pub(super) fn newton_step(n: &Vec3, [t1, t2]: [&Vec3; 2], members: &mut [Member]) -> Option<Step> {
    let w1 = members[0].pair.w;
    let r = [t1.dot(&w1), t2.dot(&w1)];
    let across = |k: usize, members: &[Member]| {
        let d = members[k].pair.w - w1;
        ([t1.dot(&d), t2.dot(&d)], n.dot(&d))
    };
    weigh(members, r, |k, members| across(k, members).0);
    let gap = -n.dot(&w1);
    let radii = |k: usize| members.iter().map(|m| m.weight * m.radii[k]).sum::<f64>();
    let m = [radii(0) + gap, radii(1), radii(2) + gap];
    match members.len() {
        1 => {
            members[0].weight = 1.0;
            let determinant = m[0] * m[2] - m[1] * m[1];
            if is_neutral(&m, &r, &w1) {
                return Some(Step::Newton([0.0; 2]));
            }
            if !(determinant > 0.0 && m[0] + m[2] > 0.0) {
                return Some(climb(&m, &r));
            }
            let y = [(m[1] * r[1] - m[2] * r[0]) / determinant, (m[1] * r[0] - m[0] * r[1]) / determinant];
            Some(Step::Newton(y))
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
                // Uphill along the line's normals.
                _ => (-residual / stiffness.abs()).clamp(-LONGEST_CLIMB, LONGEST_CLIMB),
            };
            let y = [along * u[0] + z * e[0], along * u[1] + z * e[1]];
            let share = -(dot(u, r) + dot(u, times(y))) / length;
            members[0].weight = 1.0 - share;
            members[1].weight = share;
            Some(if stiffness > 0.0 || z == 0.0 { Step::Newton(y) } else { Step::Climb(y) })
        }
        _ => {
            let ((p, c), (q, e)) = (across(1, members), across(2, members));
            let determinant = p[0] * q[1] - p[1] * q[0];
            let longest = (p[0] * p[0] + p[1] * p[1]).max(q[0] * q[0] + q[1] * q[1]);
            if determinant.abs() <= COLLINEAR * longest {
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
            Some(Step::Newton(y))
        }
    }
}

/// Step toward a maximum from where the Newton matrix has a direction of no or negative stiffness: Newton's with
/// the absolute values of the two principal stiffnesses, no longer than [`LONGEST_CLIMB`].
fn climb(m: &[f64; 3], r: &[f64; 2]) -> Step {
    let (mean, half) = (0.5 * (m[0] + m[2]), 0.5 * (m[0] - m[2]));
    let spread = length(half, m[1]);
    let (high, low) = (mean + spread, mean - spread);
    // Principal axis of the larger one, from the longer of two expressions for it.
    let axis = if half >= 0.0 { [spread + half, m[1]] } else { [m[1], spread - half] };
    let size = length(axis[0], axis[1]);
    let u = if size > 0.0 { [axis[0] / size, axis[1] / size] } else { [1.0, 0.0] };
    let least = WEAKEST * high.abs().max(low.abs()).max(f64::MIN_POSITIVE);
    let along = -(u[0] * r[0] + u[1] * r[1]) / high.abs().max(least);
    let across = -(u[0] * r[1] - u[1] * r[0]) / low.abs().max(least);
    let y = [along * u[0] - across * u[1], along * u[1] + across * u[0]];
    let size = length(y[0], y[1]);
    Step::Climb(if size > LONGEST_CLIMB { y.map(|x| x * LONGEST_CLIMB / size) } else { y })
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
