use carom_math::{Pose, Vec3};

use super::descent::{ClearanceWorkspace, Posed};
use super::triangles::{axes, gap};
use super::{ClearanceTree, contained, separation, touching};

/// What a translation is longer than need be, relative to itself, so that surfaces are apart and do not just touch.
const PAST: f64 = 1e-7;

/// The same relative to the size of the surfaces, for translations of nearly nothing.
const LEAST_PAST: f64 = 1e-12;

/// Sine above which a direction counts as leading out of a plane.
const ALONG: f64 = 1e-9;

/// Boxes opened and pairs of triangles met before what was found so far has to do: a second or so.
const MOST_WORK: u64 = 4_000_000;

/// The shortest translation of B along one of the `directions` (unit vectors in A's frame) after which the surfaces neither
/// touch nor contain a part of each other: which, and how long (m), to 1e-6 of itself. Zero along the first if they overlap
/// nowhere; of equal ones the first. None if no direction leads out, as out of rock around a cavity. Surfaces that touch in
/// millions of places are left after a while: the directions that were not tried to their ends do not count.
///
/// Two triangles, one of which moves along u, touch over an interval of the way; its end is the least of h(n)/(n·u) over the normals
/// n of their Minkowski difference, h(n) being its extent. So each pair that touches is left where that ends, and what is
/// contained comes no sooner to touch than its distance from the surface around it. No step passes over a place that is free.
pub fn escape(
    a: &ClearanceTree,
    b: &ClearanceTree,
    x_ab: &Pose,
    directions: &[Vec3],
    workspace: &mut ClearanceWorkspace,
) -> Option<(Vec3, f64)> {
    workspace.within(MOST_WORK, |workspace| {
        let mut best: Option<(Vec3, f64)> = None;
        for u in directions {
            let limit = best.map_or(f64::INFINITY, |(_, distance)| distance);
            match leave(a, b, x_ab, u, limit, workspace) {
                Some(distance) if distance < limit => best = Some((*u, distance)),
                _ => {}
            }
        }
        best
    })
}

/// The least way out along u, if it is below `limit`.
fn leave(
    a: &ClearanceTree,
    b: &ClearanceTree,
    x_ab: &Pose,
    u: &Vec3,
    limit: f64,
    workspace: &mut ClearanceWorkspace,
) -> Option<f64> {
    let posed = Posed { a, b, x_ab };
    let size = a.radius() + b.radius() + x_ab.translation.norm();
    // Nothing that is not around everything is beyond.
    let limit = limit.min(2.0 * size);
    let (mut way, mut last) = (0.0, None);
    let mut past = LEAST_PAST * size;
    loop {
        let shifted = Pose { rotation: x_ab.rotation, translation: x_ab.translation + way * u };
        let end = match touching(a, b, &shifted, last, workspace) {
            Some(pair) => {
                // Once more the same: rounding asks for more.
                past *= if last == Some(pair) { 4.0 } else { 1.0 };
                last = Some(pair);
                let [p, q] = posed.corners(pair);
                end_of_touch(&p, &q, u).max(way)
            }
            None if contained(a, b, &shifted).is_some() => {
                way + separation(a, b, &shifted, size, None, workspace).distance
            }
            None => return (way < limit && !workspace.is_spent()).then_some(way),
        };
        if workspace.is_spent() {
            return None;
        }
        way = end + past + PAST * end;
        if way > limit || !way.is_finite() {
            return None;
        }
    }
}

/// How far b can be moved along u until it no longer touches a, or a little more if they are degenerate.
fn end_of_touch(a: &[Vec3; 3], b: &[Vec3; 3], u: &Vec3) -> f64 {
    let mut end = f64::INFINITY;
    axes(a, b, |axis| {
        let across = axis.dot(u);
        if across.abs() > ALONG {
            let n = if across < 0.0 { -axis } else { axis };
            // h(n) is how much they overlap along n.
            end = end.min(-gap(a, b, &n) / across.abs());
        }
    });
    end.min(-gap(a, b, u))
}
