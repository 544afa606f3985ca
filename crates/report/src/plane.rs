//! The plane that a picture of a contact lies in.

/// Axes whose angles to a plane differ by no more than this are as near to it (rad).
const NEARLY: f64 = 0.02;
/// A component of a unit vector that is none: it lies along an axis.
const ALONG: f64 = 1e-6;

/// Unit vectors of a picture that faces `normal`, which need not have length one: to the right, up, towards the viewer. To the right
/// goes the axis of the world that is nearest to the plane, of equal ones the first; up, what has a positive part along z, or else
/// along y. None if the normal has no direction.
pub(crate) fn axes_facing(normal: [f64; 3]) -> Option<[[f64; 3]; 3]> {
    let length = dot(normal, normal).sqrt();
    if length.is_nan() || length <= 0.0 {
        return None;
    }
    let normal = normal.map(|x| x / length);
    let least = normal.iter().fold(f64::INFINITY, |least, n| n.abs().min(least));
    let nearest = (0..3).find(|&i| normal[i].abs() <= least + NEARLY)?;
    let unit = |k: usize| [0, 1, 2].map(|i| f64::from(u8::from(i == k)));
    let across = dot(unit(nearest), normal);
    let right = [0, 1, 2].map(|i| unit(nearest)[i] - across * normal[i]);
    let length = dot(right, right).sqrt();
    let right = right.map(|x| x / length);
    let up = cross(normal, right);
    // Of z, y and x the first that up has a part of.
    let part = up.into_iter().rev().find(|c| c.abs() > NEARLY)?;
    let sign = part.signum();
    Some([right.map(|x| sign * x), up.map(|x| sign * x), normal])
}

/// A point of the world in a picture with these axes, from `origin` (m).
pub(crate) fn place(axes: &[[f64; 3]; 3], origin: [f64; 3], point: [f64; 3]) -> [f64; 2] {
    let arm = [0, 1, 2].map(|i| point[i] - origin[i]);
    [dot(axes[0], arm), dot(axes[1], arm)]
}

/// A direction in words: `x`, `−y`, or its components.
pub(crate) fn direction(axis: [f64; 3]) -> String {
    for (name, value) in ["x", "y", "z"].into_iter().zip(axis) {
        if 1.0 - value.abs() < ALONG {
            return if value > 0.0 { name.to_owned() } else { format!("−{name}") };
        }
    }
    // Less than a hundredth is zero, without a sign.
    let [x, y, z] = axis.map(|v| format!("{:.2}", (v * 100.0).round() / 100.0 + 0.0).replace('-', "−"));
    format!("({x}, {y}, {z})")
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
